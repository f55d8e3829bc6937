/* The builder: columns that still grow, the indexes that find their rows, and the sticky error. What it fills becomes the profile's at
 * seal without being copied. */
#ifndef MODEL_BUILDER_H
#define MODEL_BUILDER_H

#include "base/error.h"
#include "model/profile.h"
#include "model/schema.h"

#define ID_MAX (UINT32_MAX - 2)

enum { SITE_CACHE = 4096, PAIR_CACHE = 4096, SPARSE_FROM = 17 /* metrics */ };

/* Each table begins with its count, and has a column for each line of its list in schema.def. */

struct build_modules {
    uint32_t count;
    struct index index;
    SCHEMA_MODULES(SCHEMA_COLUMN, _)
};

struct build_files {
    uint32_t count;
    struct index index;
    SCHEMA_FILES(SCHEMA_COLUMN, _)
};

/* A function as it was first given: the identity stays when its place or lines are set afterwards. */
struct func_key {
    uint64_t offset;
    uint32_t name, file, module, first_line;
};

struct build_funcs {
    uint32_t count;
    struct index index;
    VEC(struct func_key) keys; /* of those in the index */
    SCHEMA_FUNCS(SCHEMA_COLUMN, _)
};

struct build_metrics {
    uint32_t count;
    struct index index;
    SCHEMA_METRICS(SCHEMA_COLUMN, _)
    struct col8 any_shape;    /* declared for every shape */
    struct col8 carried;      /* ASSAY_SHAPE_* whose values have it */
    struct colvalue stated;   /* its total, with has_stated */
    struct col64 stated_high; /* above the 64 bits of `stated` */
};

struct build_scopes {
    uint32_t count;
    struct index index;
    SCHEMA_SCOPES(SCHEMA_COLUMN, _)
};

struct build_stats {
    uint32_t count;
    struct index index;
    SCHEMA_STATS(SCHEMA_COLUMN, _)
};

struct build_streams {
    uint32_t count;
    SCHEMA_STREAMS(SCHEMA_COLUMN, _)
};

struct build_tuples {
    uint32_t count;
    SCHEMA_TUPLES(SCHEMA_COLUMN, _)
};

/* The metrics of a table's values. */
struct build_block {
    bool is_set;
    uint32_t count;
    struct col32 metrics;
    struct col8 types;
    int same; /* the one enum assay_type of all, or -1 */
};

/* One place where something is booked; `row` counts from 1. */
struct site {
    uint64_t address;
    uint32_t stream, func, callee, file, line, row;
};

/* Rows that have only as many values as they need, for many metrics: the columns of values of a table then share these places, with its columns
 * `begin` and `len`. */
struct short_rows {
    struct col32 room;
    size_t cells;
};

/* Rows by place: arcs, and costs, which have some of their columns (callee 0). */
struct site_table {
    uint32_t count;
    struct index index;
    SCHEMA_ARCS(SCHEMA_COLUMN, _)
    struct short_rows rows;
    struct site cache[SITE_CACHE];
};

struct sum_last {
    uint32_t stream, row; /* row from 1 */
    uint32_t caller;      /* the newest one that called it */
    uint32_t pairs;       /* where the pairs begin of which it is the caller, from 1, while they are in a row; then PAIRS_INDEXED */
};

struct build_sums {
    uint32_t count;
    struct index index;
    VEC(struct sum_last) last; /* by function: what is newest of it, so that the usual booking hashes nothing */
    SCHEMA_SUMS(SCHEMA_COLUMN, _)
    struct short_rows rows;
};

struct build_pairs {
    uint32_t count;
    struct index index;
    SCHEMA_PAIRS(SCHEMA_COLUMN, _)
    uint32_t newest_caller;     /* of the newest pair */
    uint64_t cache[PAIR_CACHE]; /* caller and callee of pairs that were looked for */
    bool is_first_run;          /* it has added no other pairs than the newest in a row */
};

struct build_jumps {
    uint32_t count;
    struct index index;
    SCHEMA_JUMPS(SCHEMA_COLUMN, _)
};

struct build_labels {
    uint32_t count;
    struct index index;
    SCHEMA_LABELS(SCHEMA_COLUMN, _)
};

