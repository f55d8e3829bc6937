/* Cancelling: the n-th time that the library asks whether to go on, the answer is no; n grows until it asks no more. Whatever it is at, it returns
 * CANCELLED, nothing leaks (as the address sanitizer sees it), no temporary file is left. And on large inputs it asks often enough, by the CPU time between two questions. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "assay/assay.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SLOW true
#elif defined(__has_feature)
#define IS_SLOW (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer))
#else
#define IS_SLOW false
#endif

enum { SMALL = 4000, FEW = 10, FUNCTIONS = 40000, FILES = 300, LINES = 400, STACKS = 60000 };
static const double longest_ms = 100;

/* ---- the question ---- */

struct asker {
    uint64_t asked, no_at; /* no_at 0 = never */
    double last_ms, gap_ms;
};

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ask(void *arg)
{
    struct asker *a = arg;
    double now = cpu_ms();
    if (now - a->last_ms > a->gap_ms) a->gap_ms = now - a->last_ms;
    a->last_ms = now;
    return ++a->asked == a->no_at;
}

/* ---- work ---- */

struct input {
    const char *name, *data;
    size_t len;
    uint32_t want;
    assay_profile *p; /* read beforehand */
};

typedef int (*work_fn)(const struct input *in, const char *arg, assay_error *err);

static int ignore(void *arg, const char *data, size_t len)
{
    (void)arg, (void)data, (void)len;
    return 0;
}

static int work_read(const struct input *in, const char *arg, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = in->want, .format = arg };
    int rc = assay_read_memory(in->data, in->len, in->name, &o, &p, err);
    harness_promise((rc == 0) == (p != NULL), "read gave %d and %s profile", rc, p ? "a" : "no");
    assay_profile_release(p);
    return rc;
}

static int work_write(const struct input *in, const char *arg, assay_error *err)
{
    assay_losses *losses = NULL;
    struct assay_write_options o = { .format = arg, .estimate = true, .options = &(struct assay_option){ "html:single-file", NULL }, .option_count = 1 };
    int rc = assay_write_fn(in->p, &o, ignore, NULL, &losses, err);
    assay_losses_free(losses);
    return rc;
}

static int work_top(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    assay_top *top = NULL;
    int rc = assay_top_new(in->p, &top, err);
    uint32_t *order = rc == 0 ? calloc((size_t)top->count + 1, sizeof *order) : NULL;
    if (order) assay_top_order(in->p, top, ASSAY_SORT_NAME, 0, order);
    free(order);
    assay_top_free(top);
    if (rc == 0 && assay_cancelled()) { /* what cannot fail leaves that to the caller */
        err->code = rc = ASSAY_ERR_CANCELLED;
        snprintf(err->text, sizeof err->text, "cancelled");
    }
    return rc;
}

static int work_graph(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    assay_profile *graph = NULL;
    int rc = assay_graph_new(in->p, NULL, &graph, NULL, err);
    assay_profile_release(graph);
    return rc;
}

static int work_merge(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    assay_merger *m = assay_merger_new(NULL, err);
    int rc = m ? assay_merger_add(m, in->p, err) : err->code;
    if (rc == 0) rc = assay_merger_add(m, in->p, err);
    if (rc != 0) {
        assay_merger_free(m);
        return rc;
    }
    assay_profile *p = assay_merger_finish(m, err);
    assay_profile_release(p);
    return p ? 0 : err->code;
}

static int work_filter(const struct input *in, const char *arg, assay_error *err)
{
    const char *const hide[] = { "_7" }, *const path[] = { "*1*" };
    struct assay_filter f = { .includes = path, .include_count = 1, .hide = hide, .hide_count = *arg == 'n' };
    assay_profile *p = NULL;
    int rc = assay_filter_apply(in->p, &f, &p, err);
    assay_profile_release(p);
    return rc;
}

static int work_diff(const struct input *in, const char *arg, assay_error *err)
{
    assay_profile_diff *d = NULL;
    struct assay_profile_diff_options o = { .by = *arg == 'c' ? ASSAY_DIFF_BY_CONTEXT : ASSAY_DIFF_BY_FUNCTION };
    int rc = assay_profile_diff_new(in->p, in->p, &o, &d, err);
    assay_profile_diff_free(d);
    return rc;
}

static int work_equal(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    return assay_profile_equal(in->p, in->p, NULL, 0, err);
}

static int work_cov_table(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    assay_coverage_table *t = NULL;
    int rc = assay_coverage_table_new(in->p, ASSAY_COVERAGE_BY_FILE, ASSAY_COVERAGE_SORT_LINES, UINT64_MAX, &t, err);
    assay_coverage_table_free(t);
    return rc;
}

static int work_cov_diff(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    assay_coverage_diff *d = NULL;
    int rc = assay_coverage_diff_new(in->p, in->p, NULL, NULL, &d, err);
    assay_coverage_diff_free(d);
    return rc;
}

