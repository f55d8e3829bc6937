/* NYTProf -> NYTProf 5.0, record by record: order of events, returns and unknown attributes stay, and an uncompressed file in canonical form
 * comes out as the same bytes. Only the compression changes where it has to. Versions 2.x name no callers and go through the model.
 * A stream that was cut is completed: what its call sites would have said follows from the returns, and each process gets its end. */
#include <inttypes.h>

#include "base/number.h"
#include "base/scoped.h"
#include "formats/nytprof/encode.h"
#include "formats/nytprof/nytprof.h"
#include "formats/nytprof/write.h"

struct open_process {
    uint32_t pid;
    double start;
};

struct rewriter {
    const struct read_job *job;
    const struct write_job *write;
    struct mem *mem;
    struct nytprof_decoder d;
    struct nytprof_encoder e;
    bool packs, in_stream; /* compressed output; the header is over */
    bool was_packed;
    bool has_overhead; /* the attribute that the original writes at the end and reads without looking whether it is there */
    VEC(struct open_process) open;
    double ticks_per_sec, ticks; /* ticks: since the last start */
    uint64_t returns, calls;
    struct nytprof_damage damage; /* rule NULL = none */
    uint64_t damage_off;
};

static bool is_header(const struct nytprof_record *r)
{
    return r->tag == NYTPROF_VERSION || r->tag == NYTPROF_ATTRIBUTE || r->tag == NYTPROF_OPTION || r->tag == NYTPROF_COMMENT || r->tag == NYTPROF_START_DEFLATE;
}

/* ---- header ---- */

/* What the header says of the compression is made true where it changes. */
static void put_header(struct rewriter *w, const struct nytprof_record *r)
{
    bool is_said = !w->in_stream && r->tag == NYTPROF_COMMENT && slice_starts(r->text.text, "Compressed at level ");
    if (is_said) return;
    if (!w->in_stream && r->tag == NYTPROF_OPTION && slice_is(r->text.key, "compress") && w->packs == slice_is(r->text.value, "0"))
        nytprof_encode_line(&w->e, NYTPROF_OPTION, r->text.key, w->packs ? SLICE("6") : SLICE("0"));
    else
        nytprof_encode(&w->e, r);
}

static int begin_stream(struct rewriter *w, assay_error *err)
{
    if (w->in_stream) return 0;
    w->in_stream = true;
    return w->packs ? nytprof_encode_deflate(&w->e, err) : 0;
}

/* ---- records ---- */

static int note_process(struct rewriter *w, const struct nytprof_record *r, assay_error *err)
{
    if (r->tag == NYTPROF_PID_START) {
        struct open_process *p = vec_push(w->mem, &w->open);
        if (!p) return error_memory(err);
        *p = (struct open_process){ r->process.pid, r->process.time };
        w->ticks = 0;
        return 0;
    }
    for (size_t i = w->open.len; i-- > 0;)
        if (w->open.at[i].pid == r->process.pid) {
            w->open.at[i] = w->open.at[--w->open.len];
            break;
        }
    return 0;
}

static int note(struct rewriter *w, const struct nytprof_record *r, assay_error *err)
{
    double v;
    switch (r->tag) {
    case NYTPROF_ATTRIBUTE:
        if (slice_is(r->text.key, "ticks_per_sec") && number_double(r->text.value, &v) == NUMBER_OK) w->ticks_per_sec = v;
        if (slice_is(r->text.key, "cumulative_overhead_ticks")) w->has_overhead = true;
        return 0;
    case NYTPROF_PID_START:
    case NYTPROF_PID_END: return note_process(w, r, err);
    case NYTPROF_TIME_LINE:
    case NYTPROF_TIME_BLOCK: w->ticks += r->time.ticks; return 0;
    case NYTPROF_SUB_RETURN: w->returns++; return 0;
    case NYTPROF_SUB_CALLERS: w->calls += r->call.count; return 0;
    default: return 0;
    }
}

static int take_damage(struct rewriter *w, const struct nytprof_record *r, assay_error *err)
{
    if (r->damage.severity != ASSAY_ERROR) return 0;
    bool is_version = slice_is(slice_of(r->damage.rule), "N02"), is_refused = w->job->options->strict || w->write->options->strict;
    if (is_refused || is_version || slice_is(slice_of(r->damage.rule), "N01"))
        return error_at(err, is_version ? ASSAY_ERR_VERSION : ASSAY_ERR_DAMAGED, r->off, "%s (%s)", r->damage.message, r->damage.rule);
    w->damage = r->damage;
    w->damage_off = r->off;
    return 0;
}

