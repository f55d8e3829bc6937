/* The bytes of an input in order, unpacked: a file descriptor or memory at one end, chunks at the other. Used by input.c alone; when a thread
 * unpacks (base/ring.h) the feed belongs to that thread. */
#ifndef BASE_FEED_H
#define BASE_FEED_H

#include "assay/format.h"
#include "base/error.h"
#include "base/inflate.h"
#include "base/slice.h"

enum { FEED_CHUNK = 1 << 20, FEED_HEAD = 64 << 10 };

/* A buffer with head room: the rest of a line is put in front of the bytes that end it. */
struct chunk {
    char *base; /* owned; NULL = the bytes are somebody else's */
    size_t base_len;
    char *data; /* where bytes go */
    size_t room;
    size_t len;
    uint64_t packed_off; /* how far the compressed bytes were used when this was full */
    bool last;           /* nothing comes after it; feed.err says whether that is a pity */
};

bool chunk_new(struct chunk *c, size_t room, struct mem *mem);
void chunk_free(struct chunk *c, struct mem *mem);

struct feed {
    int fd;             /* borrowed; -1 = memory or `pull` */
    assay_pull_fn pull; /* in place of a descriptor; NULL = none */
    void *pull_arg;
    bool may_wait;              /* the descriptor may have nothing to give for a while: a pipe, a terminal */
    _Atomic bool stop;          /* the reader has gone: give up waiting */
    bool (*waiting)(void *arg); /* asked while nothing comes, on the reader's own thread only; true = give up. NULL = never */
    void *waiting_arg;
    /* Where compressed bytes come from in place of a descriptor, empty at their end; NULL = a descriptor or memory. */
    int (*more)(void *arg, assay_slice *out, assay_error *err);
    void *more_arg;
    struct inflate *z;   /* NULL = plain */
    const char *packing; /* for messages */
    const uint8_t *at;   /* bytes read and not used */
    size_t len;
    uint64_t off; /* of `at`, in the compressed input */
    bool end;     /* nothing comes after `at` + `len` */
    uint8_t *buf; /* compressed files: where they are read to; borrowed */
    size_t buf_len;
    uint64_t max_output;
    uint64_t given;  /* unpacked bytes so far */
    assay_error err; /* err.code != 0: why it ended early */
};

/* Fills c->data with up to c->room bytes; less only at the end, and c->last is set then at the latest with the next call. A plain memory feed
 * points c->data into the memory instead. */
void feed_fill(struct feed *f, struct chunk *c);

#endif
