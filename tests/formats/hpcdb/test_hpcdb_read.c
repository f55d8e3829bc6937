/* What the model answers of a small database: the figures are those that makedb.py says it puts there. Cells come from the mapped files, and
 * all ways to ask for one agree. The database is the first sample of the fuzz corpus. */
#include "harness.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "unit/cursor_check.h"

static const char *const names[] = { "meta.db", "profile.db", "cct.db", "trace.db", NULL };
static char folder[64];
static struct samples corpus;
static assay_profile *p;

static int set_up(void **state)
{
    char path[4096];
    assay_error err;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/hpcdb", harness_source());
    samples_add(&corpus, path, 0);
    harness_folder(folder, sizeof folder, "hpcdb");
    for (size_t i = 0; i < corpus.count; i++)
        if (strcmp(corpus.at[i].name, "sound") == 0) harness_unpack(folder, names, corpus.at[i].data, corpus.at[i].len);
    struct assay_read_options o = { .want = ASSAY_WANT_ALL };
    return assay_read(folder, &o, &p, &err);
}

static int tear_down(void **state)
{
    (void)state;
    assay_profile_release(p);
    samples_free(&corpus);
    harness_folder_done(folder, names);
    return 0;
}

static uint32_t node_of(uint64_t ctx)
{
    const struct assay_tree *t = assay_profile_tree(p);
    for (uint32_t i = 1; i <= t->count; i++)
        if (t->origin[i] == ctx) return i;
    fail_msg("no node for context %llu", (unsigned long long)ctx);
    return 0;
}

static uint32_t scope_of(uint32_t metric, uint8_t kind)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    for (uint32_t i = 1; i <= s->count; i++)
        if (s->metric[i].v == metric && s->kind[i] == kind) return i;
    return 0;
}

static double value(uint32_t stream, uint32_t node, uint32_t metric, uint8_t kind)
{
    assay_value v;
    assay_error err;
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ stream }, (assay_node_id){ node }, (assay_scope_id){ scope_of(metric, kind) }, &v, &err), 0);
    return v.d;
}

static void values_are_those_of_the_file(void **state)
{
    (void)state;
    assert_true(value(1, node_of(8), 1, ASSAY_SCOPE_POINT) == 4);
    assert_true(value(1, node_of(4), 1, ASSAY_SCOPE_FUNCTION) == 4);
    assert_true(value(1, node_of(4), 1, ASSAY_SCOPE_LEX_AWARE) == 4);
    assert_true(value(1, node_of(3), 1, ASSAY_SCOPE_EXECUTION) == 6);
    assert_true(value(2, node_of(3), 2, ASSAY_SCOPE_EXECUTION) == 1);
    assert_true(value(2, node_of(3), 1, ASSAY_SCOPE_POINT) == 1);
    assert_true(value(1, 0, 1, ASSAY_SCOPE_EXECUTION) == 6);
    assert_true(value(1, node_of(9), 1, ASSAY_SCOPE_EXECUTION) == 0);
    assert_true(value(3, node_of(3), 1, ASSAY_SCOPE_EXECUTION) == 0);
    assert_true(value(0, node_of(3), 1, ASSAY_SCOPE_EXECUTION) == 0);
    assert_true(assay_profile_metrics(p)->total_double[1] == 10 && assay_profile_metrics(p)->total_double[2] == 2.5);
}

struct seen {
    uint32_t stream, count;
    double sum;
};

static int agrees(void *arg, const assay_cell *c)
{
    struct seen *s = arg;
    assay_value v;
    assay_error err;
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ s->stream }, (assay_node_id){ c->node }, (assay_scope_id){ c->column }, &v, &err), 0);
    assert_true(v.d == c->value.d);
    s->count++;
    s->sum += v.d;
    return 0;
}

