/* `tree` for people: a table whose last column shows the tree.
 *
 * Rows below a row that has several are branches, drawn with lines and moved to the right. The only row below a row stands right under it, without a line of its own: so the
 * width that a tree needs grows with how often it branches, not with its depth, and long chains stay readable. */
#include "base/cancel.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/columns.h"
#include "report/function.h"
#include "report/stats.h"
#include "report/tree.h"

enum { WIDE = 100 /* columns from which a level takes two */, LEVELS_MOST = 24 };
#define HOT 0.10 /* share of the whole that a row spends itself */
#define WARM 0.03

struct drawing {
    struct report *r;
    const struct view *v;
    uint32_t *level;  /* by row: how many branches lead to it */
    uint8_t *is_open; /* by level: more branches follow */
    size_t len;
    bool has_calls;
};

/* ---- the shape ---- */

/* Flat views name each level: module, file, function. There the only row below another is a branch too. */
static bool is_branch(const struct drawing *d, const struct view_row *row)
{
    const struct view_row *first = &d->v->rows.at[d->v->rows.at[row->parent].first];
    if (d->v->options.kind == VIEW_HOT_PATH) return false;
    return first->next || (d->v->options.kind == VIEW_FLAT && row->parent);
}

static void put_guide(struct output *out, bool is_line, const char *line, bool is_wide)
{
    output_text(out, is_line ? line : " ");
    output_text(out, is_wide ? "  " : " ");
}

/* Lines of the branches above; of very many only the last ones, with their number. */
static void put_lines(struct drawing *d, struct output *out, const struct view_row *row, uint32_t level)
{
    bool is_new = is_branch(d, row), is_wide = !d->r->width || d->r->width >= WIDE;
    uint32_t from = level > LEVELS_MOST ? level - LEVELS_MOST : 0, to = is_new ? level - 1 : level;
    if (from) output_printf(out, "[%u] ", level);
    for (uint32_t i = from; i < to; i++) put_guide(out, d->is_open[i], "\xe2\x94\x82", is_wide);
    if (!is_new) return;
    d->is_open[level - 1] = row->next != 0;
    output_text(out, row->next ? "\xe2\x94\x9c" : "\xe2\x94\x94");
    if (is_wide) output_text(out, "\xe2\x94\x80");
    output_char(out, ' ');
}

/* ---- the name and the place ---- */

static void put_file_line(const struct drawing *d, struct output *out, uint32_t file, uint32_t line)
{
    assay_slice path = tree_file(d->v, file);
    output_slice(out, d->r->full_names ? path : tree_base(path));
    if (line) output_printf(out, ":%u", line);
}

/* The nearest row above that is a function; 0 = none. */
static uint32_t function_above(const struct view *v, const struct view_row *row)
{
    uint32_t above = row->parent;
    while (above && !v->rows.at[above].func) above = v->rows.at[above].parent;
    return above;
}

/* Of a file that is named already the line is enough. */
static void put_site(const struct drawing *d, struct output *out, const struct view_row *row)
{
    const struct view *v = d->v;
    bool is_up = v->options.kind == VIEW_BOTTOM_UP;
    const struct view_row *above = &v->rows.at[row->parent];
    bool is_said = !above->func && (above->kind == ASSAY_NODE_LINE || above->kind == ASSAY_NODE_INSTRUCTION);
    if (!row->site_line || is_said) return;
    uint32_t near = is_up ? row->file : above->file;
    output_text(out, is_up ? "  at " : "  from ");
    put_file_line(d, out, row->site_file == near ? 0 : row->site_file, row->site_line);
}

static bool is_function(const struct view_row *row)
{
    return row->func && (row->kind == ASSAY_NODE_FUNCTION || row->kind == ASSAY_NODE_INLINED || row->kind == ASSAY_NODE_INSTRUCTION);
}

/* Of a function: where it is, and its module where that is not the one of its caller, nor said already. */
static void put_place(const struct drawing *d, struct output *out, const struct view_row *row)
{
    const struct view *v = d->v;
    bool is_flat = v->options.kind == VIEW_FLAT, is_full = d->r->full_names;
    struct function_info f = { .name = assay_profile_string(v->profile, assay_profile_funcs(v->profile)->name[row->func]),
                               .file = tree_file(v, row->file),
                               .module = tree_module(v, row->module) };
    struct function_info shown = report_function_shown(d->r, v->profile, f);
    bool is_said = !is_full && f.file.len && !shown.file.len; /* "[module]" in place of a file */
    if (row->file && !is_flat && !is_said) output_text(out, "  ");
    if (row->file && !is_flat && !is_said) put_file_line(d, out, row->file, row->line);
    if (is_flat && row->line) output_printf(out, "  :%u", row->line);
    if (!shown.module.len || is_flat || row->module == v->rows.at[function_above(v, row)].module || row->kind == ASSAY_NODE_INSTRUCTION) return;
    output_text(out, is_said || !row->file ? "  [" : " [");
    output_slice(out, shown.module);
    output_char(out, ']');
}

