/* The verbs that the command itself has, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/cli.h"

extern const struct verb dump_verb;
extern const struct verb merge_verb;
extern const struct verb convert_verb;
extern const struct verb view_verb;
extern const struct verb mcp_verb;
extern const struct verb query_verb;
extern const struct verb cov_verb;
extern const struct verb help_verb;
extern const struct family cov_family;

#endif
