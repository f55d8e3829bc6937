/* Small recordings for tests, byte by byte: a header, attributes, records, features. */
#ifndef TESTS_PERF_DATA_FILE_H
#define TESTS_PERF_DATA_FILE_H

#include "../planted.h"

enum { ROOM = 16384, ATTR = 128, ATTR_AT = 120, DATA_AT = 600 };
/* IP, TID, TIME, ID, CPU?, PERIOD, CALLCHAIN: what perf record -g asks for */
#define TYPE_CHAIN (1 | 2 | 4 | 32 | 64 | 256)

struct file {
    unsigned char at[ROOM];
    size_t len;
    size_t attrs;
    uint64_t type;
};

static inline void put(struct file *f, size_t at, uint64_t v, unsigned bytes)
{
    assert_true(at + bytes <= ROOM);
    for (unsigned i = 0; i < bytes; i++) f->at[at + i] = (unsigned char)(v >> 8 * i);
    if (at + bytes > f->len) f->len = at + bytes;
}
static inline void add(struct file *f, uint64_t v, unsigned bytes) { put(f, f->len, v, bytes); }
static inline void add_text(struct file *f, const char *text)
{
    size_t len = (strlen(text) + 8) / 8 * 8;
    assert_true(f->len + len <= ROOM);
    memcpy(f->at + f->len, text, strlen(text) + 1);
    f->len += len;
}

/* An attribute whose samples have these fields, with the ids 10 n and 10 n + 1. */
static inline void put_attr(struct file *f, size_t at, uint64_t type, uint64_t config)
{
    put(f, at, 1, 4);
    put(f, at + 4, ATTR, 4);
    put(f, at + 8, config, 8);
    put(f, at + 16, 1000, 8);
    put(f, at + 24, type, 8);
    put(f, at + 40, 1 << 18, 8); /* sample_id_all */
}

static inline void begin_file(struct file *f, size_t attrs, uint64_t type)
{
    memset(f, 0, sizeof *f);
    f->attrs = attrs;
    f->type = type;
    memcpy(f->at, "PERFILE2", 8);
    put(f, 8, 104, 8);
    put(f, 16, ATTR + 16, 8);
    put(f, 24, ATTR_AT, 8);
    put(f, 32, attrs * (ATTR + 16), 8);
    put(f, 40, DATA_AT, 8);
    for (size_t i = 0; i < attrs; i++) {
        size_t at = ATTR_AT + i * (ATTR + 16);
        put_attr(f, at, type, i);
        put(f, at + ATTR, 104 + 8 * i, 8);
        put(f, at + ATTR + 8, 8, 8);
        put(f, 104 + 8 * i, 10 + i, 8);
    }
    f->len = DATA_AT;
}

/* Gives where the record begins; end_record sets its size. */
static inline size_t begin_record(struct file *f, uint32_t type, uint16_t misc)
{
    size_t at = f->len;
    add(f, type, 4);
    add(f, misc, 2);
    add(f, 0, 2);
    return at;
}
static inline void end_record(struct file *f, size_t at) { put(f, at + 6, f->len - at, 2); }
/* What records of the kernel end with. */
static inline void add_id(struct file *f, uint64_t time)
{
    if (f->type & 2) add(f, 7, 4), add(f, 7, 4);
    if (f->type & 4) add(f, time, 8);
    if (f->type & 64) add(f, 10, 8);
    if (f->type & 128) add(f, 0, 8);
    if (f->type & 1 << 16) add(f, 10, 8);
}

static inline size_t add_comm(struct file *f, const char *name, uint64_t time, bool is_exec)
{
    size_t at = begin_record(f, 3, is_exec ? 1 << 13 : 0);
    add(f, 7, 4), add(f, 7, 4);
    add_text(f, name);
    add_id(f, time);
    end_record(f, at);
    return at;
}
static inline size_t add_mmap(struct file *f, uint64_t start, uint64_t len, const char *path, uint64_t time)
{
    size_t at = begin_record(f, 1, 2);
    add(f, 7, 4), add(f, 7, 4);
    add(f, start, 8), add(f, len, 8), add(f, 0, 8);
    add_text(f, path);
    add_id(f, time);
    end_record(f, at);
    return at;
}
static inline size_t add_fork(struct file *f, int32_t pid, int32_t parent, uint64_t time)
{
    size_t at = begin_record(f, 7, 0);
    add(f, (uint32_t)pid, 4), add(f, (uint32_t)parent, 4), add(f, (uint32_t)pid, 4), add(f, (uint32_t)parent, 4);
    add(f, time, 8);
    add_id(f, time);
    end_record(f, at);
    return at;
}
/* A sample of pid 7 or another, of the event with this id, with a user chain of these addresses. */
static inline size_t add_sample(struct file *f, uint64_t id, int32_t pid, uint64_t time, uint64_t period, const uint64_t *chain, uint64_t count)
{
    size_t at = begin_record(f, 9, 2);
    if (f->type & 1 << 16) add(f, id, 8);
    if (f->type & 1) add(f, count ? chain[0] : 0x1000, 8);
    if (f->type & 2) add(f, (uint32_t)pid, 4), add(f, (uint32_t)pid, 4);
    if (f->type & 4) add(f, time, 8);
    if (f->type & 64) add(f, id, 8);
    if (f->type & 256) add(f, period, 8);
    if (f->type & 32) {
        add(f, count + 1, 8);
        add(f, (uint64_t)-512, 8);
        for (uint64_t i = 0; i < count; i++) add(f, chain[i], 8);
    }
    end_record(f, at);
    return at;
}
/* A record of a type with n zero bytes of its own. */
static inline size_t add_other(struct file *f, uint32_t type, size_t bytes)
{
    size_t at = begin_record(f, type, 0);
    for (size_t i = 0; i < bytes; i++) add(f, 0, 1);
    if (type < 64) add_id(f, 5);
    end_record(f, at);
    return at;
}
static inline void end_data(struct file *f) { put(f, 48, f->len - DATA_AT, 8); }

#endif
