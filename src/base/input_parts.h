/* What input.c and input_block.c share; for nobody else.
 *
 * A feed fills chunks; one chunk at a time is held by the reader, [begin, end) is what of it has not been given out. Where a second thread
 * unpacks, the chunks go round in a ring, otherwise two of them take turns. */
#ifndef BASE_INPUT_PARTS_H
#define BASE_INPUT_PARTS_H

#include <stdatomic.h>

#include "base/input.h"
#include "base/ring.h"
#include "base/vec.h"

struct input {
    struct mem *mem;
    assay_progress_fn progress;
    void *progress_arg;
    uint64_t progress_ns; /* when it was called last */
    char *path;
    size_t path_size;
    int fd; /* -1 = memory or a callback */
    bool close_fd, is_dir, is_regular, is_at_start;
    enum input_packing packing;
    uint64_t packed_len;
    uint64_t changed_ns;    /* when the file was changed last, as it was opened */
    _Atomic int at_trouble; /* of input_at: errno, SHRANK = the file ended too early */
    uint64_t unpacked_len;
    uint64_t max_string;
    const char *memory; /* borrowed; NULL = the bytes are no memory of the caller */
    struct chunk raw;   /* what a compressed file is read to */
    struct feed feed;
    struct ring ring;
    struct chunk slots[RING_SLOTS];
    unsigned next_slot;
    struct chunk *held; /* NULL = nothing taken yet */
    const char *begin, *end;
    uint64_t off;        /* of `begin` */
    VEC(char) line;      /* a line too long for the head room; input_map: all bytes */
    bool is_reached;     /* input_reach left the bytes in the file */
    struct input *outer; /* of a stream inside: where its compressed bytes come from */
    assay_error err;     /* err.code != 0: the answer to every further call */
};

/* An input that gives nothing yet; input_close is due from here on. Errors: MEMORY. */
int input_new(struct input **out, const char *path, const struct input_options *options, assay_error *err);
/* Reads the first chunk of a file and sees what it is. */
int input_read_first(struct input *in, assay_error *err);
void input_know_packing(struct input *in, const void *first, size_t len);
/* Ends a stream inside: its thread may wait for `outer`, which gets its progress back. */
void input_leave(struct input *in);
/* Makes the unpacker when it is due. Errors: MEMORY, UNSUPPORTED. */
int input_start(struct input *in, assay_error *err);
/* Takes the first chunk, when that has not been done. */
int input_take_first(struct input *in, assay_error *err);
/* The error that ended the feed, or 0; `in->held` must be the last chunk. */
int input_ended(struct input *in, assay_error *err);
/* Calls progress, at most ten times a second. Errors: CANCELLED. */
int input_report(struct input *in, uint64_t done, assay_error *err);
/* Whether the caller wants to stop; asked while nothing comes. `arg` is the input. */
bool input_waiting(void *arg);
/* Both keep the error as the answer to every further call. */
int input_fail(struct input *in, const assay_error *cause, assay_error *err);
int input_no_memory(struct input *in, assay_error *err);

#endif
