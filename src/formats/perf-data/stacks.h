/* Samples added up: memory grows with distinct contexts, not with samples, unless their times are wanted. */
#ifndef FORMATS_PERF_DATA_STACKS_H
#define FORMATS_PERF_DATA_STACKS_H

#include "base/kids.h"
#include "formats/perf-data/dumps.h"

struct pd_node {
    uint32_t parent, func;
    uint32_t path; /* by functions alone, whether inlined or not */
    bool is_inlined;
};
struct pd_stream {
    int32_t pid, tid;
    uint32_t process, thread;   /* owners; 0 = none */
    uint32_t comm;              /* of the last sample; 0 = none */
    struct pd_when first, last; /* of its samples */
    struct pd_window window;    /* in which these hold: */
    uint32_t comm_now, user, kernel, guest;
};
struct pd_comm {
    uint32_t stream, comm;
};
struct pd_cell {
    uint32_t stream, node, event;
    uint64_t value;
};
struct pd_moment {
    uint64_t time, period;
    uint32_t stream, node, event;
};
/* The last values of counters, by id and thread. */
struct pd_counter {
    uint64_t id, value;
    int32_t tid;
};
struct pd_taken {
    uint64_t address;
    uint32_t root; /* with PD_UNWOUND: the address does not stand in the file */
};
#define PD_UNWOUND (UINT32_C(1) << 31)
/* What comes below a node at an address: samples have the same ones again and again. */
struct pd_step {
    uint64_t address;
    uint32_t root, parent, child;
};
enum { PD_STEPS = 1 << 15 };
/* The callers of a chain as they stand in the file, and where they end: most of them come again. */
struct pd_chain {
    const unsigned char *bytes;
    uint32_t len, node; /* addresses and marks */
    uint32_t root, user, kernel;
    bool is_full; /* with the address before it, as long as may be */
};

struct pd_event {
    uint64_t samples;
    assay_wide total;
    bool has_empty;
};

struct pd_stacks {
    struct mem *mem;
    const struct pd_decoder *d;
    struct pd_tracks *tracks;
    struct pd_frames *frames;
    struct pd_dumps dump;
    bool wants_times;
    struct kids kids, paths;
    VEC(struct pd_node) nodes; /* from 1 */
    struct pd_step *steps;     /* PD_STEPS; child 0 = empty */
    struct index stream_index, cell_index, comm_index, counter_index;
    VEC(struct pd_stream) streams; /* from 1 */
    VEC(struct pd_comm) comms;
    VEC(struct pd_cell) cells;
    VEC(struct pd_moment) moments;
    VEC(struct pd_counter) counters;
    VEC(struct pd_event) events;
    VEC(uint8_t) ends; /* by path: a stack ends here */
    VEC(struct pd_taken) taken;
    struct arena chain_bytes;
    struct index chain_index;
    VEC(struct pd_chain) chains; /* from 1 */
    size_t chain_len;            /* bytes of those that are kept */
    uint32_t stream;             /* of the sample before */
    uint64_t samples, stacks, empty, unmapped, full /* chains of the greatest length */, dumps, unwound, inlined;
    uint64_t first_time, last_time;
    bool is_saturated, has_times;
};

bool pd_stacks_init(struct pd_stacks *s, const struct pd_decoder *d, struct pd_frames *frames, bool wants_times);
void pd_stacks_done(struct pd_stacks *s);
/* Errors: MEMORY. */
int pd_stacks_add(struct pd_stacks *s, const struct pd_sample *sample, uint64_t seq, assay_error *err);

#endif
