/* What the sources of views share: figures of nodes, function nodes by function, the order of flat views; see source.h. */
#include "analysis/views/source.h"

#include "analysis/core/outermost.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"

static size_t func_room(const struct view *v) { return (size_t)assay_profile_funcs(v->profile)->count + 1; }

void view_close_source(struct view *v)
{
    struct view_source *s = v->source;
    size_t funcs = func_room(v), nodes = s->tree.frames.len;
    const struct assay_graph *g = assay_profile_graph(v->profile);
    mem_free(v->mem, s->marks, s->marks ? nodes : 0);
    if (s->begin_of != s->tree.begin) mem_free(v->mem, s->begin_of, ((size_t)s->ranks + 2) * sizeof *s->begin_of);
    mem_free(v->mem, s->enter, s->enter ? nodes * sizeof *s->enter : 0);
    mem_free(v->mem, s->leave, s->leave ? nodes * sizeof *s->leave : 0);
    mem_free(v->mem, s->func_order, s->func_order ? funcs * sizeof *s->func_order : 0);
    mem_free(v->mem, s->group_of, s->group_of ? funcs * sizeof *s->group_of : 0);
    mem_free(v->mem, s->row_of, s->row_of ? funcs * sizeof *s->row_of : 0);
    mem_free(v->mem, s->cost_begin, s->cost_begin ? (funcs + 1) * sizeof *s->cost_begin : 0);
    mem_free(v->mem, s->arc_begin, s->arc_begin ? (funcs + 1) * sizeof *s->arc_begin : 0);
    mem_free(v->mem, s->cost_order, s->cost_order ? ((size_t)g->cost_count + 1) * sizeof *s->cost_order : 0);
    mem_free(v->mem, s->arc_order, s->arc_order ? ((size_t)g->arc_count + 1) * sizeof *s->arc_order : 0);
    node_costs_done(&s->costs);
    if (s->group_total.mem) sums_done(&s->group_total);
    if (s->module_total.mem) sums_done(&s->module_total);
    contexts_done(&s->tree);
    assay_top_free(s->top);
    vec_done(v->mem, &s->members, &s->found);
    mem_free(v->mem, s, sizeof *s);
    v->source = NULL;
}

/* ---- trees ---- */

int view_open_tree(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    TRY(contexts_init(&s->tree, v->profile, v->mem, err));
    TRY(contexts_link(&s->tree, err));
    return view_load_tree(v, v->options.metric, err);
}

int view_load_tree(struct view *v, assay_metric_id metric, assay_error *err)
{
    return node_costs_load(&v->source->costs, v->profile, &v->source->tree.frames, metric, err);
}

static void add_member(struct view_sums *r, const struct node_costs *c, const struct view_member *m, uint8_t in_total)
{
    sums_add_sum(&r->sums, 0, &c->self, m->node);
    if (m->counts & VIEW_SELF_ONLY)
        sums_add_sum(&r->sums, 1, &c->self, m->node);
    else if (m->counts & in_total)
        sums_add_sum(&r->sums, 1, &c->total, m->node);
}

struct view_figures view_figures_of_nodes(const struct view *v, const struct view_row *row)
{
    const struct view_source *s = v->source;
    struct view_sums r;
    uint8_t in_total = row->kind == VIEW_MODULE ? VIEW_IN_MODULE : row->kind == VIEW_FILE ? VIEW_IN_FILE : VIEW_IN_TOTAL;
    view_sums_init(&r, s->costs.self.type);
    for (size_t i = row->begin; i < row->end; i++) add_member(&r, &s->costs, &s->members.at[i], in_total);
    return view_sums_end(&r);
}

/* ---- functions ---- */

bool view_is_wanted(const struct view *v, uint32_t func)
{
    return !v->options.function || slice_is(assay_profile_string(v->profile, assay_profile_funcs(v->profile)->name[func]), v->options.function);
}

int view_check_function(const struct view *v, assay_error *err)
{
    uint32_t count = assay_profile_funcs(v->profile)->count;
    if (!v->options.function) return 0;
    for (uint32_t func = 1; func <= count; func++)
        if (view_is_wanted(v, func)) return 0;
    return error_hint(err, error_set(err, ASSAY_ERR_USAGE, "no function named '%.200s'", v->options.function), ASSAY_HINT_FUNCTION);
}

struct view_row view_function_row(const struct view *v, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(v->profile);
    return (struct view_row){ .kind = ASSAY_NODE_FUNCTION,
                              .has_self = true,
                              .func = func,
                              .file = f->file ? f->file[func].v : 0,
                              .line = f->first_line ? f->first_line[func] : 0,
                              .module = f->module ? f->module[func].v : 0,
                              .tie = func };
}

struct view_note view_note_of_node(const struct view *v, const struct view_member *m)
{
    const struct frames *f = &v->source->tree.frames;
    const struct assay_tree *t = f->tree;
    return (struct view_note){ t->origin ? t->origin[m->node] : m->node, t->calls && f->owner[m->node] == m->node ? t->calls[m->node] : 0, true };
}

uint64_t view_calls(const struct view *v, const struct view_row *row)
{
    uint64_t sum = 0;
    for (size_t i = row->begin; i < row->end; i++) {
        uint64_t calls = v->source->note(v, &v->source->members.at[i]).calls;
        sum = sum > UINT64_MAX - calls ? UINT64_MAX : sum + calls;
    }
    return sum;
}

