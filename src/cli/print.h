/* What the command's own verbs print: convert and merge say what they did, the store what it holds. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "cli/cli.h"
#include "report/report.h"

/* Warnings and errors that were found, a line for each on standard error. */
void cli_print_findings(const assay_finding *f, size_t count);
/* A report to `out` in the style that the settings ask for; end it with cli_end_report, which also closes `out`. */
void cli_report(struct cli *c, struct output *out, struct report *r);
int cli_end_report(struct cli *c, struct report *r);

#endif
