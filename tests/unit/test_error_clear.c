/* Every public function that takes an error clears it, with NULL for its options; those of store.h, query.h, view.h and mcp.h have a test of their own. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"
#include "error_clear.h"

static const char lcov[] = "TN:\nSF:/src/a.c\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n";
static const char diff[] = "--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-x\n+y\n";
static const char missing[] = "/nowhere/at/all";

/* A tree of one function with one value, and a graph and coverage beside it where asked for; no metric at all: nothing was measured. */
static assay_profile *sample(bool has_cost, bool has_coverage)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL }, NULL);
    assay_func_id f = assay_build_func(b, assay_build_string(b, "f", 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    if (has_cost) {
        assay_metric_id m = assay_build_metric(b, "Ir", "count", ASSAY_U64, 0);
        assay_scope_id s = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0);
        assay_node_id n = assay_build_node(b, &(struct assay_node){ .kind = ASSAY_NODE_FUNCTION, .func = f });
        assay_build_value(b, (assay_stream_id){ 0 }, n, s, (assay_value){ .u = 7 });
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    if (has_coverage) {
        assay_profile_release(p);
        assert_int_equal(assay_read_memory(lcov, sizeof lcov - 1, "a.info", NULL, &p, NULL), 0);
    }
    assert_non_null(p);
    return p;
}

static assay_profile *cost, *coverage, *nothing;

/* ---- builder and model ---- */

static void builder_new(void)
{
    assay_error err = poisoned();
    mem_fail_new(1, 0, UINT32_MAX);
    assert_null(assay_builder_new(NULL, &err));
    mem_fail_new(0, 0, 0);
    assert_cleared(&err, ASSAY_ERR_MEMORY, "");
    err = poisoned();
    assay_builder *b = assay_builder_new(NULL, &err);
    assert_cleared(&err, 0, "");
    assay_builder_free(b);
}

static void builder_seal(void)
{
    assay_error err = poisoned();
    assert_null(assay_builder_seal(NULL, &err));
    assert_cleared(&err, ASSAY_ERR_MEMORY, "");
    assay_builder *b = assay_builder_new(NULL, NULL);
    assay_build_metric(b, "Ir", "count", ASSAY_U64, 0);
    assay_build_metric(b, "Ir", "count", ASSAY_F64, 0);
    err = poisoned();
    assay_profile *p = assay_builder_seal(b, &err);
    assert_cleared(&err, err.code, "");
    assert_true((p == NULL) == (err.code != 0));
    assay_profile_release(p);
}

static int stop(void *arg, const assay_cell *cell)
{
    (void)arg;
    (void)cell;
    return 0;
}

static const assay_stream_id no_stream;
static const assay_node_id node = { 1 };
static const assay_scope_id column = { 1 };

static void tree_value(void)
{
    assay_value v;
    GIVES(0, "", assay_tree_value(cost, no_stream, node, column, &v, &err));
    assert_int_equal(v.u, 7);
}
static void tree_row(void) { GIVES(0, "", assay_tree_row(cost, no_stream, node, stop, NULL, &err)); }
static void tree_column(void) { GIVES(0, "", assay_tree_column(cost, no_stream, column, stop, NULL, &err)); }
static void tree_summary(void) { GIVES(0, "", assay_tree_summary(cost, (assay_stat_id){ 0 }, stop, NULL, &err)); }
static void cursor(void)
{
    assay_stream_id stream;
    assay_cell cell;
    size_t count;
    assay_error made = poisoned();
    mem_fail_new(1, 0, UINT32_MAX);
    assert_null(assay_cursor_new(cost, &made));
    mem_fail_new(0, 0, 0);
    assert_cleared(&made, ASSAY_ERR_MEMORY, "");
    made = poisoned();
    assay_cursor *c = assay_cursor_new(cost, &made);
    assert_cleared(&made, 0, "");
    GIVES(0, "", assay_cursor_seek(c, no_stream, node, column, &err));
    made = poisoned();
    assert_int_equal(assay_cursor_next(c, &stream, &cell, &made), 1);
    assert_cleared(&made, 0, "");
    made = poisoned();
    assert_int_equal(assay_cursor_read(c, 0, &stream, NULL, NULL, NULL, &count, &made), 0);
    assert_cleared(&made, 0, "");
    assay_cursor_free(c);
}
static void profile_equal(void)
{
    assay_error differ = poisoned();
    assert_int_equal(assay_profile_equal(cost, coverage, NULL, 0, &differ), 1);
    assert_cleared(&differ, 0, "");
    GIVES(0, "", assay_profile_equal(cost, cost, NULL, 0, &err));
}

/* ---- files ---- */

static int nowhere(void *arg, const char *data, size_t len)
{
    (void)arg;
    (void)data;
    (void)len;
    return 0;
}

static void write_sample(char *path)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fwrite(lcov, 1, sizeof lcov - 1, f);
    fclose(f);
}

