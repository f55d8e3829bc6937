/* Cost of source lines, from whichever shape has it; see annotate.h. */
#include <stdlib.h>

#include "analysis/annotate.h"
#include "base/error.h"

#define ID(column, i) ((column) ? (column)[i].v : 0)
#define AT(column, i) ((column) ? (column)[i] : 0)

/* ---- tables by place ---- */

static bool table_init(struct annotate *a, struct view_table *t, const assay_file_id *file, const uint32_t *line, uint32_t count)
{
    t->begin = mem_zalloc(a->mem, (size_t)a->files + 2, sizeof *t->begin);
    if (!places_init(&t->places, a->mem, file, line, count) || !t->begin) return false;
    for (uint32_t i = 0; i < count; i++) t->begin[COVERAGE_ID(file, i) + 1]++;
    for (uint32_t f = 0; f <= a->files; f++) t->begin[f + 1] += t->begin[f];
    return true;
}

static void table_done(struct annotate *a, struct view_table *t)
{
    places_done(&t->places, a->mem);
    mem_free(a->mem, t->begin, t->begin ? ((size_t)a->files + 2) * sizeof *t->begin : 0);
}

const struct assay_graph *annotate_graph(const struct annotate *a)
{
    const assay_profile *p = a->graph ? a->graph : a->profile;
    return assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH ? assay_profile_graph(p) : NULL;
}

static bool graph_tables(struct annotate *a)
{
    const struct assay_graph *g = annotate_graph(a);
    a->block = &g->block;
    a->has_totals = true;
    return table_init(a, &a->cost_table, g->cost_file, g->cost_line, g->cost_count) && table_init(a, &a->arc_table, g->arc_file, g->arc_line, g->arc_count);
}

int annotate_cost_init(struct annotate *a, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(a->profile);
    const struct assay_lines *l = assay_profile_lines(a->profile);
    bool done = true;
    if (shapes & ASSAY_SHAPE_LINES) {
        a->block = &l->block;
        a->has_totals = l->total != NULL;
        done = table_init(a, &a->line_table, l->file, l->line, l->count);
        const struct assay_graph *g = annotate_graph(a);
        if (g) done = done && table_init(a, &a->arc_table, g->arc_file, g->arc_line, g->arc_count);
    } else if (shapes & ASSAY_SHAPE_GRAPH && assay_profile_graph(a->profile)->cost_count)
        done = graph_tables(a);
    else if (shapes & ASSAY_SHAPE_TREE && !a->has_coverage) {
        TRY(assay_graph_new(a->profile, NULL, &a->graph, NULL, err));
        done = graph_tables(a);
    }
    if (!done) return error_memory(err);
    a->has_cost = a->block && (a->block->metric_count || (shapes & ASSAY_SHAPE_LINES));
    return 0;
}

static void sums_free(struct annotate *a)
{
    for (size_t k = 0; k < a->self.len; k++) sums_done(&a->self.at[k]);
    for (size_t k = 0; k < a->total.len; k++) sums_done(&a->total.at[k]);
    a->self.len = a->total.len = 0;
}

void annotate_cost_done(struct annotate *a)
{
    sums_free(a);
    vec_done(a->mem, &a->self);
    vec_done(a->mem, &a->total);
    table_done(a, &a->line_table);
    table_done(a, &a->cost_table);
    table_done(a, &a->arc_table);
    assay_profile_release(a->graph);
}

/* ---- one file ---- */

static bool add_numbers(struct annotate *a, const struct view_table *t, uint32_t file)
{
    if (!t->begin) return true;
    for (uint32_t i = t->begin[file]; i < t->begin[file + 1]; i++) {
        uint32_t *slot = vec_push(a->mem, &a->numbers);
        if (!slot) return false;
        *slot = coverage_number(t->places.line, places_row(&t->places, i));
    }
    return true;
}

bool annotate_cost_numbers(struct annotate *a, uint32_t file)
{
    return add_numbers(a, &a->line_table, file) && add_numbers(a, &a->cost_table, file) && add_numbers(a, &a->arc_table, file);
}

static int sums_make(struct annotate *a, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(a->graph ? a->graph : a->profile);
    sums_free(a);
    for (uint32_t k = 0; a->block && k < a->block->metric_count; k++) {
        enum assay_type type = (enum assay_type)AT(m->type, a->block->metrics[k].v);
        struct sums *self = vec_push(a->mem, &a->self), *total;
        if (!self) return error_memory(err);
        bool done = sums_init(self, a->mem, type, a->rows.len + 1);
        total = vec_push(a->mem, &a->total);
        if (!total) return error_memory(err);
        done = sums_init(total, a->mem, type, a->rows.len + 1) && done;
        if (!done) return error_memory(err);
    }
    return 0;
}

