/* Recursion counts once: which instances of a function (a file, a module) have no other one above them. */
#ifndef ANALYSIS_CORE_OUTERMOST_H
#define ANALYSIS_CORE_OUTERMOST_H

#include "analysis/core/frames.h"

/* Sets `bit` in marks[node] of each function node whose function has a key, and no function node of the same key above it. `key_of` is by function id;
 * key 0 = none; NULL = each function is its own. There are `key_count` keys, 0 included. Errors: MEMORY. Cost: a walk over the tree. */
int outermost_mark(const struct frames *f, const uint32_t *key_of, size_t key_count, uint8_t *marks, uint8_t bit, assay_error *err);

#endif
