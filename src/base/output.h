/* Output: buffered bytes to a file (temporary, fsync, rename), standard output, memory or a sink. Errors are sticky: writers write, and
 * output_commit tells. Until then the target is untouched; output_abort, or a killed process, leaves it as it was. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <string.h>

#include "assay/format.h"
#include "base/mem.h"
#include "base/slice.h"

struct output;

/* "-" is standard output (no rename there). The temporary file stands beside the target, keeps the mode of an existing target, and
 * is removed on abort. A target that is a symbolic link is followed; one that is not a regular file (a device, a pipe) is written directly. */
int output_open(struct output **out, const char *path, struct mem *mem, assay_error *err);
/* A new file under its own name, for whoever made a temporary folder around it; abort removes it. */
int output_create(struct output **out, const char *path, struct mem *mem, assay_error *err);
/* A file that somebody else creates the same way and removes if need be: several processes write it, each at its places (output_resume, output_patch).
 * Commit syncs what this one wrote. */
int output_join(struct output **out, const char *path, struct mem *mem, assay_error *err);
/* Goes on writing at `off`, of a file with a temporary folder or one that was joined; what is skipped is left as it is. */
void output_resume(struct output *o, uint64_t off);
int output_open_fn(struct output **out, assay_text_fn fn, void *arg, struct mem *mem, assay_error *err);
/* Into memory: output_memory gives the bytes. */
int output_open_memory(struct output **out, struct mem *mem, assay_error *err);

/* What an output begins with: a small write is a bounds check and a copy, without a call. */
struct output_buffer {
    char *at;
    size_t len, cap;
};
/* Bytes that do not fit into the buffer as it is. */
void output_more(struct output *o, const void *data, size_t len);

static inline void output_bytes(struct output *o, const void *data, size_t len)
{
    struct output_buffer *b = (struct output_buffer *)(void *)o;
    if (len - 1 >= b->cap - b->len) { /* none, too */
        output_more(o, data, len);
        return;
    }
    memcpy(b->at + b->len, data, len);
    b->len += len;
}
static inline void output_slice(struct output *o, assay_slice s) { output_bytes(o, s.data, s.len); }
static inline void output_text(struct output *o, const char *text) { output_bytes(o, text, strlen(text)); }
static inline void output_char(struct output *o, char c) { output_bytes(o, &c, 1); }
void output_u64(struct output *o, uint64_t v); /* decimal */
void output_i64(struct output *o, int64_t v);
void output_hex(struct output *o, uint64_t v, unsigned min_digits); /* lower case, without 0x */
void output_u32le(struct output *o, uint32_t v);
void output_printf(struct output *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Bytes written so far. */
uint64_t output_off(const struct output *o);
/* Overwrites bytes written before (a length known only later). Errors: USAGE on a pipe or sink. */
void output_patch(struct output *o, uint64_t off, const void *data, size_t len);
/* Whether output_patch and output_read work: a file that has a temporary one, or memory. */
bool output_can_go_back(const struct output *o);
/* Reads back bytes written before, where output_can_go_back. Errors become sticky; then `buf` is zeroed. */
void output_read(struct output *o, uint64_t off, void *buf, size_t len);
/* Everything written so far leaves the buffer. Then any number of threads may read those bytes with output_read_settled, also while one goes on
 * writing behind them. */
void output_settle(struct output *o);
int output_read_settled(const struct output *o, uint64_t off, void *buf, size_t len, assay_error *err);
/* 0 or the code of the sticky error. */
int output_failed(const struct output *o);
/* For whoever called a writer that gave up with `rc`: if that is because of the output, *err becomes its sticky error, which blames the output.
 * Writers need only return what output_failed says. Returns the code. */
int output_blame(const struct output *o, int rc, assay_error *err);

/* Flushes, syncs, renames, frees. Takes `o`. Errors: WRITE, MEMORY. EPIPE on standard output is an error like any other. */
int output_commit(struct output *o, assay_error *err);
/* Frees and leaves nothing behind. NULL is allowed. */
void output_abort(struct output *o);
/* The bytes of a memory output; borrowed until commit or abort. */
assay_slice output_memory(const struct output *o);

#endif
