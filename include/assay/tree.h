/* Calling contexts as rows of a tree: top-down, bottom-up, flat, and the hot path. docs/tree.md says what each view counts.
 *
 *     assay_view_new(profile, NULL, &view, &err);
 *     for (uint32_t row = 1; row <= view->count; row++)    // view->depth[row], view->name[row], view->total[row * view->column_count]
 *     assay_view_free(view); */
#ifndef ASSAY_TREE_H
#define ASSAY_TREE_H

#include "assay/top.h"

#ifdef __cplusplus
extern "C" {
#endif

enum assay_view_kind {
    ASSAY_VIEW_TOP_DOWN = 0,
    ASSAY_VIEW_BOTTOM_UP = 1, /* functions, each with its callers below it */
    ASSAY_VIEW_FLAT = 2,      /* modules, their files and functions, and what is in them */
    ASSAY_VIEW_HOT_PATH = 3   /* from row to its largest child, as long as that has half of the cost */
};
enum assay_view_detail {
    ASSAY_VIEW_CALL_SITES = 0, /* the line of a call and the called function are one row */
    ASSAY_VIEW_CONTEXTS = 1,   /* rows as the file has them */
    ASSAY_VIEW_FUNCTIONS = 2   /* no lines, no loops, no call sites */
};
enum assay_view_sort {
    ASSAY_VIEW_SORT_DEFAULT = 0, /* total; self in bottom-up and flat views */
    ASSAY_VIEW_SORT_SELF = 1,
    ASSAY_VIEW_SORT_TOTAL = 2,
    ASSAY_VIEW_SORT_CALLS = 3,
    ASSAY_VIEW_SORT_NAME = 4
};
/* What a row is: enum assay_node_kind, and these. */
enum assay_view_row_kind { ASSAY_VIEW_ROW_MODULE = 7, ASSAY_VIEW_ROW_FILE = 8, ASSAY_VIEW_ROW_CALL = 9 };

struct assay_view_options {
    size_t size; /* sizeof(struct assay_view_options); every member after it may be 0 */
    enum assay_view_kind kind;
    enum assay_view_detail detail;
    enum assay_view_sort sort; /* of siblings */
    bool estimate;             /* a profile with a call graph and no contexts gets estimated ones (assay_estimate_new) */
    const char *metric;        /* see assay_column */
    double least;              /* share of the whole that a row must have; 0 = any */
    uint64_t limit;            /* rows, the largest; 0 = all. A bottom-up view can be as large as the square of its profile */
    uint32_t depth;            /* the deepest rows; 0 = any */
    const char *function;      /* begin with the functions of this name; NULL = with all */
};

/* Rows from the top of the page, numbered from 1; number 0 stands for the whole and has no figures but columns[].whole. Figures are
 * [row * column_count + column]. Everything is borrowed from the view until it is freed. */
typedef struct assay_view {
    const assay_profile *profile; /* whose ids these are: the one that was given, or one that the view made of it and owns */
    bool is_estimated;            /* contexts are a guess */
    uint32_t column_count;
    const assay_column *columns;
    uint32_t key; /* the column that rows are chosen and sorted by */
    uint32_t count;
    uint64_t left_out;      /* rows that `least` and `limit` left out; what is below them is not counted */
    const uint32_t *parent; /* smaller than the row; 0 = none */
    const uint32_t *depth;  /* from 1; of a hot path with a limit more than that of the parent + 1 where rows are left out */
    const uint8_t *kind;
    const assay_slice *name;   /* of the function, else the path of the file or module; {"", 0} for rows that only have a place */
    const assay_func_id *func; /* 0 = none */
    const assay_file_id *file; /* of a function where it is defined, of others where they are */
    const uint32_t *line;      /* 0 = not known */
    const assay_module_id *module;
    const uint64_t *offset;         /* of instructions */
    const assay_file_id *site_file; /* of the call: in top-down and flat views the one that leads to the row, in bottom-up views the one that leads from it */
    const uint32_t *site_line;
    const uint64_t *calls;
    const bool *has_self; /* else the self cost is not known */
    const assay_value *self, *total;
} assay_view;

/* Options may be NULL. *out is owned by the caller; free it before the profile is released. Cost: rows are made lazily, so that time and memory grow with the
 * nodes and with the rows that are looked at. Errors: MEMORY, USAGE (no such metric or function), UNSUPPORTED (the profile has no contexts, nor what they could
 * be estimated from), those of stored values. */
ASSAY_API int assay_view_new(const assay_profile *p, const struct assay_view_options *options, assay_view **out, assay_error *err);
ASSAY_API void assay_view_free(assay_view *view);

#ifdef __cplusplus
}
#endif
#endif
