/* Calling contexts for the verbs that show them: those of the input, or, unless the settings forbid it, estimated from its call graph. */
#ifndef CLI_CONTEXTS_H
#define CLI_CONTEXTS_H

#include "cli/cli.h"

/* What to read for it: enum assay_want. */
uint32_t cli_want_tree(const struct cli *c);
/* Takes *p, read with that, and leaves a profile with a tree there: the same, or one made of its graph, as *is_estimated says.
 * Errors: UNSUPPORTED (there are no contexts; the sentence says what can be done), USAGE (there is no metric that --metric names), MEMORY. *p stays
 * the caller's in every case. */
int cli_make_tree(struct cli *c, assay_profile **p, bool *is_estimated, assay_error *err);
/* Both, of one file. *out may be set, and is then to be released, on an error too. */
int cli_read_tree(struct cli *c, const char *path, assay_profile **out, bool *is_estimated, assay_error *err);

#endif
