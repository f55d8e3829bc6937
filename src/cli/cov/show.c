/* assay cov show: a report file by file, and what it changed; or one file, line by line. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cov/view.h"
#include "cli/shared.h"
#include "report/cov_source.h"
#include "report/cov_table.h"
#include "store/names.h"

static const struct option_spec options[] = {
    { .name = "module", .letter = 'm', .type = OPTION_TEXT, .argument = "NAME", AT(cov.module), .help = "only files in this module" },
    { .name = "prop",
      .letter = 'p',
      .type = OPTION_LIST,
      .argument = "NAME=VALUE",
      AT(cov.props),
      .help = "only the build with this property",
      .text = "Can be repeated: all must match, and exactly one build must remain." },
    COV_OPTION_FORMAT,
    COV_OPTIONS_LOOK,
    { .name = "strict", .type = OPTION_FLAG, AT(strict), .help = "treat a damaged object as an error instead of a missing one" },
    OPTION_COLOR,
    OPTION_JSON,
    OPTION_NO_PAGER,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Shows the report at REVISION, HEAD by default, with a table of its directories, files and modules and how they changed since the previous report; a range "
    "A..B compares B with their common ancestor. REVISION can also be the id of a build or of a file list.",
    "PATH after a colon is a directory of the table, or a file: its source is then shown with line counts, around missed lines.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov show", "the newest report" },
    { "assay cov show v1.0..", "everything since v1.0" },
    { "assay cov show HEAD:src/main.c", "one file, around its missed lines" },
    { NULL, NULL },
};

struct job {
    struct cov v;
    struct cov_view view;
    struct output *out;
    struct cov_range range;
    struct store_object subject; /* a report, a build or a list of files */
    struct store_object list;    /* of the subject, unless it is one itself */
    struct store_object before;  /* the list it is compared with */
    bool has_subject, has_list, has_before;
    struct cov_id now_commit, before_commit;
    struct modules modules;
    struct changes changes;
};

/* ---- what is shown ---- */

static const struct cov_files *files_of(const struct job *j) { return j->has_list ? &j->list.o.files : &j->subject.o.files; }
static enum cov_kind kind_of(const struct job *j) { return j->subject.o.kind; }

static int read_list(struct job *j, const struct cov_id *id, assay_error *err)
{
    TRY(store_read(j->v.store, id, COV_FILES, &j->list, err));
    j->has_list = true;
    return 0;
}

static int read_subject(struct job *j, assay_error *err)
{
    const struct cov_id *id = &j->range.to;
    if (cov_id_is_zero(id) || (j->range.text.is_range && cov_id_is_zero(&j->range.from)))
        FAIL(err, ASSAY_ERR_UNKNOWN, "'%s' is before the first report, or its ends have no common ancestor", j->v.c->set.files.at[0]);
    TRY(store_read(j->v.store, id, COV_NONE, &j->subject, err));
    j->has_subject = true;
    switch (kind_of(j)) {
    case COV_REPORT: return read_list(j, &j->subject.o.report.file_list, err);
    case COV_BUILD: return read_list(j, &j->subject.o.build.file_list, err);
    case COV_FILES: return 0;
    default: FAIL(err, ASSAY_ERR_UNKNOWN, "this object is not a report, a build or a file list");
    }
}

