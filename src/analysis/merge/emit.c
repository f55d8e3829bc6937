/* Names, facts and findings of the merger -> a builder; see emit.h. */
#include "analysis/merge/emit.h"

#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

/* ---- orders ---- */

struct sorter {
    const struct emitter *e;
    emit_order compare;
};

static int by_rule(const void *x, const void *y, void *arg)
{
    const struct sorter *s = arg;
    const uint32_t *a = x, *b = y;
    int c = s->compare(s->e, *a, *b);
    return c ? c : ORDER(*a, *b);
}

uint32_t *emit_sorted(struct emitter *e, size_t count, emit_order compare)
{
    struct sorter s = { e, compare };
    uint32_t *order = mem_alloc(&e->m->mem, count * sizeof *order);
    if (!order) {
        error_memory(e->err);
        return NULL;
    }
    bool is_sorted = true;
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t i = 1; i < count && is_sorted && !cancel_at(i); i++) is_sorted = compare(e, (uint32_t)i - 1, (uint32_t)i) <= 0;
    if (!is_sorted) sort_with(order, count, sizeof *order, by_rule, &s);
    return order;
}

void emit_free(struct emitter *e, uint32_t *order, size_t count) { mem_free(&e->m->mem, order, count * sizeof *order); }

static bool is_number(assay_slice s)
{
    size_t i = 0;
    while (i < s.len && s.data[i] >= '0' && s.data[i] <= '9') i++;
    return s.len && i == s.len;
}

int emit_text_order(const struct emitter *e, uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    assay_slice x = intern_get(&e->m->strings, a), y = intern_get(&e->m->strings, b);
    bool is_x = is_number(x), is_y = is_number(y);
    if (is_x != is_y) return is_x ? -1 : 1;
    if (is_x) ORDER_BY(x.len, y.len);
    return slice_compare(x, y);
}

assay_str_id emit_string(struct emitter *e, uint32_t id)
{
    if (!id) return (assay_str_id){ 0 };
    if (!e->strings[id]) {
        assay_slice s = intern_get(&e->m->strings, id);
        e->strings[id] = assay_build_string(e->b, s.data, s.len).v;
    }
    return (assay_str_id){ e->strings[id] };
}

/* ---- modules, files and functions ---- */

static int by_module(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_module *x = &e->m->modules.at[a], *y = &e->m->modules.at[b];
    int c = slice_compare(intern_get(&e->m->strings, x->path), intern_get(&e->m->strings, y->path));
    return c ? c : slice_compare(intern_get(&e->m->strings, x->build_id), intern_get(&e->m->strings, y->build_id));
}

/* What has no module comes last. */
static int rank_modules(struct emitter *e)
{
    size_t count = e->m->modules.len;
    uint32_t *order = emit_sorted(e, count, by_module);
    e->module_rank[0] = (uint32_t)count + 1;
    for (size_t i = 0; order && i < count; i++) e->module_rank[order[i] + 1] = (uint32_t)i + 1;
    emit_free(e, order, count);
    return order ? 0 : error_memory(e->err);
}

static uint32_t path_of(const struct merge_file *f) { return f->path ? f->path : f->spelling; }

static int by_path(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct assay_merger *m = e->m;
    const struct merge_file *x = &m->files.at[a], *y = &m->files.at[b];
    int c = slice_compare(intern_get(&m->strings, path_of(x)), intern_get(&m->strings, path_of(y)));
    return c ? c : ORDER(e->module_rank[x->module], e->module_rank[y->module]);
}

assay_module_id emit_module(struct emitter *e, uint32_t id)
{
    if (id && !e->modules[id].v) {
        const struct merge_module *m = &e->m->modules.at[id - 1];
        e->modules[id] = assay_build_module(e->b, emit_string(e, m->path), emit_string(e, m->build_id));
    }
    return e->modules[id];
}

static void note_file(struct assay_merger *m, const struct merge_file *f)
{
    assay_slice path = intern_get(&m->strings, f->spelling);
    if (!f->path) merge_note(m, MERGE_SPELLING, "'%.*s'", merge_shown(path), path.data);
    if (f->has_versions) merge_note(m, MERGE_VERSION, "the version of '%.*s' differs", merge_shown(path), path.data);
}

static int put_files(struct emitter *e)
{
    size_t count = e->m->files.len;
    uint32_t *order = emit_sorted(e, count, by_path);
    for (size_t i = 0; i < e->m->units.len; i++)
        if (e->m->units.at[i].lines.has_versions && e->m->units.at[i].file) e->m->files.at[e->m->units.at[i].file - 1].has_versions = true;
    for (size_t i = 0; order && i < count && !cancel_at(i); i++) {
        struct merge_file copy = e->m->files.at[order[i]], *row = &copy;
        assay_file_id id = assay_build_file(e->b, emit_string(e, path_of(row)), emit_module(e, row->module));
        note_file(e->m, row);
        row->path = path_of(row);
        row->parent = row->parent_line = 0; /* once all files are there */
        if (id.v) builder_fill_file(e->b, id, &(struct schema_file){ SCHEMA_FILES(EMIT_ROW, _) });
        e->files[order[i] + 1] = id;
        e->file_rank[order[i] + 1] = (uint32_t)i + 1;
    }
    for (size_t i = 0; order && i < count && !cancel_at(i); i++) {
        const struct merge_file *f = &e->m->files.at[i];
        if (f->parent) assay_build_file_parent(e->b, e->files[i + 1], e->files[f->parent], f->parent_line, f->flags);
    }
    emit_free(e, order, count);
    return order ? assay_builder_failed(e->b) : ASSAY_ERR_MEMORY;
}

