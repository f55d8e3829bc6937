/* The cost side of the merger: places, calls, lines and contexts by what identifies them, with sums for each metric. All streams of an input
 * are added up. */
#ifndef ANALYSIS_MERGE_COST_H
#define ANALYSIS_MERGE_COST_H

#include "analysis/merge/columns.h"
#include "analysis/merge/values.h"
#include "assay/build.h"
#include "base/index.h"

struct assay_merger;
struct merge_input;
struct emitter;

struct merge_metric {
    uint32_t name, unit, description, formula; /* strings of the merger */
    enum assay_type type;
    uint32_t clock;         /* of ticks: how many there are in a second, as text; 0 = other units, or not said */
    bool hidden, is_joined; /* joined: its sums are those of another clock's metric now */
    uint32_t shapes;        /* ASSAY_SHAPE_* that carry it */
    /* The totals that the inputs state; without one of them the sum of the values is the total. */
    assay_wide stated;
    struct merge_double stated_double;
    bool is_stated, is_not_stated;
    /* What the inputs agree on; 0 = they do not. */
    uint32_t period_type, period_unit;
    int64_t period;
    uint8_t kind, is_default;
};

/* What makes a row: each table says what its fields are. */
struct merge_key {
    uint64_t address;
    uint32_t func, other, file, line, module;
    uint32_t kind; /* bytes: kind, relation, flags of a node; level of a line */
};

/* Rows with a count and sums: columns[which * metrics + k]. */
struct merge_table {
    VEC(struct merge_key) keys;
    struct index index;
    VEC(uint64_t) count; /* calls, hits */
    VEC(struct merge_column) columns;
};

enum merge_which { MERGE_PLACES, MERGE_ARCS, MERGE_STATED, MERGE_LINES, MERGE_NODES, MERGE_SAMPLES, MERGE_TABLES };
/* Kinds of sums that a table has; a node's column is a scope. */
enum merge_sum_kind { MERGE_TOTAL = 0, MERGE_SELF = 1, MERGE_RECURSIVE = 2, MERGE_NESTED = 3, MERGE_SUMS = 4 };

struct merge_scope {
    uint32_t metric, name; /* metric from 1 */
    uint8_t kind, propagation;
    bool is_joined; /* as that of its metric */
};

/* Labels and sets as in assay_labels, with strings and ids of the merger; numbered from 1. The chain of a set does not depend on ids. */
struct merge_label {
    SCHEMA_LABELS(MERGE_MEMBER, _)
};
struct merge_set {
    uint32_t rest, label;
};

struct merge_cost {
    VEC(struct merge_label) labels;
    VEC(struct merge_set) sets;
    struct index label_index, set_index;
    bool has_unlabelled; /* an input has contexts, and no samples by labels */
    VEC(struct merge_metric) metrics;
    VEC(struct merge_scope) scopes;
    struct merge_table tables[MERGE_TABLES];
    VEC(uint32_t) depth;      /* recursion, by arc */
    VEC(uint64_t) entered;    /* by stated row */
    bool has_unknown_nesting; /* an input has a graph without knows_nesting */
    bool has_same_metrics;    /* every input has those of the first one, in the same order */
    uint64_t left_out;        /* events, jumps and statistics, which are not merged */
    uint32_t shapes;
    uint32_t clock;  /* ticks of a second, as the inputs with ticks say it, at the end the finest; 0 = none did */
    bool has_clocks; /* of several, known at the end */
};

void merge_cost_init(struct merge_cost *c, struct mem *mem);
void merge_cost_free(struct merge_cost *c, struct mem *mem);
/* Errors: MEMORY; UNSUPPORTED (a metric of another unit or type than before, ticks of a clock that cannot be converted); those of values that cannot be read. */
int merge_cost_add(struct merge_input *in);
/* The clock of a metric of that unit, of the merger. Errors: UNSUPPORTED (another one than before, and one of them is no whole number). */
int merge_clock_of(struct merge_input *in, uint32_t unit, uint32_t *clock);
/* Converts ticks to those of the finest clock, once all inputs are in. Errors: MEMORY; UNSUPPORTED (several clocks, and an unknown one). */
int merge_clocks_join(struct assay_merger *m, assay_error *err);
/* Labels, sets and rows of samples of an input; nodes[id] = the merger's row + 1, metrics[id] = the merger's number from 1 (labels.c). */
int merge_samples_add(struct merge_input *in, const uint32_t *nodes, const uint32_t *metrics);
/* The row of a key, made when it is not there; UINT32_MAX = no memory. */
uint32_t merge_row(struct assay_merger *m, enum merge_which which, const struct merge_key *key);
/* Adds to column number `at` of a table, which is made when it is not there. */
bool merge_value(struct assay_merger *m, enum merge_which which, size_t at, enum assay_type type, uint32_t row, assay_value v);
/* Rows of samples into the builder: nodes by row, metrics (of the builder, and the merger's number from 0) of their values. */
int merge_samples_emit(struct emitter *e, const uint32_t *node_order, const assay_node_id *nodes, const assay_metric_id *metrics, const uint32_t *numbers,
                       uint32_t count);
/* Into the builder, by names and places. */
int merge_cost_emit(struct emitter *e);

#endif
