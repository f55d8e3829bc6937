/* What the processes of assay-mpi (base/team.h) share of a list of files. */
#ifndef CLI_TOGETHER_H
#define CLI_TOGETHER_H

#include "base/team.h"
#include "cli/cli.h"

/* The files of this process: numbers *begin .. *end - 1 of the settings, about as many bytes as each other has. In a team all processes call it; without one
 * (NULL) all files are those. */
void cli_share_files(struct cli *c, const struct team *team, size_t *begin, size_t *end);

#endif
