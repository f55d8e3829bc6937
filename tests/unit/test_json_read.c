/* JSON events: order, places, escapes, each kind of damage with its place, blocks that end anywhere, and memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json_read.h"
#include "base/slice.h"
#include "pack.h"

struct seen {
    char text[4096];
    size_t len;
    int rc;
    char rule[8];
    uint64_t off, line;
    size_t findings;
};

static void note(struct seen *s, const struct json_event *e)
{
    static const char marks[] = ".{[}]ksntf0";
    int n = snprintf(s->text + s->len, sizeof s->text - s->len, "%c%.*s@%llu:%llu/%u ", marks[e->kind], (int)e->text.len, e->text.data ? e->text.data : "",
                     (unsigned long long)e->off, (unsigned long long)e->line, e->depth);
    s->len += n > 0 && s->len + (size_t)n < sizeof s->text ? (size_t)n : 0;
}

static struct seen read_bytes(const void *data, size_t len, uint64_t fail_at)
{
    struct seen s = { .rc = 0 };
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e = { .kind = JSON_NULL };
    assay_error err = { 0 };
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, data, len, "sample", &io, &err), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, &err);
    if (fail_at) mem.fail_at = mem.requests + fail_at;
    while (s.rc == 0 && e.kind != JSON_END) {
        s.rc = json_read_next(&r, &e);
        if (s.rc == 0 && e.kind != JSON_END) note(&s, &e);
    }
    if (s.rc == 0) {
        assert_int_equal(json_read_next(&r, &e), 0);
        assert_int_equal(e.kind, JSON_END);
    }
    s.findings = damage.list.len;
    if (damage.list.len) {
        snprintf(s.rule, sizeof s.rule, "%s", damage.list.at[0].rule);
        s.off = damage.list.at[0].offset;
        s.line = damage.list.at[0].line;
        assert_true(*damage.list.at[0].message);
    }
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
    assert_int_equal(mem.used, 0);
    return s;
}

static void gives(const char *text, const char *want)
{
    struct seen s = read_bytes(text, strlen(text), 0);
    assert_int_equal(s.rc, 0);
    assert_int_equal(s.findings, 0);
    assert_string_equal(s.text, want);
}

static void events_come_in_order_with_their_places(void **state)
{
    (void)state;
    gives("{\"a\": [1, -2.5e+3],\n \"b\":{} , \"c\":[]}", "{@0:1/0 ka@1:1/1 [@6:1/1 n1@7:1/2 n-2.5e+3@10:1/2 ]@17:1/1 kb@21:2/1 {@25:2/1 }@26:2/1 "
                                                          "kc@30:2/1 [@34:2/1 ]@35:2/1 }@36:2/0 ");
    gives("\xef\xbb\xbf[true,false,null]\r\n", "[@3:1/0 t@4:1/1 f@9:1/1 0@15:1/1 ]@19:1/0 ");
    gives(" 7", "n7@1:1/0 ");
    gives("0", "n0@0:1/0 ");
    gives("\"x\"", "sx@0:1/0 ");
    gives("[\n                         5]", "[@0:1/0 n5@27:2/1 ]@28:2/0 ");
}

static void escapes_become_what_they_stand_for(void **state)
{
    (void)state;
    gives("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "sa\"\\/\b\f\n\r\tz@0:1/0 ");
    gives("\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\"", "sA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80@0:1/0 ");
    gives("\"\\udcff\\ud800x\\udc00\"", "s\xff\xef\xbf\xbdx\xef\xbf\xbd@0:1/0 ");
    gives("\"caf\xc3\xa9 long enough for words of eight \xff\"", "scaf\xc3\xa9 long enough for words of eight \xff@0:1/0 ");
    gives("{\"k\\n\":1}", "{@0:1/0 kk\n@1:1/1 n1@7:1/1 }@8:1/0 ");
}

static void each_kind_of_damage_is_found_where_it_stands(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t off, line;
    } list[] = {
        { "", 0, 1 },
        { " \n", 2, 2 },
        { "[1,\n2", 5, 2 },
        { "{\"a\":", 5, 1 },
        { "{\"a", 3, 1 },
        { "[1 2]", 3, 1 },
        { "[1,]", 3, 1 },
        { "{\"a\":1,}", 7, 1 },
        { "{,}", 1, 1 },
        { "{\"a\" 1}", 5, 1 },
        { "{1:2}", 1, 1 },
        { "[1}", 2, 1 },
        { "{\"a\":1]", 6, 1 },
        { "[1]\n[2]", 4, 2 },
        { "[01]", 1, 1 },
        { "[1.]", 1, 1 },
        { "[.5]", 1, 1 },
        { "[+1]", 1, 1 },
        { "[1e]", 1, 1 },
        { "[-]", 1, 1 },
        { "[--1]", 1, 1 },
        { "[tru]", 1, 1 },
        { "[nul", 1, 1 },
        { "[NaN]", 1, 1 },
        { "[\"a\\x\"]", 3, 1 },
        { "[\"a\\u12G4\"]", 3, 1 },
        { "[\"a\nb\"]", 3, 1 },
        { "[\"a\tb\"]", 3, 1 },
        { "['a']", 1, 1 },
        { "[\"a\\", 4, 1 },
        { "[\"\\u00\"]", 2, 1 },
        { "]", 0, 1 },
        { "[1e+]", 1, 1 },
        { "hello", 0, 1 },
        { "[1]x", 3, 1 },
        { "[\"12345678901234\x01\"]", 16, 1 },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct seen s = read_bytes(list[i].text, strlen(list[i].text), 0);
        assert_int_equal(s.rc, 0);
        if (s.findings != 1 || strcmp(s.rule, "J-1") != 0 || s.off != list[i].off || s.line != list[i].line)
            fail_msg("%s: %zu findings, %s at %llu, line %llu", list[i].text, s.findings, s.rule, (unsigned long long)s.off, (unsigned long long)s.line);
    }
}

static void what_is_nested_too_deep_is_refused(void **state)
{
    (void)state;
    char text[200];
    memset(text, '[', sizeof text);
    struct seen s = read_bytes(text, sizeof text, 0);
    assert_string_equal(s.rule, "J-4");
    assert_int_equal(s.off, JSON_READ_DEPTH);
    memset(text + JSON_READ_DEPTH, ']', JSON_READ_DEPTH);
    s = read_bytes(text, (size_t)2 * JSON_READ_DEPTH, 0);
    assert_int_equal(s.findings, 0);
}

/* How many levels of `depth` are read where `max` are allowed; memory may run out on the way. */
static unsigned levels_read(unsigned depth, unsigned max, uint64_t fail_at, int *rc)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e = { .kind = JSON_NULL };
    assay_error err = { 0 };
    unsigned deepest = 0;
    char *text = malloc((size_t)depth * 2 + 1);
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, (size_t)depth * 2, "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, &err);
    json_read_deepen(&r, max);
    if (fail_at) mem.fail_at = mem.requests + fail_at;
    *rc = 0;
    while (*rc == 0 && e.kind != JSON_END) {
        *rc = json_read_next(&r, &e);
        if (*rc == 0 && e.kind == JSON_ARRAY) deepest = e.depth + 1;
    }
    if (depth > max) assert_string_equal(damage.list.at[0].rule, "J-4");
    if (depth > max) assert_int_equal(damage.list.at[0].offset, max);
    assert_true(depth > max || damage.list.len == 0);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
    assert_int_equal(mem.used, 0);
    free(text);
    return deepest;
}

