/* Reports through the library: options as pairs, what goes to the sink, and what is refused. Figures are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "base/mem.h"

struct got {
    char text[8192], said[2048];
    size_t len;
    unsigned failed;
    bool refuses;
};

static int put(void *arg, const char *data, size_t len)
{
    struct got *g = arg;
    if (g->refuses) return 1;
    assert_true(g->len + len < sizeof g->text);
    memcpy(g->text + g->len, data, len);
    g->len += len;
    g->text[g->len] = '\0';
    return 0;
}

static void say(void *arg, const char *text)
{
    struct got *g = arg;
    strncat(g->said, text, sizeof g->said - strlen(g->said) - 2);
    strcat(g->said, "\n");
}

static struct assay_report_sink sink_to(struct got *g)
{
    return (struct assay_report_sink){ .size = sizeof(struct assay_report_sink), .arg = g, .write = put, .message = say };
}

static assay_profile *read_text(const char *text)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    if (assay_read_memory(text, strlen(text), "text", NULL, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

/* main costs 1 itself and 3 in work. */
static const char stacks[] = "main;work 3\nmain 1\n";
/* One of two lines is hit. */
static const char coverage[] = "TN:\nSF:/a.c\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n";

static void one_call(void **state)
{
    (void)state;
    struct got g = { .len = 0 };
    struct assay_report_sink sink = sink_to(&g);
    const struct assay_option options[] = { { "csv", NULL }, { "sort", "total" } };
    assay_profile *p = read_text(stacks);
    assert_int_equal(assay_report(p, "top", options, 2, &sink, NULL, NULL), 0);
    assert_string_equal(g.text, "self,self%,total,total%,calls,function,file,line,module\n1,25.0,4,100.0,0,main,,,\n3,75.0,3,75.0,0,work,,,\n");
    assay_profile_release(p);
}

static void name_of_the_input(void **state)
{
    (void)state;
    struct got g = { .len = 0 };
    struct assay_report_sink sink = sink_to(&g);
    const struct assay_option options[] = { { "FILE", "mine" } };
    assay_profile *p = read_text(stacks);
    assert_int_equal(assay_report(p, "tree", options, 1, &sink, NULL, NULL), 0);
    assert_memory_equal(g.text, "mine: ", 6);
    assay_profile_release(p);
}

static void word_before_the_input(void **state)
{
    (void)state;
    struct got g = { .len = 0 };
    struct assay_report_sink sink = sink_to(&g);
    assay_error err = { 0 };
    const struct assay_option options[] = { { "FUNCTION", "work" }, { "csv", NULL } };
    assay_profile *p = read_text(stacks);
    assert_int_equal(assay_report(p, "callers", options, 2, &sink, NULL, NULL), 0);
    assert_non_null(strstr(g.text, "main"));
    assert_int_equal(assay_report(p, "callers", options + 1, 1, &sink, NULL, &err), ASSAY_ERR_USAGE);
    assert_string_equal(err.text, "callers needs FUNCTION FILE... ('-' is standard input)");
    assay_profile_release(p);
}

static void gate_is_an_answer(void **state)
{
    (void)state;
    struct got g = { .len = 0 };
    struct assay_report_sink sink = sink_to(&g);
    struct assay_option options[] = { { "fail-under", "80" }, { "FILE", "a.info" } };
    bool is_no = false;
    assay_profile *p = read_text(coverage);
    assert_int_equal(assay_report(p, "top", options, 2, &sink, &is_no, NULL), 0);
    assert_true(is_no);
    assert_string_equal(g.said, "a.info: line coverage 50.00% (1 of 2) is below 80%\n");
    options[0].value = "50";
    assert_int_equal(assay_report(p, "top", options, 2, &sink, &is_no, NULL), 0);
    assert_false(is_no);
    assay_profile_release(p);
}

static void several_inputs(void **state)
{
    (void)state;
    struct got g = { .len = 0 };
    struct assay_report_sink sink = sink_to(&g);
    const struct assay_option options[] = { { "json", "short" } };
    assay_reporter *r;
    assay_error err = { 0 };
    assay_profile *p = read_text(stacks);
    assert_int_equal(assay_reporter_new("top", options, 1, 2, &sink, &r, &err), 0);
    assert_true(assay_reporter_want(r) & ASSAY_WANT_SUMS);
    assert_int_equal(assay_reporter_add(r, "first", p, &err), 0);
    assert_int_equal(assay_reporter_file(r, "/nonexistent/second", &err), ASSAY_ERR_SYSTEM);
    assert_false(assay_reporter_is_over(r));
    assert_int_equal(assay_reporter_end(r, &err), 0);
    assert_non_null(strstr(g.text, "\"path\": \"first\""));
    assert_non_null(strstr(g.text, "\"path\": \"/nonexistent/second\""));
    assay_reporter_free(r);
    assay_profile_release(p);
}

