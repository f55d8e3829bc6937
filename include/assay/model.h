/* The model: what a profile or coverage file IS, whatever program wrote it.
 *
 * An assay_profile is immutable and reference-counted; any number of threads may read it. It is a set of column tables: each table
 * says how many rows it has and gives one array for each field. A column that no row fills is NULL and means "0 in every row".
 * Ids are dense and start at 1; 0 means "none"; entry 0 of every id-indexed column exists and is zero. So a table of `count` items
 * has `count + 1` entries. Tables without ids (costs, arcs, ...) have rows 0 .. count-1.
 * Every pointer is borrowed from the profile and lasts until its last reference is released.
 * docs/model.md maps every format onto these tables. */
#ifndef ASSAY_MODEL_H
#define ASSAY_MODEL_H

#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes; `data` of a profile's strings is also terminated by a NUL that does not count. {NULL, 0} = none. Not necessarily UTF-8. */
typedef struct assay_slice {
    const char *data;
    size_t len;
} assay_slice;

typedef struct {
    uint32_t v;
} assay_str_id;
typedef struct {
    uint32_t v;
} assay_module_id;
typedef struct {
    uint32_t v;
} assay_file_id;
typedef struct {
    uint32_t v;
} assay_func_id;
typedef struct {
    uint32_t v;
} assay_metric_id;
typedef struct {
    uint32_t v;
} assay_scope_id;
typedef struct {
    uint32_t v;
} assay_stat_id;
typedef struct {
    uint32_t v;
} assay_stream_id;
typedef struct {
    uint32_t v;
} assay_node_id;
typedef struct {
    uint32_t v;
} assay_label_id;
typedef struct {
    uint32_t v;
} assay_set_id;
typedef struct {
    uint32_t v;
} assay_counter_id;

/* ---- names ------------------------------------------------------------------------------------------------------------------ */

struct assay_modules {
    uint32_t count;
    const assay_str_id *path;
    const assay_str_id *build_id; /* hex text */
};

struct assay_files {
    uint32_t count;
    const assay_str_id *path;      /* as the file has it */
    const assay_module_id *module; /* 0 = files are not bound to modules in this format */
    const assay_str_id *source;    /* embedded source text */
    const assay_file_id *parent;   /* the file that evaluated this text */
    const uint32_t *parent_line;
    const assay_str_id *origin; /* where the content came from: blob id, checksum, revision */
    const uint32_t *flags;      /* the format's own */
};

enum assay_func_kind {
    ASSAY_FUNC_PLAIN = 0,
    ASSAY_FUNC_INTERNAL = 1,   /* part of the language's runtime (xsub, php:: function) */
    ASSAY_FUNC_OPCODE = 2,     /* an operation of the interpreter */
    ASSAY_FUNC_PLACEHOLDER = 3 /* stands for something that is no code: <program root>, <unknown> */
};

/* A bit of funcs.flags: the place is part of the identity, so reports append line and column to the file. The flags of a format's own
 * are the lower 24 bits; bits 24 to 31 belong to the model. */
#define ASSAY_FUNC_BY_PLACE 0x80000000u

/* The identity of a function is what the format says; two rows are two functions. */
struct assay_funcs {
    uint32_t count;
    const assay_str_id *name;
    const assay_module_id *module;
    const assay_file_id *file;
    const uint32_t *first_line, *last_line; /* 0 = unknown */
    const uint64_t *offset;                 /* in the module; without a module the function's number in the file */
    const uint8_t *kind;                    /* enum assay_func_kind */
    const uint32_t *flags;                  /* the format's own (24 bits), ASSAY_FUNC_BY_PLACE */
    const assay_str_id *link_name;          /* the other name: mangled where `name` is for people, demangled where `name` is the linker's */
    const uint32_t *first_column;           /* of first_line; 0 = unknown */
};

/* ---- metrics ---------------------------------------------------------------------------------------------------------------- */

typedef union assay_value {
    uint64_t u;
    int64_t i;
    double d;
} assay_value;

enum assay_type { ASSAY_U64 = 0, ASSAY_I64 = 1, ASSAY_F64 = 2 };

/* 128 bits, two's complement: an exact sum of 64-bit values. */
typedef struct assay_wide {
    uint64_t low;
    int64_t high;
} assay_wide;

/* What its values say: how much there was of something (time spent, bytes allocated), or how much there is at a moment (bytes in use). */
enum assay_metric_kind { ASSAY_METRIC_FLOW = 0, ASSAY_METRIC_LEVEL = 1 };

struct assay_metrics {
    uint32_t count;
    const assay_str_id *name;
    const assay_str_id *unit;        /* count, ns, us, 10ns, s, bytes, cycles, hits, ... */
    const assay_str_id *description; /* long name */
    const assay_str_id *formula;     /* kept as text; such a metric has no values of its own, but may have a stated total */
    const uint8_t *type;             /* enum assay_type */
    const uint8_t *hidden;           /* not shown by default */
    const uint32_t *shapes;          /* ASSAY_SHAPE_* that carry it */
    /* What the reader stated; else the exact sum of the self values in ONE shape, for shapes are views of the same cost: the first that
     * carries the metric of graph, lines (level LINE only), tree (POINT scope, else EXECUTION at the nodes without parent), timeline. */
    const assay_wide *total;    /* integers */
    const double *total_double; /* doubles: the sum correctly rounded; integers: `total` rounded */
    const uint8_t *has_stated;  /* the reader stated the total; a formula metric has one only then */
    const uint8_t *kind;        /* enum assay_metric_kind */
    const uint8_t *is_default;  /* the file's own default: 1 for at most one metric */
    const int64_t *period;      /* one sample was taken for so many events; 0 = not said */
    const assay_str_id *period_type, *period_unit;
};

enum assay_scope_kind {
    ASSAY_SCOPE_POINT = 0,     /* the node itself */
    ASSAY_SCOPE_FUNCTION = 1,  /* the node and what lies below it inside the same function */
    ASSAY_SCOPE_LEX_AWARE = 2, /* as function, without nested loops */
    ASSAY_SCOPE_EXECUTION = 3, /* everything below: inclusive */
    ASSAY_SCOPE_CUSTOM = 4     /* by propagation bit, or by its name */
};

/* A scope is one column of the tree's values: a metric seen in one way. Every metric of a tree has at least one. */
struct assay_scopes {
    uint32_t count;
    const assay_metric_id *metric;
    const uint8_t *kind;        /* enum assay_scope_kind */
    const uint8_t *propagation; /* bit of a custom scope */
    const assay_str_id *name;   /* of a custom scope; "call" = what the caller was charged for this node */
};

enum assay_combine { ASSAY_COMBINE_SUM = 0, ASSAY_COMBINE_MIN = 1, ASSAY_COMBINE_MAX = 2 };

/* A statistic is one column of the summary over all streams. */
struct assay_stats {
    uint32_t count;
    const assay_scope_id *scope;
    const assay_str_id *formula; /* of each stream's value, e.g. "$$", "1", "($$^2)" */
    const uint8_t *combine;      /* enum assay_combine */
};

/* ---- streams ---------------------------------------------------------------------------------------------------------------- */

/* Processes, threads, ranks, GPU streams, parts of a file. A profile without any has none; its rows then say stream 0. */
struct assay_streams {
    uint32_t count;
    const assay_str_id *label;
    const uint32_t *tuple_begin; /* elements tuple_begin[s] .. tuple_begin[s + 1]; has count + 2 entries */
    uint32_t tuple_count;
    const assay_str_id *tuple_kind; /* NODE, RANK, THREAD, PART, ... */
    const uint64_t *tuple_logical, *tuple_physical;
    const uint32_t *tuple_flags;
};

/* ---- shapes of cost --------------------------------------------------------------------------------------------------------- */

enum assay_shape {
    ASSAY_SHAPE_TREE = 1,
    ASSAY_SHAPE_GRAPH = 2,
    ASSAY_SHAPE_LINES = 4,
    ASSAY_SHAPE_TIMELINE = 8,
    ASSAY_SHAPE_COVERAGE = 16,
    ASSAY_SHAPE_LABELS = 32
};

enum assay_node_kind {
    ASSAY_NODE_FUNCTION = 0,
    ASSAY_NODE_ENTRY = 1, /* where a stack begins: program root, thread root, partial unwind */
    ASSAY_NODE_INLINED = 2,
    ASSAY_NODE_LOOP = 3,
    ASSAY_NODE_LINE = 4,
    ASSAY_NODE_INSTRUCTION = 5,
    ASSAY_NODE_OTHER = 6
};

