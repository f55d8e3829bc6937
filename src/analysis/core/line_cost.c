/* Cost of source lines, from whichever shape has it; see line_cost.h. */
#include "analysis/core/line_cost.h"

#include <string.h>

#include "analysis/core/arcs.h"
#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "model/entry.h"

enum { LAZY_FROM = 17 /* metrics */ };

/* ---- tables by place ---- */

static bool table_init(struct line_costs *t, struct view_table *to, const assay_file_id *file, const uint32_t *line, uint32_t count)
{
    to->begin = mem_zalloc(t->mem, (size_t)t->files + 2, sizeof *to->begin);
    if (!places_init(&to->places, t->mem, file, line, count) || !to->begin) return false;
    for (uint32_t i = 0; i < count; i++) to->begin[COVERAGE_ID(file, i) + 1]++;
    for (uint32_t f = 0; f <= t->files; f++) to->begin[f + 1] += to->begin[f];
    return true;
}

static void table_done(struct line_costs *t, struct view_table *table)
{
    places_done(&table->places, t->mem);
    mem_free(t->mem, table->begin, table->begin ? ((size_t)t->files + 2) * sizeof *table->begin : 0);
}

static uint32_t first_of(const struct view_table *t, uint32_t file) { return t->begin ? t->begin[file] : 0; }
static uint32_t end_of(const struct view_table *t, uint32_t file) { return t->begin ? t->begin[file + 1] : 0; }

/* ---- the whole ---- */

const struct assay_graph *line_costs_graph(const struct line_costs *t)
{
    const assay_profile *p = line_costs_profile(t);
    return assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH ? assay_profile_graph(p) : NULL;
}

static bool take_arcs(struct line_costs *t)
{
    const struct assay_graph *g = line_costs_graph(t);
    if (!g) return true;
    t->calls_block = &g->block;
    return table_init(t, &t->arc_table, g->arc_file, g->arc_line, g->arc_count);
}

/* A tree without any metric makes a graph without anything. */
static bool take_graph(struct line_costs *t)
{
    const struct assay_graph *g = line_costs_graph(t);
    if (!g) return true;
    t->block = &g->block;
    t->has_totals = true;
    return table_init(t, &t->cost_table, g->cost_file, g->cost_line, g->cost_count) && take_arcs(t);
}

static bool take_lines(struct line_costs *t)
{
    const struct assay_lines *l = assay_profile_lines(t->profile);
    t->block = &l->block;
    t->has_totals = l->total != NULL;
    return table_init(t, &t->line_table, l->file, l->line, l->count) && take_arcs(t);
}

int line_costs_init(struct line_costs *t, const assay_profile *p, struct mem *mem, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p);
    bool done = true;
    *t = (struct line_costs){ .mem = mem, .profile = p, .files = assay_profile_files(p)->count };
    if (shapes & ASSAY_SHAPE_LINES)
        done = take_lines(t);
    else if (shapes & ASSAY_SHAPE_GRAPH && assay_profile_graph(p)->cost_count)
        done = take_graph(t);
    else if (shapes & ASSAY_SHAPE_TREE) {
        TRY(assay_graph_new(p, NULL, &t->made, NULL, err));
        done = take_graph(t);
    }
    return done ? 0 : error_memory(err);
}

int line_costs_init_calls(struct line_costs *t, const assay_profile *p, struct mem *mem, assay_error *err)
{
    *t = (struct line_costs){ .mem = mem, .profile = p, .files = assay_profile_files(p)->count, .calls_only = true };
    return take_arcs(t) ? 0 : error_memory(err);
}

static void free_sums(line_sums *list)
{
    for (size_t k = 0; k < list->len; k++) sums_done(&list->at[k]);
    list->len = 0;
}

static void free_figures(struct line_costs *t)
{
    line_sums *all[] = { &t->self, &t->total, &t->within, &t->callee_total, &t->callee_recursive };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free_sums(all[i]);
}

void line_costs_done(struct line_costs *t)
{
    if (!t->mem) return;
    free_figures(t);
    vec_done(t->mem, &t->self, &t->total, &t->within, &t->callee_total, &t->callee_recursive, &t->numbers, &t->rows, &t->callees);
    table_done(t, &t->line_table);
    table_done(t, &t->cost_table);
    table_done(t, &t->arc_table);
    assay_profile_release(t->made);
}

bool line_costs_has(const struct line_costs *t, uint32_t file)
{
    const struct view_table *const all[] = { &t->line_table, &t->cost_table, &t->arc_table };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (end_of(all[i], file) > first_of(all[i], file)) return true;
    return false;
}

/* ---- one file: which lines there are ---- */

static bool add_numbers(struct line_costs *t, const struct view_table *table, uint32_t file, const uint8_t *level)
{
    for (uint32_t i = first_of(table, file); i < end_of(table, file); i++) {
        uint32_t row = places_row(&table->places, i);
        if (AT(level, row) != ASSAY_LEVEL_LINE) continue;
        uint32_t *slot = vec_push(t->mem, &t->numbers);
        if (!slot) return false;
        *slot = coverage_number(table->places.line, row);
    }
    return true;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return ORDER(a, b);
}

static bool make_rows(struct line_costs *t, uint32_t file)
{
    const uint8_t *level = assay_profile_lines(t->profile)->level;
    t->numbers.len = t->rows.len = 0;
    if (!add_numbers(t, &t->line_table, file, level) || !add_numbers(t, &t->cost_table, file, NULL) || !add_numbers(t, &t->arc_table, file, NULL)) return false;
    if (t->numbers.len) sort_by(t->numbers.at, t->numbers.len, sizeof *t->numbers.at, by_number);
    for (size_t i = 0; i < t->numbers.len; i++) {
        if (i && t->numbers.at[i] == t->numbers.at[i - 1]) continue;
        struct line_cost *row = vec_push(t->mem, &t->rows);
        if (!row) return false;
        *row = (struct line_cost){ .line = t->numbers.at[i] };
    }
    return true;
}

/* The row of a line that has one. */
static uint32_t row_at(const struct line_costs *t, uint32_t line)
{
    size_t low = 0, high = t->rows.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->rows.at[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* ---- one file: figures ---- */

static bool make_sums(struct line_costs *t, line_sums *to, const struct assay_block *block, size_t len)
{
    const struct assay_metrics *m = assay_profile_metrics(line_costs_profile(t));
    for (uint32_t k = 0; block && k < block->metric_count; k++) {
        struct sums *s = vec_push(t->mem, to);
        if (!s) return false;
        *s = (struct sums){ .mem = t->mem, .len = len, .type = (enum assay_type)AT(m->type, block->metrics[k].v) };
        if (block->metric_count < LAZY_FROM && !sums_init(s, t->mem, s->type, len)) return false;
    }
    return true;
}

/* Of many metrics most are 0 in a file: their sums are made with the first value. */
static bool make_late(struct line_costs *t, struct sums *s)
{
    const struct sums empty = *s;
    if (sums_init(s, t->mem, s->type, s->len)) return true;
    sums_done(s);
    *s = empty;
    t->has_failed = true;
    return false;
}

static inline void add_value(struct line_costs *t, struct sums *s, size_t at, assay_value v)
{
    if (s->at || (v.u && make_late(t, s))) sums_add(s, at, v);
}

static void add_values(struct line_costs *t, line_sums *to, size_t at, const assay_value *values, struct graph_row row)
{
    for (uint32_t k = 0; values && k < row.len; k++) add_value(t, &to->at[k], at, values[row.at + k]);
}

static void fill_lines(struct line_costs *t, uint32_t file)
{
    const struct assay_lines *l = assay_profile_lines(t->profile);
    for (uint32_t i = first_of(&t->line_table, file); i < end_of(&t->line_table, file); i++) {
        uint32_t from = places_row(&t->line_table.places, i);
        if (AT(l->level, from) != ASSAY_LEVEL_LINE) continue;
        uint32_t row = row_at(t, AT(l->line, from));
        t->rows.at[row].hits = coverage_add(t->rows.at[row].hits, AT(l->hits, from));
        t->rows.at[row].has_hits = true;
        struct graph_row values = { (size_t)from * l->block.metric_count, l->block.metric_count };
        add_values(t, &t->self, row, l->self, values);
        add_values(t, &t->total, row, l->total, values);
    }
}

static void fill_costs(struct line_costs *t, uint32_t file)
{
    const struct assay_graph *g = line_costs_graph(t);
    for (uint32_t i = first_of(&t->cost_table, file); i < end_of(&t->cost_table, file); i++) {
        uint32_t from = places_row(&t->cost_table.places, i), row = row_at(t, AT(g->cost_line, from));
        add_values(t, &t->self, row, g->cost_self, graph_cost_row(g, from));
        add_values(t, &t->total, row, g->cost_self, graph_cost_row(g, from));
    }
}

/* Calls of a function to itself are part of its other calls, unless the format keeps them apart. */
static bool is_recursion(const struct assay_graph *g, uint32_t arc)
{
    return !g->arc_recursive && !g->knows_nesting && ID(g->arc_caller, arc) == ID(g->arc_callee, arc);
}

static void add_arc(struct line_costs *t, line_sums *to, size_t at, const struct assay_graph *g, uint32_t arc)
{
    uint32_t len = graph_arc_row(g, arc).len;
    for (uint32_t k = 0; g->arc_total && k < len; k++) add_value(t, &to->at[k], at, graph_arc_total(g, to->at[k].type, arc, k));
}

static void fill_arcs(struct line_costs *t, uint32_t file)
{
    const struct assay_graph *g = line_costs_graph(t);
    for (uint32_t i = first_of(&t->arc_table, file); i < end_of(&t->arc_table, file); i++) {
        uint32_t from = places_row(&t->arc_table.places, i), row = row_at(t, AT(g->arc_line, from));
        t->rows.at[row].calls = coverage_add(t->rows.at[row].calls, AT(g->arc_calls, from));
        if (is_recursion(g, from)) continue;
        add_arc(t, &t->within, row, g, from);
        if (t->block == &g->block) add_arc(t, &t->total, row, g, from);
    }
}

/* ---- one file: who is called ---- */

static uint32_t callee_for(struct line_costs *t, struct index *index, uint32_t row, uint32_t func)
{
    uint64_t hash = hash_mix(row, func);
    for (struct index_walk w = index_walk(index, hash); index_next(index, &w);) {
        const struct line_callee *c = &t->callees.at[w.id - 1];
        if (c->row == row && c->func == func) return w.id;
    }
    struct line_callee *made = vec_push(t->mem, &t->callees);
    if (!made) return 0;
    *made = (struct line_callee){ .row = row, .func = func, .sum = (uint32_t)t->callees.len - 1 };
    return index_add(index, hash, (uint32_t)t->callees.len) ? (uint32_t)t->callees.len : 0;
}

static int by_cost(const void *x, const void *y, void *arg)
{
    const struct line_costs *t = arg;
    const struct line_callee *a = x, *b = y;
    const assay_profile *p = line_costs_profile(t);
    const struct assay_funcs *f = assay_profile_funcs(p);
    ORDER_BY(a->row, b->row);
    if (t->callee_total.len) {
        enum assay_type type = t->callee_total.at[0].type;
        double p1 = value_double(type, line_value(&t->callee_total, 0, a->sum)), p2 = value_double(type, line_value(&t->callee_total, 0, b->sum));
        ORDER_BY(p2, p1);
    }
    ORDER_BY(b->calls, a->calls);
    int c = slice_compare(assay_profile_string(p, f->name[a->func]), assay_profile_string(p, f->name[b->func]));
    return c ? c : ORDER(a->func, b->func);
}

static bool find_callees(struct line_costs *t, uint32_t file, struct index *index)
{
    const struct assay_graph *g = line_costs_graph(t);
    for (uint32_t i = first_of(&t->arc_table, file); i < end_of(&t->arc_table, file); i++) {
        uint32_t from = places_row(&t->arc_table.places, i), at = callee_for(t, index, row_at(t, AT(g->arc_line, from)), ID(g->arc_callee, from));
        if (!at) return false;
        uint64_t *calls = &t->callees.at[at - 1].calls;
        *calls = coverage_add(*calls, AT(g->arc_calls, from));
    }
    if (!make_sums(t, &t->callee_total, t->calls_block, t->callees.len) || !make_sums(t, &t->callee_recursive, t->calls_block, t->callees.len)) return false;
    for (uint32_t i = first_of(&t->arc_table, file); i < end_of(&t->arc_table, file); i++) {
        uint32_t from = places_row(&t->arc_table.places, i);
        size_t at = callee_for(t, index, row_at(t, AT(g->arc_line, from)), ID(g->arc_callee, from)) - 1;
        add_arc(t, is_recursion(g, from) ? &t->callee_recursive : &t->callee_total, at, g, from);
        add_values(t, &t->callee_recursive, at, g->arc_recursive, graph_arc_row(g, from));
        add_values(t, &t->callee_recursive, at, g->arc_nested, graph_arc_row(g, from));
    }
    return true;
}

static bool fill_callees(struct line_costs *t, uint32_t file)
{
    struct index index;
    t->callees.len = 0;
    index_init(&index, t->mem);
    bool done = find_callees(t, file, &index);
    index_done(&index);
    if (!done || !t->callees.len) return done;
    sort_with(t->callees.at, t->callees.len, sizeof *t->callees.at, by_cost, t);
    for (size_t i = t->callees.len; i > 0; i--) {
        struct line_cost *row = &t->rows.at[t->callees.at[i - 1].row];
        row->callee = (uint32_t)i - 1;
        row->callee_count++;
    }
    return true;
}

void line_costs_clear(struct line_costs *t)
{
    free_figures(t);
    t->rows.len = t->callees.len = 0;
}

int line_costs_file(struct line_costs *t, uint32_t file, assay_error *err)
{
    line_costs_clear(t);
    if (!make_rows(t, file)) return error_memory(err);
    if (!make_sums(t, &t->self, t->block, t->rows.len) || !make_sums(t, &t->total, t->block, t->rows.len) ||
        !make_sums(t, &t->within, t->calls_block, t->rows.len))
        return error_memory(err);
    fill_lines(t, file);
    fill_costs(t, file);
    fill_arcs(t, file);
    return fill_callees(t, file) && !t->has_failed ? 0 : error_memory(err);
}

double line_costs_of(const struct line_costs *t, uint32_t file, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(line_costs_profile(t));
    bool is_lines = t->line_table.begin != NULL;
    const struct view_table *table = is_lines ? &t->line_table : &t->cost_table;
    const struct assay_graph *g = is_lines ? NULL : line_costs_graph(t);
    if (!t->block || k >= t->block->metric_count || !(is_lines || g)) return 0;
    const assay_value *values = is_lines ? assay_profile_lines(t->profile)->self : g->cost_self;
    const uint8_t *level = is_lines ? assay_profile_lines(t->profile)->level : NULL;
    enum assay_type type = (enum assay_type)AT(m->type, t->block->metrics[k].v);
    double sum = 0;
    for (uint32_t i = first_of(table, file); values && i < end_of(table, file); i++) {
        uint32_t row = places_row(&table->places, i);
        size_t at = (size_t)row * t->block->metric_count + k;
        if (AT(level, row) == ASSAY_LEVEL_LINE) sum += value_double(type, is_lines ? values[at] : graph_cell(values, graph_cost_row(g, row), k));
    }
    return sum;
}