static void fail_file(void *arg, const assay_error *err)
{
    struct got *g = arg;
    assert_int_equal(err->code, ASSAY_ERR_SYSTEM);
    g->failed++;
}

static int show_files(struct got *g, const char *threads, const char *path, assay_error *err)
{
    struct assay_report_sink sink = sink_to(g);
    const struct assay_option options[] = { { "csv", NULL }, { "threads", threads } };
    const char *paths[] = { path, "/nonexistent/second", path, path };
    assay_reporter *r;
    sink.failed = fail_file;
    assert_int_equal(assay_reporter_new("top", options, 2, 4, &sink, &r, err), 0);
    int rc = assay_reporter_files(r, paths, 4, err);
    if (rc == 0) rc = assay_reporter_end(r, err);
    assay_reporter_free(r);
    return rc;
}

static void write_stacks(char *path)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, stacks, sizeof stacks - 1), sizeof stacks - 1);
    close(fd);
}

/* The three that are there, two rows each, and the one that is not. */
static void several_files(void **state)
{
    (void)state;
    static const char *const threads[] = { "1", "2", "3", "8" };
    struct got first = { .len = 0 };
    char path[] = "/tmp/assay-report-XXXXXX";
    write_stacks(path);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct got g = { .len = 0 };
        unsigned lines = 0;
        assert_int_equal(show_files(&g, threads[i], path, NULL), 0);
        for (size_t k = 0; k < g.len; k++) lines += g.text[k] == '\n';
        assert_int_equal(lines, 1 + 3 * 2);
        assert_int_equal(g.failed, 1);
        if (i == 0) first = g;
        assert_string_equal(g.text, first.text);
    }
    unlink(path);
}

static int count_down(void *arg)
{
    unsigned *left = arg;
    return *left == 0 || --*left == 0;
}

static void files_can_be_cancelled(void **state)
{
    (void)state;
    char path[] = "/tmp/assay-report-XXXXXX";
    int rc = ASSAY_ERR_CANCELLED;
    write_stacks(path);
    for (unsigned asked = 1; rc != 0; asked++) {
        struct got g = { .len = 0 };
        assay_error err = { 0 };
        unsigned left = asked;
        assert_true(asked < 100000);
        assay_cancel_set(NULL, NULL);
        struct assay_report_sink sink = sink_to(&g);
        const struct assay_option threads = { "threads", "3" };
        const char *paths[] = { path, path, path, path };
        assay_reporter *r;
        assert_int_equal(assay_reporter_new("check", &threads, 1, 4, &sink, &r, NULL), 0);
        assay_cancel_set(count_down, &left);
        rc = assay_reporter_files(r, paths, 4, &err);
        assay_cancel_set(NULL, NULL);
        assert_true(rc == 0 || rc == ASSAY_ERR_CANCELLED);
        assay_reporter_free(r);
    }
    unlink(path);
}

static void wrong(const char *verb, struct assay_option option, const char *sentence)
{
    struct got g = { .len = 0 };
    struct assay_report_sink sink = sink_to(&g);
    assay_reporter *r;
    assay_error err = { 0 };
    assert_int_equal(assay_reporter_new(verb, &option, 1, 1, &sink, &r, &err), ASSAY_ERR_USAGE);
    assert_null(r);
    assert_string_equal(err.text, sentence);
}

static void what_is_refused(void **state)
{
    (void)state;
    wrong("topp", (struct assay_option){ "json", NULL }, "there is no report 'topp'");
    wrong("top", (struct assay_option){ "jsn", NULL }, "unknown option '--jsn'; did you mean '--json'?");
    wrong("top", (struct assay_option){ "json", "long" }, "--json: invalid value 'long'; use short");
    wrong("top", (struct assay_option){ "exact", "1" }, "--exact takes no value");
    wrong("top", (struct assay_option){ "limit", NULL }, "--limit needs a value: N");
    wrong("top", (struct assay_option){ "limit", "many" }, "--limit: invalid value 'many'; use a whole number");
    wrong("top", (struct assay_option){ "map", "=x" }, "--map: invalid value '=x'; use FROM=TO");
    wrong("top", (struct assay_option){ "from", "callgrin" }, "--from: unknown format 'callgrin'; did you mean 'callgrind'?");
    wrong("top", (struct assay_option){ "depth", "2" }, "--depth needs '--by directory'");
}

