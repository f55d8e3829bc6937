/* The parts of the server of tools: messages out of lines, answers that are cut, handles; and that each allocation may fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mcp/answer.h"
#include "mcp/mcp.h"
#include "mcp/tools.h"

/* ---- messages ---- */

static const struct message *read_one(struct messages *all, struct mem *mem, const char *line)
{
    assay_error err = { 0 };
    mem_init(mem, 0);
    assert_int_equal(messages_read(all, line, strlen(line), mem, &err), 0);
    assert_int_equal(all->count, 1);
    return all->at[0];
}

static void end(struct messages *all, const struct mem *mem)
{
    messages_done(all);
    assert_int_equal(mem->used, 0);
}

static void a_call_is_taken_apart(void **state)
{
    (void)state;
    struct mem mem;
    struct messages all;
    const struct message *m =
        read_one(&all, &mem,
                 "{\"params\":{\"x\":[{\"name\":\"no\"}],\"arguments\":{\"file\":\"a\\u00e9\",\"n\":1e3,\"t\":true,\"o\":{\"name\":1},\"l\":[\"p\",[1],\"q\"]},"
                 "\"name\":\"top\"},\"id\":-7,\"method\":\"tools/call\",\"jsonrpc\":\"2.0\"}");
    assert_null(m->problem);
    assert_false(m->is_notification);
    assert_string_equal(m->method, "tools/call");
    assert_string_equal(m->name, "top");
    assert_true(m->id.has && !m->id.is_text && slice_is(m->id.text, "-7"));
    static const struct {
        const char *name;
        enum json_kind kind;
        const char *text;
    } want[] = { { "file", JSON_STRING, "a\xc3\xa9" },
                 { "n", JSON_NUMBER, "1e3" },
                 { "t", JSON_TRUE, NULL },
                 { "o", JSON_OBJECT, NULL },
                 { "l", JSON_STRING, "p" },
                 { "l", JSON_ARRAY, NULL },
                 { "l", JSON_STRING, "q" } };
    assert_int_equal(m->arguments.len, sizeof want / sizeof *want);
    for (size_t i = 0; i < m->arguments.len; i++) {
        const struct message_argument *a = &m->arguments.at[i];
        assert_string_equal(a->name, want[i].name);
        assert_int_equal(a->kind, want[i].kind);
        if (want[i].text)
            assert_string_equal(a->text, want[i].text);
        else
            assert_null(a->text);
    }
    end(&all, &mem);
}

static void ids_of_two_kinds_differ(void **state)
{
    (void)state;
    const struct message_id number = { true, false, SLICE("1") }, text = { true, true, SLICE("1") }, none = { false, false, { NULL, 0 } };
    assert_true(message_id_equal(&number, &number) && message_id_equal(&text, &text));
    assert_false(message_id_equal(&number, &text) || message_id_equal(&none, &none));
}

static void a_notification_is_told_by_its_lack_of_an_id(void **state)
{
    (void)state;
    struct mem mem;
    struct messages all;
    assert_true(read_one(&all, &mem, "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}")->is_notification);
    end(&all, &mem);
    const struct message *m = read_one(&all, &mem, "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"x\"}");
    assert_false(m->is_notification);
    assert_int_equal(m->code, RPC_REQUEST);
    end(&all, &mem);
}

static void more_messages_than_an_array_may_have(void **state)
{
    (void)state;
    struct mem mem;
    struct messages all;
    assay_error err = { 0 };
    char line[1200] = "[1";
    for (size_t i = 1; i < 500; i++) strcat(line, ",1");
    strcat(line, "]");
    mem_init(&mem, 0);
    assert_int_equal(messages_read(&all, line, strlen(line), &mem, &err), 0);
    assert_int_equal(all.count, MESSAGE_BATCH);
    end(&all, &mem);
}

/* ---- answers ---- */

static void expect_answer(size_t most, uint64_t skip, const char *const *pieces, const char *want)
{
    struct mem mem;
    struct output *out;
    struct json j;
    mem_init(&mem, 0);
    struct answer a = { .mem = &mem, .most = most, .skip = skip };
    for (; *pieces; pieces++) assert_int_equal(answer_put(&a, *pieces, strlen(*pieces)), 0);
    assert_int_equal(output_open_memory(&out, &mem, NULL), 0);
    json_init_line(&j, out);
    json_array(&j);
    assert_int_equal(answer_end(&a, &j, NULL), 0);
    json_end(&j);
    assay_slice got = output_memory(out);
    if (!slice_is(got, want)) fail_msg("expected %s, got %.*s", want, (int)got.len, got.data);
    output_abort(out);
    answer_done(&a);
    assert_int_equal(mem.used, 0);
}

