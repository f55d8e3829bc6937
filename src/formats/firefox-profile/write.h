/* What the parts of the writer share: contexts as rows of tables, numbered before the first byte is written. */
#ifndef FORMATS_FIREFOX_PROFILE_WRITE_H
#define FORMATS_FIREFOX_PROFILE_WRITE_H

#include "base/intern.h"
#include "base/json.h"
#include "formats/firefox-profile/decode.h"
#include "formats/stacks/stacks.h"

/* A row of stackTable: a function node while it is on one of its lines. */
struct firefox_out_stack {
    uint32_t node, line, frame;
    int32_t prefix; /* -1 = a root */
};

struct firefox_out_frame {
    uint32_t func, line, inline_depth;
};

struct firefox_out_thread {
    uint32_t stream, copy; /* copy: which of the threads of its stream it is */
    assay_metric_id metric;
};

struct firefox_writer {
    struct stacks *s;
    const assay_profile *p;
    struct mem *mem;
    assay_error *err;
    struct json j;
    struct intern strings;    /* number = id - 1 */
    struct intern categories; /* the same; the first is Other */
    VEC(struct firefox_out_stack) stacks;
    VEC(struct firefox_out_frame) frames;
    struct index stack_index, frame_index;
    VEC(uint32_t) pending;  /* rows that wait for those above them: pairs of node and line */
    VEC(uint32_t) funcs;    /* rows of funcTable: functions */
    VEC(uint32_t) func_row; /* by function: its row + 1 */
    VEC(uint32_t) file_row; /* by file: its row in sources + 1 */
    VEC(uint32_t) files;
    VEC(struct firefox_out_thread) threads;
    VEC(assay_cell) cells;  /* what the nodes of one stream cost themselves, by one metric */
    bool has_unplaced;      /* cells without a function above them were left out */
    uint32_t *first_thread; /* by stream: its first thread + 1 */
    uint32_t *attributes;   /* by stream: its first attribute + 1; then by attribute the next of the stream + 1 */
    uint32_t *markers;      /* rows by stream and time */
    uint32_t *marker_begin; /* by stream: where its markers begin in `markers`; one more at the end */
    uint64_t spans;         /* whose times are not written */
    bool failed;            /* no memory */
};

/* ---- write_tables.c ---- */

void firefox_writer_init(struct firefox_writer *w, struct stacks *s);
void firefox_writer_done(struct firefox_writer *w);
/* The row of the stack that ends in a node; -1 = it is no function, or there is no memory (then w->failed). Rows are made as they are asked for. */
int32_t firefox_stack_row(struct firefox_writer *w, uint32_t node);
uint32_t firefox_string_row(struct firefox_writer *w, assay_slice text);
/* The members `libs` and `shared`. All rows and strings must have been asked for. */
int firefox_put_tables(struct firefox_writer *w);

/* ---- write_times.c ---- */

/* Puts markers in order, once all threads are known: those of no stream are of the first thread. Their names and categories get numbers. */
int firefox_plan_markers(struct firefox_writer *w);
int firefox_put_markers(struct firefox_writer *w, const struct firefox_out_thread *t);
int firefox_put_counters(struct firefox_writer *w);
/* "pid" of a stream as text; 48 bytes suffice. */
assay_slice firefox_pid(const struct firefox_writer *w, uint32_t stream, char *buf);
void firefox_plan_attributes(struct firefox_writer *w);
/* An attribute of a stream (0 = of the profile); {NULL, 0} = it has none. */
assay_slice firefox_attribute(const struct firefox_writer *w, uint32_t stream, const char *key);

void firefox_put_length(struct firefox_writer *w, uint64_t length);

#endif
