/* For the tests of webgrind files: bytes put together by hand from the description of the format, and one call of each function of the
 * module on them. Offsets in the tests are those of these samples. */
#ifndef TESTS_WEBGRIND_WG_H
#define TESTS_WEBGRIND_WG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "formats/webgrind/format.h"

#define NOBODY UINT32_MAX

struct wg {
    unsigned char at[4096];
    size_t len;
};

static inline void wg_u32(struct wg *w, uint32_t v)
{
    for (int i = 0; i < 4; i++) w->at[w->len++] = (unsigned char)(v >> (8 * i));
}

/* As many numbers as there are before the word END. */
#define END 0x0ddba11u
static inline void wg_numbers(struct wg *w, ...)
{
    va_list ap;
    va_start(ap, w);
    for (uint32_t v = va_arg(ap, uint32_t); v != END; v = va_arg(ap, uint32_t)) wg_u32(w, v);
    va_end(ap);
}
#define NUMBERS(w, ...) wg_numbers((w), __VA_ARGS__, END)

static inline void wg_text(struct wg *w, const char *text)
{
    memcpy(w->at + w->len, text, strlen(text));
    w->len += strlen(text);
}

static inline void wg_patch(struct wg *w, size_t off, uint32_t v)
{
    size_t len = w->len;
    w->len = off;
    wg_u32(w, v);
    w->len = len > w->len ? len : w->len;
}

/* {main} (a.php, line 1) calls f (a.php, line 3) twice at line 5: self 7 and 10, inclusive 17 and 10. */
static inline struct wg wg_small(uint32_t version)
{
    struct wg w = { .len = 0 };
    const uint32_t second[] = { [5] = 60, [6] = 64, [7] = 68 }, header[] = { [5] = 89, [6] = 113, [7] = 121 };
    NUMBERS(&w, version, header[version], 2u, 20u, second[version]);
    if (version == 7) wg_u32(&w, 3);
    NUMBERS(&w, 10u, 10u, 2u, 1u); /* self, inclusive, invocations, called from */
    if (version > 5) wg_u32(&w, 0);
    NUMBERS(&w, 1u, 5u, 2u, 10u);
    wg_text(&w, "a.php\nf\n");
    if (version == 7) wg_u32(&w, 1);
    NUMBERS(&w, 7u, 17u, 1u, 0u);
    if (version > 5) NUMBERS(&w, 1u, 0u, 5u, 2u, 10u);
    wg_text(&w, "a.php\n{main}\nversion: 1\nevents: Time\nsummary: 17\n");
    return w;
}

/* {main} (self 5) calls fact (self 2) at line 9 for 3, which calls itself (self 1) at line 3 for 1. Entries at 172 and 188, headers at 204. */
static inline struct wg wg_small4(void)
{
    struct wg w = { .len = 0 };
    NUMBERS(&w, 4u, 204u, 2u, 20u, 111u);
    NUMBERS(&w, 3u, 4u, 4u, 2u);                   /* 20: fact */
    NUMBERS(&w, 1u, 1u, 1u, 0u, 1u, 3u, 0u, 172u); /* 36 */
    NUMBERS(&w, 2u, 3u, 3u, 1u, 0u, 9u, 1u, 172u); /* 68 */
    wg_text(&w, "a.php\nfact\n");
    NUMBERS(&w, 5u, 8u, 0u, 1u);                       /* 111: {main} */
    NUMBERS(&w, 5u, 8u, 0u, NOBODY, 0u, 0u, 1u, 188u); /* 127 */
    wg_text(&w, "a.php\n{main}\n");
    NUMBERS(&w, 0u, 0u, 3u, 1u, 0u, 1u, 9u, 3u);
    wg_text(&w, "version: 0.9.6\nevents: Time\nsummary: 8\n");
    return w;
}

/* The file of four functions that webgrind 1.9.4 wrote for a script with blanks in its path: 593 bytes, of them 435 before the headers. */
static inline struct wg wg_space(void)
{
    struct wg w = { .len = 0 };
    NUMBERS(&w, 7u, 0x1b3u, 4u, 0x1cu, 0x89u, 0xfdu, 0x14au);
    NUMBERS(&w, 1u, 660u, 660u, 1u, 1u, 0u, 3u, 2u, 1u, 660u);
    wg_text(&w, "/tmp/demo/sp ace/inc file.php\nrequire::/tmp/demo/sp ace/inc file.php\n");
    NUMBERS(&w, 1u, 974u, 974u, 1u, 1u, 0u, 3u, 3u, 1u, 974u);
    wg_text(&w, "/tmp/demo/sp ace/inc file2.php\nrequire_once::/tmp/demo/sp ace/inc file2.php\n");
    NUMBERS(&w, 2u, 22u, 22u, 1u, 1u, 0u, 3u, 4u, 1u, 22u);
    wg_text(&w, "/tmp/demo/sp ace/inc file.php\nspaced\n");
    NUMBERS(&w, 1u, 8453u, 10109u, 1u, 0u, 3u, 0u, 2u, 1u, 660u, 1u, 3u, 1u, 974u, 2u, 4u, 1u, 22u);
    wg_text(&w, "/tmp/demo/sp ace/main.php\n{main}\n");
    wg_text(&w, "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: /tmp/demo/sp ace/main.php\npart: 1\npositions: line\n"
                "events: Time_(10ns) Memory_(bytes)\nsummary: 14264 500760\n");
    return w;
}

/* ---- one call each ---- */

struct wg_job {
    struct mem mem;
    struct input *in;
    struct assay_read_options options;
    struct read_job job;
};

static inline void wg_open(struct wg_job *j, const void *data, size_t len)
{
    memset(j, 0, sizeof *j);
    mem_init(&j->mem, 0);
    struct input_options o = { .mem = &j->mem };
    assert_int_equal(input_open_memory(&j->in, data, len, "sample", &o, NULL), 0);
    j->job = (struct read_job){ .in = j->in, .options = &j->options, .mem = &j->mem };
}

static inline void wg_close(struct wg_job *j)
{
    input_close(j->in);
    assert_int_equal(j->mem.used, 0);
}

/* Owned by the caller; NULL = *err says why. */
static inline assay_profile *wg_read(const void *data, size_t len, uint32_t want, bool strict, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .format = "webgrind", .want = want, .strict = strict };
    int rc = assay_read_memory(data, len, "sample", &o, &p, err);
    assert_true((rc == 0) == (p != NULL));
    return p;
}

/* What came out of a sink. */
struct wg_out {
    struct wg bytes;
    assay_losses *losses;
};

static inline int wg_sink(void *arg, const char *data, size_t len)
{
    struct wg *w = arg;
    assert_true(w->len + len <= sizeof w->at);
    memcpy(w->at + w->len, data, len);
    w->len += len;
    return 0;
}

/* Writes through the model. Free out->losses. */
static inline int wg_write(const assay_profile *p, const struct assay_write_options *options, struct wg_out *out, assay_error *err)
{
    memset(out, 0, sizeof *out);
    return assay_write_fn(p, options, wg_sink, &out->bytes, &out->losses, err);
}

static inline const assay_loss *wg_loss(const struct wg_out *out, const char *kind)
{
    for (size_t i = 0; out->losses && i < out->losses->count; i++)
        if (strcmp(out->losses->at[i].kind, kind) == 0) return &out->losses->at[i];
    return NULL;
}

static inline void wg_same(const struct wg *got, const struct wg *expected)
{
    assert_int_equal(got->len, expected->len);
    assert_memory_equal(got->at, expected->at, expected->len);
}

#endif
