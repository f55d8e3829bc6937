/* hpcrun -> hpcrun and hpctrace -> hpctrace, record by record: a sound file of the same version comes out byte for byte, an unfinished one of
 * 04.00 is repaired, another version gets all that it can hold. */
#include <inttypes.h>

#include "formats/hpcrun/write.h"

const char *const hpcrun_versions[] = { "04.00", "02.00", NULL };
const char *const hpctrace_versions[] = { "01.01", NULL };

/* The registry asks formats for losses before it writes, but rewriting is one call. */
static int refuse_losses(const struct write_job *write, const char *format, assay_error *err)
{
    const struct losses *l = write->losses;
    if (l->failed) return error_memory(err);
    if (!write->options->strict || !l->list.len) return 0;
    return error_set(err, ASSAY_ERR_LOSS, "%s %s cannot hold everything: %s", format, write->version, l->list.at[0].message);
}

int hpcrun_image_write(struct hpcrun_image *m, const struct write_job *job, struct output *out, assay_error *err)
{
    struct losses again; /* the second call of a writer names them once more */
    bool is_sparse = job->version[1] == '4';
    losses_init(&again, m->mem);
    struct losses *losses = out && job->losses->list.len ? &again : job->losses;
    if (m->damaged) losses_add(losses, "damaged", m->damaged, "%" PRIu64 " damaged places are mended or left out", m->damaged);
    int rc = is_sparse ? hpcrun_to_sparse(m, losses, err) : hpcrun_to_literal(m, losses, err);
    losses_done(&again);
    TRY(rc);
    TRY(refuse_losses(job, "hpcrun", err));
    if (!out) return 0;
    return is_sparse ? hpcrun_encode_sparse(m, out, err) : hpcrun_encode_literal(m, out, err);
}

int hpcrun_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    struct hpcrun_image image;
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    if (job->options->strict) TRY(hpcrun_refuse_damage(hpcrun_check_source, &source, job->mem, err));
    hpcrun_image_init(&image, write->mem);
    int rc = hpcrun_image_load(&image, source.bytes, err);
    image.damaged += source.is_cut;
    if (rc == 0) rc = hpcrun_image_write(&image, write, out, err);
    hpcrun_image_done(&image);
    return rc;
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
    TRY(refuse_losses(write, "hpctrace", err));
    if (!out) return 0;
    hpctrace_put_head(out, d.head.flags);
    for (uint64_t i = 0; i < d.head.count && !output_failed(out); i++) {
        hpctrace_sample_at(&d, i, &s);
        hpctrace_put_sample(out, d.head.flags, s.raw_time, s.node, s.metric);
    }
    return 0;
}