/* Returns how many bytes of it are the name. */
static size_t put_name(const struct drawing *d, struct output *out, const struct view_row *row)
{
    bool is_flat = d->v->options.kind == VIEW_FLAT;
    if (row->kind == VIEW_CALL) output_text(out, "calls ");
    tree_label(d->r, out, d->v, row, !is_flat || row->kind > VIEW_FILE || row->kind < VIEW_MODULE);
    if (row->kind == ASSAY_NODE_INLINED) output_text(out, " (inlined)");
    size_t keep = output_memory(out).len;
    if (is_function(row)) put_place(d, out, row);
    put_site(d, out, row);
    return keep;
}

static void put_cell(struct drawing *d, struct table *table, const struct view_row *row, uint32_t level)
{
    struct output *out;
    if (output_open_memory(&out, d->r->mem, NULL) != 0) {
        d->r->out_of_memory = true;
        table_text(table, "");
        return;
    }
    put_lines(d, out, row, level);
    size_t keep = put_name(d, out, row);
    table_cell_keep(table, output_memory(out), keep);
    output_abort(out);
}

/* ---- the table ---- */

static void put_calls(struct table *table, bool exact, const struct view_row *row)
{
    char buf[48];
    if (!row->calls && !is_function(row) && row->kind != VIEW_CALL) {
        table_text(table, "");
        return;
    }
    table_text(table, value_text(buf, exact, ASSAY_U64, (assay_value){ .u = row->calls }, "count"));
}

static int cells_of(const struct drawing *d, uint32_t i)
{
    const struct metric_columns *c = &d->v->columns;
    return (report_column_has_share(d->r, c, i) ? 4 : 2) + (d->r->per_call && report_column_has_average(d->r, c, i) ? 2 : 0);
}

static void put_skipped(struct drawing *d, struct table *table, uint64_t skipped)
{
    char text[64];
    for (uint32_t i = 0; i < d->v->columns.count; i++)
        for (int cell = 0; cell < cells_of(d, i); cell++) table_text(table, "");
    if (d->v->stats) report_stats_blank(d->r, table);
    if (d->has_calls) table_text(table, "");
    snprintf(text, sizeof text, "... %llu more in between", (unsigned long long)skipped);
    table_text(table, text);
}

static unsigned ink_of(const struct view *v, const struct view_row *row)
{
    double self = value_double(v->type, row->self);
    if (!(v->whole > 0) || !row->has_self) return 0;
    return self >= HOT * v->whole ? REPORT_RED : self >= WARM * v->whole ? REPORT_YELLOW : 0;
}

static void put_rows(struct drawing *d, struct table *table)
{
    const struct view *v = d->v;
    for (size_t i = 0; i < v->order.len && !cancel_at(i); i++) {
        const struct view_row *row = &v->rows.at[v->order.at[i]];
        uint32_t level = d->level[row->parent] + is_branch(d, row);
        d->level[v->order.at[i]] = level;
        table_ink(table, 0);
        if (row->skipped) put_skipped(d, table, row->skipped);
        table_ink(table, ink_of(v, row));
        tree_cells(d->r, table, v, i);
        if (d->has_calls) put_calls(table, d->r->exact, row);
        tree_averages(d->r, table, v, i);
        put_cell(d, table, row, level);
    }
}

static bool any_calls(const struct view *v)
{
    for (size_t i = 0; i < v->order.len && !cancel_at(i); i++)
        if (v->rows.at[v->order.at[i]].calls) return true;
    return false;
}

