/* Packing a zlib stream (RFC 1950) into an output, step by step. */
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

/* "1.2.13": of the library that is in use. */
const char *deflate_version(void);

#endif
