/* Buffered writing to a file, standard output, memory or a sink; see base/output.h. How a file takes its place is in output_file.c.
 *
 * The buffer is the one place all writers share: small writes are a bounds check and a copy. The first failure is kept, and whatever is
 * written after it is counted and dropped, so writers need not look. */
#include "base/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/output_file.h"

enum { BUFFER_LEN = 256 << 10, MEMORY_LEN = 4 << 10 };

enum kind { TO_FILE, TO_STDOUT, TO_FN, TO_MEMORY };

struct output {
    struct output_buffer buf; /* first: see output_bytes */
    struct mem *mem;
    enum kind kind;
    uint64_t flushed; /* bytes that have left the buffer */
    struct output_file file;
    assay_text_fn fn;
    void *arg;
    assay_error err; /* err.code != 0: the sticky error */
};

/* ---- opening ---- */

static int new_output(struct output **out, enum kind kind, size_t cap, struct mem *mem, assay_error *err)
{
    *out = NULL;
    struct output *o = mem_zalloc(mem, 1, sizeof *o);
    if (!o) return error_memory(err);
    o->mem = mem;
    o->kind = kind;
    o->buf.cap = cap;
    o->file.fd = -1;
    o->buf.at = mem_alloc(mem, cap);
    if (!o->buf.at) {
        mem_free(mem, o, sizeof *o);
        return error_memory(err);
    }
    *out = o;
    return 0;
}

static void free_output(struct output *o)
{
    mem_free(o->mem, o->buf.at, o->buf.cap);
    mem_free(o->mem, o, sizeof *o);
}

static int settle(struct output **out, int rc, const char *path, assay_error *err)
{
    if (rc == 0) return 0;
    error_path(err, path);
    free_output(*out);
    *out = NULL;
    return rc;
}

int output_open(struct output **out, const char *path, struct mem *mem, assay_error *err)
{
    bool to_stdout = strcmp(path, "-") == 0;
    TRY(new_output(out, to_stdout ? TO_STDOUT : TO_FILE, BUFFER_LEN, mem, err));
    struct output *o = *out;
    error_path(&o->err, path);
    if (to_stdout) {
        o->file.fd = STDOUT_FILENO;
        return 0;
    }
    return settle(out, output_file_open(&o->file, path, mem, err), path, err);
}

int output_create(struct output **out, const char *path, struct mem *mem, assay_error *err)
{
    TRY(new_output(out, TO_FILE, BUFFER_LEN, mem, err));
    error_path(&(*out)->err, path);
    return settle(out, output_file_create(&(*out)->file, path, mem, err), path, err);
}

int output_join(struct output **out, const char *path, struct mem *mem, assay_error *err)
{
    TRY(new_output(out, TO_FILE, BUFFER_LEN, mem, err));
    error_path(&(*out)->err, path);
    return settle(out, output_file_join(&(*out)->file, path, err), path, err);
}

int output_open_fn(struct output **out, assay_text_fn fn, void *arg, struct mem *mem, assay_error *err)
{
    TRY(new_output(out, TO_FN, BUFFER_LEN, mem, err));
    (*out)->fn = fn;
    (*out)->arg = arg;
    return 0;
}

int output_open_memory(struct output **out, struct mem *mem, assay_error *err) { return new_output(out, TO_MEMORY, MEMORY_LEN, mem, err); }

/* ---- the buffer ---- */

/* Passes `len` bytes on; after a failure they only count. */
static void pass_on(struct output *o, const char *data, size_t len)
{
    o->flushed += len;
    if (o->err.code == 0 && cancel_due()) error_cancelled(&o->err);
    if (o->err.code != 0 || len == 0) return;
    if (o->kind != TO_FN) {
        output_file_write(&o->file, data, len, &o->err);
    } else if (o->fn(o->arg, data, len) != 0) {
        error_set(&o->err, ASSAY_ERR_WRITE, "the receiver of the output refused it");
    }
}

static void flush(struct output *o)
{
    size_t len = o->buf.len;
    o->buf.len = 0;
    pass_on(o, o->buf.at, len);
}

static bool grow(struct output *o, size_t more)
{
    size_t need;
    if (!size_add(&need, o->buf.len, more)) return false;
    size_t to = o->buf.cap + o->buf.cap / 2 > need ? o->buf.cap + o->buf.cap / 2 : need;
    char *p = mem_resize(o->mem, o->buf.at, o->buf.cap, to);
    if (!p && to > need) p = mem_resize(o->mem, o->buf.at, o->buf.cap, to = need);
    if (!p) return false;
    o->buf.at = p;
    o->buf.cap = to;
    return true;
}

/* Makes room for `len` bytes, at most BUFFER_LEN, in the buffer; false = they must be dropped (memory output only). */
static bool make_room(struct output *o, size_t len)
{
    if (len <= o->buf.cap - o->buf.len) return true;
    if (o->kind != TO_MEMORY) {
        flush(o);
        return true;
    }
    if (o->err.code == 0 && grow(o, len)) return true;
    if (o->err.code == 0) error_memory(&o->err);
    o->flushed += len;
    return false;
}

