/* Adding up what lines were in; see analysis/timeline/fill.h. */
#include "analysis/timeline/fill.h"

#include "base/parallel.h"
#include "model/profile.h"

bool timeline_fill_init(struct timeline_fill *f, struct arena *arena, size_t len)
{
    f->time = arena_zalloc(arena, len, sizeof *f->time);
    f->touched = arena_zalloc(arena, len + 1, sizeof *f->touched); /* one more is written before it is known whether it counts */
    return f->time && f->touched;
}

size_t timeline_fill_line(struct timeline_fill *to, const struct timeline_line *line, size_t event, int64_t low, int64_t high)
{
    struct timeline_fill f = *to; /* so that nothing in it has to be read again */
    const int64_t *time = line->time;
    int64_t begin = event < line->count && time[event] > low ? time[event] : low;
    while (event + 1 < line->count && begin < high) {
        int64_t next = time[event + 1], end = next < high ? next : high;
        if (end > begin) {
            uint32_t node = line->node[event].v;
            timeline_fill_add(&f, f.as ? f.as[node] : node, (uint64_t)end - (uint64_t)begin);
            f.events++;
        }
        if (next > high) break;
        begin = next;
        event++;
    }
    *to = f;
    return event;
}

void timeline_fill_clear(struct timeline_fill *f)
{
    for (size_t i = 0; i < f->touched_count; i++) f->time[f->touched[i]] = 0;
    f->touched_count = 0;
    f->recorded = f->events = 0;
}

unsigned timeline_workers(const struct timeline *t, size_t jobs)
{
    size_t most = t->events < TIMELINE_MANY_EVENTS ? 1 : t->profile->threads;
    if (most > PARALLEL_MOST) most = PARALLEL_MOST;
    if (most > jobs) most = jobs;
    return most ? (unsigned)most : 1;
}
