/* The verbs, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/cli.h"

extern const struct verb info_verb, check_verb, dump_verb, top_verb, flame_verb, convert_verb, formats_verb, help_verb;

#endif
