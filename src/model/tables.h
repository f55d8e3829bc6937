/* Tables of a builder that readers of large files fill past assay/build.h, because they know already what it would look up. */
#ifndef MODEL_TABLES_H
#define MODEL_TABLES_H

#include "assay/build.h"
#include "base/intern.h"

/* The strings of the profile: a reader may keep its names there, as long as the builder is there. */
struct intern *strings_of_builder(assay_builder *b);
/* One of them is used; as assay_build_string, it may be refused for its length. 0 = none, or an error */
assay_str_id strings_take(assay_builder *b, uint32_t id);

/* Whether no call has made a pair so far (ASSAY_WANT_PAIRS). */
bool pairs_are_none(const assay_builder *b);
/* Functions that `caller` calls, by their ids; they exist. is_alone: there are no pairs but those from here, each once. */
void pairs_put(assay_builder *b, assay_func_id caller, const uint32_t *callees, uint32_t count, bool is_alone);

#endif
