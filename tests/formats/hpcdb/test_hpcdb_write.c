/* Writing databases: figures of a small profile that were worked out by hand, what reading and writing again gives, targets that are refused,
 * refused allocations and full disks. */
#include "base/mem.h"
#include "harness.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const parts[] = { "meta.db", "profile.db", "cct.db", "trace.db", NULL };
static char folder[64];
static char target[96], other[96];

static int set_up(void **state)
{
    (void)state;
    harness_folder(folder, sizeof folder, "hpcdb-write");
    snprintf(target, sizeof target, "%s/target", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    return 0;
}

static void remove_database(const char *path)
{
    char name[200];
    for (size_t i = 0; parts[i]; i++) {
        snprintf(name, sizeof name, "%s/%s", path, parts[i]);
        unlink(name);
    }
    snprintf(name, sizeof name, "%s/metrics/default.yaml", path);
    unlink(name);
    snprintf(name, sizeof name, "%s/metrics", path);
    rmdir(name);
    rmdir(path);
}

/* What is in the folder of this test. */
static unsigned entries(void)
{
    DIR *d = opendir(folder);
    unsigned n = 0;
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static int tear_down(void **state)
{
    (void)state;
    remove_database(target);
    remove_database(other);
    assert_int_equal(entries(), 0);
    return rmdir(folder);
}

/* ---- a profile ----
 * main thread > main > loop > { line > instruction (10; 1), loop > line > instruction (5; 0) }, and from the first instruction a call of work > line >
 * instruction (7; 2). Figures: stream 1, then stream 2. */

static assay_profile *make_profile(void)
{
    assay_error err = { 0 };
    struct assay_build_options o = { .want = ASSAY_WANT_ALL };
    assay_builder *b = assay_builder_new(&o, &err);
    assay_str_id app = assay_build_string(b, "/bin/app", 8), source = assay_build_string(b, "/src/app.c", 10);
    assay_module_id module = assay_build_module(b, app, (assay_str_id){ 0 });
    assay_file_id file = assay_build_file(b, source, (assay_module_id){ 0 });
    assay_func_id entry = assay_build_func(b, assay_build_string(b, "main thread", 11), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_func_id main_f = assay_build_func(b, assay_build_string(b, "main", 4), file, module, 0x100, 3);
    assay_func_id work_f = assay_build_func(b, assay_build_string(b, "work", 4), file, module, 0x200, 30);
    assay_build_func_kind(b, entry, ASSAY_FUNC_PLACEHOLDER, 1);
    assay_metric_id ticks = assay_build_metric(b, "ticks", "count", ASSAY_U64, ASSAY_SHAPE_TREE);
    assay_scope_id point = assay_build_scope(b, ticks, ASSAY_SCOPE_POINT, NULL, 0);
    assay_metric_id ratio = assay_build_metric(b, "ratio", "", ASSAY_F64, ASSAY_SHAPE_TREE);
    assay_build_metric_text(b, ratio, "a \"share\": in percent", "min(100, 50*#0/#0)", false);
    assay_stream_id streams[2];
    for (unsigned i = 0; i < 2; i++) {
        streams[i] = assay_build_stream(b, NULL);
        assay_build_tuple(b, "NODE", 0, 0xabcd, 1);
        assay_build_tuple(b, "THREAD", i, i, 3);
        assay_build_timeline_stream(b, streams[i], "ns", false);
    }
    struct assay_node n = { .kind = ASSAY_NODE_ENTRY, .relation = ASSAY_RELATION_CALL, .func = entry };
    assay_node_id at = assay_build_node(b, &n), in_line, in_loop, in_work;
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = main_f };
    at = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_LOOP, .file = file, .line = 5, .module = module, .offset = 0x110 };
    assay_node_id loop = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = loop, .kind = ASSAY_NODE_LINE, .file = file, .line = 6 };
    at = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_INSTRUCTION, .module = module, .offset = 0x114 };
    in_line = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = loop, .kind = ASSAY_NODE_LOOP, .file = file, .line = 7, .module = module, .offset = 0x120 };
    at = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_LINE, .file = file, .line = 8 };
    at = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_INSTRUCTION, .module = module, .offset = 0x124 };
    in_loop = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = in_line, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = work_f };
    at = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_LINE, .file = file, .line = 31 };
    at = assay_build_node(b, &n);
    n = (struct assay_node){ .parent = at, .kind = ASSAY_NODE_INSTRUCTION, .module = module, .offset = 0x204 };
    in_work = assay_build_node(b, &n);
    assay_build_value(b, streams[0], in_line, point, (assay_value){ .u = 10 });
    assay_build_value(b, streams[0], in_loop, point, (assay_value){ .u = 5 });
    assay_build_value(b, streams[0], in_work, point, (assay_value){ .u = 7 });
    assay_build_value(b, streams[1], in_line, point, (assay_value){ .u = 1 });
    assay_build_value(b, streams[1], in_work, point, (assay_value){ .u = 2 });
    /* idle twice in a row, then an instruction, which is shown as its line */
    assay_build_event(b, streams[1], 1000, 0, (assay_node_id){ 0 }, NULL);
    assay_build_event(b, streams[1], 1010, 0, (assay_node_id){ 0 }, NULL);
    assay_build_event(b, streams[1], 1020, 0, in_work, NULL);
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static bool with_all; /* statistics and hpcprof's faults */
static const struct assay_option all_of_it[] = { { "statistics", "stats" }, { "compat", NULL } };

