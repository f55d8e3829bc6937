/* The table entry of `html`, and how its pages become a folder or one file. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/slice.h"
#include "formats/html/site.h"

/* ---- one file ---- */

static int put_page_parts(struct site *s, struct output *o, assay_error *err)
{
    char page[HTML_NAME_MAX];
    for (size_t i = 0; i < s->tree.rows.len; i++) {
        if (!s->tree.rows.at[i].file) continue;
        html_page_name(page, s->tree.rows.at[i].path);
        output_printf(o, "<script type=\"text/html\" id=\"%s\">\n", page);
        TRY(html_source(o, s, &s->tree.rows.at[i], err));
        output_text(o, "</script>\n");
    }
    return 0;
}

static int write_single(struct site *s, struct output *o, assay_error *err)
{
    s->is_single = true;
    html_head(o, s, s->title, false);
    html_overview(o, s);
    output_text(o, "<main id=page hidden></main>\n");
    TRY(put_page_parts(s, o, err));
    html_tail(o, s, false);
    return 0;
}

/* ---- a folder ---- */

static int put_asset(struct output_dir *d, const char *name, const char *text, size_t len, assay_error *err)
{
    struct output *o;
    TRY(output_dir_file(d, name, &o, err));
    output_bytes(o, text, len);
    return output_commit(o, err);
}

static int put_index(struct site *s, struct output_dir *d, assay_error *err)
{
    struct output *o;
    TRY(output_dir_file(d, "index.html", &o, err));
    html_head(o, s, s->title, false);
    html_overview(o, s);
    html_tail(o, s, false);
    return output_commit(o, err);
}

static int put_file(struct site *s, struct output_dir *d, const struct tree_row *row, assay_error *err)
{
    char page[HTML_NAME_MAX], name[HTML_NAME_MAX + 16];
    struct output *o;
    html_page_name(page, row->path);
    snprintf(name, sizeof name, "files/%s.html", page);
    TRY(output_dir_file(d, name, &o, err));
    html_head(o, s, row->path, true);
    output_text(o, "<main id=page>\n");
    int rc = html_source(o, s, row, err);
    output_text(o, "</main>\n");
    html_tail(o, s, true);
    if (rc == 0) return output_commit(o, err);
    output_abort(o);
    return rc;
}

static int write_folder(struct site *s, struct output_dir *d, assay_error *err)
{
    TRY(put_asset(d, "style.css", html_style, html_style_len, err));
    TRY(put_asset(d, "app.js", html_script, html_script_len, err));
    TRY(put_index(s, d, err));
    for (size_t i = 0; i < s->tree.rows.len; i++)
        if (s->tree.rows.at[i].file) TRY(put_file(s, d, &s->tree.rows.at[i], err));
    return 0;
}

/* ---- the entry ---- */

static int refuse(const assay_profile *p, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    if (c->line_count || c->func_count || c->branch_count || c->sum_count || c->condition_count || c->region_count) return 0;
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "html shows coverage, and this file has none");
}

static int with_site(const assay_profile *p, const struct write_job *job, struct output *file, struct output_dir *dir, assay_error *err)
{
    static const struct assay_filter nothing;
    const struct assay_filter *filter = job->options->filter ? job->options->filter : &nothing;
    const char *title = html_options(job)->title;
    struct site s = { .profile = p, .job = job, .title = title ? slice_of(title) : SLICE("Coverage"), .has_roots = filter->source_root_count > 0 };
    int rc = coverage_tree_init(&s.tree, job->mem, p, err);
    if (rc == 0) rc = source_paths_init(&s.paths, p, filter, job->mem, err);
    if (rc == 0) rc = coverage_view_init(&s.view, job->mem, p, err);
    if (rc == 0) rc = file ? write_single(&s, file, err) : write_folder(&s, dir, err);
    if (s.paths.mem) source_paths_done(&s.paths);
    if (s.view.mem) coverage_view_done(&s.view);
    coverage_tree_done(&s.tree);
    return rc;
}

static int html_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    TRY(refuse(p, err));
    TRY(losses_settle(job, err));
    return with_site(p, job, out, NULL, err);
}

static int html_write_dir(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err)
{
    TRY(refuse(p, err));
    TRY(losses_settle(job, err));
    return with_site(p, job, NULL, out, err);
}

/* Only a folder that such a site is in: it may be replaced. It is never read. */
static int probe(const struct probe *p, const char **why)
{
    char head[1];
    *why = "directory of pages written by assay";
    return p->is_dir && folder_peek(p->path, "index.html", head, 1) >= 0 && folder_peek(p->path, "app.js", head, 1) >= 0 ? 5 : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".html", NULL };
static const char *const versions[] = { "1", NULL };
static const char *const dir_names[] = { "index.html", "app.js", "style.css", "files", NULL };

static const struct option_spec writing[] = {
    { .name = "title", .type = OPTION_TEXT, .argument = "TEXT", .at = offsetof(struct html_options, title), .help = "the heading of the overview" },
    { .name = "single-file",
      .type = OPTION_FLAG,
      .at = offsetof(struct html_options, single_file),
      .help = "write a single file with all pages instead of a directory",
      .text = "The default if the name of the output ends with .html." },
    { .name = NULL },
};

static bool wants_file(const struct write_job *job) { return html_options(job)->single_file; }

const struct format html_format = {
    .info = { "html", "coverage report for a browser: a directory, or one file", extensions, versions, "", ASSAY_SHAPE_COVERAGE, ASSAY_CAN_WRITE,
              ASSAY_HAS_64_BITS | ASSAY_HAS_SOURCES },
    .probe = probe,
    .write = html_write,
    .write_dir = html_write_dir,
    .writing = { writing, sizeof(struct html_options) },
    .wants_file = wants_file,
    .dir_names = dir_names,
    .write_wants = write_wants,
};
