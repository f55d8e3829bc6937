/* Comparing two profiles whatever their numbering: ids are replaced by classes (equal names have equal classes), each table becomes a
 * matrix of 64-bit cells, and matrices are compared row by row after sorting. */
#ifndef MODEL_EQUAL_H
#define MODEL_EQUAL_H

#include "base/error.h"
#include "model/profile.h"
#include "model/schema.h"

/* The first kinds are ids; each has a map from id to class. */
enum field_kind {
    FIELD_STRING,
    FIELD_MODULE,
    FIELD_FILE,
    FIELD_FUNC,
    FIELD_METRIC,
    FIELD_SCOPE,
    FIELD_STAT,
    FIELD_NODE,
    FIELD_LABEL,
    FIELD_SET,
    FIELD_COUNTER,
    FIELD_IDS,                   /* how many kinds of ids there are */
    FIELD_FILE_PATH = FIELD_IDS, /* a file by its path alone: its class is not known yet */
    FIELD_STREAM,                /* streams keep their order */
    FIELD_U8,
    FIELD_U32,
    FIELD_U64,
    FIELD_I64,
    FIELD_F64,
    FIELD_WIDE,   /* two cells: high, low */
    FIELD_SHAPES, /* only those that the profile holds */
    FIELD_VALUES, /* a cell for each metric of the block */
    FIELD_CELL    /* a value of the tree; its scope is in the cell before it */
};

/* A column that is compared. Keys come first: they say which row it is. */
struct field {
    const char *name; /* with '_' for ' ' */
    enum field_kind kind;
    bool is_key;
    const struct schema_column *column;
};

struct table {
    const char *what; /* plural: "calls", "functions" */
    const struct schema_table *schema;
    struct field fields[SCHEMA_COLUMNS_MAX];
    size_t field_count;
    bool is_ordered; /* the order of rows means something */
    size_t count[2];
    const struct assay_block *block[2];
    int class_kind; /* enum field_kind of the ids that these rows define, or -1 */
};

struct id_map {
    uint32_t *at; /* id -> class */
    size_t len;
};

struct equal {
    struct mem mem;
    const assay_profile *p[2];
    struct id_map map[2][FIELD_IDS];
    struct id_map sample[FIELD_IDS]; /* class -> an id of the first profile; not for strings */
    char *why;
    size_t why_len;
    assay_error *err;
};

/* A table as numbers; order is the order of rows in which it is compared. */
struct matrix {
    uint64_t *cells;
    uint32_t *order;
    size_t rows, width;
};

/* What a cell of a row means. */
struct cell_kind {
    const struct field *field;
    uint32_t part;   /* which cell of the field */
    uint32_t metric; /* FIELD_VALUES: of the first profile */
};

/* All of these: 0 = equal, 1 = different and said, negative = an error code. */
int equal_table(struct equal *e, enum schema_number table);
/* Compares filled matrices; `kinds` describes the cells. Sorts unless is_ordered. */
int equal_matrices(struct equal *e, const struct table *t, struct matrix m[2], const struct cell_kind *kinds);
/* assay_profile_equal with a fault: the n-th allocation fails; 0 = never. */
int equal_profiles(const assay_profile *a, const assay_profile *b, char *why, size_t why_len, uint64_t fail_at, assay_error *err);
/* The table of nodes, which are compared by their paths, and the values. */
int equal_tree(struct equal *e);
/* Sets of labels, which are compared by their labels. */
int equal_sets(struct equal *e);
int equal_differ(struct equal *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int equal_memory(struct equal *e);

bool equal_new_map(struct equal *e, struct id_map *map, size_t len);
bool matrix_new(struct equal *e, struct matrix *m, size_t rows, size_t width);
void matrix_done(struct equal *e, struct matrix *m);

/* Text of a cell; row is the whole row, at is its place. */
void equal_describe(const struct equal *e, const uint64_t *row, size_t at, const struct cell_kind *kind, char *buf, size_t buf_len);

static inline uint32_t class_of(const struct equal *e, int side, enum field_kind kind, uint32_t id)
{
    return id < e->map[side][kind].len ? e->map[side][kind].at[id] : 0;
}

/* Bits of a value such that 0.0 and -0.0 are equal. */
static inline uint64_t value_bits(enum assay_type type, assay_value v) { return type == ASSAY_F64 && value_is_zero(type, v) ? 0 : v.u; }

#endif
