/* The functions table by address: a profile in which each address is a function, so that all that can be said of functions can be said of them. */
#ifndef ANALYSIS_CORE_TOP_ADDRESSES_H
#define ANALYSIS_CORE_TOP_ADDRESSES_H

#include "assay/model.h"

/* *out is to be released. A function called "0x401136 main" for each address that cost something, with the module, file and line that the profile says it is
 * of, and "<unknown address> main" for what has none. Only self costs: what was called from an address is not known for sure. Errors: UNSUPPORTED (no cost by
 * address), MEMORY. */
int top_addresses_profile(const assay_profile *p, uint64_t max_memory, assay_profile **out, assay_error *err);

#endif
