/* Building a profile: the only way to fill the model. Readers use it, and so may any program that has figures of its own.
 *
 *     assay_builder *b = assay_builder_new(NULL, &err);
 *     assay_func_id f = assay_build_func(b, ...);
 *     assay_build_self(b, ...);
 *     assay_profile *p = assay_builder_seal(b, &err);   // takes b, also when it fails
 *
 * Errors (memory, too many rows) are sticky: calls after one do nothing, ids come back as 0, and seal reports it. So a reader checks
 * assay_builder_failed() now and then, not after each call. Not thread-safe: one builder, one thread. */
#ifndef ASSAY_BUILD_H
#define ASSAY_BUILD_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the caller of a reader needs, so that nobody pays for more. A reader gives the nearest shape that its format has, and may give
 * more than asked for; but bookings of the graph are ignored unless one of SUMS, ARCS, COSTS is wanted. So ask for every shape that would
 * do. */
enum assay_want {
    ASSAY_WANT_SUMS = 1,   /* cost and calls of each function */
    ASSAY_WANT_ARCS = 2,   /* calls by site */
    ASSAY_WANT_COSTS = 4,  /* self cost by place, jumps */
    ASSAY_WANT_TREE = 8,   /* merged calling contexts */
    ASSAY_WANT_WHOLE = 16, /* a node for each invocation; implies TREE */
    ASSAY_WANT_LINES = 32,
    ASSAY_WANT_TIMELINE = 64,
    ASSAY_WANT_COVERAGE = 128,
    ASSAY_WANT_COUNTS = 256,   /* also the counts that cost extra time */
    ASSAY_WANT_TOTALS = 512,   /* totals and counts will do: a tree and its functions may be left out */
    ASSAY_WANT_PAIRS = 1024,   /* who calls whom, without cost and place; beside SUMS */
    ASSAY_WANT_EITHER = 2048,  /* beside TREE: the graph only where the input has no tree */
    ASSAY_WANT_COARSE = 4096,  /* beside WHOLE, for pictures: neighbouring calls that are too short to be seen may be one node; assay/format.h says more */
    ASSAY_WANT_LABELS = 16384, /* labels of samples; beside TREE or TIMELINE */
    /* beside SUMS, COSTS, ARCS: the caller looks at sum_begin, cost_begin and arc_begin of the graph, so rows of many metrics may be short; no filter */
    ASSAY_WANT_SPARSE = 8192,
    ASSAY_WANT_GRAPH = 7,
    ASSAY_WANT_INFO = 1 | 32 | 128 | 256 | 512, /* what `info` needs: sums and counts, not where each cost stands */
    ASSAY_WANT_ALL = 511 | 16384                /* every shape, the tree with every invocation */
};

typedef struct assay_builder assay_builder;

struct assay_build_options {
    size_t size;         /* of this structure, as in assay_read_options */
    uint32_t want;       /* enum assay_want bits; 0 = everything but TREE and WHOLE */
    uint64_t max_memory; /* bytes; 0 = no limit */
    uint64_t max_string; /* bytes of one string; 0 = no limit */
    uint64_t memory;     /* as in assay_read_options: bytes that the profile may keep in memory */
};

/* Owned by the caller; `options` may be NULL. */
ASSAY_API assay_builder *assay_builder_new(const struct assay_build_options *options, assay_error *err);
ASSAY_API void assay_builder_free(assay_builder *b);
/* Sorts, sums and freezes. Takes `b` in every case. NULL on the first sticky error, or when a rule of the model is broken. */
ASSAY_API assay_profile *assay_builder_seal(assay_builder *b, assay_error *err);
/* 0, or the code of the sticky error. */
ASSAY_API int assay_builder_failed(const assay_builder *b);
ASSAY_API uint32_t assay_builder_want(const assay_builder *b);
/* The reader knows that this input gives a tree: with ASSAY_WANT_EITHER the graph is no longer wanted. */
ASSAY_API void assay_builder_has_tree(assay_builder *b);

