/* Timelines: streams over time in a terminal and as tables and JSON. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "analysis/timeline.h"
#include "report/report.h"

/* What `timeline` shows of one file. */
struct report_timeline {
    const struct timeline *t;
    const struct timeline_shares *shares; /* at the depth that is shown */
    const uint32_t *order;                /* of their rows */
    bool is_chosen;                       /* the depth is none that was asked for */
    unsigned width;                       /* columns of text; 0 = as it comes */
};

void report_timeline_begin(struct report *r);
void report_timeline(struct report *r, const char *path, const struct report_timeline *v);

/* ---- for the files of this folder ---- */

/* JSON and CSV. */
void timeline_json(struct report *r, const char *path, const struct report_timeline *v);
void timeline_csv(struct report *r, const char *path, const struct report_timeline *v);

uint32_t timeline_rows_shown(const struct report *r, const struct report_timeline *v);
/* Name, file, line and module of a function that is shown; `buf` has 48 bytes. */
struct timeline_place {
    assay_slice name, file, module;
    uint32_t line;
};
struct timeline_place timeline_place_of(const struct timeline *t, uint32_t key, char *buf);

/* Marks of an axis: multiples of `step`, counted from the first event. */
struct timeline_axis {
    uint64_t first, step;
    uint64_t scale; /* units of the timeline in the unit of the labels */
    unsigned decimals;
    const char *unit;
};
/* `room`: letters that fit on the axis. */
struct timeline_axis timeline_axis_of(const struct timeline *t, unsigned room);
/* "1.2 s"; returns its length. `buf` has 64 bytes. */
size_t timeline_mark(const struct timeline_axis *a, uint64_t at, char *buf);
/* Since the first event. */
static inline uint64_t timeline_since(const struct timeline *t, int64_t time) { return (uint64_t)time - (uint64_t)t->begin; }

/* A number below TIMELINE_COLOURS for each of the functions, by name: the same function has the same colour in every picture, unless one before it
 * in the list has that already and there is another left. */
enum { TIMELINE_COLOURS = 24 };
void timeline_colours(const struct timeline *t, const uint32_t *keys, size_t count, uint8_t *out);

#endif
