/* Callers of callers and callees of callees, by the contexts of a tree; see side.h. */
#include "analysis/callers/side.h"
#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

/* ---- what is known of the tree ---- */

static int fill_totals(struct levels *x, const struct callers *c, assay_error *err)
{
    const struct top *t = (const struct top *)c->top;
    x->totals = mem_zalloc(c->mem, (size_t)t->width + 1, sizeof *x->totals);
    if (!x->totals) return error_memory(err);
    for (uint32_t k = 0; k < t->width; k++) {
        if (!c->options.all_metrics && k != c->options.k) continue;
        if (!sums_init(&x->totals[k], c->mem, (enum assay_type)t->types[k], x->g.f.len)) return error_memory(err);
        TRY(columns_totals(c->profile, &x->g.f, t->metrics[k], &x->totals[k], err));
    }
    return 0;
}

int levels_new(struct levels **out, const struct callers *c, assay_error *err)
{
    struct levels *x = *out = mem_zalloc(c->mem, 1, sizeof *x);
    if (!x) return error_memory(err);
    x->g.mem = c->mem;
    x->g.p = c->profile;
    TRY(contexts_init(&x->tree, c->profile, c->mem, err));
    x->g.f = x->tree.frames;
    TRY(graph_plan(&x->g, err));
    TRY(contexts_link(&x->tree, err));
    TRY(contexts_list(&x->tree, NULL, c->arcs.funcs, err));
    return fill_totals(x, c, err);
}

void levels_free(struct levels *x, const struct callers *c)
{
    if (!x) return;
    for (uint32_t k = 0; x->totals && k < c->top->metric_count; k++)
        if (x->totals[k].mem) sums_done(&x->totals[k]);
    mem_free(c->mem, x->totals, ((size_t)c->top->metric_count + 1) * sizeof *x->totals);
    graph_plan_done(&x->g);
    contexts_done(&x->tree);
    mem_free(c->mem, x, sizeof *x);
}

/* ---- rows ---- */

static uint64_t calls_at(const struct levels *x, uint32_t node) { return x->g.f.tree->calls ? x->g.f.tree->calls[node] : 0; }

static struct side_call call_of(const struct levels *x, const struct callers *c, uint32_t node, bool is_caller)
{
    const struct graph_site *site = &x->g.sites.at[x->g.site[node] - 1];
    uint32_t caller = arcs_planned(&c->arcs, site->at.func.v), callee = arcs_planned(&c->arcs, site->callee);
    return (struct side_call){ .func = is_caller ? caller : callee, .file = site->at.file.v, .line = site->at.line, .is_recursion = caller == callee };
}

/* Each context of the function, upwards. */
int levels_callers(const struct levels *x, uint32_t func, struct side *s, assay_error *err)
{
    for (uint32_t i = x->tree.begin[func]; i < x->tree.begin[func + 1]; i++) {
        TRY(cancel_step(i, err));
        uint32_t node = x->tree.node[i], at = node, parent = 0;
        for (uint32_t level = 0; level < s->c->options.depth && at && x->g.site[at]; level++) {
            struct side_call call = call_of(x, s->c, at, true);
            call.parent = parent;
            call.calls = calls_at(x, node);
            call.contexts = 1;
            call.source = node;
            call.is_counted = x->g.is_counted[node];
            parent = side_add(s, &call);
            if (!parent) return error_memory(err);
            at = contexts_caller(&x->tree, at);
        }
    }
    return 0;
}

struct below {
    uint32_t node, row; /* a function node, and its row + 1; 0 = the function itself */
    bool is_counted;
};
struct frontier {
    struct below *at;
    size_t len, cap;
};

static int add_below(const struct levels *x, const struct below *above, struct side *s, struct frontier *next, assay_error *err)
{
    for (uint32_t node = contexts_next(&x->tree, above->node, 0); node; node = contexts_next(&x->tree, above->node, node)) {
        struct side_call call = call_of(x, s->c, node, false);
        call.parent = above->row;
        call.calls = calls_at(x, node);
        call.contexts = 1;
        call.source = node;
        call.is_counted = above->row ? above->is_counted : x->g.is_counted[node];
        uint32_t row = side_add(s, &call);
        struct below *b = row ? vec_push(s->c->mem, next) : NULL;
        if (!b) return error_memory(err);
        *b = (struct below){ node, row, call.is_counted };
    }
    return 0;
}

int levels_callees(const struct levels *x, uint32_t func, struct side *s, assay_error *err)
{
    struct frontier now = { 0 }, next = { 0 };
    vec_scoped(s->c->mem, &now);
    vec_scoped(s->c->mem, &next);
    for (uint32_t i = x->tree.begin[func]; i < x->tree.begin[func + 1]; i++) {
        TRY(cancel_step(i, err));
        TRY(add_below(x, &(struct below){ .node = x->tree.node[i] }, s, &next, err));
    }
    for (uint32_t level = 1; next.len && level < s->c->options.depth; level++) {
        struct frontier done = now;
        now = next;
        next = done;
        next.len = 0;
        for (size_t i = 0; i < now.len; i++) {
            TRY(cancel_step(i, err));
            TRY(add_below(x, &now.at[i], s, &next, err));
        }
    }
    return 0;
}
