/* The lists of schema.def as tables to walk over, and what a column is in C. */
#ifndef MODEL_SCHEMA_H
#define MODEL_SCHEMA_H

#include "assay/build.h"
#include "model/column.h"
#include "model/schema.def"

/* Types of columns; those up to SCHEMA_COUNTER are ids. */
enum schema_type {
    SCHEMA_STRING,
    SCHEMA_MODULE,
    SCHEMA_FILE,
    SCHEMA_FUNC,
    SCHEMA_METRIC,
    SCHEMA_SCOPE,
    SCHEMA_STREAM,
    SCHEMA_NODE,
    SCHEMA_LABEL,
    SCHEMA_SET,
    SCHEMA_COUNTER,
    SCHEMA_U8,
    SCHEMA_BOOL,
    SCHEMA_WORD,
    SCHEMA_FLAGS,
    SCHEMA_U32,
    SCHEMA_SHAPES,
    SCHEMA_U64,
    SCHEMA_I64,
    SCHEMA_F64,
    SCHEMA_WIDE,
    SCHEMA_VALUES
};

/* What a type is in a public table, and in a row that is being built. */
#define SCHEMA_C_STRING assay_str_id
#define SCHEMA_C_MODULE assay_module_id
#define SCHEMA_C_FILE assay_file_id
#define SCHEMA_C_FUNC assay_func_id
#define SCHEMA_C_METRIC assay_metric_id
#define SCHEMA_C_SCOPE assay_scope_id
#define SCHEMA_C_STREAM assay_stream_id
#define SCHEMA_C_NODE assay_node_id
#define SCHEMA_C_LABEL assay_label_id
#define SCHEMA_C_SET assay_set_id
#define SCHEMA_C_COUNTER assay_counter_id
#define SCHEMA_C_U8 uint8_t
#define SCHEMA_C_BOOL uint8_t
#define SCHEMA_C_WORD uint8_t
#define SCHEMA_C_FLAGS uint8_t
#define SCHEMA_C_U32 uint32_t
#define SCHEMA_C_SHAPES uint32_t
#define SCHEMA_C_U64 uint64_t
#define SCHEMA_C_I64 int64_t
#define SCHEMA_C_F64 double
#define SCHEMA_C_WIDE assay_wide
#define SCHEMA_C_VALUES assay_value

/* An entry of a public column by its extent: those that are FULL are there whenever there is a row. */
#define SCHEMA_AT_FULL(column, i) (column)[i]
#define SCHEMA_AT_LAZY(column, i) ((column) ? (column)[i] : 0)
#define SCHEMA_ID_FULL(column, i) (column)[i].v
#define SCHEMA_ID_LAZY(column, i) ((column) ? (column)[i].v : 0)

/* What it is in the builder. */
#define SCHEMA_COL_STRING struct col32
#define SCHEMA_COL_MODULE struct col32
#define SCHEMA_COL_FILE struct col32
#define SCHEMA_COL_FUNC struct col32
#define SCHEMA_COL_METRIC struct col32
#define SCHEMA_COL_SCOPE struct col32
#define SCHEMA_COL_STREAM struct col32
#define SCHEMA_COL_NODE struct col32
#define SCHEMA_COL_LABEL struct col32
#define SCHEMA_COL_SET struct col32
#define SCHEMA_COL_COUNTER struct col32
#define SCHEMA_COL_U8 struct col8
#define SCHEMA_COL_BOOL struct col8
#define SCHEMA_COL_WORD struct col8
#define SCHEMA_COL_FLAGS struct col8
#define SCHEMA_COL_U32 struct col32
#define SCHEMA_COL_SHAPES struct col32
#define SCHEMA_COL_U64 struct col64
#define SCHEMA_COL_I64 struct colint
#define SCHEMA_COL_F64 struct coldouble
#define SCHEMA_COL_WIDE struct colwide
#define SCHEMA_COL_VALUES struct colvalue

/* Members of a struct of the builder: a column for each line of a list. */
#define SCHEMA_COLUMN(T, name, member, type, ...) SCHEMA_COL_##type name;

enum schema_role { SCHEMA_KEY, SCHEMA_FIGURE, SCHEMA_NOTE, SCHEMA_LAYOUT };
enum schema_numbering { SCHEMA_IDS, SCHEMA_ROWS, SCHEMA_ORDER, SCHEMA_EACH };
enum schema_merge {
    SCHEMA_BY_KEY,
    SCHEMA_BY_PLACE,
    SCHEMA_BY_SUM,
    SCHEMA_BY_MAX,
    SCHEMA_BY_OR,
    SCHEMA_BY_ALL,
    SCHEMA_BY_SMALLER,
    SCHEMA_BY_EQUAL,
    SCHEMA_BY_SAME,
    SCHEMA_BY_LINE_FLAGS,
    SCHEMA_BY_BRANCH_FLAGS,
    SCHEMA_BY_SPELLING,
    SCHEMA_BY_PARENT,
    SCHEMA_BY_AT_LEAST,
    SCHEMA_BY_FOLD,
    SCHEMA_BY_ONLY,
    SCHEMA_BY_AGAIN,
    SCHEMA_BY_SAID,
    SCHEMA_BY_GONE
};

/* Numbers of the tables: SCHEMA_T_FILES, ... */
#define SCHEMA_NUMBER(TABLE, ...) SCHEMA_T_##TABLE,
enum schema_number { SCHEMA_TABLES(SCHEMA_NUMBER) SCHEMA_T_COUNT };
#undef SCHEMA_NUMBER

