/* meta.db: names, metrics, modules, files and functions; the contexts are in write_contexts.c. Only what some context names is listed, each text
 * once and from its beginning. */
#include "base/slice.h"
#include "formats/hpcdb/kinds.h"
#include "formats/hpcdb/write.h"

enum { FIRST_SECTION = 0x90, METRICS_HEAD = 32, LIST_HEAD = 16 };

struct meta {
    const struct hpcdb_plan *plan;
    struct hpcdb_encoder e;
    struct arena arena;
    struct hpcdb_meta_places at;
    uint64_t *strings; /* by string of the model: where it is; 0 = not written */
    uint8_t *uses_module, *uses_file, *uses_func;
    uint8_t *is_copied; /* by file */
    struct output_dir *dir;
};

static void *table(struct meta *m, size_t count, size_t size)
{
    void *at = arena_alloc(&m->arena, (count + 1) * size);
    if (at) memset(at, 0, (count + 1) * size);
    return at;
}

static assay_slice text_of(const struct meta *m, uint32_t id) { return assay_profile_string(m->plan->p, (assay_str_id){ id }); }

/* ---- what is used ---- */

static void use_func(struct meta *m, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(m->plan->p);
    if (hpcdb_plan_is_unknown(m->plan, func)) return;
    m->uses_func[func] = 1;
    m->uses_module[ID_AT(f->module, func)] = 1;
    m->uses_file[ID_AT(f->file, func)] = 1;
}

static void mark_used(struct meta *m)
{
    const struct hpcdb_plan *plan = m->plan;
    const struct assay_tree *t = assay_profile_tree(plan->p);
    for (uint32_t c = 1; c < plan->ctx_count; c++) {
        uint32_t node = plan->node[c];
        if (!node || plan->bits[c] & (PLAN_HIDDEN | PLAN_ENTRY)) continue;
        if (hpcdb_write_lexical(t, node) == HPCDB_LEXICAL_FUNCTION) use_func(m, ID_AT(t->func, node));
        m->uses_file[ID_AT(t->file, node)] = 1;
        m->uses_module[ID_AT(t->module, node)] = 1;
    }
}

static int make_tables(struct meta *m, assay_error *err)
{
    const struct assay_modules *modules = assay_profile_modules(m->plan->p);
    const struct assay_files *files = assay_profile_files(m->plan->p);
    const struct assay_funcs *funcs = assay_profile_funcs(m->plan->p);
    uint32_t most = 0;
    for (uint32_t i = 1; i <= modules->count; i++) most = ID_AT(modules->path, i) > most ? ID_AT(modules->path, i) : most;
    for (uint32_t i = 1; i <= funcs->count; i++) most = ID_AT(funcs->name, i) > most ? ID_AT(funcs->name, i) : most;
    m->strings = table(m, most, sizeof *m->strings);
    m->uses_module = table(m, modules->count, 1);
    m->uses_file = table(m, files->count, 1);
    m->uses_func = table(m, funcs->count, 1);
    m->is_copied = table(m, files->count, 1);
    m->at.modules = table(m, modules->count, sizeof *m->at.modules);
    m->at.files = table(m, files->count, sizeof *m->at.files);
    m->at.functions = table(m, funcs->count, sizeof *m->at.functions);
    m->at.entry_names = table(m, m->plan->ctx_count, sizeof *m->at.entry_names);
    bool has_all =
        m->strings && m->uses_module && m->uses_file && m->uses_func && m->is_copied && m->at.modules && m->at.files && m->at.functions && m->at.entry_names;
    return has_all ? 0 : error_memory(err);
}

/* ---- general, kinds ---- */

/* The program's name where the measurements have it. */
static assay_slice title_of(const struct hpcdb_plan *plan)
{
    const char *given = plan->own->title;
    assay_slice title = given ? slice_of(given) : hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, "title");
    for (uint32_t i = 0; !title.data && i < plan->stream_count; i++) title = hpcdb_plan_attribute(plan, plan->streams[i], "program-name");
    return title.data ? title : SLICE("");
}

static assay_slice description_of(const struct hpcdb_plan *plan)
{
    assay_slice text = hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, "description");
    if (text.data) return text;
    return plan->own->compat ? SLICE(HPCDB_NO_DESCRIPTION) : SLICE("");
}