/* ---- names: equal arguments give equal ids ---- */
ASSAY_API assay_str_id assay_build_string(assay_builder *b, const char *data, size_t len);
ASSAY_API assay_module_id assay_build_module(assay_builder *b, assay_str_id path, assay_str_id build_id);
ASSAY_API assay_file_id assay_build_file(assay_builder *b, assay_str_id path, assay_module_id module);
/* Identity: (name, file, module, offset, first_line) as given; pass 0 for what is no part of it and set it afterwards. */
ASSAY_API assay_func_id assay_build_func(assay_builder *b, assay_str_id name, assay_file_id file, assay_module_id module, uint64_t offset, uint32_t first_line);
/* A new function or file in any case: for formats whose numbers are the identity. */
ASSAY_API assay_func_id assay_build_func_new(assay_builder *b, assay_str_id name, assay_file_id file, assay_module_id module, uint64_t offset,
                                             uint32_t first_line);
ASSAY_API assay_file_id assay_build_file_new(assay_builder *b, assay_str_id path, assay_module_id module);
/* The setters below leave the identity as it was given; 0 means unknown. */
ASSAY_API void assay_build_func_place(assay_builder *b, assay_func_id f, assay_file_id file, assay_module_id module, uint64_t offset);
ASSAY_API void assay_build_func_lines(assay_builder *b, assay_func_id f, uint32_t first, uint32_t last);
ASSAY_API void assay_build_func_column(assay_builder *b, assay_func_id f, uint32_t first_column);
ASSAY_API void assay_build_func_kind(assay_builder *b, assay_func_id f, enum assay_func_kind kind, uint32_t flags);
/* The second name: mangled or demangled, whichever `name` is not. */
ASSAY_API void assay_build_func_link(assay_builder *b, assay_func_id f, assay_str_id link_name);
ASSAY_API void assay_build_file_source(assay_builder *b, assay_file_id f, assay_str_id source, assay_str_id origin);
ASSAY_API void assay_build_file_parent(assay_builder *b, assay_file_id f, assay_file_id parent, uint32_t line, uint32_t flags);

/* ---- metrics: all of them before the first value ---- */
/* Equal names give equal ids; `shapes` bits are added, 0 = every shape. */
ASSAY_API assay_metric_id assay_build_metric(assay_builder *b, const char *name, const char *unit, enum assay_type type, uint32_t shapes);
ASSAY_API void assay_build_metric_text(assay_builder *b, assay_metric_id m, const char *description, const char *formula, bool hidden);
/* States the total, in place of the sum of the self values; also of a formula metric. */
ASSAY_API void assay_build_metric_total(assay_builder *b, assay_metric_id m, assay_value total);
/* The same for a metric of unsigned integers whose total may need more than 64 bits. */
ASSAY_API void assay_build_metric_total_wide(assay_builder *b, assay_metric_id m, assay_wide total);
/* What its values say: ASSAY_METRIC_FLOW unless this is called. */
ASSAY_API void assay_build_metric_kind(assay_builder *b, assay_metric_id m, enum assay_metric_kind kind);
/* The file's own default; the last one that is said counts. Reports take it without --metric, unless its total is 0. */
ASSAY_API void assay_build_metric_default(assay_builder *b, assay_metric_id m);
/* One sample was taken for `period` events of this type and unit ("cpu", "nanoseconds"); both may be NULL. */
ASSAY_API void assay_build_metric_period(assay_builder *b, assay_metric_id m, int64_t period, const char *type, const char *unit);
ASSAY_API assay_scope_id assay_build_scope(assay_builder *b, assay_metric_id m, enum assay_scope_kind kind, const char *name, uint8_t propagation);
ASSAY_API assay_stat_id assay_build_stat(assay_builder *b, assay_scope_id s, const char *formula, enum assay_combine combine);

/* ---- streams ---- */
ASSAY_API assay_stream_id assay_build_stream(assay_builder *b, const char *label);
/* Adds an element to the tuple of the newest stream. */
ASSAY_API void assay_build_tuple(assay_builder *b, const char *kind, uint64_t logical, uint64_t physical, uint32_t flags);

