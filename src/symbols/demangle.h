/* C++ names for people. */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include "base/arena.h"

/* The name in full, parameters included, in the arena; {NULL, 0} when it is no mangled C++ name, when it is longer than 4000 bytes or would be about
 * 256 KiB of text, or when this build cannot (feature demangle). *failed is set for lack of memory. */
assay_slice demangle(struct arena *text, const char *name, bool *failed);
/* The same without parameters and return type, as perf shows names. */
assay_slice demangle_short(struct arena *text, const char *name, bool *failed);

#endif