static void put_general(struct meta *m)
{
    unsigned char head[16];
    uint64_t off = hpcdb_encode_align(&m->e, 8);
    hpcdb_encode_zeros(&m->e, sizeof head);
    put_u64(head, hpcdb_encode_text(&m->e, title_of(m->plan)));
    put_u64(head + 8, hpcdb_encode_text(&m->e, description_of(m->plan)));
    output_patch(m->e.out, off, head, sizeof head);
    hpcdb_encode_section(&m->e, HPCDB_GENERAL, off);
}

static int put_kinds(struct meta *m, assay_error *err)
{
    struct hpcdb_kinds k;
    unsigned char head[16] = { 0 }, pointer[8];
    TRY(hpcdb_kinds_init(&k, m->plan, err));
    uint64_t off = hpcdb_encode_align(&m->e, 8);
    put_u64(head, off + sizeof head);
    head[8] = (unsigned char)k.count;
    output_bytes(m->e.out, head, sizeof head);
    hpcdb_encode_zeros(&m->e, (uint64_t)k.count * sizeof pointer);
    for (uint16_t i = 0; i < k.count; i++) {
        put_u64(pointer, hpcdb_encode_text(&m->e, k.names[i]));
        output_patch(m->e.out, off + sizeof head + i * sizeof pointer, pointer, sizeof pointer);
    }
    hpcdb_encode_section(&m->e, HPCDB_ID_NAMES, off);
    return 0;
}

/* ---- metrics ---- */

static uint64_t put_scopes(struct meta *m, const uint64_t *names)
{
    uint64_t off = hpcdb_encode_align(&m->e, 8);
    for (uint32_t i = 0; i < m->plan->scope_count; i++) {
        unsigned char scope[HPCDB_SCOPE_LEN] = { 0 };
        put_u64(scope, names[i]);
        scope[8] = m->plan->scopes[i].type;
        scope[9] = m->plan->scopes[i].index;
        output_bytes(m->e.out, scope, sizeof scope);
    }
    return off;
}

static void put_columns(struct meta *m, const struct hpcdb_plan_metric *metric, uint64_t scopes)
{
    for (uint32_t i = 0; i < metric->column_count; i++) {
        const struct hpcdb_plan_column *c = &m->plan->columns[metric->first_column + i];
        unsigned char inst[HPCDB_INST_LEN] = { 0 };
        put_u64(inst, scopes + (uint64_t)c->scope * HPCDB_SCOPE_LEN);
        put_u16(inst + 8, c->id);
        output_bytes(m->e.out, inst, sizeof inst);
    }
}

static void put_stats(struct meta *m, const struct hpcdb_plan_metric *metric, uint64_t scopes, const uint64_t *formulas)
{
    for (uint32_t i = metric->first_stat; i < metric->first_stat + metric->stat_count; i++) {
        const struct hpcdb_plan_stat *s = &m->plan->stats[i];
        unsigned char summary[HPCDB_SUMMARY_LEN] = { 0 };
        put_u64(summary, scopes + (uint64_t)s->scope * HPCDB_SCOPE_LEN);
        put_u64(summary + 8, formulas[i]);
        summary[0x10] = s->combine;
        put_u16(summary + 0x12, s->id);
        output_bytes(m->e.out, summary, sizeof summary);
    }
}

struct metric_texts {
    uint64_t *scopes, *metrics, *formulas; /* by number */
};

static bool put_metric_texts(struct meta *m, struct metric_texts *at)
{
    const struct hpcdb_plan *plan = m->plan;
    at->scopes = table(m, plan->scope_count, sizeof *at->scopes);
    at->metrics = table(m, plan->metric_count, sizeof *at->metrics);
    at->formulas = table(m, plan->stat_count, sizeof *at->formulas);
    if (!at->scopes || !at->metrics || !at->formulas) return false;
    for (uint32_t i = 0; i < plan->scope_count; i++) at->scopes[i] = hpcdb_encode_text(&m->e, plan->scopes[i].name);
    for (uint32_t i = 0; i < plan->metric_count; i++) at->metrics[i] = hpcdb_encode_text(&m->e, plan->metrics[i].name);
    for (uint32_t i = 0; i < plan->stat_count; i++) {
        uint32_t same = 0; /* few formulas: the first with the same text */
        while (same < i && !slice_equal(plan->stats[same].formula, plan->stats[i].formula)) same++;
        at->formulas[i] = same < i ? at->formulas[same] : hpcdb_encode_text(&m->e, plan->stats[i].formula);
    }
    return true;
}

