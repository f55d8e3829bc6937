/* The functions table by source line: cost of each line, as `annotate` shows it (analysis/core/line_cost.h). */
#ifndef ANALYSIS_CORE_TOP_LINES_H
#define ANALYSIS_CORE_TOP_LINES_H

#include "analysis/core/line_cost.h"

struct line_range {
    uint32_t first, last, func;
};

struct top_lines {
    struct mem *mem;
    struct line_costs costs;       /* whose profile the table is about: line_costs_profile */
    VEC(assay_file_id) file;       /* by row; 0 = not known */
    VEC(uint32_t) line;            /* by row; 0 = cost that belongs to no line */
    VEC(assay_func_id) func;       /* by row: the function that has most of its cost; 0 = not known */
    VEC(uint64_t) calls;           /* by row: made from it */
    VEC(assay_value) self, total;  /* by row and metric */
    bool is_short;                 /* rows end with their last figure, */
    VEC(uint64_t) begin;           /* and begin here: rows + 1 places */
    VEC(struct line_range) ranges; /* while a file is looked at: its functions */
};

/* A row for each line with a cost or a call. Self is the cost of the line itself; total, where costs.has_totals, with the calls made from it. *out is freed with
 * assay_top_free, before top_lines_done, which is due in either case. Errors: MEMORY, UNSUPPORTED (nothing was measured of lines), those of stored values. */
int top_lines_init(struct top_lines *l, const assay_profile *p, struct mem *mem, assay_top **out, assay_error *err);
void top_lines_done(struct top_lines *l);

#endif
