/* What a sentence has behind a noun of which there are n: "%u file%s", and "%u file%s left out". */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

#include <stdint.h>

static inline const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }
static inline const char *plural_is(uint64_t n) { return n == 1 ? " is" : "s are"; }

#endif
