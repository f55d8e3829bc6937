/* `diff` of two coverage reports: files whose lines changed their state, the lines that want a look, and the twelve categories. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/text.h"
#include "report/change.h"
#include "report/issues.h"

static const char *name_of(const assay_diff_file *f) { return f->new_path ? f->new_path : f->old_path; }

/* Whether anything is worth a row: all but lines that are as they were. */
static bool is_same(const assay_diff_file *f) { return f->line_count == f->by_category[ASSAY_CBC] + f->by_category[ASSAY_UBC] && f->old_path && f->new_path; }

static bool is_bad(uint8_t category) { return category == ASSAY_UNC || category == ASSAY_LBC || category == ASSAY_UIC; }

/* ---- JSON ---- */

static void put_side(struct json *j, const char *key, uint64_t hit, uint64_t lines)
{
    json_key(j, key);
    json_object(j);
    report_u64_json(j, "lines", lines);
    report_u64_json(j, "lines_hit", hit);
    report_percent_json(j, "percent", hit, lines);
    json_end(j);
}

static void put_text_or_null(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    if (text)
        json_text(j, text);
    else
        json_null(j);
}

static void put_where(struct json *j, const assay_diff_file *f)
{
    json_key(j, "lines");
    json_object(j);
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++) {
        if (!f->by_category[k] || k == ASSAY_CBC || k == ASSAY_UBC) continue;
        json_key(j, assay_category_name(k));
        json_array(j);
        for (uint32_t i = 0; i < f->line_count; i++)
            if (f->lines[i].category == k) json_u64(j, f->lines[i].new_line ? f->lines[i].new_line : f->lines[i].old_line);
        json_end(j);
    }
    json_end(j);
}

static void put_file(struct json *j, const assay_diff_file *f)
{
    json_object(j);
    put_text_or_null(j, "old_path", f->old_path);
    put_text_or_null(j, "path", f->new_path);
    put_side(j, "before", f->before_hit, f->before);
    put_side(j, "after", f->after_hit, f->after);
    json_key(j, "categories");
    json_object(j);
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++) report_u64_json(j, assay_category_name(k), f->by_category[k]);
    json_end(j);
    put_where(j, f);
    json_end(j);
}

/* Both only when they were asked for. */
static void put_drop_gate(struct json *j, const struct report_diff *d)
{
    if (!d->has_max_drop) return;
    json_key(j, "max_drop");
    json_object(j);
    json_key(j, "most");
    json_double(j, d->max_drop);
    json_key(j, "value");
    json_double(j, d->drop);
    json_key(j, "ok");
    json_bool(j, d->keeps_drop);
    json_end(j);
}

static void put_category_gate(struct json *j, const struct report_diff *d)
{
    if (!d->has_fail_on) return;
    json_key(j, "fail_on");
    json_object(j);
    json_key(j, "categories");
    json_array(j);
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++)
        if (d->fail_on[k]) json_text(j, assay_category_name(k));
    json_end(j);
    report_u64_json(j, "lines", d->failed);
    json_key(j, "ok");
    json_bool(j, d->failed == 0);
    json_end(j);
}

static void put_json(struct report *r, const struct report_diff *d)
{
    struct json *j = &r->json;
    const assay_coverage_diff *t = d->diff;
    report_json_begin(r, "diff");
    put_text_or_null(j, "before_path", d->before);
    put_text_or_null(j, "after_path", d->after);
    put_text_or_null(j, "diff_name", d->changes);
    put_side(j, "before", t->before_hit, t->before);
    put_side(j, "after", t->after_hit, t->after);
    json_key(j, "categories");
    json_object(j);
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++) report_u64_json(j, assay_category_name(k), t->by_category[k]);
    json_end(j);
    json_key(j, "rows");
    json_array(j);
    uint64_t rows = 0;
    for (size_t i = 0; i < t->count && !cancel_at(i); i++) {
        if (is_same(&t->files[i])) continue;
        put_file(j, &t->files[i]);
        rows++;
    }
    json_end(j);
    report_rows_json(j, rows, rows);
    report_findings_json(j, "warnings", t->warnings, t->warning_count);
    report_gate_json(j, &d->gate);
    put_drop_gate(j, d);
    put_category_gate(j, d);
    json_end(j);
}

/* ---- issues ---- */

static const char *const sentences[ASSAY_CATEGORIES] = {
    "is new and not covered",
    "is no longer covered",
    "is newly measured and not covered",
    "is still not covered",
    "is now covered",
    "is newly measured and covered",
    "is new and covered",
    "is covered as before",
    "is no longer measured, and was not covered",
    "is no longer measured, and was covered",
    "was removed, and was not covered",
    "was removed, and was covered",
};

static uint32_t line_of(const assay_diff_line *l) { return l->new_line ? l->new_line : l->old_line; }