static int by_func(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_func *x = &e->m->funcs.at[a], *y = &e->m->funcs.at[b];
    ORDER_BY(e->file_rank[x->file], e->file_rank[y->file]);
    ORDER_BY(x->first_line, y->first_line);
    if (x->name != y->name) return slice_compare(intern_get(&e->m->strings, x->name), intern_get(&e->m->strings, y->name));
    ORDER_BY(x->offset, y->offset);
    return ORDER(e->module_rank[x->module], e->module_rank[y->module]);
}

static int put_funcs(struct emitter *e)
{
    size_t count = e->m->funcs.len;
    uint32_t *order = emit_sorted(e, count, by_func);
    for (size_t i = 0; order && i < count && !cancel_at(i); i++) {
        const struct merge_func *row = &e->m->funcs.at[order[i]];
        const struct schema_func out = { SCHEMA_FUNCS(EMIT_ROW, _) };
        assay_func_id id = assay_build_func_new(e->b, out.name, out.file, out.module, out.offset, out.first_line);
        if (id.v) builder_fill_func(e->b, id, &out);
        e->funcs[order[i] + 1] = id;
        e->func_rank[order[i] + 1] = (uint32_t)i + 1;
    }
    emit_free(e, order, count);
    return order ? assay_builder_failed(e->b) : ASSAY_ERR_MEMORY;
}

/* A function that not every input has, and one of its name at another line of the file that not every input has either. */
static int note_moved_functions(struct emitter *e)
{
    struct assay_merger *m = e->m;
    SCOPED(index_done) struct index ix;
    index_init(&ix, &m->mem);
    for (size_t i = 0; i < m->funcs.len && !cancel_at(i); i++) {
        const struct merge_func *f = &m->funcs.at[i], *other = NULL;
        uint64_t hash = hash_mix(f->name, f->file);
        if (f->seen == m->inputs || !f->first_line) continue;
        for (struct index_walk w = index_walk(&ix, hash); !other && index_next(&ix, &w);) {
            const struct merge_func *k = &m->funcs.at[w.id - 1];
            if (k->name == f->name && k->file == f->file) other = k;
        }
        assay_slice name = intern_get(&m->strings, f->name);
        if (other)
            merge_note(m, MERGE_FUNCTION, "'%.*s' at lines %u and %u", (int)(name.len < 80 ? name.len : 80), name.data, other->first_line, f->first_line);
        else if (!index_add(&ix, hash, (uint32_t)i + 1))
            return error_memory(e->err);
    }
    return 0;
}

/* ---- facts ---- */

static int by_attribute(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_attribute *x = &e->m->attributes.at[a], *y = &e->m->attributes.at[b];
    if (e->m->inputs == 1) return 0;
    int c = slice_compare(intern_get(&e->m->strings, x->key), intern_get(&e->m->strings, y->key));
    return c ? c : slice_compare(intern_get(&e->m->strings, x->value), intern_get(&e->m->strings, y->value));
}

/* Names that a file has several of add up; of other things that the inputs say differently nothing can be said. */
static bool is_list(assay_slice key) { return slice_is(key, "test") || slice_is(key, "source"); }

static int put_attributes(struct emitter *e)
{
    size_t count = e->m->attributes.len;
    uint32_t *order = emit_sorted(e, count, by_attribute);
    for (size_t i = 0; order && i < count && !cancel_at(i); i++) {
        const struct merge_attribute *a = &e->m->attributes.at[order[i]];
        assay_slice key = intern_get(&e->m->strings, a->key), value = intern_get(&e->m->strings, a->value);
        bool is_clock = e->m->cost.has_clocks && a->value == e->m->cost.clock && slice_is(key, "ticks_per_sec");
        if (a->seen != e->m->inputs && !is_list(key) && !is_clock) continue;
        assay_build_attribute(e->b, (assay_stream_id){ 0 }, key.data, key.len, value.data, value.len);
    }
    emit_free(e, order, count);
    return order ? 0 : ASSAY_ERR_MEMORY;
}

/* Figures that one input states of itself. */
static void put_stated(struct emitter *e)
{
    const struct assay_merger *m = e->m;
    if (m->inputs > 1) return;
    for (size_t i = 0; i < m->stated.len; i++) {
        const struct merge_stated *row = &m->stated.at[i];
        assay_build_coverage_stated(e->b, &(struct assay_coverage_stated){ SCHEMA_COVERAGE_STATED(EMIT_ROW, _) });
    }
    for (size_t i = 0; i < m->counts.len; i++) assay_build_count(e->b, intern_get(&m->strings, m->counts.at[i].name).data, m->counts.at[i].value);
}

