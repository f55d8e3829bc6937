/* Views of a call graph. Flat: as of a tree, with the lines and calls of each function. Bottom-up: functions and those that call them directly; further up nobody knows
 * what belongs to whom. Function rows are those of assay_top.
 *
 * What a file or a module costs with all it calls is told by the tree, where the profile has that too. A graph alone does not tell it: a call that comes back from
 * outside is inside another one already. The total given then is the cost of the calls into it from outside, and of what in it nobody calls, but no more than the whole
 * and no less than its self: an upper bound. */
#include <stdlib.h>

#include "analysis/core/arcs.h"
#include "analysis/core/outermost.h"
#include "analysis/core/top.h"
#include "analysis/views/source.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

/* What a member is: `at`. */
enum table { TABLE_FUNCTIONS, TABLE_COSTS, TABLE_ARCS };

static const struct assay_graph *graph_of(const struct view *v) { return assay_profile_graph(v->profile); }
static assay_value top_self(const struct view *v, uint32_t row) { return top_cell(v->source->top, v->source->top->self, row, v->source->k); }
static assay_value top_total(const struct view *v, uint32_t row) { return top_cell(v->source->top, v->source->top->total, row, v->source->k); }
static uint32_t module_key(const struct view *v, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(v->profile);
    return (func && f->module ? f->module[func].v : 0) + 1;
}
static uint32_t top_row_of(const struct view *v, uint32_t func) { return v->source->row_of[func] - 1; }

/* ---- figures ---- */

static void add_member(const struct view *v, const struct view_member *m, struct sums *to)
{
    const struct assay_graph *g = graph_of(v);
    uint32_t k = v->source->k;
    if (m->at == TABLE_FUNCTIONS) {
        sums_add(to, 0, top_self(v, m->node));
        sums_add(to, 1, top_total(v, m->node));
    } else if (m->at == TABLE_COSTS) {
        assay_value self = graph_cell(g->cost_self, graph_cost_row(g, m->node), k);
        sums_add(to, 0, self);
        sums_add(to, 1, self);
    } else {
        bool is_recursive = g->arc_caller[m->node].v == g->arc_callee[m->node].v;
        if (g->arc_self) sums_add(to, 0, graph_cell(g->arc_self, graph_arc_row(g, m->node), k));
        if (!is_recursive) sums_add(to, 1, graph_arc_total(g, to->type, m->node, k)); /* else it is in the calls from elsewhere already */
    }
}

static struct view_figures figures(const struct view *v, const struct view_row *row)
{
    const struct view_source *s = v->source;
    struct view_sums r;
    view_sums_init(&r, s->group_total.type);
    for (size_t i = row->begin; i < row->end; i++) add_member(v, &s->members.at[i], &r.sums);
    struct view_figures f = view_sums_end(&r);
    if (row->kind == VIEW_FILE) f.total = sums_value(&s->group_total, s->group_of[s->func_order[row->tie]]);
    if (row->kind == VIEW_MODULE) f.total = sums_value(&s->module_total, row->module + (size_t)1);
    bool is_bound = (row->kind == VIEW_FILE || row->kind == VIEW_MODULE) && !s->has_group_totals;
    if (is_bound && value_compare(s->group_total.type, f.total, f.self) < 0) f.total = f.self;
    return f;
}

static struct view_note note(const struct view *v, const struct view_member *m)
{
    const struct assay_graph *g = graph_of(v);
    if (m->at == TABLE_FUNCTIONS) return (struct view_note){ m->node, v->source->top->calls[m->node], true };
    if (m->at == TABLE_COSTS) return (struct view_note){ m->node, 0, true };
    return (struct view_note){ m->node, g->arc_calls ? g->arc_calls[m->node] : 0, g->arc_self != NULL };
}

/* ---- totals of files and modules ---- */

static assay_value minus(enum assay_type type, assay_value a, assay_value b)
{
    if (value_compare(type, a, b) <= 0) return (assay_value){ 0 };
    if (type == ASSAY_F64) return (assay_value){ .d = a.d - b.d };
    return (assay_value){ .u = a.u - b.u }; /* of I64 too: a is larger */
}

