/* assay annotate: sources beside what was measured of them. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/annotate/annotate.h"
#include "analysis/core/metric_columns.h"
#include "analysis/coverage/copy.h"
#include "base/error.h"
#include "base/path.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/shared.h"
#include "cli/verbs.h"

enum { FILES_DEFAULT = 10, CONTEXT_MISSED = 2, CONTEXT_HOT = 8 /* as callgrind_annotate has it */ };

static const double LEAST_DEFAULT = 0.001;

static const struct option_spec options[] = {
    { .name = "file",
      .type = OPTION_LIST,
      .argument = "GLOB",
      AT(wanted_files),
      .help = "only files whose path matches GLOB",
      .text = "Like --include, but without changing the figures of other files. Can be repeated." },
    { .name = "function",
      .type = OPTION_LIST,
      .argument = "NAME",
      AT(wanted_functions),
      .help = "only the lines of the function NAME",
      .text = "Can be repeated." },
    { .name = "missing", .type = OPTION_FLAG, AT(missing), .help = "only lines that were missed or partly covered, with two lines of context" },
    { .name = "min",
      .type = OPTION_PERCENT,
      .argument = "PERCENT",
      AT(least),
      GIVEN(has_least),
      .help = "only lines with at least PERCENT of the cost, with context; 0.1 by default",
      .text = "Self or total cost counts. The default applies to profiles shown as text; --function, --json, --csv and coverage show all lines unless this "
              "option is given." },
    { .name = "context",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(context),
      GIVEN(has_context),
      .most = UINT32_MAX,
      .help = "show N lines of context; 8 by default, 2 with --missing" },
    { .name = "all", .letter = 'a', .type = OPTION_FLAG, AT(all), .help = "show every line of the files" },
    { .name = "calls",
      .type = OPTION_FLAG,
      AT(calls),
      .help = "below each line, show its calls: to what, how often, at what cost",
      .text = "JSON always includes the calls." },
    { .name = "apart",
      .type = OPTION_FLAG,
      AT(apart),
      .help = "show each FILE separately",
      .text = "By default, coverage reports and profiles given together are shown side by side." },
    OPTION_METRICS(""),
    OPTION_LIMIT("show at most N files; 10 by default, 0 = all"),
    OPTIONS_TABLE,
    OPTIONS_SELECT_BUT_FILE,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Prints the source files that each FILE refers to, with the figures of each line in front of it. For coverage: how often the line was executed, which of "
    "its branches were taken ([+ - #]: taken, not taken, never evaluated), and how often functions were called. For profiles: the cost of the line itself "
    "(self) and including the calls made from it (total). '!' marks a line that was missed, '~' one that was partly covered, 'x' one that is excluded.",
    "Profiles and coverage reports given together share one table for each source file, with columns for cost, calls, hits and branches. Several reports are "
    "merged first. Files match if their paths are equal or one path ends with the other.",
    "Sources come from the profile if it contains them, else from --map and --source-root, else from the path in FILE. If a source is not found, the paths "
    "that were tried are listed and the figures are printed without source text.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay annotate --missing --source-root . coverage.info", "lines that are not covered, with context" },
    { "assay annotate --file 'a.*' --map /builds/app=. coverage.xml", "selected files of a report from a build machine" },
    { "assay annotate --function main --metric Dr callgrind.out.4711", "the cost of each line of a function" },
    { "assay annotate --calls callgrind.out.4711 coverage.info", "cost and coverage side by side, with the calls made by each line" },
    { NULL, NULL },
};

/* ---- what is wanted ---- */

static struct metric_set metrics_of(const struct annotate *a, const struct assay_block *block)
{
    return (struct metric_set){ .profile = line_costs_profile(&a->cost), .at = block ? block->metrics : NULL, .count = block ? block->metric_count : 0 };
}