struct schema_column {
    const char *name;
    enum schema_type type;
    enum schema_role role;
    bool is_full;
    bool is_needed;           /* in assay-json */
    const char *json;         /* its name there; NULL = not by itself */
    const char *const *words; /* of WORD, FLAGS and SHAPES; ends with NULL */
    enum schema_merge merge;
    const char *what;
    size_t at;       /* of the column's pointer in the public struct */
    size_t build_at; /* of the column in the struct of the builder */
};

struct schema_table {
    const char *json; /* the list in assay-json */
    const char *item; /* one of it */
    const char *what; /* all of it, in sentences: "calls by site" */
    enum schema_numbering numbering;
    bool has_block;
    bool has_wide_count; /* its count has 64 bits */
    const struct schema_column *columns;
    unsigned count;
    size_t at;             /* of the public struct in the profile */
    size_t count_at;       /* of the count in the public struct */
    size_t build_at;       /* of the struct in the builder; `count` is its first member */
    size_t block_at;       /* of the block in the profile */
    size_t build_block_at; /* of the block in the builder */
};
enum { SCHEMA_COLUMNS_MAX = 16, SCHEMA_COLUMNS_ALL = 224 };

extern const struct schema_table schema_tables[SCHEMA_T_COUNT];

/* Bytes of an entry. */
static inline size_t schema_size(enum schema_type type)
{
    switch (type) {
    case SCHEMA_U8:
    case SCHEMA_BOOL:
    case SCHEMA_WORD:
    case SCHEMA_FLAGS: return 1;
    case SCHEMA_U64:
    case SCHEMA_I64:
    case SCHEMA_F64:
    case SCHEMA_VALUES: return 8;
    case SCHEMA_WIDE: return sizeof(assay_wide);
    default: return 4;
    }
}
/* The word of a value of WORD; the first one for values that have none. */
const char *schema_word(const struct schema_column *c, uint64_t value);
static inline bool schema_is_id(enum schema_type type) { return type <= SCHEMA_COUNTER; }

/* A field of a row: ids and whole numbers as `u`. A row is an array of them, as many as its table has columns. */
union schema_cell {
    uint64_t u;
    int64_t i;
    double d;
    const assay_value *values; /* of the block; NULL = none */
};

/* How many rows, or ids, the profile has in a table. */
uint64_t schema_count(const assay_profile *p, const struct schema_table *t);
/* The first row, and the one behind the last. */
static inline uint64_t schema_begin(const struct schema_table *t) { return t->numbering == SCHEMA_IDS; }
static inline uint64_t schema_end(const assay_profile *p, const struct schema_table *t)
{
    return schema_count(p, t) + (t->numbering == SCHEMA_IDS || t->numbering == SCHEMA_EACH);
}
/* The metrics of its values; NULL without any. */
const struct assay_block *schema_block(const assay_profile *p, const struct schema_table *t);
/* The column of a profile; NULL = 0 in every row. */
const void *schema_column_of(const assay_profile *p, const struct schema_table *t, const struct schema_column *c);
/* A cell of a profile. WIDE gives its lower half. */
union schema_cell schema_cell(const assay_profile *p, const struct schema_table *t, const struct schema_column *c, uint64_t row);
/* All cells of a row. */
void schema_row(const assay_profile *p, const struct schema_table *t, uint64_t row, union schema_cell *cells);

/* Appends a row (TUPLES: to the newest stream; EVENTS and TIMELINES: of `stream`), whatever rows there are: for whole tables that are copied. Ids are
 * checked, strings are those of the builder, LAYOUT and WIDE are left out. Returns its id or row number + 1; 0 = error, said in the builder. */
uint64_t builder_append(assay_builder *b, enum schema_number table, uint32_t stream, const union schema_cell *cells);
/* All rows of a table of names (MODULES, FILES, FUNCS) into one that is empty yet, column by column: with the same ids, and strings of the builder. */
void builder_copy_names(assay_builder *b, enum schema_number table, const assay_profile *from);
/* What is said of a metric beside name, unit, type and texts: kind, default, period. */
void builder_copy_metric(assay_builder *b, assay_metric_id to, const assay_profile *from, uint32_t metric);
/* Sets the cells of a row (by id) that are not 0; for rows that were made by their identity. */
void builder_fill(assay_builder *b, enum schema_number table, uint32_t row, const union schema_cell *cells);
/* The same for files and functions, with less work. */
#define SCHEMA_MEMBER(T, name, member, type, ...) SCHEMA_C_##type name;
struct schema_file {
    SCHEMA_FILES(SCHEMA_MEMBER, _)
};
struct schema_func {
    SCHEMA_FUNCS(SCHEMA_MEMBER, _)
};
void builder_fill_file(assay_builder *b, assay_file_id f, const struct schema_file *row);
void builder_fill_func(assay_builder *b, assay_func_id f, const struct schema_func *row);
/* Sets one id of a row (id, or number + 1), which was 0 because what it refers to was not there yet. */
void builder_refer(assay_builder *b, enum schema_number table, uint64_t row, unsigned column, uint32_t to);
/* Rows of the graph that were appended without any metric, although there are some, have the first one: 0 in each row. (Lines may have hits alone.) */
void builder_settle_graph(assay_builder *b);
/* The set that goes on with `label` after the set `rest`, whose labels are all before it. */
uint32_t builder_label_set(assay_builder *b, uint32_t rest, uint32_t label);
/* The metrics of rows of samples that are appended: scopes and values of the tree are given apart. */
void builder_sample_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count);
/* The graph counts recursion once, as its format does; assay_build_call_more says it otherwise. */
void builder_keeps_recursion(assay_builder *b);

#endif
