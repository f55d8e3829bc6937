/* The folders whose files may be read, and paths in them: what a client writes is taken for what it really is, links followed, and refused outside. */
#ifndef MCP_FOLDERS_H
#define MCP_FOLDERS_H

#include <limits.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct folders {
    struct mem *mem;
    struct arena text;
    VEC(const char *) at; /* where they really are */
};

/* Errors: USAGE (none, or not a folder), SYSTEM, MEMORY; folders_done is due in either case. */
int folders_init(struct folders *f, const char *const *paths, size_t count, struct mem *mem, assay_error *err);
void folders_done(struct folders *f);
/* Whether a path without links lies in one of them, or is one. */
bool folders_has(const struct folders *f, const char *real);
/* The file that `path` is, from one of the folders where it is relative. What is not there and what lies outside is one error, so that nobody learns what
 * there is outside. Errors: USAGE. */
int folders_find(const struct folders *f, const char *path, char real[PATH_MAX], assay_error *err);
/* An input that is a folder: nothing in it is a link that leads outside. Errors: USAGE, LIMIT (too much in it), MEMORY, CANCELLED. */
int folders_check_tree(const struct folders *f, const char *real, struct mem *mem, assay_error *err);

#endif
