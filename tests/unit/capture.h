/* For tests of what writes text: an output into memory, and what has come out of it. */
#ifndef UNIT_CAPTURE_H
#define UNIT_CAPTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/output.h"

struct capture {
    struct mem mem;
    struct output *out;
};

static inline void capture_begin(struct capture *c)
{
    mem_init(&c->mem, 0);
    assert_int_equal(output_open_memory(&c->out, &c->mem, NULL), 0);
}

/* Fails unless exactly `len` bytes of `text` were written. */
static inline void capture_end_bytes(struct capture *c, const char *text, size_t len)
{
    assert_int_equal(output_failed(c->out), 0);
    assay_slice got = output_memory(c->out);
    if (got.len != len || (len && memcmp(got.data, text, len) != 0)) {
        print_error("expected:\n%.*s\nwritten:\n%.*s\n", (int)len, text, (int)got.len, got.data ? got.data : "");
        fail();
    }
    output_abort(c->out);
    assert_int_equal(c->mem.used, 0);
}

static inline void capture_end(struct capture *c, const char *text) { capture_end_bytes(c, text, strlen(text)); }

#endif
