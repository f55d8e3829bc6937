/* Records of an hpcrun profile -> a profile of the model. Two passes: the metric tables, because all metrics must be there before the
 * first value, and then everything. See docs/model.md, 3.3, for where each figure goes. */
#include "formats/hpcrun/read.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "base/plural.h"

static void put_attribute(struct hpcrun_reader *r, assay_stream_id stream, const char *key, uint64_t value)
{
    char text[48];
    size_t len = number_put_u64(text, value);
    assay_build_attribute(r->b, stream, key, strlen(key), text, len);
}

/* ---- header and epochs ---- */

static void read_pair(struct hpcrun_reader *r, const struct hpcrun_pair *p)
{
    assay_slice name = p->name.text, value = p->value.text;
    assay_build_attribute(r->b, p->is_epoch ? r->stream : (assay_stream_id){ 0 }, name.data, name.len, value.data, value.len);
    if (p->is_epoch) return;
    if (!r->rank.data && slice_is(name, "mpi-rank")) r->rank = value;
    if (!r->thread.data && slice_is(name, "thread-id")) r->thread = value;
    if (slice_is(name, "assay-placeholders") && slice_is(value, "1")) r->has_placeholders = true;
}

static void read_epoch(struct hpcrun_reader *r, const struct hpcrun_epoch *e)
{
    char label[32];
    if (r->has_many_epochs) {
        snprintf(label, sizeof label, "epoch %" PRIu32, e->index);
        r->stream = assay_build_stream(r->b, label);
        assay_build_tuple(r->b, "EPOCH", e->index, e->index, 0);
    }
    put_attribute(r, r->stream, "epoch.flags", e->flags);
    put_attribute(r, r->stream, "epoch.granularity", e->granularity);
    put_attribute(r, r->stream, "epoch.ra-distance", e->ra_distance);
}

static int read_module(struct hpcrun_reader *r, const struct hpcrun_record *rec, assay_error *err)
{
    const struct hpcrun_module *m = &rec->module;
    struct hpcrun_lm *lm = hpcrun_modules_add(&r->modules, m, r->d.file.variant);
    if (!lm) return error_memory(err);
    lm->owned = assay_build_module(r->b, assay_build_string(r->b, m->name.text.data, m->name.text.len), (assay_str_id){ 0 }).v;
    r->n.modules++;
    return assay_builder_failed(r->b);
}

static int read_metric(struct hpcrun_reader *r, const struct hpcrun_record *rec, assay_error *err)
{
    const struct hpcrun_metric *m = &rec->metric;
    if (!hpcrun_metrics_row(&r->metrics, m)) return error_memory(err);
    if ((m->value_format < 1 || m->value_format > 2) && !m->formula.text.len)
        hpcrun_warn(r->b, "HRC18", ASSAY_ERROR, m->flags_off, "metric %" PRIu32 " has the value format %u, neither integer (1) nor real (2): read as integer",
                    m->index, m->value_format);
    return 0;
}

/* ---- who was measured ---- */

static int read_kind(struct hpcrun_reader *r, const struct hpcrun_id_kind *k, assay_error *err)
{
    struct hpcrun_kind_name *row = vec_push(r->job->mem, &r->kinds);
    if (!row) return error_memory(err);
    *row = (struct hpcrun_kind_name){ k->kind, false, k->name.text };
    while (r->kind_at.len <= k->kind) {
        uint32_t *at = vec_push(r->job->mem, &r->kind_at);
        if (!at) return error_memory(err);
        *at = 0;
    }
    if (!r->kind_at.at[k->kind]) r->kind_at.at[k->kind] = (uint32_t)r->kinds.len;
    return 0;
}

static void begin_tuple(struct hpcrun_reader *r)
{
    char label[96];
    snprintf(label, sizeof label, "rank %.*s thread %.*s", r->rank.len < 32 ? (int)r->rank.len : 32, r->rank.data ? r->rank.data : "",
             r->thread.len < 32 ? (int)r->thread.len : 32, r->thread.data ? r->thread.data : "");
    r->stream = assay_build_stream(r->b, label);
}

static void read_tuple(struct hpcrun_reader *r, const struct hpcrun_record *rec)
{
    const struct hpcrun_tuple *t = &rec->tuple;
    uint16_t kind = hpcrun_tuple_kind(t->word);
    char name[64];
    snprintf(name, sizeof name, "%u", kind);
    if (kind < r->kind_at.len && r->kind_at.at[kind]) {
        struct hpcrun_kind_name *k = &r->kinds.at[r->kind_at.at[kind] - 1];
        snprintf(name, sizeof name, "%.*s", k->name.len < sizeof name ? (int)k->name.len : (int)sizeof name - 1, k->name.data ? k->name.data : "");
        k->is_used = true;
    }
    assay_build_tuple(r->b, name, t->logical, t->physical, hpcrun_tuple_reading(t->word));
}

static void put_kinds(struct hpcrun_reader *r)
{
    char key[32];
    for (size_t i = 0; i < r->kinds.len; i++) {
        const struct hpcrun_kind_name *k = &r->kinds.at[i];
        if (k->is_used) continue;
        int len = snprintf(key, sizeof key, "id-kind.%u", k->kind);
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, (size_t)len, k->name.data, k->name.len);
    }
}

/* ---- everything ---- */