/* The list of a single build of the report, when properties ask for one. */
static int choose_build(struct job *j, assay_error *err)
{
    const struct words *typed = &j->v.c->set.cov.props;
    const struct cov_report *r = &j->subject.o.report;
    struct props wanted, has;
    struct cov_build build;
    size_t found = 0, which = 0;
    if (!typed->len) return 0;
    if (kind_of(j) != COV_REPORT) FAIL(err, ASSAY_ERR_USAGE, "--prop needs a report");
    props_init(&wanted, &j->v.c->mem);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < typed->len; i++) rc = props_add(&wanted, typed->at[i], err);
    for (size_t i = 0; rc == 0 && i < r->build_count; i++) {
        props_init(&has, &j->v.c->mem);
        rc = props_parse(&has, r->builds[i].propset, err);
        if (rc == 0 && props_have(&has, &wanted)) found++, which = i;
        props_done(&has);
    }
    props_done(&wanted);
    TRY(rc);
    if (found != 1) FAIL(err, ASSAY_ERR_UNKNOWN, "%zu of the %zu builds of the report match these properties; exactly one must", found, r->build_count);
    if (cov_view_build(j->v.store, &r->builds[which].build, &build) != 0) FAIL(err, ASSAY_ERR_DAMAGED, "cannot read the build");
    store_object_done(&j->list);
    j->has_list = false;
    return read_list(j, &build.file_list, err);
}

/* The report on the left: of a range, or the parent. None for the first report, and for what is no report. */
static int read_before(struct job *j, assay_error *err)
{
    struct store_object o;
    struct cov_id id = j->range.text.is_range ? j->range.from : j->subject.o.report.parent;
    if (kind_of(j) != COV_REPORT || cov_id_is_zero(&id) || j->v.c->set.cov.props.len) return 0;
    TRY(store_read(j->v.store, &id, COV_REPORT, &o, err));
    j->now_commit = j->subject.o.report.commit;
    j->before_commit = o.o.report.commit;
    id = o.o.report.file_list;
    store_object_done(&o);
    TRY(store_read(j->v.store, &id, COV_FILES, &j->before, err));
    j->has_before = true;
    return 0;
}

/* Of the work tree when it is at the commit of the report, else of the commit. */
static int read_modules(struct job *j, assay_error *err)
{
    struct cov_id head;
    char path[GIT_PATH_LEN];
    struct git *g = kind_of(j) == COV_REPORT ? cov_git(&j->v, NULL) : NULL;
    if (!g) return 0;
    const char *tree = git_root(g);
    bool is_current = tree && git_head(g, &head, NULL) == 0 && cov_id_compare(&head, &j->subject.o.report.commit) == 0;
    if (!is_current) return modules_load_commit(&j->modules, g, &j->subject.o.report.commit, err);
    return snprintf(path, sizeof path, "%s.covmodules", tree) < (int)sizeof path ? modules_load(&j->modules, path, err) : 0;
}

static int compare(struct job *j, assay_error *err)
{
    struct git *g = j->has_before ? cov_git(&j->v, NULL) : NULL;
    struct changes_view view = { .now = files_of(j), .before = j->has_before ? &j->before.o.files : NULL, .modules = &j->modules };
    if (g) TRY(changes_find_renames(&j->changes, g, &j->before_commit, &j->now_commit, err));
    if (j->v.c->set.cov.module) view.module = slice_of(j->v.c->set.cov.module);
    view.path = j->range.text.path;
    return changes_compare(&j->changes, &view, err);
}

/* ---- heads ---- */

static assay_slice propset_of(const struct job *j)
{
    if (kind_of(j) == COV_BUILD) return j->subject.o.build.propset;
    bool is_one = kind_of(j) == COV_REPORT && j->subject.o.report.build_count == 1;
    return is_one ? j->subject.o.report.builds[0].propset : (assay_slice){ NULL, 0 };
}

static void put_colored(struct job *j, const char *label, assay_slice value, const char *tail)
{
    cov_ink(j->out, &j->view.look, "33");
    output_text(j->out, label);
    output_slice(j->out, value);
    output_text(j->out, tail);
    cov_ink(j->out, &j->view.look, "");
    output_char(j->out, '\n');
}

static void put_build(struct job *j)
{
    assay_slice propset = propset_of(j);
    if (!propset.len) return;
    cov_ink(j->out, &j->view.look, "33");
    output_text(j->out, "build");
    cov_ink(j->out, &j->view.look, "");
    output_char(j->out, ' ');
    cov_format_props(j->out, propset, &j->view.look, false);
    output_char(j->out, '\n');
}

