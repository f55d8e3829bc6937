/* `top` on coverage: files or folders, least covered first. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/text.h"
#include "report/report.h"

enum { LIMIT_DEFAULT = 30, MISSING_WIDEST = 60 };

uint32_t report_coverage_rows(const struct report *r, uint32_t count)
{
    uint64_t limit = !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX;
    return count < limit ? count : (uint32_t)limit;
}

const char *report_share(char *buf, uint64_t hit, uint64_t total)
{
    number_share(buf, hit, total, 1);
    return buf;
}

/* What the first columns show: lines, or statements where a summary states no lines. */
struct pair {
    const char *name;
    uint64_t hit, total;
};

static bool is_of_statements(const assay_coverage_table *t) { return t->total.stated && !t->total.lines && t->total.statements; }

static struct pair first_of(const assay_coverage_table *t, const assay_coverage_counts *n)
{
    if (is_of_statements(t)) return (struct pair){ "statements", n->statements_hit, n->statements };
    return (struct pair){ "lines", n->lines_hit, n->lines };
}

/* ---- JSON ---- */

static void put_pair(struct json *j, const char *hit_name, const char *total_name, uint64_t hit, uint64_t total)
{
    json_key(j, total_name);
    json_u64(j, total);
    json_key(j, hit_name);
    json_u64(j, hit);
}

static void put_counts(struct json *j, const assay_coverage_table *t, const assay_coverage_counts *n)
{
    struct pair first = first_of(t, n);
    put_pair(j, "lines_hit", "lines", n->lines_hit, n->lines);
    put_pair(j, "functions_hit", "functions", n->functions_hit, n->functions);
    put_pair(j, "branches_hit", "branches", n->branches_hit, n->branches);
    if (is_of_statements(t)) put_pair(j, "statements_hit", "statements", n->statements_hit, n->statements);
    json_key(j, "percent");
    if (first.total)
        json_double(j, assay_coverage_percent(first.hit, first.total));
    else
        json_null(j);
}

static void put_row(struct json *j, const assay_coverage_table *t, const assay_coverage_row *row)
{
    json_object(j);
    json_key(j, "name");
    json_string(j, row->path.data ? row->path : SLICE(""));
    put_counts(j, t, &row->counts);
    if (row->missing) {
        json_key(j, "missing");
        json_text(j, row->missing);
    }
    json_end(j);
}

static void put_json(struct report *r, const char *path, const struct report_coverage *c)
{
    struct json *j = &r->json;
    if (r->file_count == 1)
        report_json_begin(r, "top");
    else
        json_object(j);
    json_key(j, "path");
    json_text(j, path);
    json_key(j, "metric");
    json_text(j, "coverage");
    json_key(j, "by");
    json_text(j, c->by == ASSAY_COVERAGE_BY_DIRECTORY ? "directory" : "file");
    if (c->table->total.stated) {
        json_key(j, "stated");
        json_bool(j, true);
    }
    json_key(j, "total");
    json_object(j);
    put_counts(j, c->table, &c->table->total);
    json_end(j);
    json_key(j, "rows");
    json_array(j);
    for (uint32_t i = 0; i < report_coverage_rows(r, c->table->count) && !cancel_at(i); i++) put_row(j, c->table, &c->table->rows[i]);
    json_end(j);
    report_rows_json(j, c->table->count, report_coverage_rows(r, c->table->count));
    if (r->file_count != 1) json_end(j);
}

/* ---- tables ---- */

static void put_cells(struct table *table, uint64_t hit, uint64_t total)
{
    char text[64], share[48];
    snprintf(text, sizeof text, "%llu/%llu", (unsigned long long)hit, (unsigned long long)total);
    table_text(table, report_share(share, hit, total));
    table_text(table, total ? text : "-");
}

/* Whole runs, as many as are read at a glance. */
static void put_missing(struct table *table, const char *missing, bool is_whole)
{
    char text[MISSING_WIDEST + 8];
    size_t len = strlen(missing);
    if (is_whole || len <= MISSING_WIDEST) {
        table_text(table, missing);
        return;
    }
    len = MISSING_WIDEST;
    while (len && missing[len] != ',') len--;
    snprintf(text, sizeof text, "%.*s,...", (int)len, missing);
    table_text(table, text);
}

/* Two decimals, as gates show them, and more where it takes them to see that a limit is not met. */
static const char *title_share(char *buf, uint64_t hit, uint64_t total, double limit)
{
    if (limit > 0 && total && assay_coverage_is_under(hit, total, limit))
        number_share_below(buf, hit, total, 2, limit);
    else
        number_share(buf, hit, total, 2);
    return buf;
}

