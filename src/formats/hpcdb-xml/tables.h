/* The tables of experiment.xml: metrics with what they are columns of, names by number, what thread files and traces are said to hold. Filled
 * from records by read and check alike, so that both look things up in one way. Damage: HX07, HX08, HX10, HX12, HX13, HX50. */
#ifndef FORMATS_HPCDB_XML_TABLES_H
#define FORMATS_HPCDB_XML_TABLES_H

#include "base/index.h"
#include "base/intern.h"
#include "formats/hpcdb-xml/decode.h"

#define HX40_TEXT "the values of version 4.0 are in profile.db, which is missing: give the directory"
#define HX44_TEXT "the values of version 3.0 are in files that are not read: there are only names and contexts"

enum { HX_METRICS_MAX = 65535 };
enum hx_type { HX_NIL, HX_INCLUSIVE, HX_EXCLUSIVE };
/* What the values of a column are good for. */
enum hx_role { HX_IGNORED, HX_TOTAL, HX_OWN, HX_RAW };

struct hx_name {
    int64_t id;
    assay_slice text; /* terminated */
    bool is_placeholder;
    uint32_t mark; /* the reader's: an id of the model; 0 = none yet */
};
struct hx_names {
    bool is_there;
    VEC(struct hx_name) list;
    struct index index;
};

struct hx_metric {
    int64_t id, order, partner;
    uint64_t off;
    assay_slice name, description;
    enum hx_type type;
    enum hx_role role;
    bool has_partner, is_view, is_hidden, has_stream;
    uint32_t base;         /* index */
    double factor;         /* samples -> events */
    uint64_t rank, thread; /* of a raw column NAME.[rank,thread] */
    uint64_t seen;         /* the node that had a value of it last */
    double last;           /* and that value */
};

/* What people call a metric: all columns NAME:Sum (I), NAME:Mean (E), NAME.[0,1], ... */
struct hx_base {
    assay_slice name;              /* terminated */
    uint32_t inclusive, exclusive; /* columns of the sum: index + 1; 0 = none */
    uint32_t raw_count;
    uint32_t first;                     /* index of its first column */
    bool has_pair;                      /* both columns of the sum */
    int32_t db_inclusive, db_exclusive; /* columns of thread files; -1 = none */
};

struct hx_formula {
    uint32_t metric;
    uint64_t off;
    assay_slice text;
};
struct hx_metric_db {
    int64_t id, column, count; /* i, db-id, db-num-metrics; -1 = not said */
    assay_slice name;
};

struct hx_tables {
    struct mem *mem;
    struct findings *damage;
    struct arena text;
    char version[8];
    assay_slice title;
    bool is_flat, is_finished, has_trace_db, has_side_files;
    struct hx_names names[HX_NAME_KINDS];
    VEC(struct hx_metric) metrics;
    struct index by_id, by_order;
    struct intern base_names;
    VEC(struct hx_base) bases; /* [base_names id - 1] */
    VEC(struct hx_formula) formulas;
    VEC(struct hx_metric_db) metric_dbs;
    uint64_t ticks; /* of traces, in a second; 0 = not said */
    assay_slice trace_min, trace_max;
};

void hx_tables_init(struct hx_tables *t, struct mem *mem, struct findings *damage);
void hx_tables_done(struct hx_tables *t);
/* Takes a record that stands before the data; HX_DATA finishes the tables. Errors: MEMORY. */
int hx_tables_take(struct hx_tables *t, const struct hx_record *r, assay_error *err);
/* Sorts columns into metrics. Called again it does nothing: for a document without data. */
int hx_tables_finish(struct hx_tables *t, assay_error *err);

/* NULL = there is none. */
struct hx_metric *hx_metric_find(const struct hx_tables *t, int64_t id);
struct hx_name *hx_name_find(const struct hx_tables *t, enum hx_name_kind kind, int64_t id);
/* The entry that an attribute of a node names. NULL: where there is no such table the text itself is the name (*text); where there is one it is not in it,
 * which is said (HX07). */
struct hx_name *hx_name_of(const struct hx_tables *t, enum hx_name_kind kind, const struct hx_record *node, const char *attribute, assay_slice *text);
/* The column of a value, NULL = not in the table, which is said (HX08). */
struct hx_metric *hx_metric_of(const struct hx_tables *t, const struct hx_record *value);
/* Compares what thread files add up to with the total of the document (HX28). */
void hx_compare_threads(const struct hx_tables *t, size_t base, uint64_t files, double threads, double whole);
/* The metric of "NAME (I)" or "NAME (E)"; NULL = none has this name. */
struct hx_base *hx_base_of(const struct hx_tables *t, assay_slice name, enum hx_type *type);

#endif
