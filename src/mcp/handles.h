/* Handles: short names of files (f12) that processes of one user share. They are kept in $XDG_RUNTIME_DIR/assay/handles, or without that variable in
 * $XDG_CACHE_HOME/assay or ~/.cache/assay: a line "NUMBER PATH" for each, the newest last. The folder has to be the user's own and closed to all others, no
 * link is followed in it, and the file is replaced as a whole, under a lock. Numbers are never given twice; the oldest go first.
 *
 * Where there is no such folder, handles are known to their own process only. */
#ifndef MCP_HANDLES_H
#define MCP_HANDLES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"

enum { HANDLES_MOST = 1000, HANDLE_LEN = 16 };

struct handle {
    uint32_t number;
    const char *path;
};

struct handles {
    struct mem *mem;
    struct arena text;
    VEC(struct handle) at; /* of this process */
    bool is_private;       /* nothing is written */
};

void handles_init(struct handles *h, struct mem *mem, bool is_private);
void handles_done(struct handles *h);
/* Gives the files handles, those that they have already where they have some: numbers[i] is that of paths[i], 0 = it cannot have one. Errors: MEMORY. */
int handles_put(struct handles *h, const char *const *paths, size_t count, uint32_t *numbers, assay_error *err);
/* The path of a handle, of this process or of another one of the user; false = there is none. */
bool handles_find(const struct handles *h, const char *text, char *path, size_t size);
/* The number in "f12"; 0 = it is no handle. */
uint32_t handle_number(const char *text);

#endif
