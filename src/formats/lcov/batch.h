/* Records of a tracefile that threads decode ahead of the reader (base/ahead.h): pieces that begin behind end_of_record and end with it, and have
 * nothing to say about. */
#ifndef LCOV_BATCH_H
#define LCOV_BATCH_H

#include "base/ahead.h"
#include "formats/format.h"
#include "formats/lcov/decode.h"

/* A record, or a run of plain lines: `count` of them from `at` on in the columns of lines, or of branches. */
struct lcov_item {
    struct lcov_record record; /* kind LCOV_OTHER = a run */
    size_t at;
    uint32_t count;
    bool is_branches;
};

struct lcov_batch {
    VEC(struct lcov_item) items;
    VEC(uint32_t) lines;
    VEC(uint64_t) hits;
    /* of branches; lines and hits are in the columns above */
    VEC(uint16_t) blocks;
    VEC(uint16_t) names;
    VEC(uint8_t) flags;
    uint64_t line_count; /* lines of the text */
    bool has_2x;
};

struct lcov_batches {
    struct mem mem;
    struct ahead *ahead; /* NULL = records are decoded when they are read */
    struct lcov_batch slots[AHEAD_SLOTS];
};

/* Sets `b` up when there are several workers. Errors: MEMORY. */
int lcov_batches_open(struct lcov_batches *b, const struct read_job *job, assay_error *err);
void lcov_batches_close(struct lcov_batches *b);
/* Where a run stands. */
struct lcov_run lcov_batch_run(const struct lcov_batch *b, const struct lcov_item *item);

#endif
