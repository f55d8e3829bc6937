/* assay cov report: a report JSON, perhaps made by a filter, joins the current branch. */
#include <string.h>

#include "base/error.h"
#include "cli/cov/filter.h"
#include "cli/cov/strip.h"
#include "cli/cov/view.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "filter",
      .letter = 'f',
      .type = OPTION_TEXT,
      .argument = "FILTER",
      AT(cov.filter),
      .help = "run FILE through this filter first",
      .text = "strip-excludes is built in: it removes lines marked by GCOV_EXCL_LINE, _START and _STOP in the sources. Others are found in $COV_FILTER_PATH "
              "and in share/cov/filters where assay is installed. Arguments for the filter follow '--'." },
    { .name = "prop",
      .letter = 'p',
      .type = OPTION_LIST,
      .argument = "NAME=VALUE",
      AT(cov.props),
      .help = "set a property of the build; can be repeated",
      .text = "on, true, off and false are booleans, whole numbers are numbers, everything else is text; put a value in quotes to force text." },
    { .name = "amend", .type = OPTION_FLAG, AT(cov.amend), .help = "replace the newest report of the branch" },
    { .name = "add", .type = OPTION_FLAG, AT(cov.add), .help = "add a build to the newest report, keeping its builds and merging their files" },
    { .name = "exact",
      .letter = 'x',
      .type = OPTION_FLAG,
      AT(exact),
      .help = "write exactly the objects that the program cov would, including its faults",
      .text = "The setting core.exact does the same." },
    { .name = "out",
      .letter = 'o',
      .type = OPTION_PATH,
      .argument = "FILE",
      AT(output),
      .help = "write the output of the filter to FILE and import nothing; '-' is standard output" },
    { .name = "color",
      .type = OPTION_WORD,
      .argument = "WHEN",
      AT(color),
      .words = COLOR_WORDS,
      .help = "colour the text: auto (the default; here the same as always) or never" },
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Imports a JSON report, as written by cov filters, for the commit it names. 'assay cov import' reads any coverage format.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov report coverage.json", "add a report for the commit it names" },
    { "assay cov report coverage.json -f strip-excludes -p os=linux", "without excluded lines, as the build for linux" },
    { NULL, NULL },
};

struct job {
    struct cov v;
    struct arena arena;
    const char *file;
};

static void warn(void *arg, const char *path, const char *message)
{
    (void)arg;
    cli_message("%s%s%s", path ? path : "", path ? ": " : "", message);
}

/* ---- the input ---- */

/* The folder that filters run in: the work tree, or the git directory when there is none. */
static const char *filter_folder(struct job *j)
{
    const char *git_dir = NULL, *tree = NULL;
    if (assay_store_git(j->v.store, NULL, &tree, NULL) == 0 && tree) return tree;
    return assay_store_git(j->v.store, &git_dir, NULL, NULL) == 0 ? git_dir : NULL;
}

/* 0, or an exit code. */
static int filtered(struct job *j, assay_slice *out, assay_error *err)
{
    const struct settings *s = &j->v.c->set;
    enum filter_outcome outcome = FILTER_DONE;
    int status = 0, rc;
    size_t own = s->dashes < s->files.len ? s->dashes : s->files.len;
    struct filter_run f = { s->cov.filter, j->file, filter_folder(j), s->files.at + own, s->files.len - own };
    if (strcmp(f.name, "strip-excludes") == 0)
        rc = strip_run(j->v.c, &f, &j->arena, out, &status, err);
    else
        rc = filter_run(&f, &j->arena, &j->v.c->mem, out, &outcome, &status, err);
    if (rc != 0) return cov_say(err, COV_REFUSED);
    if (outcome == FILTER_DONE && status) outcome = FILTER_FAILED;
    if (outcome == FILTER_MISSING) return cli_message("unknown filter '%s'", f.name), COV_REFUSED;
    if (outcome == FILTER_UNUSABLE) return cli_message("cannot run the filter '%s'", f.name), COV_REFUSED;
    if (outcome == FILTER_FAILED) return cli_message("the filter '%s' exited with status %d", f.name, status), COV_REFUSED;
    return 0;
}

