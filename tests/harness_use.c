/* What can be made of a profile that was read: sums, graphs, merges, what filters leave, and files of every format. See harness.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/analysis.h"
#include "base/index.h"
#include "harness.h"

static const uint64_t limit = HARNESS_MADE_MEMORY;

bool harness_chosen(struct choice *c, unsigned of)
{
    if (!c->seed) return true;
    c->seed = hash_mix(c->seed, of);
    return (c->seed >> 33) % of == 0;
}

uint64_t harness_seed(const void *data, size_t len)
{
    const unsigned char *bytes = data;
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a, which has no seed of its own: a failure must come again */
    for (size_t i = 0; i < len; i++) h = (h ^ bytes[i]) * 0x100000001b3u;
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    return h ? h : 1;
}

static void *zeros(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    harness_promise(p != NULL, "the test itself has no memory");
    return p;
}

/* ---- writers ---- */

/* Takes no more than a disk that is soon full: a count in a small file may stand for millions of records. */
static int small_sink(void *arg, const char *data, size_t len)
{
    uint64_t *sum = arg;
    if (len) *sum += len + (unsigned char)data[0] + (unsigned char)data[len - 1];
    return *sum > 1 << 20;
}

static void write_one(const assay_profile *p, const char *format, const char *version)
{
    char target[80];
    uint64_t sum = 0;
    assay_error err = { 0 };
    assay_losses *losses = NULL;
    snprintf(target, sizeof target, "%s:%s", format, version);
    struct assay_write_options o = { .format = target, .estimate = true };
    int rc = assay_write_fn(p, &o, small_sink, &sum, &losses, &err);
    harness_code(rc, &err, target);
    for (size_t i = 0; losses && i < losses->count; i++)
        harness_promise(losses->at[i].kind[0] && losses->at[i].message[0], "a loss of %s without kind or message", target);
    assay_losses_free(losses);
}

static void write_everywhere(const assay_profile *p, struct choice *choice)
{
    for (const struct format *const *f = registry_formats; *f; f++)
        for (const char *const *v = (*f)->info.versions; (*f)->write && v && *v; v++)
            if (harness_chosen(choice, 10)) write_one(p, (*f)->info.name, *v);
}

/* ---- sums ---- */

static void make_top(const assay_profile *p)
{
    assay_top *top = NULL;
    assay_error err = { 0 };
    int rc = assay_top_new(p, &top, &err);
    harness_code(rc, &err, "assay_top_new");
    if (rc == 0) {
        uint32_t *order = zeros((size_t)top->count + 1, sizeof *order);
        for (int sort = ASSAY_SORT_SELF; top->metric_count && sort <= ASSAY_SORT_NAME; sort++) assay_top_order(p, top, (enum assay_sort)sort, 0, order);
        free(order);
    }
    assay_top_free(top);
}

/* What is counted of the files is counted of the whole, and no more is hit than there is. */
static void count_coverage(const assay_profile *p)
{
    uint32_t files = assay_profile_files(p)->count;
    assay_coverage_counts total, *by_file = zeros((size_t)files + 1, sizeof *by_file);
    uint64_t lines = 0, functions = 0, branches = 0;
    harness_promise(assay_coverage_count(p, &total, by_file, NULL) == 0, "coverage is not counted");
    for (uint32_t i = 0; i <= files; i++) {
        lines += by_file[i].lines;
        functions += by_file[i].functions;
        branches += by_file[i].branches;
    }
    harness_promise(lines == total.lines && functions == total.functions && branches == total.branches, "files and whole are counted apart");
    harness_promise(total.lines_hit <= total.lines && total.functions_hit <= total.functions && total.groups_hit <= total.groups &&
                        total.branches_hit <= total.branches && total.groups <= total.functions,
                    "more is hit than there is");
    free(by_file);
}

static void make_table(const assay_profile *p)
{
    for (int by = ASSAY_COVERAGE_BY_FILE; by <= ASSAY_COVERAGE_BY_DIRECTORY; by++) {
        assay_coverage_table *t = NULL;
        assay_error err = { 0 };
        harness_code(assay_coverage_table_new(p, (enum assay_coverage_by)by, ASSAY_COVERAGE_SORT_LINES, UINT64_MAX, &t, &err), &err,
                     "assay_coverage_table_new");
        assay_coverage_table_free(t);
    }
}

