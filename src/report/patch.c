/* `patch`: what is covered of the lines that a change added. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/text.h"
#include "report/change.h"
#include "report/issues.h"

static bool is_missing(const struct report_patch *p, const assay_patch_file *f, uint32_t i)
{
    return f->state[i] == ASSAY_LINE_MISSING || (p->branches && f->state[i] == ASSAY_LINE_PARTIAL);
}

/* ---- JSON: the names are those that diff-cover has ---- */

static void put_lines(struct json *j, const char *key, const struct report_patch *p, const assay_patch_file *f, bool missing)
{
    json_key(j, key);
    json_array(j);
    for (uint32_t i = 0; i < f->count; i++)
        if (is_missing(p, f, i) == missing) json_u64(j, f->line[i]);
    json_end(j);
}

static void put_file(struct json *j, const struct report_patch *p, const assay_patch_file *f)
{
    json_key(j, f->path);
    json_object(j);
    report_percent_json(j, "percent_covered", f->count - f->missing, f->count);
    put_lines(j, "covered_lines", p, f, false);
    put_lines(j, "violation_lines", p, f, true);
    json_end(j);
}

static void put_json(struct report *r, const struct report_patch *p)
{
    struct json *j = &r->json;
    const assay_patch *t = p->patch;
    report_json_begin(r, "patch");
    json_key(j, "report_name");
    json_array(j);
    for (size_t i = 0; i < p->report_count; i++) json_text(j, p->reports[i]);
    json_end(j);
    json_key(j, "diff_name");
    json_text(j, p->changes);
    json_key(j, "src_stats");
    json_object(j);
    for (size_t i = 0; i < t->count && !cancel_at(i); i++)
        if (t->files[i].count) put_file(j, p, &t->files[i]);
    json_end(j);
    report_u64_json(j, "total_num_lines", t->measured);
    report_u64_json(j, "total_num_violations", t->missing);
    json_key(j, "total_percent_covered");
    if (t->measured)
        json_u64(j, (uint64_t)(100.0 * (double)(t->measured - t->missing) / (double)t->measured));
    else
        json_null(j);
    report_u64_json(j, "num_changed_lines", t->changed);
    json_key(j, "unmatched");
    json_array(j);
    for (size_t i = 0; i < t->unmatched_count; i++) json_text(j, t->unmatched[i]);
    json_end(j);
    report_findings_json(j, "warnings", p->diff->warnings, p->diff->warning_count);
    report_gate_json(j, &p->gate);
    json_end(j);
}

/* ---- annotations ---- */

/* A value of a property: what would end it is written as %XX. */
static void put_property(struct output *o, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c == ':' || c == ',' || c < 0x20)
            output_printf(o, "%%%02X", c);
        else
            output_char(o, *text);
    }
}

static void put_annotation(struct report *r, const char *path, uint32_t first, uint32_t last)
{
    struct output *o = r->out;
    output_text(o, "::warning file=");
    put_property(o, path);
    output_printf(o, ",line=%u,endLine=%u,title=Not covered::", first, last);
    if (first == last)
        output_printf(o, "New line %u is not covered.\n", first);
    else
        output_printf(o, "New lines %u to %u are not covered.\n", first, last);
}

/* Runs of missing lines. */
static void for_missing(struct report *r, const struct report_patch *p, void (*put)(struct report *r, const char *path, uint32_t first, uint32_t last))
{
    for (size_t i = 0; i < p->patch->count; i++) {
        const assay_patch_file *f = &p->patch->files[i];
        for (uint32_t from = 0, to; from < f->count; from = to) {
            to = from + 1;
            if (!is_missing(p, f, from)) continue;
            while (to < f->count && is_missing(p, f, to) && f->line[to] == f->line[to - 1] + 1) to++;
            put(r, f->path, f->line[from], f->line[to - 1]);
        }
    }
}

/* ---- issues ---- */

