/* The tree of a profile and its values -> an image of 04.00. Contexts that were read from hpcrun keep their numbers and places. Others get a root, a fence,
 * numbers, and where a function has no module or no address in it, a load module named after its file or program, and its number as
 * address. */
#include "base/cancel.h"
#include "base/intern.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/hpcrun/funcs.h"
#include "formats/hpcrun/write/plan.h"

enum { FIRST_ID = 12 };

struct places {
    struct plan *t;
    struct intern *names;
    uint16_t *module_of; /* by module of the model: id of the load map; 0 = not in it yet */
    VEC(uint16_t) made;  /* by name: id of a load module made up */
};

static struct image_epoch *epoch(struct plan *t) { return &t->m.epochs.at[0]; }

/* ---- load modules ---- */

static int add_module(struct places *s, assay_slice name, uint16_t *id, assay_error *err)
{
    struct image_epoch *e = epoch(s->t);
    if (e->modules.len >= HPCRUN_LM_GPU_CONTEXT - 1) FAIL(err, ASSAY_ERR_LIMIT, "an hpcrun profile holds at most %d load modules", HPCRUN_LM_GPU_CONTEXT - 1);
    struct image_module *m = vec_push(s->t->m.mem, &e->modules);
    if (!m) return error_memory(err);
    *id = (uint16_t)e->modules.len;
    *m = (struct image_module){ .name = name, .id = *id, .flags = 1 };
    return 0;
}

static int known_module(struct places *s, assay_module_id module, uint16_t *id, assay_error *err)
{
    const struct assay_modules *modules = assay_profile_modules(s->t->p);
    if (!s->module_of[module.v]) TRY(add_module(s, assay_profile_string(s->t->p, modules->path[module.v]), &s->module_of[module.v], err));
    *id = s->module_of[module.v];
    return 0;
}

static int made_module(struct places *s, assay_slice name, uint16_t *id, assay_error *err)
{
    uint32_t number = intern_put(s->names, name.len ? name : hpcrun_image_pair(&s->t->m, "program-name"));
    if (!number) return error_memory(err);
    while (s->made.len <= number) {
        uint16_t *slot = vec_push(s->t->m.mem, &s->made);
        if (!slot) return error_memory(err);
        *slot = 0;
    }
    if (!s->made.at[number]) {
        char *copy = arena_copy(&s->t->m.text, intern_get(s->names, number));
        if (!copy) return error_memory(err);
        TRY(add_module(s, (assay_slice){ copy, intern_get(s->names, number).len }, &s->made.at[number], err));
    }
    *id = s->made.at[number];
    return 0;
}

/* ---- places ---- */

/* Code that is known by its function. */
static int place_func(struct places *s, assay_func_id func, struct image_node *n, assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(s->t->p);
    uint64_t offset = f->offset ? f->offset[func.v] : 0;
    assay_module_id module = f->module ? f->module[func.v] : (assay_module_id){ 0 };
    assay_file_id file = f->file ? f->file[func.v] : (assay_file_id){ 0 };
    bool is_placeholder = f->kind && f->kind[func.v] == ASSAY_FUNC_PLACEHOLDER;
    n->ip = offset;
    if (is_placeholder && (s->t->is_own || hpcrun_placeholder_name(offset))) {
        n->module = f->flags ? (uint16_t)f->flags[func.v] : HPCRUN_LM_PLACEHOLDER;
        return 0;
    }
    if (!s->t->is_own && (!module.v || !offset)) {
        n->ip = func.v;
        s->t->made_addresses++;
    }
    if (module.v) return known_module(s, module, &n->module, err);
    return made_module(s, file.v ? assay_profile_string(s->t->p, assay_profile_files(s->t->p)->path[file.v]) : (assay_slice){ NULL, 0 }, &n->module, err);
}

/* Lines, loops and instructions have a place without a function. */
static int place_node(struct places *s, uint32_t node, struct image_node *n, assay_error *err)
{
    const struct assay_tree *tree = assay_profile_tree(s->t->p);
    if (tree->func && tree->func[node].v) return place_func(s, tree->func[node], n, err);
    if (tree->module && tree->module[node].v && tree->offset) {
        n->ip = tree->offset[node];
        return known_module(s, tree->module[node], &n->module, err);
    }
    s->t->made_places++;
    n->ip = node;
    assay_file_id file = tree->file ? tree->file[node] : (assay_file_id){ 0 };
    return made_module(s, file.v ? assay_profile_string(s->t->p, assay_profile_files(s->t->p)->path[file.v]) : (assay_slice){ NULL, 0 }, &n->module, err);
}

