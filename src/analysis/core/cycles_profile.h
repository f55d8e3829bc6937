/* A call graph in which each cycle is one function, so that whatever is made of it (contexts, rows, pictures) has cycles as one node. */
#ifndef ANALYSIS_CORE_CYCLES_PROFILE_H
#define ANALYSIS_CORE_CYCLES_PROFILE_H

#include "assay/model.h"

/* *out is to be released: `p` itself where recursion counts once already or there are no cycles; else its graph with functions "<cycle N>", numbered as
 * by cycles_init. They have the self cost of their members, the calls that enter and those that leave; calls inside are gone, so that their total is what
 * `top --cycles` says. Functions keep their ids; streams are added up. Errors: MEMORY. */
int cycles_profile(assay_profile *p, uint64_t max_memory, assay_profile **out, assay_error *err);

#endif
