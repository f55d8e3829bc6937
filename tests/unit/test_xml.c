/* XML events: order, places, limits, what is refused, and memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xml.h"

struct seen {
    char text[4096];
    size_t len;
    int stop_at; /* the n-th event */
    int events;
    uint64_t name_off, value_off;
};

static int note(struct seen *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int note(struct seen *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(s->text + s->len, sizeof s->text - s->len, fmt, args);
    va_end(args);
    s->len += n > 0 && s->len + (size_t)n < sizeof s->text ? (size_t)n : 0;
    return ++s->events == s->stop_at ? 7 : 0;
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct seen *s = arg;
    if (xml_attribute(attributes, "v")) xml_attribute_off(x, "v", &s->name_off, &s->value_off);
    const char *v = xml_attribute(attributes, "v");
    return note(s, "<%s %s@%llu:%llu ", name, v ? v : "", (unsigned long long)xml_off(x), (unsigned long long)xml_line(x));
}

static int on_end(void *arg, struct xml *x, const char *name) { return note(arg, ">%s@%llu ", name, (unsigned long long)xml_off(x)); }

static int on_text(void *arg, struct xml *x, assay_slice text)
{
    (void)x;
    return note(arg, "'%.*s' ", (int)text.len, text.data);
}

static int parse(const void *data, size_t len, struct seen *s, struct xml_options *o, assay_error *err)
{
    static const struct xml_handler handler = { on_start, on_end, on_text };
    struct mem mem;
    struct input *in = NULL;
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, data, len, "sample", &io, err), 0);
    o->mem = &mem;
    int rc = xml_parse(in, o, &handler, s, err);
    input_close(in);
    assert_int_equal(mem.used, 0);
    return rc;
}

static int parse_text(const char *text, struct seen *s, assay_error *err)
{
    struct xml_options o = { 0 };
    memset(s, 0, sizeof *s);
    memset(err, 0, sizeof *err);
    return parse(text, strlen(text), s, &o, err);
}

static struct seen seen;
static assay_error err;

static void events_come_in_order_with_their_places(void **state)
{
    (void)state;
    assert_int_equal(parse_text("<a>\n<b v='1&amp;2'/>x</a>", &seen, &err), 0);
    assert_string_equal(seen.text, "<a @0:1 '\n' <b 1&2@4:2 >b@20 'x' >a@21 ");
    assert_int_equal(seen.name_off, 7);
    assert_int_equal(seen.value_off, 10);
}

static void attributes_are_found_past_others_that_look_alike(void **state)
{
    (void)state;
    assert_int_equal(parse_text("<a  xv = \"v='no'\"\n v\n=\t\"yes\" />", &seen, &err), 0);
    assert_int_equal(seen.name_off, 19);
    assert_int_equal(seen.value_off, 24);
}

static void a_handler_can_stop(void **state)
{
    struct xml_options o = { 0 };
    (void)state;
    memset(&seen, 0, sizeof seen);
    seen.stop_at = 2;
    assert_int_equal(parse("<a><b/><c/></a>", 15, &seen, &o, &err), 7);
    assert_string_equal(seen.text, "<a @0:1 <b @3:1 ");
}

static void what_is_not_well_formed_has_a_place(void **state)
{
    (void)state;
    assert_int_equal(parse_text("<a>\n<b></a>", &seen, &err), ASSAY_ERR_DAMAGED);
    assert_true(err.has_offset);
    assert_int_equal(err.offset, 7);
    assert_int_equal(err.line, 2);
}

/* Whatever the release of expat says of it, and whether the quick tokenizer or expat comes upon the end. */
static void a_document_cut_anywhere_is_truncated(void **state)
{
    static const char text[] = "<?xml version='1.0'?>\n<!DOCTYPE a><a v='1&amp;\xc3\xa4'>\xc3\xa4<!-- c --><b/><![CDATA[z]]>\r\n</a>";
    (void)state;
    for (size_t len = 0; len + 1 < sizeof text; len++)
        for (int only_expat = 0; only_expat < 2; only_expat++) {
            struct xml_options o = { .only_expat = only_expat };
            memset(&seen, 0, sizeof seen);
            memset(&err, 0, sizeof err);
            assert_int_equal(parse(text, len, &seen, &o, &err), ASSAY_ERR_TRUNCATED);
            assert_true(err.offset <= len);
            assert_true(err.text[0] != '\0');
        }
}

static void entities_are_never_expanded_or_fetched(void **state)
{
    (void)state;
    assert_int_equal(parse_text("<!DOCTYPE a [<!ENTITY x 'boom'>]><a v='&x;'>&x;</a>", &seen, &err), ASSAY_ERR_UNSUPPORTED);
    assert_string_equal(seen.text, "");
    assert_int_equal(parse_text("<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/passwd'>%x;]><a/>", &seen, &err), ASSAY_ERR_UNSUPPORTED);
    assert_int_equal(parse_text("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a>t</a>", &seen, &err), 0);
    assert_string_equal(seen.text, "<a @40:1 't' >a@44 ");
}

