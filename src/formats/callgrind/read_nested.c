/* Xdebug writes a block when its invocation returns, after those of all it called. So a block of F contains an earlier invocation of F when that one
 * returned after the first invocation inside the block did: it claims those that nothing has claimed yet, and their cost is nested. The same for calls,
 * with the range of the invocation that was called. See docs/formats/callgrind.md, "The exact call tree". */
#include "base/error.h"
#include "formats/callgrind/nested.h"

void cg_nested_init(struct cg_nested *n, struct mem *mem, bool wants_arcs)
{
    *n = (struct cg_nested){ .mem = mem, .wants_arcs = wants_arcs, .funcs.tidy_at = CG_OPEN_FIRST, .arcs.tidy_at = CG_OPEN_FIRST };
    index_init(&n->pair_index, mem);
}

void cg_nested_done(struct cg_nested *n)
{
    cg_open_done(&n->funcs, n->mem);
    cg_open_done(&n->arcs, n->mem);
    vec_done(n->mem, &n->unclaimed);
    vec_done(n->mem, &n->callees);
    vec_done(n->mem, &n->calls);
    vec_done(n->mem, &n->costs);
    vec_done(n->mem, &n->sites);
    vec_done(n->mem, &n->pairs);
    index_done(&n->pair_index);
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
    while (*link && l->entries.at[*link - 1].last >= c->begin) {
        struct cg_open *e = &l->entries.at[*link - 1];
        bool is_split = e->first < c->begin;
        l->unknown += is_split;
        if (is_split || (c->callee && !is_inside(n, e->first, c->callee))) {
            link = &e->prev;
            continue;
        }
        const assay_value *row = l->rows.at + (size_t)(*link - 1) * l->width;
        cg_nested_add(c->nested, row, l->width);
        *link = e->prev;
        e->key = 0;
        has_some = true;
    }
    l->keys.at[key].is_recursive |= has_some;
    return has_some;
}

/* ---- calls ---- */

bool cg_nested_arc(struct cg_nested *n, const struct cg_record *rec, const assay_value *row, uint32_t count)
{
    uint32_t width = n->arcs.width;
    struct cg_nested_site *call = vec_push(n->mem, &n->calls);
    if (!call || !vec_reserve(n->mem, &n->costs, width)) return false;
    *call = (struct cg_nested_site){ rec->file, rec->at.line, 0 };
    for (uint32_t k = 0; k < width; k++) n->costs.at[n->costs.len + k].u = k < count ? row[k].u : 0;
    n->costs.len += width;
    return true;
}

/* NULL = no memory. */
static struct cg_nested_pair *pair_of(struct cg_nested *n, uint32_t caller, uint32_t callee)
{
    uint64_t hash = hash_mix((uint64_t)caller << 32 | callee, 0);
    for (struct index_walk w = index_walk(&n->pair_index, hash); index_next(&n->pair_index, &w);)
        if (n->pairs.at[w.id - 1].caller == caller && n->pairs.at[w.id - 1].callee == callee) return &n->pairs.at[w.id - 1];
    struct cg_nested_pair *p = n->pairs.len < UINT32_MAX - 1 ? vec_push(n->mem, &n->pairs) : NULL;
    if (p) *p = (struct cg_nested_pair){ .caller = caller, .callee = callee };
    return p && index_add(&n->pair_index, hash, (uint32_t)n->pairs.len) ? p : NULL;
}

static uint32_t find_site(const struct cg_nested *n, uint32_t from, uint32_t until, const struct cg_nested_site *call)
{
    uint32_t s = from;
    while (s && s != until && (n->sites.at[s - 1].line != call->line || n->sites.at[s - 1].file != call->file)) s = n->sites.at[s - 1].next;
    return s == until ? 0 : s;
}

/* Number + 1 of the site; 0 = no memory. The sites of a function mostly come in the same order again. */
static uint32_t site_of(struct cg_nested *n, struct cg_nested_pair *p, const struct cg_nested_site *call)
{
    uint32_t found = find_site(n, p->recent, 0, call);
    if (!found) found = find_site(n, p->first, p->recent, call);
    if (found) return p->recent = found;
    struct cg_nested_site *site = n->sites.len < UINT32_MAX - 1 ? vec_push(n->mem, &n->sites) : NULL;
    if (!site || !cg_open_reach(&n->arcs, n->mem, n->sites.len + 1)) return 0;
    *site = (struct cg_nested_site){ call->file, call->line, p->first };
    return p->recent = p->first = (uint32_t)n->sites.len;
}

