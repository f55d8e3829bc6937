/* What the writer of OpenTelemetry profiles keeps: figures to write, and the tables that they refer to. write.c has profiles and samples, encode.c the
 * tables, write_json.c turns the finished message into JSON. */
#ifndef FORMATS_OTLP_PROFILES_WRITE_H
#define FORMATS_OTLP_PROFILES_WRITE_H

#include "base/intern.h"
#include "base/proto_put.h"
#include "formats/otlp-profiles/decode.h"
#include "formats/stacks/located.h"

/* A figure of a sample, or of one of its times. */
struct otlp_figure {
    uint32_t stream, metric, node, set; /* metric: its place in the file */
    int64_t value;
    int64_t time;
};

struct otlp_writer {
    const assay_profile *p;
    struct mem *mem;
    struct located located;
    VEC(uint32_t) order;                          /* of located.metrics in the file: the default comes first */
    VEC(uint32_t) attributes_of, attribute_begin; /* rows of attributes by stream, and where those of a stream begin */
    VEC(struct otlp_figure) sums, events;
    bool has_times; /* some are written */
    uint64_t times_lost, lists, odd, streams_lost;

    /* Tables: entries as bytes, number + 1. */
    struct intern strings, attributes, stacks, links;
    VEC(uint32_t) stack_of; /* by node: number + 1 */
    VEC(uint64_t) numbers;  /* attributes of a sample */
    VEC(uint32_t) labels;
    VEC(char) text;
    struct proto_buffer out, message, inner, scratch;
    bool failed;
};

void otlp_writer_init(struct otlp_writer *w, const assay_profile *p, struct mem *mem);
void otlp_writer_done(struct otlp_writer *w);
/* Numbers of entries; the entry is made when it is not there yet. */
uint64_t otlp_put_string(struct otlp_writer *w, assay_slice s);
uint64_t otlp_put_text_attribute(struct otlp_writer *w, const char *key, assay_slice value);
uint64_t otlp_put_stack(struct otlp_writer *w, uint32_t node);
/* Attributes of a sample into w->numbers; returns the number of its link, 0 = none. Threads that no label says come from the stream. */
uint64_t otlp_put_set(struct otlp_writer *w, uint32_t stream, uint32_t set);
/* A KeyValue with a text or a whole number (value.data NULL). */
void otlp_put_key_value(struct otlp_writer *w, struct proto_buffer *to, uint32_t field, assay_slice key, assay_slice value, uint64_t number);
/* The tables, when all that refers to them is there. Errors: MEMORY. */
int otlp_put_dictionary(struct otlp_writer *w, assay_error *err);
/* A tuple element of a stream. */
bool otlp_stream_id(const struct otlp_writer *w, uint32_t stream, const char *kind, uint64_t *id);

/* A finished message of layout 1.10, as JSON in one line. Errors: CANCELLED. */
int otlp_print_json(assay_slice message, struct mem *mem, struct output *out, assay_error *err);

#endif