static void put_source(struct emitter *e)
{
    const struct assay_merger *m = e->m;
    const char *text[3];
    const uint32_t ids[3] = { m->format, m->version, m->producer };
    for (int i = 0; i < 3; i++) text[i] = ids[i] ? intern_get(&m->strings, ids[i]).data : "";
    assay_build_source(e->b, text[0], text[1], text[2]);
    assay_build_offers(e->b, m->offers);
    if (!(m->shapes & ASSAY_SHAPE_COVERAGE)) return;
    assay_metric_id hits = assay_build_metric(e->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(e->b, hits, (assay_value){ .u = e->hits.high ? UINT64_MAX : e->hits.low });
}

/* ---- findings ---- */

static const struct {
    const char *rule, *text;
} rules[MERGE_RULES] = {
    [MERGE_SPELLING] = { "P-2", "one file has several paths" },
    [MERGE_VERSION] = { "MG-1", "the inputs have different versions of a file" },
    [MERGE_FUNCTION] = { "MG-2", "a function is at different lines in different inputs; both are kept" },
    [MERGE_AT_LEAST] = { "MG-3", "the inputs only say how many branches of a line were hit; the result is a lower bound" },
    [MERGE_LIST_AND_SUM] = { "MG-4", "inputs disagree on the number of branches of a line; the larger is kept" },
    [MERGE_SATURATED] = { "MG-5", "sums of counts exceed 64 bits and are capped" },
    [MERGE_BLOCK] = { "MG-6", "inputs disagree on the number of statements in a block; the larger is kept" },
    [MERGE_ONLY_HIT] = { "MG-7", "some inputs only have hit or not instead of counts; so does the result" },
    [MERGE_LEFT_OUT] = { "MG-8", "events over time, jumps and statistics across streams are left out" },
    [MERGE_CLOCK] = { "MG-9", "ticks of different clocks have no whole ratio and are rounded to those of the finest" },
};

static int put_warnings(struct emitter *e)
{
    struct assay_merger *m = e->m;
    if (m->is_saturated) merge_note(m, MERGE_SATURATED, "%s", "");
    for (size_t i = 0; i < m->warnings.list.len; i++) assay_build_warning(e->b, &m->warnings.list.at[i]);
    for (int i = 0; i < MERGE_RULES; i++) {
        struct findings one;
        if (!m->notes[i].count) continue;
        findings_init(&one, &m->mem);
        findings_add(&one, rules[i].rule, ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%s%s%s", rules[i].text, *m->notes[i].first ? ": " : "", m->notes[i].first);
        bool failed = one.failed;
        if (!failed) {
            one.list.at[0].repeats = m->notes[i].count - 1;
            assay_build_warning(e->b, &one.list.at[0]);
        }
        findings_done(&one);
        if (failed) return error_memory(e->err);
    }
    return 0;
}

/* ---- the whole ---- */

static bool make_tables(struct emitter *e, struct arena *tables)
{
    struct assay_merger *m = e->m;
    e->strings = arena_zalloc(tables, (size_t)intern_count(&m->strings) + 1, sizeof *e->strings);
    e->file_rank = arena_zalloc(tables, m->files.len + 1, sizeof *e->file_rank);
    e->func_rank = arena_zalloc(tables, m->funcs.len + 1, sizeof *e->func_rank);
    e->key_rank = arena_zalloc(tables, m->keys.len + 1, sizeof *e->key_rank);
    e->files = arena_zalloc(tables, m->files.len + 1, sizeof *e->files);
    e->funcs = arena_zalloc(tables, m->funcs.len + 1, sizeof *e->funcs);
    e->modules = arena_zalloc(tables, m->modules.len + 1, sizeof *e->modules);
    e->module_rank = arena_zalloc(tables, m->modules.len + 1, sizeof *e->module_rank);
    e->is_only_hit = arena_zalloc(tables, m->files.len + 1, 1);
    e->branches = intern_find(&m->strings, SLICE("branches"));
    return e->strings && e->file_rank && e->func_rank && e->key_rank && e->files && e->funcs && e->modules && e->module_rank && e->is_only_hit;
}

int merge_emit(struct assay_merger *m, assay_builder *b, assay_error *err)
{
    struct emitter e = { .m = m, .b = b, .err = err };
    SCOPED(arena_done) struct arena tables;
    arena_init(&tables, &m->mem);
    TRY(merge_clocks_join(m, err));
    if (!make_tables(&e, &tables)) return error_memory(err);
    TRY(rank_modules(&e));
    TRY(put_files(&e));
    TRY(put_funcs(&e));
    if (m->inputs > 1) TRY(note_moved_functions(&e));
    TRY(merge_cost_emit(&e));
    TRY(emit_rows(&e));
    TRY(put_attributes(&e));
    put_stated(&e);
    put_source(&e);
    return put_warnings(&e);
}
