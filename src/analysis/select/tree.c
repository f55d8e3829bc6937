/* What is left of a tree: which contexts, and whose cost each of them has. Passes over the nodes, parents first or children first; nothing
 * recurses. See select.h. */
#include "analysis/core/profile_copy.h"
#include "analysis/select/select.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/number.h"
#include "base/scoped.h"
#include "model/entry.h"

/* Of a node. */
enum {
    INSIDE = 1, /* it or a function above it is in focus */
    OUTSIDE = 2,
    HIDDEN = 4,  /* its function is taken out */
    KEPT = 8,    /* its own cost stays */
    USED = 16,   /* there is cost, a call or an event to keep */
    NEEDED = 32, /* it or something below it is */
    BEGUN = 64,  /* it or a function above it is where stacks begin */
    BELOW = 128  /* a function above it is where stacks end */
};

struct pruning {
    struct select *s;
    struct select_values *v;
    const struct assay_tree *tree;
    uint8_t *state;
    uint32_t *file, *module; /* by node: where its code stands; NULL = not asked for */
    uint32_t *site;          /* by hidden node: the outermost hidden call that leads to it without anything between */
    bool is_enough;          /* only totals are wanted, and they are known */
};

/* ---- which cost stays ---- */

/* As in assay_graph_new: the file of the nearest line in the same function, else that of the function. */
static void place_node(struct pruning *r, uint32_t id)
{
    const struct frames *f = &r->v->frames;
    const struct assay_funcs *funcs = assay_profile_funcs(r->s->p);
    bool is_function = f->owner[id] == id;
    uint32_t parent = frames_parent(f, id), func = is_function ? ID(r->tree->func, id) : 0;
    bool is_inside = !is_function && f->owner[id];
    if (r->file) {
        uint32_t own = !is_function && AT(r->tree->line, id) ? ID(r->tree->file, id) : 0;
        r->file[id] = own ? own : is_inside ? r->file[parent] : ID(funcs->file, func);
    }
    if (r->module) {
        uint32_t own = ID(r->tree->module, id);
        r->module[id] = own ? own : is_inside ? r->module[parent] : ID(funcs->module, func);
    }
}

static bool is_in_place(const struct pruning *r, uint32_t id) { return (!r->file || r->s->file[r->file[id]]) && (!r->module || r->s->module[r->module[id]]); }

static void judge_nodes(struct pruning *r)
{
    const struct frames *f = &r->v->frames;
    bool has_self = r->s->filter->focus_self_count, has_focus = r->s->filter->focus_count, has_begin = r->s->filter->show_from_count;
    for (uint32_t id = 1; id < f->len; id++) {
        uint32_t owner = f->owner[id], parent = frames_parent(f, id), caller = owner == id ? f->owner[parent] : 0;
        uint8_t taken = r->state[id] & HIDDEN, state = taken | (r->state[parent] & (INSIDE | OUTSIDE | BEGUN | BELOW)),
                fit = owner ? r->s->func[ID(r->tree->func, owner)] : 0;
        if (caller && r->s->func[ID(r->tree->func, caller)] & SELECT_COLLAPSE) state |= BELOW;
        if (fit & SELECT_FOCUS) state |= INSIDE;
        if (fit & SELECT_IGNORE) state |= OUTSIDE;
        if (fit & SELECT_HIDE || state & BELOW) state |= HIDDEN;
        if (fit & SELECT_FROM && !(state & HIDDEN)) state |= BEGUN;
        if (has_begin && !(state & BEGUN)) state |= HIDDEN;
        place_node(r, id);
        bool is_own = !has_self || fit & SELECT_SELF;
        if ((state & INSIDE || !has_focus) && !(state & OUTSIDE) && is_own && is_in_place(r, id)) state |= KEPT;
        r->state[id] = state;
    }
}

/* ---- what there is to keep ---- */

struct totalling {
    struct pruning *r;
    enum assay_type type;
    assay_wide sum;
    struct exact exact;
};

static int use_cell(void *arg, const assay_cell *cell)
{
    struct totalling *t = arg;
    uint8_t *state = &t->r->state[cell->node];
    if (!(*state & KEPT)) return 0;
    *state |= USED;
    if (t->type == ASSAY_F64)
        exact_add(&t->exact, cell->value.d);
    else
        t->sum = t->type == ASSAY_I64 ? wide_add_i64(t->sum, cell->value.i) : wide_add_u64(t->sum, cell->value.u);
    return 0;
}