static void lines_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    const char *const lines[] = { "one\ntw", "o\nthree", "\n", "four\n", NULL }, *const open[] = { "one\ntwo", NULL }, *const nothing[] = { NULL };
    const char *const odd[] = { "a\tb\xff\x1b\xc3\xa9\x7f\n", NULL }, *const wide[] = { "0123456789\nnext\n", NULL };
    expect_answer(100, 0, lines, "[\"one\\u000atwo\\u000athree\\u000afour\\u000a\"]\n");
    expect_answer(8, 0, lines, "[\"one\\u000atwo\\u000a... 2 more lines: call again with skip 2, or ask for less\\u000a\"]\n");
    expect_answer(7, 0, lines, "[\"one\\u000a... 3 more lines: call again with skip 1, or ask for less\\u000a\"]\n");
    expect_answer(100, 2, lines, "[\"three\\u000afour\\u000a\"]\n");
    expect_answer(100, 4, lines, "[\"(no more lines)\\u000a\"]\n");
    expect_answer(100, 0, open, "[\"one\\u000atwo\"]\n");
    expect_answer(5, 0, open, "[\"one\\u000a... 1 more lines: call again with skip 1, or ask for less\\u000a\"]\n");
    expect_answer(100, 0, nothing, "[\"(nothing)\\u000a\"]\n");
    expect_answer(100, 0, odd, "[\"a\\u0009b\\\\xff\\\\x1b\xc3\xa9\\\\x7f\\u000a\"]\n");
    /* A line that never fits is cut, and the next one follows. */
    expect_answer(5, 0, wide, "[\"01234... 1 more lines: call again with skip 1, or ask for less\\u000a\"]\n");
    expect_answer(5, 1, wide, "[\"next\\u000a\"]\n");
}

/* ---- handles ---- */

static void what_a_handle_looks_like(void **state)
{
    (void)state;
    assert_int_equal(handle_number("f1"), 1);
    assert_int_equal(handle_number("f4294967295"), UINT32_MAX);
    const char *const none[] = { "", "f", "f0", "f01", "F1", "f1x", "f-1", "f 1", "ff1", "1", "f4294967296", "f99999999999999999999999" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(handle_number(none[i]), 0);
}

/* ---- all of it, with memory that runs out ---- */

static const char *const requests[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"open\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"open\",\"arguments\":{\"file\":\"p.folded\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"top\",\"arguments\":{\"file\":\"f1\",\"limit\":\"3\"}}}",
    ("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"diff\",\"arguments\":{\"file\":\"c.info\",\"patch\":\"--- a/a.c\\n+++ "
     "b/a.c\\n@@ -1 +1,2 @@\\n+x\\n y\\n\"}}}"),
};

static char folder[] = "/tmp/test_mcp.XXXXXX";

/* What is answered to a request; false = there was no memory for it, or for its answer. */
static bool ask(struct session *s, const char *line, struct mem *mem, struct output *out)
{
    struct messages all = { .mem = mem };
    assay_error err = { 0 };
    bool ok = messages_read(&all, line, strlen(line), mem, &err) == 0;
    for (size_t i = 0; ok && i < all.count; i++)
        if (session_take(s, all.at[i], out) == SESSION_CALL) ok = call_run(s->mcp, all.at[i], out, &err) == 0;
    messages_done(&all);
    return ok && !output_failed(out);
}

/* One request in a session of its own, with the n-th and all later allocations refused; n 0 = none. */
static bool run(const char *line, uint64_t n, char *text, size_t size)
{
    const char *const folders[] = { folder };
    struct assay_mcp_options o = { .size = sizeof o, .no_handles = true };
    struct mem mem;
    struct output *out = NULL;
    assay_mcp *mcp = NULL;
    bool ok = false;
    mem_fail_new(n, 0, UINT32_MAX);
    mem_init(&mem, 0);
    if (assay_mcp_new(folders, 1, &o, &mcp, NULL) == 0 && output_open_memory(&out, &mem, NULL) == 0) {
        struct session s = { .mcp = mcp, .has_begun = !strstr(line, "initialize") };
        ok = ask(&s, line, &mem, out);
        assay_slice got = ok ? output_memory(out) : SLICE("");
        ok = ok && got.len && !slice_contains(got, "out of memory");
        if (ok) snprintf(text, size, "%.*s", (int)got.len, got.data);
    }
    mem_fail_new(0, 0, 0);
    output_abort(out);
    assay_mcp_free(mcp);
    assert_int_equal(mem.used, 0);
    return ok;
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        static char want[1 << 16], got[1 << 16];
        uint64_t n = 1;
        assert_true(run(requests[i], 0, want, sizeof want));
        assert_non_null(strstr(want, "\"result\""));
        while (!run(requests[i], n, got, sizeof got)) n++;
        assert_string_equal(got, want);
        assert_true(n > 5);
    }
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    write_file("p.folded", "main;work 3\nmain 1\n");
    write_file("c.info", "TN:\nSF:a.c\nDA:1,0\nDA:2,1\nend_of_record\n");
    return 0;
}

static int tear_down(void **state)
{
    char path[256];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i ? "p.folded" : "c.info");
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_taken_apart),
        cmocka_unit_test(ids_of_two_kinds_differ),
        cmocka_unit_test(a_notification_is_told_by_its_lack_of_an_id),
        cmocka_unit_test(more_messages_than_an_array_may_have),
        cmocka_unit_test(lines_that_do_not_fit_are_counted),
        cmocka_unit_test(what_a_handle_looks_like),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