static void rows_columns_and_values_agree(void **state)
{
    (void)state;
    assay_error err;
    for (uint32_t stream = 1; stream <= 2; stream++) {
        struct seen all = { stream, 0, 0 }, rows = { stream, 0, 0 }, columns = { stream, 0, 0 };
        assert_int_equal(assay_tree_column(p, (assay_stream_id){ stream }, (assay_scope_id){ 0 }, agrees, &all, &err), 0);
        for (uint32_t n = 0; n <= assay_profile_tree(p)->count; n++)
            assert_int_equal(assay_tree_row(p, (assay_stream_id){ stream }, (assay_node_id){ n }, agrees, &rows, &err), 0);
        for (uint32_t k = 1; k <= assay_profile_scopes(p)->count; k++)
            assert_int_equal(assay_tree_column(p, (assay_stream_id){ stream }, (assay_scope_id){ k }, agrees, &columns, &err), 0);
        assert_true(all.count == (stream == 1 ? 42 : 44));
        assert_true(rows.count == all.count && columns.count == all.count && rows.sum == all.sum && columns.sum == all.sum);
    }
}

static int add(void *arg, const assay_cell *c)
{
    ((struct seen *)arg)->count++;
    ((struct seen *)arg)->sum += c->node == node_of(4) ? c->value.d : 0;
    return 0;
}

/* Context 4 has 4 in one thread and 3 in the other: sum, number, squares, least, most. */
static void the_summary_has_every_statistic(void **state)
{
    (void)state;
    static const double want[] = { 7, 2, 25, 3, 4 };
    const struct assay_stats *s = assay_profile_stats(p);
    assay_error err;
    unsigned found = 0;
    assert_int_equal(s->count, 40);
    for (uint32_t id = 1; id <= s->count; id++) {
        struct seen x = { 0, 0, 0 };
        if (s->scope[id].v != scope_of(1, ASSAY_SCOPE_EXECUTION)) continue;
        assert_int_equal(assay_tree_summary(p, (assay_stat_id){ id }, add, &x, &err), 0);
        assert_true(x.sum == want[found++]);
    }
    assert_int_equal(found, 5);
    struct seen all = { 0, 0, 0 };
    assert_int_equal(assay_tree_summary(p, (assay_stat_id){ 0 }, add, &all, &err), 0);
    assert_int_equal(all.count, 280);
}

static void the_tree_is_that_of_the_file(void **state)
{
    (void)state;
    const struct assay_tree *t = assay_profile_tree(p);
    static const struct {
        uint64_t ctx, parent;
        uint8_t kind, relation;
    } want[] = { { 1, 0, ASSAY_NODE_ENTRY, ASSAY_RELATION_LEXICAL },    { 2, 1, ASSAY_NODE_FUNCTION, ASSAY_RELATION_CALL },
                 { 3, 2, ASSAY_NODE_LINE, ASSAY_RELATION_LEXICAL },     { 4, 3, ASSAY_NODE_FUNCTION, ASSAY_RELATION_CALL },
                 { 5, 4, ASSAY_NODE_LOOP, ASSAY_RELATION_LEXICAL },     { 6, 5, ASSAY_NODE_LINE, ASSAY_RELATION_LEXICAL },
                 { 7, 3, ASSAY_NODE_INSTRUCTION, ASSAY_RELATION_CALL }, { 9, 4, ASSAY_NODE_LINE, ASSAY_RELATION_LEXICAL } };
    assert_int_equal(t->count, 9);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        uint32_t n = node_of(want[i].ctx);
        assert_int_equal(want[i].parent ? t->origin[t->parent[n].v] : t->parent[n].v, want[i].parent);
        assert_int_equal(t->kind[n], want[i].kind);
        assert_int_equal(t->relation[n], want[i].relation);
        assert_int_equal(t->flags[n], 0);
    }
    assert_int_equal(t->origin[9], 8);
    assert_true(t->flags[9] == ASSAY_NODE_NO_PLACE && t->kind[9] == ASSAY_NODE_INSTRUCTION && t->parent[9].v == 0);
}

