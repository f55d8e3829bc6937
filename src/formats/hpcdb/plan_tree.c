/* Numbers of contexts: depth first, siblings by relation, kind, name, file, line and address, so that the same calling contexts get the same
 * numbers whoever read them first. Nothing recurses. */
#include "base/cancel.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/hpcdb/plan.h"

#define ROOT 0u

/* Working memory, freed as a whole. */
struct orderer {
    struct hpcdb_plan *plan;
    const struct assay_tree *t;
    struct arena arena;
    uint32_t *func_rank, *file_rank, *module_rank; /* by id: places in the order of names */
    uint32_t *begin;                               /* by node: its children in `kids`; [0] = roots */
    uint32_t *kids;
    uint32_t *place; /* by node: where it stands in `kids` */
};

static void *table(struct orderer *o, size_t count)
{
    void *at = arena_alloc(&o->arena, count * sizeof(uint32_t));
    if (at) memset(at, 0, count * sizeof(uint32_t));
    return at;
}

/* ---- the order of names ---- */

static int by_number(uint64_t a, uint64_t b) { return ORDER(a, b); }

static int by_text(const struct orderer *o, uint32_t a, uint32_t b)
{
    return a == b ? 0 : slice_compare(assay_profile_string(o->plan->p, (assay_str_id){ a }), assay_profile_string(o->plan->p, (assay_str_id){ b }));
}

typedef int compare_fn(const struct orderer *o, uint32_t a, uint32_t b);

static int by_file(const struct orderer *o, uint32_t a, uint32_t b)
{
    const struct assay_files *f = assay_profile_files(o->plan->p);
    return by_text(o, ID_AT(f->path, a), ID_AT(f->path, b));
}

static int by_module(const struct orderer *o, uint32_t a, uint32_t b)
{
    const struct assay_modules *m = assay_profile_modules(o->plan->p);
    return by_text(o, ID_AT(m->path, a), ID_AT(m->path, b));
}

static int by_func(const struct orderer *o, uint32_t a, uint32_t b)
{
    const struct assay_funcs *f = assay_profile_funcs(o->plan->p);
    int order = by_text(o, ID_AT(f->name, a), ID_AT(f->name, b));
    if (!order) order = by_number(o->module_rank[ID_AT(f->module, a)], o->module_rank[ID_AT(f->module, b)]);
    if (!order) order = by_number(o->file_rank[ID_AT(f->file, a)], o->file_rank[ID_AT(f->file, b)]);
    if (!order) order = by_number(NUMBER_AT(f->first_line, a), NUMBER_AT(f->first_line, b));
    return order ? order : by_number(NUMBER_AT(f->offset, a), NUMBER_AT(f->offset, b));
}

struct ranking {
    const struct orderer *o;
    compare_fn *compare;
};

static int compare_ids(const void *a, const void *b, void *arg)
{
    const struct ranking *r = arg;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = r->compare(r->o, x, y);
    return order ? order : by_number(x, y);
}

/* Ids 1 .. count in order; those that compare equal have the same rank. */
static uint32_t *rank(struct orderer *o, uint32_t count, compare_fn *compare)
{
    struct ranking r = { o, compare };
    uint32_t *ids = table(o, count ? count : 1), *ranks = table(o, (size_t)count + 1);
    if (!ids || !ranks) return NULL;
    for (uint32_t i = 0; i < count; i++) ids[i] = i + 1;
    if (count) sort_with(ids, count, sizeof *ids, compare_ids, &r);
    for (uint32_t i = 0, number = 0; i < count; i++) {
        if (i == 0 || compare(o, ids[i - 1], ids[i]) != 0) number++;
        ranks[ids[i]] = number;
    }
    return ranks;
}

/* ---- siblings ---- */

