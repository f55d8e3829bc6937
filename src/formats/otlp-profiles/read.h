/* What the reader of OpenTelemetry profiles keeps while it reads; read.c adds samples up, names.c has metrics, streams, labels and facts. */
#ifndef FORMATS_OTLP_PROFILES_READ_H
#define FORMATS_OTLP_PROFILES_READ_H

#include "base/index.h"
#include "formats/otlp-profiles/tables.h"

/* A sum of samples: values[row * metrics]. */
struct otlp_sum {
    uint32_t stack, stream, set;
};
struct otlp_event {
    int64_t time, value;
    uint32_t stack, stream, set, metric;
};
struct otlp_metric {
    assay_slice type, unit;
    assay_metric_id id;
    const struct otlp_profile *first;
};
/* A process as one profiler saw it, or one of its threads. */
struct otlp_stream {
    uint32_t scope;                  /* that is equal to it: the first such */
    uint32_t thread_id, thread_name; /* attributes, row + 1, the first ones that are equal; 0 = none */
    assay_stream_id id;
};

struct otlp_reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct mem *mem;
    struct findings damage;
    struct otlp_decoder d;
    struct otlp_tables t;
    struct grower grower;
    bool has_labels, has_times; /* they are wanted */
    bool saw_labels, is_saturated;
    uint64_t times;

    VEC(struct otlp_metric) metrics;
    VEC(uint32_t) metric_of;   /* by type of the tables */
    VEC(uint32_t) stack_of;    /* by row of stack_table: number of the grower + 1; 0 = not used so far */
    VEC(uint32_t) last_sum;    /* by stack of the grower: the sum that was added to last + 1 */
    VEC(uint32_t) begin, rows; /* old layouts: stacks of the grower, by their locations */
    struct index stack_index, sum_index;
    VEC(struct otlp_sum) sums;
    VEC(assay_value) values;
    VEC(struct otlp_event) events;

    VEC(uint32_t) scope_of;      /* by scope: the first that is equal, + 1 */
    VEC(uint32_t) resource_used; /* by resource: a stream has its attributes */
    VEC(struct otlp_stream) streams;
    VEC(uint8_t) kind_of;   /* by attribute: 0 = not looked at, or enum in names.c */
    VEC(uint32_t) same_as;  /* by attribute of a thread: the first equal one + 1 */
    VEC(uint32_t) label_of; /* by attribute: label + 1 */
    struct index scope_index, thread_index, stream_index;
    uint32_t last_stream; /* of streams */
    VEC(uint64_t) last;   /* attributes of the sample before, its link and its set of tables */
    assay_set_id last_set;
    VEC(assay_label_id) labels;
};

/* Metrics of all profiles. Errors: MEMORY, LIMIT, those of the builder. */
int otlp_build_metrics(struct otlp_reader *r);
/* The stream and the set of labels of a sample. Errors: MEMORY, those of the builder. */
int otlp_stream_of(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, uint32_t *stream);
int otlp_set_of(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, uint32_t *set);
/* Attributes and counts. Errors: MEMORY. */
int otlp_build_facts(struct otlp_reader *r);

#endif
