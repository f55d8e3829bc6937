/* What the reader keeps while it fills a builder; shared by read.c, read_tree.c and read_side.c. */
#ifndef FORMATS_HPCDB_XML_READ_H
#define FORMATS_HPCDB_XML_READ_H

#include "formats/hpcdb-xml/nodes.h"
#include "formats/hpcdb-xml/side.h"
#include "formats/hpcdb-xml/tables.h"

/* A metric in the model. */
struct hx_column {
    assay_metric_id metric;
    assay_scope_id own, total; /* POINT and EXECUTION; in a database of 4.0 own is FUNCTION */
    assay_stat_id own_sum, total_sum;
    double whole, roots, threads; /* the total as stated, as the sum over the roots, and of thread files */
    bool has_whole;
};

/* A node of the document that is open. */
struct hx_frame {
    uint32_t node;                       /* of the model; that of the node around it where it has none of its own */
    uint32_t file, module, frame_module; /* of what is inside; the module of the nearest frame */
    uint32_t call_line;                  /* of a call site that is no node */
    uint64_t serial;
    enum hx_tag tag;
    bool is_inside; /* `node` is the one around it */
};

struct hx_stream {
    uint64_t rank, thread;
};

struct hx_reader {
    const struct read_job *job;
    struct mem *mem;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct hx_tables tables;
    bool is_sparse, has_threads;   /* values are in profile.db; there are thread files, so that those of the document are a summary */
    VEC(struct hx_column) columns; /* by metric of the tables */
    VEC(struct hx_frame) frames;
    struct hx_open open; /* flat profiles */
    struct hx_places places, trace_ids;
    VEC(struct hx_stream) streams;
    struct index stream_index;
    uint64_t serial, contexts, traces, samples, values_streams, raw_streams, lost_samples;
    bool has_sparse;
    uint32_t functions, files, modules; /* the largest id of each */
};

/* A node and its values, in the order of the document. */
int hx_read_node(struct hx_reader *r, const struct hx_record *n);
int hx_read_node_end(struct hx_reader *r, const struct hx_record *n);
int hx_read_value(struct hx_reader *r, const struct hx_record *v);

/* Metrics of the tables -> columns. */
int hx_read_columns(struct hx_reader *r);
/* Whether there is a thread file that can be read. */
int hx_read_look(struct hx_reader *r);
/* Thread files, traces, profile.db. */
int hx_read_side(struct hx_reader *r);
/* profile.db and trace.db of 4.0. */
int hx_read_sparse(struct hx_reader *r, const struct hx_part *part);
int hx_read_sparse_traces(struct hx_reader *r, const struct hx_part *part);
/* Samples as events of a stream; `places` has the nodes by the number in the trace. */
int hx_read_samples(struct hx_reader *r, const struct hx_trace *t, uint32_t stream, const struct hx_places *places);
/* The stream of a rank and thread, made when it is new; 0 = no memory, or a failed builder. */
uint32_t hx_read_stream(struct hx_reader *r, uint64_t rank, uint64_t thread, const uint64_t *host);
/* Why there is none: the error to return. */
int hx_read_no_stream(struct hx_reader *r);

#endif