static void sink_that_refuses(void **state)
{
    (void)state;
    struct got g = { .refuses = true };
    struct assay_report_sink sink = sink_to(&g), without = { .size = 0 };
    assay_profile *p = read_text(stacks);
    assert_int_equal(assay_report(p, "top", NULL, 0, &sink, NULL, NULL), ASSAY_ERR_WRITE);
    assert_int_equal(assay_report(p, "top", NULL, 0, &without, NULL, NULL), ASSAY_ERR_USAGE);
    without.size = sizeof without;
    assert_int_equal(assay_report(p, "top", NULL, 0, &without, NULL, NULL), 0);
    assert_int_equal(assay_report(p, "check", NULL, 0, &without, NULL, NULL), ASSAY_ERR_UNSUPPORTED);
    assay_profile_release(p);
}

/* Whatever is allowed, it is a report or the lack of memory, and nothing is left over (the sanitizers see). */
static void little_memory(void **state)
{
    (void)state;
    static const char *const verbs[] = { "top", "tree", "info", "annotate", "flame" }, *const limits[] = { "1", "500", "2K", "20K", "60K" };
    struct assay_report_sink sink = { .size = sizeof sink };
    assay_profile *p = read_text(stacks);
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            const struct assay_option options[] = { { "max-memory", limits[i] } };
            int rc = assay_report(p, verbs[v], options, 1, &sink, NULL, NULL);
            assert_true(rc == 0 || rc == ASSAY_ERR_MEMORY || rc == ASSAY_ERR_UNSUPPORTED);
        }
    assay_profile_release(p);
}

/* One line of two was hit and is not any more, which the gates name; with the n-th and all later allocations refused, n 0 = none. */
static int diff_in(const char *style, assay_profile *before, assay_profile *after, uint64_t n, struct got *g)
{
    const struct assay_option options[] = { { style, NULL }, { "max-drop", "1" }, { "fail-on", "LBC" }, { "fail-under-new", "50" } };
    struct assay_report_sink sink = sink_to(g);
    assay_reporter *r = NULL;
    assay_error err = { 0 };
    mem_fail_new(n, 0, UINT32_MAX);
    int rc = assay_reporter_new("diff", options, sizeof options / sizeof *options, 2, &sink, &r, &err);
    if (rc == 0) rc = assay_reporter_add(r, "before.info", before, &err);
    if (rc == 0) rc = assay_reporter_add(r, "after.info", after, &err);
    if (rc == 0) rc = assay_reporter_end(r, &err);
    mem_fail_new(0, 0, 0);
    assert_true(rc != 0 || assay_reporter_is_no(r));
    assay_reporter_free(r);
    return rc;
}

static void issues_survive_every_refused_allocation(void **state)
{
    (void)state;
    static const char *const styles[] = { "sarif", "junit" };
    assay_profile *before = read_text(coverage), *after = read_text("TN:\nSF:/a.c\nDA:1,0\nDA:2,0\nend_of_record\n");
    for (size_t i = 0; i < 2; i++) {
        static struct got want, got;
        uint64_t n = 1;
        want = got = (struct got){ .len = 0 };
        assert_int_equal(diff_in(styles[i], before, after, 0, &want), 0);
        assert_non_null(strstr(want.text, "coverage-LBC"));
        assert_non_null(strstr(want.text, "coverage-drop"));
        while (diff_in(styles[i], before, after, n, &got) != 0) {
            got = (struct got){ .len = 0 };
            n++;
        }
        assert_string_equal(got.text, want.text);
        assert_true(n > 20);
    }
    assay_profile_release(before);
    assay_profile_release(after);
}

/* Each verb has a name, help and examples, and each option what help needs. */
static void the_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < assay_verb_count(); i++) {
        const struct assay_verb *v = assay_verb_at(i);
        struct assay_option_info o = { .size = sizeof o };
        size_t n = 0;
        assert_ptr_equal(assay_verb_find(v->name), v);
        assert_non_null(v->text[0]);
        assert_non_null(v->examples[0].command);
        for (; assay_verb_option_at(v, n, &o); n++) {
            assert_non_null(o.help);
            assert_true(o.argument || o.type == ASSAY_OPTION_FLAG || o.type == ASSAY_OPTION_FORM);
        }
        assert_true(n > 0);
    }
    assert_null(assay_verb_at(assay_verb_count()));
    assert_null(assay_verb_find("nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_call),
        cmocka_unit_test(name_of_the_input),
        cmocka_unit_test(word_before_the_input),
        cmocka_unit_test(gate_is_an_answer),
        cmocka_unit_test(several_inputs),
        cmocka_unit_test(several_files),
        cmocka_unit_test(files_can_be_cancelled),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(sink_that_refuses),
        cmocka_unit_test(the_tables),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(issues_survive_every_refused_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
