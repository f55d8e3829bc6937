/* Xdebug writes a block when its invocation returns, after those of all it called. So a block of F contains an earlier invocation of F when that one
 * returned after the first invocation inside the block did: it claims those that nothing has claimed yet, and their cost is nested. The same for calls,
 * with the range of the invocation that was called. See docs/formats/callgrind.md, "The exact call tree". */
#include "base/error.h"
#include "formats/callgrind/nested.h"

void cg_nested_init(struct cg_nested *n, struct mem *mem, bool wants_arcs)
{
    memset(n, 0, sizeof *n);
    n->mem = mem;
    n->wants_arcs = wants_arcs;
    index_init(&n->pair_index, mem);
}

void cg_nested_done(struct cg_nested *n)
{
    cg_open_done(&n->funcs, n->mem);
    cg_open_done(&n->arcs, n->mem);
    vec_done(n->mem, &n->unclaimed, &n->waiting, &n->callees, &n->calls, &n->costs, &n->sites);
    index_done(&n->pair_index);
}

void cg_nested_widen(struct cg_nested *n, uint32_t width)
{
    enum { HEAD = sizeof(struct cg_open) / sizeof(assay_value) };
    n->width = n->funcs.width = n->arcs.width = width;
    n->funcs.stride = n->arcs.stride = HEAD + (size_t)width;
    n->funcs.room = n->arcs.room = 0;
}

/* ---- claims ---- */

struct claim {
    uint32_t begin;  /* of the block in work */
    uint32_t callee; /* calls: only what is inside an invocation of it that the block called; 0 = all */
    assay_value nested[CG_MAX_EVENTS];
};

/* Whether an entry is inside a call of the block in work to `callee`. */
static bool is_inside(const struct cg_nested *n, uint32_t time, uint32_t callee)
{
    size_t at = cg_open_begun(n, time);
    return at > n->unclaimed.len - n->callees.len && n->unclaimed.at[at - 1].func == callee;
}

/* Adds up the entries of `key` that are inside, and takes them out; true = there are some. */
static bool take(struct cg_open_log *l, const struct cg_nested *n, uint32_t key, struct claim *c)
{
    uint32_t *link = &l->keys.at[key].last;
    bool has_some = false;
    memset(c->nested, 0, l->width * sizeof *c->nested);
    struct cg_open *e;
    while (*link && (e = cg_open_at(l, *link - 1))->last >= c->begin) {
        bool is_split = e->first < c->begin;
        l->unknown += is_split;
        if (is_split || (c->callee && !is_inside(n, e->first, c->callee))) {
            link = &e->prev;
            continue;
        }
        cg_nested_add(c->nested, e->row, l->width);
        *link = e->prev;
        e->key = 0;
        has_some = true;
    }
    struct cg_open_key *k = &l->keys.at[key];
    k->is_recursive |= has_some;
    if (k->last) k->first = cg_open_at(l, k->last - 1)->first;
    return has_some;
}

/* ---- calls ---- */

/* The first call of a site, whose number is above all before: it joins the ring of its caller and callee. */
static bool new_site(struct cg_nested *n, uint32_t site, uint32_t caller, uint32_t callee)
{
    size_t more = site + 1 - n->sites.len;
    if (!vec_reserve(n->mem, &n->sites, more) || !cg_open_reach(&n->arcs, n->mem, (size_t)site + 1)) return false;
    memset(n->sites.at + n->sites.len, 0, more * sizeof *n->sites.at);
    n->sites.len += more;
    struct cg_nested_site *s = &n->sites.at[site];
    *s = (struct cg_nested_site){ caller, callee, site, 0 };
    uint64_t hash = hash_mix((uint64_t)caller << 32 | callee, 0);
    for (struct index_walk w = index_walk(&n->pair_index, hash); index_next(&n->pair_index, &w);) {
        struct cg_nested_site *first = &n->sites.at[w.id];
        if (first->caller != caller || first->callee != callee) continue;
        s->next = first->next;
        first->next = site;
        return true;
    }
    return index_add(&n->pair_index, hash, site);
}

/* What is open of the pair and inside a call of it in this block is nested. */
static void claim_pair(struct cg_reader *r, struct cg_nested *n, uint32_t site, uint32_t begin)
{
    struct claim c = { .begin = begin, .callee = n->sites.at[site].callee };
    for (; n->sites.at[site].claimed_at != n->now + 1; site = n->sites.at[site].next) {
        n->sites.at[site].claimed_at = n->now + 1;
        if (take(&n->arcs, n, site, &c)) assay_build_call_nested(r->b, site, c.nested);
    }
}

