/* libFuzzer target: XML. The quick tokenizer, the same with threads that tokenize tiny pieces ahead, and expat give the same events at the same places, and the
 * same error, of any bytes. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/xml.h"
#include "harness.h"

enum { DEPTH = 12, MARKUP = 1 << 20 };

/* Events as text: names, attributes and their places. Pieces of text are joined, because where they are cut is nobody's business. */
struct log {
    struct mem *mem;
    VEC(char) text;
    bool in_text;
    uint64_t last_off;
};

static void put(struct log *l, const void *data, size_t len)
{
    harness_promise(vec_reserve(l->mem, &l->text, len + 1), "the log has memory");
    if (len) memcpy(l->text.at + l->text.len, data, len);
    l->text.len += len;
}

static void put_text(struct log *l, const char *text) { put(l, text, strlen(text) + 1); }
static void put_u64(struct log *l, uint64_t v) { put(l, &v, sizeof v); }

static void put_place(struct log *l, const struct xml *x)
{
    harness_promise(xml_off(x) >= l->last_off, "an event at %llu after one at %llu", (unsigned long long)xml_off(x), (unsigned long long)l->last_off);
    l->last_off = xml_off(x);
    l->in_text = false;
    put_u64(l, xml_off(x));
    put_u64(l, xml_line(x));
}

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct log *l = arg;
    put_text(l, "<");
    put_place(l, x);
    put_text(l, name);
    for (; attributes[0]; attributes += 2) {
        uint64_t name_off, value_off;
        put_text(l, attributes[0]);
        put_text(l, attributes[1]);
        xml_attribute_off(x, attributes[0], &name_off, &value_off);
        put_u64(l, name_off);
        put_u64(l, value_off);
    }
    return 0;
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct log *l = arg;
    put_text(l, ">");
    put_place(l, x);
    put_text(l, name);
    return 0;
}

static int on_text(void *arg, struct xml *x, assay_slice text)
{
    struct log *l = arg;
    (void)x;
    if (!l->in_text) put_text(l, "'");
    l->in_text = true;
    put(l, text.data, text.len);
    return 0;
}

enum parser { QUICK, AHEAD, EXPAT };

static int run(const uint8_t *data, size_t len, enum parser by, bool wants_text, struct log *l, assay_error *err)
{
    struct xml_handler handler = { on_start, on_end, wants_text ? on_text : NULL };
    struct xml_options o = { .mem = l->mem, .max_depth = DEPTH, .max_markup = MARKUP, .threads = by == AHEAD ? 2 : 1, .only_expat = by == EXPAT };
    struct input_options io = { .mem = l->mem, .max_output = 1 << 20 };
    struct input *in = NULL;
    int rc = input_open_memory(&in, data, len, "fuzz", &io, err);
    if (rc == 0) rc = xml_parse(in, &o, &handler, l, err);
    input_close(in);
    harness_code(rc, err, "parsing XML");
    return rc;
}

static void compare(const uint8_t *data, size_t len, enum parser by, bool wants_text)
{
    struct mem mem;
    mem_init(&mem, (size_t)256 << 20);
    struct log quick = { .mem = &mem }, expat = { .mem = &mem };
    assay_error quick_err = { 0 }, expat_err = { 0 };
    int a = run(data, len, by, wants_text, &quick, &quick_err), b = run(data, len, EXPAT, wants_text, &expat, &expat_err);
    harness_promise(a == b, "the tokenizer gives %d (%s), expat %d (%s)", a, quick_err.text, b, expat_err.text);
    if (a) harness_promise(quick_err.offset == expat_err.offset && quick_err.line == expat_err.line, "errors at other places");
    harness_promise(quick.text.len == expat.text.len && (!quick.text.len || memcmp(quick.text.at, expat.text.at, quick.text.len) == 0),
                    "other events than expat's");
    vec_done(&mem, &quick.text);
    vec_done(&mem, &expat.text);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    harness_doing("parsing XML in several ways");
    setenv("ASSAY_PIECE", "16", 1);
    for (enum parser by = QUICK; by < EXPAT; by++) {
        compare(data, len, by, true);
        compare(data, len, by, false);
    }
    return 0;
}
