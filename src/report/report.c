/* What all reports share: begin and end, and how single values, findings and shapes look. */
#include "report/issues.h"

#include <stdio.h>

#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

static const struct {
    uint32_t bit;
    const char *name;
} shapes_by_bit[] = {
    { ASSAY_SHAPE_TREE, "tree" },         { ASSAY_SHAPE_GRAPH, "graph" },       { ASSAY_SHAPE_LINES, "lines" },
    { ASSAY_SHAPE_TIMELINE, "timeline" }, { ASSAY_SHAPE_COVERAGE, "coverage" }, { ASSAY_SHAPE_LABELS, "labels" },
};
enum { SHAPES = sizeof shapes_by_bit / sizeof *shapes_by_bit };

/* ---- begin and end ---- */

void report_json_begin(struct report *r, const char *verb)
{
    json_object(&r->json);
    json_key(&r->json, "assay");
    json_u64(&r->json, 1);
    json_key(&r->json, "verb");
    json_text(&r->json, verb);
}

struct table *report_table(struct report *r, const char *const *heads, const char *aligns)
{
    r->table = table_new(r->mem, r->width, r->color && r->style == REPORT_TEXT);
    if (!r->table) {
        r->out_of_memory = true;
        return NULL;
    }
    for (size_t i = 0; heads[i]; i++) table_column(r->table, heads[i], aligns[i] == 'r' ? TABLE_RIGHT : TABLE_LEFT);
    return r->table;
}

enum table_style report_table_style(const struct report *r)
{
    if (r->style == REPORT_CSV) return r->raw ? TABLE_CSV_RAW : TABLE_CSV;
    return r->style == REPORT_MARKDOWN ? TABLE_MARKDOWN : TABLE_TEXT;
}

void report_failed(struct report *r, const char *path, const assay_error *err)
{
    if (r->style != REPORT_JSON) return;
    assay_error *copy = vec_push(r->mem, &r->failed);
    if (!copy) {
        r->out_of_memory = true;
        return;
    }
    *copy = *err;
    copy->path[0] = '\0';
    error_path(copy, path);
}

static void put_failed(struct json *j, const assay_error *e)
{
    json_object(j);
    json_key(j, "path");
    json_text(j, e->path);
    json_key(j, "code");
    json_text(j, assay_code_name(e->code));
    if (e->has_offset) {
        json_key(j, "offset");
        json_u64(j, e->offset);
    }
    if (e->line) {
        json_key(j, "line");
        json_u64(j, e->line);
    }
    json_key(j, "message");
    json_text(j, e->text);
    json_end(j);
}

/* Closes {"files":[...]} and lists the files that could not be read. */
static void end_json(struct report *r)
{
    if (r->json.depth == 2) json_end(&r->json);
    if (r->failed.len) {
        json_key(&r->json, "errors");
        json_array(&r->json);
        for (size_t i = 0; i < r->failed.len; i++) put_failed(&r->json, &r->failed.at[i]);
        json_end(&r->json);
    }
    json_end(&r->json);
}

int report_end(struct report *r, assay_error *err)
{
    int rc = 0;
    if (r->table) rc = table_print(r->table, report_table_style(r), r->out, err);
    if (r->style == REPORT_JSON && r->json.depth) end_json(r);
    report_issues_end(r);
    table_free(r->table);
    r->table = NULL;
    vec_done(r->mem, &r->failed);
    if (rc == 0 && r->out_of_memory) rc = error_memory(err);
    return rc;
}

/* ---- shapes and findings ---- */

void report_shapes_json(struct json *j, uint32_t shapes)
{
    json_array(j);
    for (size_t i = 0; i < SHAPES; i++)
        if (shapes & shapes_by_bit[i].bit) json_text(j, shapes_by_bit[i].name);
    json_end(j);
}

const char *report_shapes_text(uint32_t shapes, char *buf, size_t len)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < SHAPES && used < len; i++)
        if (shapes & shapes_by_bit[i].bit) used += (size_t)snprintf(buf + used, len - used, "%s%s", used ? " " : "", shapes_by_bit[i].name);
    return buf;
}

void report_rows_json(struct json *j, uint64_t total, uint64_t shown)
{
    json_key(j, "rows_total");
    json_u64(j, total);
    json_key(j, "truncated");
    json_bool(j, shown < total);
}

void report_finding_json(struct json *j, const assay_finding *f)
{
    json_object(j);
    json_key(j, "rule");
    json_text(j, f->rule);
    json_key(j, "severity");
    json_text(j, assay_severity_name(f->severity));
    if (f->has_offset) {
        json_key(j, "offset");
        json_u64(j, f->offset);
    }
    if (f->line) {
        json_key(j, "line");
        json_u64(j, f->line);
    }
    json_key(j, "message");
    json_text(j, f->message);
    if (f->repeats) {
        json_key(j, "repeats");
        json_u64(j, f->repeats);
    }
    json_end(j);
}

void report_finding_text(struct report *r, const assay_finding *f)
{
    report_ink(r, f->severity == ASSAY_INFO ? REPORT_BOLD : f->severity == ASSAY_WARNING ? REPORT_YELLOW : REPORT_RED);
    output_text(r->out, assay_severity_name(f->severity));
    report_plain(r);
    output_char(r->out, ' ');
    text_show(r->out, slice_of(f->rule));
    output_text(r->out, ": ");
    text_show(r->out, slice_of(f->message));
    if (f->repeats) output_printf(r->out, " (and %llu more)", (unsigned long long)f->repeats);
}

/* ---- values ---- */

const char *report_text(const assay_profile *p, assay_str_id id)
{
    assay_slice s = assay_profile_string(p, id);
    return s.data ? s.data : "";
}

const char *report_percent(char *buf, const struct report *r, double part, double whole)
{
    if (r->style == REPORT_CSV)
        number_percent_exact(buf, part, whole);
    else
        number_percent(buf, part, whole);
    return buf;
}

static bool is_double(const struct assay_metrics *m, uint32_t metric) { return m->type && m->type[metric] == ASSAY_F64; }

static assay_wide wide_total(const struct assay_metrics *m, uint32_t metric) { return m->total ? m->total[metric] : (assay_wide){ 0 }; }

static double double_total(const struct assay_metrics *m, uint32_t metric) { return m->total_double ? m->total_double[metric] : 0; }

void report_total_json(struct json *j, const assay_profile *p, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    if (!metric_has_total(m, metric))
        json_null(j);
    else if (is_double(m, metric))
        json_double(j, double_total(m, metric));
    else
        json_wide(j, wide_total(m, metric));
}

/* ---- text ---- */

void report_blanks(struct output *out, size_t n)
{
    for (; n; n--) output_char(out, ' ');
}

void report_padded(struct output *out, assay_slice s, unsigned width)
{
    unsigned used = text_width(s);
    text_show(out, s);
    if (used < width) report_blanks(out, width - used);
}

void report_ink(const struct report *r, enum report_ink ink)
{
    if (r->color) output_printf(r->out, "\033[%dm", (int)ink);
}

void report_plain(const struct report *r)
{
    if (r->color) output_text(r->out, "\033[0m");
}

void report_cell_u64(struct table *t, uint64_t v)
{
    char buf[48];
    number_put_u64(buf, v);
    table_text(t, buf);
}