static char input[] = "/tmp/assay-error-XXXXXX";

static void read_file(void)
{
    assay_profile *p;
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_read(missing, NULL, &p, &err));
    GIVES(0, "", assay_read(input, NULL, &p, &err));
    assay_profile_release(p);
}
static void read_memory(void)
{
    assay_profile *p;
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_read_memory("no such thing\n", 14, "noise", NULL, &p, &err));
    GIVES(0, "", assay_read_memory(lcov, sizeof lcov - 1, "a.info", NULL, &p, &err));
    assay_profile_release(p);
}
static void probe(void)
{
    const struct assay_format_info *f;
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_probe(missing, NULL, &f, NULL, NULL, &err));
    GIVES(0, "", assay_probe(input, NULL, &f, NULL, NULL, &err));
}
static void check_file(void)
{
    assay_check_result *r;
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_check(missing, NULL, &r, &err));
    GIVES(0, "", assay_check(input, NULL, &r, &err));
    assay_check_free(r);
}
static void dump(void)
{
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_dump(missing, NULL, nowhere, NULL, &err));
    GIVES(0, "", assay_dump(input, NULL, nowhere, NULL, &err));
}
static void from_memory(void)
{
    struct assay_input noise = ASSAY_FROM_MEMORY("no such thing\n", 14, "noise"), report = ASSAY_FROM_MEMORY(lcov, sizeof lcov - 1, "a.info");
    struct assay_write_options to_lcov = { .size = sizeof to_lcov, .format = "lcov" };
    const struct assay_format_info *f;
    assay_check_result *r;
    assay_profile *p;
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_read_from(&noise, NULL, &p, &err));
    GIVES(0, "", assay_read_from(&report, NULL, &p, &err));
    assay_profile_release(p);
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_probe_from(&noise, NULL, &f, NULL, NULL, &err));
    GIVES(0, "", assay_probe_from(&report, NULL, &f, NULL, NULL, &err));
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_check_from(&noise, NULL, &r, &err));
    GIVES(0, "", assay_check_from(&report, NULL, &r, &err));
    assay_check_free(r);
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_dump_from(&noise, NULL, nowhere, NULL, &err));
    GIVES(0, "", assay_dump_from(&report, NULL, nowhere, NULL, &err));
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_convert_from(&noise, NULL, input, &to_lcov, NULL, NULL, &err));
    GIVES(0, "", assay_convert_from(&report, NULL, input, &to_lcov, NULL, NULL, &err));
}
static void write_file(void)
{
    GIVES(ASSAY_ERR_USAGE, "", assay_write(coverage, "-", NULL, NULL, &err));
    GIVES(0, "", assay_write(coverage, input, &(struct assay_write_options){ .format = "lcov" }, NULL, &err));
}
static void write_fn(void)
{
    GIVES(ASSAY_ERR_USAGE, "", assay_write_fn(coverage, NULL, nowhere, NULL, NULL, &err));
    GIVES(0, "", assay_write_fn(coverage, &(struct assay_write_options){ .format = "lcov" }, nowhere, NULL, NULL, &err));
}
static void convert(void)
{
    GIVES(ASSAY_ERR_USAGE, "", assay_convert(input, NULL, "-", NULL, NULL, NULL, &err));
    GIVES(0, "", assay_convert(input, NULL, input, &(struct assay_write_options){ .format = "lcov" }, NULL, NULL, &err));
}

/* ---- analysis ---- */

