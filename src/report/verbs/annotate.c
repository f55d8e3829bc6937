/* annotate: sources beside what was measured of them. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/annotate/annotate.h"
#include "analysis/core/metric_columns.h"
#include "analysis/coverage/copy.h"
#include "assay/cancel.h"
#include "base/error.h"
#include "base/option_table.h"
#include "base/path.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/verb.h"
#include "report/verbs/hints.h"

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
    OPTION_METRICS_FILE,
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
static int choose_metric(assay_reporter *r, const struct annotate *a, struct metric_columns *columns, struct report_annotate *n, assay_error *err)
{
    struct metric_set lines = metrics_of(a, a->cost.block), calls = metrics_of(a, a->cost.calls_block);
    struct metric_columns of_calls = { 0 };
    assay_error none = { 0 };
    int lines_rc = lines.count ? metric_columns_init(columns, &r->mem, &lines, r->set.metric, err) : ASSAY_ERR_USAGE;
    int calls_rc = calls.count ? metric_columns_init(&of_calls, &r->mem, &calls, r->set.metric, &none) : ASSAY_ERR_USAGE;
    bool is_refused = r->set.metric && lines_rc && calls_rc;
    if (calls_rc && calls.count && !is_refused) {
        metric_columns_done(&of_calls);
        (void)metric_columns_init(&of_calls, &r->mem, &calls, NULL, &none);
    }
    if (of_calls.count) n->call_k = metric_columns_key(&of_calls);
    metric_columns_done(&of_calls);
    if (is_refused) return lines.count ? lines_rc : error_set(err, ASSAY_ERR_USAGE, "no line has a metric '%.60s'", r->set.metric);
    if (lines_rc && lines.count) {
        metric_columns_done(columns);
        TRY(metric_columns_init(columns, &r->mem, &lines, NULL, err));
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
static bool is_wanted(assay_reporter *r, struct annotate *a, uint32_t source, bool *failed)
{
    const struct settings *s = &r->set;
    const char *path = source_paths_plain(&a->paths, annotate_path(a, source));
    if (!path) {
        *failed = true;
        return false;
    }
    assay_slice p = slice_of(path);
    return (!s->read.includes.len || fits_any(p, &s->read.includes)) && !fits_any(p, &s->read.excludes) &&
           (!s->wanted_files.len || fits_any(p, &s->wanted_files));
}

/* ---- one input ---- */

/* Everything, unless lines are missed or hot ones are wanted; of the text of a profile hot ones are. */
static struct annotate_fold fold_of(const assay_reporter *r, const struct annotate *a, const struct report_annotate *n, bool is_function)
{
    const struct settings *s = &r->set;
    bool is_hot = s->has_least || (!s->all && !is_function && !a->has_coverage && !s->json && !s->csv);
    struct annotate_fold fold = { .only = s->missing ? ANNOTATE_ONLY_MISSED : is_hot && a->cost.block ? ANNOTATE_ONLY_HOT : ANNOTATE_ALL };
    fold.context = s->has_context ? (uint32_t)s->context : s->missing ? CONTEXT_MISSED : CONTEXT_HOT;
    fold.k = n->k;
    fold.least = s->has_least ? s->least / 100 : LEAST_DEFAULT;
    return fold;
}

static int show_file(assay_reporter *r, struct annotate *a, struct report_annotate *n, uint32_t first, uint32_t last, assay_error *err)
{
    TRY(annotate_file(a, n->source, err));
    struct annotate_fold fold = fold_of(r, a, n, last != 0 || first != 0);
    annotate_select(a, first, last, &fold);
    n->has_fold = fold.only == ANNOTATE_ONLY_HOT;
    n->least = fold.least;
    bool is_any = fold.only == ANNOTATE_ALL;
    for (size_t i = 0; i < a->rows.len && !is_any; i++) is_any = a->rows.at[i].is_shown;
    if (is_any)
        report_annotate_file(&r->report, n);
    else
        for (size_t i = 0; i < a->rows.len; i++) n->folded += a->rows.at[i].cost != 0;
    return 0;
}

