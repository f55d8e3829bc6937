/* Records -> profile. Rows may refer to what comes later in the document, so all are kept until its end and then built in the order of the
 * model: names first. */
#include <stdio.h>

#include "base/number.h"
#include "base/vec.h"
#include "formats/assay-json/refer.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct assay_json_decoder d;
    VEC(struct assay_json_record) records[ASSAY_JSON_KINDS];
    VEC(uint32_t) strings;                   /* by name id: the builder's */
    VEC(uint32_t) modules, files, functions; /* by number: the builder's ids; [0] = 0 */
};

static int take(void *arg, const struct assay_json_record *r)
{
    struct reader *w = arg;
    if (w->job->options->strict) TRY(findings_refuse(&w->damage, w->err));
    struct assay_json_record *slot = vec_push(w->job->mem, &w->records[r->kind]);
    if (!slot) return error_memory(w->err);
    *slot = *r;
    return 0;
}

static assay_str_id text(struct reader *r, assay_str_id name)
{
    return name.v < r->strings.len ? (assay_str_id){ r->strings.at[name.v] } : (assay_str_id){ 0 };
}

static assay_file_id file_of(const struct reader *r, uint32_t n) { return (assay_file_id){ n < r->files.len ? r->files.at[n] : 0 }; }
static assay_func_id func_of(const struct reader *r, uint32_t n) { return (assay_func_id){ n < r->functions.len ? r->functions.at[n] : 0 }; }
static assay_module_id module_of(const struct reader *r, uint32_t n) { return (assay_module_id){ n < r->modules.len ? r->modules.at[n] : 0 }; }

/* ---- names ---- */

static bool strings(struct reader *r)
{
    uint32_t count = intern_count(&r->d.names);
    if (!vec_reserve(r->job->mem, &r->strings, (size_t)count + 1)) return false;
    r->strings.len = (size_t)count + 1;
    r->strings.at[0] = 0;
    for (uint32_t i = 1; i <= count; i++) {
        assay_slice s = intern_get(&r->d.names, i);
        r->strings.at[i] = assay_build_string(r->b, s.data, s.len).v;
    }
    return true;
}

static void build_file(struct reader *r, const struct assay_json_file *f, uint32_t id)
{
    assay_file_id file = { id };
    if (f->source.v || f->origin.v) assay_build_file_source(r->b, file, text(r, f->source), text(r, f->origin));
    if (f->parent || f->parent_line || f->flags) assay_build_file_parent(r->b, file, file_of(r, f->parent), f->parent_line, f->flags);
}

static uint32_t build_function(struct reader *r, const struct assay_json_function *f)
{
    assay_func_id func = assay_build_func_new(r->b, text(r, f->name), file_of(r, f->file), module_of(r, f->module), f->offset, f->line);
    if (f->last_line) assay_build_func_lines(r->b, func, f->line, f->last_line);
    if (f->column) assay_build_func_column(r->b, func, f->column);
    if (f->kind || f->flags) assay_build_func_kind(r->b, func, (enum assay_func_kind)f->kind, f->flags);
    if (f->link_name.v) assay_build_func_link(r->b, func, text(r, f->link_name));
    return func.v;
}

#define EACH(r, k, i) for (size_t i = 0; i < (r)->records[k].len; i++)

/* Numbers are places in the lists, also of those that could not be read. */
static bool names(struct reader *r)
{
    struct mem *mem = r->job->mem;
    size_t modules = r->records[ASSAY_JSON_MODULE].len;
    if (!strings(r) || !vec_reserve(mem, &r->modules, modules + 1) || !vec_reserve(mem, &r->files, (size_t)r->d.files + 1) ||
        !vec_reserve(mem, &r->functions, (size_t)r->d.functions + 1))
        return false;
    memset(r->modules.at, 0, (modules + 1) * sizeof *r->modules.at);
    memset(r->files.at, 0, ((size_t)r->d.files + 1) * sizeof *r->files.at);
    memset(r->functions.at, 0, ((size_t)r->d.functions + 1) * sizeof *r->functions.at);
    r->modules.len = modules + 1;
    r->files.len = (size_t)r->d.files + 1;
    r->functions.len = (size_t)r->d.functions + 1;
    EACH(r, ASSAY_JSON_MODULE, i)
    {
        const struct assay_json_module *m = &r->records[ASSAY_JSON_MODULE].at[i].row.module;
        r->modules.at[i + 1] = assay_build_module(r->b, text(r, m->path), text(r, m->build_id)).v;
    }
    EACH(r, ASSAY_JSON_FILE, i)
    {
        const struct assay_json_record *f = &r->records[ASSAY_JSON_FILE].at[i];
        r->files.at[f->owner] = assay_build_file_new(r->b, text(r, f->row.file.path), module_of(r, f->row.file.module)).v;
    }
    EACH(r, ASSAY_JSON_FILE, i) build_file(r, &r->records[ASSAY_JSON_FILE].at[i].row.file, r->files.at[r->records[ASSAY_JSON_FILE].at[i].owner]);
    EACH(r, ASSAY_JSON_FUNCTION, i)
    {
        const struct assay_json_record *f = &r->records[ASSAY_JSON_FUNCTION].at[i];
        r->functions.at[f->owner] = build_function(r, &f->row.function);
    }
    return true;
}

/* ---- rows ---- */

