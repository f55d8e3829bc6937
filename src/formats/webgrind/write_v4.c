/* A whole call tree -> a webgrind file of version 4. Invocations are numbered in the order in which they finished, as the original does,
 * but the links between them are the true ones. Without a tree, and only when an estimate is allowed, each function gets one invocation. */
#include "base/arena.h"
#include "base/cancel.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/webgrind/format.h"
#include "formats/webgrind/plan.h"

/* Invocations 1 .. count; 0 = none, as parent: a root. Children of one parent are in the order of their numbers. */
struct forest {
    struct webgrind_plan *plan;
    uint32_t count;
    bool is_estimated;
    bool has_calls; /* `call` is filled; otherwise a call costs what the invocation includes */
    uint32_t *parent, *record, *line;
    uint64_t *self, *call, *inclusive; /* whole numbers */
    uint32_t *child, *next, *kids;     /* first child, next sibling, number of children */
    uint32_t *number;                  /* of the invocation within its function */
    uint32_t *entry;                   /* index of its first sub call in the area */
    uint32_t *order;                   /* by time */
    uint32_t *by_function, *begin;     /* invocations by function and number */
    struct webgrind_function *functions;
    struct arena columns; /* holds all of these */
};

static int take(struct forest *f, uint32_t **out, size_t len, assay_error *err)
{
    *out = arena_zalloc(&f->columns, len, sizeof **out);
    return *out ? 0 : error_memory(err);
}

static int take64(struct forest *f, uint64_t **out, size_t len, assay_error *err)
{
    *out = arena_zalloc(&f->columns, len, sizeof **out);
    return *out ? 0 : error_memory(err);
}

static int forest_init(struct forest *f, uint32_t count, assay_error *err)
{
    size_t len = (size_t)count + 1;
    f->count = count;
    uint32_t **small[] = { &f->parent, &f->record, &f->line, &f->child, &f->next, &f->kids, &f->number, &f->entry, &f->order, &f->by_function };
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) TRY(take(f, small[i], len, err));
    TRY(take64(f, &f->self, len, err));
    TRY(take64(f, &f->call, len, err));
    return take64(f, &f->inclusive, len, err);
}

static void forest_done(struct forest *f) { arena_done(&f->columns); }

/* ---- from a tree ---- */

struct sink {
    struct forest *f;
    assay_value *column;
    uint8_t type;
};

static int add_cell(void *arg, const assay_cell *cell)
{
    struct sink *s = arg;
    if (cell->node == 0 || cell->node > s->f->count) return 0;
    assay_value *v = &s->column[cell->node];
    if (s->type == ASSAY_F64)
        v->d += cell->value.d;
    else if (s->type == ASSAY_I64)
        v->i = __builtin_add_overflow(v->i, cell->value.i, &v->i) ? INT64_MAX : v->i;
    else
        v->u = __builtin_add_overflow(v->u, cell->value.u, &v->u) ? UINT64_MAX : v->u;
    return 0;
}

static uint32_t find_scope(const struct webgrind_plan *plan, uint8_t kind, const char *name)
{
    const struct assay_scopes *s = assay_profile_scopes(plan->p);
    for (uint32_t i = 1; i <= s->count; i++) {
        if (!s->metric || s->metric[i].v != plan->metric.v || (s->kind ? s->kind[i] : 0) != kind) continue;
        if (!name || (s->name && slice_is(assay_profile_string(plan->p, s->name[i]), name))) return i;
    }
    return 0;
}

static int get_column(struct forest *f, uint32_t scope, uint64_t *out, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(f->plan->p);
    SCRATCH(assay_value, column, f->plan->mem, (size_t)f->count + 1);
    if (!column) return error_memory(err);
    struct sink s = { f, column, m->type ? m->type[f->plan->metric.v] : (uint8_t)ASSAY_U64 };
    for (uint32_t i = 0; i <= assay_profile_streams(f->plan->p)->count; i++)
        TRY(assay_tree_column(f->plan->p, (assay_stream_id){ i }, (assay_scope_id){ scope }, add_cell, &s, err));
    for (size_t i = 1; i <= f->count; i++) {
        union webgrind_sum sum = { .wide = { 0, 0 } };
        TRY(cancel_step(i, err));
        if (f->plan->is_real) sum.real = 0;
        assay_wide v = webgrind_plan_whole(f->plan, webgrind_sum_add(sum, column[i], s.type));
        out[i] = v.low;
    }
    return 0;
}

static int from_tree(struct forest *f, const struct assay_tree *t, assay_error *err)
{
    uint32_t point = find_scope(f->plan, ASSAY_SCOPE_POINT, NULL), call = find_scope(f->plan, ASSAY_SCOPE_CUSTOM, "call");
    if (f->plan->metric.v && t->count && !point) FAIL(err, ASSAY_ERR_UNSUPPORTED, "the call tree has no self cost for the metric to write");
    TRY(forest_init(f, t->count, err));
    for (uint32_t i = 1; i <= t->count; i++) {
        f->parent[i] = t->parent ? t->parent[i].v : 0;
        f->line[i] = t->line ? t->line[i] : 0;
    }
    f->has_calls = call != 0;
    if (point) TRY(get_column(f, point, f->self, err));
    return call ? get_column(f, call, f->call, err) : 0;
}