void output_more(struct output *o, const void *data, size_t len)
{
    if (len == 0) return;
    if (len > o->buf.cap - o->buf.len && o->kind != TO_MEMORY && len >= BUFFER_LEN) {
        flush(o);
        pass_on(o, data, len);
        return;
    }
    if (!make_room(o, len)) return;
    memcpy(o->buf.at + o->buf.len, data, len);
    o->buf.len += len;
}

/* ---- numbers ---- */

void output_u64(struct output *o, uint64_t v)
{
    char text[24];
    output_bytes(o, text, number_put_u64(text, v));
}

void output_i64(struct output *o, int64_t v)
{
    if (v < 0) output_char(o, '-');
    output_u64(o, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void output_hex(struct output *o, uint64_t v, unsigned min_digits)
{
    char text[16];
    unsigned n = 0;
    do {
        text[15 - n++] = "0123456789abcdef"[v & 15];
        v >>= 4;
    } while (v || (n < min_digits && n < sizeof text));
    output_bytes(o, text + 16 - n, n);
}

void output_u32le(struct output *o, uint32_t v)
{
    unsigned char b[4] = { (unsigned char)v, (unsigned char)(v >> 8), (unsigned char)(v >> 16), (unsigned char)(v >> 24) };
    output_bytes(o, b, sizeof b);
}

/* A text too long for the stack. */
static void print_long(struct output *o, size_t len, const char *fmt, va_list args)
{
    char *text = mem_alloc(o->mem, len + 1);
    if (text) {
        vsnprintf(text, len + 1, fmt, args);
        output_bytes(o, text, len);
    } else if (o->err.code == 0) {
        error_memory(&o->err);
    }
    mem_free(o->mem, text, len + 1);
}

void output_printf(struct output *o, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0) {
        if (o->err.code == 0) error_set(&o->err, ASSAY_ERR_INTERNAL, "a text could not be formatted");
    } else if ((size_t)n < sizeof text) {
        output_bytes(o, text, (size_t)n);
    } else {
        va_start(args, fmt);
        print_long(o, (size_t)n, fmt, args);
        va_end(args);
    }
}

/* ---- places ---- */

uint64_t output_off(const struct output *o) { return o->flushed + o->buf.len; }

void output_resume(struct output *o, uint64_t off)
{
    flush(o);
    if (o->err.code == 0) output_file_seek(&o->file, off, &o->err);
    o->flushed = off;
}

bool output_can_go_back(const struct output *o) { return o->kind == TO_MEMORY || (o->kind == TO_FILE && !o->file.direct); }

void output_patch(struct output *o, uint64_t off, const void *data, size_t len)
{
    if (o->err.code != 0 || len == 0) return;
    bool seekable = output_can_go_back(o);
    if (!seekable || off > output_off(o) || len > output_off(o) - off) {
        error_set(&o->err, ASSAY_ERR_USAGE, seekable ? "cannot overwrite bytes that were not written yet" : "cannot overwrite what was passed on already");
        return;
    }
    if (o->kind == TO_FILE && off < o->flushed) {
        flush(o);
        output_file_patch(&o->file, off, data, len, &o->err);
        return;
    }
    memcpy(o->buf.at + (off - o->flushed), data, len);
}

void output_read(struct output *o, uint64_t off, void *buf, size_t len)
{
    if (o->err.code == 0 && (!output_can_go_back(o) || off > output_off(o) || len > output_off(o) - off))
        error_set(&o->err, ASSAY_ERR_USAGE, "cannot read back what was passed on already, or not written yet");
    if (o->err.code == 0 && o->kind == TO_MEMORY) {
        memcpy(buf, o->buf.at + off, len);
        return;
    }
    if (o->err.code == 0 && off + len > o->flushed) flush(o);
    if (o->err.code == 0) output_file_read(&o->file, off, buf, len, &o->err);
    if (o->err.code != 0) memset(buf, 0, len);
}

void output_settle(struct output *o)
{
    if (o->err.code == 0) flush(o);
}

int output_read_settled(const struct output *o, uint64_t off, void *buf, size_t len, assay_error *err)
{
    if (o->kind != TO_FILE || o->file.direct) FAIL(err, ASSAY_ERR_USAGE, "cannot read back what is not in a file");
    return output_file_read(&o->file, off, buf, len, err);
}

int output_failed(const struct output *o) { return o->err.code; }

int output_blame(const struct output *o, int rc, assay_error *err)
{
    if (rc == 0 || o->err.code != rc) return rc;
    if (err) *err = o->err;
    return rc;
}

assay_slice output_memory(const struct output *o)
{
    return o->kind == TO_MEMORY && o->err.code == 0 ? (assay_slice){ o->buf.at, o->buf.len } : (assay_slice){ "", 0 };
}

/* ---- the end ---- */

int output_commit(struct output *o, assay_error *err)
{
    if (o->kind != TO_MEMORY) flush(o);
    if (o->kind == TO_FILE && o->err.code == 0) output_file_commit(&o->file, &o->err);
    int rc = o->err.code;
    if (rc != 0 && err) {
        char path[sizeof err->path];
        memcpy(path, err->path, sizeof path);
        *err = o->err;
        if (path[0]) memcpy(err->path, path, sizeof path);
    }
    output_abort(o);
    return rc;
}

void output_abort(struct output *o)
{
    if (!o) return;
    if (o->kind == TO_FILE) output_file_discard(&o->file, o->mem);
    free_output(o);
}
