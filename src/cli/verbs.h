/* The verbs, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/cli.h"

extern const struct verb info_verb;
extern const struct verb check_verb;
extern const struct verb dump_verb;
extern const struct verb top_verb;
extern const struct verb tree_verb;
extern const struct verb callers_verb;
extern const struct verb annotate_verb;
extern const struct verb flame_verb;
extern const struct verb timeline_verb;
extern const struct verb merge_verb;
extern const struct verb diff_verb;
extern const struct verb patch_verb;
extern const struct verb convert_verb;
extern const struct verb cov_verb;
extern const struct verb formats_verb;
extern const struct verb help_verb;
/* Not in the list: what runs for `assay FILE...`. */
extern const struct verb summary_verb;
/* Is the first argument, which names no verb, a file? */
bool summary_takes(const char *argument);
extern const struct family cov_family;

#endif
