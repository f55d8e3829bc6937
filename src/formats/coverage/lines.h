/* Lines of formats in which a repeated line says the same thing again: the larger figures count. For readers and checks alike. */
#ifndef FORMATS_COVERAGE_LINES_H
#define FORMATS_COVERAGE_LINES_H

#include "assay/build.h"
#include "base/vec.h"

struct coverage_line {
    uint64_t key; /* file << 32 | line */
    uint64_t hits;
    uint32_t covered, total; /* branches */
    uint8_t flags;           /* enum assay_coverage_flags */
};
struct coverage_lines {
    struct coverage_line *at;
    size_t len, cap;
};
struct coverage_figures {
    uint64_t lines, lines_hit, branches, branches_hit;
    assay_wide hits;
};

/* Sorts by file and line, and joins the rows of each line. */
void coverage_lines_join(struct coverage_lines *rows);
/* Of joined rows. */
struct coverage_figures coverage_lines_count(const struct coverage_lines *rows);
/* Gives joined rows to the builder: lines, branches as n of m, and the metric hits with its total. */
void coverage_lines_build(const struct coverage_lines *rows, assay_builder *b);

#endif
