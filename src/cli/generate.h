/* Text for other programs out of the tables: man pages, shell completion, and a JSON description. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "cli/cli.h"

/* man(7) source of assay(1), or of assay-VERB(1). The date is SOURCE_DATE_EPOCH, or today. */
void generate_man(struct output *out, const struct verb *verb);

enum generate_shell { GENERATE_BASH, GENERATE_ZSH, GENERATE_FISH };
void generate_completion(struct output *out, enum generate_shell shell);

void generate_json(struct output *out);

#endif
