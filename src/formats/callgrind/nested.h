/* Recursion counts once, without a tree: which invocations of Xdebug text are inside another one of the same function, and which calls inside another
 * from the same caller to the same callee. */
#ifndef CALLGRIND_NESTED_H
#define CALLGRIND_NESTED_H

#include "formats/callgrind/read.h"

/* Of one function or call site: what is inside one invocation and that nothing of its kind has claimed, from time `first` to `last`. Times are numbers of
 * blocks. */
struct cg_open {
    uint32_t key, prev; /* key 0 = claimed; prev: the entry of the same key before it + 1 */
    uint32_t first, last;
    assay_value row[];
};

struct cg_open_key {
    uint64_t is_recursive : 1; /* something of it was inside another before */
    uint64_t entered : 63;     /* functions: how often */
    uint32_t last;             /* its newest entry + 1 */
    uint32_t first;            /* of that */
};

/* What is open, in the order of time. Entries that can only be claimed together become one, so that their number grows with keys and with invocations
 * that no caller has claimed yet, not with the length of the file (read_nested_log.c). */
struct cg_open_log {
    VEC(assay_value) words; /* `len` entries of `stride` words */
    size_t len, stride;
    VEC(struct cg_open_key) keys;
    uint32_t width;             /* values in a row */
    uint32_t old;               /* what returned before may be joined although it can be claimed apart: there was too much of it */
    bool is_crowded, joins_all; /* such joining is due; of recursive functions too */
    size_t room;                /* entries there is memory for, up to tidy_at */
    size_t tidy_at;             /* entries at which joining is due */
    uint64_t unknown;           /* claims of a part of what was joined */
};

/* A finished invocation that no caller has claimed; begin: when the first one inside it returned. */
struct cg_unclaimed {
    uint32_t begin, func;
};

/* The calls from one place to one function, by their number in the builder. */
struct cg_nested_site {
    uint32_t caller, callee;
    uint32_t next;       /* the next of the same caller and callee, in a ring */
    uint32_t claimed_at; /* the block, from 1, that claimed last */
};

struct cg_nested {
    struct mem *mem;
    bool is_broken;                     /* calls and blocks do not form a tree: nothing is known */
    bool wants_arcs;                    /* also calls, not only invocations */
    uint32_t now;                       /* the time of the block in work */
    uint32_t width;                     /* values in a row */
    VEC(struct cg_unclaimed) unclaimed; /* by a caller */
    VEC(assay_value) waiting;           /* what the first CG_WAITING of them cost: it goes to `funcs` when they are claimed */
    VEC(uint32_t) callees;              /* of the block in work */
    VEC(uint32_t) calls;                /* with wants_arcs: of the same, numbers of their sites */
    VEC(assay_value) costs;             /* and what they cost */
    assay_value took[CG_MAX_EVENTS];    /* what the block in work and its calls cost */
    struct cg_open_log funcs, arcs;     /* keys: number of the function, number of the site */
    VEC(struct cg_nested_site) sites;
    struct index pair_index; /* caller and callee -> one of their sites */
};

/* The cost of so many unclaimed invocations is kept one by one; that of those after them, in long loops, is open from the beginning. */
enum { CG_WAITING = 1 << 16 };

void cg_nested_init(struct cg_nested *n, struct mem *mem, bool wants_arcs);
void cg_nested_done(struct cg_nested *n);

/* Figures wrap on purpose: absurd ones must not stop the rest. Xdebug writes two. */
static inline void cg_nested_add(assay_value *to, const assay_value *row, uint32_t count)
{
    if (__builtin_expect(count == 2, 1)) {
        to[0].u += row[0].u;
        to[1].u += row[1].u;
        return;
    }
    for (uint32_t k = 0; k < count; k++) to[k].u += row[k].u;
}

static inline void cg_nested_copy(assay_value *to, const assay_value *row, uint32_t count)
{
    if (__builtin_expect(count == 2, 1)) {
        to[0] = row[0];
        to[1] = row[1];
        return;
    }
    for (uint32_t k = 0; k < count; k++) to[k] = row[k];
}

/* The next run has rows of `width` values. */
void cg_nested_widen(struct cg_nested *n, uint32_t width);

/* So that the key is at hand when the block ends. */
static inline void cg_open_prepare(const struct cg_open_log *l, uint32_t key)
{
    if (key < l->keys.len) __builtin_prefetch(&l->keys.at[key]);
}

/* A block of `func` begins, with rows of `width` values, which only changes between runs. */
static inline void cg_nested_begin(struct cg_nested *n, uint32_t func, uint32_t width)
{
    cg_open_prepare(&n->funcs, func);
    if (__builtin_expect(n->width != width || !n->funcs.stride, 0)) cg_nested_widen(n, width);
    n->callees.len = 0;
    if (__builtin_expect(n->wants_arcs, 0)) n->calls.len = n->costs.len = 0;
    n->took[0].u = n->took[1].u = 0;
    if (__builtin_expect(width > 2, 0)) memset(n->took, 0, width * sizeof *n->took);
}

/* A call of the block in work; false = no memory. */
static inline bool cg_nested_call(struct cg_nested *n, const struct cg_record *rec, const assay_value *row, uint32_t count)
{
    cg_nested_add(n->took, row, count);
    n->is_broken |= rec->calls != 1;
    if (__builtin_expect(n->callees.len == n->callees.cap, 0) && !vec_reserve(n->mem, &n->callees, 1)) return false;
    n->callees.at[n->callees.len++] = rec->callee;
    cg_open_prepare(&n->funcs, rec->callee);
    return true;
}

/* With wants_arcs, after each call: where it stands, and its cost apart; false = no memory. */
static inline bool cg_nested_arc(struct cg_nested *n, uint32_t site, const assay_value *row, uint32_t count)
{
    uint32_t width = n->width;
    if (!site) return true; /* the builder has failed */
    if ((n->calls.len == n->calls.cap && !vec_reserve(n->mem, &n->calls, 1)) ||
        (n->costs.cap - n->costs.len <= width && !vec_reserve(n->mem, &n->costs, (size_t)width + 1)))
        return false;
    assay_value *to = n->costs.at + n->costs.len;
    n->calls.at[n->calls.len++] = site;
    cg_open_prepare(&n->arcs, site);
    n->costs.len += width;
    cg_nested_copy(to, row, count);
    if (__builtin_expect(count < width, 0)) memset(to + count, 0, (width - count) * sizeof *to);
    return true;
}

/* The block ends. is_cut: so does the file, and its calls are not all there: it claims nothing. Errors: MEMORY. */
int cg_nested_finish(struct cg_reader *r, struct cg_nested *n, uint32_t func, bool is_cut, assay_error *err);
/* The run ends: books how often each function was entered, and forgets what is open. */
void cg_nested_end(struct cg_reader *r, struct cg_nested *n);

/* ---- read_nested_log.c ---- */

/* Room for keys below `count`; false = no memory. */
bool cg_open_reach(struct cg_open_log *l, struct mem *mem, size_t count);
/* Room for one more entry; entries may be joined, those that are claimed go. false = no memory. */
bool cg_open_room(struct cg_open_log *l, const struct cg_nested *n);
/* How many of the unclaimed invocations begin at or before `time`. */
size_t cg_open_begun(const struct cg_nested *n, uint32_t time);
void cg_open_clear(struct cg_open_log *l);
void cg_open_done(struct cg_open_log *l, struct mem *mem);

static inline struct cg_open *cg_open_at(const struct cg_open_log *l, size_t i) { return (struct cg_open *)(void *)(l->words.at + i * l->stride); }

/* Adds a cost to the newest entry of the key if that began at or after `begin`; otherwise as a new one. false = no memory. */
static inline bool cg_open_add(struct cg_open_log *l, const struct cg_nested *n, uint32_t key, const assay_value *row, uint32_t begin)
{
    struct cg_open_key *k = &l->keys.at[key];
    if (k->last && k->first >= begin) {
        struct cg_open *e = cg_open_at(l, k->last - 1);
        e->last = n->now;
        cg_nested_add(e->row, row, l->width);
        return true;
    }
    if (__builtin_expect(l->len >= l->room, 0) && !cg_open_room(l, n)) return false;
    struct cg_open *e = cg_open_at(l, l->len++);
    *e = (struct cg_open){ key, k->last, n->now, n->now };
    cg_nested_copy(e->row, row, l->width);
    k->last = (uint32_t)l->len;
    k->first = n->now;
    return true;
}

#endif
