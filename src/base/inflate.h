/* Unpacking a stream step by step: gzip (any number of members, zero bytes after the last), zstd frames, xz streams, one zlib stream. Text in UTF-16
 * is unpacked to UTF-8 in the same way.
 *
 * The caller owns both buffers, so nothing is copied beside what the libraries copy. What a stream says of its own length is never used.
 * One `struct inflate` belongs to one thread at a time. */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include "base/input.h"

enum inflate_status {
    INFLATE_GO_ON,     /* `in` is used up or `out` is full */
    INFLATE_END,       /* the end of the compressed bytes, at the end of a member */
    INFLATE_CUT,       /* the end of the compressed bytes, in the middle of a member */
    INFLATE_DAMAGED,   /* `reason` says what is wrong */
    INFLATE_TOO_LARGE, /* needs more memory than is sane for its kind; `reason` */
    INFLATE_NO_MEMORY
};

/* Both are moved on by what was used. */
struct inflate_io {
    const uint8_t *in;
    size_t in_len;
    uint8_t *out;
    size_t out_len;
    bool last;   /* no bytes come after `in` */
    size_t back; /* set with DAMAGED: the place of the damage is so many bytes before `in` */
};

struct inflate;

/* One way to unpack; the entries are below. Unpacking ends a member with INFLATE_END, and takes no byte after it. */
struct inflate_codec {
    size_t state_size;
    bool joins; /* members may follow each other, with `reset` between them; otherwise the library sees to that itself */
    enum inflate_status (*init)(void *state, struct mem *mem);
    enum inflate_status (*reset)(void *state);
    enum inflate_status (*run)(void *state, struct inflate_io *io, const char **reason);
    void (*done)(void *state); /* also after init failed */
};

extern const struct inflate_codec inflate_zlib, inflate_isal, inflate_zstd, inflate_xz, inflate_utf16_little, inflate_utf16_big;
/* A zlib stream (RFC 1950), which ends where it ends, whatever follows. */
extern const struct inflate_codec inflate_bare_zlib, inflate_bare_isal;

/* The best of this build; NULL = the build cannot unpack this. */
const struct inflate_codec *inflate_codec_for(enum input_packing packing);

/* Owned by the caller; NULL = no memory. `mem` is borrowed until inflate_free. */
struct inflate *inflate_new(const struct inflate_codec *codec, struct mem *mem);
void inflate_free(struct inflate *z);

/* Unpacks until `in` is used up, `out` is full, or an end. Once it has given anything but INFLATE_GO_ON it gives that for ever. What was
 * unpacked before the trouble is in `out`. *reason is static storage, set with DAMAGED and TOO_LARGE. */
enum inflate_status inflate_run(struct inflate *z, struct inflate_io *io, const char **reason);

/* Forgets the stream, whatever came of it: the next byte begins another one. */
void inflate_restart(struct inflate *z);
/* The first bytes of a zlib stream without any memory but the caller's: how many of the `len` wanted there are. For probes. */
size_t inflate_glance(assay_slice compressed, void *out, size_t len);

/* Memory for libraries that free without a size. */
void *inflate_alloc(struct mem *mem, size_t len);
void *inflate_realloc(struct mem *mem, void *p, size_t len);
void inflate_release(struct mem *mem, void *p);

#endif