enum assay_relation { ASSAY_RELATION_LEXICAL = 0, ASSAY_RELATION_CALL = 1, ASSAY_RELATION_INLINED_CALL = 2, ASSAY_RELATION_OTHER = 3 };

enum assay_node_flags {
    ASSAY_NODE_NO_PLACE = 1,    /* has values, but the file does not say where it stands: parent 0, yet no root */
    ASSAY_NODE_CALL_UNKNOWN = 2 /* the path above it was not unwound */
};

/* Calling contexts. parent id < child id, siblings in the order of first use. Merged: a node for each context. Whole: a node for each
 * invocation, siblings in time order.
 * The function that a node belongs to is that of its enclosing function node: the nearest of itself and its ancestors that is FUNCTION
 * or INLINED, or has a func of its own, or is reached by a call. So LINE, LOOP and INSTRUCTION nodes need no func. A node that belongs to an
 * ENTRY belongs to no function. */
struct assay_tree {
    uint32_t count;
    bool is_whole;
    const assay_node_id *parent; /* 0 = a root, unless flags has ASSAY_NODE_NO_PLACE */
    const uint8_t *kind;         /* enum assay_node_kind */
    const uint8_t *relation;     /* to the parent: enum assay_relation */
    const uint8_t *flags;        /* enum assay_node_flags */
    const assay_func_id *func;
    const assay_file_id *file;
    const uint32_t *line; /* of the call in the parent for call relations, of the node itself otherwise */
    const assay_module_id *module;
    const uint64_t *offset;
    const uint64_t *calls;  /* how often entered */
    const uint64_t *origin; /* the node's number in the file */
};

/* One value of the tree. */
typedef struct assay_cell {
    uint32_t node;   /* assay_node_id; 0 = the whole profile */
    uint32_t column; /* assay_scope_id, in summaries assay_stat_id */
    assay_value value;
} assay_cell;

/* A dense block of values: row-major, value(row, k) = values[row * metric_count + k] of metric metrics[k]. */
struct assay_block {
    uint32_t metric_count;
    const assay_metric_id *metrics;
};

/* Who calls whom, and what each function costs. All tables are in the order of first use. */
struct assay_graph {
    struct assay_block block; /* of every value array below */

    /* One row for each (stream, function) with a cost or a call. */
    uint32_t sum_count;
    const assay_stream_id *sum_stream;
    const assay_func_id *sum_func;
    const assay_value *sum_self;
    const uint64_t *sum_calls;           /* calls to it, direct recursion included */
    const uint64_t *sum_calls_recursive; /* calls from itself */
    const assay_value *sum_in;           /* inclusive cost of calls to it, direct recursion left out */
    const assay_value *sum_out;          /* inclusive cost of calls it makes, direct recursion left out */
    const assay_value *sum_recursive;    /* inclusive cost of calls from itself */
    const uint64_t *sum_entered;         /* how often it was entered, where the format records that apart from calls; NULL otherwise */
    const assay_value *sum_nested;       /* with knows_nesting: inclusive cost of invocations inside another one of the same function; NULL = none is */
    /* What the file itself says of a function; NULL when it says nothing. has_stated[row] says which rows it fills. */
    const uint8_t *has_stated;
    const uint64_t *stated_calls;
    const assay_value *stated_total;

    /* Self cost by place. */
    uint32_t cost_count;
    const assay_stream_id *cost_stream;
    const assay_func_id *cost_func;
    const assay_file_id *cost_file; /* where the code stands: differs from the function's file for inlined code */
    const uint32_t *cost_line;
    const uint64_t *cost_address;
    const assay_value *cost_self;

    /* Calls by site. */
    uint32_t arc_count;
    const assay_stream_id *arc_stream;
    const assay_func_id *arc_caller, *arc_callee; /* caller 0 = called from outside, or the file does not say from where */
    const assay_file_id *arc_file;                /* of the call site */
    const uint32_t *arc_line;
    const uint64_t *arc_address;
    const uint64_t *arc_calls;
    const assay_value *arc_total;     /* inclusive */
    const assay_value *arc_self;      /* exclusive, where the format knows it; NULL otherwise */
    const assay_value *arc_recursive; /* inclusive cost of recursive calls where the format keeps it apart */
    const uint32_t *arc_depth;        /* deepest recursion */
    const assay_value *arc_nested; /* with knows_nesting: what of arc_total is inside another call from the same caller to the same callee; NULL = nothing is */

