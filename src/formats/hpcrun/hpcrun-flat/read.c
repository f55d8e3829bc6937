/* Flat histogram files: records -> a tree of one entry with a leaf for each place, and what is wrong with the file. */
#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/hpcrun/funcs.h"
#include "formats/hpcrun/hpcrun-flat/decode.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/modules.h"

struct flat_reader {
    const struct read_job *job;
    assay_builder *b;
    struct hpcflat_decoder d;
    struct hpcrun_funcs funcs;
    struct hpcrun_modules modules; /* only the newest */
    assay_node_id entry;
    assay_module_id module;
    assay_scope_id scope;
    uint64_t period;
    uint64_t module_count, metrics, values, saturated;
};

/* ---- reading ---- */

static int declare(struct flat_reader *r, const struct hpcflat_event *e, assay_error *err)
{
    SCOPED(arena_done) struct arena text;
    arena_init(&text, r->job->mem);
    const char *name = arena_copy(&text, e->name.text), *unit = arena_copy(&text, hpcrun_unit(e->name.text));
    const char *description = arena_copy(&text, e->description.text);
    if (!name || !unit || !description) return error_memory(err);
    assay_metric_id m = assay_build_metric(r->b, name, unit, ASSAY_U64, ASSAY_SHAPE_TREE);
    r->scope = assay_build_scope(r->b, m, ASSAY_SCOPE_POINT, NULL, 0);
    if (m.v > r->metrics) {
        char key[256], value[48];
        r->metrics = m.v;
        assay_build_metric_text(r->b, m, description, NULL, false);
        int len = snprintf(key, sizeof key, "metric.%.200s.period", name);
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, (size_t)len, value, number_put_u64(value, e->period));
    }
    r->period = e->period;
    return 0;
}

static int read_module(struct flat_reader *r, const struct hpcflat_module *m, assay_error *err)
{
    hpcrun_modules_clear(&r->modules);
    struct hpcrun_lm *lm = hpcrun_modules_add(&r->modules, &(struct hpcrun_module){ .name = m->path }, HPCRUN_UNKNOWN);
    if (!lm) return error_memory(err);
    r->module = assay_build_module(r->b, assay_build_string(r->b, m->path.text.data, m->path.text.len), (assay_str_id){ 0 });
    r->module_count++;
    return assay_builder_failed(r->b);
}

static int read_bucket(struct flat_reader *r, const struct hpcflat_bucket *k, assay_error *err)
{
    assay_value v;
    if (__builtin_mul_overflow(k->count, r->period, &v.u)) {
        v.u = UINT64_MAX;
        r->saturated++;
    }
    if (!r->entry.v) {
        assay_func_id root = hpcrun_func_root(&r->funcs, 1);
        r->entry = assay_build_node_new(r->b, &(struct assay_node){ .kind = ASSAY_NODE_ENTRY, .func = root });
    }
    struct assay_node leaf = { .parent = r->entry, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .flags = ASSAY_NODE_CALL_UNKNOWN };
    leaf.func = hpcrun_func_in(&r->funcs, r->module, r->modules.list.at[0].base, k->offset);
    if (r->funcs.failed) return error_memory(err);
    assay_build_value(r->b, (assay_stream_id){ 0 }, assay_build_node(r->b, &leaf), r->scope, v);
    r->values += v.u != 0;
    return assay_builder_failed(r->b);
}

/* The model wants all metrics before the first value, so the events come first. */
static int read_events(struct flat_reader *r, assay_slice bytes, assay_error *err)
{
    struct hpcflat_record rec;
    hpcflat_decoder_init(&r->d, bytes);
    while (hpcflat_next(&r->d, &rec)) {
        if (rec.kind == HPCFLAT_RECORD_DAMAGE && rec.damage.is_fatal) return hpcrun_fail(&rec.damage, rec.off, err);
        if (rec.kind == HPCFLAT_RECORD_EVENT) TRY(declare(r, &rec.event, err));
    }
    return assay_builder_failed(r->b);
}

static int read_all(struct flat_reader *r, const struct hpcrun_source *source, assay_error *err)
{
    struct hpcflat_record rec;
    TRY(read_events(r, source->bytes, err));
    hpcflat_decoder_init(&r->d, source->bytes);
    while (hpcflat_next(&r->d, &rec)) {
        if (rec.kind == HPCFLAT_RECORD_MODULE) TRY(read_module(r, &rec.module, err));
        if (rec.kind == HPCFLAT_RECORD_EVENT) TRY(declare(r, &rec.event, err));
        if (rec.kind == HPCFLAT_RECORD_BUCKET) TRY(read_bucket(r, &rec.bucket, err));
        if (rec.kind == HPCFLAT_RECORD_DAMAGE) hpcrun_warn(r->b, rec.damage.rule, rec.damage.severity, rec.off, "%s", rec.damage.message);
    }
    assay_build_count(r->b, "modules", r->module_count);
    assay_build_count(r->b, "metrics", r->metrics);
    assay_build_count(r->b, "values", r->values);
    if (r->saturated)
        hpcrun_warn(r->b, "HRW10", ASSAY_WARNING, FINDING_NO_OFFSET, "%" PRIu64 " value%s capped: multiplied by the period, more than 2^64 - 1", r->saturated,
                    plural_is(r->saturated));
    hpcrun_warn_cut(r->b, source);
    assay_build_source(r->b, "hpcrun-flat", "01.00l", "hpcrun-flat");
    assay_build_offers(r->b, ASSAY_SHAPE_TREE);
    return assay_builder_failed(r->b);
}

int hpcrun_flat_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct flat_reader r = { .job = job, .b = b };
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    if (job->options->strict) TRY(hpcrun_refuse_damage(hpcrun_flat_check_source, &source, job->mem, err));
    hpcrun_funcs_init(&r.funcs, job->mem, b);
    hpcrun_modules_init(&r.modules, job->mem);
    int rc = read_all(&r, &source, err);
    hpcrun_modules_done(&r.modules);
    hpcrun_funcs_done(&r.funcs);
    return rc;
}

/* ---- checking ---- */

static void check_str(struct findings *out, const struct hpcrun_str *s, const char *what)
{
    if (s->text.len == 0) findings_add(out, "HRW01", ASSAY_WARNING, s->off, 0, "the %s is empty", what);
}

int hpcrun_flat_check_source(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err)
{
    struct hpcflat_decoder d;
    struct hpcflat_record r;
    (void)mem;
    hpcflat_decoder_init(&d, source->bytes);
    while (hpcflat_next(&d, &r)) {
        if (r.kind == HPCFLAT_RECORD_MODULE) check_str(out, &r.module.path, "path of a module");
        if (r.kind == HPCFLAT_RECORD_EVENT) {
            check_str(out, &r.event.name, "name of an event");
            if (r.event.period == 0) findings_add(out, "HRW13", ASSAY_WARNING, r.off, 0, "an event has the period 0: all its costs become 0");
        }
        if (r.kind == HPCFLAT_RECORD_BUCKET && r.bucket.count == 0) findings_add(out, "HRW06", ASSAY_WARNING, r.off, 0, "a bucket with the count 0");
        if (r.kind == HPCFLAT_RECORD_DAMAGE) findings_add(out, r.damage.rule, r.damage.severity, r.off, 0, "%s", r.damage.message);
    }
    if (source->is_cut) findings_add(out, "HRC21", ASSAY_ERROR, source->bytes.len, 0, "the compressed input is damaged here");
    return out->failed ? error_memory(err) : 0;
}

int hpcrun_flat_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    return hpcrun_flat_check_source(&source, job->mem, out, err);
}