/* is_recursive: an invocation of the function is inside the block. Only then can calls from it be, and only if one of their callee is inside another too. */
static bool finish_calls(struct cg_reader *r, struct cg_nested *n, uint32_t func, uint32_t begin, bool is_recursive)
{
    for (size_t i = 0; i < n->calls.len; i++) {
        uint32_t site = n->calls.at[i];
        if (site >= n->sites.len && !new_site(n, site, func, n->callees.at[i])) return false;
        if (is_recursive && n->funcs.keys.at[n->callees.at[i]].is_recursive) claim_pair(r, n, site, begin);
    }
    for (size_t i = 0; i < n->calls.len; i++)
        if (!cg_open_add(&n->arcs, n, n->calls.at[i], n->costs.at + i * n->width, begin)) return false;
    return true;
}

/* ---- blocks ---- */

static inline bool claim_func(struct cg_reader *r, struct cg_nested *n, uint32_t func, uint32_t begin)
{
    const struct cg_open_key *k = &n->funcs.keys.at[func];
    if (!k->last || (k->first < begin && begin >= n->funcs.old)) return false; /* only what was joined as old can begin before and end inside */
    struct claim c = { .begin = begin };
    if (take(&n->funcs, n, func, &c)) assay_build_nested(r->b, r->stream, cg_reader_func(r, func, true), c.nested);
    return true;
}

/* The block takes the invocations that it called: the last unclaimed ones, or else there is no tree. false = no memory. */
static bool claim_calls(struct cg_reader *r, struct cg_nested *n, uint32_t func, uint32_t *begin)
{
    size_t count = n->callees.len, rest = n->unclaimed.len - count;
    n->is_broken |= count > n->unclaimed.len;
    if (n->is_broken) return true;
    *begin = n->unclaimed.at[rest].begin;
    for (size_t i = 0; i < count; i++) {
        uint32_t callee = n->callees.at[i];
        n->is_broken |= n->unclaimed.at[rest + i].func != callee;
        if (n->is_broken) return true;
        if (__builtin_expect(rest + i < CG_WAITING, 1) && !cg_open_add(&n->funcs, n, callee, n->waiting.at + (rest + i) * n->width, *begin)) return false;
    }
    bool is_recursive = claim_func(r, n, func, *begin);
    if (n->wants_arcs && !finish_calls(r, n, func, *begin, is_recursive)) return false;
    n->unclaimed.len = rest;
    return true;
}

/* The block is an unclaimed invocation now. false = no memory. */
static inline bool wait_for_caller(struct cg_nested *n, uint32_t func, uint32_t begin)
{
    size_t at = n->unclaimed.len;
    if (__builtin_expect(at == n->unclaimed.cap, 0) && !vec_reserve(n->mem, &n->unclaimed, 1)) return false;
    n->unclaimed.at[n->unclaimed.len++] = (struct cg_unclaimed){ begin, func };
    if (__builtin_expect(at >= CG_WAITING, 0)) return cg_open_add(&n->funcs, n, func, n->took, n->now);
    if (__builtin_expect((at + 1) * n->width >= n->waiting.cap, 0)) {
        n->waiting.len = at * n->width;
        if (!vec_reserve(n->mem, &n->waiting, (size_t)n->width + 1)) return false;
    }
    cg_nested_copy(n->waiting.at + at * n->width, n->took, n->width);
    return true;
}

int cg_nested_finish(struct cg_reader *r, struct cg_nested *n, uint32_t func, bool is_cut, assay_error *err)
{
    if (func >= n->funcs.keys.len && !cg_open_reach(&n->funcs, n->mem, r->d.funcs.len)) return error_memory(err);
    n->funcs.keys.at[func].entered++;
    if (is_cut) n->callees.len = n->calls.len = 0;
    n->is_broken |= n->now == UINT32_MAX - 1;
    uint32_t begin = n->now;
    if (n->callees.len && !claim_calls(r, n, func, &begin)) return error_memory(err);
    if (n->is_broken)
        assay_build_pairs(r->b, true);
    else if (!wait_for_caller(n, func, begin))
        return error_memory(err);
    else
        n->now++;
    return 0;
}

void cg_nested_end(struct cg_reader *r, struct cg_nested *n)
{
    for (uint32_t i = 1; i < n->funcs.keys.len; i++) {
        uint64_t entered = n->funcs.keys.at[i].entered;
        if (entered) assay_build_entered(r->b, r->stream, cg_reader_func(r, i, true), entered);
        n->funcs.keys.at[i].entered = 0;
    }
    if (n->funcs.unknown || n->arcs.unknown)
        findings_add(&r->damage, "CG32", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                     "totals of recursive functions may count some calls twice: too many calls were open at the same time");
    n->funcs.unknown = n->arcs.unknown = 0;
    cg_open_clear(&n->funcs);
    cg_open_clear(&n->arcs);
    index_clear(&n->pair_index);
    n->unclaimed.len = 0;
}