/* A hidden root has no caller to take its cost. */
static bool is_lost(const struct pruning *r, uint32_t id) { return r->state[id] & HIDDEN && !frames_parent(&r->v->frames, r->site[id]); }

static void lose_hidden_roots(struct pruning *r)
{
    const struct frames *f = &r->v->frames;
    for (uint32_t id = 1; id < f->len; id++) {
        uint32_t parent = frames_parent(f, id);
        if (!(r->state[id] & HIDDEN)) continue;
        r->site[id] = r->state[parent] & HIDDEN ? r->site[parent] : id;
        if (is_lost(r, id)) r->state[id] &= (uint8_t)~KEPT;
    }
}

/* False: it is known only when its values are added up. */
static bool state_total(struct pruning *r, const struct select_column *c, const struct totalling *t)
{
    assay_metric_id to = { r->s->metric[c->metric.v] };
    bool fits = t->sum.high == 0 ? t->sum.low <= INT64_MAX : t->sum.high == -1 && t->sum.low > INT64_MAX;
    if (c->type == ASSAY_F64)
        assay_build_metric_total(r->s->b, to, (assay_value){ .d = exact_value(&t->exact) });
    else if (c->type == ASSAY_U64)
        assay_build_metric_total_wide(r->s->b, to, t->sum);
    else if (fits)
        assay_build_metric_total(r->s->b, to, (assay_value){ .i = (int64_t)t->sum.low });
    return fits || c->type != ASSAY_I64;
}

static int use_values(struct pruning *r, assay_error *err)
{
    r->is_enough = r->s->has_totals_only;
    for (size_t k = 0; k < r->v->columns.len; k++) {
        struct totalling t = { .r = r, .type = r->v->columns.at[k].type };
        TRY(select_values_own(r->v, k, use_cell, &t, err));
        r->is_enough &= state_total(r, &r->v->columns.at[k], &t);
    }
    return 0;
}

static void use_events(struct pruning *r)
{
    const struct assay_timeline *t = assay_profile_timeline(r->s->p);
    for (uint32_t id = 1; r->s->seen && id < r->s->nodes; id++)
        if (r->s->seen[id] && r->state[id] & KEPT) r->state[id] |= USED;
    for (uint32_t stream = 0; t->count && r->s->keeps_events && stream <= t->stream_count; stream++)
        for (uint64_t i = t->begin[stream]; r->s->stream[stream] != SELECT_NO_STREAM && i < t->begin[stream + 1]; i++)
            if (r->state[ID(t->node, i)] & KEPT) r->state[t->node[i].v] |= USED;
}

static void need_nodes(struct pruning *r)
{
    const struct frames *f = &r->v->frames;
    for (uint32_t id = r->tree->count; id > 0; id--) {
        uint8_t *state = &r->state[id];
        if (*state & KEPT && (*state & USED || AT(r->tree->calls, id))) *state |= NEEDED;
        if (*state & NEEDED) r->state[frames_parent(f, id)] |= NEEDED;
    }
}

/* ---- nodes ---- */

static struct assay_node node_of(const struct pruning *r, uint32_t id)
{
    const struct assay_tree *t = r->tree;
    uint32_t parent = t->parent[id].v;
    struct assay_node n = profile_copy_node(t, id);
    n.parent.v = r->v->to[parent];
    if (!(r->state[parent] & HIDDEN)) return n;
    /* it is called from where the hidden function was */
    uint32_t site = r->site[parent];
    n.line = AT(t->line, site);
    n.file.v = ID(t->file, site);
    n.flags |= AT(t->flags, site) & ASSAY_NODE_CALL_UNKNOWN;
    return n;
}

static void build_nodes(struct pruning *r)
{
    assay_builder *b = r->s->b;
    uint32_t *to = r->v->to;
    bool is_joined = !r->v->is_one_to_one;
    for (uint32_t id = 1; id <= r->tree->count; id++) {
        if (!(r->state[id] & NEEDED)) continue;
        if (r->state[id] & HIDDEN) {
            to[id] = to[r->tree->parent[id].v];
            continue;
        }
        struct assay_node n = node_of(r, id);
        assay_node_id node = is_joined && !r->tree->is_whole ? assay_build_node(b, &n) : assay_build_node_new(b, &n);
        if (AT(r->tree->calls, id)) assay_build_node_calls(b, node, r->tree->calls[id]);
        if (node.v >= r->v->left) r->v->left = (size_t)node.v + 1;
        to[id] = node.v;
    }
    for (uint32_t id = 1; id <= r->tree->count; id++)
        if (!(r->state[id] & KEPT)) to[id] = 0;
    if (r->tree->is_whole) assay_build_tree_whole(b);
}