static void put_range(struct report *r, const char *path, uint32_t first, uint32_t last)
{
    char text[80];
    if (first == last)
        snprintf(text, sizeof text, "new line %u is not covered", first);
    else
        snprintf(text, sizeof text, "new lines %u to %u are not covered", first, last);
    struct report_issue i = { .rule = "uncovered-line", .severity = ASSAY_WARNING, .path = path, .line = first, .last_line = last, .text = text };
    report_issue(r, &i);
}

static void put_issues(struct report *r, const struct report_patch *p)
{
    report_case(r, "assay patch", "new lines");
    for_missing(r, p, put_range);
    for (size_t i = 0; i < p->patch->unmatched_count; i++) {
        struct report_issue of = {
            .rule = "not-in-report", .severity = ASSAY_INFO, .path = p->patch->unmatched[i], .text = "the change adds lines, and no report has the file"
        };
        report_issue(r, &of);
    }
    report_gate_issue(r, "assay patch", p->report_count ? p->reports[0] : NULL, &p->gate);
}

/* ---- tables ---- */

static bool put_missing(struct report *r, const struct report_patch *p, const assay_patch_file *f, struct table *t)
{
    struct report_ranges ranges = { .out = NULL };
    assay_error err;
    if (output_open_memory(&ranges.out, r->mem, &err) != 0) return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (is_missing(p, f, i)) report_range(&ranges, f->line[i]);
    report_range(&ranges, 0);
    table_cell(t, output_memory(ranges.out));
    output_abort(ranges.out);
    return true;
}

static bool put_row(struct report *r, const struct report_patch *p, const assay_patch_file *f, struct table *t)
{
    report_share_cell(r, t, f->count - f->missing, f->count);
    report_cell_u64(t, f->count);
    report_cell_u64(t, f->missing);
    table_text(t, f->path);
    return put_missing(r, p, f, t);
}

static void put_total(struct report *r, const struct report_patch *p)
{
    const assay_patch *t = p->patch;
    char buf[48];
    if (!t->measured) {
        output_printf(r->out, "patch coverage - (no measured lines; %llu added)\n", (unsigned long long)t->changed);
        return;
    }
    number_share(buf, t->measured - t->missing, t->measured, 2);
    output_printf(r->out, "\npatch coverage %s (%llu of %llu measured lines; %llu added)\n", buf, (unsigned long long)(t->measured - t->missing),
                  (unsigned long long)t->measured, (unsigned long long)t->changed);
}

static void put_unmatched(struct report *r, const assay_patch *t)
{
    if (!t->unmatched_count) return;
    output_text(r->out, "not in the report:");
    for (size_t i = 0; i < t->unmatched_count; i++) {
        output_text(r->out, i ? ", " : " ");
        text_show(r->out, slice_of(t->unmatched[i]));
    }
    output_char(r->out, '\n');
}

static void put_table(struct report *r, const struct report_patch *p)
{
    static const char *const heads[] = { "covered", "measured", "missing", "file", "missing lines", NULL };
    struct table *t = report_table(r, heads, "rrrll");
    for (size_t i = 0; t && i < p->patch->count && !cancel_at(i); i++)
        if (p->patch->files[i].count && !put_row(r, p, &p->patch->files[i], t)) r->out_of_memory = true;
    if (!t || r->style == REPORT_CSV) return;
    assay_error err = { 0 };
    if (p->patch->measured && table_print(t, report_table_style(r), r->out, &err) != 0) r->out_of_memory = true;
    table_free(t);
    r->table = NULL;
    put_total(r, p);
    put_unmatched(r, p->patch);
}

void report_patch(struct report *r, const struct report_patch *p)
{
    if (p->annotations)
        for_missing(r, p, put_annotation);
    else if (r->style == REPORT_JSON)
        put_json(r, p);
    else if (report_has_issues(r))
        put_issues(r, p);
    else
        put_table(r, p);
}
