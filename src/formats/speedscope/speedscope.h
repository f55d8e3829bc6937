/* Files of speedscope: JSON -> records -> stacks with their weights. docs/formats/speedscope.md has the grammar and the rules. */
#ifndef FORMATS_SPEEDSCOPE_SPEEDSCOPE_H
#define FORMATS_SPEEDSCOPE_SPEEDSCOPE_H

#include "base/intern.h"
#include "base/kids.h"
#include "formats/format.h"

/* ---- decode: the only parser ---- */

enum speedscope_kind {
    SPEEDSCOPE_NAME,     /* text: of the whole file */
    SPEEDSCOPE_EXPORTER, /* text */
    SPEEDSCOPE_ACTIVE,   /* number */
    SPEEDSCOPE_FRAMES,   /* shared.frames begins */
    SPEEDSCOPE_FRAME,
    SPEEDSCOPE_PROFILE, /* begins; what is said of it comes in any order */
    SPEEDSCOPE_LABEL,   /* text: name of the profile */
    SPEEDSCOPE_TYPE,    /* text */
    SPEEDSCOPE_UNIT,    /* text */
    SPEEDSCOPE_START,   /* number */
    SPEEDSCOPE_STOP,    /* number: endValue */
    SPEEDSCOPE_STACK,   /* of a sample, root first */
    SPEEDSCOPE_WEIGHTS, /* begin; off is that of the key */
    SPEEDSCOPE_WEIGHT,  /* number; in bulk: numbers */
    SPEEDSCOPE_OPEN,    /* frame, number = at */
    SPEEDSCOPE_CLOSE,
    SPEEDSCOPE_PROFILE_END
};

struct speedscope_record {
    enum speedscope_kind kind;
    uint64_t off, at_line; /* where it stands */
    assay_slice text;      /* also the name of a frame */
    assay_slice file;
    uint32_t line, column; /* 0 = not said */
    double number;
    uint64_t frame;
    const uint64_t *frames;
    size_t frame_count;
    const uint64_t *offs; /* of each of the frames; NULL = they stand in `text`, right behind off */
    /* In bulk. */
    uint32_t stack; /* number of the stack, from 1, whose frames are given when it comes first; 0 = it has none, and all its frames are given */
    const double *numbers;
    size_t number_count;
};
/* Where frame k of a stack stands. */
uint64_t speedscope_frame_off(const struct speedscope_record *r, size_t k);

typedef int (*speedscope_fn)(void *arg, const struct speedscope_record *r);
/* Calls fn for each record, in the order of the file; what a record points to lasts until fn returns. `in_bulk`: stacks are numbered, and a record may have
 * several weights. Damage goes to `damage`. Errors: those of fn, of input and of memory. */
int speedscope_walk(const struct read_job *job, bool in_bulk, struct findings *damage, speedscope_fn fn, void *arg, assay_error *err);

/* ---- collect: records -> stacks ---- */

enum speedscope_unit { SPEEDSCOPE_NONE, SPEEDSCOPE_NS, SPEEDSCOPE_US, SPEEDSCOPE_MS, SPEEDSCOPE_S, SPEEDSCOPE_BYTES, SPEEDSCOPE_UNITS };
extern const char *const speedscope_unit_names[SPEEDSCOPE_UNITS];
/* ns in one of them; 0 = it is no time. */
double speedscope_unit_ns(enum speedscope_unit unit);

struct speedscope_frame {
    uint32_t name, file; /* of names; 0 = none */
    uint32_t line, column;
};

/* What one profile adds up to in one node, or in one stack. The sum is cell.sum + cell.rest: nothing is lost to rounding. */
struct speedscope_cell {
    uint32_t node;
    bool is_stack;  /* something was on top there */
    uint64_t calls; /* how often it was opened */
    double sum, rest;
};

struct speedscope_event {
    uint32_t node;
    double at, length; /* length: of a span; weight of a sample */
};

struct speedscope_open {
    uint64_t frame, off, line;
    uint32_t node;
    double at;
};

struct speedscope_profile {
    uint32_t name;
    enum speedscope_unit unit;
    bool is_evented, is_sound; /* not sound: it has an error, and counts for nothing */
    bool is_by_stack;          /* the cells have numbers of stacks, not of nodes */
    double start, stop;
    uint64_t samples, events;
    size_t cells, cells_end, timeline, timeline_end;
    double idle;                                 /* weight of empty stacks */
    uint64_t largest, largest_off, largest_line; /* frame + 1 of the largest number */
};

/* What contexts are needed for: to have them, with or without times, or not at all unless speedscope_make_nodes asks for them. */
enum speedscope_want { SPEEDSCOPE_NODES, SPEEDSCOPE_TIMES, SPEEDSCOPE_STACKS };

struct speedscope {
    struct mem *mem;
    assay_error *err;
    struct findings *damage;
    enum speedscope_want want;
    struct intern names;
    uint32_t name, exporter;
    uint64_t active;
    bool has_frames;
    VEC(struct speedscope_frame) frames;
    VEC(struct speedscope_profile) profiles;
    VEC(uint32_t) pool;    /* frames of the stacks that have a number, each root first */
    VEC(size_t) begin;     /* by stack, from 1: where it begins in the pool; one more at the end */
    VEC(uint32_t) most;    /* by stack: its largest frame */
    VEC(uint32_t) node_of; /* by stack: its node; 0 = it has none so far */
    bool has_unnumbered;   /* there are stacks without a number */
    struct kids nodes;     /* key: frame */
    VEC(struct speedscope_cell) cells;
    VEC(struct speedscope_event) timeline;
    VEC(uint32_t) slot; /* by node: its newest cell + 1 */
    /* The profile that is open. */
    struct {
        struct speedscope_profile p;
        bool has_type;
        uint64_t off, line, weights_off, weights_line;
        VEC(uint32_t) samples; /* 0, a stack, or a node with SPEEDSCOPE_IS_NODE */
        VEC(double) weights;
        VEC(uint32_t) last; /* frames of the stack before, and the nodes that they are */
        VEC(uint32_t) path;
        VEC(struct speedscope_open) open;
        double now;
    } it;
};

#define SPEEDSCOPE_IS_NODE 0x80000000u

/* Reads all of it. speedscope_done is due in either case. Errors: input, memory. */
int speedscope_collect(struct speedscope *s, const struct read_job *job, enum speedscope_want want, struct findings *damage, assay_error *err);
/* Makes nodes of all stacks, for cells that have stacks. */
int speedscope_make_nodes(struct speedscope *s);
void speedscope_done(struct speedscope *s);

int speedscope_read(const struct read_job *job, assay_builder *b, assay_error *err);
int speedscope_check(const struct read_job *job, struct findings *out, assay_error *err);
int speedscope_dump(const struct read_job *job, struct output *out, assay_error *err);
int speedscope_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
