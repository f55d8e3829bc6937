/* Rows of flame graphs that are made of other results: around one function, and of two inputs. They look like assay_paths, so that one layout serves all. */
#ifndef SERVER_ROUTES_FLAME_ROWS_H
#define SERVER_ROUTES_FLAME_ROWS_H

#include "assay/paths.h"
#include "assay/tree.h"
#include "base/arena.h"

struct flame_rows {
    struct mem mem;
    struct arena arena;
    assay_profile *profile, *other;     /* references; other: that of B, or NULL */
    assay_paths pub;                    /* the rows */
    double *before_total, *after_total; /* by row, of two inputs: what each has; NULL = of one */

    assay_view *view;
    assay_paths *before, *after;
};

/* NULL = no memory. The caller sets `profile` and `other`, whose references it takes. */
struct flame_rows *flame_rows_new(void);
void flame_rows_free(void *rows);

/* What a function calls, or its callers, wherever it is called from. Errors: those of assay_view_new. */
int flame_rows_around(struct flame_rows *f, bool callers, uint32_t func, const char *metric, double least, assay_error *err);
/* The contexts of both inputs, by the names from the root on. The width of a row is what grew and what shrank in it and below it, added up, as pprof draws
 * differences; self costs are compared. Errors: those of assay_paths_new. */
int flame_rows_merge(struct flame_rows *f, const struct assay_paths_options *options, assay_error *err);

#endif
