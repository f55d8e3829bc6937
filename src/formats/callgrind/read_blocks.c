/* Xdebug text has one block for each invocation, written when it returns: callees stand before their callers. So a stack of finished
 * invocations that nobody has claimed yet recovers the exact call tree: a block with k calls owns the last k entries, in order
 * (docs/formats/callgrind.md, "The exact call tree"). It serves three wishes of the caller: the tree, calls through proxy functions
 * shown as direct calls, and totals in which recursion counts once. */
#include "formats/callgrind/blocks.h"

int cg_blocks_new(struct cg_reader *r, assay_error *err)
{
    uint32_t want = assay_builder_want(r->b);
    struct cg_blocks b = { .wants_tree = want & (ASSAY_WANT_TREE | ASSAY_WANT_WHOLE), .has_proxies = r->job->options->proxy_count };
    b.wants_nested = want & ASSAY_WANT_GRAPH && !(want & ASSAY_WANT_TOTALS);
    b.tree.is_whole = want & ASSAY_WANT_WHOLE;
    b.tree.is_coarse = b.tree.is_whole && want & ASSAY_WANT_COARSE;
    if (!b.wants_tree && !b.wants_nested && !b.has_proxies) return 0;
    if (b.tree.is_whole) assay_build_tree_whole(r->b);
    r->blocks = mem_alloc(r->job->mem, sizeof *r->blocks);
    if (!r->blocks) return error_memory(err);
    *r->blocks = b;
    coarse_init(&r->blocks->tree.coarse, r->job->mem);
    cg_nested_init(&r->blocks->nested, r->job->mem, want & ASSAY_WANT_ARCS && !b.has_proxies);
    return 0;
}

void cg_blocks_free(struct cg_reader *r)
{
    struct cg_blocks *s = r->blocks;
    if (!s) return;
    cg_calls_done(r->job->mem, &s->calls);
    cg_nested_done(&s->nested);
    cg_tree_done(&s->tree, r->job->mem);
    cg_proxies_done(&s->proxies, r->job->mem);
    mem_free(r->job->mem, s, sizeof *s);
    r->blocks = NULL;
}

bool cg_blocks_know_nesting(const struct cg_reader *r)
{
    const struct cg_blocks *s = r->blocks;
    return s && s->wants_nested && !s->has_proxies && r->has_xdebug && !r->has_sums && !s->nested.is_broken;
}

/* ---- lists of calls ---- */

bool cg_calls_add(struct mem *m, struct cg_call_list *l, struct cg_call c, const assay_value *row, uint32_t count)
{
    if (!vec_reserve(m, l, 1) || !vec_reserve(m, &l->rows, l->width)) return false;
    assay_value *to = l->rows.at + l->rows.len;
    if (count > l->width) count = l->width;
    if (count) memcpy(to, row, count * sizeof *row);
    if (count < l->width) memset(to + count, 0, (l->width - count) * sizeof *row);
    l->at[l->len++] = c;
    l->rows.len += l->width;
    return true;
}

void cg_calls_cut(struct cg_call_list *l, size_t len)
{
    l->len = len;
    l->rows.len = len * l->width;
}

void cg_calls_done(struct mem *m, struct cg_call_list *l)
{
    vec_done(m, &l->rows);
    vec_done(m, l);
}

/* ---- blocks ---- */

static void give_up_tree(struct cg_reader *r)
{
    findings_add(&r->damage, "CG19", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "calls and blocks do not form a tree, so none is built");
    assay_build_tree_drop(r->b);
    r->blocks->wants_tree = false;
}

/* is_cut: the file ends inside the block. Its first calls are there, but not how many more there were, so it can claim none. */
static int finish_tree(struct cg_reader *r, bool is_cut, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    bool is_matching = true;
    TRY(cg_tree_push(r, &s->tree, s->func, s->self, s->calls.at, s->calls.rows.at, is_cut ? 0 : s->calls.len, &is_matching, err));
    if (!is_matching) give_up_tree(r);
    cg_calls_cut(&s->calls, 0);
    return 0;
}

static int finish(struct cg_reader *r, bool is_cut, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    if (!s->func) return 0;
    if (s->wants_nested) TRY(cg_nested_finish(r, &s->nested, s->func, is_cut, err));
    if (s->wants_tree) TRY(finish_tree(r, is_cut, err));
    if (s->has_proxies) TRY(cg_proxies_finish(r, s->func, err));
    s->func = 0;
    return 0;
}

/* The first cost opens the block, also where no fn= was before it. */
static void begin(struct cg_reader *r, uint32_t func)
{
    struct cg_blocks *s = r->blocks;
    uint32_t width = (uint32_t)r->metrics.len;
    s->func = func;
    s->block = r->d.block;
    if (s->has_proxies) s->proxies.passed.width = s->proxies.waiting.width = width;
    if (s->wants_tree) s->calls.width = width;
    if (s->wants_tree) memset(s->self, 0, width * sizeof *s->self);
    if (s->wants_nested) cg_nested_begin(&s->nested, func, width);
}

static __attribute__((noinline)) int begin_all(struct cg_reader *r, uint32_t func, assay_error *err)
{
    TRY(finish(r, false, err));
    begin(r, func);
    return 0;
}

int cg_blocks_begin(struct cg_reader *r, uint32_t func, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    if (!s->wants_nested || s->wants_tree || s->has_proxies) return begin_all(r, func, err); /* a tree may have been given up */
    if (s->func) TRY(cg_nested_finish(r, &s->nested, s->func, false, err));                  /* the usual case, and the hot one */
    s->func = func;
    s->block = r->d.block;
    cg_nested_begin(&s->nested, func, (uint32_t)r->metrics.len);
    return 0;
}

int cg_blocks_end(struct cg_reader *r, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    TRY(finish(r, !r->d.after_blank, err));
    if (s->wants_nested) cg_nested_end(r, &s->nested);
    if (s->wants_tree) TRY(cg_tree_end(r, &s->tree, err));
    cg_proxies_end(&s->proxies, r->job->mem);
    return 0;
}

int cg_blocks_keep_call(struct cg_reader *r, const struct cg_record *rec, const assay_value *row, uint32_t count, bool *is_booked, assay_error *err)
{
    struct cg_blocks *s = r->blocks;
    if (s->wants_tree && !cg_calls_add(r->job->mem, &s->calls, (struct cg_call){ rec->callee, rec->at.line, rec->calls }, row, count)) return error_memory(err);
    return s->has_proxies ? cg_proxies_call(r, rec, row, count, is_booked, err) : 0;
}

int cg_blocks_build(struct cg_reader *r, assay_error *err)
{
    TRY(cg_blocks_end(r, err));
    return r->blocks->wants_tree ? cg_tree_build(r, &r->blocks->tree, err) : 0;
}
