/* Tables and threads -> tree. A thread is a stream; a metric for each kind of weight. */
#include "formats/firefox-profile/read.h"

#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"

/* ---- metrics ---- */

static double interval_ns(const struct firefox *f)
{
    double ms = 0;
    for (size_t i = 0; i < f->meta.len; i += 2)
        if (slice_is(intern_get(&f->names, f->meta.at[i]), "interval")) number_double(intern_get(&f->names, f->meta.at[i + 1]), &ms);
    return ms > 0 && ms < 1e9 ? ms * 1e6 : 0;
}

static void declare_metrics(struct firefox_reader *r)
{
    static const struct {
        const char *name, *unit;
    } of[FIREFOX_METRICS] = {
        { "samples", "count" }, { "tracing-ms", "milliseconds" }, { "bytes", "bytes" }, { "js-allocations", "bytes" }, { "native-allocations", "bytes" }
    };
    bool has[FIREFOX_METRICS] = { false };
    unsigned place = 0;
    for (size_t i = 0; i < r->f->threads.len; i++)
        for (unsigned k = 0; k < 3; k++) {
            const struct firefox_samples *s = &r->f->threads.at[i].samples[k];
            has[s->metric] |= firefox_is_sound(r->f, &r->f->threads.at[i]) && s->is_sound && (k == 0 || s->length);
        }
    for (unsigned m = 0; m < FIREFOX_METRICS; m++) {
        bool is_real = m == FIREFOX_BY_TIME || r->f->has_fraction[m];
        if (!has[m]) continue;
        r->metric[m] = assay_build_metric(r->b, of[m].name, of[m].unit, is_real ? ASSAY_F64 : ASSAY_I64,
                                          ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | (m < FIREFOX_BY_JS ? ASSAY_SHAPE_TIMELINE : 0));
        r->scope[m] = assay_build_scope(r->b, r->metric[m], ASSAY_SCOPE_POINT, NULL, 0);
        r->place[m] = place++;
        if (place == 1) assay_build_metric_default(r->b, r->metric[m]);
        if (m == FIREFOX_BY_SAMPLES && interval_ns(r->f) > 0) assay_build_metric_period(r->b, r->metric[m], (int64_t)interval_ns(r->f), "wall", "nanoseconds");
    }
}

/* ---- streams ---- */

static void attribute(struct firefox_reader *r, assay_stream_id stream, const char *key, uint32_t value)
{
    assay_slice text = intern_get(&r->f->names, value);
    if (text.len) assay_build_attribute(r->b, stream, key, strlen(key), text.data, text.len);
}

static void build_stream(struct firefox_reader *r, size_t i)
{
    const struct firefox_thread *t = &r->f->threads.at[i];
    uint64_t id;
    assay_slice name = intern_get(&r->f->names, t->name), pid = intern_get(&r->f->names, t->pid);
    bool is_number = number_u64(pid, &id) == NUMBER_OK;
    r->streams[i] = assay_build_stream(r->b, name.data ? name.data : "");
    if (is_number) assay_build_tuple(r->b, "PROCESS", id, id, 0);
    if (number_u64(intern_get(&r->f->names, t->tid), &id) == NUMBER_OK) assay_build_tuple(r->b, "THREAD", id, id, 0);
    if (!is_number) attribute(r, r->streams[i], "pid", t->pid);
    attribute(r, r->streams[i], "processName", t->process_name);
    attribute(r, r->streams[i], "processType", t->process_type);
    if (t->is_main) assay_build_attribute(r->b, r->streams[i], "isMainThread", 12, "true", 4);
}

/* ---- values ---- */

static int build_values(struct firefox_reader *r, size_t i, const struct firefox_samples *s)
{
    uint32_t tables = r->f->threads.at[i].tables;
    bool is_real = s->metric == FIREFOX_BY_TIME || r->f->has_fraction[s->metric];
    for (size_t c = s->cells; s->is_sound && c < s->cells_end; c++) {
        const struct firefox_cell *cell = &r->f->cells.at[c];
        assay_node_id node = firefox_leaf(r, tables, cell->row);
        double all = cell->sum + cell->rest;
        TRY(cancel_step(c, r->err));
        if (is_real) {
            assay_build_value(r->b, r->streams[i], node, r->scope[s->metric], (assay_value){ .d = cell->sum });
            if (cell->rest != 0) assay_build_value(r->b, r->streams[i], node, r->scope[s->metric], (assay_value){ .d = cell->rest });
        } else
            assay_build_value(r->b, r->streams[i], node, r->scope[s->metric],
                              (assay_value){ .i = fabs(all) < 9e18 ? (int64_t)cell->sum + (int64_t)cell->rest
                                                  : all < 0        ? INT64_MIN
                                                                   : INT64_MAX });
    }
    return assay_builder_failed(r->b);
}

