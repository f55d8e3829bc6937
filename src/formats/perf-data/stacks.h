/* Samples added up: memory grows with distinct contexts, not with samples, unless their times are wanted. */
#ifndef FORMATS_PERF_DATA_STACKS_H
#define FORMATS_PERF_DATA_STACKS_H

#include "base/kids.h"
#include "formats/perf-data/dumps.h"

struct pd_node {
    uint32_t parent, func;
    uint32_t path; /* by functions alone, whether inlined or not: its own number where nothing is inlined */
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
enum { PD_STEPS = 1 << 16 };
/* The spaces that addresses of a sample can be in. */
struct pd_roots {
    uint32_t user, kernel, guest;
};
/* The callers of a chain as they stand in the file; what is kept of them begins with this, so that one look fetches both. */
struct pd_callers {
    uint32_t len;  /* addresses and marks */
    uint32_t root; /* of the first address */
    struct pd_roots roots;
    uint32_t node; /* that they end in */
    bool is_full;  /* with the address before them, as long as may be */
};
struct pd_kept {
    struct pd_callers of;
    unsigned char bytes[];
};

/* A sample that waits to be added, and how far it has been looked up. */
struct pd_waiting {
    struct pd_sample sample;
    uint32_t stream;
    struct pd_roots roots;
    bool has_leaf; /* the chain has an address: then all of the following holds */
    struct pd_taken leaf;
    struct pd_callers callers;
    const unsigned char *bytes; /* of the callers */
    uint64_t hash;
    const struct pd_kept *kept; /* the same callers; NULL = they are not there yet */
    uint32_t node;              /* a guess at the context; 0 = none */
};
enum { PD_AHEAD = 16 };

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
    VEC(struct pd_taken) taken;
    struct arena kept_bytes;
    struct index kept_index;
    VEC(struct pd_kept *) kept; /* callers, from 1 */
    size_t kept_len;            /* their bytes */
    struct pd_waiting waiting[PD_AHEAD];
    size_t waiting_len;
    uint32_t stream; /* of the sample before */
    uint64_t samples, empty, unmapped, full /* chains of the greatest length */, dumps, unwound, inlined;
    uint64_t first_time, last_time;
    bool is_saturated, has_times;
};

bool pd_stacks_init(struct pd_stacks *s, const struct pd_decoder *d, struct pd_frames *frames, bool wants_times);
void pd_stacks_done(struct pd_stacks *s);
/* Samples wait until there are several of them, so that what one needs is fetched while others are looked at. Room for the next one: */
static inline struct pd_sample *pd_stacks_room(struct pd_stacks *s) { return &s->waiting[s->waiting_len].sample; }
/* Takes the sample that was put there. The bytes that it points to must last until pd_stacks_settle. Errors: MEMORY, and those of symbols. */
int pd_stacks_add(struct pd_stacks *s, uint64_t seq, assay_error *err);
/* Adds those that wait. The same errors. */
int pd_stacks_settle(struct pd_stacks *s, assay_error *err);

/* Contexts by functions alone, and those of them that a stack ends in. Errors: MEMORY, CANCELLED. */
size_t pd_paths(const struct pd_stacks *s);
int pd_ends(const struct pd_stacks *s, uint64_t *out, assay_error *err);

/* ---- contexts (stacks.c) ---- */

uint32_t pd_step_new(struct pd_stacks *s, uint32_t parent, const struct pd_taken *t);
static inline struct pd_step *pd_step_slot(const struct pd_stacks *s, uint32_t parent, const struct pd_taken *t)
{
    return &s->steps[hash_mix(t->address ^ (uint64_t)t->root << 48, parent) & (PD_STEPS - 1)];
}
static inline bool pd_step_is(const struct pd_step *e, uint32_t parent, const struct pd_taken *t)
{
    return e->child && e->address == t->address && e->root == t->root && e->parent == parent;
}
/* What is below `parent` at that address; 0 = no memory, or what pd_frame failed with. */
static inline uint32_t pd_step(struct pd_stacks *s, uint32_t parent, const struct pd_taken *t)
{
    const struct pd_step *e = pd_step_slot(s, parent, t);
    return pd_step_is(e, parent, t) ? e->child : pd_step_new(s, parent, t);
}
/* By the mark before an address, or by the mode of the sample. */
uint32_t pd_root_of_mark(const struct pd_roots *r, uint64_t mark);
uint32_t pd_root_of_mode(const struct pd_roots *r, unsigned mode);
/* The context that the stack of a sample ends in; 0 = it has none. */
int pd_stack_walk(struct pd_stacks *s, const struct pd_sample *p, const struct pd_roots *roots, uint32_t *node, assay_error *err);
/* The same of callers alone: their node, and whether they are as many as may be. */
int pd_callers_walk(struct pd_stacks *s, struct pd_callers *c, const unsigned char *bytes, assay_error *err);

/* ---- chains that came before (chains.c) ---- */

/* Sets what a sample with a chain is looked up by, and has it fetched. */
void pd_chain_begin(struct pd_stacks *s, struct pd_waiting *w);
/* Looks up as much as there is without making anything, one step for all of those that wait after the other. */
void pd_chains_fetch(struct pd_stacks *s);
/* The context of the sample. */
int pd_chain_walk(struct pd_stacks *s, struct pd_waiting *w, uint32_t *node, assay_error *err);
static inline uint64_t pd_cell_hash(uint32_t stream, uint32_t event, uint32_t node) { return hash_mix((uint64_t)stream << 32 | event, node); }

#endif