/* Calls from outside, and by function what its callers were charged. */
static void add_arcs(const struct view *v, struct sums *charged, struct sums *groups, struct sums *modules)
{
    const struct assay_graph *g = graph_of(v);
    const struct view_source *s = v->source;
    for (uint32_t i = 0; i < g->arc_count; i++) {
        uint32_t caller = g->arc_caller[i].v, callee = g->arc_callee[i].v;
        assay_value total = graph_arc_total(g, charged->type, i, s->k);
        if (caller == callee || !s->group_of[callee]) continue;
        sums_add(charged, callee, total);
        if (s->group_of[caller] != s->group_of[callee]) sums_add(groups, s->group_of[callee], total);
        if (!caller || module_key(v, caller) != module_key(v, callee)) sums_add(modules, module_key(v, callee), total);
    }
}

static void keep_below(struct sums *sums, assay_value whole)
{
    for (size_t i = 0; i < sums->len; i++) {
        assay_value total = sums_value(sums, i);
        sums_set_zero(sums, i);
        sums->at[i] = value_compare(sums->type, total, whole) > 0 ? whole : total;
    }
}

static assay_value whole_of(const struct view *v, enum assay_type type, assay_metric_id metric)
{
    const struct assay_metrics *m = assay_profile_metrics(v->profile);
    assay_wide w = m->total ? m->total[metric.v] : (assay_wide){ 0 };
    if (type == ASSAY_F64) return (assay_value){ .d = m->total_double ? m->total_double[metric.v] : 0 };
    if (type == ASSAY_U64) return (assay_value){ .u = w.high ? UINT64_MAX : w.low };
    return (assay_value){ .i = w.high < 0 && w.high != -1 ? INT64_MIN : w.high > 0 || (w.high == 0 && w.low > INT64_MAX) ? INT64_MAX : (int64_t)w.low };
}

/* What a function costs beyond what its callers were charged: the program begins there. */
static void add_beginnings(struct view *v, const struct sums *charged)
{
    struct view_source *s = v->source;
    for (uint32_t i = 0; i < s->func_count; i++) {
        uint32_t func = s->func_order[i];
        assay_value rest = minus(charged->type, top_total(v, top_row_of(v, func)), sums_value(charged, func));
        sums_add(&s->group_total, s->group_of[func], rest);
        sums_add(&s->module_total, module_key(v, func), rest);
    }
}

static int add_totals(struct view *v, enum assay_type type, assay_metric_id metric, assay_error *err)
{
    struct view_source *s = v->source;
    SCOPED(sums_done) struct sums charged = { 0 };
    if (!sums_init(&charged, v->mem, type, (size_t)assay_profile_funcs(v->profile)->count + 1)) return error_memory(err);
    add_arcs(v, &charged, &s->group_total, &s->module_total);
    add_beginnings(v, &charged);
    keep_below(&s->group_total, whole_of(v, type, metric));
    keep_below(&s->module_total, whole_of(v, type, metric));
    return 0;
}

/* By function, what outermost_mark takes. */
static void module_keys(const struct view *v, uint32_t *keys)
{
    uint32_t count = assay_profile_funcs(v->profile)->count;
    for (uint32_t func = 1; func <= count; func++) keys[func] = v->source->group_of[func] ? module_key(v, func) : 0;
}

enum { OF_FILE = 1, OF_MODULE = 2 };

static int mark_outermost(struct view *v, const struct frames *f, uint8_t *marks, assay_error *err)
{
    struct view_source *s = v->source;
    SCRATCH(uint32_t, modules, v->mem, (size_t)assay_profile_funcs(v->profile)->count + 1);
    if (!modules) return error_memory(err);
    module_keys(v, modules);
    TRY(outermost_mark(f, s->group_of, s->group_total.len, marks, OF_FILE, err));
    return outermost_mark(f, modules, s->module_total.len, marks, OF_MODULE, err);
}

static int add_contexts(struct view *v, const struct frames *f, assay_metric_id metric, assay_error *err)
{
    struct view_source *s = v->source;
    SCOPED(sums_done) struct sums values = { 0 };
    SCRATCH(uint8_t, marks, v->mem, f->len);
    if (!sums_init(&values, v->mem, s->group_total.type, f->len) || !marks) return error_memory(err);
    TRY(mark_outermost(v, f, marks, err));
    TRY(columns_totals(v->profile, f, metric, &values, err));
    for (uint32_t id = 1; id <= f->tree->count; id++) {
        uint32_t func = marks[id] ? f->tree->func[id].v : 0;
        if (marks[id] & OF_FILE) sums_add_sum(&s->group_total, s->group_of[func], &values, id);
        if (marks[id] & OF_MODULE) sums_add_sum(&s->module_total, module_key(v, func), &values, id);
    }
    return 0;
}