/* ---- profiles made of profiles ---- */

void harness_made(assay_profile *p, int rc, const assay_error *err, const char *what)
{
    harness_code(rc, err, what);
    harness_promise((rc == 0) == (p != NULL), "%s gave %d and %s profile", what, rc, p ? "a" : "no");
    if (p) {
        harness_profile(p);
        make_top(p);
        count_coverage(p);
    }
    assay_profile_release(p);
}

static void make_graph(const assay_profile *p)
{
    assay_profile *graph = NULL;
    assay_error err = { 0 };
    struct assay_graph_lost lost = { 0 };
    struct assay_graph_options o = { .per_second = 1000000, .max_memory = limit };
    int rc = assay_graph_new(p, &o, &graph, &lost, &err);
    harness_made(graph, rc, &err, "assay_graph_new");
}

static void merge_with_itself(const assay_profile *p, bool keep_tests)
{
    assay_error err = { 0 };
    struct assay_merge_options o = { .keep_tests = keep_tests, .max_memory = limit };
    assay_merger *m = assay_merger_new(&o, &err);
    if (!m) return;
    int rc = assay_merger_add(m, p, &err);
    harness_code(rc, &err, "assay_merger_add");
    if (rc == 0) rc = assay_merger_add(m, p, &err);
    harness_code(rc, &err, "assay_merger_add once more");
    if (rc != 0) {
        assay_merger_free(m);
        return;
    }
    assay_profile *both = assay_merger_finish(m, &err);
    harness_made(both, both ? 0 : err.code, &err, "assay_merger_finish");
}

static void filter(assay_profile *p, const struct assay_filter *f, const char *what)
{
    assay_profile *left = NULL;
    assay_error err = { 0 };
    int rc = assay_filter_apply(p, f, &left, &err);
    harness_made(left, rc, &err, what);
}

static void filter_some(assay_profile *p, struct choice *choice)
{
    static const char *const vowel[] = { "[aeiou]" }, *const long_name[] = { "..." }, *const other[] = { "m|f" };
    static const char *const path[] = { "*.c", "*a*" }, *const first[] = { "1" };
    static const struct assay_path_map maps[] = { { "/", "" }, { "a", "b" } };
    struct assay_filter paths = {
        .maps = maps, .map_count = 2, .includes = path, .include_count = 2, .excludes = path, .exclude_count = 1, .max_memory = limit
    };
    struct assay_filter names = {
        .focus = vowel, .focus_count = 1, .ignore = long_name, .ignore_count = 1, .hide = other, .hide_count = 1, .max_memory = limit
    };
    struct assay_filter hidden = { .hide = vowel, .hide_count = 1, .max_memory = limit };
    struct assay_filter places = { .modules = path, .module_count = 2, .files = path, .file_count = 2, .max_memory = limit };
    struct assay_filter when = { .streams = first, .stream_count = 1, .time = "10%..90%", .max_memory = limit };
    if (harness_chosen(choice, 4)) filter(p, &paths, "filter of paths");
    if (harness_chosen(choice, 4)) filter(p, &names, "filter of names");
    if (harness_chosen(choice, 4)) filter(p, &hidden, "filter that hides");
    if (harness_chosen(choice, 4)) filter(p, &places, "filter of places");
    if (harness_chosen(choice, 4)) filter(p, &when, "filter of streams and time");
}

/* ---- everything ---- */

static void analyse(assay_profile *p, struct choice *choice)
{
    if (harness_chosen(choice, 3)) make_table(p);
    if (harness_chosen(choice, 2)) make_graph(p);
    if (harness_chosen(choice, 4)) merge_with_itself(p, false);
    if (harness_chosen(choice, 8)) merge_with_itself(p, true);
    filter_some(p, choice);
}

void harness_use(assay_profile *p, uint32_t what, uint64_t seed)
{
    struct choice choice = { seed };
    harness_profile(p);
    make_top(p);
    count_coverage(p);
    if (what & RUN_VIEW) {
        analyse(p, &choice);
        harness_view(p, &choice);
    }
    if (what & RUN_WRITE) write_everywhere(p, &choice);
}
