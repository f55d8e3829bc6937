/* Bytes that are appended, then taken back from the end. A few megabytes are kept in memory; more go to a temporary file without a name, which is gone when the
 * process is. Where there can be none, all of them stay in memory. */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include "base/vec.h"

struct spill {
    struct mem *mem;
    VEC(uint8_t) tail;
    uint64_t filed; /* bytes in the file, before those of the tail */
    int file;       /* -1 = none */
    bool has_tried; /* to make it */
    bool is_full;   /* it takes no more */
    bool is_broken; /* what was in it could not be read back */
};

void spill_init(struct spill *s, struct mem *mem);
void spill_done(struct spill *s);

/* Room for `more` bytes, which the caller then puts at tail.at + tail.len; false = no memory. */
bool spill_room(struct spill *s, size_t more);
static inline uint64_t spill_len(const struct spill *s) { return s->filed + s->tail.len; }

/* Fills an empty tail with what was appended before it; false = there is nothing, or it cannot be read (is_broken). */
bool spill_refill(struct spill *s);
/* Takes the last byte back; 0 where there is none. */
static inline uint8_t spill_take(struct spill *s) { return s->tail.len || spill_refill(s) ? s->tail.at[--s->tail.len] : 0; }

#endif