/* Lines of one category that follow each other. */
static void put_run(struct report *r, const struct report_diff *d, const assay_diff_file *f, uint32_t from, uint32_t to)
{
    const assay_diff_line *first = &f->lines[from], *last = &f->lines[to - 1];
    char rule[32], text[120];
    bool fails = d->has_fail_on && d->fail_on[first->category];
    snprintf(rule, sizeof rule, "coverage-%s", assay_category_name(first->category));
    snprintf(text, sizeof text, "line %u %s%s", line_of(first), sentences[first->category], to - from > 1 ? ", and so are those that follow" : "");
    struct report_issue i = { .rule = rule,
                              .severity = fails ? ASSAY_ERROR : ASSAY_WARNING,
                              .path = first->new_line && f->new_path ? f->new_path : f->old_path,
                              .line = line_of(first),
                              .last_line = line_of(last),
                              .fails = fails,
                              .text = text };
    report_issue(r, &i);
}

static void put_runs(struct report *r, const struct report_diff *d, const assay_diff_file *f)
{
    for (uint32_t from = 0, to; from < f->line_count; from = to) {
        const assay_diff_line *l = f->lines;
        to = from + 1;
        if (!is_bad(l[from].category) && !(d->has_fail_on && d->fail_on[l[from].category])) continue;
        while (to < f->line_count && l[to].category == l[from].category && !l[to].new_line == !l[from].new_line && line_of(&l[to]) == line_of(&l[to - 1]) + 1)
            to++;
        put_run(r, d, f, from, to);
    }
}

static void put_issues(struct report *r, const struct report_diff *d)
{
    char text[240], before[48], after[48];
    report_case(r, "assay diff", "lines");
    for (size_t i = 0; i < d->diff->count && !cancel_at(i); i++) put_runs(r, d, &d->diff->files[i]);
    report_gate_issue(r, "assay diff", d->after, &d->gate);
    if (!d->has_max_drop) return;
    snprintf(text, sizeof text, "line coverage falls by at most %.12g points", d->max_drop);
    report_case(r, "assay diff", text);
    if (d->keeps_drop) return;
    number_share(before, d->diff->before_hit, d->diff->before, 2);
    number_share(after, d->diff->after_hit, d->diff->after, 2);
    snprintf(text, sizeof text, "line coverage fell from %s to %s; at most %.12g points are allowed", before, after, d->max_drop);
    struct report_issue i = { .rule = "coverage-drop", .severity = ASSAY_ERROR, .path = d->after, .fails = true, .text = text };
    report_issue(r, &i);
}

/* ---- tables ---- */

static bool put_bad_lines(struct report *r, const assay_diff_file *f, struct table *t)
{
    struct report_ranges ranges = { .out = NULL };
    assay_error err;
    if (output_open_memory(&ranges.out, r->mem, &err) != 0) return false;
    for (uint32_t i = 0; i < f->line_count; i++)
        if (is_bad(f->lines[i].category)) report_range(&ranges, f->lines[i].new_line);
    report_range(&ranges, 0);
    table_cell(t, output_memory(ranges.out));
    output_abort(ranges.out);
    return true;
}

static bool put_row(struct report *r, const assay_diff_file *f, struct table *t)
{
    report_share_cell(r, t, f->before_hit, f->before);
    report_share_cell(r, t, f->after_hit, f->after);
    report_cell_u64(t, f->by_category[ASSAY_UNC]);
    report_cell_u64(t, f->by_category[ASSAY_LBC]);
    report_cell_u64(t, f->by_category[ASSAY_UIC]);
    report_cell_u64(t, f->by_category[ASSAY_GNC]);
    report_cell_u64(t, f->by_category[ASSAY_GBC] + f->by_category[ASSAY_GIC]);
    table_text(t, name_of(f));
    return put_bad_lines(r, f, t);
}

static void put_totals(struct report *r, const assay_coverage_diff *t)
{
    char before[48], after[48];
    number_share(before, t->before_hit, t->before, 2);
    number_share(after, t->after_hit, t->after, 2);
    output_printf(r->out, "\nline coverage was %s (%llu of %llu), is now %s (%llu of %llu)\n", before, (unsigned long long)t->before_hit,
                  (unsigned long long)t->before, after, (unsigned long long)t->after_hit, (unsigned long long)t->after);
    for (unsigned k = 0; k < ASSAY_CATEGORIES; k++)
        output_printf(r->out, "%s%s %llu", k ? "  " : "", assay_category_name(k), (unsigned long long)t->by_category[k]);
    output_char(r->out, '\n');
}

static void put_table(struct report *r, const struct report_diff *d)
{
    static const char *const heads[] = { "before", "after", "new missed", "lost", "found missed", "new hit", "gained", "file", "lines not covered", NULL };
    struct table *t = report_table(r, heads, "rrrrrrrll");
    for (size_t i = 0; t && i < d->diff->count && !cancel_at(i); i++)
        if (!is_same(&d->diff->files[i]) && !put_row(r, &d->diff->files[i], t)) r->out_of_memory = true;
    if (!t || r->style == REPORT_CSV) return;
    assay_error err = { 0 };
    if (table_print(t, report_table_style(r), r->out, &err) != 0) r->out_of_memory = true;
    table_free(t);
    r->table = NULL;
    put_totals(r, d->diff);
}

void report_coverage_diff(struct report *r, const struct report_diff *d)
{
    if (r->style == REPORT_JSON)
        put_json(r, d);
    else if (report_has_issues(r))
        put_issues(r, d);
    else
        put_table(r, d);
}
