/* Invocations of Xdebug text: what read_blocks.c hands to the tree and to the proxies. */
#ifndef CALLGRIND_BLOCKS_H
#define CALLGRIND_BLOCKS_H

#include "base/error.h"
#include "formats/callgrind/nested.h"
#include "formats/callgrind/tree.h"

/* Calls with a row of values each. */
struct cg_call_list {
    struct cg_call *at;
    size_t len, cap;
    struct {
        assay_value *at;
        size_t len, cap;
    } rows;
    uint32_t width; /* values in a row */
};

bool cg_calls_add(struct mem *m, struct cg_call_list *l, struct cg_call c, const assay_value *row, uint32_t count);
void cg_calls_cut(struct cg_call_list *l, size_t len);
void cg_calls_done(struct mem *m, struct cg_call_list *l);
static inline const assay_value *cg_calls_row(const struct cg_call_list *l, size_t i) { return l->rows.at + i * l->width; }

enum cg_proxy { CG_PROXY_UNKNOWN, CG_PROXY_NO, CG_PROXY_EXACT, CG_PROXY_QUEUED };

/* A finished invocation of a proxy that nobody has claimed: its calls begin here in `passed`. */
struct cg_passed {
    uint32_t func;
    size_t begin;
};

/* Calls that one proxy passed on, in webgrind's way: the oldest is taken first. */
struct cg_queue {
    uint32_t func;
    size_t head;
    struct cg_call_list calls;
};

struct cg_proxies {
    VEC(uint8_t) known; /* by function number: enum cg_proxy */
    VEC(struct cg_queue) queues;
    VEC(struct cg_passed) stack;
    struct cg_call_list passed;
    struct cg_call_list waiting; /* calls of the block in work from the first one on that a proxy has to do with */
};

struct cg_blocks {
    bool wants_nested, wants_tree, has_proxies;
    uint32_t func;  /* of the block in work; 0 = none */
    uint64_t block; /* its number, as the decoder counts them */
    assay_value self[CG_MAX_EVENTS];
    struct cg_call_list calls; /* of the block in work, for the tree */
    struct cg_nested nested;
    struct cg_tree tree;
    struct cg_proxies proxies;
};

/* Before a cost of Xdebug text is booked. */
static inline int cg_blocks_enter(struct cg_reader *r, const struct cg_record *rec, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    if (!s->func || s->block != r->d.block) return cg_blocks_begin(r, rec->func, err);
    s->func = rec->func;
    return 0;
}

/* Self cost of the block in work, in slots. */
static inline void cg_blocks_self(struct cg_reader *r, const assay_value *row, uint32_t count)
{
    struct cg_blocks *s = r->blocks;
    if (s->wants_nested) cg_nested_add(s->nested.took, row, count);
    if (__builtin_expect(s->wants_tree, 0)) cg_nested_add(s->self, row, count);
}

/* What the tree and the proxies have to do with a call. */
int cg_blocks_keep_call(struct cg_reader *r, const struct cg_record *rec, const assay_value *row, uint32_t count, bool *is_booked, assay_error *err);

/* A call of the block in work, in slots. `is_booked` comes back false when it goes through a proxy and is booked otherwise. */
static inline int cg_blocks_call(struct cg_reader *r, const struct cg_record *rec, const assay_value *row, uint32_t count, bool *is_booked, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    if (s->wants_nested && !cg_nested_call(&s->nested, rec, row, count)) return error_memory(err);
    return s->wants_tree || s->has_proxies ? cg_blocks_keep_call(r, rec, row, count, is_booked, err) : 0;
}

/* After the call is booked; false = no memory. */
static inline bool cg_blocks_arc(struct cg_reader *r, const assay_value *row, uint32_t count)
{
    struct cg_nested *n = &r->blocks->nested;
    return __builtin_expect(!n->wants_arcs, 1) || cg_nested_arc(n, assay_build_last_call(r->b), row, count);
}

/* read_proxies.c. A call of the block in work; false = it waits for the end of the block. */
int cg_proxies_call(struct cg_reader *r, const struct cg_record *rec, const assay_value *row, uint32_t count, bool *is_booked, assay_error *err);
/* The block ends. */
int cg_proxies_finish(struct cg_reader *r, uint32_t func, assay_error *err);
/* The run ends: nothing more is claimed. */
void cg_proxies_end(struct cg_proxies *p, struct mem *m);
void cg_proxies_done(struct cg_proxies *p, struct mem *m);

#endif
