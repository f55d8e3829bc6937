/* How the command runs the verbs of the library. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/cli.h"

/* The options of such a verb that the command looks at, too: output, colour, progress. */
extern const struct option_spec report_own_options[];
/* Notes an option in c->options; `arg` is a struct cli. false = no memory. */
bool report_take(void *arg, const char *key, const char *value);
/* Whether it was given. */
bool report_has(const struct cli *c, const char *key);
/* Runs c->verb, which is the library's, with c->options and the files of the settings. Returns an exit code. */
int report_run(struct cli *c);

struct report_input {
    const char *name;
    assay_profile *profile;
};
/* The same with profiles that the command has, and with a change (NULL = none; the option CHANGE is its name). */
int report_run_profiles(struct cli *c, const struct report_input *inputs, size_t count, const assay_changes *changes);

#endif
