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
    SCHEMA_METRICS(MERGE_MEMBER, _)    /* total: of integers, as stated; without has_stated the sum of the values takes its place */
    struct merge_double stated_double; /* the same of doubles, exactly */
    uint32_t clock;                    /* of ticks: how many there are in a second, as text; 0 = other units, or not said */
    bool is_joined;                    /* its sums are those of another clock's metric now */
};

/* What makes a row: of a context the parent is the merger's row + 1, as of a sample its context. */
union merge_key {
    struct {
        SCHEMA_COSTS(MERGE_KEY_MEMBER, _)
    } cost;
    struct {
        SCHEMA_ARCS(MERGE_KEY_MEMBER, _)
    } arc;
    struct {
        SCHEMA_SUMS(MERGE_KEY_MEMBER, _)
        uint8_t is_stated;
    } sum;
    struct {
        SCHEMA_LINES(MERGE_KEY_MEMBER, _)
    } line;
    struct {
        SCHEMA_NODES(MERGE_KEY_MEMBER, _)
    } node;
    struct {
        SCHEMA_SAMPLES(MERGE_KEY_MEMBER, _)
    } sample;
};

enum merge_which { MERGE_COSTS, MERGE_ARCS, MERGE_STATED, MERGE_LINES, MERGE_NODES, MERGE_SAMPLES, MERGE_TABLES };
/* Counts that a table has, by the names of their columns. */
enum merge_count {
    MERGE_COUNT_calls = 0,
    MERGE_COUNT_hits = 0,
    MERGE_COUNT_stated_calls = 0,
    MERGE_COUNT_depth = 1,
    MERGE_COUNT_entered = 1,
    MERGE_COUNTS = 2
};
/* Kinds of sums that a table has; a node's column is a scope, a sample's a metric. */
enum merge_sum_kind { MERGE_SUM_total = 0, MERGE_SUM_stated_total = 0, MERGE_SUM_self = 1, MERGE_SUM_recursive = 2, MERGE_SUM_nested = 3, MERGE_SUMS = 4 };

/* Rows with counts and sums: columns[metric * MERGE_SUMS + kind]. */
struct merge_table {
    VEC(union merge_key) keys;
    struct index index;
    VEC(uint64_t) count[MERGE_COUNTS]; /* as far as a row has one */
    VEC(struct merge_column) columns;
};

struct merge_scope {
    SCHEMA_SCOPES(MERGE_MEMBER, _) /* metric: the merger's number, from 1 */
    bool is_joined;                /* as that of its metric */
};

/* Labels and sets as in assay_labels, with strings and ids of the merger; numbered from 1. The chain of a set does not depend on ids. */
struct merge_label {
    SCHEMA_LABELS(MERGE_MEMBER, _)
};
struct merge_set {
    SCHEMA_LABEL_SETS(MERGE_MEMBER, _)
};

struct merge_cost {
    VEC(struct merge_label) labels;
    VEC(struct merge_set) sets;
    struct index label_index, set_index;
    bool has_unlabelled; /* an input has contexts, and no samples by labels */
    VEC(struct merge_metric) metrics;
    VEC(struct merge_scope) scopes;
    struct merge_table tables[MERGE_TABLES];
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
/* A clock that an input has; likewise. */
int merge_clock_put(struct merge_input *in, uint32_t clock);
/* A metric as an input has it, all but the stated total of doubles; *out: its number, from 1. Errors: MEMORY, UNSUPPORTED (another unit or type). */
int merge_metric_put(struct merge_input *in, const struct merge_metric *said, uint32_t *out);
/* Numbers of a label and of a set, from 1; 0 = no memory. */
uint32_t merge_label_put(struct assay_merger *m, const struct merge_label *said);
uint32_t merge_set_put(struct assay_merger *m, const struct merge_set *said);
/* Converts ticks to those of the finest clock, once all inputs are in. Errors: MEMORY; UNSUPPORTED (several clocks, and an unknown one). */
int merge_clocks_join(struct assay_merger *m, assay_error *err);
/* Labels, sets and rows of samples of an input; nodes[id] = the merger's row + 1, metrics[id] = the merger's number from 1 (labels.c). */
int merge_samples_add(struct merge_input *in, const uint32_t *nodes, const uint32_t *metrics);
/* The row of a key, made when it is not there; UINT32_MAX = no memory. */
uint32_t merge_row(struct assay_merger *m, enum merge_which which, const union merge_key *key);
/* Adds to a count of a row, or raises it; false = no memory. */
bool merge_counted(struct assay_merger *m, enum merge_which which, enum merge_count count, uint32_t row, uint64_t more);
bool merge_largest(struct assay_merger *m, enum merge_which which, enum merge_count count, uint32_t row, uint64_t least);
static inline uint64_t merge_count_of(const struct merge_table *t, enum merge_count count, uint32_t row)
{
    return row < t->count[count].len ? t->count[count].at[row] : 0;
}
/* Folds what an input, or the metric of another clock, says of a metric into what is known of it; of totals those of integers alone. */
void merge_metric_fold(struct assay_merger *m, struct merge_metric *to, const struct merge_metric *said);
/* The place of a scope with these keys, made when it is not there; SIZE_MAX = no memory. */
size_t merge_scope_place(struct assay_merger *m, const struct merge_scope *said);
/* Column number `at` of a table, made when it is not there; NULL = no memory. */
struct merge_column *merge_column_at(struct assay_merger *m, enum merge_which which, size_t at, enum assay_type type);
/* Adds to column number `at` of a table, which is made when it is not there. */
bool merge_value(struct assay_merger *m, enum merge_which which, size_t at, enum assay_type type, uint32_t row, assay_value v);
/* Rows of samples into the builder: nodes by row, metrics (of the builder, and the merger's number from 0) of their values. */
int merge_samples_emit(struct emitter *e, const uint32_t *node_order, const assay_node_id *nodes, const assay_metric_id *metrics, const uint32_t *numbers,
                       uint32_t count);
/* Into the builder, by names and places. */
int merge_cost_emit(struct emitter *e);

#endif