/* The views promise by themselves to keep no memory. */
static int work_view(const struct input *in, const char *arg, assay_error *err)
{
    (void)arg;
    harness_view(in->p, &(struct choice){ 0 });
    *err = (assay_error){ .code = assay_cancelled() ? ASSAY_ERR_CANCELLED : 0, .text = "cancelled" };
    return err->code;
}

/* ---- inputs ---- */

struct text {
    char *data;
    size_t len;
};

/* Functions that call each other in a chain, and across it. */
static struct input make_graph(unsigned functions)
{
    struct text t;
    FILE *f = open_memstream(&t.data, &t.len);
    fputs("# callgrind format\nevents: Ir\n", f);
    for (unsigned i = 0; i < functions; i++) {
        fprintf(f, "fl=(%u) file_%u.c\nfn=(%u) function_%u\n%u %u\n", i % 97, i % 97, i, (i * 7919u) % functions, i, i % 7 + 1);
        for (unsigned callee = i + 1; callee < functions && callee < i + 3; callee++) fprintf(f, "cfn=(%u)\ncalls=3 1\n%u %u\n", callee, i, functions - i);
    }
    fclose(f);
    return (struct input){ "graph", t.data, t.len, ASSAY_WANT_GRAPH, NULL };
}

static struct input make_coverage(unsigned files)
{
    struct text t;
    FILE *f = open_memstream(&t.data, &t.len);
    for (unsigned i = 0; i < files; i++) {
        fprintf(f, "SF:src/folder_%u/file_%u.c\nFN:1,f%u\nFNDA:1,f%u\n", i % 50, i, i, i);
        for (unsigned n = LINES; n > 0; n--) fprintf(f, "DA:%u,%u\nBRDA:%u,0,0,%u\nBRDA:%u,0,1,1\n", n, n % 3, n, n % 2, n);
        fputs("end_of_record\n", f);
    }
    fclose(f);
    return (struct input){ "coverage", t.data, t.len, ASSAY_WANT_COVERAGE, NULL };
}

static struct input make_tree(unsigned stacks)
{
    struct text t;
    FILE *f = open_memstream(&t.data, &t.len);
    for (unsigned i = 0; i < stacks; i++) {
        fputs("main", f);
        for (unsigned x = i, depth = 0; x; x /= 9) fprintf(f, ";f%u_%u", x % 37, depth++);
        fprintf(f, " %u\n", i % 91 + 1);
    }
    fclose(f);
    return (struct input){ "tree", t.data, t.len, ASSAY_WANT_TREE, NULL };
}

static void take(struct input *in)
{
    struct assay_read_options o = { .want = in->want };
    assert_int_equal(assay_read_memory(in->data, in->len, in->name, &o, &in->p, NULL), 0);
}

static void give_back(struct input *in)
{
    union {
        const char *data;
        void *block;
    } u = { in->data };
    assay_profile_release(in->p);
    free(u.block);
}

/* ---- the n-th answer is no ---- */

static int run_once(work_fn work, const struct input *in, const char *arg, struct asker *a)
{
    assay_error err = { 0 };
    a->last_ms = cpu_ms();
    assay_cancel_set(ask, a);
    int rc = work(in, arg, &err);
    double rest = cpu_ms() - a->last_ms;
    if (rest > a->gap_ms) a->gap_ms = rest;
    harness_promise(assay_cancelled() == (a->no_at && a->asked >= a->no_at), "assay_cancelled does not know");
    assay_cancel_set(NULL, NULL);
    harness_code(rc, &err, "cancelled work");
    return rc;
}

/* Each of the first few, then fewer and fewer of them. */
static void cancel_each(const char *what, work_fn work, const struct input *in, const char *arg)
{
    struct asker never = { 0 };
    int usual = run_once(work, in, arg, &never);
    harness_promise(never.asked > 0, "%s of %s never asks", what, in->name);
    for (uint64_t n = 1; n <= never.asked; n += 1 + (n > FEW ? n / 2 : 0)) {
        struct asker a = { .no_at = n };
        harness_doing("%s of %s, cancelled at question %llu of %llu", what, in->name, (unsigned long long)n, (unsigned long long)never.asked);
        int rc = run_once(work, in, arg, &a);
        harness_promise(rc == ASSAY_ERR_CANCELLED || a.asked < n, "the answer is %s, not 'cancelled'", assay_code_name(rc));
        harness_promise(a.asked <= n, "it goes on asking");
    }
    struct asker again = { 0 };
    harness_promise(run_once(work, in, arg, &again) == usual, "%s of %s differs afterwards", what, in->name);
}

