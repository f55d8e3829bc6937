/* Ranges of offsets in a script -> lines of its source, as V8's coverage needs it. docs/formats/v8.md, "Lines", has the rules; they are those of
 * c8. Offsets count UTF-16 code units. */
#ifndef ANALYSIS_COVERAGE_OFFSET_LINES_H
#define ANALYSIS_COVERAGE_OFFSET_LINES_H

#include "analysis/sources/text.h"

struct offset_line {
    uint32_t begin, end; /* without what ends the line */
};
/* Where the lines of a source are: line n is at[n - 1]. Blank lines at the end are none. */
struct offset_text {
    struct offset_line *at; /* NULL = the source is not known */
    uint32_t count, room;
    uint32_t units; /* length of the whole text */
};

/* false = no memory. A byte order mark is no part of the script. */
bool offset_text_make(struct offset_text *t, const struct source_text *source, struct mem *mem);
void offset_text_done(struct offset_text *t, struct mem *mem);
struct offset_place {
    uint32_t line, column, end_line, end_column; /* from 1; end_column is past the end */
};
/* Where a range begins and ends; all 0 = it has no text. */
struct offset_place offset_text_place(const struct offset_text *t, uint64_t first, uint64_t last);

struct offset_range {
    uint64_t first, last; /* offsets; last is past the end */
    uint64_t hits;
    uint32_t func;               /* identifies the ranges of one function */
    uint32_t order;              /* its own: where it stood */
    uint32_t parent, last_child; /* its own: by number in the list, 0 = none */
    uint32_t children;           /* its own */
    bool is_gone;                /* its own */
};

/* Takes the ranges of a run of a script, those of a function together and the function itself first. What touches its neighbour in the same range
 * with the same count becomes one with it; what fills the range around it takes its place. Returns how many are left, outer ones before those in
 * them. */
size_t offset_ranges_join(struct offset_range *r, size_t count);

/* Adds up lines over runs of one script. */
struct offset_hits {
    uint64_t *hits;      /* by line - 1 */
    uint8_t *is_partial; /* a part of it was not hit, in no run */
    /* its own */
    uint32_t *next;
    uint64_t *run_hits;
    uint8_t *run_partial;
    uint32_t runs;
};
/* Room for the lines of `t`; false = no memory, to be freed all the same. */
bool offset_hits_init(struct offset_hits *h, const struct offset_text *t, struct mem *mem);
void offset_hits_done(struct offset_hits *h, const struct offset_text *t, struct mem *mem);
/* Of ranges in the order that offset_ranges_join gives. Time: ranges times log of lines, and lines. */
void offset_hits_add(struct offset_hits *h, const struct offset_text *t, const struct offset_range *r, size_t count);

#endif
