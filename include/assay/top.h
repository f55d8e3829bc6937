/* The functions table: what each function of a profile costs. Every report and every writer takes these figures from here, so each has one definition. */
#ifndef ASSAY_TOP_H
#define ASSAY_TOP_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Figures of each function over all streams, in no particular order. A profile with a graph gives a row for each function that has a
 * cost or a call; else one with a tree for each that has a node; else one with coverage for each that it covers, with calls but no metric.
 *
 * Graph: `total` is what the file states; else, where its call tree is known (knows_nesting), the cost of the invocations that are not inside another
 * one of the function, and `calls` is the number of invocations; else, for each stream, the sum of the calls to the function, direct recursion left out, or
 * self plus its own calls, direct recursion left out, where it is never called (not even by itself).
 * Tree: `self` is the cost of the nodes that belong to the function (see struct assay_tree), or what is stored as FUNCTION scope at its
 * function nodes; `total` the inclusive cost of its outermost instances, so that recursion counts once: what is stored as EXECUTION scope,
 * else what it spent and was charged for calls (scope "call"), else the sum of everything below. A stored summary ("$$", summed) stands
 * for the sum over the streams. ENTRY nodes give no row. A node with ASSAY_NODE_NO_PLACE counts for its own function, if it has one.
 * Coverage: calls are added over the tests.
 *
 * Integers stay at the nearest value when they overflow. Sums of doubles carry their error along (twice the digits), so that the order
 * of nodes and streams does not show. */
typedef struct assay_top {
    uint32_t count;
    uint32_t metric_count;
    const assay_metric_id *metrics;
    const assay_func_id *func;
    const uint64_t *calls;
    const assay_value *self; /* [row * metric_count + k] */
    const assay_value *total;
    /* Of a profile with short rows (sum_begin of the graph): the values of a row stand from begin[row] up to begin[row + 1], the metrics behind them are 0. NULL =
     * rows are full. */
    const uint64_t *begin;
} assay_top;

/* *out is owned by the caller; free with assay_top_free before the profile is released. Errors: MEMORY, UNSUPPORTED (nothing was measured). */
ASSAY_API int assay_top_new(const assay_profile *p, assay_top **out, assay_error *err);
ASSAY_API void assay_top_free(assay_top *top);

enum assay_sort { ASSAY_SORT_SELF = 0, ASSAY_SORT_TOTAL = 1, ASSAY_SORT_CALLS = 2, ASSAY_SORT_NAME = 3 };

/* Fills order[0 .. top->count) with row numbers: by `sort` of metric number k, largest first; ties by the metrics after it and then those
 * before it, then name, file, module, line, column. */
ASSAY_API void assay_top_order(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, uint32_t *order);

/* ---- any table of costs ---- */

/* A column of figures: a metric, or a formula over metrics such as "CPI = Cycles / Ir". Wherever options have `metric`, it names one or several, separated
 * by commas, by name, part of a name, or formula; NULL = all metrics there are, with the default one (time, else cycles or instructions, else the largest) as
 * the one that rows are chosen and sorted by. */
typedef struct assay_column {
    assay_slice name;
    const char *unit;       /* "" = none */
    assay_metric_id metric; /* 0 = a formula */
    enum assay_type type;   /* of its figures */
    double whole;           /* its total in the profile, of which shares are taken */
    bool is_sum;            /* figures add up to the whole; false of a formula such as a quotient, whose figures may be NAN */
} assay_column;

/* What a row of a table is about. */
enum assay_table_by {
    ASSAY_TABLE_BY_FUNCTION = 0,
    ASSAY_TABLE_BY_FILE = 1, /* that functions are defined in; also directory and module */
    ASSAY_TABLE_BY_DIRECTORY = 2,
    ASSAY_TABLE_BY_MODULE = 3,
    ASSAY_TABLE_BY_LINE = 4,   /* source lines, as assay_annotate has them */
    ASSAY_TABLE_BY_CLASS = 5,  /* what the names of functions have before their last part */
    ASSAY_TABLE_BY_ADDRESS = 6 /* without totals */
};
struct assay_table_options {
    size_t size; /* sizeof(struct assay_table_options); every member after it may be 0 */
    enum assay_table_by by;
    uint32_t depth; /* by directory: those more than so many levels below the one that all share are added up; 0 = none */
    bool cycles;    /* functions that call each other are taken together, where a call graph counts every level of their recursion */
    const char *metric;
    enum assay_sort sort; /* of the first column */
    double least;         /* share of the whole that the self cost of a row (total, when sorted by it) must have; 0 = any */
    uint64_t limit;       /* rows; 0 = all */
};

/* Rows in their order, what `assay top --json` prints. Arrays are by row from 0, figures [row * column_count + column]. Everything is borrowed from the table
 * until it is freed. */
typedef struct assay_table {
    const assay_profile *profile; /* whose ids these are: the one that was given, or one that the table made of it and owns */
    uint32_t column_count;        /* 0 = no metric was measured, only calls */
    const assay_column *columns;
    uint32_t key; /* the column that rows are sorted by */
    uint32_t count;
    uint64_t left_out;         /* rows that `least` and `limit` left out */
    const assay_slice *name;   /* of the function, the path of the group, "<cycle 1>"; of a line the function that has most of its cost */
    const assay_func_id *func; /* 0 = a group or a cycle */
    const assay_file_id *file; /* where the function is defined, or the line is */
    const uint32_t *line;      /* 0 = not known */
    const assay_module_id *module;
    const uint64_t *calls;   /* of a line those that are made from it */
    const uint32_t *cycle;   /* that the function is in, or that the row is, from 1; 0 = none */
    const uint32_t *members; /* functions in the cycle that the row is; 0 = it is none */
    const assay_value *self;
    const assay_value *total; /* NULL = not known: of groups a call graph does not tell */
} assay_table;

/* Options may be NULL. *out is owned by the caller; free it before the profile is released. By file, directory and module self is the sum over the functions
 * that are defined there, and total counts a stack once, however many of its frames are there. With cycles members have the cost that leaves their cycle as
 * total, and there is a row for each cycle. Errors: MEMORY, USAGE (no such metric; cycles of groups; a total that is not known to sort by), UNSUPPORTED
 * (nothing was measured of this kind), those of stored values. */
ASSAY_API int assay_table_new(const assay_profile *p, const struct assay_table_options *options, assay_table **out, assay_error *err);
ASSAY_API void assay_table_free(assay_table *table);

#ifdef __cplusplus
}
#endif
#endif
