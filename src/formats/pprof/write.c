/* A tree -> pprof: a sample for each context that has a cost, or for each context and set of labels. Functions, locations and strings are numbered in the
 * order of their first use, so that the same profile gives the same bytes. */
#include "formats/pprof/write.h"
#include "analysis/core/metric_choice.h"
#include "base/error.h"
#include "base/number.h"
#include "formats/pprof/decode.h"
#include "formats/pprof/encode.h"
#include "formats/stacks/stacks.h"
#include "model/entry.h"

/* ---- the head ---- */

static void put_type(struct pprof_writer *w, uint32_t field, const char *type, const char *unit)
{
    proto_put_number(&w->message, 1, pprof_string(w, slice_of(type)));
    proto_put_number(&w->message, 2, pprof_string(w, slice_of(unit)));
    proto_put_message(&w->head, field, &w->message);
}

static void put_types(struct pprof_writer *w)
{
    const struct assay_metrics *t = assay_profile_metrics(w->p);
    for (size_t k = 0; k < w->located.metrics.len; k++)
        put_type(w, PPROF_SAMPLE_TYPE, assay_profile_string(w->p, t->name[w->located.metrics.at[k].id.v]).data, w->located.metrics.at[k].unit);
}

static void put_attribute(struct pprof_writer *w, assay_slice key, assay_slice value)
{
    static const uint8_t texts[] = { PPROF_DROP_FRAMES, PPROF_KEEP_FRAMES, PPROF_COMMENT, PPROF_DOC_URL };
    static const uint8_t numbers[] = { PPROF_TIME_NANOS, PPROF_DURATION_NANOS };
    int64_t number;
    for (size_t i = 0; i < sizeof texts; i++)
        if (slice_is(key, pprof_field_name(texts[i]))) proto_put_number(&w->tail, texts[i], pprof_string(w, value));
    for (size_t i = 0; i < sizeof numbers; i++)
        if (slice_is(key, pprof_field_name(numbers[i])) && number_i64(value, &number) == NUMBER_OK) proto_put_number(&w->tail, numbers[i], (uint64_t)number);
}

/* Scalars, after the tables as Go writes them. */
static void put_facts(struct pprof_writer *w)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    const struct assay_metrics *t = assay_profile_metrics(w->p);
    assay_metric_id best = metric_default(&(struct metric_set){ .profile = w->p, .shapes = ASSAY_SHAPE_TREE });
    for (uint32_t i = 0; i < a->count; i++)
        if (!ID(a->stream, i)) put_attribute(w, assay_profile_string(w->p, a->key[i]), assay_profile_string(w->p, a->value[i]));
    uint32_t of = best.v ? best.v : w->located.metrics.len ? w->located.metrics.at[0].id.v : 0;
    const char *type = assay_profile_string(w->p, (assay_str_id){ ID(t->period_type, of) }).data;
    const char *unit = assay_profile_string(w->p, (assay_str_id){ ID(t->period_unit, of) }).data;
    if (type || unit) {
        proto_put_number(&w->message, 1, pprof_string(w, slice_of(type ? type : "")));
        proto_put_number(&w->message, 2, pprof_string(w, slice_of(unit ? unit : "")));
        proto_put_message(&w->tail, PPROF_PERIOD_TYPE, &w->message);
    }
    if (AT(t->period, of)) proto_put_number(&w->tail, PPROF_PERIOD, (uint64_t)t->period[of]);
    if (best.v) proto_put_number(&w->tail, PPROF_DEFAULT_SAMPLE_TYPE, pprof_string(w, assay_profile_string(w->p, t->name[best.v])));
}

static void note_losses(struct pprof_writer *w, struct losses *l)
{
    uint32_t streams = assay_profile_streams(w->p)->count;
    if (streams > 1) losses_add(l, "streams", streams, "%u streams are added up", streams);
    located_note_losses(&w->located, l);
}

/* ---- all of it ---- */

static int fill(struct pprof_writer *w, assay_error *err)
{
    TRY(located_init(&w->located, w->p, w->mem, err));
    pprof_string(w, SLICE(""));
    put_types(w);
    TRY(located_each(&w->located, pprof_put_sample, w, err));
    TRY(pprof_put_tables(w, err));
    put_facts(w);
    return w->failed ? error_memory(err) : 0;
}

static int write_tree(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct pprof_writer w = { .p = p, .mem = job->mem };
    pprof_writer_init(&w);
    int rc = fill(&w, err);
    if (rc == 0) note_losses(&w, job->losses);
    if (rc == 0) rc = losses_settle(job, err);
    if (rc == 0) rc = pprof_put_all(&w, out, err);
    pprof_writer_done(&w);
    return rc;
}

int pprof_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return located_write(p, job, out, "pprof", write_tree, err);
}
