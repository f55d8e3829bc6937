/* Small NYTProf streams in memory, and what check and read say of them. */
#ifndef TESTS_NYT_H
#define TESTS_NYT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "assay/assay.h"
#include "registry.h"

struct nyt {
    uint8_t at[1 << 16];
    size_t len;
};

static inline void nyt_raw(struct nyt *s, const void *data, size_t len)
{
    assert_true(s->len + len <= sizeof s->at);
    memcpy(s->at + s->len, data, len);
    s->len += len;
}

static inline void nyt_byte(struct nyt *s, unsigned v) { nyt_raw(s, &(uint8_t){ (uint8_t)v }, 1); }

/* In its shortest form, by section 2.2 of the notes. */
static inline void nyt_int(struct nyt *s, uint32_t v)
{
    if (v < 0x80)
        nyt_byte(s, v);
    else if (v < 0x4000) {
        nyt_byte(s, 0x80 | v >> 8);
        nyt_byte(s, v & 255);
    } else {
        nyt_byte(s, 0xff);
        for (int i = 3; i >= 0; i--) nyt_byte(s, v >> (8 * i) & 255);
    }
}

static inline void nyt_text(struct nyt *s, const char *text)
{
    nyt_byte(s, '\'');
    nyt_int(s, (uint32_t)strlen(text));
    nyt_raw(s, text, strlen(text));
}

/* As a little-endian machine writes it. */
static inline void nyt_double_bytes(double v, unsigned char *bytes)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (unsigned i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> (8 * i));
}

static inline void nyt_double(struct nyt *s, double v)
{
    unsigned char bytes[8];
    nyt_double_bytes(v, bytes);
    nyt_raw(s, bytes, sizeof bytes);
}

/* One record: `tag`, then by letter i = integer, s = string, d = double. */
static inline void nyt_put(struct nyt *s, char tag, const char *kinds, ...)
{
    va_list args;
    nyt_byte(s, (uint8_t)tag);
    va_start(args, kinds);
    for (; *kinds; kinds++) {
        if (*kinds == 'i') nyt_int(s, va_arg(args, unsigned));
        if (*kinds == 's') nyt_text(s, va_arg(args, const char *));
        if (*kinds == 'd') nyt_double(s, va_arg(args, double));
    }
    va_end(args);
}

static inline void nyt_line(struct nyt *s, const char *line)
{
    nyt_raw(s, line, strlen(line));
    nyt_byte(s, '\n');
}

/* The header of a sound file, one process started, one file. */
static inline void nyt_begin(struct nyt *s)
{
    s->len = 0;
    nyt_line(s, "NYTProf 5 0");
    nyt_line(s, "#a comment");
    nyt_line(s, ":nv_size=8");
    nyt_line(s, ":ticks_per_sec=10000000");
    nyt_line(s, "!calls=1");
    nyt_line(s, "!subs=1");
    nyt_put(s, 'P', "iid", 100u, 1u, 1.5e9);
    nyt_put(s, '@', "iiiiiis", 1u, 0u, 0u, 0x12u, 0u, 0u, "/a.pl");
}

static inline void nyt_time(struct nyt *s, int32_t ticks, uint32_t fid, uint32_t line) { nyt_put(s, '+', "iii", (unsigned)ticks, fid, line); }
static inline void nyt_return(struct nyt *s, uint32_t depth, double incl, double excl, const char *name) { nyt_put(s, '<', "idds", depth, incl, excl, name); }
static inline void nyt_call(struct nyt *s, uint32_t line, const char *caller, uint32_t count, double incl, double excl, double reci, uint32_t depth,
                            const char *name)
{
    nyt_put(s, 'c', "iisidddis", 1u, line, caller, count, incl, excl, reci, depth, name);
}
static inline void nyt_end(struct nyt *s) { nyt_put(s, 'p', "id", 100u, 1.5e9 + 10); }

/* What is behind `from` becomes the compressed part. */
static inline void nyt_compress(struct nyt *s, size_t from, const char *tail)
{
    static uint8_t compressed[1 << 16];
    uLongf len = sizeof compressed;
    assert_int_equal(compress2(compressed, &len, s->at + from, s->len - from, 6), Z_OK);
    s->len = from;
    nyt_byte(s, 'z');
    nyt_raw(s, compressed, len);
    nyt_raw(s, tail, strlen(tail));
}

/* ---- what comes of it ---- */

static inline const struct format *nyt_format(void) { return registry_find(slice_of("nytprof")); }

struct nyt_job {
    struct mem mem;
    struct input *in;
    struct assay_read_options options;
    struct read_job job;
};

static inline void nyt_open(struct nyt_job *j, const void *data, size_t len, bool strict)
{
    memset(j, 0, sizeof *j);
    mem_init(&j->mem, 0);
    struct input_options o = { .mem = &j->mem };
    assert_int_equal(input_open_memory(&j->in, data, len, "test", &o, NULL), 0);
    j->options.strict = strict;
    j->job = (struct read_job){ .in = j->in, .options = &j->options, .mem = &j->mem };
}

static inline void nyt_close(struct nyt_job *j)
{
    input_close(j->in);
    assert_int_equal(j->mem.used, 0);
}

/* How many findings of this rule check has; *severity and *off are those of the first. */
static inline unsigned nyt_findings(const struct nyt *s, const char *rule, int *severity, uint64_t *off)
{
    struct nyt_job j;
    struct findings f;
    assay_error err = { 0 };
    unsigned count = 0;
    nyt_open(&j, s->at, s->len, false);
    findings_init(&f, &j.mem);
    assert_int_equal(nyt_format()->check(&j.job, &f, &err), 0);
    for (size_t i = 0; i < f.list.len; i++) {
        if (strcmp(f.list.at[i].rule, rule) != 0) continue;
        if (!count++) {
            *severity = f.list.at[i].severity;
            *off = f.list.at[i].has_offset ? f.list.at[i].offset : UINT64_MAX;
        }
    }
    findings_done(&f);
    nyt_close(&j);
    return count;
}

static inline assay_profile *nyt_read(const struct nyt *s, uint32_t want)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .format = "nytprof", .want = want };
    int rc = assay_read_memory(s->at, s->len, "test", &o, &p, &err);
    if (rc != 0) fail_msg("%s", err.text);
    return p;
}

#endif