static void depth_and_length_are_limited(void **state)
{
    struct xml_options o = { .max_depth = 3 };
    (void)state;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(parse("<a><a><a></a></a></a>", 21, &seen, &o, &err), 0);
    assert_int_equal(parse("<a><a><a><a/></a></a></a>", 25, &seen, &o, &err), ASSAY_ERR_LIMIT);
    size_t len = 1 << 20;
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, 'x', len);
    memcpy(text, "<a v='", 6);
    struct xml_options small = { .max_markup = 300000 };
    assert_int_equal(parse(text, len, &seen, &small, &err), ASSAY_ERR_LIMIT);
    free(text);
}

static void memory_that_runs_out_is_said(void **state)
{
    static const struct xml_handler handler = { on_start, on_end, on_text };
    static const char text[] = "<a>\n<b v='1&amp;2'/>x</a>";
    int rc = ASSAY_ERR_MEMORY;
    (void)state;
    for (uint64_t n = 1; rc != 0; n++) {
        struct mem mem, own;
        struct input *in = NULL;
        mem_init(&mem, 0);
        mem_init(&own, 0);
        own.fail_at = n;
        struct input_options io = { .mem = &mem };
        struct xml_options o = { .mem = &own };
        memset(&seen, 0, sizeof seen);
        assert_int_equal(input_open_memory(&in, text, sizeof text - 1, "sample", &io, &err), 0);
        rc = xml_parse(in, &o, &handler, &seen, &err);
        input_close(in);
        assert_int_equal(own.used, 0);
        if (rc != 0) assert_int_equal(rc, ASSAY_ERR_MEMORY);
        assert_true(n < 1000);
    }
}

/* ---- the quick tokenizer beside expat ---- */

static int hash_event(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    uint64_t *h = arg;
    *h = (*h ^ xml_off(x) ^ xml_line(x) << 40) * 0x9e3779b97f4a7c15u;
    for (; *name; name++) *h = (*h ^ (unsigned char)*name) * 0x100000001b3u;
    for (; attributes && *attributes; attributes++)
        for (const char *p = *attributes; *p; p++) *h = (*h ^ (unsigned char)*p) * 0x100000001b3u;
    return 0;
}
static int hash_end(void *arg, struct xml *x, const char *name) { return hash_event(arg, x, name, NULL); }
static int hash_text(void *arg, struct xml *x, assay_slice text)
{
    uint64_t *h = arg;
    (void)x;
    for (size_t i = 0; i < text.len; i++) *h = (*h ^ (unsigned char)text.data[i]) * 0x100000001b3u;
    return 0;
}

static uint64_t hash_of(const char *text, size_t len, bool only_expat, int *rc)
{
    static const struct xml_handler handler = { hash_event, hash_end, hash_text };
    struct mem mem;
    struct input *in = NULL;
    uint64_t hash = 0;
    mem_init(&mem, 0);
    struct input_options io = { .mem = &mem };
    struct xml_options o = { .mem = &mem, .only_expat = only_expat };
    assert_int_equal(input_open_memory(&in, text, len, "sample", &io, NULL), 0);
    *rc = xml_parse(in, &o, &handler, &hash, NULL);
    input_close(in);
    assert_int_equal(mem.used, 0);
    return hash;
}

/* Elements of every length, so that blocks end inside of each kind of token; then something that only expat knows, far behind. */
static void a_long_document_gives_the_same_events_either_way(void **state)
{
    (void)state;
    size_t room = 6 << 20, len = 0;
    char *text = malloc(room);
    assert_non_null(text);
    len += (size_t)sprintf(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE a SYSTEM \"a.dtd\">\n<a>");
    for (unsigned i = 0; len < room - 9000; i++)
        len += (size_t)sprintf(text + len, "<b%u n=\"%u\" v='%.*s&amp;>\xc3\xa4'>%.*s\r\nx &lt; y<!-- %u --></b%u>\n<c/>", i % 7, i, (int)(i % 61),
                               "................................................................", (int)(i % 37), "                                      ", i,
                               i % 7);
    size_t tail = (size_t)sprintf(text + len, "<![CDATA[z]]><d v='last'/></a>");
    int quick, expat;
    uint64_t want = hash_of(text, len + tail, true, &expat);
    assert_int_equal(hash_of(text, len + tail, false, &quick), want);
    assert_int_equal(quick, 0);
    assert_int_equal(expat, 0);
    len += (size_t)sprintf(text + len, "</a>");
    want = hash_of(text, len, true, &expat);
    assert_int_equal(hash_of(text, len, false, &quick), want);
    assert_int_equal(quick, expat);
    want = hash_of(text, len - 2, true, &expat);
    assert_int_equal(hash_of(text, len - 2, false, &quick), want);
    assert_int_equal(quick, ASSAY_ERR_TRUNCATED);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_in_order_with_their_places),
        cmocka_unit_test(attributes_are_found_past_others_that_look_alike),
        cmocka_unit_test(a_handler_can_stop),
        cmocka_unit_test(what_is_not_well_formed_has_a_place),
        cmocka_unit_test(a_document_cut_anywhere_is_truncated),
        cmocka_unit_test(entities_are_never_expanded_or_fetched),
        cmocka_unit_test(depth_and_length_are_limited),
        cmocka_unit_test(memory_that_runs_out_is_said),
        cmocka_unit_test(a_long_document_gives_the_same_events_either_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
