/* `check`: findings of each file, by line or offset, and a summary. */
#include <string.h>

#include "base/cancel.h"
#include "base/plural.h"
#include "base/text.h"
#include "report/issues.h"

void report_check_begin(struct report *r)
{
    static const char *const heads[] = { "path", "severity", "rule", "line", "offset", "message", NULL };
    if (r->style == REPORT_JSON) {
        report_json_begin(r, "check");
        json_key(&r->json, "files");
        json_array(&r->json);
    } else if (r->style == REPORT_CSV || r->style == REPORT_MARKDOWN)
        report_table(r, heads, "lllrrl");
}

/* ---- JSON ---- */

/* What kept us from looking is the one finding of the file; its rule is that of the error, F-1 (no known format), F-2 (empty), or the name of
 * the error's code. */
static assay_finding finding_of(const assay_error *err)
{
    bool is_unknown = err->code == ASSAY_ERR_UNKNOWN, is_empty = err->code == ASSAY_ERR_EMPTY;
    const char *rule = err->rule ? err->rule : is_unknown ? "F-1" : is_empty ? "F-2" : assay_code_name(err->code);
    return (assay_finding){ rule, ASSAY_ERROR, err->has_offset || is_unknown || is_empty, err->offset, err->line, 0, err->text };
}

static void put_json(struct report *r, const char *path, const assay_check_result *result, const assay_error *err)
{
    struct json *j = &r->json;
    json_object(j);
    json_key(j, "path");
    json_text(j, path);
    json_key(j, "format");
    json_text(j, result && result->format ? result->format->name : NULL);
    json_key(j, "ok");
    json_bool(j, result && result->errors == 0);
    json_key(j, "errors");
    json_u64(j, result ? result->errors : 1);
    json_key(j, "warnings");
    json_u64(j, result ? result->warnings : 0);
    json_key(j, "findings");
    json_array(j);
    for (size_t i = 0; result && i < result->count && !cancel_at(i); i++) report_finding_json(j, &result->findings[i]);
    if (!result) {
        assay_finding f = finding_of(err);
        report_finding_json(j, &f);
    }
    json_end(j);
    json_end(j);
}

/* ---- rows ---- */

static void put_row(struct table *t, const char *path, const assay_finding *f)
{
    table_text(t, path);
    table_text(t, assay_severity_name(f->severity));
    table_text(t, f->rule);
    if (f->line)
        report_cell_u64(t, f->line);
    else
        table_text(t, "");
    if (f->has_offset)
        report_cell_u64(t, f->offset);
    else
        table_text(t, "");
    table_text(t, f->message);
}

static void put_rows(struct table *t, const char *path, const assay_check_result *result, const assay_error *err)
{
    for (size_t i = 0; result && i < result->count && !cancel_at(i); i++) put_row(t, path, &result->findings[i]);
    if (!result) {
        assay_finding f = finding_of(err);
        put_row(t, path, &f);
    }
}

/* ---- issues ---- */

static void put_issue(struct report *r, const char *path, const assay_finding *f)
{
    struct report_issue i = { .rule = f->rule,
                              .severity = f->severity,
                              .path = path,
                              .line = f->line,
                              .off = f->offset,
                              .has_off = f->has_offset,
                              .fails = f->severity == ASSAY_ERROR,
                              .repeats = f->repeats,
                              .text = f->message };
    report_issue(r, &i);
}

static void put_issues(struct report *r, const char *path, const assay_check_result *result, const assay_error *err)
{
    report_case(r, "assay check", path);
    for (size_t i = 0; result && i < result->count && !cancel_at(i); i++) put_issue(r, path, &result->findings[i]);
    if (result) return;
    assay_finding f = finding_of(err);
    report_case_is_error(r);
    put_issue(r, path, &f);
}

/* ---- text ---- */

