/* assay annotate: sources beside what was measured of them. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/annotate.h"
#include "base/error.h"
#include "base/path.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/verbs.h"

enum { FILES_DEFAULT = 10 };

static const struct option_spec options[] = {
    { .name = "file",
      .type = OPTION_LIST,
      .argument = "GLOB",
      AT(wanted_files),
      .help = "only files whose path fits GLOB",
      .text = "As in --include, but what is measured of other files is left as it is. May be given again." },
    { .name = "function",
      .type = OPTION_LIST,
      .argument = "NAME",
      AT(wanted_functions),
      .help = "only the lines of the function NAME",
      .text = "May be given again." },
    { .name = "missing", .type = OPTION_FLAG, AT(missing), .help = "only lines that were not hit, or not whole, and two around them" },
    { .name = "metric", .letter = 'm', .type = OPTION_TEXT, .argument = "NAME", AT(metric), .help = "the cost to show; the first metric by default" },
    OPTION_LIMIT("show at most N files; 10 by default, 0 = all"),
    OPTION_EXACT,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTION_STRICT_READ,
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_SELECT_BUT_FILE,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Prints the sources that each FILE speaks of, with what was measured of each line before it: how often it was executed, which of its branches were "
    "taken ([+ - #]: taken, not taken, never evaluated), functions with their calls; and of profiles what the line cost itself (self) and together "
    "with the calls made from it (total). '!' marks a line that was missed, '~' one that was hit but not whole, 'x' one that does not count.",
    "Sources are taken from the profile where it has them, else from where --map and --source-root say, else from the path as written. Where none is "
    "found the places that were tried are named, and the figures are printed without text.",
    NULL,
};

static const struct example examples[] = {
    { "assay annotate --missing --source-root . coverage.info", "what is not covered, in its context" },
    { "assay annotate --file 'a.*' --map /builds/app=. coverage.xml", "files by name, built elsewhere" },
    { "assay annotate --function main --metric Dr callgrind.out.4711", "what the lines of a function cost" },
    { NULL, NULL },
};

/* ---- what is wanted ---- */

static int choose_metric(const struct cli *c, const struct annotate *a, uint32_t *k, assay_error *err)
{
    const assay_profile *p = a->graph ? a->graph : a->profile;
    const struct assay_metrics *m = assay_profile_metrics(p);
    uint32_t count = a->block ? a->block->metric_count : 0;
    for (*k = 0; *k < count; ++*k) {
        uint32_t metric = a->block->metrics[*k].v;
        if (c->set.metric ? slice_is(assay_profile_string(p, m->name[metric]), c->set.metric) : !m->hidden || !m->hidden[metric]) return 0;
    }
    *k = 0;
    if (c->set.metric) FAIL(err, ASSAY_ERR_USAGE, "no line has a metric '%.60s'; 'assay info' lists the metrics", c->set.metric);
    return 0;
}

static bool fits_any(assay_slice path, const struct words *patterns)
{
    for (size_t i = 0; i < patterns->len; i++)
        if (path_fits(path, patterns->at[i])) return true;
    return false;
}

/* Cost is not filtered when it is read: the patterns count here. */
static bool is_wanted(struct cli *c, struct annotate *a, uint32_t file, bool *failed)
{
    const struct settings *s = &c->set;
    const char *path = source_paths_plain(&a->paths, assay_profile_string(a->profile, assay_profile_files(a->profile)->path[file]));
    if (!path) {
        *failed = true;
        return false;
    }
    assay_slice p = slice_of(path);
    return (!s->includes.len || fits_any(p, &s->includes)) && !fits_any(p, &s->excludes) && (!s->wanted_files.len || fits_any(p, &s->wanted_files));
}

/* ---- one input ---- */

static int show_file(struct cli *c, struct report *r, struct annotate *a, struct report_annotate *n, uint32_t first, uint32_t last, assay_error *err)
{
    TRY(annotate_file(a, n->file, err));
    annotate_select(a, first, last, c->set.missing ? ANNOTATE_ONLY_MISSED : ANNOTATE_ALL);
    bool is_any = !c->set.missing;
    for (size_t i = 0; i < a->rows.len && !is_any; i++) is_any = a->rows.at[i].is_shown;
    if (is_any) report_annotate_file(r, n);
    return 0;
}

static int show_functions(struct cli *c, struct report *r, struct annotate *a, struct report_annotate *n, assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(a->profile);
    for (size_t w = 0; w < c->set.wanted_functions.len; w++) {
        const char *name = c->set.wanted_functions.at[w];
        bool is_found = false;
        for (uint32_t i = 1; i <= f->count; i++) {
            uint32_t first, last;
            if (!slice_is(assay_profile_string(a->profile, f->name[i]), name)) continue;
            if (!annotate_function(a, i, &n->file, &first, &last) || !annotate_has(a, n->file)) continue;
            is_found = true;
            TRY(show_file(c, r, a, n, first, last, err));
        }
        if (!is_found) FAIL(err, ASSAY_ERR_USAGE, "there is no function '%.200s' with lines", name);
    }
    return 0;
}

static int show_files(struct cli *c, struct report *r, struct annotate *a, struct report_annotate *n, assay_error *err)
{
    uint64_t limit = !c->set.has_limit ? FILES_DEFAULT : c->set.limit ? c->set.limit : UINT64_MAX;
    uint32_t *order = mem_zalloc(&c->mem, (size_t)a->files + 1, sizeof *order), count = 0, wanted = 0;
    bool failed = false;
    int rc = order ? annotate_order(a, n->k, order, &count, err) : error_memory(err);
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        if (!is_wanted(c, a, order[i], &failed)) continue;
        wanted++;
        n->file = order[i];
        if (n->shown < limit)
            rc = show_file(c, r, a, n, 0, 0, err);
        else
            n->left_out++;
    }
    if (rc == 0 && failed) rc = error_memory(err);
    if (rc == 0 && !wanted) rc = error_set(err, ASSAY_ERR_USAGE, "none of its %u files with figures of lines is wanted", count);
    mem_free(&c->mem, order, ((size_t)a->files + 1) * sizeof *order);
    return rc;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int show(struct cli *c, struct report *r, const char *path, const assay_profile *p, assay_error *err)
{
    struct annotate a;
    struct report_annotate n = { .a = &a, .path = path };
    int rc = annotate_init(&a, p, &c->filter, is_folder(path) ? path : NULL, &c->mem, err);
    if (rc == 0) rc = choose_metric(c, &a, &n.k, err);
    if (rc == 0 && c->set.missing && !a.has_coverage) rc = error_set(err, ASSAY_ERR_USAGE, "--missing is for coverage; it has none");
    if (rc == 0) {
        report_annotate_begin_input(r, &n);
        rc = c->set.wanted_functions.len ? show_functions(c, r, &a, &n, err) : show_files(c, r, &a, &n, err);
        report_annotate_end_input(r, &n);
    }
    annotate_done(&a);
    return rc;
}

static void run_file(struct cli *c, struct report *r, const char *path)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    int rc = cli_read_profile(c, path, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE, &p, &err);
    if (rc == 0) rc = show(c, r, path, p, &err);
    if (rc != 0) {
        error_path(&err, path);
        report_failed(r, path, &err);
        cli_fail(c, &err);
    }
    assay_profile_release(p);
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    report_annotate_begin(&r);
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) run_file(c, &r, c->set.files.at[i]);
    return cli_end_report(c, &r);
}

const struct verb annotate_verb = { "annotate", "show sources with hits and cost", "FILE...", 1, SIZE_MAX, options, text, examples, run };