static int write_profile(const assay_profile *p, const char *path, uint64_t fail_at, assay_error *err)
{
    struct assay_write_options o = { .format = "hpcdb", .options = all_of_it, .option_count = with_all ? 2 : 0 };
    *err = (assay_error){ 0 };
    mem_fail_new(fail_at, 0, UINT32_MAX);
    int rc = assay_write(p, path, &o, NULL, err);
    mem_fail_new(0, 0, 0);
    return rc;
}

static void must_write(const assay_profile *p, const char *path)
{
    assay_error err;
    if (write_profile(p, path, 0, &err) != 0) fail_msg("%s", err.text);
}

static assay_profile *must_read(const char *path)
{
    assay_error err = { 0 };
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = ASSAY_WANT_ALL };
    if (assay_read(path, &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static void must_be_sound(const char *path)
{
    assay_error err = { 0 };
    assay_check_result *r = NULL;
    struct assay_read_options o = { .deep = true };
    if (assay_check(path, &o, &r, &err) != 0) fail_msg("%s", err.text);
    if (r->errors || r->warnings) fail_msg("%s: %s", r->findings[0].rule, r->findings[0].message);
    assay_check_free(r);
}

/* ---- figures ---- */

static uint32_t find_node(const assay_profile *p, uint8_t kind, uint32_t line, const char *func)
{
    const struct assay_tree *t = assay_profile_tree(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    for (uint32_t i = 1; i <= t->count; i++) {
        bool has_name = !func || (t->func[i].v && strcmp(assay_profile_string(p, f->name[t->func[i].v]).data, func) == 0);
        if (t->kind[i] == kind && t->line[i] == line && has_name) return i;
    }
    fail_msg("no node of kind %u, line %u", kind, line);
    return 0;
}

struct figures {
    uint8_t kind;
    uint32_t line;
    const char *func;
    double first[4], second[4]; /* by scope: point, function, lex_aware, execution */
};

static const struct figures figures[] = {
    { ASSAY_NODE_ENTRY, 0, "main thread", { 0, 0, 0, 22 }, { 0, 0, 0, 3 } },
    { ASSAY_NODE_FUNCTION, 0, "main", { 0, 15, 15, 22 }, { 0, 1, 1, 3 } },
    { ASSAY_NODE_LOOP, 5, NULL, { 0, 15, 10, 22 }, { 0, 1, 1, 3 } },
    { ASSAY_NODE_LINE, 6, NULL, { 0, 10, 10, 17 }, { 0, 1, 1, 3 } },
    { ASSAY_NODE_LOOP, 7, NULL, { 0, 5, 5, 5 }, { 0, 0, 0, 0 } },
    { ASSAY_NODE_LINE, 8, NULL, { 0, 5, 5, 5 }, { 0, 0, 0, 0 } },
    { ASSAY_NODE_FUNCTION, 0, "work", { 0, 7, 7, 7 }, { 0, 2, 2, 2 } },
    { ASSAY_NODE_LINE, 31, NULL, { 0, 7, 7, 7 }, { 0, 2, 2, 2 } },
};

struct summary {
    uint32_t node, stat;
    double value;
};

static int find_stat(void *arg, const assay_cell *cell)
{
    struct summary *s = arg;
    if (cell->node == s->node && cell->column == s->stat) s->value = cell->value.d;
    return 0;
}

static void compare_figures(const assay_profile *p, uint32_t node, const double *first, const double *second)
{
    assay_error err = { 0 };
    assay_value a, b;
    for (uint32_t scope = 1; scope <= 4; scope++) {
        struct summary sum = { node, scope, 0 };
        uint8_t kind = assay_profile_scopes(p)->kind[scope];
        assert_int_equal(assay_tree_value(p, (assay_stream_id){ 1 }, (assay_node_id){ node }, (assay_scope_id){ scope }, &a, &err), 0);
        assert_int_equal(assay_tree_value(p, (assay_stream_id){ 2 }, (assay_node_id){ node }, (assay_scope_id){ scope }, &b, &err), 0);
        assert_int_equal(assay_tree_summary(p, (assay_stat_id){ scope }, find_stat, &sum, &err), 0);
        if (a.d != first[kind] || b.d != second[kind] || sum.value != first[kind] + second[kind])
            fail_msg("node %u, scope %u: %g, %g, %g", node, kind, a.d, b.d, sum.value);
    }
}

static void scopes_are_made_of_costs(void **state)
{
    static const double all[2][4] = { { 0, 0, 0, 22 }, { 0, 0, 0, 3 } };
    assay_profile *from = make_profile();
    (void)state;
    must_write(from, target);
    must_be_sound(target);
    assay_profile *p = must_read(target);
    assert_int_equal(assay_profile_scopes(p)->count, 4);
    assert_int_equal(assay_profile_stats(p)->count, 4);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        compare_figures(p, find_node(p, figures[i].kind, figures[i].line, figures[i].func), figures[i].first, figures[i].second);
    compare_figures(p, 0, all[0], all[1]);
    assay_profile_release(p);
    assay_profile_release(from);
}

/* Three instructions have values and no entry; what the first of them calls stands below its line. */
static void instructions_are_hidden(void **state)
{
    (void)state;
    assay_profile *p = must_read(target);
    const struct assay_tree *t = assay_profile_tree(p);
    uint32_t hidden = 0, work = find_node(p, ASSAY_NODE_FUNCTION, 0, "work");
    for (uint32_t i = 1; i <= t->count; i++) hidden += t->flags && t->flags[i] & ASSAY_NODE_NO_PLACE;
    assert_int_equal(hidden, 3);
    assert_int_equal(t->parent[work].v, find_node(p, ASSAY_NODE_LINE, 6, NULL));
    assert_int_equal(t->offset[find_node(p, ASSAY_NODE_LOOP, 7, NULL)], 0x120);
    assay_profile_release(p);
}

static void samples_name_lines(void **state)
{
    (void)state;
    assay_profile *p = must_read(target);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->count, 2);
    assert_int_equal(t->begin[2], 0);
    assert_int_equal(t->time[0], 1000);
    assert_int_equal(t->node[0].v, 0);
    assert_int_equal(t->time[1], 1020);
    assert_int_equal(t->node[1].v, find_node(p, ASSAY_NODE_LINE, 31, NULL));
    assay_profile_release(p);
}

static void id_tuples_are_kept(void **state)
{
    (void)state;
    assay_profile *p = must_read(target);
    const struct assay_streams *s = assay_profile_streams(p);
    assert_int_equal(s->count, 2);
    assert_int_equal(s->tuple_count, 4);
    assert_string_equal(assay_profile_string(p, s->tuple_kind[2]).data, "NODE");
    assert_int_equal(s->tuple_physical[2], 0xabcd);
    assert_int_equal(s->tuple_flags[2], 1);
    assert_string_equal(assay_profile_string(p, s->tuple_kind[3]).data, "THREAD");
    assert_int_equal(s->tuple_logical[3], 1);
    assert_int_equal(s->tuple_flags[3], 0);
    assay_profile_release(p);
}

/* ---- again ---- */

static void written_again_it_is_the_same(void **state)
{
    char why[200] = "";
    assay_error err = { 0 };
    (void)state;
    assay_profile *once = must_read(target);
    must_write(once, other);
    must_be_sound(other);
    assay_profile *twice = must_read(other);
    if (assay_profile_equal(once, twice, why, sizeof why, &err) != 0) fail_msg("%s", why);
    assay_profile_release(twice);
    assay_profile_release(once);
}

static size_t load(const char *path, const char *name, char *buf, size_t size)
{
    char full[200];
    snprintf(full, sizeof full, "%s/%s", path, name);
    FILE *f = fopen(full, "rb");
    assert_non_null(f);
    size_t len = fread(buf, 1, size, f);
    fclose(f);
    assert_true(len > 0 && len < size);
    return len;
}

static void columns_are_named(void **state)
{
    static char text[100000];
    static const char *const expected[] = {
        "version: 0\ninputs:\n  - &ticks-sum-x24_x24_-execution\n    metric: \"ticks\"\n    scope: execution\n    formula: $$\n    combine: sum\n",
        "  - name: \"ticks\"\n    description: \"ticks\"\n    variants:\n      Sum:\n        render: [number, percent]\n        formula:\n"
        "          inclusive:\n            standard: *ticks-sum-x24_x24_-execution\n          exclusive:\n"
        "            custom: *ticks-sum-x24_x24_-lex_aware\n            standard: *ticks-sum-x24_x24_-function\n",
        "  - name: \"ratio\"\n    description: \"a \\\"share\\\": in percent\"\n    variants:\n      \"\":\n",
        "            standard: {\"min\": [100, {\"/\": [{\"*\": [50, *ticks-sum-x24_x24_-execution]}, *ticks-sum-x24_x24_-execution]}]}\n"
    };
    (void)state;
    text[load(target, "metrics/default.yaml", text, sizeof text)] = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strstr(text, expected[i])) fail_msg("no\n%sin\n%s", expected[i], text);
}

static void the_same_profile_gives_the_same_bytes(void **state)
{
    static char a[100000], b[100000];
    (void)state;
    assay_profile *p = make_profile();
    must_write(p, target);
    must_write(p, other);
    for (size_t i = 0; parts[i]; i++) {
        size_t len = load(target, parts[i], a, sizeof a);
        assert_int_equal(load(other, parts[i], b, sizeof b), len);
        assert_memory_equal(a, b, len);
    }
    assay_profile_release(p);
}

/* ---- targets ---- */

static void only_databases_are_replaced(void **state)
{
    char name[200];
    assay_error err;
    assay_profile *p = make_profile();
    (void)state;
    must_write(p, target);
    must_write(p, target);
    assert_int_equal(entries(), 2);
    snprintf(name, sizeof name, "%s/notes.txt", target);
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(write_profile(p, target, 0, &err), ASSAY_ERR_WRITE);
    assert_non_null(strstr(err.text, "notes.txt"));
    unlink(name);
    assert_int_equal(write_profile(p, folder, 0, &err), ASSAY_ERR_WRITE); /* a folder that is no database */
    snprintf(name, sizeof name, "%s/file", folder);
    f = fopen(name, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(write_profile(p, name, 0, &err), ASSAY_ERR_WRITE);
    unlink(name);
    snprintf(name, sizeof name, "%s/no/where", folder);
    assert_int_equal(write_profile(p, name, 0, &err), ASSAY_ERR_WRITE);
    assert_int_equal(write_profile(p, "-", 0, &err), ASSAY_ERR_USAGE);
    assert_int_equal(entries(), 2);
    must_be_sound(target);
    assay_profile_release(p);
}

static void what_has_no_tree_is_refused(void **state)
{
    assay_error err = { 0 };
    (void)state;
    assay_builder *b = assay_builder_new(NULL, &err);
    assay_build_metric(b, "hits", "count", ASSAY_U64, 0);
    assay_profile *p = assay_builder_seal(b, &err);
    remove_database(other);
    assert_int_equal(write_profile(p, other, 0, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(entries(), 1);
    assay_profile_release(p);
}

/* ---- faults ---- */

static void every_refused_allocation_leaves_the_target(void **state)
{
    assay_error err;
    assay_profile *p = make_profile();
    (void)state;
    uint64_t n = 1;
    with_all = true;
    while (write_profile(p, other, n, &err) != 0) {
        assert_int_equal(err.code, ASSAY_ERR_MEMORY);
        assert_int_equal(entries(), 1);
        assert_true(n++ < 10000);
    }
    with_all = false;
    assert_true(n > 20);
    must_write(p, other);
    must_be_sound(other);
    assay_profile_release(p);
}

static void a_disk_that_is_full_leaves_the_target(void **state)
{
    struct rlimit before, small;
    assay_error err;
    assay_profile *p = make_profile();
    (void)state;
    remove_database(other);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t most = 50; most < 1500; most += 290) {
        small = before;
        small.rlim_cur = most;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        int rc = write_profile(p, other, 0, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(rc, ASSAY_ERR_WRITE);
        assert_int_equal(entries(), 1);
    }
    signal(SIGXFSZ, handler);
    assay_profile_release(p);
}

/* Whatever is wrong with a database: what can be read of it makes a sound one. */
static void damaged_databases_become_sound_ones(void **state)
{
    char path[4096], from[64];
    struct samples corpus = { 0 };
    unsigned written = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/hpcdb", harness_source());
    samples_add(&corpus, path, 0);
    for (size_t i = 0; i < corpus.count; i++) {
        assay_error err = { 0 };
        assay_check_result *r = NULL;
        struct assay_write_options o = { .format = "hpcdb" };
        harness_doing("writing %s", corpus.at[i].name);
        harness_folder(from, sizeof from, "hpcdb-damaged");
        harness_unpack(from, parts, corpus.at[i].data, corpus.at[i].len);
        remove_database(other);
        int rc = assay_convert(from, NULL, other, &o, NULL, NULL, &err);
        harness_folder_done(from, parts);
        if (rc != 0) continue;
        written++;
        assert_int_equal(assay_check(other, NULL, &r, &err), 0);
        if (r->errors) fail_msg("%s: %s %s", corpus.at[i].name, r->findings[0].rule, r->findings[0].message);
        assay_check_free(r);
    }
    assert_true(written > 10);
    samples_free(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_are_made_of_costs),
        cmocka_unit_test(instructions_are_hidden),
        cmocka_unit_test(samples_name_lines),
        cmocka_unit_test(id_tuples_are_kept),
        cmocka_unit_test(written_again_it_is_the_same),
        cmocka_unit_test(columns_are_named),
        cmocka_unit_test(the_same_profile_gives_the_same_bytes),
        cmocka_unit_test(only_databases_are_replaced),
        cmocka_unit_test(what_has_no_tree_is_refused),
        cmocka_unit_test(every_refused_allocation_leaves_the_target),
        cmocka_unit_test(a_disk_that_is_full_leaves_the_target),
        cmocka_unit_test(damaged_databases_become_sound_ones),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
