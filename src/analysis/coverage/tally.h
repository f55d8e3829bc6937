/* Lines and branches counted while they are read, for callers that want totals only (ASSAY_WANT_TOTALS). The figures are those of assay_coverage_count: a line or
 * branch of a file counts once, hit when one of its rows is. Rows that come in order are counted as they come; all are kept, mostly a byte for a line and three
 * for a branch, in case that their file comes again. */
#ifndef ANALYSIS_COVERAGE_TALLY_H
#define ANALYSIS_COVERAGE_TALLY_H

#include "assay/analysis.h"
#include "base/vec.h"

struct tally_branch {
    uint32_t line, block, name; /* name << 1 | was hit; block and name are the caller's numbers, name below 2^31 */
};
/* What was counted of rows that follow each other, and whether they came in order, each once: then that is final. */
struct tally_rows {
    size_t begin; /* in the bytes */
    uint64_t count, hit;
    bool is_mixed;
};
/* Rows of a file that follow each other. */
struct tally_part {
    struct tally_rows lines, branches;
    uint32_t file;
};
struct coverage_tally {
    struct mem *mem;
    VEC(unsigned char) lines;    /* of each row a varint: the step from the line before, and whether it was hit */
    VEC(unsigned char) branches; /* of each row three: the step, the block, and the name with whether it was hit */
    VEC(struct tally_part) parts;
    uint32_t last_line; /* of the part in work; 0 = none yet */
    struct tally_branch last_branch;
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
