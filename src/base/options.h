/* Option structures of public functions. Each begins with `size_t size`, which the caller sets to the size of the structure that it was compiled with, so
 * that members can be added at the end without breaking programs that know nothing of them. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stddef.h>

#include "assay/error.h"

/* Copies what the caller gave (may be NULL) into `own`, of own_size bytes, whose first member is its size; what the caller's structure does not have yet is 0.
 * Errors: USAGE (the size is not set although members are, or members are set that this version does not know). */
int options_take(void *own, size_t own_size, const void *given, assay_error *err);

#endif
