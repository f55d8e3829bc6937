/* Regular expressions on names, through PCRE2. A pattern matches when it is found anywhere in a name; names need not be UTF-8. What a pattern may
 * cost on one name is limited, so that no name makes a run endless: where the limit is met the name does not fit, and pattern_gave_up tells. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include "assay/model.h"
#include "base/mem.h"

struct pattern;

/* Errors: MEMORY, USAGE (what is wrong with the expression, and where in it). */
int pattern_new(struct pattern **out, const char *text, struct mem *mem, assay_error *err);
void pattern_free(struct pattern *p);

bool pattern_matches(struct pattern *p, assay_slice name);
/* Whether a name was too costly so far. */
bool pattern_gave_up(const struct pattern *p);
/* Whether there was no memory to match a name: then nobody knows whether it matches. */
bool pattern_lacked_memory(const struct pattern *p);

#endif