    /* Who calls whom, where only that was wanted (ASSAY_WANT_PAIRS): each pair once, a function that calls itself left out. */
    uint32_t pair_count;
    const assay_func_id *pair_caller, *pair_callee;
    /* The format keeps the cost of calls apart that are below another of the same function: totals and arcs count recursion once. */
    bool keeps_recursion;
    /* The input determined the call tree: sum_nested and arc_nested are exact, sum_entered counts every invocation, and the total of a function is
     * sum_self + sum_out + sum_recursive - sum_nested. */
    bool knows_nesting;

    /* With ASSAY_WANT_SPARSE, where there are many metrics: the values of row i in the columns of sums and stated_total stand from sum_begin[i] on, of the
     * first sum_len[i] metrics; the others are 0. The same of costs by place and of calls by site. NULL = rows are full, as everywhere else. */
    const uint64_t *sum_begin, *cost_begin, *arc_begin;
    const uint32_t *sum_len, *cost_len, *arc_len;

    uint32_t jump_count;
    const assay_stream_id *jump_stream;
    const assay_func_id *jump_func, *jump_to_func;
    const assay_file_id *jump_file, *jump_to_file;
    const uint32_t *jump_line, *jump_to_line;
    const uint64_t *jump_address, *jump_to_address;
    const uint64_t *jump_executed, *jump_followed;
    const uint8_t *jump_conditional;
};

enum assay_line_level { ASSAY_LEVEL_LINE = 0, ASSAY_LEVEL_BLOCK = 1, ASSAY_LEVEL_SUB = 2 };

/* Cost of source lines (blocks, subs) that the format measures as such. */
struct assay_lines {
    struct assay_block block;
    uint32_t count;
    const assay_stream_id *stream;
    const uint8_t *level; /* enum assay_line_level */
    const assay_file_id *file;
    const uint32_t *line;
    const uint64_t *hits;
    const assay_value *self;
    const assay_value *total; /* inclusive, NULL when the format has none */
};

/* What each stream did over time: samples (from one time to the next) or spans. Ordered by stream, then time. Times are whole numbers;
 * where the unit is a time, readers convert to ns. */
struct assay_timeline {
    uint32_t stream_count;
    const uint64_t *begin; /* events begin[s] .. begin[s + 1] belong to stream s (0 = the one without stream); stream_count + 2 entries */
    uint64_t count;
    /* By stream, stream_count + 1 entries, 0 = the one without stream: whether its events are spans, and the unit of their times. */
    const uint8_t *is_spans;
    const assay_str_id *unit; /* ns, samples, bytes, ... */
    const int64_t *time;
    const int64_t *duration;   /* spans only */
    const assay_node_id *node; /* 0 = idle */
    struct assay_block block;  /* weights of the events; metric_count 0 = none */
    const assay_value *weight;
    const assay_set_id *set; /* labels of the sample or span */
};

/* ---- labels, markers, counters ---------------------------------------------------------------------------------------------- */

enum assay_label_kind { ASSAY_LABEL_TEXT = 0, ASSAY_LABEL_INTEGER = 1, ASSAY_LABEL_DOUBLE = 2, ASSAY_LABEL_BOOLEAN = 3 };

/* What is said of samples, spans and markers beside their place. A label is a key with a value; each is there once. A set of labels is its last label and
 * the set without it, whose id is smaller, so that sets share what they have in common:
 *     for (uint32_t s = set; s; s = labels->set_rest[s].v) use(labels->set_label[s]);
 * Labels of a set are in the order of key and value (bytes), and none is in it twice; two labels may have one key. Set 0 is the empty one. */
struct assay_labels {
    uint32_t count;
    const assay_str_id *key;
    const uint8_t *kind; /* enum assay_label_kind */
    const assay_str_id *text;
    const int64_t *number; /* integers, and booleans as 0 and 1 */
    const double *real;
    const assay_str_id *unit;

    uint32_t set_count;
    const assay_set_id *set_rest;
    const assay_label_id *set_label;