static void put_title(struct report *r, const char *path, const struct view *v)
{
    static const char *const views[] = { "top-down", "bottom-up", "flat", "hot path" };
    static const char *const sorts[] = { "self", "total", "calls", "name" };
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(path));
    output_text(r->out, ": ");
    report_columns_title(r, &v->columns);
    output_printf(r->out, ", %s", views[v->options.kind]);
    if (v->options.kind != VIEW_HOT_PATH) output_printf(r->out, " by %s", sorts[v->options.sort]);
    if (v->columns.at[0].formula) {
        output_text(r->out, " of ");
        text_show(r->out, assay_profile_string(v->profile, assay_profile_metrics(v->profile)->name[v->options.metric.v]));
    }
    if (v->options.is_estimated) output_text(r->out, ", estimated from a call graph");
    output_printf(r->out, ", %zu row%s", v->order.len, plural(v->order.len));
    if (v->stats) report_stats_title(r, &(struct report_stats){ v->stats, v->stats_of_total });
    output_char(r->out, '\n');
    report_filtered(r, v->profile, v->options.metric.v);
}

/* Where a hot path ends although there is more under it. */
static void put_fork(struct report *r, const struct view *v)
{
    char percent[48];
    struct output *label;
    if (!v->fork_ways || !(value_double(v->type, v->fork.total) > 0)) return;
    if (output_open_memory(&label, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        return;
    }
    tree_label(r, label, v, &v->fork, true);
    number_percent(percent, value_double(v->type, v->fork.total), v->whole);
    output_printf(r->out, "splits into %zu callee%s here; largest: ", v->fork_ways, plural(v->fork_ways));
    text_show(r->out, output_memory(label));
    output_printf(r->out, " (%s)\n", percent);
    output_abort(label);
}

/* What is not there, and how to see it. */
static void put_rest(struct report *r, const struct view *v)
{
    char percent[48];
    const char *comma = "";
    if (v->options.kind == VIEW_HOT_PATH) {
        put_fork(r, v);
        return;
    }
    if (!v->below_least && !v->beyond_limit) return;
    output_text(r->out, "not shown: ");
    if (v->below_least) {
        number_percent(percent, v->options.least, 1);
        output_printf(r->out, "%llu row%s below %s (--min)", (unsigned long long)v->below_least, plural(v->below_least), percent);
        comma = ", ";
    }
    if (v->beyond_limit) output_printf(r->out, "%s%llu smaller row%s (--limit)", comma, (unsigned long long)v->beyond_limit, plural(v->beyond_limit));
    output_text(r->out, ", and everything below them\n");
}

static void print(struct report *r, struct table *table)
{
    if (table_print(table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(table);
    r->table = NULL;
}

void tree_text(struct report *r, const char *path, const struct view *v)
{
    static const char *const none[] = { NULL };
    struct drawing d = { .r = r, .v = v, .len = v->rows.len + 1, .has_calls = any_calls(v) };
    d.level = mem_zalloc(r->mem, d.len, sizeof *d.level);
    d.is_open = mem_zalloc(r->mem, d.len, 1);
    struct table *table = d.level && d.is_open ? report_table(r, none, "") : NULL;
    if (table) {
        tree_heads(r, v, d.has_calls);
        table_column(table, "name", TABLE_LEFT);
        put_title(r, path, v);
        put_rows(&d, table);
        print(r, table);
        put_rest(r, v);
    } else
        r->out_of_memory = true;
    mem_free(r->mem, d.level, d.level ? d.len * sizeof *d.level : 0);
    mem_free(r->mem, d.is_open, d.is_open ? d.len : 0);
}

static void put_place_cell(struct report *r, struct table *table, const struct view *v, const struct view_row *row)
{
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        table_text(table, "");
        return;
    }
    if (is_function(row) && row->file) {
        output_slice(out, tree_file(v, row->file));
        if (row->line) output_printf(out, ":%u", row->line);
    }
    table_cell(table, output_memory(out));
    output_abort(out);
}

void tree_markdown(struct report *r, const char *path, const struct view *v)
{
    static const char *const heads[] = { "depth", NULL };
    struct table *table = report_table(r, heads, "r");
    if (!table) return;
    tree_heads(r, v, true);
    table_column(table, "name", TABLE_LEFT);
    table_column(table, "file", TABLE_LEFT);
    put_title(r, path, v);
    output_char(r->out, '\n');
    for (size_t i = 0; i < v->order.len && !cancel_at(i); i++) {
        const struct view_row *row = &v->rows.at[v->order.at[i]];
        report_cell_u64(table, row->depth);
        tree_cells(r, table, v, i);
        put_calls(table, r->exact, row);
        tree_averages(r, table, v, i);
        tree_label_cell(r, table, v, row);
        put_place_cell(r, table, v, row);
    }
    print(r, table);
}
