/* A text read ahead of its reader: it is cut at the borders of records into pieces, of which several threads make what the reader wants, and the
 * reader gets the pieces in order. So the reader does the same, one thing after the other, whatever the number of threads.
 *
 * A piece of which nothing was made is read the usual way: pieces without a border, the first one (its headers must be known before), and those of
 * which the maker wants nothing, because they are not plain. Makers refuse whatever needs a finding or a second thought, so there is one place
 * for damage: the usual way.
 *
 * Memory of pieces is apart from that of the reader, and that of what is made should be: so whether a limit is kept does not depend on the number of
 * threads. */
#ifndef BASE_AHEAD_H
#define BASE_AHEAD_H

#include "base/input.h"

struct ahead;

enum { AHEAD_WORKERS = 16, AHEAD_SLOTS = 2 * AHEAD_WORKERS + 2, AHEAD_PIECE = 512 << 10 };

struct ahead_maker {
    void *arg;
    /* How many of these bytes, which may end anywhere, stand before the last border of records; 0 = there is none. By the reader's thread. */
    size_t (*cut)(void *arg, assay_slice text);
    /* Whether a piece may be made; keeps for `slot` what must be known of all before it. By the reader's thread, which may be pieces behind; NULL = always. */
    bool (*begin)(void *arg, unsigned slot);
    /* Makes something of a piece, below AHEAD_SLOTS of them at once, each in a slot of its own. By any thread. false = it is to be read the usual way. */
    bool (*make)(void *arg, unsigned slot, assay_slice text);
    bool takes_any_block; /* lines mean nothing to the reader: pieces need not end with one */
};

struct ahead_piece {
    assay_slice text; /* whole lines but at the end of the input, unless any block was wanted; empty = the end */
    uint64_t off;     /* of its first byte */
    int slot;         /* what was made is there until the next piece is asked for; -1 = nothing */
};

/* One worker is the calling thread. What is in *maker is borrowed until ahead_close, and so is `in`, of which nobody else takes blocks. Errors: MEMORY. */
int ahead_open(struct ahead **out, struct input *in, struct mem *mem, unsigned workers, const struct ahead_maker *maker, assay_error *err);
/* The next piece, valid until the next call; pieces before an error come first. Errors: those of input_block. */
int ahead_next(struct ahead *a, struct ahead_piece *out, assay_error *err);
/* What was made of the last piece cannot be used. Where that goes on, no more is made. */
void ahead_refuse(struct ahead *a);
/* Bytes of a piece: AHEAD_PIECE, or what ASSAY_PIECE says, so that tests make many pieces of small inputs. */
size_t ahead_piece_len(void);
/* Waits for the other threads. NULL is allowed. */
void ahead_close(struct ahead *a);

#endif
