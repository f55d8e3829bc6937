/* Between the files that check a webgrind file. */
#ifndef FORMATS_WEBGRIND_CHECK_H
#define FORMATS_WEBGRIND_CHECK_H

#include "formats/webgrind/format.h"

/* Versions 6 and 7: compares the two sides of every call (WG17, WG26). `unequal` = the sums of both sides differ. Errors: MEMORY. */
int webgrind_check_sides(assay_slice bytes, bool unequal, struct mem *mem, struct findings *out, assay_error *err);

#endif