static void deeper_nesting_can_be_allowed(void **state)
{
    (void)state;
    int rc;
    assert_int_equal(levels_read(5000, 5000, 0, &rc), 5000);
    assert_int_equal(levels_read(5001, 5000, 0, &rc), 5000);
    assert_int_equal(levels_read(JSON_READ_DEPTH + 1, 5000, 0, &rc), JSON_READ_DEPTH + 1);
    assert_int_equal(levels_read(9, 8, 0, &rc), 8);
    levels_read(5000, 5000, 3, &rc);
    assert_int_equal(rc, ASSAY_ERR_MEMORY);
}

static void a_value_can_be_skipped(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":{\"b\":[1,{}]},\"c\":2}";
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, sizeof text - 1, "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, NULL);
    for (int i = 0; i < 3; i++) assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(json_read_skip(&r, &e), 0);
    assert_int_equal(e.kind, JSON_OBJECT_END);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(e.kind, JSON_KEY);
    assert_memory_equal(e.text.data, "c", 1);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

/* What json_read_plain takes of the array that is the whole text: "1 2 t", or "-" when it leaves the array alone. */
static void takes(const char *text, const char *want)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
    uint64_t values[4];
    uint32_t words;
    char got[200] = "";
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, strlen(text), "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, NULL);
    assert_int_equal(json_read_next(&r, &e), 0);
    int count = json_read_plain(&r, values, 4, &words);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(got);
        const char *mark = words >> i & 1 ? (values[i] ? "true" : "false") : NULL;
        if (mark)
            snprintf(got + used, sizeof got - used, "%s ", mark);
        else
            snprintf(got + used, sizeof got - used, "%llu ", (unsigned long long)values[i]);
    }
    assert_string_equal(count < 0 ? "-" : got, want);
    /* Whether it was taken or not, the events go on where they should: the same damage, or the end. */
    size_t events = 0;
    do {
        assert_int_equal(json_read_next(&r, &e), 0);
        events++;
    } while (e.kind != JSON_END);
    if (count >= 0) assert_int_equal(events, 1);
    if (count >= 0) assert_int_equal(damage.list.len, 0);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

