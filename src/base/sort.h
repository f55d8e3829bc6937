/* Sorting that can be cancelled: qsort and qsort_r for any number of elements. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts as qsort does, and keeps equal elements in their order where there is memory for it. false = cancelled: the elements are all there, in any order. */
bool sort_by(void *at, size_t count, size_t size, int (*compare)(const void *, const void *));
/* The same as qsort_r: `arg` is passed on to `compare`. */
bool sort_with(void *at, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *arg);
/* Only the `first` that sort_with would put first, in that order, provided that no two are equal; the others come after them in any order. `size` is at most 64. */
bool sort_first(void *at, size_t count, size_t size, size_t first, int (*compare)(const void *, const void *, void *), void *arg);

#endif