static void put_finding(struct report *r, const char *path, const assay_finding *f)
{
    text_show(r->out, slice_of(path));
    if (f->line)
        output_printf(r->out, ":%llu", (unsigned long long)f->line);
    else if (f->has_offset)
        output_printf(r->out, ": offset %llu", (unsigned long long)f->offset);
    output_text(r->out, ": ");
    report_finding_text(r, f);
    output_char(r->out, '\n');
}

static void put_count(struct report *r, uint64_t n, const char *word, enum report_ink ink)
{
    if (n) report_ink(r, ink);
    output_printf(r->out, "%llu %s%s", (unsigned long long)n, word, plural(n));
    if (n) report_plain(r);
}

void report_check_counts(struct report *r, const assay_check_result *result)
{
    if (result->errors || result->warnings) {
        put_count(r, result->errors, "error", REPORT_RED);
        output_text(r->out, ", ");
        put_count(r, result->warnings, "warning", REPORT_YELLOW);
    } else {
        report_ink(r, REPORT_GREEN);
        output_text(r->out, "ok");
        report_plain(r);
    }
}

static void put_summary(struct report *r, const char *path, const assay_check_result *result)
{
    text_show(r->out, slice_of(path));
    output_text(r->out, ": ");
    report_check_counts(r, result);
    output_printf(r->out, " (%s)\n", result->format ? result->format->name : "?");
}

static bool is_same_rule(const assay_finding *a, const assay_finding *b) { return a->severity == b->severity && strcmp(a->rule, b->rule) == 0; }

/* Stands for all findings of its rule: the first one, with the number of the others. false = it is not the first. */
static bool stands_for_rule(const assay_check_result *result, size_t i, assay_finding *out)
{
    *out = result->findings[i];
    for (size_t k = 0; k < i; k++)
        if (is_same_rule(&result->findings[k], out)) return false;
    for (size_t k = i + 1; k < result->count; k++)
        if (is_same_rule(&result->findings[k], out)) out->repeats += result->findings[k].repeats + 1;
    return true;
}

static void put_text(struct report *r, const char *path, const assay_check_result *result)
{
    uint64_t shown = 0, left = 0;
    uint64_t limit = r->has_limit && r->limit ? r->limit : UINT64_MAX;
    bool has_repeats = false;
    for (size_t i = 0; i < result->count; i++) {
        assay_finding f = result->findings[i];
        if (f.severity == ASSAY_INFO && !r->verbose) continue;
        if (!r->all && !stands_for_rule(result, i, &f)) continue;
        if (shown == limit) {
            left++;
            continue;
        }
        put_finding(r, path, &f);
        has_repeats |= !r->all && f.repeats;
        shown++;
    }
    if (left || has_repeats) {
        text_show(r->out, slice_of(path));
        if (left)
            output_printf(r->out, ": and %llu more (--limit 0 shows all)\n", (unsigned long long)left);
        else
            output_text(r->out, ": only the first finding of each rule is shown; use --all for the rest\n");
    }
    put_summary(r, path, result);
}

/* After the last of several files. */
static void put_sum(struct report *r)
{
    output_printf(r->out, "%zu files: %zu ok", r->shown, r->shown - r->with_errors - r->unreadable);
    if (r->with_errors) output_printf(r->out, ", %zu with errors", r->with_errors);
    if (r->unreadable) output_printf(r->out, ", %zu unreadable", r->unreadable);
    output_char(r->out, '\n');
}

void report_check(struct report *r, const char *path, const assay_check_result *result, const assay_error *err)
{
    if (r->style == REPORT_JSON)
        put_json(r, path, result, err);
    else if (r->style == REPORT_TEXT && result)
        put_text(r, path, result);
    else if (report_has_issues(r))
        put_issues(r, path, result, err);
    else if (r->table)
        put_rows(r->table, path, result, err);
    r->shown++;
    if (!result)
        r->unreadable++;
    else if (result->errors)
        r->with_errors++;
    if (r->style == REPORT_TEXT && r->shown == r->file_count && r->file_count > 1) put_sum(r);
}