/* The metrics of lines, and that of calls; what one of them lacks is shown by its default. */
static int choose_metric(struct cli *c, const struct annotate *a, struct metric_columns *columns, struct report_annotate *n, assay_error *err)
{
    struct metric_set lines = metrics_of(a, a->cost.block), calls = metrics_of(a, a->cost.calls_block);
    struct metric_columns of_calls = { 0 };
    assay_error none = { 0 };
    int lines_rc = lines.count ? metric_columns_init(columns, &c->mem, &lines, c->set.metric, err) : ASSAY_ERR_USAGE;
    int calls_rc = calls.count ? metric_columns_init(&of_calls, &c->mem, &calls, c->set.metric, &none) : ASSAY_ERR_USAGE;
    bool is_refused = c->set.metric && lines_rc && calls_rc;
    if (calls_rc && calls.count && !is_refused) {
        metric_columns_done(&of_calls);
        (void)metric_columns_init(&of_calls, &c->mem, &calls, NULL, &none);
    }
    if (of_calls.count) n->call_k = metric_columns_key(&of_calls);
    metric_columns_done(&of_calls);
    if (is_refused) return lines.count ? lines_rc : error_set(err, ASSAY_ERR_USAGE, "no line has a metric '%.60s'", c->set.metric);
    if (lines_rc && lines.count) {
        metric_columns_done(columns);
        TRY(metric_columns_init(columns, &c->mem, &lines, NULL, err));
    }
    n->k = columns->count ? metric_columns_key(columns) : 0;
    return 0;
}

static bool fits_any(assay_slice path, const struct words *patterns)
{
    for (size_t i = 0; i < patterns->len; i++)
        if (path_matches(path, patterns->at[i])) return true;
    return false;
}

/* Cost is not filtered when it is read: the patterns count here. */
static bool is_wanted(struct cli *c, struct annotate *a, uint32_t source, bool *failed)
{
    const struct settings *s = &c->set;
    const char *path = source_paths_plain(&a->paths, annotate_path(a, source));
    if (!path) {
        *failed = true;
        return false;
    }
    assay_slice p = slice_of(path);
    return (!s->includes.len || fits_any(p, &s->includes)) && !fits_any(p, &s->excludes) && (!s->wanted_files.len || fits_any(p, &s->wanted_files));
}

/* ---- one input ---- */

/* Everything, unless lines are missed or hot ones are wanted; of the text of a profile hot ones are. */
static struct annotate_fold fold_of(const struct cli *c, const struct annotate *a, const struct report_annotate *n, bool is_function)
{
    const struct settings *s = &c->set;
    bool is_hot = s->has_least || (!s->all && !is_function && !a->has_coverage && !s->json && !s->csv);
    struct annotate_fold fold = { .only = s->missing ? ANNOTATE_ONLY_MISSED : is_hot && a->cost.block ? ANNOTATE_ONLY_HOT : ANNOTATE_ALL };
    fold.context = s->has_context ? (uint32_t)s->context : s->missing ? CONTEXT_MISSED : CONTEXT_HOT;
    fold.k = n->k;
    fold.least = s->has_least ? s->least / 100 : LEAST_DEFAULT;
    return fold;
}

static int show_file(struct cli *c, struct report *r, struct annotate *a, struct report_annotate *n, uint32_t first, uint32_t last, assay_error *err)
{
    TRY(annotate_file(a, n->source, err));
    struct annotate_fold fold = fold_of(c, a, n, last != 0 || first != 0);
    annotate_select(a, first, last, &fold);
    n->has_fold = fold.only == ANNOTATE_ONLY_HOT;
    n->least = fold.least;
    bool is_any = fold.only == ANNOTATE_ALL;
    for (size_t i = 0; i < a->rows.len && !is_any; i++) is_any = a->rows.at[i].is_shown;
    if (is_any)
        report_annotate_file(r, n);
    else
        for (size_t i = 0; i < a->rows.len; i++) n->folded += a->rows.at[i].cost != 0;
    return 0;
}

/* Functions of one of the profiles that have this name. */
static int show_function(struct cli *c, struct report *r, struct report_annotate *n, struct annotate *a, const assay_profile *p, const char *name,
                         bool *is_found, assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    for (uint32_t i = 1; i <= f->count; i++) {
        uint32_t first, last;
        if (!slice_is(assay_profile_string(p, f->name[i]), name)) continue;
        if (!annotate_function(a, p, i, &n->source, &first, &last) || !annotate_has(a, n->source)) continue;
        *is_found = true;
        TRY(show_file(c, r, a, n, first, last, err));
    }
    return 0;
}