    /* Where the profile has labels: a row for each (stream, context, set) of samples. The rows of a context add up to its POINT values in the tree; those of
     * samples without labels (set 0) are among them. */
    struct assay_block block;
    uint32_t sample_count;
    const assay_stream_id *sample_stream;
    const assay_node_id *sample_node;
    const assay_set_id *sample_set;
    const assay_value *sample_self;
};

/* Things that happened at a moment, or from one to another, and are no calls. Rows as given, times in ns. */
struct assay_markers {
    uint32_t count;
    const assay_stream_id *stream;
    const int64_t *time;
    const int64_t *duration;
    const assay_str_id *name, *category, *text;
    const assay_node_id *node; /* context that set it */
    const assay_set_id *set;   /* its fields, as labels */
};

/* Figures that were read off over time: memory, power, frames on screen. */
struct assay_counters {
    uint32_t count;
    const assay_stream_id *stream; /* 0 = of the whole */
    const assay_str_id *name, *series, *category, *unit;
    const uint8_t *kind; /* enum assay_metric_kind */

    /* Rows as given, times in ns. */
    uint32_t reading_count;
    const assay_counter_id *reading_counter;
    const int64_t *reading_time;
    const double *reading_value;
};

/* ---- coverage --------------------------------------------------------------------------------------------------------------- */

enum assay_coverage_line_flags {
    ASSAY_COVERAGE_ONLY_HIT = 1, /* the format records hit or not, not how often */
    ASSAY_COVERAGE_PARTIAL = 2,
    ASSAY_COVERAGE_EXCLUDED = 4,
    ASSAY_COVERAGE_NONCODE = 8,
    ASSAY_COVERAGE_UNEXECUTED_BLOCK = 16,
    ASSAY_COVERAGE_UNKNOWN = 32 /* instrumented, but not known whether hit */
};
enum assay_coverage_branch_flags {
    ASSAY_COVERAGE_BRANCH_NOT_EVALUATED = 1,
    ASSAY_COVERAGE_BRANCH_EXCEPTION = 2,
    ASSAY_COVERAGE_BRANCH_FALLTHROUGH = 4,
    ASSAY_COVERAGE_BRANCH_UNREACHABLE = 8,
    ASSAY_COVERAGE_BRANCH_EXCLUDED = 16
};
/* Of n-of-m sums. */
enum assay_coverage_sum_flags { ASSAY_COVERAGE_AT_LEAST = 1 /* merged of several: these many were hit, perhaps more */ };
enum assay_coverage_region_kind {
    ASSAY_REGION_CODE = 0,
    ASSAY_REGION_STATEMENT = 1,
    ASSAY_REGION_BLOCK = 2,
    ASSAY_REGION_GAP = 3,
    ASSAY_REGION_SKIPPED = 4,
    ASSAY_REGION_OTHER = 5
};

/* For each kind one table, in file order; `test` is a name (0 = the format has no tests). */
struct assay_coverage {
    uint32_t line_count;
    const assay_str_id *line_test;
    const assay_file_id *line_file;
    const uint32_t *line_number;
    const uint64_t *line_hits;
    const uint8_t *line_flags; /* enum assay_coverage_line_flags */
    const assay_str_id *line_checksum;

    uint32_t func_count;
    const assay_str_id *func_test;
    const assay_func_id *func;
    const uint64_t *func_calls;
    const uint32_t *func_first_column, *func_last_column;
    const uint32_t *func_blocks, *func_blocks_hit;
    const uint8_t *func_flags; /* enum assay_coverage_line_flags */

    uint32_t branch_count;
    const assay_str_id *branch_test;
    const assay_file_id *branch_file;
    const uint32_t *branch_line;
    const assay_func_id *branch_func;
    const assay_str_id *branch_block, *branch_name; /* the identity as written */
    const uint32_t *branch_index;                   /* within its line, in file order; part of the identity only when block and name are 0 */
    const uint64_t *branch_hits;
    const uint8_t *branch_flags; /* enum assay_coverage_branch_flags */
    const uint32_t *branch_column, *branch_end_line, *branch_end_column;
    const int64_t *branch_target; /* line it leads to; negative = leaves the code object that begins there */

    /* n of m, where the format names no single branch */
    uint32_t sum_count;
    const assay_str_id *sum_test;
    const assay_file_id *sum_file;
    const uint32_t *sum_line;
    const uint32_t *sum_hit, *sum_total;
    const assay_str_id *sum_kind; /* branches, instructions, conditions, ... */
    const uint8_t *sum_flags;     /* enum assay_coverage_sum_flags */