static void put_metric_array(struct meta *m, const struct metric_texts *texts, uint64_t scopes, unsigned char *head)
{
    const struct hpcdb_plan *plan = m->plan;
    uint64_t off = hpcdb_encode_align(&m->e, 8), at = off + (uint64_t)plan->metric_count * HPCDB_METRIC_LEN;
    for (uint32_t i = 0; i < plan->metric_count; i++) {
        const struct hpcdb_plan_metric *from = &plan->metrics[i];
        unsigned char metric[HPCDB_METRIC_LEN] = { 0 };
        uint64_t columns = (uint64_t)from->column_count * HPCDB_INST_LEN;
        put_u64(metric, texts->metrics[i]);
        put_u64(metric + 8, at);
        put_u64(metric + 0x10, at + columns);
        put_u16(metric + 0x18, (uint16_t)from->column_count);
        put_u16(metric + 0x1a, (uint16_t)from->stat_count);
        output_bytes(m->e.out, metric, sizeof metric);
        at += columns + (uint64_t)from->stat_count * HPCDB_SUMMARY_LEN;
    }
    for (uint32_t i = 0; i < plan->metric_count; i++) {
        put_columns(m, &plan->metrics[i], scopes);
        put_stats(m, &plan->metrics[i], scopes, texts->formulas);
    }
    put_u64(head, off);
    put_u32(head + 8, plan->metric_count);
}

static int put_metrics(struct meta *m, assay_error *err)
{
    struct metric_texts texts;
    unsigned char head[METRICS_HEAD] = { 0 };
    uint64_t off = hpcdb_encode_align(&m->e, 8);
    hpcdb_encode_zeros(&m->e, sizeof head);
    if (!put_metric_texts(m, &texts)) return error_memory(err);
    uint64_t scopes = put_scopes(m, texts.scopes);
    put_metric_array(m, &texts, scopes, head);
    head[0xc] = HPCDB_METRIC_LEN;
    head[0xd] = HPCDB_INST_LEN;
    head[0xe] = HPCDB_SUMMARY_LEN;
    put_u64(head + 0x10, scopes);
    put_u16(head + 0x18, (uint16_t)m->plan->scope_count);
    head[0x1a] = HPCDB_SCOPE_LEN;
    output_patch(m->e.out, off, head, sizeof head);
    hpcdb_encode_section(&m->e, HPCDB_METRICS, off);
    return 0;
}

/* ---- names ---- */

static void put_string(struct meta *m, uint32_t id)
{
    if (!m->strings[id]) m->strings[id] = hpcdb_encode_text(&m->e, id ? text_of(m, id) : SLICE("<unknown function>"));
}

/* A path into the database that was read becomes the one that the copy was made of, or that of the new copy. */
static int put_path(struct meta *m, uint32_t file, assay_error *err)
{
    assay_slice path = { NULL, 0 };
    if (m->plan->own->copy_sources) TRY(hpcdb_copy_source(m->plan, m->dir, file, &m->arena, &path, err));
    m->is_copied[file] = path.data != NULL;
    m->at.files[file] = hpcdb_encode_text(&m->e, path.data ? path : hpcdb_source_origin(m->plan, file));
    return 0;
}

static int put_strings(struct meta *m, assay_error *err)
{
    const struct hpcdb_plan *plan = m->plan;
    const struct assay_modules *modules = assay_profile_modules(plan->p);
    const struct assay_funcs *funcs = assay_profile_funcs(plan->p);
    const struct assay_tree *t = assay_profile_tree(plan->p);
    uint64_t off = hpcdb_encode_align(&m->e, 8);
    for (uint32_t i = 1; i <= modules->count; i++)
        if (m->uses_module[i]) put_string(m, ID_AT(modules->path, i));
    for (uint32_t i = 1; i <= assay_profile_files(plan->p)->count; i++)
        if (m->uses_file[i]) TRY(put_path(m, i, err));
    for (uint32_t i = 1; i <= funcs->count; i++)
        if (m->uses_func[i]) put_string(m, ID_AT(funcs->name, i));
    for (uint32_t c = 1; c < plan->ctx_count; c++)
        if (plan->bits[c] & PLAN_ENTRY) {
            uint32_t func = plan->node[c] ? ID_AT(t->func, plan->node[c]) : 0;
            m->at.entry_names[c] = hpcdb_encode_text(&m->e, func ? text_of(m, ID_AT(funcs->name, func)) : SLICE("unknown entry"));
        }
    hpcdb_encode_section(&m->e, HPCDB_STRINGS, off);
    return 0;
}

