/* Input: a file, standard input, memory or a directory; unpacked on the way (gzip with several members, zstd, xz: detected from content).
 *
 * Sequential readers take blocks, each of which ends at a line end where lines are wanted; inflation then runs on a second thread.
 * Random readers take the whole, or single places of it. Either way offsets are those of the unpacked bytes. Nothing is mapped: a file that is
 * truncated meanwhile must not kill the program. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "assay/format.h"
#include "base/mem.h"
#include "base/slice.h"

struct input;

/* ZLIB is never detected from content: it stands inside other formats. */
enum input_packing { INPUT_PLAIN, INPUT_GZIP, INPUT_ZSTD, INPUT_XZ, INPUT_ZLIB, INPUT_UTF16_LITTLE, INPUT_UTF16_BIG };

struct input_options {
    struct mem *mem;     /* borrowed until input_close */
    uint64_t max_output; /* unpacked bytes; 0 = 64 GiB */
    assay_progress_fn progress;
    void *progress_arg;
    uint64_t max_string; /* bytes of one line, or of what input_block_keep keeps; 0 = 64 MiB */
};

#define INPUT_MAX_STRING ((uint64_t)64 << 20)

/* "-" is standard input. A directory opens too: input_is_dir tells, and only input_path is of use then. Errors: SYSTEM, MEMORY. */
int input_open(struct input **out, const char *path, const struct input_options *options, assay_error *err);
/* `data` is borrowed until input_close; compressed data is unpacked as in a file. */
int input_open_memory(struct input **out, const void *data, size_t len, const char *name, const struct input_options *options, assay_error *err);
/* Whatever the caller has. A descriptor stays open, and is read from where it stands. Errors: those of input_open, and USAGE. */
int input_open_from(struct input **out, const struct assay_input *from, const struct input_options *options, assay_error *err);
void input_close(struct input *in);
/* For SCOPED (base/scoped.h): closes what the variable holds, which is NULL when it could not be opened. */
static inline void input_drop(struct input **in) { input_close(*in); }

const char *input_path(const struct input *in);
bool input_is_dir(const struct input *in);
enum input_packing input_packing(const struct input *in);
/* The size of the file as it lies on disk, 0 = unknown. */
uint64_t input_packed_len(const struct input *in);

/* The first bytes, at most 64 KiB, without taking them; less only when the input is shorter. Valid until the first block, map or reach.
 * A damaged compressed input gives what could be unpacked. */
int input_peek(struct input *in, assay_slice *out, assay_error *err);
/* The same for all that is at hand without reading on, about 1 MiB: what a second look takes. */
int input_peek_far(struct input *in, assay_slice *out, assay_error *err);

/* The next bytes; empty at the end. Valid until the next call. With `whole_lines` the block ends after a '\n' (but at the end of the input); a
 * line that is longer than max_string and than a block is an error, LIMIT. *off is the offset of its first byte. Calls progress. Errors: SYSTEM, MEMORY, LIMIT, CANCELLED; and
 * DAMAGED or TRUNCATED for a compressed input, with err->offset in the COMPRESSED file, but only after everything that could be unpacked was given. */
int input_block(struct input *in, bool whole_lines, assay_slice *out, uint64_t *off, assay_error *err);

/* The same for records that do not end at line ends: the last `keep` bytes of the block given last come again, with more behind them. No more
 * came when *out has just these `keep` bytes. More than max_string of them are an error, LIMIT. */
int input_block_keep(struct input *in, size_t keep, assay_slice *out, uint64_t *off, assay_error *err);

/* All bytes at once, read or unpacked into memory. Valid until input_close. Not to be mixed with input_block. When a compressed input is
 * damaged, *out has what could be unpacked and the error is returned: a lenient reader may go on with it. */
int input_map(struct input *in, assay_slice *out, assay_error *err);

/* Nobody will look at this part of what input_map gave again, so that its memory may go back to the system; a few MB at a time are worth it. Returns how many
 * bytes at its beginning that was done for: what is forgotten next should begin behind them. */
size_t input_forget(struct input *in, assay_slice part);

/* For those who need a few places of a large file: like input_map, but a plain file stays where it is. out->data is NULL then, out->len is its
 * length, and input_at reads it. */
int input_reach(struct input *in, assay_slice *out, assay_error *err);
/* Bytes of a file that input_reach left where it is. What cannot be read is 0: whoever is done asks input_steady. Any number of threads. */
void input_at(struct input *in, uint64_t off, void *buf, size_t len);
/* Whether the file is still what was opened. Errors: SYSTEM when it is shorter, or when input_at could not read it. *has_changed: it is longer, or
 * its time of change is another. Inputs that are no files never change. */
int input_steady(struct input *in, bool *has_changed, assay_error *err);

/* For a damaged compressed input: how many unpacked bytes there were before the damage (valid after the error). */
uint64_t input_unpacked_len(const struct input *in);

/* A compressed stream inside an input: `first`, the rest of the block that `outer` gave last, begins it, and what `outer` has after that goes on
 * with it. *out gives it unpacked, offsets from 0, on a second thread where that pays. `outer` is not to be touched before *out is at its end,
 * has failed or is closed; closing early leaves `outer` good for nothing but closing. Errors: MEMORY, UNSUPPORTED. */
int input_open_inside(struct input **out, struct input *outer, assay_slice first, enum input_packing packing, assay_error *err);
/* What follows the end of a stream inside, in the block of `outer` where it ended; then `outer` gives blocks again. */
assay_slice input_behind(const struct input *inside);
/* How far the compressed bytes have been used; in the offsets of `outer` for a stream inside. */
uint64_t input_used(const struct input *in);

/* false = the input can be read once only: a pipe. */
bool input_can_rewind(const struct input *in);
/* Back to the first byte, for a reader that needs a second look. Streams inside must be closed. Errors: those of input_open. */
int input_rewind(struct input *in, assay_error *err);

/* "gzip", "zstd", ... */
const char *input_packing_name(enum input_packing packing);

#endif