static void top_new(void)
{
    assay_top *t;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_top_new(nothing, &t, &err));
    GIVES(0, "", assay_top_new(cost, &t, &err));
    assay_top_free(t);
}
static void table_new(void)
{
    assay_table *t;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_table_new(nothing, NULL, &t, &err));
    GIVES(0, "", assay_table_new(cost, NULL, &t, &err));
    assay_table_free(t);
}
static void view_new(void)
{
    assay_view *v;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_view_new(nothing, NULL, &v, &err));
    GIVES(0, "", assay_view_new(cost, NULL, &v, &err));
    assay_view_free(v);
}
static void callers_new(void)
{
    assay_callers *c;
    GIVES(ASSAY_ERR_USAGE, "", assay_callers_new(cost, "nowhere", NULL, &c, &err));
    GIVES(0, "", assay_callers_new(cost, "f", NULL, &c, &err));
    assay_callers_free(c);
}
static void paths_new(void)
{
    assay_paths *s;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_paths_new(nothing, NULL, &s, &err));
    GIVES(0, "", assay_paths_new(cost, NULL, &s, &err));
    assay_paths_free(s);
}
static void estimate_new(void)
{
    assay_profile *p, *graph, *estimated;
    static const char calls[] = "events: Ir\nfn=f\n1 1\ncfn=g\ncalls=1 1\n1 1\nfn=g\n1 1\n";
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_estimate_new(cost, NULL, &p, &err));
    assert_int_equal(assay_read_memory(calls, sizeof calls - 1, "x.callgrind", NULL, &graph, NULL), 0);
    GIVES(0, "", assay_estimate_new(graph, NULL, &estimated, &err));
    assay_profile_release(estimated);
    assay_profile_release(graph);
}
static void chart_new(void)
{
    assay_chart *c;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_chart_new(nothing, NULL, &c, &err));
}
static void annotate_new(void)
{
    assay_annotate *a;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_annotate_new(nothing, NULL, &a, &err));
    GIVES(0, "", assay_annotate_new(coverage, NULL, &a, &err));
    assay_annotate_free(a);
}
static void annotate_file(void)
{
    assay_annotate *a;
    const assay_annotate_source *s;
    assert_int_equal(assay_annotate_new(coverage, NULL, &a, NULL), 0);
    GIVES(ASSAY_ERR_USAGE, "", assay_annotate_file(a, 1, &s, &err));
    GIVES(0, "", assay_annotate_file(a, 0, &s, &err));
    assay_annotate_free(a);
}
static void graph_new(void)
{
    assay_profile *p;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_graph_new(coverage, NULL, &p, NULL, &err));
    GIVES(0, "", assay_graph_new(cost, NULL, &p, NULL, &err));
    assay_profile_release(p);
}
static void coverage_count(void)
{
    assay_coverage_counts n;
    GIVES(0, "", assay_coverage_count(coverage, &n, NULL, &err));
    assert_int_equal(n.lines_hit, 1);
}
static void coverage_figures(void)
{
    assay_coverage_counts n;
    GIVES(0, "", assay_coverage_figures(coverage, &n, NULL, &err));
    assert_int_equal(n.lines_hit, 1);
}
static void cov_table_new(void)
{
    assay_coverage_table *t;
    GIVES(0, "", assay_coverage_table_new(coverage, ASSAY_COVERAGE_BY_FILE, ASSAY_COVERAGE_SORT_LINES, 0, &t, &err));
    assay_coverage_table_free(t);
}
static void filter_apply(void)
{
    assay_profile *p;
    const char *empty = "";
    GIVES(ASSAY_ERR_USAGE, "", assay_filter_apply(coverage, &(struct assay_filter){ .includes = &empty, .include_count = 1 }, &p, &err));
    GIVES(0, "", assay_filter_apply(coverage, NULL, &p, &err));
    assay_profile_release(p);
}
static void merger_new(void)
{
    assay_error err = poisoned();
    assay_merger *m = assay_merger_new(NULL, &err);
    assert_cleared(&err, 0, "");
    assay_merger_free(m);
}
static void merger_add(void)
{
    assay_merger *m = assay_merger_new(NULL, NULL);
    GIVES(0, "", assay_merger_add(m, cost, &err));
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_merger_add(m, nothing, &err));
    assay_merger_free(m);
}
static void merger_finish(void)
{
    assay_error err = poisoned();
    assert_null(assay_merger_finish(assay_merger_new(NULL, NULL), &err));
    assert_cleared(&err, ASSAY_ERR_USAGE, "");
    assay_merger *m = assay_merger_new(NULL, NULL);
    assert_int_equal(assay_merger_add(m, cost, NULL), 0);
    err = poisoned();
    assay_profile *p = assay_merger_finish(m, &err);
    assert_cleared(&err, 0, "");
    assay_profile_release(p);
}