/* Functions of one of the profiles that have this name. */
static int show_function(assay_reporter *r, struct report_annotate *n, struct annotate *a, const assay_profile *p, const char *name, bool *is_found,
                         assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    for (uint32_t i = 1; i <= f->count; i++) {
        uint32_t first, last;
        if (!slice_is(assay_profile_string(p, f->name[i]), name)) continue;
        if (!annotate_function(a, p, i, &n->source, &first, &last) || !annotate_has(a, n->source)) continue;
        *is_found = true;
        TRY(show_file(r, a, n, first, last, err));
    }
    return 0;
}

static int show_functions(assay_reporter *r, struct annotate *a, struct report_annotate *n, assay_error *err)
{
    for (size_t w = 0; w < r->set.wanted_functions.len; w++) {
        const char *name = r->set.wanted_functions.at[w];
        bool is_found = false;
        TRY(show_function(r, n, a, a->profile, name, &is_found, err));
        if (!is_found) TRY(show_function(r, n, a, a->coverage, name, &is_found, err));
        if (!is_found) FAIL(err, ASSAY_ERR_USAGE, "no function '%.200s' with line information", name);
    }
    return 0;
}

static int show_files(assay_reporter *r, struct annotate *a, struct report_annotate *n, assay_error *err)
{
    uint64_t limit = !r->set.has_limit ? FILES_DEFAULT : r->set.limit ? r->set.limit : UINT64_MAX;
    SCRATCH(uint32_t, order, &r->mem, (size_t)a->count + 1);
    uint32_t count = 0, wanted = 0;
    bool failed = false;
    if (!order) return error_memory(err);
    TRY(annotate_order(a, n->k, order, &count, err));
    for (uint32_t i = 0; i < count; i++) {
        if (!is_wanted(r, a, order[i], &failed)) continue;
        wanted++;
        n->source = order[i];
        if (n->shown < limit)
            TRY(show_file(r, a, n, 0, 0, err));
        else
            n->left_out++;
    }
    if (failed) return error_memory(err);
    if (!count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no data about source lines");
    if (!wanted) FAIL(err, ASSAY_ERR_USAGE, "no file with line data is selected; %u in total", count);
    return 0;
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
static int show(assay_reporter *r, const char *path, const assay_profile *p, const struct beside *beside, assay_error *err)
{
    SCOPED(annotate_done) struct annotate a = { 0 };
    SCOPED(metric_columns_done) struct metric_columns columns = { 0 };
    struct report_annotate n = { .a = &a, .path = path, .with_calls = r->set.calls, .columns = &columns };
    bool is_joined = beside->profile && !(assay_profile_shapes(p) & ASSAY_SHAPE_COVERAGE);
    if (is_joined) {
        n.coverage = beside->paths.at;
        n.coverage_count = beside->paths.len;
    }
    TRY(annotate_init(&a, p, is_joined ? beside->profile : NULL, &r->filter, is_folder(path) ? path : NULL, &r->mem, err));
    TRY(choose_metric(r, &a, &columns, &n, err));
    TRY(metric_columns_refuse_rows(&columns, "'assay annotate'", err));
    SCRATCH(assay_value, values, &r->mem, (size_t)columns.metric_count + 1);
    if (!values) return error_memory(err);
    n.values = values;
    if (r->set.missing && !a.has_coverage) FAIL(err, ASSAY_ERR_USAGE, "has no coverage data; --missing needs it");
    report_annotate_begin_input(&r->report, &n);
    int rc = r->set.wanted_functions.len ? show_functions(r, &a, &n, err) : show_files(r, &a, &n, err);
    report_annotate_end_input(&r->report, &n); /* also of what fails: what was begun must be whole */
    return rc;
}

/* Ranges of text become lines, for the sources are looked for in any case. *out is to be released. */
static int find_lines(const assay_reporter *r, assay_profile *whole, assay_profile **out, assay_error *err)
{
    *out = NULL;
    if (!coverage_offsets_lack_lines(whole)) {
        *out = assay_profile_retain(whole);
        return 0;
    }
    struct assay_filter filter = { .maps = r->filter.maps, .map_count = r->filter.map_count, .marks = r->filter.marks, .lines = true };
    filter.source_roots = r->filter.source_roots;
    filter.source_root_count = r->filter.source_root_count;
    filter.follow_links = r->filter.follow_links;
    TRY(assay_filter_apply(whole, &filter, out, err));
    const char *lack = coverage_offsets_lack(*out);
    if (lack) FAIL(err, ASSAY_ERR_UNSUPPORTED, "counts ranges of text, not lines; %s%s", lack, r->filter.source_root_count ? "" : HINT_OF_SOURCES);
    return 0;
}

/* ---- all inputs ---- */

struct input {
    const char *path;
    assay_profile *profile; /* NULL = it is shown with the others */
};

struct inputs {
    VEC(struct input) list;
};

static bool is_report(const assay_profile *p) { return p && assay_profile_shapes(p) == ASSAY_SHAPE_COVERAGE; }

/* Adds up the reports, which are released; one alone is taken as it is. */
static int join_reports(assay_reporter *r, struct inputs *in, struct beside *to, assay_error *err)
{
    struct assay_merge_options o = { .max_memory = r->set.read.max_memory };
    assay_merger *m = NULL;
    int rc = 0;
    for (size_t i = 0; i < in->list.len; i++) {
        if (!is_report(in->list.at[i].profile)) continue;
        const char **slot = vec_push(&r->mem, &to->paths);
        if (!slot) return error_memory(err);
        *slot = in->list.at[i].path;
    }
    if (to->paths.len > 1) {
        m = assay_merger_new(&o, err);
        rc = m ? 0 : ASSAY_ERR_MEMORY;
    }
    for (size_t i = 0; rc == 0 && i < in->list.len; i++) {
        assay_profile **p = &in->list.at[i].profile;
        if (!is_report(*p)) continue;
        if (m) {
            rc = assay_merger_add(m, *p, err);
            assay_profile_release(*p);
        } else
            to->profile = *p;
        *p = NULL;
    }
    if (m && rc == 0)
        to->profile = assay_merger_finish(m, err);
    else
        assay_merger_free(m);
    return rc == 0 && !to->profile ? ASSAY_ERR_MEMORY : rc;
}

/* Whether there are profiles and reports among what was read. */
static bool is_mixture(const assay_reporter *r, const struct inputs *in)
{
    size_t reports = 0;
    for (size_t i = 0; i < in->list.len; i++) reports += is_report(in->list.at[i].profile);
    return reports && reports < in->list.len && !r->set.apart;
}

/* ---- the verb ---- */

static uint32_t want(const assay_reporter *r)
{
    (void)r;
    return ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_SPARSE | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE;
}

static int begin(assay_reporter *r, assay_error *err)
{
    (void)err;
    report_annotate_begin(&r->report);
    return 0;
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    struct inputs *in = r->state;
    assay_profile *lines;
    int rc = find_lines(r, p, &lines, err);
    struct input *slot = rc == 0 ? vec_push(&r->mem, &in->list) : NULL;
    if (!slot) {
        assay_profile_release(lines);
        return rc == 0 ? error_memory(err) : rc;
    }
    *slot = (struct input){ path, lines };
    report_say_damage(r, path, lines);
    return 0;
}

static int end(assay_reporter *r, assay_error *err)
{
    struct inputs *in = r->state;
    struct beside beside = { 0 };
    if (is_mixture(r, in) && join_reports(r, in, &beside, err) != 0) report_late(r, err);
    for (size_t i = 0; i < in->list.len && !assay_cancelled(); i++) {
        assay_error wrong = { 0 };
        const struct input *x = &in->list.at[i];
        if (x->profile && show(r, x->path, x->profile, &beside, &wrong) != 0) report_input_failed(r, x->path, &wrong);
    }
    vec_done(&r->mem, &beside.paths);
    assay_profile_release(beside.profile);
    return 0;
}

static void done(assay_reporter *r)
{
    struct inputs *in = r->state;
    for (size_t i = 0; i < in->list.len; i++) assay_profile_release(in->list.at[i].profile);
    vec_done(&r->mem, &in->list);
}

const struct report_verb annotate_verb = {
    .order = 70,
    .about = { "annotate", "show source lines with hits and cost", "FILE...", 1, SIZE_MAX, NULL, text, examples },
    .options = options,
    .tells_damage = true,
    .state = sizeof(struct inputs),
    .want = want,
    .begin = begin,
    .add = add,
    .end = end,
    .done = done,
};