/* What is open of the pair and inside a call of it in this block is nested. */
static void claim_pair(struct cg_reader *r, struct cg_nested *n, const struct cg_nested_pair *p, uint32_t begin)
{
    struct claim c = { .begin = begin, .callee = p->callee };
    for (uint32_t s = p->first; s; s = n->sites.at[s - 1].next) {
        const struct cg_nested_site *site = &n->sites.at[s - 1];
        if (!take(&n->arcs, n, s, &c)) continue;
        struct assay_place at = { r->stream, cg_reader_func(r, p->caller, true), cg_reader_file(r, site->file, false), site->line, 0 };
        assay_build_call_nested(r->b, &at, cg_reader_func(r, p->callee, true), c.nested);
    }
}

/* is_recursive: an invocation of the function is inside the block. Only then can calls from it be. */
static bool finish_calls(struct cg_reader *r, struct cg_nested *n, uint32_t func, uint32_t begin, bool is_recursive)
{
    uint32_t width = n->arcs.width;
    for (size_t i = 0; i < n->callees.len; i++) {
        struct cg_nested_pair *p = pair_of(n, func, n->callees.at[i]);
        if (!p) return false;
        if (is_recursive && p->claimed_at != n->now + 1) claim_pair(r, n, p, begin);
        p->claimed_at = n->now + 1;
        uint32_t site = site_of(n, p, &n->calls.at[i]);
        if (!site || !cg_open_room(&n->arcs, n)) return false;
        for (uint32_t k = 0; k < width; k++) n->arcs.rows.at[n->arcs.rows.len + k] = n->costs.at[i * width + k];
        cg_open_add(&n->arcs, n, site);
    }
    return true;
}

/* ---- blocks ---- */

/* Whether the last unclaimed invocations are those that the block called. */
static bool matches(const struct cg_nested *n)
{
    size_t count = n->callees.len, rest = n->unclaimed.len - count;
    if (count > n->unclaimed.len) return false;
    for (size_t i = 0; i < count; i++)
        if (n->unclaimed.at[rest + i].func != n->callees.at[i]) return false;
    return true;
}

static bool claim_func(struct cg_reader *r, struct cg_nested *n, uint32_t func, uint32_t begin)
{
    uint32_t last = n->funcs.keys.at[func].last;
    if (!last || n->funcs.entries.at[last - 1].last < begin) return false;
    struct claim c = { .begin = begin };
    if (take(&n->funcs, n, func, &c)) assay_build_nested(r->b, r->stream, cg_reader_func(r, func, true), c.nested);
    return true;
}

int cg_nested_finish(struct cg_reader *r, struct cg_nested *n, uint32_t func, bool is_cut, assay_error *err)
{
    if (func >= n->funcs.keys.len && !cg_open_reach(&n->funcs, n->mem, r->d.funcs.len)) return error_memory(err);
    n->funcs.keys.at[func].entered++;
    if (is_cut) n->callees.len = 0;
    n->is_broken |= n->now == UINT32_MAX - 1 || (n->callees.len && !matches(n));
    if (n->is_broken) {
        assay_build_pairs(r->b, true);
        return 0;
    }
    uint32_t begin = n->now;
    if (n->callees.len) {
        size_t rest = n->unclaimed.len - n->callees.len;
        begin = n->unclaimed.at[rest].begin;
        bool is_recursive = claim_func(r, n, func, begin);
        if (n->wants_arcs && !finish_calls(r, n, func, begin, is_recursive)) return error_memory(err);
        n->unclaimed.len = rest;
    } else if (n->unclaimed.len == n->unclaimed.cap && !vec_reserve(n->mem, &n->unclaimed, 1))
        return error_memory(err);
    n->unclaimed.at[n->unclaimed.len++] = (struct cg_unclaimed){ begin, func };
    cg_open_add(&n->funcs, n, func);
    n->now++;
    return 0;
}

void cg_nested_end(struct cg_reader *r, struct cg_nested *n)
{
    for (uint32_t i = 1; i < n->funcs.keys.len; i++) {
        uint64_t *entered = &n->funcs.keys.at[i].entered;
        if (*entered) assay_build_entered(r->b, r->stream, cg_reader_func(r, i, true), *entered);
        *entered = 0;
    }
    if (n->funcs.unknown || n->arcs.unknown)
        findings_add(&r->damage, "CG32", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                     "totals of recursive functions may count some calls twice: too many calls were open at the same time");
    n->funcs.unknown = n->arcs.unknown = 0;
    cg_open_clear(&n->funcs);
    cg_open_clear(&n->arcs);
    n->unclaimed.len = 0;
}