static void build_row(struct reader *r, const struct assay_json_record *rec)
{
    union assay_json_row row = rec->row;
    assay_file_id file = file_of(r, rec->owner);
    switch (rec->kind) {
    case ASSAY_JSON_CALLED:
        row.called.func = func_of(r, rec->owner);
        row.called.test = text(r, row.called.test);
        if (row.called.func.v) assay_build_coverage_func(r->b, &row.called);
        break;
    case ASSAY_JSON_LINE:
        row.line.file = file;
        row.line.test = text(r, row.line.test);
        row.line.checksum = text(r, row.line.checksum);
        assay_build_coverage_line(r->b, &row.line);
        break;
    case ASSAY_JSON_BRANCH:
        row.branch.file = file;
        row.branch.func = func_of(r, row.branch.func.v);
        row.branch.test = text(r, row.branch.test);
        row.branch.block = text(r, row.branch.block);
        row.branch.name = text(r, row.branch.name);
        assay_build_coverage_branch(r->b, &row.branch);
        break;
    case ASSAY_JSON_SUM:
        row.sum.file = file;
        row.sum.test = text(r, row.sum.test);
        row.sum.kind = text(r, row.sum.kind);
        assay_build_coverage_sum(r->b, &row.sum);
        break;
    case ASSAY_JSON_CONDITION:
        row.condition.file = file;
        row.condition.text = text(r, row.condition.text);
        row.condition.test = text(r, row.condition.test);
        assay_build_coverage_condition(r->b, &row.condition);
        break;
    case ASSAY_JSON_REGION:
        row.region.file = file;
        row.region.func = func_of(r, row.region.func.v);
        assay_build_coverage_region(r->b, &row.region);
        break;
    case ASSAY_JSON_STATED:
        row.stated.file = file;
        row.stated.scope = text(r, row.stated.scope);
        row.stated.kind = text(r, row.stated.kind);
        assay_build_coverage_stated(r->b, &row.stated);
        break;
    default: break;
    }
}

/* ---- facts ---- */

/* A whole number of up to 128 bits; what is larger is the largest. */
static assay_wide wide_of(assay_slice s)
{
    unsigned __int128 v = 0;
    for (size_t i = 0; i < s.len && s.data[i] >= '0' && s.data[i] <= '9' && !(v >> 123); i++) v = v * 10 + (unsigned)(s.data[i] - '0');
    return (assay_wide){ (uint64_t)v, (int64_t)(v >> 64) };
}

static const char *c_text(const struct reader *r, assay_str_id name)
{
    assay_slice s = intern_get(&r->d.names, name.v);
    return s.data ? s.data : "";
}

static void metric(struct reader *r, const struct assay_json_metric *m)
{
    assay_metric_id id = assay_build_metric(r->b, c_text(r, m->name), c_text(r, m->unit), (enum assay_type)m->type, ASSAY_SHAPE_COVERAGE);
    assay_slice total = intern_get(&r->d.names, m->total.v);
    assay_value v = { .u = 0 };
    if (m->description.v || m->formula.v || m->hidden) assay_build_metric_text(r->b, id, c_text(r, m->description), c_text(r, m->formula), m->hidden);
    if (!total.data) return;
    if (m->type == ASSAY_U64) {
        assay_build_metric_total_wide(r->b, id, wide_of(total));
        return;
    }
    if (m->type == ASSAY_I64)
        number_i64(total, &v.i);
    else
        number_double(total, &v.d);
    assay_build_metric_total(r->b, id, v);
}

static void facts(struct reader *r)
{
    EACH(r, ASSAY_JSON_METRIC, i) metric(r, &r->records[ASSAY_JSON_METRIC].at[i].row.metric);
    EACH(r, ASSAY_JSON_ATTRIBUTE, i)
    {
        const struct assay_json_pair *a = &r->records[ASSAY_JSON_ATTRIBUTE].at[i].row.attribute;
        assay_slice key = intern_get(&r->d.names, a->key.v), value = intern_get(&r->d.names, a->value.v);
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, key.data, key.len, value.data ? value.data : "", value.len);
    }
    EACH(r, ASSAY_JSON_COUNT, i)
    {
        const struct assay_json_count *c = &r->records[ASSAY_JSON_COUNT].at[i].row.count;
        assay_build_count(r->b, c_text(r, c->name), c->value);
    }
}

static void finish(struct reader *r)
{
    struct assay_json_reference found[ASSAY_JSON_REFERENCES];
    char version[16];
    for (int k = 0; k < ASSAY_JSON_KINDS; k++) EACH(r, k, i)
        {
            unsigned count = assay_json_refer(&r->records[k].at[i], found);
            for (unsigned n = 0; n < count; n++)
                assay_json_refer_check(&found[n], (uint32_t)r->records[ASSAY_JSON_MODULE].len, r->d.files, r->d.functions, &r->damage);
        }
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    snprintf(version, sizeof version, "%d", ASSAY_JSON_VERSION);
    assay_build_source(r->b, "assay-json", version, c_text(r, (assay_str_id){ r->d.producer }));
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

static int build(struct reader *r)
{
    if (!names(r)) return error_memory(r->err);
    facts(r);
    for (int k = ASSAY_JSON_CALLED; k < ASSAY_JSON_METRIC; k++) EACH(r, k, i) build_row(r, &r->records[k].at[i]);
    finish(r);
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    return assay_builder_failed(r->b);
}

int assay_json_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->err = err;
    findings_init(&r->damage, job->mem);
    r->d = (struct assay_json_decoder){ .take = take, .arg = r, .damage = &r->damage };
    int rc = assay_json_decode(&r->d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) rc = build(r);
    assay_json_done(&r->d);
    for (int k = 0; k < ASSAY_JSON_KINDS; k++) vec_done(job->mem, &r->records[k]);
    vec_done(job->mem, &r->strings);
    vec_done(job->mem, &r->modules);
    vec_done(job->mem, &r->files);
    vec_done(job->mem, &r->functions);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}
