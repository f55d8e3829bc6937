/* A report file by file, and what it changed; or one file, line by line; see assay/store.h. */
#include <stdio.h>

#include "base/json.h"
#include "report/cov_source.h"
#include "report/cov_table.h"
#include "report/cov_view.h"
#include "store/names.h"
#include "store/public/subject.h"

struct job {
    struct cov_view shown; /* how it looks */
    struct subject view;   /* what is shown */
};

/* ---- heads ---- */

static assay_slice propset_of(const struct job *j)
{
    if (subject_kind(&j->view) == COV_BUILD) return j->view.subject.o.build.propset;
    bool is_one = subject_kind(&j->view) == COV_REPORT && j->view.subject.o.report.build_count == 1;
    return is_one ? j->view.subject.o.report.builds[0].propset : (assay_slice){ NULL, 0 };
}

static void put_colored(struct job *j, const char *label, assay_slice value, const char *tail)
{
    cov_ink(j->shown.out, &j->shown.look, "33");
    output_text(j->shown.out, label);
    output_slice(j->shown.out, value);
    output_text(j->shown.out, tail);
    cov_ink(j->shown.out, &j->shown.look, "");
    output_char(j->shown.out, '\n');
}

static void put_build(struct job *j)
{
    assay_slice propset = propset_of(j);
    if (!propset.len) return;
    cov_ink(j->shown.out, &j->shown.look, "33");
    output_text(j->shown.out, "build");
    cov_ink(j->shown.out, &j->shown.look, "");
    output_char(j->shown.out, ' ');
    cov_format_props(j->shown.out, propset, &j->shown.look, false);
    output_char(j->shown.out, '\n');
}

static void put_part_head(struct job *j, assay_slice path)
{
    const char *module = j->view.part.module;
    if (module) put_colored(j, "module ", slice_of(module), "");
    if (path.len) put_colored(j, "directory ", path, "/");
    put_build(j);
    output_char(j->shown.out, '\n');
}

static void put_whole_head(struct job *j)
{
    struct cov_subject s = { .kind = subject_kind(&j->view), .id = j->view.range.to, .load = cov_view_build, .arg = j->view.h->s };
    if (s.kind == COV_REPORT) s.report = &j->view.subject.o.report;
    if (s.kind == COV_BUILD) s.build = &j->view.subject.o.build;
    cov_format_print(j->shown.out, j->shown.format, j->shown.align, &s, &j->shown.look);
}

static void put_file_head(struct job *j, const struct cov_file *f)
{
    char hex[COV_ID_HEX + 1];
    put_colored(j, "file ", f->path, "");
    put_colored(j, "blob ", slice_of(cov_id_hex(&f->contents, hex)), "");
    if (!cov_id_is_zero(&f->functions.id)) output_printf(j->shown.out, "functions %s\n", cov_id_hex(&f->functions.id, hex));
    if (!cov_id_is_zero(&f->lines.id)) output_printf(j->shown.out, "lines %s\n", cov_id_hex(&f->lines.id, hex));
    if (!cov_id_is_zero(&f->branches.id)) output_printf(j->shown.out, "branches %s\n", cov_id_hex(&f->branches.id, hex));
    output_printf(j->shown.out, "stats %u %u %u, %u %u, %u %u\n", f->lines_total, f->lines.summary.relevant, f->lines.summary.visited,
                  f->functions.summary.relevant, f->functions.summary.visited, f->branches.summary.relevant, f->branches.summary.visited);
    put_build(j);
    output_char(j->shown.out, '\n');
}

/* ---- one file ---- */

struct details {
    struct store_object lines, functions;
    bool has_lines, has_functions;
};

static int put_source(struct job *j, const struct cov_file *f, struct names *names, assay_error *err)
{
    struct source source;
    struct arena a;
    assay_slice body;
    struct details d = { 0 };
    arena_init(&a, &j->view.h->mem);
    source_init(&source, &j->view.h->mem);
    int rc = subject_details(&j->view, &f->lines.id, COV_LINES, &d.lines, &d.has_lines, err);
    if (rc == 0) rc = subject_details(&j->view, &f->functions.id, COV_FUNCTIONS, &d.functions, &d.has_functions, err);
    const struct cov_lines *lines = d.has_lines ? &d.lines.o.lines : NULL;
    if (rc == 0) rc = subject_text(&j->view, f, &a, &body, err);
    if (rc == 0) rc = source_view(&source, body, lines, d.has_functions ? &d.functions.o.functions : NULL, names_show, names, err);
    if (rc == 0) cov_source_print(j->shown.out, &source, lines, &j->shown.look);
    if (d.has_lines) store_object_done(&d.lines);
    if (d.has_functions) store_object_done(&d.functions);
    source_done(&source);
    arena_done(&a);
    return rc;
}

