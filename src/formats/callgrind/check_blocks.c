/* Xdebug text: do calls and blocks form a tree (CG19), and was each caller charged what its callee took (CG23)? */
#include "base/error.h"
#include "formats/callgrind/check.h"

/* Xdebug rounds, or in old versions cuts off, each figure by itself: what the caller was charged, and what the callee spent and was charged for
 * each of its calls. So the two may differ by a unit for each of them. */
static int64_t rounding(uint64_t calls) { return calls ? (int64_t)calls + 1 : 2; }

/* Compares the calls of the block with the invocations they must be, and takes those off the stack. */
static void claim(struct cg_checker *c)
{
    size_t k = c->calls.len;
    bool ok = k <= c->frames.len;
    for (size_t i = 0; ok && i < k; i++) ok = c->frames.at[c->frames.len - k + i].func == c->calls.at[i].func;
    if (!ok) {
        c->is_broken = true;
        findings_add(c->out, "CG19", ASSAY_WARNING, c->calls.at[0].at.off, c->calls.at[0].at.line, "calls and blocks do not form a tree");
        return;
    }
    for (size_t i = 0; i < k; i++) {
        int64_t a = c->calls.at[i].cost, b = c->frames.at[c->frames.len - k + i].inclusive, d;
        int64_t most = rounding(c->frames.at[c->frames.len - k + i].calls);
        if (__builtin_sub_overflow(a, b, &d) || d > most || d < -most)
            findings_add(c->out, "CG23", ASSAY_WARNING, c->calls.at[i].at.off, c->calls.at[i].at.line, "call costs %lld, but the callee's block costs %lld",
                         (long long)a, (long long)b);
    }
    c->frames.len -= k;
}

/* is_cut: the file ends inside the block, so which invocations its calls are cannot be told. */
static int finish(struct cg_checker *c, bool is_cut)
{
    if (!c->block_func || c->is_broken) {
        c->block_func = 0;
        c->block_cost = 0;
        c->calls.len = 0;
        return 0;
    }
    if (c->calls.len && !is_cut) claim(c);
    if (!vec_reserve(c->mem, &c->frames, 1)) return error_memory(c->err);
    c->frames.at[c->frames.len].func = c->block_func;
    c->frames.at[c->frames.len].calls = is_cut ? 0 : c->calls.len;
    c->frames.at[c->frames.len++].inclusive = c->block_cost;
    c->block_func = 0;
    c->block_cost = 0;
    c->calls.len = 0;
    return 0;
}

int cg_check_block_begin(struct cg_checker *c) { return finish(c, false); }

int cg_check_block_cost(struct cg_checker *c, const struct cg_record *r)
{
    int64_t v = r->cost_count ? r->costs[0].i : 0;
    if (r->role == CG_JUMP_FROM) return 0;
    c->block_func = r->func;
    if (__builtin_add_overflow(c->block_cost, v, &c->block_cost)) c->block_cost = INT64_MAX;
    if (r->role == CG_SELF) return 0;
    if (!vec_reserve(c->mem, &c->calls, 1)) return error_memory(c->err);
    c->calls.at[c->calls.len].func = r->callee;
    c->calls.at[c->calls.len].cost = v;
    c->calls.at[c->calls.len++].at = (struct cg_place){ r->off, r->line, true };
    return 0;
}

int cg_check_blocks_end(struct cg_checker *c)
{
    TRY(finish(c, !c->d->after_blank));
    c->frames.len = 0;
    c->is_broken = false;
    return 0;
}