static int read_list(struct hpcrun_reader *r, const struct hpcrun_record *rec, assay_error *err)
{
    const struct hpcrun_list *l = &rec->list;
    switch (l->id) {
    case HPCRUN_LIST_METRICS: hpcrun_metrics_begin(&r->metrics); return 0;
    case HPCRUN_LIST_MODULES: hpcrun_modules_clear(&r->modules); return 0;
    case HPCRUN_LIST_TUPLE: begin_tuple(r); return 0;
    case HPCRUN_LIST_NODES: return hpcrun_read_nodes(r, &l->span, err);
    case HPCRUN_LIST_VALUES: r->values = l->span; return 0;
    case HPCRUN_LIST_INDEX: return hpcrun_read_values(r, &l->span, err);
    default: return 0;
    }
}

static int read_damage(struct hpcrun_reader *r, const struct hpcrun_record *rec, assay_error *err)
{
    if (rec->damage.is_fatal) return hpcrun_fail(&rec->damage, rec->off, err);
    hpcrun_warn(r->b, rec->damage.rule, rec->damage.severity, rec->off, "%s", rec->damage.message);
    return 0;
}

static int read_record(struct hpcrun_reader *r, const struct hpcrun_record *rec, assay_error *err)
{
    switch (rec->kind) {
    case HPCRUN_RECORD_LIST: return read_list(r, rec, err);
    case HPCRUN_RECORD_PAIR: read_pair(r, &rec->pair); return 0;
    case HPCRUN_RECORD_EPOCH: read_epoch(r, &rec->epoch); return assay_builder_failed(r->b);
    case HPCRUN_RECORD_METRIC: return read_metric(r, rec, err);
    case HPCRUN_RECORD_MODULE: return read_module(r, rec, err);
    case HPCRUN_RECORD_KIND: return read_kind(r, &rec->kind_name, err);
    case HPCRUN_RECORD_TUPLE: read_tuple(r, rec); return 0;
    case HPCRUN_RECORD_DAMAGE: return read_damage(r, rec, err);
    default: return 0;
    }
}

static void put_counts(struct hpcrun_reader *r)
{
    bool is_sparse = r->d.file.variant == HPCRUN_04B;
    const struct {
        const char *name;
        uint64_t value;
        bool is_there;
    } counts[] = {
        { "contexts", r->n.contexts, true },
        { "modules", r->n.modules, true },
        { "metrics", r->metrics.declared.len, true },
        { "values", r->n.values, true },
        { "roots", r->n.roots, true },
        { "leaves", r->n.contexts - r->n.parents, true },
        { "depth", r->n.depth, true },
        { "epochs", r->d.epoch_count, !is_sparse },
        { "retained_ids", r->n.retained, true },
        { "negative_ids", r->n.negative, !is_sparse },
        { "not_unwound", r->n.not_unwound, is_sparse },
        { "nonzero_nodes", r->n.nonzero_nodes, is_sparse },
        { "stored_values", r->n.stored_values, is_sparse },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].is_there) assay_build_count(r->b, counts[i].name, counts[i].value);
    put_kinds(r);
    hpcrun_metrics_state(&r->metrics);
    if (r->metrics.saturated)
        hpcrun_warn(r->b, "HRW10", ASSAY_WARNING, FINDING_NO_OFFSET, "%" PRIu64 " value%s capped: multiplied by the period, more than 2^64 - 1",
                    r->metrics.saturated, plural_is(r->metrics.saturated));
    assay_build_source(r->b, "hpcrun", hpcrun_version_name(r->d.file.variant, r->d.file.is_big_endian), "hpcrun");
    assay_build_offers(r->b, ASSAY_SHAPE_TREE);
}

/* How many epochs there are decides whether they are streams. */
static bool has_many_epochs(const struct hpcrun_decoder *d)
{
    struct hpcrun_decoder scan = *d;
    struct hpcrun_record r;
    scan.skip_items = true;
    if (scan.file.variant == HPCRUN_04B) return false;
    while (scan.epoch_count < 2 && hpcrun_next(&scan, &r)) continue;
    return scan.epoch_count > 1;
}

static int read_bytes(struct hpcrun_reader *r, assay_slice bytes, assay_error *err)
{
    struct hpcrun_record rec;
    hpcrun_decoder_init(&r->d, bytes);
    r->d.skip_items = true;
    (void)hpcrun_next(&r->d, &rec);
    r->has_many_epochs = has_many_epochs(&r->d);
    TRY(hpcrun_metrics_note(&r->metrics, &r->d, err));
    TRY(hpcrun_metrics_declare(&r->metrics, &r->d, err));
    while (hpcrun_next(&r->d, &rec)) TRY(read_record(r, &rec, err));
    put_counts(r);
    return assay_builder_failed(r->b);
}

int hpcrun_read_source(const struct read_job *job, const struct hpcrun_source *source, assay_builder *b, assay_error *err)
{
    struct hpcrun_reader r = { .job = job, .b = b };
    if (job->options->strict) TRY(hpcrun_refuse_damage(hpcrun_check_source, source, job->mem, err));
    hpcrun_modules_init(&r.modules, job->mem);
    hpcrun_ids_init(&r.ids, job->mem);
    hpcrun_funcs_init(&r.funcs, job->mem, b);
    hpcrun_metrics_init(&r.metrics, job->mem, b);
    int rc = read_bytes(&r, source->bytes, err);
    if (rc == 0) hpcrun_warn_cut(b, source);
    hpcrun_metrics_done(&r.metrics);
    hpcrun_funcs_done(&r.funcs);
    hpcrun_ids_done(&r.ids);
    hpcrun_modules_done(&r.modules);
    vec_done(job->mem, &r.kinds, &r.kind_at);
    return rc;
}

int hpcrun_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    return hpcrun_read_source(job, &source, b, err);
}