/* ---- changes ---- */

static assay_changes *changed(void)
{
    assay_changes *c;
    assert_int_equal(assay_changes_read_memory(diff, sizeof diff - 1, "a.diff", NULL, &c, NULL), 0);
    return c;
}
static void changes_read(void)
{
    assay_changes *c;
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_changes_read(missing, NULL, &c, &err));
}
static void changes_read_memory(void)
{
    assay_changes *c;
    GIVES(ASSAY_ERR_UNKNOWN, "noise", assay_changes_read_memory("x\n", 2, "noise", NULL, &c, &err));
    GIVES(0, "", assay_changes_read_memory(diff, sizeof diff - 1, "a.diff", NULL, &c, &err));
    assay_changes_free(c);
}
static void changes_git(void)
{
    assay_changes *c;
    assay_error err = poisoned();
    int rc = assay_changes_git(&(struct assay_git_range){ .repository = missing }, &c, &err);
    assert_true(rc != 0);
    assert_cleared(&err, rc, err.path[0] ? missing : "");
    err = poisoned();
    rc = assay_changes_git(NULL, &c, &err); /* of whatever folder the test runs in */
    assert_int_equal(err.code, rc);
    assert_non_null(memchr(err.path, '\0', sizeof err.path));
    assay_changes_free(rc == 0 ? c : NULL);
}
static void patch_new(void)
{
    assay_patch *patch;
    assay_changes *c = changed();
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_patch_new(cost, c, NULL, &patch, &err));
    GIVES(0, "", assay_patch_new(coverage, c, NULL, &patch, &err));
    assay_patch_free(patch);
    assay_changes_free(c);
}
static void coverage_diff_new(void)
{
    assay_coverage_diff *d;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_coverage_diff_new(coverage, cost, NULL, NULL, &d, &err));
    GIVES(0, "", assay_coverage_diff_new(coverage, coverage, NULL, NULL, &d, &err));
    assay_coverage_diff_free(d);
}
static void profile_diff_new(void)
{
    assay_profile_diff *d;
    GIVES(ASSAY_ERR_UNSUPPORTED, "", assay_profile_diff_new(nothing, nothing, NULL, &d, &err));
    GIVES(0, "", assay_profile_diff_new(cost, cost, NULL, &d, &err));
    assay_profile_diff_free(d);
}

/* ---- all of them ---- */

static const struct assay_report_sink no_sink = { .size = sizeof no_sink };
static void reporter_new(void)
{
    assay_reporter *r;
    GIVES(ASSAY_ERR_USAGE, "", assay_reporter_new("nothing", NULL, 0, 1, &no_sink, &r, &err));
    GIVES(0, "", assay_reporter_new("top", NULL, 0, 1, &no_sink, &r, &err));
    assay_reporter_free(r);
}
static void reporter_add(void)
{
    assay_reporter *r;
    assert_int_equal(assay_reporter_new("top", NULL, 0, 2, &no_sink, &r, NULL), 0);
    GIVES(ASSAY_ERR_UNSUPPORTED, "a", assay_reporter_add(r, "a", nothing, &err));
    GIVES(0, "", assay_reporter_add(r, "b", cost, &err));
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_reporter_file(r, missing, &err));
    GIVES(0, "", assay_reporter_file(r, input, &err));
    GIVES(0, "", assay_reporter_end(r, &err));
    assay_reporter_free(r);
}
static void reporter_files(void)
{
    assay_reporter *r;
    const char *const paths[] = { missing, input };
    assert_int_equal(assay_reporter_new("diff", NULL, 0, 2, &no_sink, &r, NULL), 0);
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_reporter_files(r, paths, 2, &err));
    assay_reporter_free(r);
    assert_int_equal(assay_reporter_new("top", NULL, 0, 2, &no_sink, &r, NULL), 0);
    GIVES(0, "", assay_reporter_files(r, NULL, 0, &err));
    GIVES(0, "", assay_reporter_files(r, paths + 1, 1, &err));
    assay_reporter_free(r);
}
static void report(void)
{
    GIVES(ASSAY_ERR_UNSUPPORTED, "-", assay_report(nothing, "top", NULL, 0, &no_sink, NULL, &err));
    GIVES(0, "", assay_report(cost, "top", NULL, 0, &no_sink, NULL, &err));
}

