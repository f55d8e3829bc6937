/* Several inputs as one profile, for verbs that take them together. */
#ifndef CLI_MERGED_H
#define CLI_MERGED_H

#include "cli/cli.h"

/* Reads all files of the settings (`want`: enum assay_want) and merges them; `options` may be NULL. NULL = it failed, printed. The caller
 * releases it. In a team (base/team.h) each process reads its share of the files; the first one gets the result, the others NULL. */
assay_profile *cli_read_merged(struct cli *c, uint32_t want, const struct assay_merge_options *options);

#endif