static int show_functions(struct cli *c, struct report *r, struct annotate *a, struct report_annotate *n, assay_error *err)
{
    for (size_t w = 0; w < c->set.wanted_functions.len; w++) {
        const char *name = c->set.wanted_functions.at[w];
        bool is_found = false;
        TRY(show_function(c, r, n, a, a->profile, name, &is_found, err));
        if (!is_found) TRY(show_function(c, r, n, a, a->coverage, name, &is_found, err));
        if (!is_found) FAIL(err, ASSAY_ERR_USAGE, "no function '%.200s' with line information", name);
    }
    return 0;
}

static int show_files(struct cli *c, struct report *r, struct annotate *a, struct report_annotate *n, assay_error *err)
{
    uint64_t limit = !c->set.has_limit ? FILES_DEFAULT : c->set.limit ? c->set.limit : UINT64_MAX;
    uint32_t *order = mem_zalloc(&c->mem, (size_t)a->count + 1, sizeof *order), count = 0, wanted = 0;
    bool failed = false;
    int rc = order ? annotate_order(a, n->k, order, &count, err) : error_memory(err);
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        if (!is_wanted(c, a, order[i], &failed)) continue;
        wanted++;
        n->source = order[i];
        if (n->shown < limit)
            rc = show_file(c, r, a, n, 0, 0, err);
        else
            n->left_out++;
    }
    if (rc == 0 && failed) rc = error_memory(err);
    if (rc == 0 && !count) rc = error_set(err, ASSAY_ERR_UNSUPPORTED, "has no data about source lines");
    if (rc == 0 && !wanted) rc = error_set(err, ASSAY_ERR_USAGE, "no file with line data is selected; %u in total", count);
    mem_free(&c->mem, order, ((size_t)a->count + 1) * sizeof *order);
    return rc;
}

/* Coverage that is shown with profiles. */
struct beside {
    assay_profile *profile; /* NULL = none */
    VEC(const char *) paths;
};

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* One profile, or one report; `beside` holds the reports that are shown with it. */
static int show(struct cli *c, struct report *r, const char *path, const assay_profile *p, const struct beside *beside, assay_error *err)
{
    struct annotate a;
    struct metric_columns columns = { 0 };
    struct report_annotate n = { .a = &a, .path = path, .with_calls = c->set.calls, .columns = &columns };
    bool is_joined = beside->profile && !(assay_profile_shapes(p) & ASSAY_SHAPE_COVERAGE);
    if (is_joined) {
        n.coverage = beside->paths.at;
        n.coverage_count = beside->paths.len;
    }
    int rc = annotate_init(&a, p, is_joined ? beside->profile : NULL, &c->filter, is_folder(path) ? path : NULL, &c->mem, err);
    if (rc == 0) rc = choose_metric(c, &a, &columns, &n, err);
    size_t width = (size_t)columns.metric_count + 1;
    n.values = mem_zalloc(&c->mem, width, sizeof *n.values);
    if (rc == 0 && !n.values) rc = error_memory(err);
    if (rc == 0 && c->set.missing && !a.has_coverage) rc = error_set(err, ASSAY_ERR_USAGE, "has no coverage data; --missing needs it");
    if (rc == 0) {
        report_annotate_begin_input(r, &n);
        rc = c->set.wanted_functions.len ? show_functions(c, r, &a, &n, err) : show_files(c, r, &a, &n, err);
        report_annotate_end_input(r, &n);
    }
    mem_free(&c->mem, n.values, n.values ? width * sizeof *n.values : 0);
    metric_columns_done(&columns);
    annotate_done(&a);
    return rc;
}