/* Adds the values of one row of a table to the sums of a line. */
static void add_values(struct annotate *a, size_t at, const assay_value *self, const assay_value *total, uint32_t row)
{
    uint32_t n = a->block->metric_count;
    for (uint32_t k = 0; k < n; k++) {
        if (self) sums_add(&a->self.at[k], at, self[(size_t)row * n + k]);
        if (total) sums_add(&a->total.at[k], at, total[(size_t)row * n + k]);
    }
}

static void fill_lines(struct annotate *a, uint32_t file)
{
    const struct assay_lines *l = assay_profile_lines(a->profile);
    const struct view_table *t = &a->line_table;
    for (uint32_t i = t->begin ? t->begin[file] : 0; t->begin && i < t->begin[file + 1]; i++) {
        uint32_t row = places_row(&t->places, i);
        struct annotate_row *to = annotate_row_at(a, AT(l->line, row));
        if (!to || AT(l->level, row) != ASSAY_LEVEL_LINE) continue;
        to->hits = coverage_add(to->hits, AT(l->hits, row));
        to->has_hits = true;
        add_values(a, (size_t)(to - a->rows.at), l->self, l->total, row);
    }
}

static void fill_costs(struct annotate *a, uint32_t file)
{
    const struct assay_graph *g = annotate_graph(a);
    const struct view_table *t = &a->cost_table;
    for (uint32_t i = t->begin ? t->begin[file] : 0; t->begin && i < t->begin[file + 1]; i++) {
        uint32_t row = places_row(&t->places, i);
        struct annotate_row *to = annotate_row_at(a, AT(g->cost_line, row));
        if (to) add_values(a, (size_t)(to - a->rows.at), g->cost_self, g->cost_self, row);
    }
}

static void fill_arcs(struct annotate *a, uint32_t file)
{
    const struct assay_graph *g = annotate_graph(a);
    const struct view_table *t = &a->arc_table;
    for (uint32_t i = t->begin ? t->begin[file] : 0; t->begin && i < t->begin[file + 1]; i++) {
        uint32_t row = places_row(&t->places, i);
        struct annotate_row *to = annotate_row_at(a, AT(g->arc_line, row));
        if (!to) continue;
        to->calls = coverage_add(to->calls, AT(g->arc_calls, row));
        bool is_recursion = ID(g->arc_caller, row) == ID(g->arc_callee, row);
        if (a->block == &g->block && !is_recursion) add_values(a, (size_t)(to - a->rows.at), NULL, g->arc_total, row);
    }
}

int annotate_cost_fill(struct annotate *a, uint32_t file, assay_error *err)
{
    TRY(sums_make(a, err));
    fill_lines(a, file);
    fill_costs(a, file);
    fill_arcs(a, file);
    return 0;
}

/* ---- the order of files ---- */

struct ranked {
    assay_slice path;
    double cost;
    uint32_t file;
};

static int by_cost(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    if (a->cost < b->cost || a->cost > b->cost) return a->cost > b->cost ? -1 : 1;
    int c = slice_compare(a->path, b->path);
    return c ? c : (a->file > b->file) - (a->file < b->file);
}

static double cost_of(const struct annotate *a, uint32_t file, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(a->graph ? a->graph : a->profile);
    bool is_lines = a->line_table.begin != NULL;
    const struct view_table *t = is_lines ? &a->line_table : &a->cost_table;
    const assay_value *values = is_lines ? assay_profile_lines(a->profile)->self : annotate_graph(a)->cost_self;
    enum assay_type type = (enum assay_type)AT(m->type, a->block->metrics[k].v);
    const uint8_t *level = is_lines ? assay_profile_lines(a->profile)->level : NULL;
    double sum = 0;
    for (uint32_t i = t->begin[file]; values && i < t->begin[file + 1]; i++) {
        uint32_t row = places_row(&t->places, i);
        if (AT(level, row) == ASSAY_LEVEL_LINE) sum += value_double(type, values[(size_t)row * a->block->metric_count + k]);
    }
    return sum;
}

int annotate_order(const struct annotate *a, uint32_t k, uint32_t *order, uint32_t *count, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(a->profile);
    struct ranked *list = mem_zalloc(a->mem, (size_t)a->files + 1, sizeof *list);
    uint32_t n = 0;
    if (!list) return error_memory(err);
    for (uint32_t i = 1; i <= a->files; i++)
        if (annotate_has(a, i))
            list[n++] = (struct ranked){ assay_profile_string(a->profile, f->path[i]), a->has_cost && k < a->block->metric_count ? cost_of(a, i, k) : 0, i };
    if (n) qsort(list, n, sizeof *list, by_cost);
    for (uint32_t i = 0; i < n; i++) order[i] = list[i].file;
    *count = n;
    mem_free(a->mem, list, ((size_t)a->files + 1) * sizeof *list);
    return 0;
}