static void streams_and_samples_are_there(void **state)
{
    (void)state;
    const struct assay_streams *s = assay_profile_streams(p);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(s->count, 2);
    assert_string_equal(assay_profile_string(p, s->tuple_kind[s->tuple_begin[2]]).data, "NODE");
    assert_int_equal(s->tuple_physical[s->tuple_begin[2]], 0xa8c00001);
    assert_int_equal(s->tuple_logical[s->tuple_begin[2] + 1], 1);
    assert_int_equal(t->count, 5);
    assert_true(t->time[1] == 2000 && t->node[1].v == 0 && t->node[2].v == node_of(9));
    assert_true(t->begin[2] == 3 && t->time[3] == 1500 && !t->is_spans[1]);
    assert_string_equal(assay_profile_string(p, t->unit[1]).data, "ns");
    assert_int_equal(assay_profile_files(p)->flags[1], 1);
    assert_int_equal(assay_profile_files(p)->flags[2], 0);
}

static void a_timeline_only_when_wanted(void **state)
{
    (void)state;
    assay_profile *q = NULL;
    assay_error err;
    struct assay_read_options o = { .want = ASSAY_WANT_SUMS };
    assert_int_equal(assay_read(folder, &o, &q, &err), 0);
    assert_int_equal(assay_profile_timeline(q)->count, 0);
    assert_true(assay_profile_offers(q) & ASSAY_SHAPE_TIMELINE);
    assert_int_equal(assay_profile_tree(q)->count, 9);
    assay_profile_release(q);
}

static uint64_t count_of(const assay_profile *q, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(q);
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(assay_profile_string(q, c->name[i]).data, name) == 0) return c->value[i];
    return UINT64_MAX;
}

static void a_file_by_itself_tells_what_is_in_it(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name;
        uint64_t value;
    } want[] = { { "meta.db", "contexts", 8 },         { "meta.db", "functions", 3 },  { "meta.db", "values", UINT64_MAX },
                 { "profile.db", "values", 86 },       { "profile.db", "streams", 2 }, { "profile.db", "contexts", UINT64_MAX },
                 { "cct.db", "ctxinfos", 10 },         { "cct.db", "cct_values", 86 }, { "trace.db", "samples", 5 },
                 { "trace.db", "metrics", UINT64_MAX } };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char path[128];
        assay_profile *q = NULL;
        assay_error err;
        snprintf(path, sizeof path, "%s/%s", folder, want[i].file);
        struct assay_read_options o = { .want = ASSAY_WANT_ALL, .strict = true };
        assert_int_equal(assay_read(path, &o, &q, &err), 0);
        assert_int_equal(count_of(q, want[i].name), want[i].value);
        assay_profile_release(q);
    }
}

static int cancel(void *arg, uint64_t done, uint64_t total)
{
    (void)arg;
    assert_true(done <= total && total > 0);
    return 1;
}

static void a_check_can_be_cancelled(void **state)
{
    (void)state;
    assay_check_result *r = NULL;
    assay_error err;
    struct assay_read_options o = { .progress = cancel };
    assert_int_equal(assay_check(folder, &o, &r, &err), ASSAY_ERR_CANCELLED);
    assert_null(r);
}

static void a_draft_is_refused_in_words(void **state)
{
    (void)state;
    char draft[64];
    harness_folder(draft, sizeof draft, "draft");
    for (size_t i = 0; i < corpus.count; i++)
        if (strcmp(corpus.at[i].name, "H013") == 0) harness_unpack(draft, names, corpus.at[i].data, corpus.at[i].len);
    for (int strict = 0; strict < 2; strict++) {
        assay_profile *q = NULL;
        assay_error err;
        struct assay_read_options o = { .strict = strict };
        assert_int_equal(assay_read(draft, &o, &q, &err), ASSAY_ERR_VERSION);
        assert_non_null(strstr(err.text, "H013"));
        assert_non_null(strstr(err.text, "pre-release layout"));
    }
    harness_folder_done(draft, names);
}

/* What does not need them does not miss them. */
static int skip_cell(void *arg, const assay_cell *c) { return (void)arg, (void)c, 0; }

