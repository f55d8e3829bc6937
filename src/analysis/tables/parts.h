/* Between the files of this room; see tables.h. */
#ifndef ANALYSIS_TABLES_PARTS_H
#define ANALYSIS_TABLES_PARTS_H

#include "analysis/tables/tables.h"
#include "base/index.h"
#include "model/value.h"

/* Rows by the hash of some of their columns; a chain for each bucket, in the order of rows. */
struct tables_index {
    uint32_t columns; /* bits */
    uint32_t mask;
    uint32_t *head, *next; /* row + 1 */
    size_t rows;
    uint64_t distinct; /* buckets in use */
};

/* What was computed of a profile for one table. */
struct tables_cache {
    bool is_loaded, has_rows;
    void *data; /* of the table's own */
    struct arena arena;
    VEC(struct tables_index) indexes;
};

struct tables_profile {
    unsigned number; /* from 1 */
    struct tables_input input;
    const assay_profile *p;
    struct tables_cache caches[TABLES_MOST];
    assay_profile *contexts; /* estimated ones; NULL = not made */
    bool has_contexts;       /* whether that was tried */
};

/* Where a cursor stands. */
struct tables_place {
    struct tables *t;
    struct tables_profile *p;
    const struct tables_table *table;
    void *data;    /* of the cache */
    uint64_t row;  /* of the table in this profile */
    uint64_t base; /* of the model */
    uint32_t k;    /* number of the metric */
    uint32_t stream;
    const assay_cell *cell, *cell_end; /* of values: the one at hand, and the end of those that were pulled with it; NULL = none yet */
    VEC(char) scratch;
};

struct tables_values;

/* How the rows of a table are made. Rows are numbered from 0 in each profile, so that any can be looked at: only values of trees are pulled. */
struct tables_ops {
    /* Computes what is needed into cache->data, from its arena, or freed by `drop`, which is due after a failure too. UNSUPPORTED = the profile has no rows. NULL = nothing to
     * compute. */
    int (*load)(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err);
    void (*drop)(void *data);
    /* How many rows there are; before `load` (data NULL) how many there will be. */
    uint64_t (*rows)(const struct tables_profile *p, const struct tables_table *table, const void *data);
    /* Prepares the cells of place->row; NULL = nothing to prepare. */
    void (*move)(struct tables_place *at);
    void (*cell)(struct tables_place *at, unsigned column, struct tables_cell *out);
    /* Whether rows with these constraints are found without an index: [*first, *end). NULL = never. */
    bool (*range)(struct tables_place *at, const struct tables_constraint *c, unsigned count, uint64_t *first, uint64_t *end);
    /* Whether rows come from a cursor of values. */
    bool is_pulled;
};

/* ---- cells ---- */

static inline struct tables_cell cell_null(void) { return (struct tables_cell){ .kind = TABLES_NULL }; }
static inline struct tables_cell cell_i64(int64_t v) { return (struct tables_cell){ .kind = TABLES_I64, .i = v }; }
static inline struct tables_cell cell_u64(uint64_t v) { return (struct tables_cell){ .kind = TABLES_U64, .u = v }; }
static inline struct tables_cell cell_f64(double v) { return (struct tables_cell){ .kind = TABLES_F64, .d = v }; }
static inline struct tables_cell cell_text(assay_slice s) { return s.data ? (struct tables_cell){ .kind = TABLES_STRING, .s = s } : cell_null(); }
/* The name of a function, which has one, though it may be empty. */
static inline struct tables_cell cell_name(assay_slice s) { return cell_text(s.data ? s : (assay_slice){ "", 0 }); }
static inline struct tables_cell cell_id(uint32_t id) { return id ? cell_u64(id) : cell_null(); }
/* A text that the place keeps until the next one; NULL without memory. */
struct tables_cell cell_scratch(struct tables_place *at, const char *data, size_t len);
static inline struct tables_cell cell_value(enum assay_type type, assay_value v)
{
    return type == ASSAY_F64 ? cell_f64(v.d) : type == ASSAY_I64 ? cell_i64(v.i) : cell_u64(v.u);
}
struct tables_cell cell_wide(assay_wide v);
static inline assay_slice text_of(const assay_profile *p, const assay_str_id *column, uint64_t i)
{
    return column ? assay_profile_string(p, column[i]) : (assay_slice){ NULL, 0 };
}
assay_slice metric_name_of(const assay_profile *p, assay_metric_id m);
/* The share that a figure is of a whole; NULL of none. */
struct tables_cell cell_share(enum assay_type type, assay_value v, double whole);

/* ---- tables ---- */

/* The tables that schema.def makes into `to`; returns how many, negative = no memory. */
int tables_raw(struct tables *t, struct tables_table *to, unsigned room);
extern const struct tables_table tables_values_table, tables_summary_table;    /* values.c */
extern const struct tables_table tables_top, tables_caller;                    /* functions.c */
extern const struct tables_table tables_tree;                                  /* contexts.c */
extern const struct tables_table tables_line, tables_coverage, tables_covered; /* lines.c */
extern const struct tables_table tables_diff;                                  /* compare.c */
extern const struct tables_table tables_spread, tables_stream_top;             /* streams.c */
extern const struct tables_table tables_profiles, tables_finding, tables_docs; /* about.c */

/* What was computed for a table; NULL data and 0 rows where the profile lacks it. */
int tables_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, assay_error *err);

/* ---- what is the same (same.c) ---- */

/* Of file `file` of the profile; {NULL, 0} = none. Errors are kept until tables_same_error. */
assay_slice tables_source(struct tables *t, struct tables_profile *p, uint32_t file);
/* NULL cell for function 0. */
struct tables_cell tables_key(struct tables *t, struct tables_profile *p, uint32_t func);
/* Of profile `p`, and those before it. Errors: MEMORY. */
int tables_same_load(struct tables *t, struct tables_profile *p, assay_error *err);
void tables_same_done(struct tables *t);

/* ---- contexts ---- */

/* The profile whose tree `tree` shows: p itself, or an estimate; NULL = there is none. */
int tables_contexts(struct tables *t, struct tables_profile *p, const assay_profile **out, assay_error *err);
/* ---- values (values.c) ---- */

int values_open(struct tables_place *at, struct tables_values **v, const struct tables_constraint *c, unsigned count, assay_error *err);
int values_next(struct tables_values *v, struct tables_place *at, assay_error *err);
void values_close(struct tables_values *v);
void values_cell(const struct tables_values *v, struct tables_place *at, unsigned column, struct tables_cell *out);

#endif