static int build_threads(struct firefox_reader *r)
{
    uint64_t streams = 0, samples = 0, markers = 0;
    for (size_t i = 0; i < r->f->threads.len; i++) {
        const struct firefox_thread *t = &r->f->threads.at[i];
        if (!firefox_is_sound(r->f, t)) continue;
        build_stream(r, i);
        for (unsigned k = 0; k < 3 && !r->has_sums; k++) TRY(build_values(r, i, &t->samples[k]));
        streams++;
        samples += t->samples[0].length;
        markers += t->has_markers ? t->marker_count : 0;
    }
    assay_build_count(r->b, "streams", streams);
    assay_build_count(r->b, "samples", samples);
    assay_build_count(r->b, "markers", markers);
    return assay_builder_failed(r->b);
}

/* ---- all of it ---- */

static void build_facts(struct firefox_reader *r)
{
    const struct firefox *f = r->f;
    const char *product = "";
    char version[24];
    uint64_t rows = 0;
    for (size_t i = 0; i < f->meta.len; i += 2) {
        assay_slice key = intern_get(&f->names, f->meta.at[i]);
        attribute(r, (assay_stream_id){ 0 }, key.data, f->meta.at[i + 1]);
        if (slice_is(key, "product")) product = intern_get(&f->names, f->meta.at[i + 1]).data;
    }
    for (size_t i = 0; i < f->tables.len; i++) rows += f->tables.at[i].length[FIREFOX_STACKS];
    number_put_u64(version, f->version);
    assay_build_source(r->b, "firefox-profile", version, product);
    assay_build_offers(r->b, ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    assay_build_count(r->b, "functions", r->functions);
    assay_build_count(r->b, "stack_rows", rows);
    assay_build_count(r->b, "counters", f->counters.len);
    if (assay_builder_want(r->b) & ASSAY_WANT_COUNTS) assay_build_count(r->b, "contexts", kids_len(&r->paths) ? kids_len(&r->paths) - 1 : 0);
}

static int build(struct firefox_reader *r)
{
    declare_metrics(r);
    r->has_sums = firefox_sums_will_do(r);
    if (!r->has_sums) assay_builder_has_tree(r->b);
    if (!r->has_sums) TRY(firefox_build_contexts(r));
    TRY(build_threads(r));
    if (r->has_sums) TRY(firefox_build_sums(r));
    if (assay_builder_want(r->b) & ASSAY_WANT_TIMELINE) {
        TRY(firefox_build_times(r));
        TRY(firefox_build_markers(r));
        TRY(firefox_build_counters(r));
    }
    build_facts(r);
    return assay_builder_failed(r->b);
}

static int read_tables(const struct read_job *job, struct firefox *f, assay_builder *b, assay_error *err)
{
    SCRATCH(struct firefox_made, made, job->mem, f->tables.len + 1);
    SCRATCH(assay_stream_id, streams, job->mem, f->threads.len + 1);
    if (!made || !streams) return error_memory(err);
    struct firefox_reader r = { .b = b, .f = f, .mem = job->mem, .err = err, .made = made, .streams = streams };
    kids_init(&r.paths, job->mem);
    int rc = build(&r);
    for (size_t i = 0; i < f->tables.len; i++) vec_done(job->mem, &made[i].nodes, &made[i].leaves);
    kids_done(&r.paths);
    return rc;
}

/* A thread whose samples or tables have an error is left out. */
int firefox_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    SCOPED(firefox_done) struct firefox f = { .mem = job->mem };
    findings_init(&damage, job->mem);
    TRY(firefox_collect(&f, job, assay_builder_want(b) & ASSAY_WANT_TIMELINE, &damage, err));
    bool is_any_sound = false;
    for (size_t i = 0; i < f.threads.len; i++) is_any_sound |= firefox_is_sound(&f, &f.threads.at[i]);
    if (damage.errors && (job->options->strict || !is_any_sound)) return findings_refuse(&damage, err);
    TRY(read_tables(job, &f, b, err));
    for (size_t i = 0; i < damage.list.len; i++) assay_build_warning(b, &damage.list.at[i]);
    return 0;
}