static int compare_nodes(const void *a, const void *b, void *arg)
{
    const struct orderer *o = arg;
    const struct assay_tree *t = o->t;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = by_number(NUMBER_AT(t->relation, x), NUMBER_AT(t->relation, y));
    if (!order) order = by_number(NUMBER_AT(t->kind, x), NUMBER_AT(t->kind, y));
    if (!order) order = by_number(o->func_rank[ID_AT(t->func, x)], o->func_rank[ID_AT(t->func, y)]);
    if (!order) order = by_number(o->file_rank[ID_AT(t->file, x)], o->file_rank[ID_AT(t->file, y)]);
    if (!order) order = by_number(NUMBER_AT(t->line, x), NUMBER_AT(t->line, y));
    if (!order) order = by_number(o->module_rank[ID_AT(t->module, x)], o->module_rank[ID_AT(t->module, y)]);
    if (!order) order = by_number(NUMBER_AT(t->offset, x), NUMBER_AT(t->offset, y));
    return order ? order : by_number(x, y);
}

static bool has_place(const struct assay_tree *t, uint32_t node) { return !(NUMBER_AT(t->flags, node) & ASSAY_NODE_NO_PLACE); }

static bool sort_siblings(struct orderer *o)
{
    const struct assay_tree *t = o->t;
    o->begin = table(o, (size_t)t->count + 3);
    o->kids = table(o, (size_t)t->count + 1);
    o->place = table(o, (size_t)t->count + 1);
    if (!o->begin || !o->kids || !o->place) return false;
    /* counted two places ahead, so that filling leaves the begins where they belong */
    for (uint32_t i = 1; i <= t->count; i++)
        if (has_place(t, i)) o->begin[ID_AT(t->parent, i) + 2]++;
    for (uint32_t i = 2; i < t->count + 3; i++) o->begin[i] += o->begin[i - 1];
    for (uint32_t i = 1; i <= t->count; i++)
        if (has_place(t, i)) o->kids[o->begin[ID_AT(t->parent, i) + 1]++] = i;
    for (uint32_t i = 0; i <= t->count && !cancel_at(i); i++)
        if (o->begin[i + 1] - o->begin[i] > 1) sort_with(o->kids + o->begin[i], o->begin[i + 1] - o->begin[i], sizeof *o->kids, compare_nodes, o);
    for (uint32_t i = 0; i < o->begin[t->count + 1]; i++) o->place[o->kids[i]] = i;
    return true;
}

/* ---- numbers ---- */

static bool is_entry(const struct assay_tree *t, uint32_t node) { return NUMBER_AT(t->kind, node) == ASSAY_NODE_ENTRY && ID_AT(t->parent, node) == 0; }

static uint8_t bits_of(const struct hpcdb_plan *plan, const struct assay_tree *t, uint32_t node)
{
    uint8_t kind = NUMBER_AT(t->kind, node), bits = 0;
    if (!has_place(t, node)) return PLAN_LEXICAL | PLAN_HIDDEN;
    if (is_entry(t, node)) return PLAN_ENTRY;
    if (NUMBER_AT(t->relation, node) == ASSAY_RELATION_LEXICAL) bits |= PLAN_LEXICAL;
    if (kind == ASSAY_NODE_LOOP) bits |= PLAN_LOOP;
    if (!plan->is_stored && kind == ASSAY_NODE_INSTRUCTION && bits & PLAN_LEXICAL) bits |= PLAN_HIDDEN;
    return bits;
}

static void number(struct orderer *o, uint32_t node, uint32_t parent)
{
    struct hpcdb_plan *plan = o->plan;
    uint32_t ctx = plan->ctx_count++;
    if (node) plan->ctx_of[node] = ctx;
    plan->node[ctx] = node;
    plan->parent[ctx] = parent;
    plan->bits[ctx] = node ? bits_of(plan, o->t, node) : PLAN_ENTRY;
    plan->shown[ctx] = hpcdb_plan_is_hidden(plan, ctx) ? plan->shown[parent] : ctx;
}

/* A root and all that is below it. */
static void number_below(struct orderer *o, uint32_t root, uint32_t parent)
{
    uint32_t node = root;
    number(o, root, parent);
    while (!cancel_at(o->plan->ctx_count)) {
        if (o->begin[node] < o->begin[node + 1]) {
            node = o->kids[o->begin[node]];
        } else {
            while (node != root && o->place[node] + 1 == o->begin[ID_AT(o->t->parent, node) + 1]) node = ID_AT(o->t->parent, node);
            if (node == root) return;
            node = o->kids[o->place[node] + 1];
        }
        number(o, node, o->plan->ctx_of[ID_AT(o->t->parent, node)]);
    }
}

