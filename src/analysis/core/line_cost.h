/* What source lines cost, from whichever shape of a profile says it: one file after another, line by line.
 *
 *     line_costs_init(&t, profile, mem, &err);
 *     line_costs_file(&t, file, &err);      // t.rows, t.self, ... until the next call
 *     line_costs_done(&t);
 *
 * Cost comes from the lines of the profile, else from its graph, else from a graph made of its tree. A line's total is its self cost and that of
 * the calls made from it, calls of a function to itself left out. Where lines are measured in another way than calls (NYTProf: statements by ticks, subs
 * by seconds) they have no total, and what the calls cost stands apart. */
#ifndef ANALYSIS_CORE_LINE_COST_H
#define ANALYSIS_CORE_LINE_COST_H

#include "analysis/core/value.h"
#include "analysis/coverage/view.h"
#include "assay/analysis.h"

struct line_cost {
    uint32_t line; /* 0 = cost that belongs to no line */
    bool has_hits;
    uint64_t hits;                 /* how often the profile says it was executed */
    uint64_t calls;                /* made from it */
    uint32_t callee, callee_count; /* t->callees[callee ...] */
};

/* Calls from one line to one function. */
struct line_callee {
    uint32_t row, func;
    uint32_t sum; /* place of its figures in t->callee_total, t->callee_recursive */
    uint64_t calls;
};

typedef VEC(struct sums) line_sums; /* one for each metric of a block; where there are many, those of which nothing is known have no values */

static inline assay_value line_value(const line_sums *sums, size_t k, size_t row)
{
    return sums->at[k].at ? sums_value(&sums->at[k], row) : (assay_value){ 0 };
}

struct line_costs {
    struct mem *mem;
    const assay_profile *profile; /* borrowed: that was given */
    assay_profile *made;          /* the graph of its tree, or NULL */
    uint32_t files;
    bool has_totals;
    bool calls_only;                       /* see line_costs_init_calls */
    const struct assay_block *block;       /* metrics of self and total; NULL = it says nothing of lines */
    const struct assay_block *calls_block; /* metrics of calls; NULL = there are none */
    struct view_table line_table, cost_table, arc_table;

    /* of the file at hand */
    bool has_failed; /* for want of memory */
    VEC(uint32_t) numbers;
    VEC(struct line_cost) rows;               /* by line */
    line_sums self, total;                    /* by row; line_value gives the figure */
    line_sums within;                         /* by row: inclusive cost of the calls made from it */
    VEC(struct line_callee) callees;          /* by row, the most expensive first */
    line_sums callee_total, callee_recursive; /* by line_callee.sum; recursive: of calls inside a call of the same function, which total leaves out */
};

/* Everything is borrowed until line_costs_done, which is due after a failure too. Without cost of lines block stays NULL. Errors: MEMORY, those of
 * stored values. */
int line_costs_init(struct line_costs *t, const assay_profile *p, struct mem *mem, assay_error *err);
/* The same of a graph that was read without the cost of each place: only the calls, which are known by line; files are sorted by their functions. */
int line_costs_init_calls(struct line_costs *t, const assay_profile *p, struct mem *mem, assay_error *err);
void line_costs_done(struct line_costs *t);

/* Whether anything was measured of the file. */
bool line_costs_has(const struct line_costs *t, uint32_t file);
/* Errors: MEMORY. */
int line_costs_file(struct line_costs *t, uint32_t file, assay_error *err);
/* As if nothing had been measured of the file at hand. */
void line_costs_clear(struct line_costs *t);
/* Self cost of a file as a whole, to sort by; 0 with calls_only. */
double line_costs_of(const struct line_costs *t, uint32_t file, uint32_t k);

/* The profile whose metrics and functions the figures have. */
static inline const assay_profile *line_costs_profile(const struct line_costs *t) { return t->made ? t->made : t->profile; }
/* NULL = it has none. */
const struct assay_graph *line_costs_graph(const struct line_costs *t);

#endif