static void put_part_head(struct job *j, assay_slice path)
{
    const char *module = j->v.c->set.cov.module;
    if (module) put_colored(j, "module ", slice_of(module), "");
    if (path.len) put_colored(j, "directory ", path, "/");
    put_build(j);
    output_char(j->out, '\n');
}

static void put_whole_head(struct job *j)
{
    struct cov_subject s = { .kind = kind_of(j), .id = j->range.to, .load = cov_view_build, .arg = j->v.store };
    if (s.kind == COV_REPORT) s.report = &j->subject.o.report;
    if (s.kind == COV_BUILD) s.build = &j->subject.o.build;
    cov_format_print(j->out, j->view.format, j->view.align, &s, &j->view.look);
}

static void put_file_head(struct job *j, const struct cov_file *f)
{
    char hex[COV_ID_HEX + 1];
    put_colored(j, "file ", f->path, "");
    put_colored(j, "blob ", slice_of(cov_id_hex(&f->contents, hex)), "");
    if (!cov_id_is_zero(&f->functions.id)) output_printf(j->out, "functions %s\n", cov_id_hex(&f->functions.id, hex));
    if (!cov_id_is_zero(&f->lines.id)) output_printf(j->out, "lines %s\n", cov_id_hex(&f->lines.id, hex));
    if (!cov_id_is_zero(&f->branches.id)) output_printf(j->out, "branches %s\n", cov_id_hex(&f->branches.id, hex));
    output_printf(j->out, "stats %u %u %u, %u %u, %u %u\n", f->lines_total, f->lines.summary.relevant, f->lines.summary.visited, f->functions.summary.relevant,
                  f->functions.summary.visited, f->branches.summary.relevant, f->branches.summary.visited);
    put_build(j);
    output_char(j->out, '\n');
}

/* ---- one file ---- */

/* The text of the source: git's, or the store's own. */
static int read_text(struct job *j, const struct cov_file *f, struct arena *a, assay_slice *out, assay_error *err)
{
    struct git *g = cov_git(&j->v, NULL);
    if (g && git_blob_read(g, &f->contents, a, out, NULL) == 0) return 0;
    return store_read_blob(j->v.store, &f->contents, a, out, err);
}

struct details {
    struct store_object lines, functions;
    bool has_lines, has_functions;
};

/* What cannot be read is left out, unless --strict asks for all. */
static int read_details(struct job *j, const struct cov_id *id, enum cov_kind kind, struct store_object *out, bool *found, assay_error *err)
{
    *found = !cov_id_is_zero(id);
    int rc = *found ? store_read(j->v.store, id, kind, out, err) : 0;
    *found = *found && rc == 0;
    return j->v.c->set.strict || rc == ASSAY_ERR_MEMORY ? rc : 0;
}

static int put_source(struct job *j, const struct cov_file *f, struct names *names, assay_error *err)
{
    struct source source;
    struct arena a;
    assay_slice body;
    struct details d = { 0 };
    arena_init(&a, &j->v.c->mem);
    source_init(&source, &j->v.c->mem);
    int rc = read_details(j, &f->lines.id, COV_LINES, &d.lines, &d.has_lines, err);
    if (rc == 0) rc = read_details(j, &f->functions.id, COV_FUNCTIONS, &d.functions, &d.has_functions, err);
    const struct cov_lines *lines = d.has_lines ? &d.lines.o.lines : NULL;
    if (rc == 0) rc = read_text(j, f, &a, &body, err);
    if (rc == 0) rc = source_view(&source, body, lines, d.has_functions ? &d.functions.o.functions : NULL, names_show, names, err);
    if (rc == 0) cov_source_print(j->out, &source, lines, &j->view.look);
    if (d.has_lines) store_object_done(&d.lines);
    if (d.has_functions) store_object_done(&d.functions);
    source_done(&source);
    arena_done(&a);
    return rc;
}

