/* Which of a set of paths is meant by another: the same in its one spelling, else the one that ends with it, or that it ends with. */
#ifndef ANALYSIS_SOURCES_PATH_FINDER_H
#define ANALYSIS_SOURCES_PATH_FINDER_H

#include "assay/model.h"
#include "base/arena.h"

struct path_finder {
    struct mem *mem;
    struct arena text;
    assay_slice *path; /* in their one spelling, by number */
    uint32_t *by_end;  /* numbers in the order of the reversed texts */
    uint32_t count;
};

/* Numbers are those of `paths`, from 0. Errors: MEMORY; path_finder_done in any case. */
int path_finder_init(struct path_finder *f, const assay_slice *paths, uint32_t count, struct mem *mem, assay_error *err);
void path_finder_done(struct path_finder *f);
/* The number, or UINT32_MAX = none, or several without one that is the same. `path` is in its one spelling. */
uint32_t path_finder_find(const struct path_finder *f, assay_slice path);
/* The number of the same path only, or UINT32_MAX. */
uint32_t path_finder_same(const struct path_finder *f, assay_slice path);

#endif
