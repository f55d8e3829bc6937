/* libFuzzer target: the input layer. Blocks, whole lines and the map give the same bytes of a compressed input, damaged or not. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MAX_OUTPUT = 4 << 20 };

struct way {
    uint64_t len, sum;
    int rc;
};

static void add(struct way *w, assay_slice s)
{
    for (size_t i = 0; i < s.len; i++) w->sum = w->sum * 1099511628211u + (unsigned char)s.data[i];
    w->len += s.len;
}

static struct input *open_input(const uint8_t *data, size_t len, struct mem *mem)
{
    struct input *in = NULL;
    assay_error err = { 0 };
    mem_init(mem, (size_t)64 << 20);
    struct input_options o = { .mem = mem, .max_output = MAX_OUTPUT };
    int rc = input_open_memory(&in, data, len, "fuzz", &o, &err);
    harness_code(rc, &err, "input_open_memory");
    return rc == 0 ? in : NULL;
}

static void close_input(struct input *in, const struct mem *mem)
{
    input_close(in);
    harness_promise(mem->used == 0, "%zu bytes were not given back", (size_t)mem->used);
}

static struct way by_blocks(const uint8_t *data, size_t len, bool lines, bool peek)
{
    struct mem mem;
    struct way w = { 0, 0, 0 };
    struct input *in = open_input(data, len, &mem);
    assay_error err = { 0 };
    assay_slice s = { NULL, 0 };
    uint64_t off = 0;
    if (in && peek) (void)input_peek(in, &s, &err);
    while (in) {
        w.rc = input_block(in, lines, &s, &off, &err);
        harness_code(w.rc, &err, "input_block");
        if (w.rc != 0 || s.len == 0) break;
        harness_promise(off == w.len, "a block says it is at %llu, but %llu bytes came before", (unsigned long long)off, (unsigned long long)w.len);
        add(&w, s);
    }
    close_input(in, &mem);
    return w;
}

static struct way by_map(const uint8_t *data, size_t len)
{
    struct mem mem;
    struct way w = { 0, 0, 0 };
    struct input *in = open_input(data, len, &mem);
    assay_error err = { 0 };
    assay_slice s = { NULL, 0 };
    if (in) {
        w.rc = input_map(in, &s, &err);
        harness_code(w.rc, &err, "input_map");
        add(&w, s);
    }
    close_input(in, &mem);
    return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    harness_doing("unpacking");
    struct way a = by_blocks(data, len, false, true), b = by_blocks(data, len, true, false), c = by_map(data, len);
    if (a.rc == ASSAY_ERR_LIMIT || a.rc == ASSAY_ERR_MEMORY) return 0;
    harness_promise(a.rc == b.rc && a.rc == c.rc, "blocks give %d, lines %d, the map %d", a.rc, b.rc, c.rc);
    harness_promise(a.len == b.len && a.sum == b.sum, "blocks give %llu bytes, lines %llu", (unsigned long long)a.len, (unsigned long long)b.len);
    harness_promise(a.len == c.len && a.sum == c.sum, "blocks give %llu bytes, the map %llu", (unsigned long long)a.len, (unsigned long long)c.len);
    return 0;
}