/* ---- estimated from the graph ---- */

/* The root of a set, shortening the way to it. */
static uint32_t set_of(uint32_t *set, uint32_t i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

/* One invocation for each function, called by its first caller that does not close a circle. */
static int from_graph(struct forest *f, assay_error *err)
{
    struct webgrind_plan *plan = f->plan;
    TRY(webgrind_plan_graph(plan, err));
    TRY(forest_init(f, (uint32_t)plan->functions.len, err));
    SCRATCH(uint32_t, set, plan->mem, (size_t)f->count + 1);
    if (!set) return error_memory(err);
    for (uint32_t i = 0; i <= f->count; i++) set[i] = i;
    for (uint32_t i = 1; i <= f->count; i++) f->self[i] = webgrind_plan_whole(plan, plan->functions.at[i - 1].self).low;
    for (size_t i = 0; i < plan->calls.len; i++) {
        const struct webgrind_plan_call *c = &plan->calls.at[i];
        uint32_t caller = c->caller + 1, callee = c->callee + 1;
        if (!f->parent[callee] && set_of(set, caller) != set_of(set, callee)) {
            f->parent[callee] = caller;
            f->line[callee] = c->line;
            set[set_of(set, callee)] = set_of(set, caller);
        }
        if (f->parent[callee] == caller) f->call[callee] += webgrind_plan_whole(plan, c->total).low;
    }
    f->has_calls = true;
    return 0;
}

/* ---- order ---- */

static void link_children(struct forest *f)
{
    for (uint32_t i = f->count; i > 0; i--) {
        f->next[i] = f->child[f->parent[i]];
        f->child[f->parent[i]] = i;
        f->kids[f->parent[i]]++;
    }
}

static uint32_t deepest(const struct forest *f, uint32_t i)
{
    while (f->child[i]) i = f->child[i];
    return i;
}

/* Invocations by the time they finished: callees before their callers. Returns how many there are. */
static uint32_t sort_by_end(struct forest *f)
{
    uint32_t done = 0;
    for (uint32_t i = f->child[0] ? deepest(f, f->child[0]) : 0; i;) {
        f->order[done++] = i;
        i = f->next[i] ? deepest(f, f->next[i]) : f->parent[i];
    }
    return done;
}

/* Inclusive costs and places in the area, callees first. */
static void add_up(struct forest *f)
{
    uint32_t entries = 0;
    for (uint32_t k = 0; k < f->count; k++) {
        uint32_t i = f->order[k];
        f->inclusive[i] += f->self[i];
        if (!f->has_calls) f->call[i] = f->inclusive[i];
        if (f->parent[i]) f->inclusive[f->parent[i]] += f->call[i];
        f->entry[i] = entries;
        entries += f->kids[i];
    }
}

static int number_records(struct forest *f, const struct assay_tree *t, assay_error *err)
{
    struct webgrind_plan *plan = f->plan;
    uint32_t record, funcs = assay_profile_funcs(plan->p)->count;
    for (uint32_t i = 1; plan->keeps_numbers && i <= funcs; i++) TRY(webgrind_plan_record(plan, i, &record, err));
    for (uint32_t k = 0; k < f->count; k++) {
        TRY(cancel_step(k, err));
        uint32_t i = f->order[k];
        f->record[i] = i - 1;
        if (t) TRY(webgrind_plan_record(plan, t->func ? t->func[i].v : 0, &f->record[i], err));
    }
    return 0;
}

/* Groups the invocations by function, in the order of time. */
static int sort_by_function(struct forest *f, assay_error *err)
{
    size_t functions = f->plan->functions.len;
    TRY(take(f, &f->begin, functions + 1, err));
    for (uint32_t k = 0; k < f->count; k++) {
        uint32_t i = f->order[k];
        f->number[i] = f->begin[f->record[i] + 1]++;
    }
    for (size_t r = 1; r <= functions; r++) f->begin[r] += f->begin[r - 1];
    for (uint32_t k = 0; k < f->count; k++) f->by_function[f->begin[f->record[f->order[k]]] + f->number[f->order[k]]] = f->order[k];
    return 0;
}

/* ---- bytes ---- */

static int fill_functions(struct forest *f, assay_error *err)
{
    struct webgrind_plan *plan = f->plan;
    f->functions = arena_zalloc(&f->columns, plan->functions.len, sizeof *f->functions);
    if (!f->functions) return error_memory(err);
    for (uint32_t r = 0; r < plan->functions.len; r++) {
        assay_wide self = { 0, 0 }, inclusive = { 0, 0 }, call = { 0, 0 };
        struct webgrind_function *to = &f->functions[r];
        for (uint32_t k = f->begin[r]; k < f->begin[r + 1]; k++) {
            uint32_t i = f->by_function[k];
            self = wide_add_u64(self, f->self[i]);
            inclusive = wide_add_u64(inclusive, f->inclusive[i]);
            if (f->parent[i]) call = wide_add_u64(call, f->call[i]);
        }
        to->file = plan->functions.at[r].file;
        to->name = plan->functions.at[r].name;
        to->fields[WEBGRIND_SELF] = webgrind_plan_u32(plan, self, r);
        to->fields[WEBGRIND_INCLUSIVE] = webgrind_plan_u32(plan, inclusive, r);
        to->fields[WEBGRIND_CALL_COST] = webgrind_plan_u32(plan, call, r);
        to->fields[WEBGRIND_INVOCATIONS] = f->begin[r + 1] - f->begin[r];
    }
    return 0;
}

static uint32_t u32(struct forest *f, uint64_t v, uint32_t i) { return webgrind_plan_u32(f->plan, (assay_wide){ v, 0 }, f->record[i]); }

static void put_invocation(struct forest *f, uint32_t i, uint64_t area, struct output *out)
{
    uint32_t parent = f->parent[i];
    struct webgrind_invocation v = { .self = u32(f, f->self[i], i),
                                     .inclusive = u32(f, f->inclusive[i], i),
                                     .caller = WEBGRIND_NOBODY,
                                     .sub_call_count = f->kids[i],
                                     .sub_call_address = (uint32_t)(area + (uint64_t)f->entry[i] * WEBGRIND_CALL_LEN) };
    if (parent) {
        v.call_cost = u32(f, f->call[i], i);
        v.caller = f->record[parent];
        v.caller_invocation = f->number[parent];
        v.line = f->line[i];
    }
    webgrind_put_invocation(out, &v);
}

static void put_area(struct forest *f, struct output *out)
{
    for (uint32_t k = 0; k < f->count; k++)
        for (uint32_t i = f->child[f->order[k]]; i; i = f->next[i])
            webgrind_put_subcall(
                out, &(struct webgrind_subcall){ .function = f->record[i], .invocation = f->number[i], .line = f->line[i], .cost = u32(f, f->call[i], i) });
}

static int put_file(struct forest *f, struct output *out, assay_error *err)
{
    struct webgrind_plan *plan = f->plan;
    struct webgrind_head head;
    uint64_t area_len = (uint64_t)(f->count - f->kids[0]) * WEBGRIND_CALL_LEN;
    TRY(webgrind_plan_sizes(plan, f->functions, area_len, &head, err));
    webgrind_plan_losses(plan);
    if (f->is_estimated)
        losses_add(plan->job->losses, "estimated", plan->functions.len, "%zu function%s written as one invocation each, called by the first caller",
                   plan->functions.len, plural_is(plan->functions.len));
    TRY(losses_settle(plan->job, err));
    webgrind_plan_start(plan, f->functions, &head, out);
    for (uint32_t r = 0; r < plan->functions.len; r++) {
        webgrind_put_fields(out, plan->layout, &f->functions[r]);
        for (uint32_t k = f->begin[r]; k < f->begin[r + 1]; k++) put_invocation(f, f->by_function[k], head.header_address - area_len, out);
        webgrind_put_names(out, &f->functions[r]);
    }
    put_area(f, out);
    webgrind_plan_headers(plan, out);
    return 0;
}

static int write_forest(struct forest *f, const struct assay_tree *t, struct output *out, assay_error *err)
{
    link_children(f);
    if (sort_by_end(f) != f->count) FAIL(err, ASSAY_ERR_INTERNAL, "the call tree has a cycle");
    add_up(f);
    TRY(number_records(f, t, err));
    TRY(sort_by_function(f, err));
    TRY(fill_functions(f, err));
    return put_file(f, out, err);
}

int webgrind_write_v4(struct webgrind_plan *plan, struct output *out, assay_error *err)
{
    SCOPED(forest_done) struct forest f = { .plan = plan, .columns = { .mem = plan->mem } };
    const struct assay_tree *t = assay_profile_tree(plan->p);
    uint32_t shapes = assay_profile_shapes(plan->p);
    bool is_exact = !assay_profile_funcs(plan->p)->count || (shapes & ASSAY_SHAPE_TREE && t && t->is_whole);
    if (!is_exact && !plan->job->options->estimate)
        return error_hint(err, error_set(err, ASSAY_ERR_UNSUPPORTED, "webgrind 4 holds single invocations, which this profile does not have"),
                          ASSAY_HINT_ESTIMATE);
    if (!is_exact && !(shapes & ASSAY_SHAPE_GRAPH))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "webgrind holds functions and their calls, which this profile does not have");
    f.is_estimated = !is_exact;
    TRY(is_exact && t ? from_tree(&f, t, err) : from_graph(&f, err));
    return write_forest(&f, is_exact ? t : NULL, out, err);
}