struct build_label_sets {
    uint32_t count;
    struct index index;
    SCHEMA_LABEL_SETS(SCHEMA_COLUMN, _)
    VEC(uint32_t) scratch; /* labels of the set that is being made */
};

struct build_samples {
    uint32_t count;
    struct build_block block;
    struct index index;
    struct col32 scopes; /* by metric of the block: its POINT scope */
    SCHEMA_SAMPLES(SCHEMA_COLUMN, _)
};

struct build_graph {
    struct build_block block;
    struct build_sums sums;
    struct site_table costs, arcs;
    bool is_sparse;    /* rows of sums, costs and arcs are short */
    uint32_t last_arc; /* from 1 */
    struct build_pairs pairs;
    bool keeps_recursion, knows_nesting, skips_pairs;
    struct build_jumps jumps;
};

struct build_tree {
    uint32_t count;
    bool is_whole, has_values;
    struct index index;
    SCHEMA_NODES(SCHEMA_COLUMN, _)
    struct col8 scope_type, stat_type; /* enum assay_type by scope and by statistic */
    struct loose loose;
};

struct build_lines {
    uint32_t count, last; /* last: row from 1 */
    struct build_block block;
    struct index index;
    bool is_indexed; /* made when a line comes out of order */
    SCHEMA_LINES(SCHEMA_COLUMN, _)
};

struct build_timelines {
    uint32_t count; /* of streams; known at seal */
    SCHEMA_TIMELINES(SCHEMA_COLUMN, _)
};

struct build_timeline {
    uint64_t count;
    struct build_block block;
    struct build_timelines streams;
    struct col32 stream; /* by event */
    SCHEMA_EVENTS(SCHEMA_COLUMN, _)
};

/* clang-format off */
struct build_coverage_line { uint32_t count; SCHEMA_COVERAGE_LINES(SCHEMA_COLUMN, _) };
struct build_coverage_func { uint32_t count; SCHEMA_COVERAGE_FUNCS(SCHEMA_COLUMN, _) };
struct build_coverage_branch { uint32_t count; SCHEMA_COVERAGE_BRANCHES(SCHEMA_COLUMN, _) };
struct build_coverage_sum { uint32_t count; SCHEMA_COVERAGE_SUMS(SCHEMA_COLUMN, _) };
struct build_coverage_condition { uint32_t count; SCHEMA_COVERAGE_CONDITIONS(SCHEMA_COLUMN, _) };
struct build_coverage_region { uint32_t count; SCHEMA_COVERAGE_REGIONS(SCHEMA_COLUMN, _) };
struct build_coverage_stated { uint32_t count; SCHEMA_COVERAGE_STATED(SCHEMA_COLUMN, _) };
struct build_attributes { uint32_t count; SCHEMA_ATTRIBUTES(SCHEMA_COLUMN, _) };
struct build_counts { uint32_t count; SCHEMA_COUNTS(SCHEMA_COLUMN, _) };
struct build_markers { uint32_t count; SCHEMA_MARKERS(SCHEMA_COLUMN, _) };
struct build_counters { uint32_t count; SCHEMA_COUNTERS(SCHEMA_COLUMN, _) };
struct build_readings { uint32_t count; SCHEMA_READINGS(SCHEMA_COLUMN, _) };
/* clang-format on */

struct build_coverage {
    struct build_coverage_line line;
    struct build_coverage_func func;
    struct build_coverage_branch branch;
    struct build_coverage_sum sum;
    struct build_coverage_condition condition;
    struct build_coverage_region region;
    struct build_coverage_stated stated;
};

struct assay_builder {
    assay_profile *p; /* owned: strings, warnings, values and memory are there from the beginning */
    struct mem *mem;  /* p's */
    int code;         /* of the sticky error */
    assay_error error;
    uint32_t want;
    bool saturated;
    uint64_t max_string; /* of a string */
    struct build_modules modules;
    struct build_files files;
    struct build_funcs funcs;
    struct build_metrics metrics;
    struct build_scopes scopes;
    struct build_stats stats;
    struct build_streams streams;
    struct build_tuples tuples;
    struct build_labels labels;
    struct build_label_sets label_sets;
    struct build_graph graph;
    struct build_tree tree;
    struct build_lines lines;
    struct build_timeline timeline;
    struct build_samples samples;
    struct build_markers markers;
    struct build_counters counters;
    struct build_readings readings;
    struct build_coverage coverage;
    struct build_attributes attributes;
    struct build_counts counts;
};