/* Whether the tree, if there is one, has values of the metric. */
static bool has_contexts(const struct view *v, assay_metric_id metric)
{
    const struct assay_scopes *scopes = assay_profile_scopes(v->profile);
    bool found = false;
    for (uint32_t i = 1; assay_profile_tree(v->profile)->count && i <= scopes->count && !found; i++) found = scopes->metric[i].v == metric.v;
    return found;
}

static int add_tree_totals(struct view *v, assay_metric_id metric, assay_error *err)
{
    SCOPED(frames_done) struct frames f = { 0 };
    TRY(frames_init(&f, assay_profile_tree(v->profile), v->mem, err));
    return add_contexts(v, &f, metric, err);
}

static int load(struct view *v, assay_metric_id metric, assay_error *err)
{
    struct view_source *s = v->source;
    const struct assay_graph *g = graph_of(v);
    const struct assay_metrics *m = assay_profile_metrics(v->profile);
    enum assay_type type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64;
    size_t groups = (size_t)s->group_count + 1, modules = (size_t)assay_profile_modules(v->profile)->count + 2;
    for (s->k = 0; s->k + 1 < g->block.metric_count && g->block.metrics[s->k].v != metric.v;) s->k++;
    if (s->group_total.mem) sums_done(&s->group_total);
    if (s->module_total.mem) sums_done(&s->module_total);
    if (!sums_init(&s->group_total, v->mem, type, groups) || !sums_init(&s->module_total, v->mem, type, modules)) return error_memory(err);
    if (v->options.kind != VIEW_FLAT) return 0;
    s->has_group_totals = has_contexts(v, metric);
    return s->has_group_totals ? add_tree_totals(v, metric, err) : add_totals(v, type, metric, err);
}

/* ---- what belongs to a function ---- */

/* Numbers of the entries of a table, those of one function together. */
static int sort_table(struct view *v, const assay_func_id *func, uint32_t count, uint32_t **order, uint32_t **begin, assay_error *err)
{
    size_t funcs = (size_t)assay_profile_funcs(v->profile)->count + 1;
    uint32_t sum = 0;
    *order = mem_zalloc(v->mem, (size_t)count + 1, sizeof **order);
    *begin = mem_zalloc(v->mem, funcs + 1, sizeof **begin);
    if (!*order || !*begin) return error_memory(err);
    for (uint32_t i = 0; i < count; i++) (*begin)[func[i].v]++;
    for (size_t i = 0; i <= funcs; i++) {
        uint32_t more = (*begin)[i];
        (*begin)[i] = sum;
        sum += more;
    }
    for (uint32_t i = 0; i < count; i++) (*order)[(*begin)[func[i].v]++] = i;
    for (size_t i = funcs; i > 0; i--) (*begin)[i] = (*begin)[i - 1];
    (*begin)[0] = 0;
    return 0;
}

static int find_functions(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    size_t funcs = (size_t)assay_profile_funcs(v->profile)->count + 1;
    SCRATCH(uint8_t, has_row, v->mem, funcs);
    s->row_of = mem_zalloc(v->mem, funcs, sizeof *s->row_of);
    if (!has_row || !s->row_of) return error_memory(err);
    for (uint32_t i = 0; i < s->top->count; i++) {
        TRY(cancel_step(i, err));
        s->row_of[s->top->func[i].v] = i + 1;
        has_row[s->top->func[i].v] = s->top->func[i].v != 0;
    }
    return view_sort_functions(v, has_row, err);
}

/* One member for each function, in order. */
static int add_members(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    s->ranks = s->func_count;
    s->begin_of = mem_zalloc(v->mem, (size_t)s->ranks + 2, sizeof *s->begin_of);
    if (!s->begin_of || !vec_reserve(v->mem, &s->members, s->func_count)) return error_memory(err);
    for (uint32_t i = 0; i < s->func_count; i++) {
        s->begin_of[i + 2] = i + 1;
        s->members.at[s->members.len++] = (struct view_member){ top_row_of(v, s->func_order[i]), TABLE_FUNCTIONS, VIEW_IN_TOTAL };
    }
    return 0;
}

static int open_graph(struct view *v, const assay_func_id *arcs_by, assay_error *err)
{
    struct view_source *s = v->source;
    const struct assay_graph *g = graph_of(v);
    TRY(assay_top_new(v->profile, &s->top, err));
    TRY(find_functions(v, err));
    TRY(add_members(v, err));
    TRY(sort_table(v, arcs_by, g->arc_count, &s->arc_order, &s->arc_begin, err));
    return load(v, v->options.metric, err);
}

