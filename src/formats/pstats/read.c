/* Records -> call graph. Totals of functions are the file's own: the interpreter counted recursion once. */
#include "base/cancel.h"
#include "base/error.h"
#include "formats/pstats/pstats.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct pstats_decoder d;
    assay_func_id callee;
    VEC(struct assay_place) funcs; /* by key: function and file */
    uint64_t total_calls, primitive_calls;
    bool failed; /* no memory */
};

/* `~` is how pstats writes that there is no file, because the code is not Python's. */
static struct assay_place make_function(struct reader *r, const struct pstats_record *rec)
{
    assay_file_id file = { 0 };
    if (rec->file.len) file = assay_build_file(r->b, assay_build_string(r->b, rec->file.data, rec->file.len), (assay_module_id){ 0 });
    assay_func_id f = assay_build_func(r->b, assay_build_string(r->b, rec->name.data, rec->name.len), file, (assay_module_id){ 0 }, 0, rec->line);
    bool is_built_in = rec->file.len == 1 && rec->file.data[0] == '~';
    assay_build_func_kind(r->b, f, is_built_in ? ASSAY_FUNC_INTERNAL : ASSAY_FUNC_PLAIN, rec->line ? ASSAY_FUNC_BY_PLACE : 0);
    return (struct assay_place){ .func = f, .file = file };
}

/* Keys are numbered in the order in which they come. */
static struct assay_place place_of(struct reader *r, const struct pstats_record *rec)
{
    if (rec->is_known) return r->funcs.at[rec->key - 1];
    struct assay_place made = make_function(r, rec);
    struct assay_place *slot = rec->key > r->funcs.len ? vec_push(r->job->mem, &r->funcs) : NULL;
    if (slot) *slot = made;
    r->failed |= rec->key > r->funcs.len;
    return made;
}

static void add_function(struct reader *r, const struct pstats_record *rec)
{
    assay_value self[2] = { { .d = rec->self }, { .u = rec->primitive } }, total[2] = { { .d = rec->total }, { .u = rec->primitive } };
    struct assay_place at = place_of(r, rec);
    at.line = rec->line;
    r->callee = at.func;
    r->total_calls += rec->calls;
    r->primitive_calls += rec->primitive;
    assay_build_self(r->b, &at, self, 2);
    assay_build_stated(r->b, (assay_stream_id){ 0 }, r->callee, rec->calls, total, 2);
}

static void add_caller(struct reader *r, const struct pstats_record *rec)
{
    assay_value total[2] = { { .d = rec->total }, { .u = rec->primitive } }, self[2] = { { .d = rec->self }, { .u = rec->primitive } };
    struct assay_place site = place_of(r, rec);
    assay_build_call(r->b, &site, r->callee, rec->calls, total, 2);
    if (rec->has_times) assay_build_call_more(r->b, self, NULL, 0);
}

static int add_records(struct reader *r, assay_error *err)
{
    struct pstats_record rec;
    for (uint64_t i = 0;; i++) {
        TRY(cancel_step(i, err));
        TRY(pstats_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (rec.kind == PSTATS_END) return assay_builder_failed(r->b);
        if (rec.kind == PSTATS_FUNCTION)
            add_function(r, &rec);
        else
            add_caller(r, &rec);
        if (r->failed) return error_memory(err);
    }
}

static int read_file(struct reader *r, assay_error *err)
{
    assay_metric_id metrics[2];
    metrics[0] = assay_build_metric(r->b, "time", "seconds", ASSAY_F64, ASSAY_SHAPE_GRAPH);
    metrics[1] = assay_build_metric(r->b, "primitive_calls", "count", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    assay_build_graph_metrics(r->b, metrics, 2);
    assay_build_nesting_known(r->b); /* every function states its total, with recursion counted once */
    assay_build_pairs(r->b, false);
    TRY(pstats_decoder_init(&r->d, r->job, &r->damage, err));
    r->d.skips_known = true;
    TRY(add_records(r, err));
    if (!r->d.functions && r->damage.errors) return findings_refuse(&r->damage, err);
    assay_build_source(r->b, "pstats", pstats_version(&r->d), "");
    assay_build_count(r->b, "functions", r->d.functions);
    assay_build_count(r->b, "calls", r->d.callers);
    assay_build_count(r->b, "total_calls", r->total_calls);
    assay_build_count(r->b, "primitive_calls", r->primitive_calls);
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    return 0;
}

int pstats_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b };
    findings_init(&r.damage, job->mem);
    int rc = read_file(&r, err);
    pstats_decoder_done(&r.d);
    vec_done(job->mem, &r.funcs);
    findings_done(&r.damage);
    return rc;
}