/* By schema.def: how many rows or ids a table has so far, its block, and a column. */
static inline uint64_t builder_count(const struct assay_builder *b, const struct schema_table *t)
{
    const void *at = (const char *)b + t->build_at;
    return t->has_wide_count ? *(const uint64_t *)at : *(const uint32_t *)at;
}
static inline struct build_block *builder_block(const struct assay_builder *b, const struct schema_table *t)
{
    return (struct build_block *)(void *)((char *)(uintptr_t)b + t->build_block_at);
}
static inline void *builder_column(const struct assay_builder *b, const struct schema_table *t, const struct schema_column *c)
{
    return (char *)(uintptr_t)b + t->build_at + c->build_at;
}

/* Makes the error sticky unless there is one; returns the sticky code. */
int builder_fail(struct assay_builder *b, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int builder_no_memory(struct assay_builder *b);
/* The next id (or row number + 1) of a table of `count`; 0 = the table is full, said as an error. */
uint32_t builder_next(struct assay_builder *b, uint32_t count, const char *what);
/* Says as an error that there is no such id; returns false. */
bool builder_has_not(struct assay_builder *b, uint32_t id, uint32_t count, const char *what);
/* false = there is no such id, said as an error; 0 is always fine. */
static inline bool builder_has(struct assay_builder *b, uint32_t id, uint32_t count, const char *what)
{
    return id <= count || builder_has_not(b, id, count, what);
}
static inline bool builder_has_string(struct assay_builder *b, uint32_t id) { return builder_has(b, id, intern_count(&b->p->strings), "string"); }
/* The id of a terminated text; 0 for NULL, and on error. */
uint32_t builder_text(struct assay_builder *b, const char *text);

/* Sets a field of a row. */
static inline void put8(struct assay_builder *b, struct col8 *c, size_t row, uint8_t v)
{
    if (row >= c->len && (v == 0 || (!column_reach(b->mem, c, row + 1) && builder_no_memory(b)))) return;
    c->at[row] = v;
}
static inline void put32(struct assay_builder *b, struct col32 *c, size_t row, uint32_t v)
{
    if (row >= c->len && (v == 0 || (!column_reach(b->mem, c, row + 1) && builder_no_memory(b)))) return;
    c->at[row] = v;
}
static inline void put64(struct assay_builder *b, struct col64 *c, size_t row, uint64_t v)
{
    if (row >= c->len && (v == 0 || (!column_reach(b->mem, c, row + 1) && builder_no_memory(b)))) return;
    c->at[row] = v;
}

static inline void put_int(struct assay_builder *b, struct colint *c, size_t row, int64_t v)
{
    if (row >= c->len && (v == 0 || (!column_reach(b->mem, c, row + 1) && builder_no_memory(b)))) return;
    c->at[row] = v;
}
static inline void put_double(struct assay_builder *b, struct coldouble *c, size_t row, double v)
{
    if (row >= c->len && !column_reach(b->mem, c, row + 1) && builder_no_memory(b)) return;
    c->at[row] = v;
}

/* By type: is the id of a row there, and putting a field of it; for lists of schema.def in a function that has `b`. */
#define ROW_HAS_STRING(x) builder_has_string(b, (x).v)
#define ROW_HAS_MODULE(x) builder_has(b, (x).v, b->modules.count, "module")
#define ROW_HAS_FILE(x) builder_has(b, (x).v, b->files.count, "file")
#define ROW_HAS_FUNC(x) builder_has(b, (x).v, b->funcs.count, "function")
#define ROW_HAS_NODE(x) true /* the parent of a node may come later: seal looks at it */
#define ROW_HAS_STREAM(x) builder_has(b, (x).v, b->streams.count, "stream")
#define ROW_HAS_SET(x) builder_has(b, (x).v, b->label_sets.count, "label set")
#define ROW_HAS_COUNTER(x) builder_has(b, (x).v, b->counters.count, "counter")
#define ROW_HAS_BOOL(x) true
#define ROW_HAS_WORD(x) true
#define ROW_HAS_FLAGS(x) true
#define ROW_HAS_U32(x) true
#define ROW_HAS_U64(x) true
#define ROW_HAS_I64(x) true
#define ROW_HAS_F64(x) true
#define ROW_BITS_STRING(x) (x).v
#define ROW_BITS_MODULE(x) (x).v
#define ROW_BITS_FILE(x) (x).v
#define ROW_BITS_WORD(x) (x)
#define ROW_BITS_U32(x) (x)
#define ROW_BITS_U64(x) (x)
#define ROW_PUT_STRING(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_MODULE(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_FILE(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_FUNC(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_NODE(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_STREAM(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_SET(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_COUNTER(c, i, x) put32(b, (c), (i), (x).v)
#define ROW_PUT_BOOL(c, i, x) put8(b, (c), (i), (x))
#define ROW_PUT_WORD(c, i, x) put8(b, (c), (i), (x))
#define ROW_PUT_FLAGS(c, i, x) put8(b, (c), (i), (x))
#define ROW_PUT_U32(c, i, x) put32(b, (c), (i), (x))
#define ROW_PUT_U64(c, i, x) put64(b, (c), (i), (x))
#define ROW_PUT_I64(c, i, x) put_int(b, (c), (i), (x))
#define ROW_PUT_F64(c, i, x) put_double(b, (c), (i), (x))

/* Adds to a counter; it stays at the largest value when it overflows. */
static inline void count_add(struct assay_builder *b, uint64_t *to, uint64_t more)
{
    if (!__builtin_add_overflow(*to, more, to)) return;
    *to = UINT64_MAX;
    b->saturated = true;
}
static inline void add64(struct assay_builder *b, struct col64 *c, size_t row, uint64_t more)
{
    if (row >= c->len && (more == 0 || (!column_reach(b->mem, c, row + 1) && builder_no_memory(b)))) return;
    count_add(b, &c->at[row], more);
}

/* ---- blocks of values ---- */

/* Fixes the metrics of a block: those given, or with metrics == NULL all that are declared for `shape` and are no formula. */
void block_set(struct assay_builder *b, struct build_block *block, const assay_metric_id *metrics, uint32_t count, uint32_t shape);
/* Adds the metrics from the block's count on. */
void block_extend(struct assay_builder *b, struct build_block *block, const assay_metric_id *metrics, uint32_t count, uint32_t shape);
void block_add_mixed(struct assay_builder *b, const struct build_block *block, assay_value *to, const assay_value *more, uint32_t count);

/* Adds `count` values; the usual block has integers of one type. */
static inline void block_add(struct assay_builder *b, const struct build_block *block, assay_value *to, const assay_value *more, uint32_t count)
{
    if (block->same == ASSAY_I64) {
        for (uint32_t k = 0; k < count; k++)
            if (__builtin_expect(!value_add(ASSAY_I64, &to[k], more[k]), 0)) b->saturated = true;
    } else if (block->same == ASSAY_U64) {
        for (uint32_t k = 0; k < count; k++)
            if (__builtin_expect(!value_add(ASSAY_U64, &to[k], more[k]), 0)) b->saturated = true;
    } else {
        block_add_mixed(b, block, to, more, count);
    }
}
/* The same into a row of a column that may be shorter yet. */
void block_add_row(struct assay_builder *b, const struct build_block *block, struct colvalue *column, uint32_t row, const assay_value *more);

/* ---- sealing; each returns the sticky code ---- */

/* Adds to a cell of the tree, or of the summary (stream VALUE_SUMMARY). */
void values_add(struct assay_builder *b, uint32_t stream, uint32_t node, uint32_t column, assay_value value);
/* Orders the nodes parents first, and whatever speaks of nodes with them. */
int seal_tree(struct assay_builder *b);
/* Brings the loose cells into the runs, and drops zeros. `map` (may be NULL): old node -> new node. */
int seal_values(struct assay_builder *b, const uint32_t *map);
int seal_timeline(struct assay_builder *b);
int seal_totals(struct assay_builder *b);
/* Labels: sets refer to sets before them, and rows of samples are dropped where no sample has a label. */
int seal_labels(struct assay_builder *b);

#endif
