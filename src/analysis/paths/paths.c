/* Nodes are joined in the order of the tree, in which parents come first, so that the row of a caller is there when its callees ask for theirs. Children
 * are put in order by their totals afterwards. See paths.h. */
#include "analysis/paths/paths.h"

#include "analysis/core/contexts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/kids.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

/* ---- rows ---- */

struct joining {
    struct paths *s;
    const struct contexts *tree;
    struct kids *kids; /* the rows by parent, function and kind */
    uint32_t *row_of;  /* by node that is a function node */
    enum paths_recursion recursion;
};

static uint8_t kind_of(const struct frames *f, uint32_t node)
{
    uint8_t kind = frames_kind(f, node);
    return kind == ASSAY_NODE_ENTRY || kind == ASSAY_NODE_INLINED ? kind : ASSAY_NODE_FUNCTION;
}

/* The row of (parent, function, kind), made when it is not there yet; 0 = no memory. */
static uint32_t row_for(struct joining *j, uint32_t parent, uint32_t func, uint8_t kind)
{
    struct paths *s = j->s;
    uint32_t id = kids_put(j->kids, parent, (uint64_t)func << 8 | kind);
    if (id < s->rows.len) return id;
    struct path_row *row = vec_push(s->mem, &s->rows);
    if (!row) return 0;
    *row = (struct path_row){ .parent = parent, .func = func, .kind = kind, .depth = s->rows.at[parent].depth + 1 };
    if (row->depth > s->depth) s->depth = row->depth;
    return id;
}

/* The row that a function called from row `above` is folded into; 0 = none. */
static uint32_t folded_into(const struct joining *j, uint32_t above, uint32_t func)
{
    const struct path_row *rows = j->s->rows.at;
    if (!func || j->recursion == PATHS_AS_IT_IS) return 0;
    if (j->recursion == PATHS_NO_DIRECT) return above && rows[above].func == func ? above : 0;
    while (above && rows[above].func != func) above = rows[above].parent;
    return above;
}

static bool join_nodes(struct joining *j)
{
    const struct frames *f = &j->tree->frames;
    const struct assay_tree *t = f->tree;
    for (uint32_t node = 1; node <= t->count; node++) {
        if (!contexts_is_function(j->tree, node)) continue;
        uint32_t caller = contexts_caller(j->tree, node), above = caller ? j->row_of[caller] : 0, func = t->func ? t->func[node].v : 0;
        uint32_t row = folded_into(j, above, func);
        if (!row) row = row_for(j, above, func, kind_of(f, node));
        if (!row) return false;
        j->row_of[node] = row;
        uint64_t calls = t->calls ? t->calls[node] : 0, *to = &j->s->rows.at[row].calls;
        *to = *to > UINT64_MAX - calls ? UINT64_MAX : *to + calls;
    }
    return true;
}

/* ---- figures ---- */

/* What is stored of a function as a whole stands at its function node; else every node adds to its function. */
static int add_figures(struct joining *j, assay_error *err)
{
    struct paths *s = j->s;
    const struct frames *f = &j->tree->frames;
    struct columns c = columns_of(s->profile, s->metric);
    SCOPED(sums_done) struct sums values = { 0 };
    if (!sums_init(&values, s->mem, s->type, f->len)) return error_memory(err);
    TRY(columns_self(s->profile, f, &c, &values, err));
    for (uint32_t node = 1; node < f->len; node++) {
        uint32_t owner = f->owner[node];
        TRY(cancel_step(node, err));
        sums_add_sum(&s->self, owner ? j->row_of[owner] : 0, &values, node);
    }
    TRY(columns_inclusive(s->profile, f, &c, &values, err));
    for (uint32_t node = 1; node < f->len; node++) {
        TRY(cancel_step(node, err));
        if (f->owner[node] == node) sums_add_sum(&s->total, j->row_of[node], &values, node);
    }
    for (size_t row = 1; row < s->rows.len; row++) {
        TRY(cancel_step(row, err));
        if (!s->rows.at[row].parent) sums_add_sum(&s->total, 0, &s->total, row);
    }
    sums_add_sum(&s->total, 0, &s->self, 0);
    return 0;
}

