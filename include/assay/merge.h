/* Folding many profiles into one. */
#ifndef ASSAY_MERGE_H
#define ASSAY_MERGE_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Folds any number of profiles into one. What is one and the same line, function, branch, condition or region by its identity
 * (docs/model.md) becomes one row, whatever the order of the inputs:
 * - counts are added and stay at UINT64_MAX when they overflow; where one input only knows hit or not, so does the result;
 * - a branch is not evaluated (unreachable) when all inputs say so; a line is excluded when one says so, not code when all do;
 * - a line that one input saw whole is partial in none;
 * - n of m: the larger n and m, with ASSAY_COVERAGE_AT_LEAST when several inputs hit some of them. A line that has single branches in one input
 *   and a sum in another keeps the branches unless the sum knows of more;
 * - files are the same when their paths are, once they have one spelling; functions when file, name and first line agree;
 * - tests are folded into one unless keep_tests;
 * - what an input states of itself (totals, counts) is kept only if there is no other.
 * Cost: places, calls, lines and contexts that are the same are added for each metric; metrics are the same by name, and those of all inputs are
 * there. Integers stay at the nearest value when they overflow, doubles are summed exactly and rounded once. Streams are added up; events over
 * time, jumps and statistics over streams are left out.
 * What was found on the way becomes warnings of the result, with the rules P-2 and MG-1 to MG-8 (docs/merge.md). */
struct assay_merge_options {
    size_t size; /* of this structure, as in assay_read_options */
    bool keep_tests;
    bool strict;         /* two versions or checksums of one file are an error */
    uint64_t max_memory; /* bytes; 0 = no limit */
    bool together;       /* assay-mpi: assay_merger_finish joins what all processes have added, in their order */
};
typedef struct assay_merger assay_merger;

/* Owned by the caller; `options` may be NULL. NULL = no memory. */
ASSAY_API assay_merger *assay_merger_new(const struct assay_merge_options *options, assay_error *err);
ASSAY_API void assay_merger_free(assay_merger *m);
/* Takes in one more profile, which is not needed any longer when the call returns: memory grows with the result, not with the inputs. After an
 * error the merger is good for nothing but assay_merger_free. Errors: MEMORY; DAMAGED (strict, and it contradicts those before it);
 * UNSUPPORTED (it holds neither cost nor coverage, or a metric in another unit or type than before, or ticks of another clock). */
ASSAY_API int assay_merger_add(assay_merger *m, const assay_profile *p, assay_error *err);
/* The result, in the order of paths and lines, so that the same inputs give the same rows in any order. Takes `m` in every case. NULL on an
 * error: MEMORY, USAGE (nothing was added). With `together`, the first process has the result; the others get NULL without an error, and the errors of
 * assay_merger_add can come. */
ASSAY_API assay_profile *assay_merger_finish(assay_merger *m, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