static int put_file(struct job *j, const struct cov_file *f, assay_error *err)
{
    struct names names;
    struct git *g = cov_git(&j->v, NULL);
    put_file_head(j, f);
    cov_table_print(j->out, &j->changes, &j->view.look);
    int rc = names_load(&names, &j->v.config, g ? git_root(g) : NULL, &j->v.c->mem, err);
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
    int rc = read_details(j, &f->lines.id, COV_LINES, &o, &found, err);
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
    cov_json_begin(&json, j->out, "cov show");
    json_key(&json, "kind");
    json_text(&json, cov_kind_name(kind_of(j)));
    cov_json_id(&json, "id", &j->range.to);
    if (kind_of(j) == COV_REPORT) {
        json_key(&json, "report");
        json_object(&json);
        cov_json_report(&json, &j->range.to, &j->subject.o.report, &j->v.c->mem);
        json_end(&json);
    }
    json_key(&json, "rows");
    json_array(&json);
    for (size_t i = 0; i < j->changes.rows.len; i++) json_row(&json, &j->changes.rows.at[i]);
    json_end(&json);
    json_key(&json, "total");
    json_object(&json);
    cov_json_stats(&json, &j->changes.total.now);
    json_end(&json);
    if (f) {
        cov_json_id(&json, "blob", &f->contents);
        rc = json_lines(j, &json, f, err);
    }
    json_end(&json);
    return rc;
}

/* ---- the run ---- */

static int show(struct job *j, assay_error *err)
{
    const struct settings *s = &j->v.c->set;
    TRY(cov_range_find(&j->v, s->files.len ? s->files.at[0] : NULL, true, &j->range, err));
    assay_slice path = j->range.text.path;
    while (path.len && path.data[path.len - 1] == '/') path.len--;
    TRY(read_subject(j, err));
    TRY(choose_build(j, err));
    TRY(read_before(j, err));
    TRY(read_modules(j, err));
    TRY(compare(j, err));
    const struct cov_file *file = path.len ? changes_find(files_of(j), path) : NULL;
    bool is_part = path.len || s->cov.module;
    if (is_part && !j->changes.matched && kind_of(j) == COV_REPORT)
        FAIL(err, ASSAY_ERR_UNKNOWN, "no file of the report matches the %s", s->cov.module ? "module" : "path");
    if (s->json) return put_json(j, file, err);
    if (file) return put_file(j, file, err);
    if (is_part)
        put_part_head(j, path);
    else
        put_whole_head(j);
    cov_table_print(j->out, &j->changes, &j->view.look);
    return 0;
}

static void done(struct job *j)
{
    if (j->has_subject) store_object_done(&j->subject);
    if (j->has_list) store_object_done(&j->list);
    if (j->has_before) store_object_done(&j->before);
    modules_done(&j->modules);
    changes_done(&j->changes);
    cov_view_done(&j->view);
    cov_close(&j->v);
}

static int run(struct cli *c)
{
    struct job j = { 0 };
    assay_error err = { 0 };
    int code = cov_open(&j.v, c);
    modules_init(&j.modules, &c->mem);
    changes_init(&j.changes, &c->mem);
    if (code == 0 && cov_view_init(&j.view, &j.v, &err) != 0) code = cov_fail(&j.v, &err);
    if (code == 0 && !c->set.no_pager && !c->set.json) terminal_start_pager(&c->term);
    if (code == 0 && !cli_open_output(c, &j.out))
        code = COV_WRONG;
    else if (code == 0) {
        if (show(&j, &err) != 0) code = cov_fail(&j.v, &err);
        if (cli_close_paged(c, j.out) != 0) code = COV_WRONG;
    }
    done(&j);
    return code;
}

const struct verb cov_show_verb = { .name = "cov show",
                                    .summary = "show a report, what it changed, or a file",
                                    .arguments = "[REVISION|A..B][:PATH]",
                                    .most_files = 1,
                                    .options = options,
                                    .text = text,
                                    .examples = examples,
                                    .run = run };