/* ---- tree ---- */
struct assay_node {
    assay_node_id parent;
    uint8_t kind, relation, flags;
    assay_func_id func;
    assay_file_id file;
    uint32_t line;
    assay_module_id module;
    uint64_t offset, origin;
};
/* The child of node->parent with these fields (origin is no part of the identity), made when it is not there yet. */
ASSAY_API assay_node_id assay_build_node(assay_builder *b, const struct assay_node *node);
/* A new node in any case. The parent may have a larger id or be set later: seal renumbers. */
ASSAY_API assay_node_id assay_build_node_new(assay_builder *b, const struct assay_node *node);
ASSAY_API void assay_build_node_parent(assay_builder *b, assay_node_id node, assay_node_id parent);
/* The line of a node that was made before its call was seen. */
ASSAY_API void assay_build_node_line(assay_builder *b, assay_node_id node, uint32_t line);
ASSAY_API void assay_build_node_calls(assay_builder *b, assay_node_id node, uint64_t more);
ASSAY_API void assay_build_tree_whole(assay_builder *b);
/* Forgets the tree, its values and the events: the input turned out not to determine it. */
ASSAY_API void assay_build_tree_drop(assay_builder *b);
/* Adds to the cell. */
ASSAY_API void assay_build_value(assay_builder *b, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value value);
ASSAY_API void assay_build_summary(assay_builder *b, assay_node_id node, assay_stat_id column, assay_value value);
/* Values that stay where they are (a mapped file). `table` and `self` last as long as the profile; drop(self) is its last call. Node
 * ids must then be final: every parent before its children. */
struct assay_backing {
    int (*row)(void *self, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err);
    int (*column)(void *self, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err);
    int (*value)(void *self, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err);
    int (*summary)(void *self, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err);
    void (*drop)(void *self);
};
ASSAY_API void assay_build_backing(assay_builder *b, const struct assay_backing *table, void *self);

/* ---- samples and their labels ---- */
/* A label: its kind says whether text, number or real is the value; the others stay 0. `unit` is 0 where the file says none. */
struct assay_label {
    assay_str_id key;
    uint8_t kind; /* enum assay_label_kind */
    assay_str_id text;
    int64_t number;
    double real;
    assay_str_id unit;
};
/* Equal labels have equal ids. */
ASSAY_API assay_label_id assay_build_label(assay_builder *b, const struct assay_label *label);
/* The set of these labels, in any order, repeats allowed: equal sets have equal ids; 0 = the empty one. */
ASSAY_API assay_set_id assay_build_label_set(assay_builder *b, const assay_label_id *labels, uint32_t count);
/* Which metrics samples have, in this order, before the first of them; each gets a POINT scope. Default: every metric of trees. */
ASSAY_API void assay_build_sample_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count);
/* Adds samples that end in `node`: a value for each metric of samples. They are added to its POINT values and, with ASSAY_WANT_LABELS, to the row of this
 * stream, node and set. Memory grows with distinct (stream, node, set), so a reader need not add up before. */
ASSAY_API void assay_build_sample(assay_builder *b, assay_stream_id stream, assay_node_id node, assay_set_id set, const assay_value *values);

/* ---- graph ---- */
/* Which metrics the graph's values have, in this order, before the first of the calls below. Each `values` below points to that many
 * values; `count` says how many of them are given, the rest is 0. Default: every metric. May be called again later with more metrics
 * after the same ones (a file whose second part has another event); that costs a pass over the rows. */
ASSAY_API void assay_build_graph_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count);

struct assay_place {
    assay_stream_id stream;
    assay_func_id func;
    assay_file_id file;
    uint32_t line;
    uint64_t address;
};
/* Adds self cost to a place. */
ASSAY_API void assay_build_self(assay_builder *b, const struct assay_place *at, const assay_value *values, uint32_t count);
/* Adds a call from a place; func 0 = called from outside. */
ASSAY_API void assay_build_call(assay_builder *b, const struct assay_place *site, assay_func_id callee, uint64_t calls, const assay_value *values,
                                uint32_t count);