enum { DAMAGED = -1 };

/* What json_read_numbers takes of the array that is the whole text, in reads of at most three: "1 -2.5 null". As many items are left to the events, or what
 * follows is damaged. */
static void takes_some(const char *text, bool nulls, const char *want, int left)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
    double values[3];
    char got[300] = "";
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, strlen(text), "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, NULL);
    assert_int_equal(json_read_next(&r, &e), 0);
    for (unsigned n; (n = json_read_numbers(&r, values, 3, nulls)) > 0;)
        for (unsigned i = 0; i < n; i++) {
            size_t used = strlen(got);
            if (values[i] == values[i])
                snprintf(got + used, sizeof got - used, "%.17g ", values[i]);
            else
                snprintf(got + used, sizeof got - used, "null ");
        }
    assert_string_equal(got, want);
    int items = 0;
    for (;; items++) {
        assert_int_equal(json_read_next(&r, &e), 0);
        if (e.kind == JSON_END || e.kind == JSON_ARRAY_END) break;
    }
    assert_int_equal(damage.list.len, left == DAMAGED);
    if (left != DAMAGED) assert_int_equal(items, left);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

static void takes_numbers(const char *text, const char *want, int left) { takes_some(text, true, want, left); }

/* Not even as the first item, and neither near the end nor far from it. */
static void nulls_are_left_where_they_are_no_numbers(void **state)
{
    (void)state;
    takes_some("[1,null,2]", false, "1 ", 2);
    takes_some("[null]", false, "", 1);
    takes_some("[5, null,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", false, "5 ", 22);
}

