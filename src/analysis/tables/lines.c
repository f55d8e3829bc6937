/* line: what source lines cost and whether tests ran them, as `assay annotate` shows it; covered and coverage: functions and files of coverage. */
#include "analysis/tables/parts.h"

#include "analysis/core/line_cost.h"
#include "assay/coverage.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

/* ---- line ---- */

enum {
    LINE_PROFILE,
    LINE_METRIC,
    LINE_FILE,
    LINE_SOURCE,
    LINE_LINE,
    LINE_SELF,
    LINE_TOTAL,
    LINE_CALLS,
    LINE_HITS,
    LINE_COVERED,
    LINE_BRANCHES,
    LINE_BRANCHES_HIT,
    LINE_COLUMNS
};

static const struct tables_column line_columns[LINE_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row; NULL = no cost of lines was measured", "Ir" },
    { "file", TABLES_INTEGER, "id in the table file", "1" },
    { "source", TABLES_TEXT, "path of the file; the same for the same file in other profiles", "src/main.c" },
    { "line", TABLES_INTEGER, "line; 0 = cost that belongs to no line", "42" },
    { "self", TABLES_NUMBER, "own cost; NULL = the line has none", "1205" },
    { "total", TABLES_NUMBER, "cost with the calls made from the line; NULL = not known", "20413" },
    { "calls", TABLES_UNSIGNED, "calls that are made from it", "10" },
    { "hits", TABLES_UNSIGNED, "how often it ran: what coverage says, else the profile; NULL = not known", "10" },
    { "covered", TABLES_INTEGER, "1 = a test ran it, 0 = none did, NULL = not code, or not measured", "1" },
    { "branches", TABLES_INTEGER, "branches that it has", "2" },
    { "branches_hit", TABLES_INTEGER, "of those how many were taken", "1" },
};

struct line_row {
    uint32_t file, line;
    int8_t covered; /* -1 = NULL */
    bool has_cost, has_hits;
    uint64_t hits, calls;
    uint32_t branches, branches_hit;
};

struct lines_data {
    struct mem *mem;
    const struct assay_profile *p;
    bool has_totals;
    uint32_t metric_count;
    assay_metric_id *metrics;
    VEC(struct line_row) rows;
    VEC(assay_value) self, total; /* [row * metric_count + k] */
};

static void line_drop(void *data)
{
    struct lines_data *d = data;
    vec_done(d->mem, &d->rows);
    vec_done(d->mem, &d->self);
    vec_done(d->mem, &d->total);
}

static bool add_figures(struct lines_data *d, const struct line_costs *cost, size_t row, bool has_cost)
{
    for (uint32_t k = 0; k < d->metric_count; k++) {
        assay_value *self = vec_push(d->mem, &d->self), *total = d->has_totals ? vec_push(d->mem, &d->total) : self;
        if (!self || !total) return false;
        *self = has_cost ? line_value(&cost->self, k, row) : (assay_value){ 0 };
        if (d->has_totals) *total = has_cost ? line_value(&cost->total, k, row) : (assay_value){ 0 };
    }
    return true;
}

static int8_t covered_of(const struct view_line *v)
{
    bool is_known = v->is_code && !(v->flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE | ASSAY_COVERAGE_UNKNOWN));
    return !is_known ? -1 : v->hits > 0;
}

static void put_coverage(struct line_row *to, const struct view_line *v)
{
    to->covered = covered_of(v);
    to->branches = v->branches;
    to->branches_hit = v->branches_hit;
    if (!v->is_code) return;
    to->has_hits = true;
    to->hits = v->hits;
}

/* The lines of a file that either knows, in their order. */
static int add_file(struct lines_data *d, uint32_t file, const struct line_costs *cost, const struct coverage_view *view, assay_error *err)
{
    size_t c = 0, v = 0, costs = cost->rows.len, lines = view ? view->lines.len : 0;
    while (c < costs || v < lines) {
        uint32_t of_cost = c < costs ? cost->rows.at[c].line : UINT32_MAX, of_view = v < lines ? view->lines.at[v].line : UINT32_MAX;
        uint32_t line = of_cost < of_view ? of_cost : of_view;
        struct line_row *to = vec_push(d->mem, &d->rows);
        if (!to) return error_memory(err);
        *to = (struct line_row){ .file = file, .line = line, .covered = -1, .has_cost = c < costs && of_cost == line };
        if (!add_figures(d, cost, c, to->has_cost)) return error_memory(err);
        if (to->has_cost) {
            to->calls = cost->rows.at[c].calls;
            to->has_hits = cost->rows.at[c].has_hits;
            to->hits = cost->rows.at[c].hits;
            c++;
        }
        if (v < lines && of_view == line) put_coverage(to, &view->lines.at[v++]);
        TRY(cancel_step(d->rows.len, err));
    }
    return 0;
}

