/* How the command runs the verbs of the library. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/cli.h"

/* The options of such a verb that the command looks at, too: output, colour, progress. */
extern const struct option_spec report_own_options[];
/* Notes an option in c->options; `arg` is a struct cli. false = no memory. */
bool report_take(void *arg, const char *key, const char *value);
/* Runs c->verb, which is the library's, with c->options and the files of the settings. */
int report_run(struct cli *c);

#endif