/* What is gone over is as if it had been read. */
static void arrays_that_follow_each_other_are_seen_at_once(void **state)
{
    (void)state;
    const char *text = "[[1,2],[7], [30,4],[],\n[1,2,[3]]]";
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
    assay_slice texts[8];
    uint64_t values[4];
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, strlen(text), "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, NULL);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(json_read_texts(&r, texts, 8, 100), 0);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(json_read_texts(&r, texts, 8, 3), 0);
    assert_int_equal(json_read_texts(&r, texts, 8, 4), 2); /* the third is longer */
    assert_int_equal(json_read_texts(&r, texts, 2, 100), 2);
    assert_int_equal(json_read_texts(&r, texts, 8, 100), 4);
    assert_true(slice_is(texts[0], "1,2]") && slice_is(texts[1], "7]") && slice_is(texts[2], "30,4]") && slice_is(texts[3], "]"));
    assert_int_equal(json_read_items(texts[2], values, 4), 2);
    assert_true(values[0] == 30 && values[1] == 4);
    assert_int_equal(json_read_items(texts[2], values, 1), -1);
    assert_int_equal(json_read_items(texts[3], values, 4), -1);
    json_read_over(&r, texts[2]);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(e.kind, JSON_ARRAY);
    assert_int_equal(e.off, 19);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(e.kind, JSON_ARRAY_END);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(e.line, 2);
    assert_int_equal(json_read_texts(&r, texts, 8, 100), 1);
    assert_int_equal(json_read_items(texts[0], values, 4), -1);
    assert_int_equal(json_read_skip(&r, &e), 0);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(e.kind, JSON_ARRAY_END);
    assert_int_equal(damage.list.len, 0);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

static void numbers_of_a_column_are_taken_at_once(void **state)
{
    (void)state;
    const char *far = ",1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", *ones = "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ";
    /* Each number near the end of the text and far from it: other ways are taken. */
    static const char *const numbers[][2] = { { "0", "0" },
                                              { "7", "7" },
                                              { "1234567", "1234567" },
                                              { "12345678", "12345678" },
                                              { "123456789012345", "123456789012345" },
                                              { "-3", "-3" },
                                              { "null", "null" },
                                              { "0.5", "0.5" },
                                              { "1.234", "1.234" },
                                              { "1234567.1234567", "1234567.1234567" },
                                              { "12.00000001", "12.000000010000001" },
                                              { "-0.125", "-0.125" },
                                              { "645585.608", "645585.60800000001" },
                                              { "0.1", "0.10000000000000001" } };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[200], want[200];
        snprintf(text, sizeof text, "[%s]", numbers[i][0]);
        snprintf(want, sizeof want, "%s ", numbers[i][1]);
        takes_numbers(text, want, 0);
        snprintf(text, sizeof text, "[ %s%s", numbers[i][0], far);
        snprintf(want, sizeof want, "%s %s", numbers[i][1], ones);
        takes_numbers(text, want, 0);
    }
    takes_numbers("[]", "", 0);
    takes_numbers("[1,\n 2,\t3 ,4]", "1 2 ", 2);
    takes_numbers("[1,\"a\",2]", "1 ", 2);
    takes_numbers("[1,1e3,2]", "1 ", 2);
    takes_numbers("[1,1234567890123456,2]", "1 ", 2);
    takes_numbers("[1,true]", "1 ", 1);
    takes_numbers("[{},2]", "", 3);
    /* What is no JSON is left for the events to report. */
    static const char *const wrong[] = { "01", "-", "1.", ".5", "nul", "nulls", "1-2", "1.2.3", "+1", "-null", "1x" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, "[8,%s]", wrong[i]);
        takes_numbers(text, "8 ", DAMAGED);
        snprintf(text, sizeof text, "[8,%s%s", wrong[i], far);
        takes_numbers(text, "8 ", DAMAGED);
    }
}

static void plain_arrays_are_taken_at_once(void **state)
{
    (void)state;
    takes("[1,20,true,false]", "1 20 true false ");
    takes("[0]", "0 ");
    takes("[1, 2, 3]\n", "1 2 3 ");
    takes("[999999999999999999]", "999999999999999999 ");
    takes("[]", "-");
    takes("[1,2,3,4,5]", "-");
    takes("[1,-2]", "-");
    takes("[1,2.5]", "-");
    takes("[01]", "-");
    takes("[1,null]", "-");
    takes("[1,[2]]", "-");
    takes("[9999999999999999999]", "-");
    takes("[1,]", "-");
    takes("[1,truf]", "-");
    takes("[1,tru", "-");
    takes("[1", "-");
    takes("[1,", "-");
    takes("{\"a\":1}", "-");
}

/* Does json_read_form take the object that is the whole text? Either way the events go on where they should. */
static void fits(const char *text, bool want)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
    uint32_t values[2] = { 0, 0 };
    size_t events = 0;
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, strlen(text), "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, NULL);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(json_read_form(&r, "\"a\":#,\"b\":{\"c\":#}}", values), want);
    if (want) assert_true(values[0] == 7 && values[1] == 999999999);
    for (; e.kind != JSON_END; events++) assert_int_equal(json_read_next(&r, &e), 0);
    assert_true(!want || (events == 1 && damage.list.len == 0));
    assert_true(want || events > 1 || damage.list.len > 0);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

