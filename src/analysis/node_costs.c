/* Costs by node, from stored scopes or summed up; see node_costs.h. */
#include "analysis/node_costs.h"

#include <string.h>

#include "base/error.h"

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

/* Loops without the loops in them: as stored, else from the cost of the nodes themselves. */
static int load_loops(struct node_costs *c, const assay_profile *p, const struct frames *f, const struct columns *columns, const struct sums *own,
                      assay_error *err)
{
    struct sums loops;
    if (!f->tree->kind || !memchr(f->tree->kind, ASSAY_NODE_LOOP, f->len) || (columns->function.v && !columns->lex_aware.v)) return 0;
    int rc = sums_init(&loops, f->mem, c->self.type, f->len) ? 0 : error_memory(err);
    if (rc == 0 && columns->function.v) rc = columns_add(p, columns->lex_aware, &loops, err);
    if (rc == 0 && !columns->function.v) {
        copy(&loops, own);
        sum_inside(f, &loops, false);
    }
    for (uint32_t id = 1; rc == 0 && id < f->len; id++) {
        if (f->tree->kind[id] != ASSAY_NODE_LOOP || f->owner[id] == id) continue;
        sums_set_zero(&c->self, id);
        sums_add_sum(&c->self, id, &loops, id);
    }
    sums_done(&loops);
    return rc;
}

static int load(struct node_costs *c, const assay_profile *p, const struct frames *f, const struct columns *columns, assay_error *err)
{
    if (columns->function.v) {
        TRY(columns_add(p, columns->function, &c->self, err));
        if (!columns->execution.v) TRY(columns_self(p, f, columns, &c->total, err));
    } else {
        TRY(columns_self(p, f, columns, &c->total, err));
        copy(&c->self, &c->total);
        sum_inside(f, &c->self, true);
    }
    TRY(load_loops(c, p, f, columns, &c->total, err));
    return columns_inclusive(p, f, columns, &c->total, err);
}

int node_costs_load(struct node_costs *c, const assay_profile *p, const struct frames *f, assay_metric_id metric, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    enum assay_type type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
    struct columns columns = columns_of(p, metric);
    node_costs_done(c);
    if (!sums_init(&c->self, f->mem, type, f->len) || !sums_init(&c->total, f->mem, type, f->len)) return error_memory(err);
    return load(c, p, f, &columns, err);
}

void node_costs_done(struct node_costs *c)
{
    if (c->self.mem) sums_done(&c->self);
    if (c->total.mem) sums_done(&c->total);
}
