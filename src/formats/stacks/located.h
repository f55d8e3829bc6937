/* A tree -> samples with stacks of numbered locations, for writers of pprof and its descendants: which metrics are written and in which whole numbers,
 * locations and functions in the order of their first use, and stacks that are estimated where the profile has a call graph alone. */
#ifndef FORMATS_STACKS_LOCATED_H
#define FORMATS_STACKS_LOCATED_H

#include "analysis/core/frames.h"
#include "base/index.h"
#include "formats/format.h"

struct located_metric {
    assay_metric_id id;
    enum assay_type type;
    const char *unit;
    double scale; /* from its unit to the written one; 0 = as it is */
};

/* A location: lines[first .. first + count), the innermost first. */
struct located_place {
    uint32_t first, count;
};
struct located_line {
    uint32_t func, line;
};

struct located {
    const assay_profile *p;
    struct mem *mem;
    struct frames frames;
    VEC(struct located_metric) metrics;
    VEC(uint64_t) figures; /* of a sample, one for each metric */
    uint64_t rounded, saturated;
    VEC(struct located_place) places; /* locations from 1: number - 1 */
    VEC(struct located_line) lines;
    struct index place_index;
    VEC(uint64_t) stack;       /* locations of a sample, the leaf first */
    VEC(uint32_t) func_number; /* by function: its number from 1 */
    VEC(uint32_t) funcs;       /* those that are used, in order */
};

/* located_done in any case. Errors: MEMORY. */
int located_init(struct located *l, const assay_profile *p, struct mem *mem, assay_error *err);
void located_done(struct located *l);

/* As a whole number of the written unit; counts what is rounded or does not fit. */
int64_t located_figure(struct located *l, const struct located_metric *m, assay_value v);
/* l->stack of a node; false = no memory. */
bool located_stack(struct located *l, uint32_t node);
/* Numbers the functions of all locations, once these are known; false = no memory. */
bool located_number_funcs(struct located *l);
/* An address that no function is known for: such a location has no line. */
bool located_is_address(const struct located *l, uint32_t func);
/* Calls `put` with l->figures for each sample that has a cost: one for each context and set of labels, streams added up. Errors: those of put, MEMORY. */
typedef int (*located_fn)(void *arg, uint32_t node, uint32_t set, assay_error *err);
int located_each(struct located *l, located_fn put, void *arg, assay_error *err);
/* Names what no such target has: markers, counters, numbers of calls, fractions, and figures that are too large. */
void located_note_losses(const struct located *l, struct losses *to);

/* Calls `write` with the profile, or with one whose stacks are estimated, which is a loss. `name` is that of the target. Errors: UNSUPPORTED (there are neither
 * stacks nor calls, or the estimate is refused), USAGE (--metric), those of write. */
typedef int (*located_write_fn)(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int located_write(const assay_profile *p, const struct write_job *job, struct output *out, const char *name, located_write_fn write, assay_error *err);

#endif
