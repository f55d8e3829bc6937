/* Enclosing functions and stored columns of a tree; see analysis/core/frames.h. */
#include "analysis/core/frames.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/fetch.h"
#include "base/scoped.h"
#include "base/slice.h"

/* A call always begins something new, even where nobody knows what. A func that is only repeated below its own node does not. */
static bool is_function_node(const struct frames *f, uint32_t node)
{
    const struct assay_tree *tree = f->tree;
    uint8_t kind = frames_kind(f, node), relation = tree->relation ? tree->relation[node] : ASSAY_RELATION_LEXICAL;
    if (kind == ASSAY_NODE_FUNCTION || kind == ASSAY_NODE_INLINED || kind == ASSAY_NODE_ENTRY) return true;
    if (relation == ASSAY_RELATION_CALL || relation == ASSAY_RELATION_INLINED_CALL) return true;
    uint32_t func = frames_func(f, node);
    return func && func != frames_func(f, f->owner[frames_parent(f, node)]);
}

int frames_init(struct frames *f, const struct assay_tree *tree, struct mem *mem, assay_error *err)
{
    *f = (struct frames){ .mem = mem, .tree = tree, .len = (size_t)tree->count + 1 };
    f->owner = mem_zalloc(mem, f->len, sizeof *f->owner);
    if (!f->owner) return error_memory(err);
    for (uint32_t id = 1; id <= tree->count; id++) f->owner[id] = is_function_node(f, id) ? id : f->owner[frames_parent(f, id)];
    return 0;
}

void frames_done(struct frames *f)
{
    if (f->mem) mem_free(f->mem, f->owner, f->len * sizeof *f->owner);
    *f = (struct frames){ 0 };
}

/* ---- columns ---- */

struct columns columns_of(const assay_profile *p, assay_metric_id m)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    struct columns c = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };
    for (uint32_t id = 1; id <= s->count; id++) {
        if (s->metric[id].v != m.v) continue;
        if (s->kind[id] == ASSAY_SCOPE_POINT) c.point.v = id;
        if (s->kind[id] == ASSAY_SCOPE_FUNCTION) c.function.v = id;
        if (s->kind[id] == ASSAY_SCOPE_LEX_AWARE) c.lex_aware.v = id;
        if (s->kind[id] == ASSAY_SCOPE_EXECUTION) c.execution.v = id;
        if (s->kind[id] == ASSAY_SCOPE_CUSTOM && s->name && slice_is(assay_profile_string(p, s->name[id]), "call")) c.charged.v = id;
    }
    return c;
}

uint32_t columns_metrics(const assay_profile *p, assay_metric_id *list)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    const struct assay_scopes *s = assay_profile_scopes(p);
    uint32_t n = 0;
    for (uint32_t id = 1; id <= m->count; id++)
        for (uint32_t k = 1; k <= s->count; k++)
            if (s->metric[k].v == id) {
                list[n++] = (assay_metric_id){ id };
                break;
            }
    return n;
}

assay_stat_id columns_summary(const assay_profile *p, assay_scope_id column)
{
    const struct assay_stats *s = assay_profile_stats(p);
    for (uint32_t id = 1; id <= s->count; id++)
        if (s->scope[id].v == column.v && s->combine[id] == ASSAY_COMBINE_SUM && slice_is(assay_profile_string(p, s->formula[id]), "$$"))
            return (assay_stat_id){ id };
    return (assay_stat_id){ 0 };
}

enum { LATER = 16 };

/* Nodes of a backing jump about in memory: each cell is added when its place has had time to arrive. */
struct fill {
    struct sums *values; /* by node */
    uint64_t count;
    assay_cell waiting[LATER];
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct fill *f = arg;
    if (cell->node >= f->values->len) return 0; /* a backing may answer anything */
    assay_cell *slot = &f->waiting[f->count % LATER];
    fetch_to_write(&f->values->at[cell->node]);
    if (f->count >= LATER) sums_add(f->values, slot->node, slot->value);
    *slot = *cell;
    f->count++;
    return 0;
}

static void add_waiting(struct fill *f)
{
    for (uint64_t i = f->count > LATER ? f->count - LATER : 0; i < f->count; i++) sums_add(f->values, f->waiting[i % LATER].node, f->waiting[i % LATER].value);
}

int columns_add_stream(const assay_profile *p, assay_stream_id stream, assay_scope_id column, struct sums *values, assay_error *err)
{
    struct fill f = { .values = values };
    TRY(assay_tree_column(p, stream, column, add_cell, &f, err));
    add_waiting(&f);
    return 0;
}