/* Large enough that its bytes stay in the file, and cut between opening and asking: a mapped file would end the program here. */
static void a_file_that_shrinks_is_an_error_and_no_end(void **state)
{
    char path[96];
    struct stat was;
    struct assay_read_options o = { .want = ASSAY_WANT_TREE };
    assay_profile *q = NULL;
    assay_error err = { 0 };
    assay_value v;
    (void)state;
    snprintf(path, sizeof path, "%s/profile.db", folder);
    assert_int_equal(stat(path, &was), 0);
    char *bytes = malloc((size_t)was.st_size);
    FILE *f = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, (size_t)was.st_size, f), was.st_size);
    fclose(f);
    assert_int_equal(truncate(path, 3 << 20), 0);
    assert_int_equal(assay_read(folder, &o, &q, &err), 0);
    assert_int_equal(truncate(path, 64), 0);
    assert_int_equal(assay_tree_column(q, (assay_stream_id){ 1 }, (assay_scope_id){ 0 }, skip_cell, NULL, &err), ASSAY_ERR_SYSTEM);
    assert_string_equal(err.text, "shrank while it was being read");
    assert_string_equal(err.path, path);
    assert_int_equal(assay_tree_value(q, (assay_stream_id){ 1 }, (assay_node_id){ 1 }, (assay_scope_id){ 1 }, &v, &err), ASSAY_ERR_SYSTEM);
    assay_profile_release(q);
    f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, (size_t)was.st_size, f), was.st_size);
    fclose(f);
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[2]){ was.st_atim, was.st_mtim }, 0), 0); /* as if nothing had been: others go on with it */
    free(bytes);
}

static void a_database_without_cct_and_trace_reads_alike(void **state)
{
    (void)state;
    char path[128];
    assay_profile *q = NULL;
    assay_error err;
    size_t count;
    for (int i = 2; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(remove(path), 0);
    }
    struct assay_read_options o = { .want = ASSAY_WANT_SUMS, .strict = true };
    assert_int_equal(assay_read(folder, &o, &q, &err), 0);
    (void)assay_profile_warnings(q, &count);
    assert_int_equal(count, 0);
    assert_int_equal(assay_profile_tree(q)->count, 9);
    assert_true(assay_profile_metrics(q)->total_double[1] == 10);
    assay_profile_release(q);
}

/* ---- pulled ---- */

static void a_cursor_gives_what_stays_in_the_database(void **state)
{
    (void)state;
    assert_true(cursor_check(p) > 4);
}

/* Each refused allocation is an error of the call that needed it, and the cursor can go on from there. */
static void a_cursor_survives_want_of_memory(void **state)
{
    (void)state;
    uint64_t whole = cursor_check(p), n = 1, count = 0;
    int rc = ASSAY_ERR_MEMORY;
    for (; rc != 0 && n < 100; n++) {
        assay_stream_id stream;
        assay_cell cell;
        assay_error err = { 0 };
        mem_fail_new(n, 0, UINT32_MAX);
        assay_cursor *c = assay_cursor_new(p, &err);
        mem_fail_new(0, 0, 0);
        rc = c ? 0 : err.code;
        for (count = 0; c && (rc = assay_cursor_next(c, &stream, &cell, &err)) == 1; count++) continue;
        assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY);
        assert_int_equal(err.code, rc);
        assay_cursor_free(c);
    }
    assert_true(rc == 0 && n > 2);
    assert_int_equal(count, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cursor_gives_what_stays_in_the_database),
        cmocka_unit_test(a_cursor_survives_want_of_memory),
        cmocka_unit_test(values_are_those_of_the_file),
        cmocka_unit_test(rows_columns_and_values_agree),
        cmocka_unit_test(the_summary_has_every_statistic),
        cmocka_unit_test(the_tree_is_that_of_the_file),
        cmocka_unit_test(streams_and_samples_are_there),
        cmocka_unit_test(a_timeline_only_when_wanted),
        cmocka_unit_test(a_file_by_itself_tells_what_is_in_it),
        cmocka_unit_test(a_check_can_be_cancelled),
        cmocka_unit_test(a_draft_is_refused_in_words),
        cmocka_unit_test(a_file_that_shrinks_is_an_error_and_no_end),
        cmocka_unit_test(a_database_without_cct_and_trace_reads_alike), /* last: it removes files */
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