static void objects_of_the_usual_form_are_taken_at_once(void **state)
{
    (void)state;
    fits("{\"a\":7,\"b\":{\"c\":999999999}}", true);
    fits("{\"a\":7,\"b\":{\"c\":999999999}} ", true);
    fits("{\"a\":7,\"b\":{\"c\":1000000000}}", false);
    fits("{\"a\":07,\"b\":{\"c\":999999999}}", false);
    fits("{\"a\":7, \"b\":{\"c\":999999999}}", false);
    fits("{\"a\":null,\"b\":{\"c\":9}}", false);
    fits("{\"a\":7,\"b\":{\"c\":9},\"d\":1}", false);
    fits("{\"a\":7,\"b\":{\"c\":9", false);
    fits("[7]", false);
}

/* Does json_read_first take the first members of the object that is the whole text? Either way as many events as `want` follow. */
static void begins(const char *text, bool want, size_t events)
{
    struct mem mem;
    struct input *in = NULL;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
    struct json_slot slots[3];
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, text, strlen(text), "sample", &io, NULL), 0);
    findings_init(&damage, &mem);
    json_read_init(&r, in, &mem, &damage, NULL);
    assert_int_equal(json_read_next(&r, &e), 0);
    assert_int_equal(json_read_first(&r, "\"a\":{\"b\":\"$\",\"c\":~},\"d\":#", slots), want);
    if (want) {
        assert_true(slice_is(slots[0].text, "x}y") && slots[1].number == -1 && slots[2].number == 7);
        assert_int_equal(json_read_off(&r, slots[0].text.data), strstr(text, "x}y") - text);
        assert_int_equal(json_read_off(&r, slots[1].text.data), strstr(text, "-1") - text);
    }
    size_t found = 0;
    for (; e.kind != JSON_END; found++) assert_int_equal(json_read_next(&r, &e), 0);
    if (found != events) fail_msg("%s: %zu events", text, found);
    assert_true(!want || damage.list.len == 0);
    json_read_done(&r);
    findings_done(&damage);
    input_close(in);
}

static void the_first_members_of_an_object_are_taken_at_once(void **state)
{
    (void)state;
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":7}", true, 2);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":7}\n", true, 2);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":7,\"e\":[]}", true, 5);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":7 }", false, 11);
    begins("{\"a\":{\"b\":\"x\\u007dy\",\"c\":-1},\"d\":7}", false, 11);
    begins("{\"a\":{\"b\":\"x\ny\",\"c\":-1},\"d\":7}", false, 4);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-},\"d\":7}", false, 6);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-01},\"d\":7}", false, 6);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":7.5}", false, 11);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":7", false, 10);
    begins("{\"a\":{\"b\":\"x}y", false, 4);
    begins("[7]", false, 3);
    begins("{\"a\":{\"b\":\"x}y\",\"c\":-1},\"d\":-7}", false, 11);
}

/* ---- blocks ---- */

struct digest {
    uint64_t events, hash;
    size_t findings;
};

static struct digest digest_of(struct input *in, struct mem *mem)
{
    struct json_reader r;
    struct findings damage;
    struct json_event e = { .kind = JSON_NULL };
    struct digest d = { 0, 14695981039346656037u, 0 };
    assay_error err = { 0 };
    findings_init(&damage, mem);
    json_read_init(&r, in, mem, &damage, &err);
    while (e.kind != JSON_END) {
        assert_int_equal(json_read_next(&r, &e), 0);
        d.events++;
        d.hash = (d.hash ^ (uint64_t)e.kind ^ e.off << 8 ^ e.line << 40) * 1099511628211u;
        for (size_t i = 0; i < e.text.len; i++) d.hash = (d.hash ^ (unsigned char)e.text.data[i]) * 1099511628211u;
    }
    d.findings = damage.list.len;
    json_read_done(&r);
    findings_done(&damage);
    return d;
}

enum { LARGE = 3 << 20 };

