/* hpcrun -> hpcrun and hpctrace -> hpctrace, record by record: a sound file of the same version comes out byte for byte, an unfinished one of
 * 04.00 is repaired, another version gets all that it can hold. */
#include <inttypes.h>

#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/hpcrun/write/plan.h"

const char *const hpcrun_versions[] = { "04.00", "02.00", NULL };
const char *const hpctrace_versions[] = { "01.01", NULL };

int hpcrun_image_write(struct hpcrun_image *m, const struct write_job *job, struct output *out, assay_error *err)
{
    bool is_sparse = job->version[1] == '4';
    if (m->damaged) losses_add(job->losses, "damaged", m->damaged, "%" PRIu64 " damaged place%s repaired or left out", m->damaged, plural_is(m->damaged));
    TRY(is_sparse ? hpcrun_to_sparse(m, job->losses, err) : hpcrun_to_literal(m, job->losses, err));
    TRY(losses_settle(job, err));
    return is_sparse ? hpcrun_encode_sparse(m, out, err) : hpcrun_encode_literal(m, out, err);
}

int hpcrun_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    SCOPED(hpcrun_image_done) struct hpcrun_image image = { 0 };
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    if (job->options->strict) TRY(hpcrun_refuse_damage(hpcrun_check_source, &source, job->mem, err));
    hpcrun_image_init(&image, write->mem);
    TRY(hpcrun_image_load(&image, source.bytes, err));
    image.damaged += source.is_cut;
    return hpcrun_image_write(&image, write, out, err);
}

/* ---- traces ---- */

static int scan_trace(struct hpctrace_decoder *d, const struct hpcrun_source *source, uint64_t *damaged, assay_error *err)
{
    struct hpctrace_record r;
    hpctrace_decoder_init(d, source->bytes);
    (void)hpctrace_next(d, &r);
    *damaged = source->is_cut;
    while (d->pending_next < d->pending_count && hpctrace_next(d, &r)) {
        if (r.damage.is_fatal) return hpcrun_fail(&r.damage, r.off, err);
        *damaged += r.damage.severity == ASSAY_ERROR;
    }
    return 0;
}

int hpctrace_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    struct hpctrace_decoder d;
    struct hpctrace_sample s;
    struct hpcrun_source source;
    uint64_t damaged;
    TRY(hpcrun_map(job, &source, err));
    if (job->options->strict) TRY(hpcrun_refuse_damage(hpctrace_check_source, &source, job->mem, err));
    TRY(scan_trace(&d, &source, &damaged, err));
    if (damaged) losses_add(write->losses, "damaged", damaged, "the trace is damaged: whole samples are written, nothing else");
    TRY(losses_settle(write, err));
    hpctrace_put_head(out, d.head.flags);
    for (uint64_t i = 0; i < d.head.count && !output_failed(out); i++) {
        hpctrace_sample_at(&d, i, &s);
        hpctrace_put_sample(out, d.head.flags, s.raw_time, s.node, s.metric);
    }
    return 0;
}

/* ---- traces from a timeline ---- */

/* The stream that has events; UINT32_MAX = none. */
static uint32_t first_stream(const struct assay_timeline *line, uint64_t *others)
{
    uint32_t found = UINT32_MAX;
    *others = 0;
    for (uint32_t i = 0; i <= line->stream_count; i++) {
        if (line->begin[i] == line->begin[i + 1]) continue;
        if (found != UINT32_MAX) (*others)++;
        if (found == UINT32_MAX) found = i;
    }
    return found;
}

int hpctrace_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    const struct assay_timeline *line = assay_profile_timeline(p);
    const struct assay_tree *tree = assay_profile_tree(p);
    uint64_t others, early = 0;
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_TIMELINE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "a trace is a timeline, which this profile does not have");
    uint32_t stream = first_stream(line, &others);
    uint64_t begin = stream == UINT32_MAX ? 0 : line->begin[stream], end = stream == UINT32_MAX ? 0 : line->begin[stream + 1];
    assay_slice flags = hpcrun_plan_attribute(p, "flags");
    uint64_t bits = 0;
    bool is_own = slice_is(slice_of(assay_profile_format(p)), "hpctrace");
    if (is_own) (void)number_u64(flags, &bits);
    bits &= HPCTRACE_CALL; /* metric ids and distances are not in the model */
    for (uint64_t i = begin; i < end; i++) early += line->time[i] < 0;
    if (others) losses_add(job->losses, "streams", others, "a trace is one thread: %" PRIu64 " other stream%s left out", others, plural_is(others));
    if (early) losses_add(job->losses, "times", early, "%" PRIu64 " time%s before 1970 set to 0", early, plural(early));
    if (!is_own) losses_add(job->losses, "tree", tree->count, "a trace has numbers of contexts only: write the profile next to it");
    if (stream != UINT32_MAX && line->is_spans && line->is_spans[stream])
        losses_add(job->losses, "spans", end - begin, "a trace has samples: the ends of spans are left out");
    TRY(losses_settle(job, err));
    hpctrace_put_head(out, bits);
    for (uint64_t i = begin; i < end; i++) {
        uint32_t node = line->node ? line->node[i].v : 0;
        hpctrace_put_sample(out, bits, line->time[i] < 0 ? 0 : (uint64_t)line->time[i], node && tree->origin ? (uint32_t)tree->origin[node] : node, 0);
    }
    return 0;
}
