/* Stacks that came before, by their text: most of a file is stacks that come again, and need not be taken apart. */
#ifndef FORMATS_SPEEDSCOPE_SEEN_H
#define FORMATS_SPEEDSCOPE_SEEN_H

#include "base/arena.h"
#include "base/index.h"
#include "base/slice.h"
#include "base/vec.h"

enum {
    SPEEDSCOPE_SEEN_LONGEST = 8192,  /* bytes of a stack that is remembered */
    SPEEDSCOPE_SEEN_MOST = 64 << 20, /* bytes of all stacks that get a number */
};

struct speedscope_seen {
    struct mem *mem;
    struct arena text;
    VEC(assay_slice) stacks; /* by number - 1; empty = it is not remembered */
    struct index index;
    size_t bytes;
};

void speedscope_seen_init(struct speedscope_seen *s, struct mem *mem);
void speedscope_seen_done(struct speedscope_seen *s);
/* Asks for what the search for these texts will need, a step for each place that is told by the one before; hash[i] is for the functions below. */
void speedscope_seen_fetch(const struct speedscope_seen *s, const assay_slice *texts, unsigned count, uint64_t *hash);
/* The number of a stack with this text, from 1; 0 = it is new. */
uint32_t speedscope_seen_find(const struct speedscope_seen *s, assay_slice text, uint64_t hash);
/* Gives the next number to a stack of `count` frames; an empty text is not remembered. *number 0 = there are so many that stacks have no numbers any more.
 * false = no memory. */
bool speedscope_seen_add(struct speedscope_seen *s, assay_slice text, uint64_t hash, size_t count, uint32_t *number);

#endif