    uint32_t condition_count;
    const assay_file_id *condition_file;
    const uint32_t *condition_line, *condition_group, *condition_index;
    const uint8_t *condition_sense;
    const uint64_t *condition_hits;
    const assay_str_id *condition_text;
    const assay_str_id *condition_test;
    const uint8_t *condition_flags; /* enum assay_coverage_branch_flags */

    uint32_t region_count;
    const assay_file_id *region_file;
    const assay_func_id *region_func;
    const uint8_t *region_kind;                 /* enum assay_coverage_region_kind */
    const uint64_t *region_first, *region_last; /* lines, or byte offsets where columns are absent and the format counts bytes */
    const uint32_t *region_first_column, *region_last_column;
    const uint32_t *region_statements;
    const uint64_t *region_hits;

    /* What the file claims, kept apart from what was counted. -1 = not said. A single figure (a rate, a complexity) has its value in
     * stated_hit and -1 in stated_total. */
    uint32_t stated_count;
    const assay_file_id *stated_file; /* 0 = not of a single file */
    const assay_str_id *stated_scope; /* report, package, class, file: with its name */
    const assay_str_id *stated_kind;  /* lines, functions, branches, ... */
    const double *stated_hit, *stated_total;
};

/* ---- facts besides cost ----------------------------------------------------------------------------------------------------- */

/* Headers and key/value pairs, in the order of the file; stream 0 = of the whole. */
struct assay_attributes {
    uint32_t count;
    const assay_stream_id *stream;
    const assay_str_id *key, *value;
};

/* Numbers the reader knows of its file: what `info` prints. */
struct assay_counts {
    uint32_t count;
    const assay_str_id *name;
    const uint64_t *value;
};

/* One thing that is wrong or worth knowing. */
typedef struct assay_finding {
    const char *rule; /* stable number, e.g. "CG05"; see docs/formats */
    int severity;     /* enum assay_severity */
    bool has_offset;
    uint64_t offset;  /* byte; of the decompressed data if the input was compressed */
    uint64_t line;    /* from 1; 0 = does not apply */
    uint64_t repeats; /* how many more of this rule were found and are not listed (on the last one listed) */
    const char *message;
} assay_finding;

/* ---- the profile ------------------------------------------------------------------------------------------------------------ */

typedef struct assay_profile assay_profile;

/* Another reference to the same profile. Thread-safe. */
ASSAY_API assay_profile *assay_profile_retain(assay_profile *p);
/* Gives one reference back; the last one frees it. NULL is allowed. Thread-safe. */
ASSAY_API void assay_profile_release(assay_profile *p);

/* {NULL, 0} for id 0 or an id that is none. */
ASSAY_API assay_slice assay_profile_string(const assay_profile *p, assay_str_id id);
/* All strings at once: entries 0 to *count, by id, of which 0 is {NULL, 0}. Nothing is copied. */
ASSAY_API const assay_slice *assay_profile_strings(const assay_profile *p, uint32_t *count);
/* The id of these bytes, or 0. */
ASSAY_API assay_str_id assay_profile_find_string(const assay_profile *p, const char *text);

ASSAY_API const char *assay_profile_format(const assay_profile *p);  /* name of the format read, "" when built by hand */
ASSAY_API const char *assay_profile_version(const assay_profile *p); /* of the format; "" = it has none */
ASSAY_API assay_slice assay_profile_producer(const assay_profile *p);
ASSAY_API uint32_t assay_profile_shapes(const assay_profile *p); /* ASSAY_SHAPE_* that this profile holds */
ASSAY_API uint32_t assay_profile_offers(const assay_profile *p); /* ASSAY_SHAPE_* that its input could give when wanted */