/* ---- nodes ---- */

static int add_node(struct plan *t, const struct image_node *n, assay_error *err)
{
    struct image_node *to = vec_push(t->m.mem, &epoch(t)->nodes);
    if (!to) return error_memory(err);
    *to = *n;
    return 0;
}

/* Numbers of the file are kept where each node has one of its own. */
static bool keeps_ids(const struct plan *t)
{
    const struct assay_tree *tree = assay_profile_tree(t->p);
    if (!t->is_own || !tree->origin || assay_profile_streams(t->p)->count > 1) return false;
    for (uint32_t i = 1; i <= tree->count; i++)
        if (tree->origin[i] == 0 || tree->origin[i] > UINT32_MAX) return false;
    return true;
}

static int add_tree(struct places *s, uint32_t top, assay_error *err)
{
    struct plan *t = s->t;
    const struct assay_tree *tree = assay_profile_tree(t->p);
    bool keeps = keeps_ids(t);
    for (uint32_t i = 1; i <= tree->count; i++) {
        TRY(cancel_step(i, err));
        struct image_node n = { .id = keeps ? (uint32_t)tree->origin[i] : FIRST_ID + 4 + 2 * i, .flags = HPCRUN_UNWOUND };
        assay_node_id parent = tree->parent ? tree->parent[i] : (assay_node_id){ 0 };
        TRY(place_node(s, i, &n, err));
        t->id_of[i] = n.id;
        n.parent = parent.v ? t->id_of[parent.v] : n.module == HPCRUN_LM_PLACEHOLDER && top ? FIRST_ID : top;
        if (t->is_own && tree->flags && (tree->flags[i] & ASSAY_NODE_CALL_UNKNOWN)) n.flags = 0;
        TRY(add_node(t, &n, err));
    }
    return 0;
}

static int add_all(struct places *s, assay_error *err)
{
    struct plan *t = s->t;
    uint64_t fence = HPCRUN_PLACEHOLDER("| Main  ");
    for (uint32_t i = 1; t->is_own && i <= assay_profile_modules(t->p)->count; i++) {
        uint16_t id;
        TRY(known_module(s, (assay_module_id){ i }, &id, err));
    }
    if (t->is_own) return add_tree(s, 0, err);
    TRY(add_node(t, &(struct image_node){ .id = FIRST_ID, .flags = HPCRUN_UNWOUND, .ip = HPCRUN_PLACEHOLDER("^Primary") }, err));
    TRY(add_node(t, &(struct image_node){ .id = FIRST_ID + 2, .parent = FIRST_ID, .flags = HPCRUN_UNWOUND, .ip = fence }, err));
    t->id_of[0] = FIRST_ID + 2; /* samples without a stack */
    return add_tree(s, FIRST_ID + 2, err);
}

int hpcrun_plan_nodes(struct plan *t, assay_error *err)
{
    t->node_count = assay_profile_tree(t->p)->count;
    if (t->node_count > UINT32_MAX / 2 - FIRST_ID - 8) FAIL(err, ASSAY_ERR_LIMIT, "an hpcrun profile has no room for the ids of %u contexts", t->node_count);
    t->id_of = mem_zalloc(t->m.mem, (size_t)t->node_count + 1, sizeof *t->id_of);
    SCRATCH(uint16_t, module_of, t->m.mem, (size_t)assay_profile_modules(t->p)->count + 1);
    SCOPED(intern_done) struct intern names;
    intern_init(&names, t->m.mem);
    struct places s = { .t = t, .names = &names, .module_of = module_of };
    vec_scoped(t->m.mem, &s.made);
    return t->id_of && module_of ? add_all(&s, err) : error_memory(err);
}

/* ---- values ---- */

struct cell {
    uint32_t node, metric;
    assay_value value;
};
struct cells {
    struct plan *t;
    VEC(struct cell) list;
    bool failed;
};

static int note(void *arg, const assay_cell *cell)
{
    struct cells *c = arg;
    if (cell->node > c->t->node_count || !c->t->id_of[cell->node]) return 0;
    if (cell->column > c->t->scope_count || !c->t->metric_of[cell->column]) return 0;
    struct cell *to = vec_push(c->t->m.mem, &c->list);
    if (!to) {
        c->failed = true;
        return 1;
    }
    *to = (struct cell){ cell->node, c->t->metric_of[cell->column] - 1, cell->value };
    return 0;
}