static int add_files(struct lines_data *d, struct line_costs *cost, struct coverage_view *view, assay_error *err)
{
    for (uint32_t file = 0; file <= d->p->files.count; file++) {
        if (line_costs_has(cost, file))
            TRY(line_costs_file(cost, file, err));
        else
            line_costs_clear(cost);
        if (view) TRY(coverage_view_file(view, file, err));
        TRY(add_file(d, file, cost, view, err));
    }
    return 0;
}

static int fill_lines(struct lines_data *d, struct arena *arena, assay_error *err)
{
    struct line_costs cost;
    struct coverage_view view;
    bool has_view = d->p->shapes & ASSAY_SHAPE_COVERAGE;
    int rc = line_costs_init(&cost, d->p, d->mem, err);
    if (rc == 0 && cost.block) {
        d->metric_count = cost.block->metric_count;
        d->has_totals = cost.has_totals;
        d->metrics = arena_alloc(arena, ((size_t)d->metric_count + 1) * sizeof *d->metrics);
        if (!d->metrics) rc = error_memory(err);
        for (uint32_t k = 0; rc == 0 && k < d->metric_count; k++) d->metrics[k] = cost.block->metrics[k];
    }
    if (rc == 0 && !cost.block && !has_view) rc = ASSAY_ERR_UNSUPPORTED;
    if (rc == 0 && has_view) rc = coverage_view_init(&view, d->mem, d->p, err);
    if (rc == 0) rc = add_files(d, &cost, has_view ? &view : NULL, err);
    if (has_view && rc != ASSAY_ERR_UNSUPPORTED) coverage_view_done(&view);
    line_costs_done(&cost);
    return rc;
}

static int line_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct lines_data *d = arena_alloc(&cache->arena, sizeof *d);
    (void)table;
    if (!d) return error_memory(err);
    *d = (struct lines_data){ .mem = t->mem, .p = p->p };
    cache->data = d;
    return fill_lines(d, &cache->arena, err);
}

static uint64_t line_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    const struct lines_data *d = data;
    (void)table;
    if (d) return d->rows.len * (uint64_t)(d->metric_count ? d->metric_count : 1);
    uint64_t lines = (uint64_t)p->p->lines.count + p->p->graph.cost_count + p->p->coverage.line_count;
    return lines * (p->p->metrics.count ? p->p->metrics.count : 1);
}

static void line_move(struct tables_place *at)
{
    const struct lines_data *d = at->data;
    at->base = at->row % d->rows.len;
    at->k = (uint32_t)(at->row / d->rows.len);
}

static void line_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct lines_data *d = at->data;
    const struct line_row *r = &d->rows.at[at->base];
    bool has_figure = r->has_cost && d->metric_count;
    size_t figure = (size_t)at->base * d->metric_count + at->k;
    enum assay_type type = d->metric_count ? (enum assay_type)d->p->metrics.type[d->metrics[at->k].v] : ASSAY_U64;
    switch (column) {
    case LINE_PROFILE: *out = cell_u64(at->p->number); break;
    case LINE_METRIC: *out = d->metric_count ? cell_text(metric_name_of(d->p, d->metrics[at->k])) : cell_null(); break;
    case LINE_FILE: *out = cell_id(r->file); break;
    case LINE_SOURCE: *out = cell_text(tables_source(at->t, at->p, r->file)); break;
    case LINE_LINE: *out = cell_u64(r->line); break;
    case LINE_SELF: *out = has_figure ? cell_value(type, d->self.at[figure]) : cell_null(); break;
    case LINE_TOTAL: *out = has_figure && d->has_totals ? cell_value(type, d->total.at[figure]) : cell_null(); break;
    case LINE_CALLS: *out = cell_u64(r->calls); break;
    case LINE_HITS: *out = r->has_hits ? cell_u64(r->hits) : cell_null(); break;
    case LINE_COVERED: *out = r->covered < 0 ? cell_null() : cell_u64((uint64_t)r->covered); break;
    case LINE_BRANCHES: *out = cell_u64(r->branches); break;
    default: *out = cell_u64(r->branches_hit);
    }
}

static const struct tables_ops line_ops = { .load = line_load, .drop = line_drop, .rows = line_rows, .move = line_move, .cell = line_cell };

const struct tables_table tables_line = {
    .name = "line",
    .what = "what source lines cost, by metric, and whether tests ran them: what `assay annotate` shows",
    .example = "select source, line, self from line where metric = 'Ir' order by self desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE,
    .count = LINE_COLUMNS,
    .columns = line_columns,
    .ops = &line_ops,
};

/* ---- coverage ---- */