ASSAY_API const struct assay_modules *assay_profile_modules(const assay_profile *p);
ASSAY_API const struct assay_files *assay_profile_files(const assay_profile *p);
ASSAY_API const struct assay_funcs *assay_profile_funcs(const assay_profile *p);
ASSAY_API const struct assay_metrics *assay_profile_metrics(const assay_profile *p);
ASSAY_API const struct assay_scopes *assay_profile_scopes(const assay_profile *p);
ASSAY_API const struct assay_stats *assay_profile_stats(const assay_profile *p);
ASSAY_API const struct assay_streams *assay_profile_streams(const assay_profile *p);
ASSAY_API const struct assay_tree *assay_profile_tree(const assay_profile *p);
ASSAY_API const struct assay_graph *assay_profile_graph(const assay_profile *p);
ASSAY_API const struct assay_lines *assay_profile_lines(const assay_profile *p);
ASSAY_API const struct assay_timeline *assay_profile_timeline(const assay_profile *p);
ASSAY_API const struct assay_labels *assay_profile_labels(const assay_profile *p);
ASSAY_API const struct assay_markers *assay_profile_markers(const assay_profile *p);
ASSAY_API const struct assay_counters *assay_profile_counters(const assay_profile *p);
ASSAY_API const struct assay_coverage *assay_profile_coverage(const assay_profile *p);
ASSAY_API const struct assay_attributes *assay_profile_attributes(const assay_profile *p);
ASSAY_API const struct assay_counts *assay_profile_counts(const assay_profile *p);
/* What was damaged, guessed or left out while reading. */
ASSAY_API const assay_finding *assay_profile_warnings(const assay_profile *p, size_t *count);

/* How many findings of severity error there were, repeats included; *first (may be NULL) is the first of them, NULL when there is none. */
ASSAY_API uint64_t assay_profile_damage(const assay_profile *p, const assay_finding **first);

/* ---- values of the tree ----------------------------------------------------------------------------------------------------- */

/* Values may live in memory or in a mapped file; these four answer for both. Each (node, column) is visited once: in the order of node,
 * then column, when the values are in memory, in any order otherwise. A visitor returns 0 to go on, anything else stops the walk and is
 * returned. Zero values are not stored. */
typedef int (*assay_cell_fn)(void *arg, const assay_cell *cell);

/* The value of one cell; 0 when absent. */
ASSAY_API int assay_tree_value(const assay_profile *p, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err);
/* All cells of a node in one stream. */
ASSAY_API int assay_tree_row(const assay_profile *p, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err);
/* All cells of a stream; column 0 = every column. */
ASSAY_API int assay_tree_column(const assay_profile *p, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err);
/* All cells of the summary over the streams, as stored; nothing when none is stored. `column` of a cell is a statistic. */
ASSAY_API int assay_tree_summary(const assay_profile *p, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err);

/* A cursor over the same values that is pulled: in the order of stream, node and column, wherever they live. One cursor, one thread; any number of
 * cursors. Where the values stay in a database, those of one stream are in memory at a time.
 *
 *     assay_cursor *c = assay_cursor_new(p, &err);
 *     while ((rc = assay_cursor_next(c, &stream, &cell, &err)) == 1) { ... }
 *     assay_cursor_free(c);
 */
typedef struct assay_cursor assay_cursor;

/* Before the first cell; owned by the caller. Keeps a reference to `p`. NULL = no memory. */
ASSAY_API assay_cursor *assay_cursor_new(assay_profile *p, assay_error *err);
ASSAY_API void assay_cursor_free(assay_cursor *c);
/* To the first cell that is not before this stream, node and column; forwards or back. Errors: MEMORY, those of stored values. */
ASSAY_API int assay_cursor_seek(assay_cursor *c, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_error *err);
/* 1 = *out is the next cell, of *stream; 0 = there is none. Negative: an error, MEMORY or one of stored values; the next call tries again. */
ASSAY_API int assay_cursor_next(assay_cursor *c, assay_stream_id *stream, assay_cell *out, assay_error *err);
/* Many at once, in columns: 1 = the next *count cells, at most `room`, all of *stream; 0 = there are no more. Columns that are NULL are left out. Errors: as above, with
 * nothing read. */
ASSAY_API int assay_cursor_read(assay_cursor *c, size_t room, assay_stream_id *stream, assay_node_id *node, assay_scope_id *column, assay_value *value,
                                size_t *count, assay_error *err);

/* 0 when both profiles say the same: names, metrics, streams, shapes, values, coverage, attributes and counts (warnings and format
 * excepted), whatever the numbering of ids. Otherwise 1, and `why` (may be NULL) gets a sentence that names the first difference.
 * Negative: an error code. Cost: the size of both. */
ASSAY_API int assay_profile_equal(const assay_profile *a, const assay_profile *b, char *why, size_t why_len, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