/* Values of all kinds and lengths, so that blocks end in each of them. */
static size_t make_large(char *to)
{
    size_t len = 0;
    unsigned seed = 7;
    to[len++] = '[';
    while (len < LARGE - 5000) {
        seed = seed * 1103515245 + 12345;
        unsigned kind = seed >> 16 & 7, size = seed >> 20 & 1023;
        if (kind == 0)
            len += (size_t)sprintf(to + len, "{\"key %u\" :\n  [true , false,null]}", size);
        else if (kind < 4)
            len += (size_t)sprintf(to + len, "%u.%ue-%u", seed, size, kind);
        else if (kind == 4)
            len += (size_t)sprintf(to + len, "\"\\u20ac\\n%*u\"", (int)size, size);
        else
            len += (size_t)sprintf(to + len, "\"%*u\"", (int)(size << (kind - 5)), size);
        to[len++] = ',';
        to[len++] = '\n';
    }
    len += (size_t)sprintf(to + len, "1]");
    return len;
}

static struct digest digest_bytes(const void *data, size_t len)
{
    struct mem mem;
    struct input *in = NULL;
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, data, len, "sample", &io, NULL), 0);
    struct digest d = digest_of(in, &mem);
    input_close(in);
    assert_int_equal(mem.used, 0);
    return d;
}

static void where_blocks_end_makes_no_difference(void **state)
{
    (void)state;
    char *text = malloc(LARGE), path[] = "/tmp/assay-json-XXXXXX";
    assert_non_null(text);
    size_t len = make_large(text);
    struct digest whole = digest_bytes(text, len);
    assert_int_equal(whole.findings, 0);
    assert_true(whole.events > 5000);
    struct bytes p = gzip_of((struct bytes){ (uint8_t *)text, len });
    struct digest blocks = digest_bytes(p.at, p.len);
    assert_int_equal(blocks.events, whole.events);
    assert_true(blocks.hash == whole.hash);
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, len) == (ssize_t)len && close(fd) == 0);
    struct mem mem;
    struct input *in = NULL;
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open(&in, path, &io, NULL), 0);
    struct digest file = digest_of(in, &mem);
    input_close(in);
    unlink(path);
    assert_true(file.events == whole.events && file.hash == whole.hash);
    p.at[p.len / 2] ^= 0x55;
    assert_int_equal(digest_bytes(p.at, p.len).findings, 1);
    free(p.at);
    free(text);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    static const char text[] = "[\"a\\n\", \"b\\u00e9\", 1}";
    int failed = 0;
    for (uint64_t n = 1; n < 50; n++) {
        struct seen s = read_bytes(text, sizeof text - 1, n);
        if (s.rc == 0) break;
        assert_int_equal(s.rc, ASSAY_ERR_MEMORY);
        failed++;
    }
    assert_true(failed > 0 && failed < 40);
}

/* ---- members at once, and the end of the input ---- */

struct open {
    struct mem mem;
    struct input *in;
    struct json_reader r;
    struct findings damage;
    struct json_event e;
};

static void open_text(struct open *o, const char *text)
{
    *o = (struct open){ .in = NULL };
    mem_init(&o->mem, 0);
    struct input_options io = { .mem = &o->mem };
    assert_int_equal(input_open_memory(&o->in, text, strlen(text), "sample", &io, NULL), 0);
    findings_init(&o->damage, &o->mem);
    json_read_init(&o->r, o->in, &o->mem, &o->damage, NULL);
    assert_int_equal(json_read_next(&o->r, &o->e), 0);
}

static void close_text(struct open *o)
{
    json_read_done(&o->r);
    findings_done(&o->damage);
    input_close(o->in);
    assert_int_equal(o->mem.used, 0);
}

/* The members as "key=text", or "none". */
static void members(const char *text, const char *want)
{
    struct json_member m[4];
    struct open o;
    const char *behind;
    char got[300] = "none";
    size_t len = 0;
    open_text(&o, text);
    int count = json_read_members(&o.r, m, 4, &behind);
    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(got + len, sizeof got - len, "%.*s=%.*s;", (int)m[i].key.len, m[i].key.data, (int)m[i].text.len, m[i].text.data);
    assert_string_equal(got, want);
    if (count >= 0) json_read_behind(&o.r, behind);
    while (o.e.kind != JSON_END) assert_int_equal(json_read_next(&o.r, &o.e), 0);
    if (count >= 0) assert_int_equal(o.damage.list.len, 0);
    close_text(&o);
}

