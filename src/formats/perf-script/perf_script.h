/* The text of `perf script`: decoder, the contexts that samples add up to, and what the files of this folder give to the table in format.c. The grammar is
 * in docs/formats/perf-script.md. */
#ifndef FORMATS_PERF_SCRIPT_H
#define FORMATS_PERF_SCRIPT_H

#include "base/intern.h"
#include "base/kids.h"
#include "base/lines.h"
#include "formats/format.h"

/* ---- lines -> records (decode.c, parts.c) ---- */

enum perf_script_kind {
    PERF_SCRIPT_END,
    PERF_SCRIPT_SAMPLE,  /* an event line: a sample begins, and the one before is over */
    PERF_SCRIPT_FRAME,   /* of the sample, the innermost first */
    PERF_SCRIPT_SOURCE,  /* where the frame before is: file:line, perhaps with (inlined) */
    PERF_SCRIPT_BLANK,   /* the sample is over */
    PERF_SCRIPT_COMMENT, /* # of --header */
    PERF_SCRIPT_RECORD,  /* PERF_RECORD_...: what happened besides samples */
    PERF_SCRIPT_OTHER    /* none of these */
};

/* What an event line says. Texts are those of the file. */
struct perf_script_head {
    assay_slice comm;   /* name of the thread: anything */
    assay_slice thread; /* TID or PID/TID */
    assay_slice event;
    assay_slice frame; /* of a sample in one line; empty = none */
    int64_t time;      /* ns */
    uint64_t period;   /* 1 where there is none */
    bool has_time, has_period, is_large /* the period does not fit */;
};

struct perf_script_record {
    enum perf_script_kind kind;
    uint64_t off, number;
    assay_slice text; /* the line without blanks at both ends; SOURCE: without (inlined) */
    bool is_inlined;  /* SOURCE */
    struct perf_script_head head;
};

struct perf_script_decoder {
    struct lines lines;
    struct findings *damage;
    assay_error *err;
    bool in_sample, has_frame;
    uint64_t samples, others, records, lost;
};

void perf_script_decoder_init(struct perf_script_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void perf_script_decoder_done(struct perf_script_decoder *d);
/* The next line; PERF_SCRIPT_END once there is none. Damage goes to the findings. Errors: those of lines_next. */
int perf_script_next(struct perf_script_decoder *d, struct perf_script_record *r);

/* An event line, taken apart; false = it is none. */
bool perf_script_head(assay_slice line, struct perf_script_head *out);
/* Whether a line has the beginning of a frame: an address and a blank. `must_end` = also that it ends with ')'. */
bool perf_script_is_frame(assay_slice line, bool must_end);
/* Whether a time and ':' stand in the line, as they do in event lines only. */
bool perf_script_has_time(assay_slice line);

struct perf_script_frame {
    uint64_t ip;
    assay_slice symbol, module; /* without +0x...; [unknown] where the file has none; the module may be empty */
    bool is_inlined;
};
/* `text` is the line without blanks at both ends. */
struct perf_script_frame perf_script_frame(assay_slice text);
/* A place of -F srcline: false = it says none (??:0, binary[address]). */
bool perf_script_source(assay_slice text, assay_slice *file, uint32_t *line);

/* ---- samples added up (stacks.c) ---- */

/* A frame of a line, apart from where it stands in a stack. */
struct perf_script_shape {
    uint64_t ip;
    uint32_t symbol, module; /* names */
    uint32_t parts;          /* more than 1: methods that a Java compiler inlined, with -> between them, the outermost first */
    uint32_t func;           /* of a frame that is not inlined; of several parts, where theirs begin in part_funcs */
    bool is_inlined;
};
struct perf_script_line {
    assay_slice text;
    struct perf_script_shape shape;
};
struct perf_script_func {
    uint32_t symbol, module;
    bool is_used; /* by a node */
};
struct perf_script_node {
    uint32_t parent, func; /* 0 = the line of a leaf */
    uint32_t site;         /* where the frame above called it; of a leaf's line, that line */
    uint32_t path;         /* functions alone */
    uint32_t inlined;      /* frames from here to the root that are */
    bool is_inlined;
};
struct perf_script_taken { /* a frame of the open sample */
    struct perf_script_shape shape;
    uint32_t site; /* place in it */
};
struct perf_script_event {
    bool has_period, has_empty;
    assay_wide total;
};
struct perf_script_stream {
    assay_slice thread;
    uint32_t comm; /* the last one */
};
struct perf_script_cell {
    uint32_t stream, node, event;
    uint64_t value;
};
struct perf_script_comm {
    uint32_t stream, comm;
};
struct perf_script_moment {
    int64_t time;
    uint32_t stream, node, event;
    uint64_t period;
};

struct perf_script_stacks {
    struct mem *mem;
    bool wants_times;
    struct intern names;
    struct arena text;
    size_t text_len; /* of lines that are kept */
    struct index line_index, func_index, stream_index, cell_index, comm_index;
    VEC(struct perf_script_line) lines; /* frames as they stand in the file; most come again */
    VEC(struct perf_script_func) funcs; /* from 1 */
    VEC(uint32_t) part_funcs;
    struct intern places;               /* texts of -F srcline: sites */
    struct kids kids;                   /* nodes by parent, function and site */
    struct kids paths;                  /* by functions alone */
    VEC(struct perf_script_node) nodes; /* from 1 */
    VEC(uint8_t) ends;                  /* by path: a stack ends here */
    uint64_t stacks;
    struct intern event_names; /* the first has the id 1 */
    VEC(struct perf_script_event) events;
    VEC(struct perf_script_stream) streams; /* from 1 */
    VEC(struct perf_script_comm) comms;     /* every name that a stream has had */
    VEC(struct perf_script_cell) cells;
    VEC(struct perf_script_moment) moments; /* with wants_times only */

    /* the sample that is open */
    bool is_open;
    uint32_t stream, event;
    struct perf_script_head head;
    VEC(struct perf_script_taken) taken;

    uint64_t inlined, empty;
    bool is_saturated, has_times;
};

void perf_script_stacks_init(struct perf_script_stacks *s, struct mem *mem, bool wants_times);
void perf_script_stacks_done(struct perf_script_stacks *s);
/* The next record of the file; PERF_SCRIPT_END closes the last sample. false = no memory */
bool perf_script_stacks_add(struct perf_script_stacks *s, const struct perf_script_record *r);

int perf_script_read(const struct read_job *job, assay_builder *b, assay_error *err);
int perf_script_check(const struct read_job *job, struct findings *out, assay_error *err);
int perf_script_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif
