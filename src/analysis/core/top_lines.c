/* Cost of source lines as a table; see top_lines.h. */
#include "analysis/core/top_lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/top.h"
#include "base/error.h"
#include "base/order.h"
#include "model/entry.h"
#include "model/graph_row.h"

/* ---- whose line it is ---- */

static int by_first(const void *x, const void *y)
{
    const struct line_range *a = x, *b = y;
    ORDER_BY(a->first, b->first);
    return ORDER(a->func, b->func);
}

/* The functions that are defined in a file, by their first lines. */
static int list_ranges(struct top_lines *l, uint32_t file, assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(line_costs_profile(&l->costs));
    l->ranges.len = 0;
    for (uint32_t i = 1; i <= f->count; i++) {
        if (!file || ID(f->file, i) != file || !AT(f->first_line, i)) continue;
        struct line_range *r = vec_push(l->mem, &l->ranges);
        if (!r) return error_memory(err);
        *r = (struct line_range){ f->first_line[i], AT(f->last_line, i), i };
    }
    if (l->ranges.len) qsort(l->ranges.at, l->ranges.len, sizeof *l->ranges.at, by_first);
    return 0;
}

/* The innermost function around the line, where nothing says whose cost it is. */
static uint32_t func_around(const struct top_lines *l, uint32_t line)
{
    uint32_t func = 0;
    for (size_t i = 0; i < l->ranges.len && l->ranges.at[i].first <= line; i++)
        if (!l->ranges.at[i].last || l->ranges.at[i].last >= line) func = l->ranges.at[i].func;
    return func;
}

/* Of lines that only make calls. */
static void find_callers(struct top_lines *l, uint32_t file, size_t first)
{
    const struct assay_graph *g = line_costs_graph(&l->costs);
    const struct view_table *table = &l->costs.arc_table;
    size_t row = first;
    for (uint32_t i = table->begin ? table->begin[file] : 0; table->begin && i < table->begin[file + 1]; i++) {
        uint32_t from = places_row(&table->places, i), line = AT(g->arc_line, from);
        while (row < l->line.len && l->line.at[row] < line) row++;
        if (row < l->line.len && !l->func.at[row].v) l->func.at[row].v = ID(g->arc_caller, from);
    }
}

/* The function that has most of each line's cost, by the first metric; rows from `first` on are those of the file. */
static void find_funcs(struct top_lines *l, uint32_t file, size_t first)
{
    const struct line_costs *t = &l->costs;
    const struct assay_graph *g = line_costs_graph(t);
    const struct view_table *table = &t->cost_table;
    enum assay_type type = (enum assay_type)assay_profile_metrics(line_costs_profile(t))->type[t->block->metrics[0].v];
    size_t row = first;
    double most = -1;
    for (uint32_t i = table->begin ? table->begin[file] : 0; table->begin && i < table->begin[file + 1]; i++) {
        uint32_t from = places_row(&table->places, i), line = AT(g->cost_line, from);
        size_t was = row;
        while (row < l->line.len && l->line.at[row] < line) row++;
        if (row == l->line.len) break;
        double cost = value_double(type, graph_cell(g->cost_self, graph_cost_row(g, from), 0));
        if (row == was && cost <= most && l->func.at[row].v) continue;
        l->func.at[row] = g->cost_func[from];
        most = cost;
    }
    find_callers(l, file, first);
    for (row = first; row < l->line.len; row++)
        if (!l->func.at[row].v) l->func.at[row].v = func_around(l, l->line.at[row]);
}

/* ---- rows ---- */

static bool put_row(struct top_lines *l, uint32_t file, uint32_t row)
{
    const struct line_costs *t = &l->costs;
    size_t width = t->block->metric_count, at = l->self.len;
    while (l->is_short && width && !line_value(&t->self, width - 1, row).u && !line_value(&t->total, width - 1, row).u) width--;
    uint64_t *end = vec_push(l->mem, &l->begin);
    assay_file_id *of = vec_push(l->mem, &l->file);
    uint32_t *line = vec_push(l->mem, &l->line);
    assay_func_id *func = vec_push(l->mem, &l->func);
    uint64_t *calls = vec_push(l->mem, &l->calls);
    if (!end || !of || !line || !func || !calls || !vec_reserve(l->mem, &l->self, width) || !vec_reserve(l->mem, &l->total, width)) return false;
    *end = at + width;
    of->v = file;
    *line = t->rows.at[row].line;
    func->v = 0;
    *calls = t->rows.at[row].calls;
    l->self.len = l->total.len = at + width;
    for (size_t k = 0; k < width; k++) {
        l->self.at[at + k] = line_value(&t->self, k, row);
        l->total.at[at + k] = line_value(&t->total, k, row);
    }
    return true;
}

/* No line, and no cost or call that belongs to none. */
static bool is_nothing(const struct line_costs *t, uint32_t row)
{
    bool is_nothing = !t->rows.at[row].line && !t->rows.at[row].calls;
    for (size_t k = 0; is_nothing && k < t->self.len; k++)
        is_nothing = value_is_zero(t->self.at[k].type, line_value(&t->self, k, row)) && value_is_zero(t->total.at[k].type, line_value(&t->total, k, row));
    return is_nothing;
}

static int put_file(struct top_lines *l, uint32_t file, assay_error *err)
{
    size_t first = l->line.len;
    if (!line_costs_has(&l->costs, file)) return 0;
    TRY(line_costs_file(&l->costs, file, err));
    TRY(list_ranges(l, file, err));
    for (uint32_t row = 0; row < l->costs.rows.len; row++)
        if (!is_nothing(&l->costs, row) && !put_row(l, file, row)) return error_memory(err);
    find_funcs(l, file, first);
    return 0;
}

static int make_table(struct top_lines *l, assay_top **out, assay_error *err)
{
    const struct assay_block *block = l->costs.block;
    struct top *t;
    size_t cells = l->self.len;
    const uint64_t *begin = l->is_short ? l->begin.at : NULL;
    TRY(top_make(line_costs_profile(&l->costs), block->metrics, block->metric_count, (uint32_t)l->line.len, begin, &t, err));
    t->lines = l;
    t->pub.count = (uint32_t)l->line.len;
    if (t->pub.count) {
        memcpy(t->func, l->func.at, l->func.len * sizeof *t->func);
        memcpy(t->calls, l->calls.at, l->calls.len * sizeof *t->calls);
    }
    if (cells) {
        memcpy(t->self, l->self.at, cells * sizeof *t->self);
        memcpy(t->total, l->total.at, cells * sizeof *t->total);
    }
    *out = &t->pub;
    return 0;
}

int top_lines_init(struct top_lines *l, const assay_profile *p, struct mem *mem, assay_top **out, assay_error *err)
{
    *l = (struct top_lines){ .mem = mem };
    TRY(line_costs_init(&l->costs, p, mem, err));
    if (!l->costs.block || !l->costs.block->metric_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no cost of source lines");
    const struct assay_graph *g = line_costs_graph(&l->costs);
    uint64_t *first = vec_push(mem, &l->begin);
    if (!first) return error_memory(err);
    *first = 0;
    l->is_short = g && g->cost_begin && l->costs.block == &g->block;
    for (uint32_t file = 0; file <= l->costs.files; file++) TRY(put_file(l, file, err));
    return make_table(l, out, err);
}

void top_lines_done(struct top_lines *l)
{
    if (!l->mem) return;
    line_costs_done(&l->costs);
    vec_done(l->mem, &l->file, &l->line, &l->func, &l->calls, &l->self, &l->total, &l->begin, &l->ranges);
}