/* hpcrun's integers are not negative: a metric that has negative figures is written as doubles. */
static void make_real(struct cells *c)
{
    struct image_metric *metrics = epoch(c->t)->metrics.at;
    for (size_t i = 0; i < c->list.len; i++) {
        struct image_metric *m = &metrics[c->list.at[i].metric];
        m->is_real |= m->is_signed && c->list.at[i].value.i < 0;
        m->flags[2] = m->is_real ? 2 : 1;
    }
    for (size_t i = 0; i < c->list.len; i++) {
        const struct image_metric *m = &metrics[c->list.at[i].metric];
        if (!m->is_signed || !m->is_real) continue;
        int64_t v = c->list.at[i].value.i;
        c->t->rounded += v > (INT64_C(1) << 53) || v < -(INT64_C(1) << 53);
        c->list.at[i].value.d = (double)v;
    }
}

static int by_node(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    ORDER_BY(x->node, y->node);
    return ORDER(x->metric, y->metric);
}

static void sort_cells(struct cells *c)
{
    for (size_t i = 1; i < c->list.len; i++)
        if (by_node(&c->list.at[i - 1], &c->list.at[i]) > 0) {
            sort_by(c->list.at, c->list.len, sizeof *c->list.at, by_node);
            return;
        }
}

/* One cell for each node and metric: those of several streams add up. */
static void join_cells(struct cells *c)
{
    const struct image_metric *metrics = epoch(c->t)->metrics.at;
    size_t kept = 0;
    for (size_t i = 0; i < c->list.len; i++) {
        struct cell *last = kept ? &c->list.at[kept - 1] : NULL;
        if (!last || by_node(last, &c->list.at[i]) != 0)
            c->list.at[kept++] = c->list.at[i];
        else if (metrics[last->metric].is_real)
            last->value.d += c->list.at[i].value.d;
        else if (__builtin_add_overflow(last->value.u, c->list.at[i].value.u, &last->value.u))
            last->value.u = UINT64_MAX;
    }
    c->list.len = kept;
}

/* A period counts only when every value is a whole number of it; else the values are written as they are, with period 1. */
static void try_periods(struct cells *c)
{
    struct image_metric *metrics = epoch(c->t)->metrics.at;
    for (size_t i = 0; i < c->list.len; i++) {
        struct image_metric *m = &metrics[c->list.at[i].metric];
        assay_value v = c->list.at[i].value;
        double period = (double)m->period;
        if (m->period > 1 && (m->is_real ? v.d / period * period != v.d : v.u % m->period != 0)) m->period = 1;
    }
    for (size_t i = 0; i < c->list.len; i++) {
        const struct image_metric *m = &metrics[c->list.at[i].metric];
        if (m->period <= 1) continue;
        if (m->is_real)
            c->list.at[i].value.d /= (double)m->period;
        else
            c->list.at[i].value.u /= m->period;
    }
}

static int put_cells(struct cells *c, assay_error *err)
{
    struct image_epoch *e = epoch(c->t);
    for (size_t i = 0; i < c->list.len; i++) {
        const struct cell *cell = &c->list.at[i];
        struct image_value *v = vec_push(c->t->m.mem, &e->values);
        bool begins = i == 0 || c->list.at[i - 1].node != cell->node;
        struct image_range *r = begins ? vec_push(c->t->m.mem, &e->ranges) : &e->ranges.at[e->ranges.len - 1];
        if (!v || !r) return error_memory(err);
        if (begins) *r = (struct image_range){ c->t->id_of[cell->node], i, i };
        *v = (struct image_value){ cell->value.u, cell->metric };
        r->end = i + 1;
    }
    return 0;
}

int hpcrun_plan_values(struct plan *t, assay_error *err)
{
    struct cells c = { .t = t };
    vec_scoped(t->m.mem, &c.list);
    for (uint32_t i = 0; i <= assay_profile_streams(t->p)->count; i++) {
        size_t before = c.list.len;
        int rc = assay_tree_column(t->p, (assay_stream_id){ i }, (assay_scope_id){ 0 }, note, &c, err);
        if (c.failed) return error_memory(err);
        TRY(rc);
        t->merged_streams += c.list.len > before;
    }
    make_real(&c);
    sort_cells(&c);
    join_cells(&c);
    try_periods(&c);
    return put_cells(&c, err);
}