static void members_are_given_at_once_where_they_are_surely_right(void **state)
{
    (void)state;
    members("{\"a\":1,\"b\":\"x\", \"c\": -2.50}", "a=1;b=x;c=-2.50;");
    members("{\"a\":{\"b\":[1,{},[],{\"c\":\"]}\\\"\"}]},\"d\":[true,null]} ", "a={\"b\":[1,{},[],{\"c\":\"]}\\\"\"}]};d=[true,null];");
    members("{\"a\":true,\"b\":false,\"c\":null} ", "a=true;b=false;c=null;");
    static const char *const others[] = { "{}",
                                          "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}",
                                          "{\"a\":\"\\n\"}",
                                          "{\"\\u0061\":1}",
                                          "{\"a\":01}",
                                          "{\"a\":1.}",
                                          "{\"a\":1e5}",
                                          "{\"a\":-}",
                                          "{\"a\":{\"b\":1]}",
                                          "{\"a\":[1,]}",
                                          "{\"a\":[1 2]}",
                                          "{\"a\":{1:2}}",
                                          "{\"a\":[\"\\x\"]}",
                                          "{\"a\":[01]}",
                                          "{\"a\":[tru]}",
                                          "{\"a\":1",
                                          "{\"a\":[1",
                                          "{\"a\":\"x",
                                          "{\"a\" 1}",
                                          "{\n\"a\":1}" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) members(others[i], "none");
}

static void as_deep_as_events_go_and_no_deeper(void **state)
{
    (void)state;
    for (unsigned levels = 63; levels <= 64; levels++) {
        char text[300] = "{\"a\":";
        struct json_member m;
        struct open o;
        const char *behind;
        for (unsigned i = 0; i < levels; i++) strcat(text, "[");
        for (unsigned i = 0; i < levels; i++) strcat(text, "]");
        strcat(text, "}");
        open_text(&o, text);
        assert_int_equal(json_read_members(&o.r, &m, 1, &behind), levels == 63 ? 1 : -1);
        assert_int_equal(json_read_skip(&o.r, &o.e), 0);
        assert_int_equal(o.damage.errors, levels == 63 ? 0 : 1);
        close_text(&o);
    }
}

/* Who tells by himself that the input ends early hears of it, and nobody else does. */
static void the_end_inside_a_value_is_told_apart(void **state)
{
    (void)state;
    static const char *const cut[] = { "[1,", "[", "{\"a\":", "{\"a", "[tr", "[1.", "[-", "[\"a\\", "[nul" };
    static const char *const wrong[] = { "[1,?", "[trx", "[1.]", "[+", "{1" };
    for (unsigned is_wrong = 0; is_wrong < 2; is_wrong++)
        for (size_t i = 0; i < (is_wrong ? sizeof wrong : sizeof cut) / sizeof *cut; i++) {
            struct open o;
            open_text(&o, is_wrong ? wrong[i] : cut[i]);
            o.r.tells_cut = true;
            while (o.e.kind != JSON_END) assert_int_equal(json_read_next(&o.r, &o.e), 0);
            assert_int_equal(o.r.is_cut, !is_wrong);
            assert_int_equal(o.damage.list.len, is_wrong);
            close_text(&o);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_in_order_with_their_places),
        cmocka_unit_test(escapes_become_what_they_stand_for),
        cmocka_unit_test(each_kind_of_damage_is_found_where_it_stands),
        cmocka_unit_test(what_is_nested_too_deep_is_refused),
        cmocka_unit_test(deeper_nesting_can_be_allowed),
        cmocka_unit_test(a_value_can_be_skipped),
        cmocka_unit_test(plain_arrays_are_taken_at_once),
        cmocka_unit_test(numbers_of_a_column_are_taken_at_once),
        cmocka_unit_test(nulls_are_left_where_they_are_no_numbers),
        cmocka_unit_test(arrays_that_follow_each_other_are_seen_at_once),
        cmocka_unit_test(objects_of_the_usual_form_are_taken_at_once),
        cmocka_unit_test(the_first_members_of_an_object_are_taken_at_once),
        cmocka_unit_test(where_blocks_end_makes_no_difference),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(members_are_given_at_once_where_they_are_surely_right),
        cmocka_unit_test(as_deep_as_events_go_and_no_deeper),
        cmocka_unit_test(the_end_inside_a_value_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
