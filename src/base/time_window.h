/* A part of the time that a profile covers, as people write it: "A..B", each end a time since the first event or a share of the whole. */
#ifndef BASE_TIME_WINDOW_H
#define BASE_TIME_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/error.h"

struct time_end {
    bool is_given;   /* else the beginning or the end of everything */
    bool is_percent; /* of the whole */
    bool is_plain;   /* without a unit */
    double number;
};
struct time_window {
    struct time_end from, to;
};

/* "A..B", "A..", "..B": numbers with ns, us, ms, s or % behind them. Errors: USAGE. */
int time_window_parse(const char *text, struct time_window *out, assay_error *err);

/* The window within begin..end: absolute times, *from <= *to. `plain`: what a number without a unit stands for, 1e9 where it is time, for that is in s. What lies outside is cut off. Errors: USAGE (it ends before it begins, or nothing
 * of it is inside). */
int time_window_apply(const struct time_window *w, double plain, int64_t begin, int64_t end, int64_t *from, int64_t *to, assay_error *err);

/* The same ends as multiples of `tick`, for what is measured in that; `last` stays. A window is at least one tick long. */
void time_window_snap(double tick, int64_t last, int64_t *from, int64_t *to);

#endif