static int copy(struct rewriter *w, assay_error *err)
{
    struct nytprof_record r;
    int rc;
    while ((rc = nytprof_next(&w->d, &r, err)) > 0) {
        if (r.tag == NYTPROF_DAMAGE) {
            TRY(take_damage(w, &r, err));
            continue;
        }
        if (r.tag == NYTPROF_START_DEFLATE) w->was_packed = true;
        if (r.tag == NYTPROF_START_DEFLATE || r.tag == NYTPROF_TAIL || (!is_header(&r) && !w->in_stream)) TRY(begin_stream(w, err));
        if (is_header(&r))
            put_header(w, &r);
        else
            nytprof_encode(&w->e, &r);
        TRY(note(w, &r, err));
        if (output_failed(w->e.out)) return output_failed(w->e.out);
    }
    return rc;
}

/* ---- what was cut off ---- */

/* The profile with its salvaged calls; NULL and an error. */
static assay_profile *read_again(struct rewriter *w, assay_error *err)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES }, err);
    if (!b) return NULL;
    int rc = nytprof_read(w->job, b, err);
    if (rc == 0 || assay_builder_failed(b)) return assay_builder_seal(b, err);
    assay_builder_free(b);
    return NULL;
}

static int put_salvaged(struct rewriter *w, assay_error *err)
{
    assay_error local = { 0 };
    if (!err) err = &local;
    nytprof_decoder_done(&w->d);
    TRY(input_rewind(w->job->in, err));
    assay_profile *p = read_again(w, err);
    if (!p) return err->code;
    int rc = nytprof_write_subs_only(p, w->write, &w->e, err);
    assay_profile_release(p);
    nytprof_decoder_init(&w->d, w->job->in);
    return rc;
}

static int complete(struct rewriter *w, assay_error *err)
{
    bool is_cut = w->damage.rule || w->open.len;
    if (!is_cut || !w->d.version.major) return 0;
    bool is_salvaged = w->returns > w->calls && input_can_rewind(w->job->in);
    if (w->damage.rule)
        losses_add(w->write->losses, "damaged", 1, "what follows offset %" PRIu64 " is lost: %s (%s)", w->damage_off, w->damage.message, w->damage.rule);
    if (is_salvaged) {
        losses_add(w->write->losses, "salvaged", w->returns, "calls of subs are derived from %" PRIu64 " returns and are lower bounds", w->returns);
        TRY(put_salvaged(w, err));
    }
    if (!w->has_overhead) nytprof_encode_line(&w->e, NYTPROF_ATTRIBUTE, SLICE("cumulative_overhead_ticks"), SLICE("0"));
    double seconds = w->ticks_per_sec > 0 ? w->ticks / w->ticks_per_sec : 0;
    for (size_t i = w->open.len; i-- > 0;) {
        struct nytprof_record r = { .tag = NYTPROF_PID_END, .process = { .pid = w->open.at[i].pid, .has_time = true, .time = w->open.at[i].start + seconds } };
        nytprof_encode(&w->e, &r);
    }
    if (w->open.len) losses_add(w->write->losses, "incomplete", w->open.len, "%zu processes have no end record: one is added to each", w->open.len);
    return 0;
}

/* ---- through the model ---- */

static int through_model(struct rewriter *w, struct output *out, assay_error *err)
{
    assay_error local = { 0 };
    if (!err) err = &local;
    uint32_t want = nytprof_write_wants(w->write->options, w->write->version);
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = want }, err);
    if (!b) return err->code;
    int rc = nytprof_read(w->job, b, err);
    if (rc != 0 && !assay_builder_failed(b)) {
        assay_builder_free(b);
        return rc;
    }
    assay_profile *p = assay_builder_seal(b, err);
    if (!p) return err->code;
    rc = nytprof_write(p, w->write, out, err);
    assay_profile_release(p);
    return rc;
}

/* The version is known before anything is taken from the input. */
static bool is_version_2(struct input *in)
{
    assay_slice head;
    return input_peek(in, &head, NULL) == 0 && slice_starts(head, "NYTProf 2");
}

int nytprof_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    SCRATCH(struct rewriter, w, job->mem, 1);
    if (!w) return error_memory(err);
    w->job = job;
    w->write = write;
    w->mem = job->mem;
    w->packs = nytprof_is_packed(write->version);
    int rc;
    if (is_version_2(job->in))
        rc = through_model(w, out, err);
    else {
        nytprof_decoder_init(&w->d, job->in);
        nytprof_encoder_init(&w->e, out, job->mem);
        rc = copy(w, err);
        if (rc == 0) rc = complete(w, err);
        if (rc == 0) nytprof_encode_end(&w->e);
        nytprof_encoder_done(&w->e);
        nytprof_decoder_done(&w->d);
    }
    vec_done(w->mem, &w->open);
    return rc;
}
