/* Every function of queries, of the viewer and of the server of tools that takes an error clears it. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "error_clear.h"

static const char missing[] = "/nowhere/at/all", folded[] = "main;f 7\n";
static char input[] = "/tmp/assay-test-query-XXXXXX";

static int to_nobody(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
    return 0;
}

static int refuse(void *arg, const char *text, size_t len)
{
    (void)to_nobody(arg, text, len);
    return 1;
}

static void inputs(void)
{
    assay_query *q = NULL;
    assay_profile *p = NULL;
    GIVES(0, "", assay_query_new(NULL, &q, &err));
    GIVES(0, "", assay_query_file(q, "a", input, &err));
    assert_int_equal(assay_read_memory(folded, sizeof folded - 1, "a.folded", NULL, &p, NULL), 0);
    GIVES(0, "", assay_query_profile(q, "b", "b", p, &err));
    assay_profile_release(p);
    assay_query_free(q);
}

static void rows(void)
{
    assay_query *q = NULL;
    assay_rows *r = NULL;
    assert_int_equal(assay_query_new(NULL, &q, NULL), 0);
    assert_int_equal(assay_query_file(q, NULL, input, NULL), 0);
    GIVES(ASSAY_ERR_USAGE, NULL, assay_query_prepare(q, "SELECT no_such FROM top", NULL, &r, &err));
    GIVES(0, "", assay_query_prepare(q, "SELECT abs(-9223372036854775807 - 1)", NULL, &r, &err));
    GIVES(ASSAY_ERR_USAGE, NULL, assay_rows_next(r, &err));
    assay_rows_free(r);
    GIVES(0, "", assay_query_prepare(q, "SELECT 1", NULL, &r, &err));
    GIVES(0, "", assay_rows_next(r, &err) - 1);
    GIVES(0, "", assay_rows_next(r, &err));
    assay_rows_free(r);
    GIVES(0, "", assay_query_prepare(q, "SELECT 1", NULL, &r, &err));
    GIVES(ASSAY_ERR_WRITE, NULL, assay_rows_print(r, NULL, refuse, NULL, NULL, &err));
    assay_rows_free(r);
    GIVES(0, "", assay_query_prepare(q, "SELECT 1", NULL, &r, &err));
    GIVES(0, "", assay_rows_print(r, NULL, to_nobody, NULL, NULL, &err));
    assay_rows_free(r);
    assay_query_free(q);
}

static void tree(void)
{
    assay_query *q = NULL;
    assay_profile *p = NULL;
    assert_int_equal(assay_query_new(NULL, &q, NULL), 0);
    assert_int_equal(assay_query_file(q, NULL, input, NULL), 0);
    GIVES(ASSAY_ERR_USAGE, NULL, assay_query_tree(q, "SELECT 1", &p, &err));
    GIVES(0, "", assay_query_tree(q, "SELECT 1, NULL, 'main', 7", &p, &err));
    assay_profile_release(p);
    assay_query_free(q);
}

static void viewer(void)
{
    assay_viewer *v = NULL;
    const char *paths[] = { missing };
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_viewer_new(paths, 1, NULL, &v, &err));
    paths[0] = input;
    GIVES(0, "", assay_viewer_new(paths, 1, NULL, &v, &err));
    GIVES(ASSAY_ERR_WRITE, NULL, assay_viewer_export(v, "/nowhere/at/all.html", &err));
    GIVES(0, "", assay_viewer_export(v, "/dev/null", &err));
#ifdef ASSAY_HAVE_MICROHTTPD
    GIVES(0, "", assay_viewer_listen(v, 0, &err));
#else
    GIVES(ASSAY_ERR_UNSUPPORTED, NULL, assay_viewer_listen(v, 0, &err));
#endif
    assay_viewer_free(v);
}

static void server(void)
{
    assay_mcp *m = NULL;
    const char *folders[] = { missing };
    GIVES(ASSAY_ERR_SYSTEM, missing, assay_mcp_new(folders, 1, NULL, &m, &err));
    GIVES(ASSAY_ERR_USAGE, "", assay_mcp_new(folders, 0, NULL, &m, &err));
    folders[0] = input;
    GIVES(ASSAY_ERR_USAGE, input, assay_mcp_new(folders, 1, NULL, &m, &err));
    folders[0] = "/tmp";
    GIVES(0, "", assay_mcp_new(folders, 1, NULL, &m, &err));
    int nothing = open("/dev/null", O_RDWR);
    GIVES(0, "", assay_mcp_serve(m, nothing, nothing, &err));
    GIVES(ASSAY_ERR_SYSTEM, "", assay_mcp_serve(m, 1000, nothing, &err));
    close(nothing);
    assay_mcp_free(m);
}

static const struct error_call calls[] = {
    { "assay_query_new", inputs },     { "assay_query_file", inputs },    { "assay_query_profile", inputs }, { "assay_query_prepare", rows },
    { "assay_rows_next", rows },       { "assay_rows_print", rows },      { "assay_query_tree", tree },      { "assay_viewer_new", viewer },
    { "assay_viewer_export", viewer }, { "assay_viewer_listen", viewer }, { "assay_mcp_new", server },       { "assay_mcp_serve", server },
};
enum { CALLS = sizeof calls / sizeof *calls };

static void each_clears_what_was_in_the_error(void **state)
{
    (void)state;
    int fd = mkstemp(input);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fputs(folded, f);
    fclose(f);
    for (size_t i = 0; i < CALLS; i++) calls[i].call();
    remove(input);
}

static void the_table_has_all_that_the_headers_declare(void **state)
{
    (void)state;
    look_into(ASSAY_HEADERS "/query.h", calls, CALLS);
    look_into(ASSAY_HEADERS "/view.h", calls, CALLS);
    look_into(ASSAY_HEADERS "/mcp.h", calls, CALLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_clears_what_was_in_the_error),
        cmocka_unit_test(the_table_has_all_that_the_headers_declare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
