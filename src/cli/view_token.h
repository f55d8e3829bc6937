/* The token of a port, kept while the user is logged in: a page that is open goes on when `assay view --port N` is started again. */
#ifndef CLI_VIEW_TOKEN_H
#define CLI_VIEW_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

enum { VIEW_TOKEN = 33 };

/* Takes it from a file in $XDG_RUNTIME_DIR that nobody else can read, or makes both. false = there is no such folder, or what stands there is not ours: the
 * server makes a token of its own. */
bool view_token(uint16_t port, char token[VIEW_TOKEN]);

#endif
