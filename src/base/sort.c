/* Runs that are sorted in a moment, merged pair by pair; see base/sort.h. Each pass goes from one buffer to the other, so one of the two has all elements at
 * any time. */
#include "base/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"

enum {
#ifdef __GLIBC__
    RUN = 16 << 10, /* its qsort merges, too, and so keeps equal elements in their order */
#else
    RUN = 16, /* what is inserted one by one; qsort may do what it likes with equal elements */
#endif
    FIRST_SIZE = 64
};

struct sorter {
    size_t count, size;
    int (*compare)(const void *, const void *, void *);
    void *arg;
};

/* Up to the first that is out of order. */
static bool is_sorted(const struct sorter *s, const char *at)
{
    for (size_t i = 1; i < s->count; i++)
        if (cancel_at(i) || s->compare(at + (i - 1) * s->size, at + i * s->size, s->arg) > 0) return false;
    return true;
}

static void swap(char *a, char *b, size_t size)
{
    char kept[FIRST_SIZE];
    for (size_t n; size; a += n, b += n, size -= n) {
        n = size < FIRST_SIZE ? size : FIRST_SIZE;
        memcpy(kept, a, n);
        memcpy(a, b, n);
        memcpy(b, kept, n);
    }
}

/* At most RUN elements; equal ones stay in their order. */
static void sort_run(char *at, size_t count, const struct sorter *s)
{
#ifdef __GLIBC__
    if (count > 1) qsort_r(at, count, s->size, s->compare, s->arg);
#else
    for (size_t i = 1; i < count; i++)
        for (char *p = at + i * s->size; p > at && s->compare(p - s->size, p, s->arg) > 0; p -= s->size) swap(p - s->size, p, s->size);
#endif
}

static bool sort_runs(const struct sorter *s, char *at)
{
    for (size_t i = 0; i < s->count; i += RUN) {
        if (cancel_due()) return false;
        sort_run(at + i * s->size, s->count - i < RUN ? s->count - i : RUN, s);
    }
    return true;
}

/* [a, b) and [b, end) become one at `to`. */
static bool merge(const struct sorter *s, const char *a, const char *b, const char *end, char *to)
{
    const char *second = b;
    uint64_t steps = 0;
    if (a < second && b < end && s->compare(second - s->size, b, s->arg) > 0) {
        while (a < second && b < end) {
            const char **from = s->compare(a, b, s->arg) <= 0 ? &a : &b;
            memcpy(to, *from, s->size);
            *from += s->size;
            to += s->size;
            if (cancel_at(++steps)) return false;
        }
    }
    memcpy(to, a, (size_t)(second - a));
    memcpy(to + (second - a), b, (size_t)(end - b));
    return true;
}

/* From runs of `run` elements to runs of twice as many. */
static bool merge_runs(const struct sorter *s, const char *from, char *to, size_t run)
{
    for (size_t i = 0; i < s->count; i += 2 * run) {
        if (cancel_due()) return false;
        size_t mid = s->count - i < run ? s->count : i + run, end = s->count - mid < run ? s->count : mid + run;
        if (!merge(s, from + i * s->size, from + mid * s->size, from + end * s->size, to + i * s->size)) return false;
    }
    return true;
}

/* Pair by pair, in passes between the elements and `room` for as many. */
static bool merge_all(const struct sorter *s, char *at, char *room)
{
    char *from = at, *to = room;
    bool done = sort_runs(s, at);
    for (size_t run = RUN; done && run < s->count; run *= 2) {
        done = merge_runs(s, from, to, run);
        if (!done) break;
        char *other = from;
        from = to;
        to = other;
    }
    if (from != at) memcpy(at, from, s->count * s->size);
    return done;
}

bool sort_with(void *at, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *arg)
{
    const struct sorter s = { count, size, compare, arg };
    bool is_large = count > RUN;
    if (is_large && is_sorted(&s, at)) return true;
    void *room = is_large && !cancel_due() ? malloc(count * size) : NULL;
    if (room) {
        bool done = merge_all(&s, at, room);
        free(room);
        return done;
    }
    if (!is_large)
        sort_run(at, count, &s);
    else if (!cancel_due()) /* no memory, which this can do without */
        qsort_r(at, count, size, compare, arg);
    return !cancel_due();
}

/* The best so far stand in front, and behind them what was found to be better than the last of those; once there are as many, both are sorted. */
bool sort_first(void *at, size_t count, size_t size, size_t first, int (*compare)(const void *, const void *, void *), void *arg)
{
    char *all = at, *room;
    if (first > count / 4 || size > FIRST_SIZE) return sort_with(at, count, size, compare, arg);
    if (!first) return true;
    room = all + first * size;
    if (!sort_with(at, first, size, compare, arg)) return false;
    for (size_t i = first; i < count; i++) {
        if (cancel_at(i)) return false;
        if (compare(all + i * size, all + (first - 1) * size, arg) >= 0) continue;
        swap(room, all + i * size, size);
        room += size;
        if (room < all + 2 * first * size) continue;
        if (!sort_with(at, 2 * first, size, compare, arg)) return false;
        room = all + first * size;
    }
    return sort_with(at, (size_t)(room - all) / size, size, compare, arg);
}

struct plain {
    int (*compare)(const void *, const void *);
};

static int compare_plain(const void *a, const void *b, void *arg) { return ((const struct plain *)arg)->compare(a, b); }

bool sort_by(void *at, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    struct plain plain = { compare };
#ifdef __GLIBC__
    if (count <= RUN) { /* without the detour */
        if (count > 1) qsort(at, count, size, compare);
        return !cancel_due();
    }
#endif
    return sort_with(at, count, size, compare_plain, &plain);
}