/* Ranges of text become lines, for the sources are looked for in any case. */
static int find_lines(struct cli *c, assay_profile **p, assay_error *err)
{
    assay_profile *whole = *p;
    if (!coverage_offsets_lack_lines(whole)) return 0;
    struct assay_filter filter = { .maps = c->filter.maps, .map_count = c->filter.map_count, .marks = c->filter.marks, .lines = true };
    filter.source_roots = c->filter.source_roots;
    filter.source_root_count = c->filter.source_root_count;
    filter.follow_links = c->filter.follow_links;
    *p = NULL;
    int rc = assay_filter_apply(whole, &filter, p, err);
    assay_profile_release(whole);
    const char *lack = rc == 0 ? coverage_offsets_lack(*p) : NULL;
    if (lack) FAIL(err, ASSAY_ERR_UNSUPPORTED, "counts ranges of text, not lines; %s%s", lack, c->filter.source_root_count ? "" : hint_of_sources);
    return rc;
}

/* ---- all inputs ---- */

static bool is_report(const assay_profile *p) { return assay_profile_shapes(p) == ASSAY_SHAPE_COVERAGE; }

/* Adds up the reports, which are released; one alone is taken as it is. */
static int join_reports(struct cli *c, assay_profile **p, struct beside *to, assay_error *err)
{
    struct assay_merge_options o = { .max_memory = cli_max_memory(c) };
    assay_merger *m = NULL;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < c->set.files.len; i++) {
        if (!p[i] || !is_report(p[i])) continue;
        const char **slot = vec_push(&c->mem, &to->paths);
        if (!slot) return error_memory(err);
        *slot = c->set.files.at[i];
    }
    if (to->paths.len > 1) {
        m = assay_merger_new(&o, err);
        rc = m ? 0 : ASSAY_ERR_MEMORY;
    }
    for (size_t i = 0; rc == 0 && i < c->set.files.len; i++) {
        if (!p[i] || !is_report(p[i])) continue;
        if (m) {
            rc = assay_merger_add(m, p[i], err);
            assay_profile_release(p[i]);
        } else
            to->profile = p[i];
        p[i] = NULL;
    }
    if (m && rc == 0)
        to->profile = assay_merger_finish(m, err);
    else
        assay_merger_free(m);
    return rc == 0 && !to->profile ? ASSAY_ERR_MEMORY : rc;
}

/* Whether there are profiles and reports among what was read. */
static bool is_mixture(const struct cli *c, assay_profile *const *p)
{
    size_t reports = 0, profiles = 0;
    for (size_t i = 0; i < c->set.files.len; i++) {
        reports += p[i] && is_report(p[i]);
        profiles += p[i] && !is_report(p[i]);
    }
    return reports && profiles && !c->set.apart;
}

static void show_all(struct cli *c, struct report *r, assay_profile **p)
{
    struct beside beside = { 0 };
    assay_error err = { 0 };
    if (is_mixture(c, p) && join_reports(c, p, &beside, &err) != 0) cli_fail(c, &err);
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) {
        err = (assay_error){ 0 };
        if (p[i] && show(c, r, c->set.files.at[i], p[i], &beside, &err) != 0) cli_fail_input(c, r, c->set.files.at[i], &err);
    }
    vec_done(&c->mem, &beside.paths);
    assay_profile_release(beside.profile);
}

static void read_all(struct cli *c, struct report *r, assay_profile **p)
{
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++) {
        assay_error err = { 0 };
        const char *path = c->set.files.at[i];
        int rc = cli_read_profile(c, path, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE, &p[i], &err);
        if (rc == 0) rc = find_lines(c, &p[i], &err);
        if (rc == 0) {
            cli_warn_of_damage(path, p[i]);
            continue;
        }
        assay_profile_release(p[i]);
        p[i] = NULL;
        cli_fail_input(c, r, path, &err);
    }
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    size_t count = c->set.files.len;
    assay_profile **p = mem_zalloc(&c->mem, count, sizeof(*p));
    if (!p || !cli_open_output(c, &out)) return p ? c->exit : CLI_OUTPUT;
    cli_report(c, out, &r);
    report_annotate_begin(&r);
    read_all(c, &r, p);
    show_all(c, &r, p);
    for (size_t i = 0; i < count; i++) assay_profile_release(p[i]);
    mem_free(&c->mem, p, count * sizeof(*p));
    return cli_end_report(c, &r);
}

const struct verb annotate_verb = { "annotate", "show source lines with hits and cost", "FILE...", 1, SIZE_MAX, options, text, examples, run, NULL };
