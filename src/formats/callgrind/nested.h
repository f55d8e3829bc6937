/* Recursion counts once, without a tree: which invocations of Xdebug text are inside another one of the same function, and which calls inside another
 * from the same caller to the same callee. */
#ifndef CALLGRIND_NESTED_H
#define CALLGRIND_NESTED_H

#include "formats/callgrind/read.h"

/* Of one function or call site: invocations or calls that returned from `first` to `last` and that nothing of their kind has claimed. Times are numbers
 * of blocks. */
struct cg_open {
    uint32_t key, prev; /* key 0 = claimed; prev: the entry of the same key before it + 1 */
    uint32_t first, last;
};

struct cg_open_key {
    uint64_t entered;  /* functions: how often */
    uint32_t last;     /* its newest entry + 1 */
    bool is_recursive; /* something of it was inside another before */
};

/* What is open, in the order it returned. Entries that can only be claimed together become one, so that their number grows with keys and with
 * invocations that no caller has claimed yet, not with the length of the file (read_nested_log.c). */
struct cg_open_log {
    VEC(struct cg_open) entries;
    VEC(assay_value) rows;
    VEC(struct cg_open_key) keys;
    uint32_t width;
    uint32_t old;               /* what returned before may be joined although it can be claimed apart: there was too much of it */
    bool is_crowded, joins_all; /* such joining is due; of recursive functions too */
    size_t tidy_at;             /* entries */
    uint64_t unknown;           /* claims of a part of what was joined */
};

/* A finished invocation that no caller has claimed; begin: when the first one inside it returned. */
struct cg_unclaimed {
    uint32_t begin, func;
};

struct cg_nested_site {
    uint32_t file, line, next; /* the pair's next site + 1 */
};
struct cg_nested_pair {
    uint32_t caller, callee, first, recent; /* sites + 1 */
    uint32_t claimed_at;                    /* the block, from 1, that claimed last */
};

struct cg_nested {
    struct mem *mem;
    bool is_broken;                     /* calls and blocks do not form a tree: nothing is known */
    bool wants_arcs;                    /* also calls, not only invocations */
    uint32_t now;                       /* the time of the block in work */
    VEC(struct cg_unclaimed) unclaimed; /* by a caller */
    VEC(uint32_t) callees;              /* of the block in work */
    VEC(struct cg_nested_site) calls;   /* with wants_arcs: of the same */
    VEC(assay_value) costs;             /* and what they cost */
    assay_value *took;                  /* what the block in work and its calls cost: behind the rows of `funcs` */
    struct cg_open_log funcs, arcs;     /* keys: number of the function, number of the site + 1 */
    VEC(struct cg_nested_site) sites;
    VEC(struct cg_nested_pair) pairs;
    struct index pair_index;
};

void cg_nested_init(struct cg_nested *n, struct mem *mem, bool wants_arcs);
void cg_nested_done(struct cg_nested *n);

/* A block begins, with rows of `width` values; false = no memory. */
static inline bool cg_nested_begin(struct cg_nested *n, uint32_t width);
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
/* A call of the block in work; false = no memory. */
static inline bool cg_nested_call(struct cg_nested *n, const struct cg_record *rec, const assay_value *row, uint32_t count);
/* The block ends. is_cut: so does the file, and its calls are not all there: it claims nothing. Errors: MEMORY. */
int cg_nested_finish(struct cg_reader *r, struct cg_nested *n, uint32_t func, bool is_cut, assay_error *err);
/* The run ends: books how often each function was entered, and forgets what is open. */
void cg_nested_end(struct cg_reader *r, struct cg_nested *n);

/* With wants_arcs: where the call stands, and its cost apart. */
bool cg_nested_arc(struct cg_nested *n, const struct cg_record *rec, const assay_value *row, uint32_t count);

/* ---- read_nested_log.c ---- */

enum { CG_OPEN_FIRST = 1 << 15 }; /* tidy_at in the beginning */

/* Room for keys below `count`; false = no memory. */
bool cg_open_reach(struct cg_open_log *l, struct mem *mem, size_t count);
/* Joins entries; called when there are tidy_at of them. */
void cg_open_tidy(struct cg_open_log *l, const struct cg_nested *n);
/* How many of the unclaimed invocations begin at or before `time`. */
size_t cg_open_begun(const struct cg_nested *n, uint32_t time);
void cg_open_clear(struct cg_open_log *l);
void cg_open_done(struct cg_open_log *l, struct mem *mem);

/* Room for one more entry behind the last; false = no memory. */
static inline bool cg_open_room(struct cg_open_log *l, const struct cg_nested *n)
{
    if (l->entries.len >= l->tidy_at) cg_open_tidy(l, n);
    return (l->entries.len < l->entries.cap || vec_reserve(n->mem, &l->entries, 1)) &&
           (l->rows.cap - l->rows.len >= l->width + 2 || vec_reserve(n->mem, &l->rows, (size_t)l->width + 2));
}

/* Adds it; its row is filled. */
static inline void cg_open_add(struct cg_open_log *l, const struct cg_nested *n, uint32_t key)
{
    struct cg_open_key *k = &l->keys.at[key];
    l->rows.len += l->width;
    l->entries.at[l->entries.len++] = (struct cg_open){ key, k->last, n->now, n->now };
    k->last = (uint32_t)l->entries.len;
}

static inline bool cg_nested_begin(struct cg_nested *n, uint32_t width)
{
    n->funcs.width = n->arcs.width = width;
    n->callees.len = 0;
    if (__builtin_expect(n->wants_arcs, 0)) n->calls.len = n->costs.len = 0;
    if (!cg_open_room(&n->funcs, n)) return false;
    n->took = n->funcs.rows.at + n->funcs.rows.len;
    n->took[0].u = n->took[1].u = 0;
    if (__builtin_expect(width > 2, 0)) memset(n->took, 0, width * sizeof *n->took);
    return true;
}

static inline bool cg_nested_call(struct cg_nested *n, const struct cg_record *rec, const assay_value *row, uint32_t count)
{
    cg_nested_add(n->took, row, count);
    n->is_broken |= rec->calls != 1;
    if (n->callees.len == n->callees.cap && !vec_reserve(n->mem, &n->callees, 1)) return false;
    n->callees.at[n->callees.len++] = rec->callee;
    return !n->wants_arcs || cg_nested_arc(n, rec, row, count);
}

#endif
