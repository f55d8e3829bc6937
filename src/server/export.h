/* The page as one file, with the answers to its questions inside. */
#ifndef SERVER_EXPORT_H
#define SERVER_EXPORT_H

#include "server/server.h"

/* Writes the page to `path` ("-" is standard output). Errors: those of reading
 * the inputs, WRITE, MEMORY. */
int export_page(struct server *s, const char *path, assay_error *err);

#endif