static void put_title(struct report *r, const char *path, const struct report_coverage *c)
{
    static const char *const sorts[] = { "least covered first", "least covered functions first", "least covered branches first", "most missed lines first",
                                         "by name" };
    const assay_coverage_counts *n = &c->table->total;
    struct pair first = first_of(c->table, n);
    char share[48];
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(path));
    output_text(r->out, ": ");
    report_ink(r, REPORT_BOLD);
    output_printf(r->out, "%s %s", first.name, title_share(share, first.hit, first.total, c->limits[0]));
    report_plain(r);
    output_printf(r->out, " (%llu of %llu)", (unsigned long long)first.hit, (unsigned long long)first.total);
    if (n->functions) output_printf(r->out, ", functions %s", title_share(share, n->functions_hit, n->functions, c->limits[1]));
    if (n->branches) output_printf(r->out, ", branches %s", title_share(share, n->branches_hit, n->branches, c->limits[2]));
    if (n->stated) output_text(r->out, ", as stated in its summary");
    output_printf(r->out, "; %u of %u %s, %s\n%s", report_coverage_rows(r, c->table->count), c->table->count,
                  c->by == ASSAY_COVERAGE_BY_DIRECTORY ? (c->table->count == 1 ? "directory" : "directories")
                  : c->table->count == 1               ? "file"
                                                       : "files",
                  sorts[c->sort], r->style == REPORT_TEXT ? "" : "\n");
}

static void put_table(struct report *r, const char *path, const struct report_coverage *c)
{
    bool is_folders = c->by == ASSAY_COVERAGE_BY_DIRECTORY;
    const char *const heads[] = { is_of_statements(c->table) ? "statements" : "lines",
                                  "hit/all",
                                  "functions",
                                  "hit/all",
                                  "branches",
                                  "hit/all",
                                  is_folders ? "folder" : "file",
                                  is_folders ? NULL : "missing",
                                  NULL };
    struct table *table = report_table(r, heads, "rrrrrrll");
    if (!table) return;
    put_title(r, path, c);
    for (uint32_t i = 0; i < report_coverage_rows(r, c->table->count) && !cancel_at(i); i++) {
        const assay_coverage_row *row = &c->table->rows[i];
        struct pair first = first_of(c->table, &row->counts);
        put_cells(table, first.hit, first.total);
        put_cells(table, row->counts.functions_hit, row->counts.functions);
        put_cells(table, row->counts.branches_hit, row->counts.branches);
        table_cell(table, row->path);
        if (!is_folders) put_missing(table, row->missing ? row->missing : "", r->exact);
    }
    if (table_print(table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(table);
    r->table = NULL;
}

static void put_csv(struct report *r, const char *path, const struct report_coverage *c)
{
    static const char *const heads[] = { "path",          "name",     "percent",      "lines",   "lines_hit", "functions",
                                         "functions_hit", "branches", "branches_hit", "missing", NULL };
    const bool is_one = r->file_count == 1;
    if (!r->table) report_table(r, heads + is_one, &"llrrrrrrrl"[is_one]);
    for (uint32_t i = 0; r->table && i < report_coverage_rows(r, c->table->count) && !cancel_at(i); i++) {
        const assay_coverage_row *row = &c->table->rows[i];
        struct pair first = first_of(c->table, &row->counts);
        char percent[48] = "";
        if (first.total) percent[number_put_double(percent, assay_coverage_percent(first.hit, first.total))] = 0;
        if (!is_one) table_text(r->table, path);
        table_cell(r->table, row->path);
        table_text(r->table, percent);
        report_cell_u64(r->table, row->counts.lines);
        report_cell_u64(r->table, row->counts.lines_hit);
        report_cell_u64(r->table, row->counts.functions);
        report_cell_u64(r->table, row->counts.functions_hit);
        report_cell_u64(r->table, row->counts.branches);
        report_cell_u64(r->table, row->counts.branches_hit);
        table_text(r->table, row->missing ? row->missing : "");
    }
}

void report_coverage(struct report *r, const char *path, const struct report_coverage *c)
{
    if (r->style == REPORT_JSON)
        put_json(r, path, c);
    else if (r->style == REPORT_CSV)
        put_csv(r, path, c);
    else
        put_table(r, path, c);
    r->shown++;
}
