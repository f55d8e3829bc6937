/* Call chains that came before. Samples are at many addresses, but their callers are mostly the same: those are kept as they stand in the file, with the context
 * that they end in.
 *
 * The callers of a sample are as good as never where those of the one before were. So several samples are looked up at once, step by step: what the next step of
 * a sample needs is fetched while the others take theirs. Contexts are made afterwards, in the order of the samples. */
#include "base/fetch.h"
#include "formats/perf-data/stacks.h"

enum {
    KEPT_MOST = 64 << 20, /* bytes of chains that are kept: what comes later is walked each time */
    LINE = 64,
    LINES_MOST = 8 /* of a chain that are fetched */
};

void pd_chain_begin(struct pd_stacks *s, struct pd_waiting *w)
{
    const struct pd_sample *p = &w->sample;
    const struct index *ix = &s->kept_index;
    uint64_t address = UINT64_MAX;
    uint32_t i = 0, root = pd_root_of_mode(&w->roots, p->misc & PD_MODE);
    for (; i < p->chain_len && (address = pd_u64(s->d, p->chain + (size_t)i * 8)) >= PD_MARK_LEAST; i++) {
        root = pd_root_of_mark(&w->roots, address);
        i += address == PD_MARK_DEFERRED;
    }
    if (i >= p->chain_len) return;
    w->has_leaf = true;
    w->leaf = (struct pd_taken){ address, root };
    w->callers = (struct pd_callers){ .len = p->chain_len - i - 1, .root = root, .roots = w->roots };
    w->bytes = p->chain + (size_t)(i + 1) * 8;
    w->hash = hash_mix(hash_bytes(w->bytes, (size_t)w->callers.len * 8), (uint64_t)w->roots.user << 32 | w->roots.kernel);
    if (ix->slot) fetch(&ix->slot[index_fold(w->hash) & ix->mask]);
}

static bool is_same(const struct pd_kept *kept, const struct pd_waiting *w)
{
    const struct pd_callers *a = &kept->of, *b = &w->callers;
    return a->len == b->len && a->root == b->root && a->roots.user == b->roots.user && a->roots.kernel == b->roots.kernel && a->roots.guest == b->roots.guest &&
           !memcmp(kept->bytes, w->bytes, (size_t)b->len * 8);
}

static const struct pd_kept *find(const struct pd_stacks *s, const struct pd_waiting *w)
{
    for (struct index_walk at = index_walk(&s->kept_index, w->hash); index_next(&s->kept_index, &at);)
        if (is_same(s->kept.at[at.id - 1], w)) return s->kept.at[at.id - 1];
    return NULL;
}

/* ---- steps ahead ---- */

static void fetch_kept(const struct pd_stacks *s, struct pd_waiting *w)
{
    struct index_walk at = index_walk(&s->kept_index, w->hash);
    w->kept = w->has_leaf && w->callers.len && index_next(&s->kept_index, &at) ? s->kept.at[at.id - 1] : NULL;
    if (!w->kept) return;
    size_t len = sizeof *w->kept + (size_t)w->callers.len * 8;
    for (size_t i = 0; i < len && i < LINE * LINES_MOST; i += LINE) fetch((const char *)w->kept + i);
}

static void fetch_step(const struct pd_stacks *s, struct pd_waiting *w)
{
    if (w->kept && !is_same(w->kept, w)) w->kept = find(s, w);
    if (w->kept) w->callers = w->kept->of;
    if (w->has_leaf) fetch(pd_step_slot(s, w->callers.node, &w->leaf));
}

static void fetch_place(const struct pd_stacks *s, struct pd_waiting *w)
{
    const struct index *ix = &s->cell_index;
    const struct pd_step *e = w->has_leaf ? pd_step_slot(s, w->callers.node, &w->leaf) : NULL;
    w->node = e && pd_step_is(e, w->callers.node, &w->leaf) ? e->child : 0;
    if (w->node && ix->slot) fetch(&ix->slot[index_fold(pd_cell_hash(w->stream, w->sample.attr - 1, w->node)) & ix->mask]);
}

static void fetch_cell(const struct pd_stacks *s, const struct pd_waiting *w)
{
    struct index_walk at = index_walk(&s->cell_index, pd_cell_hash(w->stream, w->sample.attr - 1, w->node));
    if (w->node && index_next(&s->cell_index, &at)) fetch_to_write(&s->cells.at[at.id - 1]);
}

void pd_chains_fetch(struct pd_stacks *s)
{
    size_t count = s->waiting_len;
    for (size_t i = 0; i < count; i++) fetch_kept(s, &s->waiting[i]);
    for (size_t i = 0; i < count; i++) fetch_step(s, &s->waiting[i]);
    for (size_t i = 0; i < count; i++) fetch_place(s, &s->waiting[i]);
    for (size_t i = 0; i < count; i++) fetch_cell(s, &s->waiting[i]);
}

/* ---- contexts ---- */

/* A sample before this one may have had the same callers, and they were new. */
static int walk_new(struct pd_stacks *s, struct pd_waiting *w, assay_error *err)
{
    const struct pd_kept *kept = find(s, w);
    size_t len = (size_t)w->callers.len * 8;
    if (kept) {
        w->callers = kept->of;
        return 0;
    }
    TRY(pd_callers_walk(s, &w->callers, w->bytes, err));
    if (len > KEPT_MOST - s->kept_len) return 0;
    struct pd_kept *made = arena_alloc(&s->kept_bytes, sizeof *made + len), **slot = made ? vec_push(s->mem, &s->kept) : NULL;
    if (!slot) return error_memory(err);
    made->of = w->callers;
    memcpy(made->bytes, w->bytes, len);
    *slot = made;
    s->kept_len += len;
    return index_add(&s->kept_index, w->hash, (uint32_t)s->kept.len) ? 0 : error_memory(err);
}

int pd_chain_walk(struct pd_stacks *s, struct pd_waiting *w, uint32_t *node, assay_error *err)
{
    if (w->callers.len && !w->kept) TRY(walk_new(s, w, err));
    s->full += w->callers.is_full;
    *node = pd_step(s, w->callers.node, &w->leaf);
    return *node ? 0 : err->code ? err->code : error_memory(err);
}
