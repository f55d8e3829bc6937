/* How a program scales: runs on different numbers of ranks against the first of them.
 *
 * Costs are those of all ranks together. Strong scaling: the work stays the same, so the cost should; weak: each rank has the same work, so the cost should grow as the
 * ranks do. What a run costs above that is lost, and belongs to the functions, lines or contexts whose self cost is above theirs. */
#ifndef ANALYSIS_DIFF_SCALING_H
#define ANALYSIS_DIFF_SCALING_H

#include "assay/diff.h"
#include "base/mem.h"

enum scaling_kind { SCALING_STRONG, SCALING_WEAK };

/* One figure of a row or run. NAN where it divides by nothing. */
struct scaling_cost {
    double before, ideal, after; /* of the first run; what this one should cost; what it costs */
    double loss;                 /* after - ideal: less than 0 = it got better */
    double efficiency;           /* ideal / after */
};

struct scaling_row {
    size_t row;                      /* of `diff` */
    struct scaling_cost self, total; /* total: with callees */
    double share;                    /* of the loss of the run, by self cost */
};

struct scaling_run {
    const char *path;
    uint64_t ranks;
    struct scaling_cost cost;
    double speedup; /* cost for each rank of the first run / that of this one */
    assay_profile_diff *diff;
    size_t count;
    struct scaling_row *rows; /* the largest loss first */
};

struct scaling {
    struct mem *mem;
    enum scaling_kind kind;
    size_t count;
    struct scaling_run *runs; /* [0] is the one that the others are compared with: it has no diff and no rows; the others by ranks */
    const char *metric, *unit;
};

/* Ranks of a profile; where it has none processes, else threads; 1 = it tells none apart. Errors: MEMORY. */
int scaling_ranks(const assay_profile *p, struct mem *mem, uint64_t *out, assay_error *err);

/* `runs` have path and ranks. Errors: MEMORY, USAGE (a metric that does not add up), those of assay_profile_diff_new. scaling_done is due in either case. */
int scaling_init(struct scaling *s, enum scaling_kind kind, const assay_profile *const *p, const struct scaling_run *runs, size_t count,
                 const struct assay_profile_diff_options *options, struct mem *mem, assay_error *err);
void scaling_done(struct scaling *s);

#endif
