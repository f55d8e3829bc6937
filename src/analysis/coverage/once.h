/* A report with each line once: what patch coverage and differences are counted from. */
#ifndef ANALYSIS_COVERAGE_ONCE_H
#define ANALYSIS_COVERAGE_ONCE_H

#include "analysis/sources/path_finder.h"
#include "assay/analysis.h"

struct folded {
    struct mem *mem;
    assay_profile *p;
    const struct assay_coverage *c;
    uint32_t file_count;
    uint32_t *begin; /* rows of file f, by number from 0: begin[f] .. begin[f + 1]; in the order of lines, none excluded */
    uint32_t count;  /* rows */
    uint32_t *line;
    uint8_t *state;            /* enum assay_line_state */
    struct path_finder finder; /* numbers of files, from 0 */
};

/* Errors: MEMORY, UNSUPPORTED (no coverage). folded_done in any case. */
int folded_init(struct folded *f, const assay_profile *p, const struct assay_patch_options *options, struct mem *mem, assay_error *err);
void folded_done(struct folded *f);
/* As the report has it. */
assay_slice folded_path(const struct folded *f, uint32_t file);
/* Whether the line counts as not covered. */
static inline bool folded_is_missing(uint8_t state, bool branches) { return state == ASSAY_LINE_MISSING || (branches && state == ASSAY_LINE_PARTIAL); }

#endif
