/* Reading one profile into a builder, in parts that a measurement directory can use for each of its files. */
#ifndef FORMATS_HPCRUN_READ_H
#define FORMATS_HPCRUN_READ_H

#include "base/exact.h"
#include "base/intern.h"
#include "formats/hpcrun/funcs.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/ids.h"
#include "formats/hpcrun/modules.h"

/* A metric of the model: epochs that name it alike share it. */
struct hpcrun_declared {
    assay_metric_id metric;
    assay_scope_id scope;
    bool is_real; /* one of the tables stores doubles: then the metric has doubles */
    bool is_formula;
    /* Sums of the values that are not built: of formula metrics, or of all. */
    assay_wide whole;
    struct exact real;
    /* The same of doubles in the stream in work. */
    struct exact in_stream;
    bool is_in_stream;
};

/* What the paths inside GPU kernels are told from. */
enum hpcrun_role { HPCRUN_NO_ROLE, HPCRUN_LAUNCHES, HPCRUN_SAMPLED_LAUNCHES, HPCRUN_GPU_INSTRUCTIONS };

struct hpcrun_table_row {
    assay_scope_id scope;
    uint64_t period;
    bool is_real;        /* stored as a double */
    bool to_procedure;   /* its values belong to the function of the node */
    bool is_real_metric; /* the metric has doubles */
    bool is_formula;     /* its values, if any, are only summed up */
    uint8_t role;        /* enum hpcrun_role */
    uint32_t place;      /* in `declared` */
};

/* All metrics of one profile, by name; and the table of the epoch in work. */
struct hpcrun_metrics {
    struct mem *mem;
    assay_builder *b;
    struct intern names;
    VEC(struct hpcrun_declared) declared; /* by id of the name - 1 */
    VEC(struct hpcrun_table_row) table;
    assay_stream_id stream; /* in work */
    uint64_t saturated;     /* values that 64 bits could not hold */
    bool totals_only;       /* ASSAY_WANT_TOTALS: no context is built, all values are summed up */
};

void hpcrun_metrics_init(struct hpcrun_metrics *t, struct mem *m, assay_builder *b);
void hpcrun_metrics_done(struct hpcrun_metrics *t);
/* Notes which metrics a profile has and how it stores them. */
int hpcrun_metrics_note(struct hpcrun_metrics *t, const struct hpcrun_decoder *d, assay_error *err);
/* The same of one metric that somebody else has seen. false = no memory. */
bool hpcrun_metrics_known(struct hpcrun_metrics *t, assay_slice name, bool is_real);
/* The metric has values that are divided: it has doubles. After hpcrun_metrics_note. false = no memory. */
bool hpcrun_metrics_divide(struct hpcrun_metrics *t, const struct hpcrun_metric *m);
/* Declares every metric of a profile, which must be done after all were noted and before the first value, and states what else its descriptors say as
 * attributes metric.NAME.*. `d` is left alone. */
int hpcrun_metrics_declare(struct hpcrun_metrics *t, const struct hpcrun_decoder *d, assay_error *err);
/* A new metric table begins; then its rows in order. false = no memory. */
static inline void hpcrun_metrics_begin(struct hpcrun_metrics *t) { t->table.len = 0; }
bool hpcrun_metrics_row(struct hpcrun_metrics *t, const struct hpcrun_metric *m);
/* After the last value: states the totals of what was only summed up. */
void hpcrun_metrics_state(struct hpcrun_metrics *t);
/* Value times period, as the metric has it; false = it is zero. Those that are not to be built are summed up here, for the whole and for the stream. */
bool hpcrun_metrics_value(struct hpcrun_metrics *t, const struct hpcrun_table_row *row, assay_stream_id stream, uint64_t bits, assay_value *out);
/* Whether the values of this row belong into the tree. */
static inline bool hpcrun_metrics_builds(const struct hpcrun_metrics *t, const struct hpcrun_table_row *row) { return !t->totals_only && !row->is_formula; }

struct hpcrun_kind_name {
    uint16_t kind;
    bool is_used;
    assay_slice name;
};

struct hpcrun_reader {
    const struct read_job *job;
    assay_builder *b;
    struct hpcrun_decoder d;
    struct hpcrun_modules modules;
    struct hpcrun_ids ids;
    struct hpcrun_funcs funcs;
    struct hpcrun_metrics metrics;
    VEC(struct hpcrun_kind_name) kinds;
    VEC(uint32_t) kind_at;     /* by kind: place in `kinds` + 1; 0 = none */
    assay_stream_id stream;    /* of the values in work; 0 = the profile has one epoch and no tuple */
    struct hpcrun_span values; /* 04.00 */
    bool has_many_epochs;
    bool has_placeholders; /* 02.00l with the pair assay-placeholders */
    assay_slice rank, thread;
    struct {
        uint64_t contexts, modules, values, roots, parents, depth, retained, negative, not_unwound, nonzero_nodes, stored_values;
    } n;
};

/* read_nodes.c: the nodes of one tree, with their values where they have some. */
int hpcrun_read_nodes(struct hpcrun_reader *r, const struct hpcrun_span *nodes, assay_error *err);
/* read_nodes.c: the values of 04.00. */
int hpcrun_read_values(struct hpcrun_reader *r, const struct hpcrun_span *index, assay_error *err);

#endif