/* Rows that stand elsewhere than their nodes did: what is below them is what they have now. */
static void add_up(struct paths *s)
{
    for (size_t row = s->rows.len - 1; row > 0; row--) {
        sums_add_sum(&s->total, row, &s->self, row);
        sums_add_sum(&s->total, s->rows.at[row].parent, &s->total, row);
    }
    sums_add_sum(&s->total, 0, &s->self, 0);
}

/* ---- order ---- */

struct sorting {
    double total;
    uint32_t row;
};

static int by_total(const void *x, const void *y)
{
    const struct sorting *a = x, *b = y;
    ORDER_BY(b->total, a->total);
    return ORDER(a->row, b->row);
}

static void link_children(struct paths *s, const struct kid *kids, uint32_t parent, const struct sums *totals, struct sorting *list)
{
    size_t count = 0;
    for (uint32_t row = kids[parent].first; row; row = kids[row].next)
        list[count++] = (struct sorting){ value_double(totals->type, sums_value(totals, row)), row };
    if (count > 1) sort_by(list, count, sizeof *list, by_total);
    for (size_t i = 0; i < count; i++) s->rows.at[list[i].row].next = i + 1 < count ? list[i + 1].row : 0;
    s->rows.at[parent].first = count ? list[0].row : 0;
}

bool paths_order(struct paths *s, const struct kids *kids, const struct sums *totals)
{
    size_t count = kids_len(kids), widest = 1;
    for (size_t row = 0; row < count; row++)
        if (kids->of.at[row].count > widest) widest = kids->of.at[row].count;
    SCRATCH(struct sorting, list, s->mem, widest);
    if (!list) return false;
    for (uint32_t row = 0; row < count; row++) link_children(s, kids->of.at, row, totals, list);
    return true;
}

/* ---- all of it ---- */

static int fill(struct joining *j, assay_error *err)
{
    struct paths *s = j->s;
    if (!j->row_of || !join_nodes(j)) return error_memory(err);
    if (!sums_init(&s->self, s->mem, s->type, s->rows.len) || !sums_init(&s->total, s->mem, s->type, s->rows.len)) return error_memory(err);
    TRY(add_figures(j, err));
    if (j->recursion != PATHS_AS_IT_IS) {
        sums_clear(&s->total);
        add_up(s);
    }
    return paths_order(s, j->kids, &s->total) ? 0 : error_memory(err);
}

int paths_init_folded(struct paths *s, struct mem *mem, const assay_profile *p, assay_metric_id metric, enum paths_recursion recursion, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    const struct assay_tree *tree = assay_profile_tree(p);
    SCOPED(contexts_done) struct contexts x = { 0 };
    *s = (struct paths){ .mem = mem, .profile = p, .metric = metric, .type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64 };
    if (!tree->count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "this file has no call stacks");
    struct path_row *whole = vec_push(mem, &s->rows);
    if (!whole) return error_memory(err);
    *whole = (struct path_row){ 0 };
    TRY(contexts_init(&x, p, mem, err));
    SCRATCH(uint32_t, row_of, mem, x.frames.len);
    SCOPED(kids_done) struct kids kids;
    kids_init(&kids, mem);
    return fill(&(struct joining){ .s = s, .tree = &x, .row_of = row_of, .kids = &kids, .recursion = recursion }, err);
}

int paths_init(struct paths *s, struct mem *mem, const assay_profile *p, assay_metric_id metric, assay_error *err)
{
    return paths_init_folded(s, mem, p, metric, PATHS_AS_IT_IS, err);
}

void paths_done(struct paths *s)
{
    sums_done(&s->self);
    sums_done(&s->total);
    vec_done(s->mem, &s->rows);
}

assay_slice paths_name(const struct paths *s, uint32_t row)
{
    const struct assay_funcs *f = assay_profile_funcs(s->profile);
    uint32_t func = s->rows.at[row].func;
    return func ? assay_profile_string(s->profile, f->name[func]) : SLICE("<unknown>");
}
