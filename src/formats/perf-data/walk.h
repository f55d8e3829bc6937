/* The way through a recording that read and check share: once over the file for what happened to processes and threads, then once more for the samples. */
#ifndef FORMATS_PERF_DATA_WALK_H
#define FORMATS_PERF_DATA_WALK_H

#include "formats/perf-data/stacks.h"

struct pd_walk {
    const struct read_job *job;
    struct findings *damage;
    assay_error *err;
    struct pd_decoder d;
    struct pd_tracks tracks;
    struct pd_frames frames;
    struct pd_stacks stacks;
    uint64_t types[PD_LAST_USER + 1]; /* records by type */
    uint64_t others, lost, lost_samples, throttles, aux, unfit /* samples that cannot be read */;
    uint64_t aux_off, throttle_off, lost_off; /* of the first */
    uint64_t newest, next_limit, limit, late; /* times, see walk.c; records that came too late */
    bool has_tracks;
};

/* Fills all of it; pd_walk_done must be called also after an error. Damage is among the findings; d.is_dead = nothing was read. With `strict` the first of
 * severity error is refused. Errors: SYSTEM, MEMORY, CANCELLED, DAMAGED. */
int pd_walk(struct pd_walk *w, const struct read_job *job, struct findings *damage, bool wants_times, assay_error *err);
void pd_walk_done(struct pd_walk *w);

#endif
