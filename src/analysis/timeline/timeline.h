/* Streams over time: what each of them was in, at a depth of the stack, and how long.
 *
 * An event says "from this time on the stream is in this context": it fills the time up to the next event of its stream, and the last one fills none.
 * Spans are turned into that: at any time the span that began last and has not ended gives the context. Context 0 is idle. Only function nodes
 * (analysis/core/frames.h: functions, entries, whatever is called) count as frames; lines and loops do not. At depth d the d-th frame of a stack is shown, counted
 * from the outermost, or the innermost one where the stack is shorter.
 *
 * timeline_init, timeline_measure, then any number of timeline_shares_at and timeline_draw. */
#ifndef ANALYSIS_TIMELINE_TIMELINE_H
#define ANALYSIS_TIMELINE_TIMELINE_H

#include "analysis/core/frames.h"
#include "base/arena.h"
#include "base/time_window.h"
#include "base/vec.h"

#define TIMELINE_INNERMOST UINT32_MAX /* as a depth */

struct timeline_line {
    uint32_t stream; /* 0 = the one without */
    const char *label;
    const int64_t *time; /* `count` of them, ascending */
    const assay_node_id *node;
    size_t count;
    uint64_t events; /* as the profile has them */
    /* of the window */
    uint64_t recorded, idle; /* idle is part of recorded */
    size_t part, part_count; /* in timeline.parts */
};

/* How long a line was in a context. */
struct timeline_part {
    uint32_t node;
    uint64_t time;
};

/* The same of a stream, over all of the time. */
struct timeline_exact {
    uint32_t stream, node;
    uint64_t time;
};

struct timeline {
    struct mem *mem;
    const assay_profile *profile;
    struct frames frames;
    struct arena text;
    VEC(struct timeline_line) lines; /* by id tuple, kind by kind; those without events are left out */
    uint32_t stream_count;           /* of the whole, those without events included */
    uint32_t other_units;            /* streams left out because their events are counted in something else */
    const char *unit;                /* "ns" where it is time */
    bool is_spans, is_laid_out;      /* spans; made of a whole tree, so that only order and durations were measured */
    int64_t begin, end;              /* of everything, whatever lines were chosen: times are counted from here */
    int64_t first, last;             /* of the lines */
    uint64_t events;
    uint32_t *level;       /* by node: frames on its stack */
    uint32_t deepest;      /* of the contexts that occur */
    VEC(int64_t) own_time; /* events that had to be made */
    VEC(assay_node_id) own_node;
    bool is_coarse;                    /* events are what a picture of the window needs; what functions took is known beside them: */
    VEC(struct timeline_exact) exact;  /* what each context took itself in the window, in the order of streams */
    VEC(struct timeline_exact) totals; /* or what each function took, with what it called: then those are no contexts */
    double tick;                       /* ns in what the laid out times were measured in */

    int64_t from, to; /* the window */
    VEC(struct timeline_part) parts;
    VEC(struct timeline_part) used; /* over all lines; `time` saturates */
    uint64_t events_inside;         /* events that fill some of the window */
};

/* The lines of a profile that has a timeline, or a whole tree with a metric that is a time. `whole`: what `p` is a part of, or `p` itself; times are
 * counted from its first event. Errors: MEMORY, UNSUPPORTED (there is neither; the sentence says what there is), those of stored values. timeline_done is due
 * in either case. */
int timeline_init(struct timeline *t, struct mem *mem, const assay_profile *p, const assay_profile *whole, assay_error *err);
void timeline_done(struct timeline *t);

/* Goes through the events of a window once (`window` NULL = as far as the lines go) and adds up how long each line was in each context. Errors: MEMORY, USAGE. */
int timeline_measure(struct timeline *t, const struct time_window *window, assay_error *err);

/* ---- functions ---- */

/* What is shown of a context is known by a key: 0 = idle, functions by their ids, then "<unknown>", then contexts that nothing is known of but their
 * number. */
