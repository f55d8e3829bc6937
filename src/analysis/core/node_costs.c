/* Costs by node, from stored scopes or summed up; see node_costs.h. */
#include "analysis/core/node_costs.h"

#include <string.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

#define ROUNDING 1e-9 /* a smaller part of a double is what rounding left of a difference */

static void copy(struct sums *to, const struct sums *from)
{
    memcpy(to->at, from->at, from->len * sizeof *to->at);
    if (to->error) memcpy(to->error, from->error, from->len * sizeof *to->error);
}

/* Everything that is inside a function goes up to its function node; loops that are in a loop only where they may. Children have larger ids. */
static void sum_inside(const struct frames *f, struct sums *values, bool is_with_loops)
{
    for (uint32_t id = f->tree->count; id > 0; id--) {
        uint32_t parent = frames_parent(f, id);
        bool goes_up = parent && f->owner[id] != id && (is_with_loops || frames_kind(f, id) != ASSAY_NODE_LOOP);
        if (goes_up) sums_add_sum(values, parent, values, id);
    }
}

/* From what is in a loop, the loops in it included, to what is in it alone: the nearest loops below go up as far as the next one, and are taken away there. */
static void take_loops_out(const struct frames *f, const struct sums *all, struct sums *loops)
{
    for (uint32_t id = f->tree->count; id > 0; id--) {
        uint32_t parent = frames_parent(f, id);
        bool is_loop = frames_kind(f, id) == ASSAY_NODE_LOOP;
        if (parent && f->owner[id] != id) sums_add_sum(loops, parent, is_loop ? all : loops, id);
    }
    for (uint32_t id = 1; id < f->len; id++) {
        assay_value whole = sums_value(all, id), inner = sums_value(loops, id);
        sums_set_zero(loops, id);
        if (value_compare(all->type, whole, inner) <= 0) continue;
        if (all->type != ASSAY_F64)
            loops->at[id].u = whole.u - inner.u;
        else if (whole.d - inner.d > ROUNDING * whole.d)
            loops->at[id].d = whole.d - inner.d;
    }
}

/* Loops without the loops in them: as stored; else from what is stored with them; else from the cost of the nodes themselves. */
static int loops_alone(struct node_costs *c, const struct column_source *from, const struct frames *f, const struct columns *columns, struct sums *loops,
                       assay_error *err)
{
    if (columns->function.v && columns->lex_aware.v) return from->add(from->arg, columns->lex_aware, loops, err);
    if (columns->function.v)
        take_loops_out(f, &c->self, loops);
    else {
        copy(loops, &c->total);
        sum_inside(f, loops, false);
    }
    return 0;
}

static int load_loops(struct node_costs *c, const struct column_source *from, const struct frames *f, const struct columns *columns, assay_error *err)
{
    SCOPED(sums_done) struct sums loops = { 0 };
    if (!f->tree->kind || !memchr(f->tree->kind, ASSAY_NODE_LOOP, f->len)) return 0;
    if (!sums_init(&loops, f->mem, c->self.type, f->len)) return error_memory(err);
    TRY(loops_alone(c, from, f, columns, &loops, err));
    for (uint32_t id = 1; id < f->len; id++) {
        TRY(cancel_step(id, err));
        if (f->tree->kind[id] != ASSAY_NODE_LOOP || f->owner[id] == id) continue;
        sums_set_zero(&c->self, id);
        sums_add_sum(&c->self, id, &loops, id);
    }
    return 0;
}

static int load(struct node_costs *c, const struct column_source *from, const struct frames *f, const struct columns *columns, assay_error *err)
{
    if (columns->function.v) {
        TRY(from->add(from->arg, columns->function, &c->self, err));
        if (!columns->execution.v) TRY(columns_self_of(from, f, columns, &c->total, err));
    } else {
        TRY(columns_self_of(from, f, columns, &c->total, err));
        copy(&c->self, &c->total);
        sum_inside(f, &c->self, true);
    }
    TRY(load_loops(c, from, f, columns, err)); /* while total still has the cost of the nodes themselves */
    return columns_inclusive_of(from, f, columns, &c->total, err);
}

int node_costs_load_of(struct node_costs *c, const struct column_source *from, const struct columns *columns, enum assay_type type, const struct frames *f,
                       assay_error *err)
{
    node_costs_done(c);
    if (!sums_init(&c->self, f->mem, type, f->len) || !sums_init(&c->total, f->mem, type, f->len)) return error_memory(err);
    return load(c, from, f, columns, err);
}

int node_costs_load(struct node_costs *c, const assay_profile *p, const struct frames *f, assay_metric_id metric, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    enum assay_type type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
    struct columns columns = columns_of(p, metric);
    struct column_source from = columns_source(p);
    return node_costs_load_of(c, &from, &columns, type, f, err);
}

void node_costs_done(struct node_costs *c)
{
    if (c->self.mem) sums_done(&c->self);
    if (c->total.mem) sums_done(&c->total);
}