static int write_text(struct job *j, assay_slice filter_text)
{
    struct output *out;
    if (!cli_open_output(j->v.c, &out)) return COV_REFUSED;
    output_slice(out, filter_text);
    return cli_close_output(j->v.c, out) == 0 ? COV_DONE : COV_REFUSED;
}

/* ---- the import ---- */

static int import_exit(const assay_error *err)
{
    bool is_refused = err->code == ASSAY_ERR_UNKNOWN || err->code == ASSAY_ERR_WRITE || err->code == ASSAY_ERR_LIMIT || err->code == ASSAY_ERR_SYSTEM;
    return cov_say(err, is_refused ? COV_REFUSED : COV_WRONG);
}

static int print_result(struct job *j, const assay_store_imported *result)
{
    struct output *out;
    assay_error err = { 0 };
    const char *branch = strncmp(result->reference, "refs/heads/", 11) == 0 ? result->reference + 11 : NULL;
    j->v.c->set.output = NULL;
    if (!cli_open_output(j->v.c, &out)) return COV_REFUSED;
    int rc = 0;
    if (!result->changed)
        output_text(out, "no changes in reported coverage\n");
    else
        rc = cov_result_print(&j->v, out, &result->report, branch, &err);
    if (rc != 0 && !output_failed(out)) cov_fail(&j->v, &err);
    int code = cli_close_output(j->v.c, out);
    return rc != 0 ? COV_WRONG : code;
}

/* `made` is what a filter wrote; NULL = the file itself. */
static int import(struct job *j, const assay_slice *made)
{
    const struct settings *s = &j->v.c->set;
    assay_error err = { 0 };
    assay_store_import *import;
    assay_store_imported result;
    const struct assay_store_import_options o = {
        .size = sizeof o, .props = s->cov.props.at, .prop_count = s->cov.props.len, .amend = s->cov.amend, .add = s->cov.add, .exact = s->exact, .warn = warn
    };
    int code = COV_DONE, rc = assay_store_import_new(j->v.store, &o, &import, &err);
    if (rc != 0) return cov_say(&err, rc == ASSAY_ERR_USAGE || rc == ASSAY_ERR_MEMORY ? COV_WRONG : COV_REFUSED);
    rc = made ? assay_store_import_json(import, j->file, made->data, made->len, &err) : assay_store_import_json(import, j->file, NULL, 0, &err);
    if (rc != 0)
        code = cov_say(&err, rc == ASSAY_ERR_SYSTEM ? COV_REFUSED : COV_WRONG);
    else if (assay_store_import_end(import, &result, &err) != 0)
        code = import_exit(&err);
    else
        code = print_result(j, &result);
    assay_store_import_free(import);
    return code;
}

static int run_open(struct job *j)
{
    const struct settings *s = &j->v.c->set;
    assay_error err = { 0 };
    assay_slice made = { NULL, 0 };
    int code = s->cov.filter ? filtered(j, &made, &err) : 0;
    if (code != 0) return code;
    if (s->output) return write_text(j, made);
    return import(j, s->cov.filter ? &made : NULL);
}

static int run(struct cli *c)
{
    const struct settings *s = &c->set;
    struct job j = { .file = s->files.at[0] };
    if (s->dashes == 0) return cli_usage(c->verb, "no report given");
    if (s->files.len > 1 && s->dashes > 1) return cli_usage(c->verb, "only one report is allowed; unexpected argument '%s'", s->files.at[1]);
    if (s->files.len > 1 && !s->cov.filter) return cli_usage(c->verb, "arguments after '--' are for a filter; use --filter");
    if (s->output && (!s->cov.filter || s->cov.amend)) return cli_usage(c->verb, "--out needs --filter and cannot be combined with --amend");
    if (s->cov.add && s->cov.amend) return cli_usage(c->verb, "--add and --amend cannot be combined");
    int code = cov_open(&j.v, c);
    arena_init(&j.arena, &c->mem);
    if (code == 0) code = run_open(&j);
    arena_done(&j.arena);
    cov_close(&j.v);
    return code;
}

const struct verb cov_report_verb = { .name = "cov report",
                                      .summary = "add a report",
                                      .arguments = "FILE [-- FILTER-ARGUMENTS]",
                                      .least_files = 1,
                                      .most_files = SIZE_MAX,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };
