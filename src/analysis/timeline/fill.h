/* Adding up what lines were in over a stretch of time: the inner loop of a measurement and of a picture, which go through every event of a window. */
#ifndef ANALYSIS_TIMELINE_FILL_H
#define ANALYSIS_TIMELINE_FILL_H

#include "analysis/timeline/timeline.h"

struct timeline_fill {
    const uint32_t *as; /* by node: what its time counts for; NULL = itself */
    uint64_t *time;     /* by that; saturates; zero but for those of `touched` */
    uint32_t *touched;  /* in the order in which they occurred */
    size_t touched_count;
    uint64_t recorded; /* all of them; saturates */
    uint64_t events;   /* that filled some of the time */
};

/* Room for `len` sums. Errors: false = no memory. It lasts as long as the arena. */
bool timeline_fill_init(struct timeline_fill *f, struct arena *arena, size_t len);
/* More time, which is not 0. */
static inline void timeline_fill_add(struct timeline_fill *f, uint32_t at, uint64_t time)
{
    f->touched[f->touched_count] = at;
    f->touched_count += !f->time[at];
    if (__builtin_add_overflow(f->time[at], time, &f->time[at])) f->time[at] = UINT64_MAX;
    if (__builtin_add_overflow(f->recorded, time, &f->recorded)) f->recorded = UINT64_MAX;
}
/* What `line` did between low and high; `event` fills low. Returns the event that fills high. */
size_t timeline_fill_line(struct timeline_fill *f, const struct timeline_line *line, size_t event, int64_t low, int64_t high);
/* Back to nothing, for the next stretch. */
void timeline_fill_clear(struct timeline_fill *f);

enum { TIMELINE_MANY_EVENTS = 1 << 18 };
/* How many threads go through the events of a timeline: one where they are few. */
unsigned timeline_workers(const struct timeline *t, size_t jobs);

#endif
