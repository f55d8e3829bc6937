/* Option structures of public functions. Each begins with `size_t size`, which the caller sets to the size of the structure that it was compiled with, so
 * that members can be added at the end: what the program does not know is 0, which means the default; what the library does not know must be 0. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

/* Copies what the caller gave (may be NULL) into `own`, of own_size bytes, and clears the rest. A size of 0 stands for the members that there were before
 * the structure grew, its first `first` bytes. Errors: USAGE (a size that cannot be one, or members that are set and not known here). */
int options_take_since(void *own, size_t own_size, const void *given, size_t first, assay_error *err);

/* For a structure that has not grown yet. */
static inline int options_take(void *own, size_t own_size, const void *given, assay_error *err)
{
    return options_take_since(own, own_size, given, own_size, err);
}

/* For a structure whose first version ended with the member `last`. */
#define OPTIONS_TAKE(type, last, own, given, err)                                                                                                              \
    options_take_since((own), sizeof(type), (1 ? (given) : (const type *)NULL), offsetof(type, last) + sizeof(((type *)NULL)->last), (err))

#endif
