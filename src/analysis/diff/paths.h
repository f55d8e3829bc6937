/* The calling contexts of two profiles, matched: what differential flame graphs and differences by context show. A context is the same when the names of
 * the functions from the root to it are. */
#ifndef ANALYSIS_DIFF_PATHS_H
#define ANALYSIS_DIFF_PATHS_H

#include "analysis/paths/paths.h"
#include "base/intern.h"

enum paths_side { PATHS_BEFORE, PATHS_AFTER, PATHS_SIDES };

struct paths_diff_options {
    bool normalise;     /* what was before is scaled to the whole of after: shares are compared, not costs */
    enum paths_side by; /* whose totals give the order of siblings: `rows` of shown */
};

struct paths_diff {
    struct mem *mem;
    struct paths_diff_options options;
    enum assay_type type; /* of all sums: that of both, F64 when they differ */
    /* Contexts of either side, from 1; 0 stands for the whole. func is the number of a name here, calls are those of `by`; self and total are not
     * used: the sums below are by side. */
    struct paths shown;
    struct sums self[PATHS_SIDES], total[PATHS_SIDES]; /* by row; as measured, never scaled */
    uint64_t *calls[PATHS_SIDES];                      /* by row */
    uint8_t *sides;                                    /* by row: bit for each side that has it */
    size_t len;                                        /* rows */
    struct intern names;
    double scale;                   /* of what was before; 1 unless normalised */
    double largest;                 /* change of self of all rows, without sign */
    uint32_t new_count, gone_count; /* contexts that only one side has */
    double gone_self;               /* what those that are gone had cost themselves, scaled */
};

/* `before` and `after` are read only while it is made. Memory in proportion to the rows of both. Errors: MEMORY. paths_diff_done is due in either case. */
int paths_diff_init(struct paths_diff *d, struct mem *mem, const struct paths *before, const struct paths *after, const struct paths_diff_options *options,
                    assay_error *err);
void paths_diff_done(struct paths_diff *d);

/* Names last as long as `d`. "" for row 0. */
assay_slice paths_diff_name(const struct paths_diff *d, uint32_t row);
/* Figures of one side, scaled when normalised. */
double paths_diff_self(const struct paths_diff *d, enum paths_side side, uint32_t row);
double paths_diff_total(const struct paths_diff *d, enum paths_side side, uint32_t row);
/* After less before. */
static inline double paths_diff_self_change(const struct paths_diff *d, uint32_t row)
{
    return paths_diff_self(d, PATHS_AFTER, row) - paths_diff_self(d, PATHS_BEFORE, row);
}
static inline double paths_diff_total_change(const struct paths_diff *d, uint32_t row)
{
    return paths_diff_total(d, PATHS_AFTER, row) - paths_diff_total(d, PATHS_BEFORE, row);
}
/* Only one side has it. */
static inline bool paths_diff_is_new(const struct paths_diff *d, uint32_t row) { return row && d->sides[row] == 1 << PATHS_AFTER; }
static inline bool paths_diff_is_gone(const struct paths_diff *d, uint32_t row) { return row && d->sides[row] == 1 << PATHS_BEFORE; }

#endif
