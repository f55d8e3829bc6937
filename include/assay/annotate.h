/* Sources next to what was measured of them: hits and branches of coverage, and the cost of each line, one file after another.
 *
 *     assay_annotate_new(profile, NULL, &annotate, &err);
 *     for (uint32_t i = 0; i < assay_annotate_count(annotate); i++)
 *         assay_annotate_file(annotate, i, &file, &err);    // file->text[row], file->hits[row], file->self[row * file->column_count]
 *     assay_annotate_free(annotate); */
#ifndef ASSAY_ANNOTATE_H
#define ASSAY_ANNOTATE_H

#include "assay/filter.h"
#include "assay/top.h"

#ifdef __cplusplus
extern "C" {
#endif

struct assay_annotate_options {
    size_t size;                       /* sizeof(struct assay_annotate_options); every member after it may be 0 */
    const assay_profile *coverage;     /* that is shown next to the cost of the profile; NULL = its own. Files are the same when one path ends with the other */
    const struct assay_filter *filter; /* where sources are: its maps, source_roots and follow_links; NULL = where the profile says */
    const char *folder;                /* in which copies of sources may be, such as a measurement directory; NULL = none */
    const char *metric;                /* see assay_column */
};

enum assay_annotate_state {
    ASSAY_ANNOTATE_NONE = 0, /* nothing to hit */
    ASSAY_ANNOTATE_HIT = 1,
    ASSAY_ANNOTATE_PARTIAL = 2, /* hit, but a branch or a part of the line was not */
    ASSAY_ANNOTATE_MISSED = 3,
    ASSAY_ANNOTATE_EXCLUDED = 4, /* not counted */
    ASSAY_ANNOTATE_UNKNOWN = 5
};

/* Functions that are called from the lines of a file, in the order of lines, the most expensive of a line first; from 0. */
typedef struct assay_annotate_callees {
    uint32_t count;
    const assay_func_id *func;
    const assay_slice *name;
    const uint64_t *calls;
    const assay_value *total;     /* [callee * call_column_count + column] */
    const assay_value *recursive; /* of calls inside a call of the same function, which `total` leaves out */
} assay_annotate_callees;

/* One source, by line; rows from 0. Arrays of costs are [row * column_count + column]. */
typedef struct assay_annotate_source {
    assay_slice path;  /* as the profile has it */
    const char *found; /* where its text was found; "" = in the profile; NULL = nowhere */
    size_t tried_count;
    const char *const *tried;     /* where its text was looked for */
    const assay_profile *profile; /* whose functions callees are, and whose metrics: the one that was given, or one that was made of it */
    uint32_t column_count;
    const assay_column *columns; /* of self and total */
    uint32_t key;                /* the column that files are sorted by */
    uint32_t call_column_count;
    const assay_column *call_columns; /* of callees and in_calls: where lines are measured in another way than calls these are others */
    uint32_t count;
    const uint32_t *line; /* 0 = cost that belongs to no line */
    const uint8_t *state; /* enum assay_annotate_state: what coverage says */
    const bool *has_hits;
    const uint64_t *hits; /* executions: what coverage says, else the profile */
    const uint32_t *branches, *branches_hit;
    const bool *has_cost;         /* the profile measured something of the line */
    const uint64_t *calls;        /* that are made from it */
    const assay_value *self;      /* NULL = no cost of lines */
    const assay_value *total;     /* with the calls made from the line; NULL = not known */
    const assay_value *in_calls;  /* [row * call_column_count + column]: of the calls made from the line; NULL = there are none */
    const uint32_t *callee_begin; /* the callees of a row are those from callee_begin[row] up to callee_begin[row + 1] */
    assay_annotate_callees callees;
    const assay_slice *text; /* of the line, without its end; {NULL, 0} = not found */
} assay_annotate_source;

typedef struct assay_annotate assay_annotate;

/* Options may be NULL; the coverage and the filter that they name are borrowed. *out is owned by the caller; free it before these and the profile. Errors: MEMORY, USAGE (no such metric), UNSUPPORTED (nothing was
 * measured of lines), those of stored values. */
ASSAY_API int assay_annotate_new(const assay_profile *p, const struct assay_annotate_options *options, assay_annotate **out, assay_error *err);
ASSAY_API void assay_annotate_free(assay_annotate *annotate);
/* How many sources have something measured, numbered from 0: the most expensive first, else by path. */
ASSAY_API uint32_t assay_annotate_count(const assay_annotate *annotate);
/* The path of a source, borrowed until the profile is released; {NULL, 0} = no such number. */
ASSAY_API assay_slice assay_annotate_path(const assay_annotate *annotate, uint32_t source);
/* *out is borrowed until the next call and until `annotate` is freed. Only here is a source looked for and read. Errors: MEMORY, USAGE (no such number). */
ASSAY_API int assay_annotate_file(assay_annotate *annotate, uint32_t source, const assay_annotate_source **out, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
