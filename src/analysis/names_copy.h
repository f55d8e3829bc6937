/* The names of one profile into the builder of another. Whole tables are copied in their order, so ids stay what they were. */
#ifndef ANALYSIS_NAMES_COPY_H
#define ANALYSIS_NAMES_COPY_H

#include "assay/build.h"

/* A string of `from` in `to`; 0 stays 0. */
assay_str_id names_copy_string(const assay_profile *from, assay_builder *to, uint32_t id);
/* Modules, files and functions, before `to` has any. Errors are sticky in the builder. */
void names_copy(const assay_profile *from, assay_builder *to);

#endif
