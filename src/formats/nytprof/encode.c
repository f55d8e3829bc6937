/* The encoder of NYTProf 5.0; see encode.h. */
#include "formats/nytprof/encode.h"

#include <inttypes.h>
#include <stdio.h>

void nytprof_encoder_init(struct nytprof_encoder *e, struct output *out, struct mem *mem)
{
    e->out = out;
    e->mem = mem;
    e->z = NULL;
    e->len = e->packed_from = 0;
    e->used = 0;
}

void nytprof_encoder_done(struct nytprof_encoder *e)
{
    deflate_free(e->z);
    e->z = NULL;
}

/* ---- bytes ---- */

static void flush(struct nytprof_encoder *e)
{
    if (e->z)
        deflate_bytes(e->z, e->room, e->used);
    else
        output_bytes(e->out, e->room, e->used);
    e->len += e->used;
    e->used = 0;
}

static void put_across(struct nytprof_encoder *e, const void *data, size_t len)
{
    const unsigned char *at = data;
    while (len) {
        size_t room = sizeof e->room - e->used, part = len < room ? len : room;
        memcpy(e->room + e->used, at, part);
        e->used += part;
        at += part;
        len -= part;
        if (e->used == sizeof e->room) flush(e);
    }
}

static inline void put(struct nytprof_encoder *e, const void *data, size_t len)
{
    if (len >= sizeof e->room - e->used) {
        put_across(e, data, len);
        return;
    }
    memcpy(e->room + e->used, data, len);
    e->used += len;
}

static unsigned char *int_bytes(unsigned char *p, uint32_t v)
{
    unsigned more = v < 0x80 ? 0 : v < 0x4000 ? 1 : v < 0x200000 ? 2 : v < 0x10000000 ? 3 : 4;
    static const unsigned char mark[] = { 0, 0x80, 0xc0, 0xe0, 0xff };
    *p++ = (unsigned char)(mark[more] | (more < 4 ? v >> (8 * more) : 0));
    while (more-- > 0) *p++ = (unsigned char)(v >> (8 * more));
    return p;
}

/* A tag and up to six integers. */
static void put_ints(struct nytprof_encoder *e, char tag, const uint32_t *v, unsigned count)
{
    unsigned char buf[40], *p = buf;
    if (tag) *p++ = (unsigned char)tag;
    for (unsigned i = 0; i < count; i++) p = int_bytes(p, v[i]);
    put(e, buf, (size_t)(p - buf));
}
#define INTS(e, tag, ...) put_ints((e), (tag), (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void put_double(struct nytprof_encoder *e, double v)
{
    unsigned char buf[8];
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (unsigned i = 0; i < 8; i++) buf[i] = (unsigned char)(bits >> (8 * i));
    put(e, buf, sizeof buf);
}

static void put_text(struct nytprof_encoder *e, const struct nytprof_text *t)
{
    unsigned char buf[8], *p = buf;
    *p++ = t->is_utf8 ? '"' : '\'';
    p = int_bytes(p, (uint32_t)t->bytes.len);
    put(e, buf, (size_t)(p - buf));
    if (t->bytes.len) put(e, t->bytes.data, t->bytes.len);
}

/* ---- records ---- */

void nytprof_encode_line(struct nytprof_encoder *e, char tag, assay_slice key, assay_slice value)
{
    put(e, &tag, 1);
    if (key.len) put(e, key.data, key.len);
    if (tag != NYTPROF_COMMENT) put(e, "=", 1);
    if (value.len) put(e, value.data, value.len);
    put(e, "\n", 1);
}

static void put_call(struct nytprof_encoder *e, const struct nytprof_call *k)
{
    INTS(e, NYTPROF_SUB_CALLERS, k->fid, k->line);
    put_text(e, &k->caller);
    INTS(e, 0, k->count);
    put_double(e, k->incl);
    put_double(e, k->excl);
    put_double(e, k->reci);
    INTS(e, 0, k->depth);
    put_text(e, &k->called);
}