uint32_t timeline_key_count(const struct timeline *t);
/* The key of a function node. */
uint32_t timeline_key(const struct timeline *t, uint32_t frame);
/* Its function, 0 = none. */
uint32_t timeline_func(const struct timeline *t, uint32_t key);
/* Its name; `buf` has 48 bytes and may be used for it. */
assay_slice timeline_name(const struct timeline *t, uint32_t key, char *buf);

/* By node: the frame that is shown of it at a depth. `shown` has room for frames.len. */
void timeline_show(const struct timeline *t, uint32_t depth, uint32_t *shown);

/* ---- shares ---- */

struct timeline_share {
    uint32_t key;
    uint32_t lines; /* on how many it ran */
    assay_wide time;
};
struct timeline_shares {
    struct mem *mem;
    uint32_t depth;
    VEC(struct timeline_share) rows; /* without idle; longest first, then by name */
    assay_wide recorded, idle;       /* over all lines; idle is part of recorded */
    VEC(struct timeline_part) parts; /* of lines: `node` is a row, longest first */
    size_t *first;                   /* by line: its first part; one more entry for the end */
    size_t line_count;
};

/* Exact, of the window that was measured. Errors: MEMORY. */
int timeline_shares_at(const struct timeline *t, uint32_t depth, struct timeline_shares *out, assay_error *err);
void timeline_shares_done(struct timeline_shares *s);

enum timeline_sort { TIMELINE_SORT_TIME = 0, TIMELINE_SORT_STREAMS = 1, TIMELINE_SORT_NAME = 2 };
/* Fills order[0 .. rows.len) with row numbers: the longest first, those on most streams first, or by name; ties by time, then name. Errors: MEMORY. */
int timeline_shares_order(const struct timeline *t, const struct timeline_shares *s, enum timeline_sort sort, uint32_t *order, assay_error *err);

/* A depth worth a look: the smallest at which no function has more than half of the time that is not idle, or else the one at which the longest has
 * least; the innermost where a single function has it all. Where stacks begin (ENTRY) counts as one function. Errors: MEMORY. */
int timeline_choose_depth(const struct timeline *t, uint32_t *depth, assay_error *err);

/* ---- picture ---- */

enum { TIMELINE_QUARTERS = 4 };

/* From `column` to that of the next run. */
struct timeline_run {
    uint32_t column;
    uint32_t frame;   /* function node: of the function that had most of the busy time, the one that had most of that; 0 = idle */
    uint8_t quarters; /* how much of the recorded time was busy, rounded up; 0 = idle */
    bool is_empty;    /* nothing was recorded */
};
/* The picture at one depth. */
struct timeline_layer {
    uint32_t depth;
    VEC(struct timeline_run) runs;
    size_t *first; /* by row: its first run; one more entry for the end */
};
struct timeline_picture {
    struct mem *mem;
    uint32_t columns, rows;
    uint32_t lines_each; /* lines that a row stands for; the last may have fewer */
    uint32_t layer_count;
    struct timeline_layer *layers;
};

/* The window in at most `columns` columns and `most_rows` rows, at each of `depths`: neighbouring lines share a row where there are more. Errors: MEMORY.
 * timeline_picture_done is due in either case. */
int timeline_draw(const struct timeline *t, uint32_t columns, uint32_t most_rows, const uint32_t *depths, uint32_t depth_count, struct timeline_picture *out,
                  assay_error *err);
void timeline_picture_done(struct timeline_picture *p);
/* Where a column begins; that of `columns` is the end of the window. */
int64_t timeline_edge(const struct timeline *t, const struct timeline_picture *p, uint32_t column);

/* ---- for the files of this module ---- */

/* The event of a line that fills `time`: the last that is not later; 0 when all are. */
size_t timeline_event_at(const struct timeline_line *line, int64_t time);
/* Events out of spans: pushes them to own_time and own_node. */
int timeline_add_spans(struct timeline *t, const int64_t *time, const int64_t *duration, const assay_node_id *node, size_t count, assay_error *err);
/* Lines out of a whole tree; their pointers are set later. */
int timeline_lay_out(struct timeline *t, assay_error *err);

#endif
