/* Cycles of a call graph: functions that call each other, directly or by way of others (strongly connected components of two and more). What a graph
 * charges for a call of one of them by another contains calls back to the first, so their totals count every level of the recursion. Where
 * recursion counts once (trees of contexts, NYTProf) there is no need of this. docs/callers.md, "Cycles". */
#ifndef ANALYSIS_CORE_CYCLES_H
#define ANALYSIS_CORE_CYCLES_H

#include "analysis/core/arcs.h"

struct cycles {
    struct mem *mem;
    uint32_t count;
    uint32_t *of;       /* by number of a function in struct arcs: its cycle, from 1; 0 = in none */
    uint32_t *members;  /* by cycle, from 1: how many functions it has */
    uint64_t *calls;    /* by cycle: calls that enter it from outside */
    uint32_t width;     /* 0 = there are no figures */
    assay_value *self;  /* [cycle * width + k]: sum of its members */
    assay_value *total; /* self, and the calls that leave it */
    /* By row of the functions table, [row * width + k]: the total of a member is its self and its calls that leave the cycle; of others as in `top`. NULL =
     * there are no cycles, or they were not asked for. */
    assay_value *member_total;
    size_t funcs_len, rows_len;
    struct arena columns;
};

/* Numbered by the largest total of a member as `top` has it, of the first metric, whatever metric is shown; then by the first member. Nothing is looked for where recursion counts once (is_exact). Cost: in proportion to functions and arcs; no recursion.
 * Without figures only who is in which cycle, for which pairs will do. Errors: MEMORY. cycles_done is due in either case. */
enum cycles_figures { CYCLES_NONE, CYCLES_OWN, CYCLES_MEMBERS /* those of each function too */ };
int cycles_init(struct cycles *c, struct mem *mem, const struct arcs *a, const assay_top *top, enum cycles_figures figures, assay_error *err);
void cycles_done(struct cycles *c);

/* The functions table with cycles taken together: members have the totals above, and after the rows of `top` there is one for each cycle, without a
 * function. *out is owned by the caller: assay_top_free. Errors: MEMORY. */
int cycles_collapse(const struct cycles *c, const assay_top *top, assay_top **out, assay_error *err);

#endif
