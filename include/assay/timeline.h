/* Streams over time: what each of them was in, at every depth of its stacks or at one, and how long. docs/timeline.md says what is shown.
 *
 * An event says "from this time on the stream is in this context": it fills the time up to the next event of its stream, and the last one fills none. Context 0 is
 * idle. */
#ifndef ASSAY_TIMELINE_H
#define ASSAY_TIMELINE_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_CHART_INNERMOST UINT32_MAX    /* as a depth */
#define ASSAY_CHART_CHOOSE (UINT32_MAX - 1) /* a depth worth a look: the smallest at which no function has more than half of the time */

struct assay_chart_options {
    size_t size;                /* sizeof(struct assay_chart_options); every member after it may be 0 */
    const assay_profile *whole; /* what the profile is a part of, when it was filtered: times are counted from its first event. NULL = the profile */
    const char *time;           /* "A..B" as in struct assay_filter; NULL = all of it */
    uint32_t depth;             /* one depth, from 1, or one of the above; 0 = all of them: a flame chart */
    uint32_t columns;           /* of a flame chart: boxes narrower than one are merged; 0 = 500 */
    uint32_t levels;            /* of a flame chart: the deepest that are drawn; 0 = 4096 */
    size_t streams;             /* of a flame chart: the first so many; 0 = all */
};

/* A stream, or what has none. */
typedef struct assay_chart_line {
    assay_stream_id stream;
    const char *label;
    uint64_t events;         /* as the profile has them */
    uint64_t recorded, idle; /* time in the window; idle is part of recorded */
    uint32_t levels;         /* of a flame chart: of its deepest stack in the window */
    size_t count;            /* of the two below: what happened, from the first to the last event, whatever the window */
    const int64_t *time;     /* ascending */
    const assay_node_id *node;
    size_t part_begin, part_end; /* of the parts below that are this line's */
} assay_chart_line;

/* Functions, the longest self time first. At one depth self and total are the same: the time that the function was seen. */
typedef struct assay_chart_functions {
    uint32_t count;
    const assay_slice *name;
    const assay_func_id *func; /* 0 = not known */
    const uint32_t *streams;   /* on how many */
    const assay_wide *self, *total;
} assay_chart_functions;

/* What each line spent in which function, at one depth. */
typedef struct assay_chart_parts {
    size_t count;
    const uint32_t *function; /* its number above */
    const uint64_t *time;
} assay_chart_parts;

/* The boxes of a flame chart, line by line, depth by depth, in the order of time. */
typedef struct assay_chart_boxes {
    size_t count;
    const uint32_t *line;  /* its number in lines */
    const uint32_t *depth; /* from 1 */
    const int64_t *from, *to;
    const uint64_t *time;  /* less than to - from where merged boxes have gaps */
    const uint64_t *calls; /* where the profile knows them, else how often the stack got that deep */
    const bool *is_merged; /* several that are narrower than a column; the function is the one that took longest */
    const assay_func_id *func;
    const assay_slice *name;
} assay_chart_boxes;

/* Everything is borrowed from it until it is freed. Times are absolute, in `unit`. */
typedef struct assay_chart {
    const assay_profile *profile;
    const char *unit;   /* "ns" where it is time */
    int64_t begin, end; /* of everything */
    int64_t from, to;   /* the window */
    bool is_spans;      /* events have a beginning and a duration of their own */
    bool is_laid_out;   /* only order and duration of calls were measured */
    uint64_t events;
    uint32_t depth; /* that is shown; 0 = all */
    uint32_t deepest;
    assay_wide recorded, idle; /* over all lines */
    size_t line_count;
    const assay_chart_line *lines; /* those with events, by id tuple */
    assay_chart_functions functions;
    assay_chart_parts parts; /* none of a flame chart */
    assay_chart_boxes boxes; /* of a flame chart */
} assay_chart;

/* Of a profile with a timeline, or with a whole tree (ASSAY_WANT_WHOLE) and a metric that is a time. Options may be NULL. *out is owned by the caller; free it
 * before the profile is released. Errors: MEMORY, USAGE (a bad window), UNSUPPORTED (it has neither), those of stored values. */
ASSAY_API int assay_chart_new(const assay_profile *p, const struct assay_chart_options *options, assay_chart **out, assay_error *err);
ASSAY_API void assay_chart_free(assay_chart *chart);

#ifdef __cplusplus
}
#endif
#endif