static void asks_often(const char *what, work_fn work, const struct input *in, const char *arg)
{
    struct asker a = { 0 };
    int rc = run_once(work, in, arg, &a);
    harness_doing("%s of %s", what, in->name);
    harness_promise(rc == 0, "it fails: %s", assay_code_name(rc));
    if (a.gap_ms > longest_ms / 4) printf("%s of %s: up to %.0f ms between questions\n", what, in->name, a.gap_ms);
    harness_promise(IS_SLOW || a.gap_ms <= longest_ms, "%.0f ms of CPU time pass between two questions", a.gap_ms);
}

typedef void (*try_fn)(const char *what, work_fn work, const struct input *in, const char *arg);

static void each_work(try_fn each, unsigned part)
{
    struct input graph = make_graph(FUNCTIONS / part), coverage = make_coverage(FILES / part), tree = make_tree(STACKS / part);
    static const char *const of_graph[] = { "callgrind", "nytprof", "nytprof-tlv", "webgrind", "folded", "dot", "csv" };
    static const char *const of_coverage[] = { "lcov", "cobertura", "jacoco", "clover", "istanbul", "coveralls", "html", "assay-json", "gcovr-json" };
    struct input *const all[] = { &graph, &coverage, &tree };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        take(all[i]);
        each("reading", work_read, all[i], NULL);
        each("the table", work_top, all[i], NULL);
        each("merging", work_merge, all[i], NULL);
        each("filtering", work_filter, all[i], i == 1 ? "paths" : "names");
        each("comparing", work_equal, all[i], NULL);
    }
    for (size_t i = 0; i < sizeof of_graph / sizeof *of_graph; i++) each(of_graph[i], work_write, &graph, of_graph[i]);
    for (size_t i = 0; i < sizeof of_coverage / sizeof *of_coverage; i++) each(of_coverage[i], work_write, &coverage, of_coverage[i]);
    each("folded", work_write, &tree, "folded");
    each("hpcrun", work_write, &tree, "hpcrun");
    each("a graph", work_graph, &tree, NULL);
    each("differences", work_diff, &graph, "functions");
    each("differences", work_diff, &tree, "contexts");
    each("files", work_cov_table, &coverage, NULL);
    each("differences", work_cov_diff, &coverage, NULL);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        each("views", work_view, all[i], NULL);
        give_back(all[i]);
    }
}

static void every_analysis_can_be_cancelled(void **state)
{
    (void)state;
    each_work(cancel_each, IS_SLOW ? 4 : 2);
}

static void every_analysis_asks_often(void **state)
{
    (void)state;
    each_work(asks_often, 1);
}

static void every_format_can_be_cancelled(void **state)
{
    (void)state;
    struct samples samples = { 0 };
    samples_load(&samples, SMALL, NULL);
    assert_true(samples.count > 10);
    for (size_t i = 0; i < samples.count; i++) {
        const struct sample *s = &samples.at[i];
        struct input in = { s->name, (const char *)s->data, s->len, ASSAY_WANT_ALL, NULL };
        if (harness_recognise(s->data, s->len, s->path)) cancel_each("reading", work_read, &in, NULL);
    }
    samples_free(&samples);
}

/* ---- files ---- */

static char folder[] = "/tmp/assay-cancel-XXXXXX";

static int work_convert(const struct input *in, const char *arg, assay_error *err)
{
    char target[sizeof folder + 16];
    snprintf(target, sizeof target, "%s/target", folder);
    assay_losses *losses = NULL;
    struct assay_write_options o = { .format = arg };
    int rc = assay_convert(in->name, NULL, target, &o, NULL, &losses, err);
    assay_losses_free(losses);
    harness_promise((unlink(target) == 0) == (rc == 0), "the target is%s there", rc == 0 ? " not" : "");
    harness_promise(rmdir(folder) == 0 && mkdir(folder, 0700) == 0, "something is left");
    return rc;
}

static int work_file(const struct input *in, const char *arg, assay_error *err)
{
    assay_check_result *result = NULL;
    if (*arg == 'd') return assay_dump(in->name, NULL, ignore, NULL, err);
    struct assay_read_options o = { .deep = true };
    int rc = assay_check(in->name, &o, &result, err);
    assay_check_free(result);
    return rc;
}

static void files_can_be_cancelled(void **state)
{
    (void)state;
    char path[] = "/tmp/assay-cancel-in-XXXXXX";
    struct input graph = make_graph(FUNCTIONS / 8);
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, graph.data, graph.len) == (ssize_t)graph.len && close(fd) == 0);
    assert_non_null(mkdtemp(folder));
    struct input file = { .name = path };
    cancel_each("converting", work_convert, &file, "callgrind");
    cancel_each("converting", work_convert, &file, "nytprof");
    cancel_each("checking", work_file, &file, "check");
    cancel_each("dumping", work_file, &file, "dump");
    assert_int_equal(rmdir(folder), 0);
    unlink(path);
    give_back(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_can_be_cancelled),
        cmocka_unit_test(files_can_be_cancelled),
        cmocka_unit_test(every_analysis_can_be_cancelled),
        cmocka_unit_test(every_analysis_asks_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