enum {
    COVERAGE_PROFILE,
    COVERAGE_FILE,
    COVERAGE_SOURCE,
    COVERAGE_LINES,
    COVERAGE_LINES_HIT,
    COVERAGE_FUNCTIONS,
    COVERAGE_FUNCTIONS_HIT,
    COVERAGE_BRANCHES,
    COVERAGE_BRANCHES_HIT,
    COVERAGE_MISSING,
    COVERAGE_COLUMNS
};

static const struct tables_column coverage_columns[COVERAGE_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "file", TABLES_INTEGER, "id in the table file", "1" },
    { "source", TABLES_TEXT, "path of the file; the same for the same file in other profiles", "src/main.c" },
    { "lines", TABLES_INTEGER, "lines that have code", "120" },
    { "lines_hit", TABLES_INTEGER, "of those how many ran", "97" },
    { "functions", TABLES_INTEGER, "functions", "8" },
    { "functions_hit", TABLES_INTEGER, "of those how many were called", "7" },
    { "branches", TABLES_INTEGER, "branches", "40" },
    { "branches_hit", TABLES_INTEGER, "of those how many were taken", "31" },
    { "missing", TABLES_TEXT, "lines that did not run", "13-14,28" },
};

static int coverage_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    assay_coverage_table *c = NULL;
    (void)t;
    (void)table;
    if (!((p->p->shapes | p->p->offers) & ASSAY_SHAPE_COVERAGE)) return ASSAY_ERR_UNSUPPORTED;
    int rc = assay_coverage_table_new(p->p, ASSAY_COVERAGE_BY_FILE, ASSAY_COVERAGE_SORT_LINES, UINT64_MAX, &c, err);
    cache->data = c;
    return rc;
}

static void coverage_drop(void *data) { assay_coverage_table_free(data); }

static uint64_t coverage_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const assay_coverage_table *)data)->count : p->p->files.count;
}

static void coverage_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const assay_coverage_row *r = &((const assay_coverage_table *)at->data)->rows[at->row];
    switch (column) {
    case COVERAGE_PROFILE: *out = cell_u64(at->p->number); break;
    case COVERAGE_FILE: *out = cell_id(r->file.v); break;
    case COVERAGE_SOURCE: *out = cell_text(tables_source(at->t, at->p, r->file.v)); break;
    case COVERAGE_LINES: *out = cell_u64(r->counts.lines); break;
    case COVERAGE_LINES_HIT: *out = cell_u64(r->counts.lines_hit); break;
    case COVERAGE_FUNCTIONS: *out = cell_u64(r->counts.functions); break;
    case COVERAGE_FUNCTIONS_HIT: *out = cell_u64(r->counts.functions_hit); break;
    case COVERAGE_BRANCHES: *out = cell_u64(r->counts.branches); break;
    case COVERAGE_BRANCHES_HIT: *out = cell_u64(r->counts.branches_hit); break;
    default: *out = cell_text(slice_of(r->missing));
    }
}

static const struct tables_ops coverage_ops = { .load = coverage_load, .drop = coverage_drop, .rows = coverage_rows, .cell = coverage_cell };

const struct tables_table tables_coverage = {
    .name = "coverage",
    .what = "what is covered of each file, the least covered first: what `assay top` shows of coverage",
    .example = "select source, lines_hit, lines from coverage where lines_hit < lines",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_COVERAGE,
    .count = COVERAGE_COLUMNS,
    .columns = coverage_columns,
    .ops = &coverage_ops,
};

/* ---- covered ---- */

enum {
    COVERED_PROFILE,
    COVERED_FUNCTION,
    COVERED_KEY,
    COVERED_NAME,
    COVERED_SOURCE,
    COVERED_LINE,
    COVERED_LAST_LINE,
    COVERED_CALLS,
    COVERED_LINES,
    COVERED_LINES_HIT,
    COVERED_BRANCHES,
    COVERED_BRANCHES_HIT,
    COVERED_COLUMNS
};

static const struct tables_column covered_columns[COVERED_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "function", TABLES_INTEGER, "id in the table function", "7" },
    { "key", TABLES_INTEGER, "the same for the same function in other profiles", "4611686018427387905" },
    { "name", TABLES_TEXT, "name of the function", "work" },
    { "source", TABLES_TEXT, "file that defines it", "src/main.c" },
    { "line", TABLES_INTEGER, "its first line; NULL = not known", "42" },
    { "last_line", TABLES_INTEGER, "its last line: what the report says, else the one before the next function", "57" },
    { "calls", TABLES_UNSIGNED, "how often it was called", "10" },
    { "lines", TABLES_INTEGER, "lines that have code, from its first to its last line", "12" },
    { "lines_hit", TABLES_INTEGER, "of those how many ran", "9" },
    { "branches", TABLES_INTEGER, "branches in these lines", "4" },
    { "branches_hit", TABLES_INTEGER, "of those how many were taken", "3" },
};