static int swallow(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
    return 0;
}
static void written(void)
{
    struct assay_written what = { .size = sizeof what, .from = "lcov", .to = "cobertura" };
    GIVES(ASSAY_ERR_USAGE, "", assay_report_written(&what, &no_sink, &err));
    GIVES(0, "", assay_report_written(&what, &(struct assay_report_sink){ .size = sizeof(struct assay_report_sink), .write = swallow }, &err));
    what.to = NULL;
    GIVES(ASSAY_ERR_USAGE, "", assay_report_written(&what, &no_sink, &err));
}

static const struct error_call calls[] = {
    { "assay_builder_new", builder_new },
    { "assay_builder_seal", builder_seal },
    { "assay_tree_value", tree_value },
    { "assay_tree_row", tree_row },
    { "assay_tree_column", tree_column },
    { "assay_tree_summary", tree_summary },
    { "assay_cursor_new", cursor },
    { "assay_cursor_seek", cursor },
    { "assay_cursor_next", cursor },
    { "assay_cursor_read", cursor },
    { "assay_profile_equal", profile_equal },
    { "assay_read", read_file },
    { "assay_read_memory", read_memory },
    { "assay_read_from", from_memory },
    { "assay_probe_from", from_memory },
    { "assay_check_from", from_memory },
    { "assay_dump_from", from_memory },
    { "assay_convert_from", from_memory },
    { "assay_probe", probe },
    { "assay_check", check_file },
    { "assay_dump", dump },
    { "assay_write", write_file },
    { "assay_write_fn", write_fn },
    { "assay_convert", convert },
    { "assay_top_new", top_new },
    { "assay_table_new", table_new },
    { "assay_view_new", view_new },
    { "assay_callers_new", callers_new },
    { "assay_paths_new", paths_new },
    { "assay_estimate_new", estimate_new },
    { "assay_chart_new", chart_new },
    { "assay_annotate_new", annotate_new },
    { "assay_annotate_file", annotate_file },
    { "assay_graph_new", graph_new },
    { "assay_coverage_count", coverage_count },
    { "assay_coverage_figures", coverage_figures },
    { "assay_coverage_table_new", cov_table_new },
    { "assay_filter_apply", filter_apply },
    { "assay_merger_new", merger_new },
    { "assay_merger_add", merger_add },
    { "assay_merger_finish", merger_finish },
    { "assay_changes_read", changes_read },
    { "assay_changes_read_memory", changes_read_memory },
    { "assay_changes_git", changes_git },
    { "assay_patch_new", patch_new },
    { "assay_coverage_diff_new", coverage_diff_new },
    { "assay_profile_diff_new", profile_diff_new },
    { "assay_reporter_new", reporter_new },
    { "assay_reporter_add", reporter_add },
    { "assay_reporter_file", reporter_add },
    { "assay_reporter_files", reporter_files },
    { "assay_reporter_end", reporter_add },
    { "assay_report", report },
    { "assay_report_written", written },
};
enum { CALLS = sizeof calls / sizeof *calls };

static void each_clears_what_was_in_the_error(void **state)
{
    (void)state;
    write_sample(input);
    cost = sample(true, false);
    coverage = sample(false, true);
    nothing = sample(false, false);
    for (size_t i = 0; i < CALLS; i++) {
        print_message("%s\n", calls[i].name);
        calls[i].call();
    }
    assay_profile_release(cost);
    assay_profile_release(coverage);
    assay_profile_release(nothing);
    remove(input);
}

static void the_table_has_all_that_the_headers_declare(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(ASSAY_HEADERS "/*.h", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 17);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        if (strcmp(name, "store.h") != 0 && strcmp(name, "query.h") != 0 && strcmp(name, "view.h") != 0 && strcmp(name, "mcp.h") != 0)
            look_into(found.gl_pathv[i], calls, CALLS);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_clears_what_was_in_the_error),
        cmocka_unit_test(the_table_has_all_that_the_headers_declare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
