/* Packing: a zlib stream (RFC 1950) into an output, step by step; and whole buffers at once. */
#ifndef BASE_DEFLATE_H
#define BASE_DEFLATE_H

#include "base/mem.h"
#include "base/output.h"

struct deflate;

/* Owned by the caller; `out` and `mem` are borrowed until deflate_free. level is 1 to 9. NULL = no memory. */
struct deflate *deflate_new(struct output *out, int level, struct mem *mem);
void deflate_free(struct deflate *z);

/* Errors of writing are sticky in the output. */
void deflate_bytes(struct deflate *z, const void *data, size_t len);
/* Ends the stream. */
void deflate_finish(struct deflate *z);

/* ---- whole buffers, a stream each, with one set-up for all of them ---- */

struct packer;
/* zlib or gzip (without a time). Owned by the caller; NULL = no memory. */
struct packer *packer_new(bool gzip, int level, struct mem *mem);
void packer_free(struct packer *z);
/* How much room a buffer of `len` bytes may need. */
size_t packer_bound(const struct packer *z, size_t len);
/* Packs into `out`, which has packer_bound(len) bytes; returns the length of the stream. `len` is below 2^31. */
size_t packer_run(struct packer *z, const void *data, size_t len, void *out, size_t out_len);

/* "1.2.13": of the library that is in use. */
const char *deflate_version(void);

#endif