/* Nothing matches: a tree without functions is still one that can be shown. */
static void stand_in(struct pruning *r)
{
    static const char name[] = "<nothing>";
    assay_builder *b = r->s->b;
    if (r->v->left > 1) return;
    assay_func_id func = assay_build_func_new(b, assay_build_string(b, name, sizeof name - 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_func_kind(b, func, ASSAY_FUNC_PLACEHOLDER, 0);
    assay_build_node_new(b, &(struct assay_node){ .kind = ASSAY_NODE_ENTRY, .func = func });
    r->v->left = 2;
}

/* ---- all of it ---- */

/* The columns of what is left: one for each metric of the tree, and its sum over the streams where that is stored. */
static int add_columns(struct pruning *r, assay_error *err)
{
    struct select *s = r->s;
    struct select_values *v = r->v;
    for (uint32_t m = 1; m < s->metrics; m++) {
        struct select_column c;
        if (!s->metric[m] || !select_values_column(s->p, (assay_metric_id){ m }, &c)) continue;
        if (s->filter->stream_count) c.summary.v = 0;
        struct select_column *slot = vec_push(&v->mem, &v->columns);
        if (!slot) return error_memory(err);
        *slot = c;
        assay_scope_id scope = assay_build_scope(s->b, (assay_metric_id){ s->metric[m] }, ASSAY_SCOPE_POINT, NULL, 0);
        if (!c.summary.v) continue;
        uint32_t *column = vec_push(&v->mem, &v->stats);
        if (!column) return error_memory(err);
        *column = (uint32_t)v->columns.len - 1;
        assay_build_stat(s->b, scope, "$$", ASSAY_COMBINE_SUM);
    }
    for (uint32_t k = 0; k < s->streams; k++) {
        if (s->stream[k] == SELECT_NO_STREAM && k) continue;
        uint32_t *stream = vec_push(&v->mem, &v->streams);
        if (!stream) return error_memory(err);
        *stream = s->stream[k] == SELECT_NO_STREAM ? SELECT_NO_STREAM : k;
    }
    return assay_builder_failed(s->b);
}

static int prune(struct pruning *r, assay_error *err)
{
    struct select *s = r->s;
    size_t nodes = r->v->frames.len;
    SCRATCH(uint8_t, state, &s->mem, nodes);
    SCRATCH(uint32_t, site, &s->mem, nodes);
    SCRATCH(uint32_t, file, &s->mem, s->file ? nodes : 0);
    SCRATCH(uint32_t, module, &s->mem, s->module ? nodes : 0);
    if (!state || !site || !file || !module) return error_memory(err);
    r->state = state;
    r->site = site;
    r->file = s->file ? file : NULL;
    r->module = s->module ? module : NULL;
    TRY(add_columns(r, err));
    r->v->is_one_to_one =
        !s->filter->hide_count && !s->filter->hide_path_count && !s->filter->collapse_count && !s->filter->show_count && !s->filter->show_from_count;
    r->v->left = 1;
    TRY(select_places(s, &r->v->frames, state, HIDDEN, err));
    judge_nodes(r);
    lose_hidden_roots(r);
    TRY(use_values(r, err));
    if (r->is_enough) return 0;
    use_events(r);
    need_nodes(r);
    build_nodes(r);
    stand_in(r);
    TRY(select_timeline(s, r->v->to, err));
    TRY(select_samples(s, r->v->to, err));
    TRY(select_moments(s, r->v->to, err));
    return assay_builder_failed(s->b);
}

int select_tree(struct select *s, assay_error *err)
{
    struct pruning r = { .s = s, .tree = assay_profile_tree(s->p), .v = select_values_new(s->p, s->filter, err) };
    if (!r.v) return ASSAY_ERR_MEMORY;
    int rc = prune(&r, err);
    if (rc == 0 && !r.is_enough)
        assay_build_backing(s->b, &select_values_backing, r.v);
    else
        select_values_free(r.v);
    return rc;
}
