/* Large blocks, straight from the system: whole large pages, which they keep when they grow, and are moved by, not copied. Most of what large blocks cost
 * otherwise are their page faults. Up to 2 MB behind a block may be in use with it. */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stdbool.h>
#include <stddef.h>

enum { LARGE_LEAST = 2 << 20 };

/* Whether blocks of this length are large here; all functions below are for those. */
bool large_is(size_t len);
/* Zeroed; NULL = the system has none. */
void *large_new(size_t len);
/* As realloc: what is new is 0; NULL = the old block stays. */
void *large_resize(void *p, size_t old_len, size_t len);
void large_free(void *p, size_t len);
/* The memory of whole large pages between two places of a block goes back to the system; then they are 0. Returns where the last of them ends. */
size_t large_drop(void *p, size_t from, size_t to);

#endif