static struct view_key arc_key(const struct assay_graph *g, uint32_t arc, uint8_t kind, uint32_t func)
{
    return (struct view_key){ .kind = kind, .func = func, .site_file = g->arc_file ? g->arc_file[arc].v : 0, .site_line = g->arc_line ? g->arc_line[arc] : 0 };
}

/* ---- flat ---- */

static int open_flat(struct view *v, assay_error *err)
{
    const struct assay_graph *g = graph_of(v);
    TRY(open_graph(v, g->arc_caller, err));
    TRY(sort_table(v, g->cost_func, g->cost_count, &v->source->cost_order, &v->source->cost_begin, err));
    return view_add_modules(v, err);
}

/* Cost without a line is a row too, unless there is nothing else. */
static bool has_lines(const struct view *v, uint32_t func)
{
    const struct view_source *s = v->source;
    const uint32_t *line = graph_of(v)->cost_line;
    for (uint32_t i = s->cost_begin[func]; line && i < s->cost_begin[func + 1]; i++)
        if (line[s->cost_order[i]]) return true;
    return false;
}

static int expand_function(struct view *v, uint32_t row, assay_error *err)
{
    struct view_source *s = v->source;
    const struct assay_graph *g = graph_of(v);
    uint32_t func = v->rows.at[row].func;
    bool is_by_line = has_lines(v, func);
    s->found.len = 0;
    for (uint32_t i = s->cost_begin[func]; i < s->cost_begin[func + 1]; i++) {
        TRY(cancel_step(i, err));
        uint32_t cost = s->cost_order[i];
        struct view_key key = { .kind = ASSAY_NODE_LINE, .file = g->cost_file ? g->cost_file[cost].v : 0, .line = g->cost_line ? g->cost_line[cost] : 0 };
        if (is_by_line) TRY(view_find(v, &key, (struct view_member){ cost, TABLE_COSTS, VIEW_IN_TOTAL }, err));
    }
    for (uint32_t i = s->arc_begin[func]; i < s->arc_begin[func + 1]; i++) {
        TRY(cancel_step(i, err));
        struct view_key key = arc_key(g, s->arc_order[i], VIEW_CALL, g->arc_callee[s->arc_order[i]].v);
        TRY(view_find(v, &key, (struct view_member){ s->arc_order[i], TABLE_ARCS, VIEW_IN_TOTAL }, err));
    }
    return view_group(v, row, NULL, err);
}

static int expand_flat(struct view *v, uint32_t row, assay_error *err)
{
    uint8_t kind = v->rows.at[row].kind;
    if (kind == VIEW_MODULE) return view_add_files(v, row, err);
    if (kind == VIEW_FILE) return view_add_functions(v, row, err);
    return kind != ASSAY_NODE_FUNCTION || v->options.detail == VIEW_FUNCTIONS ? 0 : expand_function(v, row, err);
}

/* ---- bottom-up ---- */

static int open_bottom_up(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    TRY(open_graph(v, graph_of(v)->arc_callee, err));
    for (uint32_t i = 0; i < s->func_count; i++) {
        TRY(cancel_step(i, err));
        struct view_row row = view_function_row(v, s->func_order[i]);
        row.begin = i;
        row.end = i + (size_t)1;
        row.calls = view_calls(v, &row);
        TRY(view_add_row(v, 0, row, err));
    }
    return 0;
}

static int expand_bottom_up(struct view *v, uint32_t row, assay_error *err)
{
    struct view_source *s = v->source;
    const struct assay_graph *g = graph_of(v);
    uint32_t func = v->rows.at[row].func;
    if (v->rows.at[row].parent) return 0;
    s->found.len = 0;
    for (uint32_t i = s->arc_begin[func]; i < s->arc_begin[func + 1]; i++) {
        TRY(cancel_step(i, err));
        uint32_t arc = s->arc_order[i], caller = g->arc_caller[arc].v;
        struct view_key key = arc_key(g, arc, ASSAY_NODE_FUNCTION, caller);
        if (v->options.detail == VIEW_FUNCTIONS) key.site_file = key.site_line = 0;
        if (caller) TRY(view_find(v, &key, (struct view_member){ arc, TABLE_ARCS, VIEW_IN_TOTAL }, err));
    }
    return view_group(v, row, NULL, err);
}

const struct view_source view_graph_flat = { .open = open_flat, .expand = expand_flat, .load = load, .figures = figures, .note = note };
const struct view_source view_graph_bottom_up = { .open = open_bottom_up, .expand = expand_bottom_up, .load = load, .figures = figures, .note = note };