static int put_file(struct job *j, const struct cov_file *f, assay_error *err)
{
    struct names names;
    struct git *g = handle_git(j->view.h, NULL);
    put_file_head(j, f);
    cov_table_print(j->shown.out, &j->view.changes, &j->shown.look);
    int rc = names_load(&names, &j->view.h->config, g ? git_root(g) : NULL, &j->view.h->mem, err);
    if (rc == 0) rc = put_source(j, f, &names, err);
    names_done(&names);
    return rc;
}

/* ---- JSON ---- */

static void json_row(struct json *json, const struct change_row *row)
{
    static const char *const kinds[] = { "module", "folder", "file" };
    char name[4096];
    snprintf(name, sizeof name, "%.*s%.*s", (int)row->prefix.len, row->prefix.data, (int)row->name.len, row->name.data);
    json_object(json);
    json_key(json, "kind");
    json_text(json, kinds[row->kind]);
    json_key(json, "name");
    json_text(json, name);
    cov_json_stats(json, &row->now);
    json_key(json, "before");
    json_object(json);
    cov_json_stats(json, &row->before);
    json_end(json);
    json_end(json);
}

static int json_lines(struct job *j, struct json *json, const struct cov_file *f, assay_error *err)
{
    struct store_object o;
    bool found;
    int rc = subject_details(&j->view, &f->lines.id, COV_LINES, &o, &found, err);
    json_key(json, "lines");
    json_array(json);
    if (found) {
        for (size_t i = 0; i < o.o.lines.count; i++) {
            json_object(json);
            json_key(json, "line");
            json_u64(json, o.o.lines.at[i].line);
            json_key(json, "hits");
            json_u64(json, o.o.lines.at[i].hits);
            json_end(json);
        }
        store_object_done(&o);
    }
    json_end(json);
    return rc;
}

static int put_json(struct job *j, const struct cov_file *f, assay_error *err)
{
    int rc = 0;
    struct json json;
    cov_json_begin(&json, j->shown.out, "cov show");
    json_key(&json, "kind");
    json_text(&json, cov_kind_name(subject_kind(&j->view)));
    cov_json_id(&json, "id", &j->view.range.to);
    if (subject_kind(&j->view) == COV_REPORT) {
        json_key(&json, "report");
        json_object(&json);
        cov_json_report(&json, &j->view.range.to, &j->view.subject.o.report, &j->view.h->mem);
        json_end(&json);
    }
    json_key(&json, "rows");
    json_array(&json);
    for (size_t i = 0; i < j->view.changes.rows.len; i++) json_row(&json, &j->view.changes.rows.at[i]);
    json_end(&json);
    json_key(&json, "total");
    json_object(&json);
    cov_json_stats(&json, &j->view.changes.total.now);
    json_end(&json);
    if (f) {
        cov_json_id(&json, "blob", &f->contents);
        rc = json_lines(j, &json, f, err);
    }
    json_end(&json);
    return rc;
}

/* ---- the run ---- */

static int print_view(struct job *j, assay_error *err)
{
    const struct subject *v = &j->view;
    if (j->shown.options.json) return put_json(j, v->file, err);
    if (v->file) return put_file(j, v->file, err);
    if (v->path.len || v->part.module)
        put_part_head(j, v->path);
    else
        put_whole_head(j);
    cov_table_print(j->shown.out, &v->changes, &j->shown.look);
    return 0;
}

int assay_store_print_show(assay_store *h, const char *revision, const struct assay_store_print *options, const struct assay_report_sink *sink,
                           assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct job j;
    int rc = cov_view_begin(&j.shown, h, options, sink, err);
    if (rc == 0) {
        rc = subject_open(&j.view, h, revision, j.shown.options.part, err);
        if (rc == 0) rc = print_view(&j, err);
        subject_done(&j.view);
    }
    return cov_view_end(&j.shown, rc, err);
}