/* The head of a list whose elements follow it; the section ends with them. */
static uint64_t begin_list(struct meta *m, const uint8_t *uses, uint32_t count, uint16_t size)
{
    unsigned char head[LIST_HEAD];
    uint32_t used = 0;
    uint64_t off = hpcdb_encode_align(&m->e, 8);
    for (uint32_t i = 1; i <= count; i++) used += uses[i];
    hpcdb_encode_array(head, off + sizeof head, used, size);
    output_bytes(m->e.out, head, sizeof head);
    return off;
}

static void put_modules(struct meta *m)
{
    const struct assay_modules *list = assay_profile_modules(m->plan->p);
    uint64_t off = begin_list(m, m->uses_module, list->count, HPCDB_MODULE_LEN);
    for (uint32_t i = 1; i <= list->count; i++) {
        unsigned char module[HPCDB_MODULE_LEN] = { 0 };
        if (!m->uses_module[i]) continue;
        m->at.modules[i] = output_off(m->e.out);
        put_u64(module + 8, m->strings[ID_AT(list->path, i)]);
        output_bytes(m->e.out, module, sizeof module);
    }
    hpcdb_encode_section(&m->e, HPCDB_MODULES, off);
}

static void put_files(struct meta *m)
{
    uint32_t count = assay_profile_files(m->plan->p)->count;
    uint64_t off = begin_list(m, m->uses_file, count, HPCDB_FILE_LEN);
    for (uint32_t i = 1; i <= count; i++) {
        unsigned char file[HPCDB_FILE_LEN] = { 0 };
        if (!m->uses_file[i]) continue;
        file[0] = m->is_copied[i];
        put_u64(file + 8, m->at.files[i]);
        m->at.files[i] = output_off(m->e.out);
        output_bytes(m->e.out, file, sizeof file);
    }
    hpcdb_encode_section(&m->e, HPCDB_FILES, off);
}

static void put_functions(struct meta *m)
{
    const struct assay_funcs *list = assay_profile_funcs(m->plan->p);
    uint64_t off = begin_list(m, m->uses_func, list->count, HPCDB_FUNCTION_LEN);
    for (uint32_t i = 1; i <= list->count; i++) {
        unsigned char func[HPCDB_FUNCTION_LEN] = { 0 };
        uint32_t module = ID_AT(list->module, i);
        if (!m->uses_func[i]) continue;
        m->at.functions[i] = output_off(m->e.out);
        put_u64(func, m->strings[ID_AT(list->name, i)]);
        put_u64(func + 8, m->at.modules[module]);
        put_u64(func + 0x10, module ? NUMBER_AT(list->offset, i) : 0);
        put_u64(func + 0x18, m->at.files[ID_AT(list->file, i)]);
        put_u32(func + 0x20, NUMBER_AT(list->first_line, i));
        output_bytes(m->e.out, func, sizeof func);
    }
    hpcdb_encode_section(&m->e, HPCDB_FUNCTIONS, off);
}

static int put_all(struct meta *m, assay_error *err)
{
    TRY(make_tables(m, err));
    mark_used(m);
    put_general(m);
    TRY(put_kinds(m, err));
    TRY(put_metrics(m, err));
    TRY(put_strings(m, err));
    put_modules(m);
    put_files(m);
    put_functions(m);
    TRY(hpcdb_write_contexts(m->plan, &m->e, &m->at, err));
    return hpcdb_encode_close(&m->e, err);
}

int hpcdb_write_meta(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err)
{
    struct meta m = { .plan = plan, .dir = dir };
    arena_init(&m.arena, plan->mem);
    int rc = hpcdb_encode_open(&m.e, dir, HPCDB_META, FIRST_SECTION, err);
    if (rc == 0) rc = put_all(&m, err);
    output_abort(m.e.out);
    arena_done(&m.arena);
    return rc;
}
