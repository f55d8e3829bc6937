/* What verbs share that write a file in some format. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "cli/cli.h"

/* FORMAT or FORMAT:VERSION, from --to or the extension of -o; NULL = it cannot be told, or the output cannot go where it is meant to: printed. */
const char *cli_find_target(const struct cli *c);
/* The name without the version (`len` bytes), and the version that will be written. */
void cli_split_target(const char *target, char *name, size_t len, const char **version);
/* A line for each on standard error. */
void cli_print_losses(const assay_losses *losses);

#endif