/* Entries are what the top of a database consists of; other roots get one above them. */
static void number_all(struct orderer *o)
{
    const struct assay_tree *t = o->t;
    bool has_other = false;
    number(o, 0, 0);
    o->plan->bits[ROOT] = 0;
    for (uint32_t i = o->begin[0]; i < o->begin[1]; i++) has_other |= !is_entry(t, o->kids[i]);
    if (has_other) number(o, 0, ROOT);
    for (uint32_t i = o->begin[0]; i < o->begin[1]; i++)
        if (!is_entry(t, o->kids[i])) number_below(o, o->kids[i], 1);
    for (uint32_t i = o->begin[0]; i < o->begin[1]; i++)
        if (is_entry(t, o->kids[i])) number_below(o, o->kids[i], ROOT);
    for (uint32_t i = 1; i <= t->count; i++)
        if (!has_place(t, i)) number(o, i, ROOT);
}

static int order_tree(struct orderer *o, assay_error *err)
{
    struct hpcdb_plan *plan = o->plan;
    size_t count = (size_t)o->t->count + 2; /* the whole, and an entry that may have to be made */
    plan->ctx_of = hpcdb_plan_table(plan, count, sizeof *plan->ctx_of);
    plan->node = hpcdb_plan_table(plan, count, sizeof *plan->node);
    plan->parent = hpcdb_plan_table(plan, count, sizeof *plan->parent);
    plan->shown = hpcdb_plan_table(plan, count, sizeof *plan->shown);
    plan->bits = hpcdb_plan_table(plan, count, sizeof *plan->bits);
    if (!plan->ctx_of || !plan->node || !plan->parent || !plan->shown || !plan->bits) return error_memory(err);
    o->module_rank = rank(o, assay_profile_modules(plan->p)->count, by_module);
    o->file_rank = o->module_rank ? rank(o, assay_profile_files(plan->p)->count, by_file) : NULL;
    o->func_rank = o->file_rank ? rank(o, assay_profile_funcs(plan->p)->count, by_func) : NULL;
    if (!o->func_rank || !sort_siblings(o)) return error_memory(err);
    number_all(o);
    return cancel_end(0, err);
}

static int plan_whole(struct hpcdb_plan *plan, assay_error *err)
{
    struct orderer o = { .plan = plan, .t = assay_profile_tree(plan->p) };
    if (o.t->count > INT32_MAX - 2) FAIL(err, ASSAY_ERR_UNSUPPORTED, "hpcdb holds at most %d contexts", INT32_MAX - 2);
    arena_init(&o.arena, plan->mem);
    int rc = order_tree(&o, err);
    arena_done(&o.arena);
    return rc;
}

/* What a rank needs of the contexts that rank 0 has planned: their numbers by its own nodes, and what costs go up by. */
static int take_plan(struct hpcdb_plan *plan, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(plan);
    uint32_t nodes = assay_profile_tree(plan->p)->count;
    t->broadcast(t->arg, 0, &plan->ctx_count, sizeof plan->ctx_count);
    if (t->rank) {
        plan->ctx_of = hpcdb_plan_table(plan, (size_t)nodes + 1, sizeof *plan->ctx_of);
        plan->parent = hpcdb_plan_table(plan, plan->ctx_count, sizeof *plan->parent);
        plan->shown = hpcdb_plan_table(plan, plan->ctx_count, sizeof *plan->shown);
        plan->bits = hpcdb_plan_table(plan, plan->ctx_count, sizeof *plan->bits);
    }
    TRY(team_agree(t, plan->ctx_of && plan->parent && plan->shown && plan->bits ? 0 : error_memory(err), err));
    t->broadcast(t->arg, 0, plan->parent, plan->ctx_count * sizeof *plan->parent);
    t->broadcast(t->arg, 0, plan->shown, plan->ctx_count * sizeof *plan->shown);
    t->broadcast(t->arg, 0, plan->bits, plan->ctx_count * sizeof *plan->bits);
    return share_numbers(plan->share, plan->ctx_of, nodes, err);
}

int hpcdb_plan_tree(struct hpcdb_plan *plan, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(plan);
    int rc = team_agree(t, hpcdb_plan_is_first(plan) ? plan_whole(plan, err) : 0, err);
    return rc == 0 && t ? take_plan(plan, err) : rc;
}