/* What the format knows beyond that of the call booked last: exclusive cost, recursive cost (either may be NULL), depth (maximum). */
ASSAY_API void assay_build_call_more(assay_builder *b, const assay_value *self, const assay_value *recursive, uint32_t depth);
ASSAY_API void assay_build_jump(assay_builder *b, const struct assay_place *from, const struct assay_place *to, uint64_t executed, uint64_t followed,
                                bool conditional);
/* Counts entries into a function, for formats that record each one apart from the calls. */
ASSAY_API void assay_build_entered(assay_builder *b, assay_stream_id stream, assay_func_id func, uint64_t more);
/* For formats that determine the call tree: inclusive cost of an invocation that is inside another one of the same function, and of a call (booked
 * with assay_build_call) that is inside another from the same caller to the same callee. `values` has one for each metric of the graph. They count once
 * assay_build_nesting_known was called; without it they are dropped. */
ASSAY_API void assay_build_nested(assay_builder *b, assay_stream_id stream, assay_func_id func, const assay_value *values);
ASSAY_API void assay_build_call_nested(assay_builder *b, uint32_t call, const assay_value *values);
/* The number, from 1, of the call booked last; calls from the same place to the same function have the same. 0 = none; without ASSAY_WANT_ARCS always. */
ASSAY_API uint32_t assay_build_last_call(const assay_builder *b);
ASSAY_API void assay_build_nesting_known(assay_builder *b);
/* Whether ASSAY_WANT_PAIRS, where it is wanted, is honoured from now on; pairs only show where recursion is, which nesting shows better. */
ASSAY_API void assay_build_pairs(assay_builder *b, bool is_on);
/* What the file itself says of a function: number of calls and inclusive cost. Adds when said again. */
ASSAY_API void assay_build_stated(assay_builder *b, assay_stream_id stream, assay_func_id func, uint64_t calls, const assay_value *totals, uint32_t count);
/* True once a 64-bit sum overflowed; it then holds the nearest value. */
ASSAY_API bool assay_builder_saturated(const assay_builder *b);

/* ---- lines ---- */
ASSAY_API void assay_build_line_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count);
struct assay_line {
    assay_stream_id stream;
    uint8_t level;
    assay_file_id file;
    uint32_t line;
};
/* Adds to the row of this line; `self` and `total` may be NULL. */
ASSAY_API void assay_build_line(assay_builder *b, const struct assay_line *at, uint64_t hits, const assay_value *self, const assay_value *total);

/* ---- timeline: events of one stream in any order ---- */
/* Which weights the events have: once, before the first of them. Without it they have none. */
ASSAY_API void assay_build_timeline(assay_builder *b, const assay_metric_id *weights, uint32_t weight_count);
/* What the events of a stream are (stream 0 = those without): spans or samples, and the unit of their times. Before or after them. */
ASSAY_API void assay_build_timeline_stream(assay_builder *b, assay_stream_id stream, const char *unit, bool spans);
ASSAY_API void assay_build_event(assay_builder *b, assay_stream_id stream, int64_t time, int64_t duration, assay_node_id node, const assay_value *weights);

/* The labels of the event that was added last. */
ASSAY_API void assay_build_event_set(assay_builder *b, assay_set_id set);

/* ---- markers and counters: kept where ASSAY_WANT_TIMELINE is wanted; times in ns ---- */
struct assay_marker {
    assay_stream_id stream;
    int64_t time, duration; /* duration 0 = an instant */
    assay_str_id name, category, text;
    assay_node_id node; /* context that set it */
    assay_set_id set;   /* its fields, as labels */
};
ASSAY_API void assay_build_marker(assay_builder *b, const struct assay_marker *row);
/* A counter, new in any case; `series` tells figures of one counter apart. Ids are 0 where the timeline is not wanted, and readings of 0 are ignored. */
struct assay_counter {
    assay_stream_id stream; /* 0 = of the whole */
    assay_str_id name, series, category, unit;
    uint8_t kind; /* enum assay_metric_kind */
};
ASSAY_API assay_counter_id assay_build_counter(assay_builder *b, const struct assay_counter *row);
ASSAY_API void assay_build_reading(assay_builder *b, assay_counter_id counter, int64_t time, double value);

