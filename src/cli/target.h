/* What verbs share that write a file in some format. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "cli/cli.h"

/* FORMAT or FORMAT:VERSION, from --to or the extension of -o; NULL = it cannot be told, or the output cannot go where it is meant to: printed. */
const char *cli_find_target(const struct cli *c);
/* The name without the version, in `len` bytes. */
void cli_target_name(const char *target, char *name, size_t len);
/* A line for each on standard error; of findings, for warnings and errors. */
void cli_print_losses(const assay_losses *losses);
void cli_print_findings(const assay_finding *f, size_t count);
/* JSON to standard output; the result itself went to -o FILE. */
void cli_print_written(struct cli *c, const struct assay_written *what);

#endif
