/* What the reader of pprof keeps while it reads; stacks/grow makes contexts of stacks. */
#ifndef FORMATS_PPROF_READ_H
#define FORMATS_PPROF_READ_H

#include "base/arena.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "formats/pprof/tables.h"

struct pprof_stack {
    assay_slice bytes; /* location ids, the leaf first */
    uint32_t row;      /* of its samples without labels, from 1; 0 = none */
    bool is_bad;
};
struct pprof_row_key {
    uint32_t stack, set;
};

struct pprof_reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct mem *mem;
    struct findings damage;
    struct pprof_decoder d;
    struct pprof_tables t;
    bool has_labels;                /* they are wanted */
    struct arena copies;            /* of stacks that are not in one piece in the file */
    VEC(struct pprof_stack) stacks; /* from 1 */
    VEC(struct pprof_row_key) rows; /* samples that were added up */
    VEC(assay_value) values;        /* of row i from i * types on */
    struct index stack_index, row_index;
    VEC(assay_label_id) labels;   /* of a sample */
    VEC(struct pprof_label) last; /* labels of the sample before, whose set is last_set */
    assay_set_id last_set;
    bool is_saturated;
    uint64_t magnitude;        /* what all values come to, whatever their signs; UINT64_MAX = more than that */
    VEC(int64_t) ahead_values; /* of samples that wait */
    VEC(assay_metric_id) metrics;
    struct grower grower;
};

/* Adds up all samples: stacks, rows and values. Errors: MEMORY, CANCELLED; DAMAGED when strict. */
int pprof_add_samples(struct pprof_reader *r);

#endif