int view_instances(struct view *v, const uint32_t *rank_of, uint32_t ranks, assay_error *err)
{
    struct view_source *s = v->source;
    s->marks = mem_zalloc(v->mem, s->tree.frames.len, 1);
    if (!s->marks) return error_memory(err);
    TRY(outermost_mark(&s->tree.frames, NULL, func_room(v), s->marks, VIEW_IN_TOTAL, err));
    TRY(contexts_list(&s->tree, rank_of, ranks, err));
    s->begin_of = s->tree.begin;
    size_t count = s->tree.begin[ranks + 1];
    if (!vec_reserve(v->mem, &s->members, count)) return error_memory(err);
    s->members.len = count;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = s->tree.node[i];
        s->members.at[i] = (struct view_member){ node, node, s->marks[node] };
    }
    return 0;
}

/* ---- the order of flat views ---- */

static int by_place(const void *x, const void *y, void *arg)
{
    const struct assay_funcs *f = arg;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    uint32_t m = f->module ? f->module[a].v : 0, n = f->module ? f->module[b].v : 0;
    uint32_t i = f->file ? f->file[a].v : 0, j = f->file ? f->file[b].v : 0;
    ORDER_BY(m, n);
    ORDER_BY(i, j);
    return ORDER(a, b);
}

int view_sort_functions(struct view *v, const uint8_t *has_row, assay_error *err)
{
    struct view_source *s = v->source;
    const struct assay_funcs *f = assay_profile_funcs(v->profile);
    struct assay_funcs places = *f;
    s->func_order = mem_zalloc(v->mem, func_room(v), sizeof *s->func_order);
    s->group_of = mem_zalloc(v->mem, func_room(v), sizeof *s->group_of);
    if (!s->func_order || !s->group_of) return error_memory(err);
    for (uint32_t func = 1; func <= f->count; func++)
        if (has_row[func] && view_is_wanted(v, func)) s->func_order[s->func_count++] = func;
    sort_with(s->func_order, s->func_count, sizeof *s->func_order, by_place, &places);
    for (uint32_t i = 0; i < s->func_count; i++) {
        uint32_t func = s->func_order[i], before = i ? s->func_order[i - 1] : 0;
        bool is_new = !i || (f->module && f->module[func].v != f->module[before].v) || (f->file && f->file[func].v != f->file[before].v);
        if (is_new) s->group_count++;
        s->group_of[func] = s->group_count;
    }
    return 0;
}

/* The functions from `from` on that share a module, or a group, with it. */
static uint32_t end_of_group(const struct view *v, uint32_t from, bool is_module)
{
    const struct view_source *s = v->source;
    const struct assay_funcs *f = assay_profile_funcs(v->profile);
    uint32_t to = from, first = s->func_order[from];
    while (to < s->func_count) {
        uint32_t func = s->func_order[to];
        if (is_module ? f->module && f->module[func].v != f->module[first].v : s->group_of[func] != s->group_of[first]) break;
        to++;
    }
    return to;
}

static struct view_row group_row(const struct view *v, uint32_t from, uint32_t to, uint8_t kind)
{
    const struct view_source *s = v->source;
    const struct assay_funcs *f = assay_profile_funcs(v->profile);
    uint32_t func = s->func_order[from];
    struct view_row row = { .kind = kind, .has_self = true, .begin = s->begin_of[from + 1], .end = s->begin_of[to + 1], .tie = from };
    row.module = f->module ? f->module[func].v : 0;
    if (kind == VIEW_FILE) row.file = f->file ? f->file[func].v : 0;
    return row;
}

int view_add_modules(struct view *v, assay_error *err)
{
    v->rows.at[0].end = v->source->members.len;
    if (!assay_profile_files(v->profile)->count && !assay_profile_modules(v->profile)->count) return view_add_functions(v, 0, err);
    if (!assay_profile_modules(v->profile)->count) return view_add_files(v, 0, err);
    for (uint32_t from = 0, to; from < v->source->func_count; from = to) {
        to = end_of_group(v, from, true);
        TRY(view_add_row(v, 0, group_row(v, from, to, VIEW_MODULE), err));
    }
    return 0;
}

int view_add_files(struct view *v, uint32_t row, assay_error *err)
{
    const struct view_source *s = v->source;
    size_t end = v->rows.at[row].end;
    for (uint32_t from = (uint32_t)v->rows.at[row].tie, to; from < s->func_count && s->begin_of[from + 1] < end; from = to) {
        to = end_of_group(v, from, false);
        TRY(view_add_row(v, row, group_row(v, from, to, VIEW_FILE), err));
    }
    return 0;
}

int view_add_functions(struct view *v, uint32_t row, assay_error *err)
{
    const struct view_source *s = v->source;
    size_t end = v->rows.at[row].end;
    for (uint32_t i = (uint32_t)v->rows.at[row].tie; i < s->func_count && s->begin_of[i + 1] < end; i++) {
        TRY(cancel_step(i, err));
        struct view_row function = view_function_row(v, s->func_order[i]);
        function.begin = s->begin_of[i + 1];
        function.end = s->begin_of[i + 2];
        function.calls = view_calls(v, &function);
        TRY(view_add_row(v, row, function, err));
    }
    return 0;
}