int columns_add(const assay_profile *p, assay_scope_id column, struct sums *values, assay_error *err)
{
    struct fill f = { .values = values };
    assay_stat_id sum = columns_summary(p, column);
    if (!column.v) return 0;
    if (sum.v) TRY(assay_tree_summary(p, sum, add_cell, &f, err));
    add_waiting(&f);
    bool is_summed = f.count > 0;
    for (uint32_t s = 0; !is_summed && s <= assay_profile_streams(p)->count; s++) TRY(columns_add_stream(p, (assay_stream_id){ s }, column, values, err));
    return 0;
}

static int add_whole(const void *arg, assay_scope_id column, struct sums *values, assay_error *err) { return columns_add(arg, column, values, err); }

struct column_source columns_source(const assay_profile *p) { return (struct column_source){ add_whole, p }; }

/* ---- one node ---- */

static void subtract(struct sums *s, size_t i, size_t j)
{
    assay_value v = s->at[j];
    if (s->type == ASSAY_U64) {
        s->at[i].u = s->at[i].u > v.u ? s->at[i].u - v.u : 0;
        return;
    }
    double error = s->error ? s->error[j] : 0;
    if (s->type == ASSAY_F64)
        v.d = -v.d;
    else
        v.i = v.i == INT64_MIN ? INT64_MAX : -v.i;
    sums_add(s, i, v);
    if (s->error && error != 0) s->error[i] -= error; /* as in sums_add: pages of zeros stay untouched */
}

/* Children come after their parents, so each still has all of its own when it is taken from its parent. */
void columns_take_apart(const struct frames *f, enum assay_scope_kind scope, struct sums *values)
{
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        uint32_t parent = frames_parent(f, id);
        bool is_inside = scope == ASSAY_SCOPE_EXECUTION || (f->owner[id] && f->owner[id] != id);
        if (is_inside && parent) subtract(values, parent, id);
    }
}

int columns_self(const assay_profile *p, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err)
{
    struct column_source from = columns_source(p);
    return columns_self_of(&from, f, c, values, err);
}

int columns_self_of(const struct column_source *from, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err)
{
    TRY(from->add(from->arg, c->function.v ? c->function : c->point, values, err));
    for (uint32_t id = 1; c->function.v && id <= f->tree->count; id++)
        if (f->owner[id] != id) sums_set_zero(values, id);
    return 0;
}

/* ---- inclusive ---- */

/* Children have larger ids than their parents, which may be anywhere before them. */
static void sum_up(const struct frames *f, struct sums *values)
{
    for (uint32_t id = f->tree->count; id > 0; id--) {
        uint32_t parent = frames_parent(f, id);
        if (id > LATER) fetch_to_write(&values->at[frames_parent(f, id - LATER)]);
        if (parent) sums_add_sum(values, parent, values, id);
    }
}

/* What each function node spent itself, and what it was charged for the calls it made. */
static int add_charges(const struct column_source *from, const struct frames *f, assay_scope_id charged, struct sums *values, assay_error *err)
{
    SCOPED(sums_done) struct sums charges = { 0 };
    if (!sums_init(&charges, f->mem, values->type, f->len)) return error_memory(err);
    TRY(from->add(from->arg, charged, &charges, err));
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        TRY(cancel_step(id, err));
        uint32_t owner = f->owner[id], caller = f->owner[frames_parent(f, id)];
        if (owner != id && owner) sums_add_sum(values, owner, values, id);
        if (caller) sums_add_sum(values, caller, &charges, id);
    }
    return 0;
}

int columns_inclusive(const assay_profile *p, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err)
{
    struct column_source from = columns_source(p);
    return columns_inclusive_of(&from, f, c, values, err);
}

int columns_inclusive_of(const struct column_source *from, const struct frames *f, const struct columns *c, struct sums *values, assay_error *err)
{
    if (c->execution.v) {
        sums_clear(values);
        return from->add(from->arg, c->execution, values, err);
    }
    if (c->charged.v) return add_charges(from, f, c->charged, values, err);
    sum_up(f, values);
    return 0;
}

int columns_totals(const assay_profile *p, const struct frames *f, assay_metric_id m, struct sums *values, assay_error *err)
{
    struct columns c = columns_of(p, m);
    if (!c.execution.v) TRY(columns_add(p, c.function.v ? c.function : c.point, values, err));
    /* what is stored for a function as a whole counts at its function node only */
    for (uint32_t id = 1; c.function.v && !c.execution.v && id <= f->tree->count; id++)
        if (f->owner[id] != id) sums_set_zero(values, id);
    return columns_inclusive(p, f, &c, values, err);
}
