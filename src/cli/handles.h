/* Handles in place of files: f12, as `assay mcp` gives them. */
#ifndef CLI_HANDLES_H
#define CLI_HANDLES_H

#include "cli/cli.h"

/* What a handle of this user stands for, where `text` is one and no file has that name; else `text` itself. NULL = no memory. Borrowed from the settings. */
const char *file_of_handle(struct cli *c, const char *text);
/* The same for all arguments of the verb that are files. false = no memory. */
bool files_of_handles(struct cli *c);

#endif
