/* See walk.h. */
#include "formats/perf-data/walk.h"

#include "base/cancel.h"
#include "base/plural.h"

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static int refuse(const struct pd_walk *w) { return w->job->options->strict ? findings_refuse(w->damage, w->err) : 0; }

/* ---- first pass ---- */

static void first_of(uint64_t *count, uint64_t *off, const struct pd_record *r)
{
    if ((*count)++ == 0) *off = r->off;
}

static void count(struct pd_walk *w, const struct pd_record *r)
{
    if (r->type <= PD_LAST_USER)
        w->types[r->type]++;
    else
        w->others++;
    if (r->type == PD_LOST && r->len >= 16) {
        if (!w->lost && !w->lost_samples) w->lost_off = r->off;
        w->lost = sum(w->lost, pd_u64(&w->d, r->data + 8));
    }
    if (r->type == PD_LOST_SAMPLES && r->len >= 8) {
        if (!w->lost && !w->lost_samples) w->lost_off = r->off;
        w->lost_samples = sum(w->lost_samples, pd_u64(&w->d, r->data));
    }
    if (r->type == PD_THROTTLE) first_of(&w->throttles, &w->throttle_off, r);
    if (r->type == PD_AUXTRACE || r->type == PD_AUXTRACE_INFO) first_of(&w->aux, &w->aux_off, r);
}

static int collect(struct pd_walk *w)
{
    struct pd_record r = { .type = 0 };
    for (uint64_t i = 0; r.type != PD_END; i++) {
        TRY(cancel_step(i, w->err));
        w->types[PD_SAMPLE] += pd_skip_samples(&w->d);
        TRY(pd_next(&w->d, &r));
        if (r.type == PD_END) break;
        if (r.type == PD_SAMPLE) {
            w->types[PD_SAMPLE]++;
            continue;
        }
        count(w, &r);
        if (!pd_tracks_add(&w->tracks, &w->d, &r)) return error_memory(w->err);
    }
    return refuse(w);
}

/* ---- second pass ---- */

/* Buffers of all CPUs are written out in rounds. When one is over, nothing older than the newest record of the round before may come. */
static void note_time(struct pd_walk *w, uint64_t time)
{
    w->late += time && time < w->limit;
    if (time > w->newest) w->newest = time;
}

static void note_round(struct pd_walk *w)
{
    w->limit = w->next_limit;
    w->next_limit = w->newest;
}

static int say_unfit(struct pd_walk *w, const struct pd_record *r, enum pd_fit fit, const struct pd_sample *s)
{
    struct findings *out = w->damage;
    if (fit == PD_NO_ATTR && w->unfit == 0)
        findings_add(out, "PD14", ASSAY_ERROR, r->off, 0, "a sample, and no attribute says what it holds");
    else if (fit == PD_UNKNOWN_ID)
        findings_add(out, "PD13", ASSAY_ERROR, r->off, 0, "the id of a sample belongs to no event: skipped");
    else if (fit == PD_SHORT)
        findings_add(out, "PD10", ASSAY_ERROR, r->off, 0, "a sample of %zu bytes is shorter than its fields: skipped", r->size);
    else if (fit == PD_FITS)
        findings_add(out, "PD11", ASSAY_WARNING, r->off, 0, "%zu byte%s after the last field of a sample", s->rest, plural(s->rest));
    w->unfit += fit != PD_FITS;
    return out->failed ? error_memory(w->err) : refuse(w);
}

/* What is found comes in the order of the samples. */
static int add_sample(struct pd_walk *w, const struct pd_record *r)
{
    struct pd_sample *s = pd_stacks_room(&w->stacks);
    enum pd_fit fit = pd_sample(&w->d, r, s);
    if (fit != PD_FITS || s->rest) {
        struct pd_sample copy = *s;
        TRY(pd_stacks_settle(&w->stacks, w->err));
        TRY(say_unfit(w, r, fit, &copy));
        if (fit != PD_FITS) return 0;
        s = pd_stacks_room(&w->stacks);
        *s = copy;
    }
    note_time(w, s->time);
    return pd_stacks_add(&w->stacks, r->seq, w->err);
}

/* Samples that are at hand stay where they are; what else is asked for may take their bytes away. */
static int add_samples(struct pd_walk *w)
{
    struct pd_record r = { .type = 0 };
    TRY(pd_again(&w->d));
    for (uint64_t i = 0; r.type != PD_END; i++) {
        TRY(cancel_step(i, w->err));
        if (!pd_next_sample(&w->d, &r)) {
            TRY(pd_stacks_settle(&w->stacks, w->err));
            TRY(pd_next(&w->d, &r));
        }
        if (r.type == PD_SAMPLE) TRY(add_sample(w, &r));
        if (r.type == PD_FINISHED_ROUND) note_round(w);
    }
    return 0;
}

/* ---- all of it ---- */

int pd_walk(struct pd_walk *w, const struct read_job *job, struct findings *damage, bool wants_times, assay_error *err)
{
    memset(w, 0, sizeof *w);
    w->job = job;
    w->damage = damage;
    w->err = err;
    TRY(pd_open(&w->d, job, damage, err));
    TRY(refuse(w));
    if (w->d.is_dead) return 0;
    w->has_tracks = true;
    pd_tracks_init(&w->tracks, job->mem);
    TRY(collect(w));
    if (!pd_tracks_follow(&w->tracks, &w->d)) return error_memory(err);
    TRY(pd_frames_init(&w->frames, &w->d, &w->tracks, damage, err));
    if (!pd_stacks_init(&w->stacks, &w->d, &w->frames, wants_times)) return error_memory(err);
    return add_samples(w);
}

void pd_walk_done(struct pd_walk *w)
{
    pd_stacks_done(&w->stacks);
    pd_frames_done(&w->frames);
    if (w->has_tracks) pd_tracks_done(&w->tracks);
    pd_close(&w->d);
}