struct covered_row {
    uint32_t func, first, last;
    uint64_t calls;
    uint32_t lines, lines_hit, branches, branches_hit;
};

struct covered_data {
    struct mem *mem;
    const assay_profile *p;
    VEC(struct covered_row) rows;
};

static void covered_drop(void *data)
{
    struct covered_data *d = data;
    vec_done(d->mem, &d->rows);
}

/* Its last line, as far as the report or the next function tells. */
static uint32_t last_line(const assay_profile *p, const struct coverage_view *v, size_t i)
{
    const struct view_function *f = &v->functions.at[i];
    uint32_t stated = p->funcs.last_line ? p->funcs.last_line[f->func] : 0;
    if (stated) return stated;
    while (++i < v->functions.len)
        if (v->functions.at[i].line > f->line) return v->functions.at[i].line - 1;
    return UINT32_MAX;
}

/* The first line that is not before this one. */
static size_t line_from(const struct coverage_view *v, uint32_t line)
{
    size_t low = 0, high = v->lines.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (v->lines.at[mid].line < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void count_lines(struct covered_row *r, const struct coverage_view *v)
{
    uint32_t end = 0;
    for (size_t i = line_from(v, r->first); i < v->lines.len && v->lines.at[i].line <= r->last; i++) {
        const struct view_line *line = &v->lines.at[i];
        r->lines += line->is_code;
        r->lines_hit += line->is_code && line->hits > 0;
        r->branches += line->branches;
        r->branches_hit += line->branches_hit;
        end = line->line;
    }
    if (r->last == UINT32_MAX) r->last = end;
}

static int covered_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct coverage_view v;
    struct covered_data *d = arena_alloc(&cache->arena, sizeof *d);
    (void)table;
    if (!d) return error_memory(err);
    *d = (struct covered_data){ .mem = t->mem, .p = p->p };
    cache->data = d;
    int rc = coverage_view_init(&v, t->mem, p->p, err);
    for (uint32_t file = 0; rc == 0 && file <= p->p->files.count; file++) {
        rc = coverage_view_file(&v, file, err);
        for (size_t i = 0; rc == 0 && i < v.functions.len; i++) {
            const struct view_function *f = &v.functions.at[i];
            struct covered_row *to = vec_push(d->mem, &d->rows);
            rc = to ? cancel_step(i, err) : error_memory(err);
            if (rc != 0) break;
            *to = (struct covered_row){ .func = f->func, .first = f->line, .calls = f->calls };
            if (!f->line) continue;
            to->last = last_line(p->p, &v, i);
            count_lines(to, &v);
        }
    }
    coverage_view_done(&v);
    return rc;
}

static uint64_t covered_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct covered_data *)data)->rows.len : p->p->coverage.func_count;
}

static void covered_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct covered_data *d = at->data;
    const struct covered_row *r = &d->rows.at[at->row];
    const struct assay_funcs *f = &d->p->funcs;
    switch (column) {
    case COVERED_PROFILE: *out = cell_u64(at->p->number); break;
    case COVERED_FUNCTION: *out = cell_id(r->func); break;
    case COVERED_KEY: *out = tables_key(at->t, at->p, r->func); break;
    case COVERED_NAME: *out = cell_name(text_of(d->p, f->name, r->func)); break;
    case COVERED_SOURCE: *out = cell_text(tables_source(at->t, at->p, f->file ? f->file[r->func].v : 0)); break;
    case COVERED_LINE: *out = cell_id(r->first); break;
    case COVERED_LAST_LINE: *out = cell_id(r->last); break;
    case COVERED_CALLS: *out = cell_u64(r->calls); break;
    case COVERED_LINES: *out = r->first ? cell_u64(r->lines) : cell_null(); break;
    case COVERED_LINES_HIT: *out = r->first ? cell_u64(r->lines_hit) : cell_null(); break;
    case COVERED_BRANCHES: *out = r->first ? cell_u64(r->branches) : cell_null(); break;
    default: *out = r->first ? cell_u64(r->branches_hit) : cell_null();
    }
}

static const struct tables_ops covered_ops = { .load = covered_load, .drop = covered_drop, .rows = covered_rows, .cell = covered_cell };

const struct tables_table tables_covered = {
    .name = "covered",
    .what = "what is covered of each function",
    .example = "select name, source, lines_hit, lines from covered where calls = 0",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_COVERAGE,
    .count = COVERED_COLUMNS,
    .columns = covered_columns,
    .ops = &covered_ops,
};
