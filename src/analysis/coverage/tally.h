/* Lines and branches counted while they are read, for callers that want totals only (ASSAY_WANT_TOTALS): four bytes for a line and twelve for a
 * branch instead of rows of the model. The figures are those of assay_coverage_count: a line or branch of a file counts once, hit when one of
 * its rows is. */
#ifndef ANALYSIS_COVERAGE_TALLY_H
#define ANALYSIS_COVERAGE_TALLY_H

#include "assay/analysis.h"
#include "base/vec.h"

struct tally_branch {
    uint32_t line, block, name; /* name << 1 | was hit; block and name are the caller's numbers, name below 2^31 */
};
/* Rows of a file that follow each other. */
struct tally_part {
    size_t line, line_count, branch, branch_count;
    uint32_t file;
};
struct coverage_tally {
    struct mem *mem;
    VEC(uint32_t) lines; /* line << 1 | was hit */
    VEC(struct tally_branch) branches;
    VEC(struct tally_part) parts;
    uint32_t last_file; /* the largest so far */
    bool repeats;       /* a file comes again after another */
};

void coverage_tally_init(struct coverage_tally *t, struct mem *mem);
void coverage_tally_done(struct coverage_tally *t);
/* false = no memory; lines are below 2^31. */
bool coverage_tally_file(struct coverage_tally *t, uint32_t file);
/* Of the file named last. */
bool coverage_tally_lines(struct coverage_tally *t, const uint32_t *line, const uint64_t *hits, size_t count);
bool coverage_tally_branch(struct coverage_tally *t, uint32_t line, uint32_t block, uint32_t name, bool is_hit);
/* Fills lines and branches; once, at the end. false = no memory */
bool coverage_tally_count(struct coverage_tally *t, assay_coverage_counts *out);

#endif