/* ---- coverage: rows are kept as given, in order ---- */
struct assay_coverage_line {
    assay_str_id test;
    assay_file_id file;
    uint32_t line;
    uint64_t hits;
    uint8_t flags;
    assay_str_id checksum;
};
struct assay_coverage_func {
    assay_str_id test;
    assay_func_id func;
    uint64_t calls;
    uint32_t first_column, last_column, blocks, blocks_hit;
    uint8_t flags;
};
struct assay_coverage_branch {
    assay_str_id test;
    assay_file_id file;
    uint32_t line;
    assay_func_id func;
    assay_str_id block, name;
    uint32_t index;
    uint64_t hits;
    uint8_t flags;
    uint32_t column, end_line, end_column;
    int64_t target;
};
struct assay_coverage_sum {
    assay_str_id test;
    assay_file_id file;
    uint32_t line, hit, total;
    assay_str_id kind;
    uint8_t flags;
};
struct assay_coverage_condition {
    assay_file_id file;
    uint32_t line, group, index;
    uint8_t sense;
    uint64_t hits;
    assay_str_id text;
    assay_str_id test;
    uint8_t flags;
};
struct assay_coverage_region {
    assay_file_id file;
    assay_func_id func;
    uint8_t kind;
    uint64_t first, last;
    uint32_t first_column, last_column, statements;
    uint64_t hits;
};
struct assay_coverage_stated {
    assay_file_id file;
    assay_str_id scope, kind;
    double hit, total;
};
ASSAY_API void assay_build_coverage_line(assay_builder *b, const struct assay_coverage_line *row);
/* Many rows of one file and test, none with flags or checksum: as many calls of assay_build_coverage_line, at less cost. */
ASSAY_API void assay_build_coverage_lines(assay_builder *b, assay_str_id test, assay_file_id file, const uint32_t *line, const uint64_t *hits, uint32_t count);
ASSAY_API void assay_build_coverage_func(assay_builder *b, const struct assay_coverage_func *row);
ASSAY_API void assay_build_coverage_branch(assay_builder *b, const struct assay_coverage_branch *row);
/* The same for branches that have block, name, hits and flags. */
struct assay_coverage_branch_rows {
    const uint32_t *line;
    const assay_str_id *block, *name;
    const uint64_t *hits;
    const uint8_t *flags;
    uint32_t count;
};
ASSAY_API void assay_build_coverage_branches(assay_builder *b, assay_str_id test, assay_file_id file, const struct assay_coverage_branch_rows *rows);
ASSAY_API void assay_build_coverage_sum(assay_builder *b, const struct assay_coverage_sum *row);
ASSAY_API void assay_build_coverage_condition(assay_builder *b, const struct assay_coverage_condition *row);
ASSAY_API void assay_build_coverage_region(assay_builder *b, const struct assay_coverage_region *row);
ASSAY_API void assay_build_coverage_stated(assay_builder *b, const struct assay_coverage_stated *row);

/* ---- facts ---- */
ASSAY_API void assay_build_attribute(assay_builder *b, assay_stream_id stream, const char *key, size_t key_len, const char *value, size_t value_len);
/* Sets the count; `name` as in docs/model.md. */
ASSAY_API void assay_build_count(assay_builder *b, const char *name, uint64_t value);
ASSAY_API void assay_build_source(assay_builder *b, const char *format, const char *version, const char *producer);
/* Shapes that the input could give although they were not wanted. */
ASSAY_API void assay_build_offers(assay_builder *b, uint32_t shapes);
/* Copies the finding; a rule is listed at most 100 times, the rest is counted. */
ASSAY_API void assay_build_warning(assay_builder *b, const assay_finding *finding);

#ifdef __cplusplus
}
#endif
#endif
