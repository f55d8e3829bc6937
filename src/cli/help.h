/* Help for people, out of the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/cli.h"

/* The verbs and how to learn more. */
void help_show_all(struct output *out);
/* Usage, text, options, examples of a verb. */
void help_show_verb(struct output *out, const struct verb *verb);
/* The same to standard output, through the pager on a terminal; returns an enum cli_exit. */
int help_run_verb(struct cli *c, const struct verb *verb);

/* What stands before the help of an option: "-o, --output FILE". */
void help_option_head(const struct option_spec *o, char *buf, size_t len);

#endif
