/* The builder: columns that still grow, the indexes that find their rows, and the sticky error. What it fills becomes the profile's at
 * seal without being copied. */
#ifndef MODEL_BUILDER_H
#define MODEL_BUILDER_H

#include "base/error.h"
#include "model/profile.h"

#define ID_MAX (UINT32_MAX - 2)

enum { SITE_CACHE = 4096, PAIR_CACHE = 4096, SPARSE_FROM = 17 /* metrics */ };

struct build_modules {
    uint32_t count;
    struct index index;
    struct col32 path, build_id;
};

struct build_files {
    uint32_t count;
    struct index index;
    struct col32 path, module, source, parent, parent_line, origin, flags;
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
    struct col32 name, module, file, first_line, last_line, flags, link_name, first_column;
    struct col64 offset;
    struct col8 kind;
};

struct build_metrics {
    uint32_t count;
    struct index index;
    struct col32 name, unit, description, formula, shapes;
    struct col8 type, hidden;
    struct col8 any_shape;  /* declared for every shape */
    struct col8 carried;    /* ASSAY_SHAPE_* whose values have it */
    struct col8 has_stated; /* `stated` is its total */
    struct colvalue stated;
    struct col64 stated_high; /* above the 64 bits of `stated` */
    VEC(assay_wide) total;
    struct coldouble total_double;
};

struct build_scopes {
    uint32_t count;
    struct index index;
    struct col32 metric, name;
    struct col8 kind, propagation;
};

struct build_stats {
    uint32_t count;
    struct index index;
    struct col32 scope, formula;
    struct col8 combine;
};

struct build_streams {
    uint32_t count;
    struct col32 label, tuple_begin;
    struct col32 tuple_kind, tuple_flags;
    struct col64 tuple_logical, tuple_physical;
    uint32_t tuple_count;
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

/* Rows by place: costs (callee 0) and arcs. */
struct site_table {
    uint32_t count;
    struct index index;
    struct col32 stream, func, callee, file, line;
    struct col64 address;
    struct site cache[SITE_CACHE];
};

struct sum_last {
    uint32_t stream, row; /* row from 1 */
};

struct build_jumps {
    uint32_t count;
    struct index index;
    struct col32 stream, func, to_func, file, to_file, line, to_line;
    struct col64 address, to_address, executed, followed;
    struct col8 conditional;
};

struct build_graph {
    struct build_block block;
    uint32_t sum_count;
    struct index sum_index;
    VEC(struct sum_last) last; /* by function: its newest row, so that the usual booking hashes nothing */
    struct col32 sum_stream, sum_func;
    struct col64 sum_calls, sum_calls_recursive, sum_entered;
    struct colvalue sum_self, sum_in, sum_out, sum_recursive, sum_nested;
    struct col8 has_stated;
    struct col64 stated_calls;
    struct colvalue stated_total;
    /* Rows of sums that have only as many values as they need, for many metrics: the columns above then share these places. */
    bool is_sparse;
    struct col64 sum_begin;
    struct col32 sum_len, sum_room;
    size_t sum_cells;
    struct site_table costs, arcs;
    struct colvalue cost_self;
    struct col64 arc_calls;
    struct colvalue arc_total, arc_self, arc_recursive, arc_nested;
    struct col32 arc_depth;
    uint32_t last_arc; /* from 1 */
    uint32_t pair_count;
    struct index pair_index;
    struct col32 pair_caller, pair_callee;
    uint64_t pair_cache[PAIR_CACHE]; /* caller and callee of pairs that are known */
    bool keeps_recursion, knows_nesting, skips_pairs;
    struct build_jumps jumps;
};

struct build_tree {
    uint32_t count;
    bool is_whole, has_values;
    struct index index;
    struct col32 parent, func, file, line, module;
    struct col8 kind, relation, flags;
    struct col64 offset, calls, origin;
    struct col8 scope_type, stat_type; /* enum assay_type by scope and by statistic */
    struct loose loose;
};

struct build_lines {
    struct build_block block;
    uint32_t count, last; /* last: row from 1 */
    struct index index;
    bool is_indexed; /* made when a line comes out of order */
    struct col32 stream, file, line;
    struct col8 level;
    struct col64 hits;
    struct colvalue self, total;
};

struct build_timeline {
    struct build_block block;
    struct col8 is_spans; /* by stream */
    struct col32 unit;
    uint64_t count;
    struct col32 stream, node;
    struct col64 begin;
    VEC(int64_t) time;
    VEC(int64_t) duration;
    struct colvalue weight;
};

struct build_coverage {
    struct {
        uint32_t count;
        struct col32 test, file, number, checksum;
        struct col64 hits;
        struct col8 flags;
    } line;
    struct {
        uint32_t count;
        struct col32 test, func, first_column, last_column, blocks, blocks_hit;
        struct col64 calls;
        struct col8 flags;
    } func;
    struct {
        uint32_t count;
        struct col32 test, file, line, func, block, name, index, column, end_line, end_column;
        struct col64 hits;
        struct col8 flags;
        VEC(int64_t) target;
    } branch;
    struct {
        uint32_t count;
        struct col32 test, file, line, hit, total, kind;
        struct col8 flags;
    } sum;
    struct {
        uint32_t count;
        struct col32 file, line, group, index, text, test;
        struct col8 sense, flags;
        struct col64 hits;
    } condition;
    struct {
        uint32_t count;
        struct col32 file, func, first_column, last_column, statements;
        struct col8 kind;
        struct col64 first, last, hits;
    } region;
    struct {
        uint32_t count;
        struct col32 file, scope, kind;
        struct coldouble hit, total;
    } stated;
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
    struct build_graph graph;
    struct build_tree tree;
    struct build_lines lines;
    struct build_timeline timeline;
    struct build_coverage coverage;
    struct {
        uint32_t count;
        struct col32 stream, key, value;
    } attributes;
    struct {
        uint32_t count;
        struct col32 name;
        struct col64 value;
    } counts;
};

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

#endif
