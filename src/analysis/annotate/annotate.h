/* A source next to what was measured of it: hits, branches and functions of coverage, cost of lines (self, with what they call, and whom), of one
 * file after another. Cost and coverage may come from two profiles: files are then the same when their paths are, or one ends with the other.
 *
 *     annotate_init(&a, cost, coverage, filter, folder, mem, &err);
 *     annotate_file(&a, source, &err);         // a.rows, a.text, a.tried until the next call
 *     annotate_select(&a, first, last, fold);  // which rows are shown
 *     annotate_done(&a);
 *
 * Sources are numbered from 1: the files of the first profile by their ids, then those that only the coverage has. */
#ifndef ANALYSIS_ANNOTATE_ANNOTATE_H
#define ANALYSIS_ANNOTATE_ANNOTATE_H

#include "analysis/core/line_cost.h"
#include "analysis/sources/text.h"

enum annotate_state {
    ANNOTATE_NONE, /* nothing to hit */
    ANNOTATE_HIT,
    ANNOTATE_PARTIAL, /* hit, but a branch or a part of the line was not */
    ANNOTATE_MISSED,
    ANNOTATE_EXCLUDED, /* not counted */
    ANNOTATE_UNKNOWN
};

struct annotate_row {
    uint32_t line;                         /* 0 = cost that belongs to no line */
    uint8_t state;                         /* enum annotate_state: what coverage says */
    bool is_shown, is_wanted, is_measured; /* shown: wanted itself, or near one that is */
    bool has_text, has_hits;
    assay_slice text;
    uint64_t hits;                /* executions: what coverage says, else the profile */
    uint32_t cost;                /* number of its line_cost + 1, 0 = none */
    uint32_t view;                /* number of its view_line + 1, 0 = none */
    uint32_t function, functions; /* those that begin here: view.functions[function ...] */
};

/* Which rows are wanted, and how many lines around each are shown as context. */
struct annotate_fold {
    enum { ANNOTATE_ALL, ANNOTATE_ONLY_MISSED, ANNOTATE_ONLY_HOT } only;
    uint32_t context;
    uint32_t k;   /* ONLY_HOT: the metric of the block of costs, which must be there, */
    double least; /* and the share of its whole that a line has at least */
};

/* Where the figures of a source are; 0 = the profile has no such file. */
struct annotate_source {
    uint32_t cost, coverage;
};

struct annotate {
    struct mem *mem;
    const assay_profile *profile;  /* borrowed: that names files and functions first */
    const assay_profile *coverage; /* borrowed; may be the same */
    bool has_coverage, has_cost, has_totals;
    uint32_t count;                  /* sources */
    struct annotate_source *sources; /* from 1 */
    assay_coverage_counts *by_file;  /* of coverage, by its files */
    struct line_costs cost;

    /* the source at hand */
    uint32_t at;
    struct coverage_view view;
    struct source_paths paths;
    struct source_text text;
    bool has_open_text;
    VEC(const char *) tried; /* where its text was looked for */
    VEC(uint32_t) numbers;
    VEC(struct annotate_row) rows; /* by line */
};

/* `coverage` may be NULL: then that of `p` counts. `folder`: where the input lies when that is a folder, else NULL; sources may have been copied
 * there. Everything is borrowed until annotate_done, which is due after a failure too. Errors: MEMORY, UNSUPPORTED (nothing was measured of lines),
 * those of stored values. */
int annotate_init(struct annotate *a, const assay_profile *p, const assay_profile *coverage, const struct assay_filter *filter, const char *folder,
                  struct mem *mem, assay_error *err);
/* The same without the cost of lines, of a graph that was read without it: the calls that are made from them, and what coverage says. */
int annotate_init_calls(struct annotate *a, const assay_profile *p, const assay_profile *coverage, const struct assay_filter *filter, const char *folder,
                        struct mem *mem, assay_error *err);
void annotate_done(struct annotate *a);

/* The path as written by the profile that has it. */
assay_slice annotate_path(const struct annotate *a, uint32_t source);
/* Whether anything was measured of the source. */
bool annotate_has(const struct annotate *a, uint32_t source);
/* What was counted of its coverage. */
const assay_coverage_counts *annotate_counts(const struct annotate *a, uint32_t source);
/* Errors: MEMORY. */
int annotate_file(struct annotate *a, uint32_t source, assay_error *err);
/* Marks the rows to show of first .. last (last 0 = to the end): ONLY_MISSED, those that were missed or hit in part; ONLY_HOT, those whose self or total
 * is large enough; and those around them. */
void annotate_select(struct annotate *a, uint32_t first, uint32_t last, const struct annotate_fold *fold);
/* The whole that shares of metric k of a block are of. */
double annotate_whole(const struct annotate *a, const struct assay_block *block, uint32_t k);
/* Sources with something measured, into order[0 .. *count): the most expensive by the self cost of metric k (of their lines, or with
 * annotate_init_calls of their functions) first, else by path. */
int annotate_order(const struct annotate *a, uint32_t k, uint32_t *order, uint32_t *count, assay_error *err);

/* Where a function of `p`, which is one of the two profiles, is: its source and lines, as far as names and figures tell. last 0 = not known. false =
 * it has no file. */
bool annotate_function(const struct annotate *a, const assay_profile *p, uint32_t func, uint32_t *source, uint32_t *first, uint32_t *last);

/* What the profile measured of a row; NULL = nothing. */
static inline const struct line_cost *annotate_cost(const struct annotate *a, const struct annotate_row *row)
{
    return row->cost ? &a->cost.rows.at[row->cost - 1] : NULL;
}

/* ---- between the files of this module ---- */

/* Pairs the files of both profiles. Errors: MEMORY. */
int annotate_pair(struct annotate *a, assay_error *err);
/* Entries that a->sources has room for. */
size_t annotate_room(const struct annotate *a);
/* The source that has this file of the coverage; 0 = none. */
uint32_t annotate_source_of(const struct annotate *a, uint32_t coverage_file);

#endif