static void put_process(struct nytprof_encoder *e, const struct nytprof_record *r)
{
    if (r->tag == NYTPROF_PID_START)
        INTS(e, NYTPROF_PID_START, r->process.pid, r->process.ppid);
    else
        INTS(e, NYTPROF_PID_END, r->process.pid);
    put_double(e, r->process.time);
}

static void put_return(struct nytprof_encoder *e, const struct nytprof_return *t)
{
    INTS(e, NYTPROF_SUB_RETURN, t->depth);
    put_double(e, t->incl);
    put_double(e, t->excl);
    put_text(e, &t->name);
}

static void put_raw_line(struct nytprof_encoder *e, const struct nytprof_record *r)
{
    put(e, &r->tag, 1);
    if (r->text.text.len) put(e, r->text.text.data, r->text.text.len);
    put(e, "\n", 1);
}

void nytprof_encode(struct nytprof_encoder *e, const struct nytprof_record *r)
{
    const struct nytprof_time *t = &r->time;
    const struct nytprof_file *f = &r->file;
    switch (r->tag) {
    case NYTPROF_VERSION: put(e, "NYTProf 5 0\n", 12); break;
    case NYTPROF_ATTRIBUTE:
    case NYTPROF_OPTION:
    case NYTPROF_COMMENT: put_raw_line(e, r); break;
    case NYTPROF_TIME_LINE: INTS(e, r->tag, (uint32_t)t->ticks, t->fid, t->line); break;
    case NYTPROF_TIME_BLOCK: INTS(e, r->tag, (uint32_t)t->ticks, t->fid, t->line, t->block_line, t->sub_line); break;
    case NYTPROF_DISCOUNT: put(e, &r->tag, 1); break;
    case NYTPROF_SUB_ENTRY: INTS(e, r->tag, r->entry.fid, r->entry.line); break;
    case NYTPROF_SUB_RETURN: put_return(e, &r->ret); break;
    case NYTPROF_NEW_FID:
        INTS(e, r->tag, f->fid, f->eval_fid, f->eval_line, f->flags, f->size, f->mtime);
        put_text(e, &f->name);
        break;
    case NYTPROF_SUB_INFO:
        INTS(e, r->tag, r->sub.fid);
        put_text(e, &r->sub.name);
        INTS(e, 0, r->sub.first, r->sub.last);
        break;
    case NYTPROF_SUB_CALLERS: put_call(e, &r->call); break;
    case NYTPROF_SRC_LINE:
        INTS(e, r->tag, r->source.fid, r->source.line);
        put_text(e, &r->source.text);
        break;
    case NYTPROF_PID_START:
    case NYTPROF_PID_END: put_process(e, r); break;
    default: break;
    }
}

/* ---- the compressed part ---- */

int nytprof_encode_deflate(struct nytprof_encoder *e, assay_error *err)
{
    char text[80];
    int len = snprintf(text, sizeof text, "Compressed at level %d with zlib %s", NYTPROF_LEVEL, deflate_version());
    nytprof_encode_line(e, NYTPROF_COMMENT, (assay_slice){ NULL, 0 }, (assay_slice){ text, (size_t)len });
    put(e, "z", 1);
    flush(e);
    e->packed_from = output_off(e->out);
    e->z = deflate_new(e->out, NYTPROF_LEVEL, e->mem);
    return e->z ? 0 : error_memory(err);
}

void nytprof_encode_end(struct nytprof_encoder *e)
{
    flush(e);
    if (!e->z) return;
    deflate_finish(e->z);
    uint64_t compressed = output_off(e->out);
    output_printf(e->out, "#\n# Compressed %" PRIu64 " bytes to %" PRIu64 ", ratio %f:1, data shrunk by %f%%\n", e->len, compressed,
                  compressed ? (double)e->len / (double)compressed : 0.0, e->len ? 100.0 - 100.0 * (double)compressed / (double)e->len : 0.0);
}
