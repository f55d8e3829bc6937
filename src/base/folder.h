/* Folders as inputs: what is in one, and single files of it by their names. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

enum { FOLDER_PATH_MAX = 4096 };

/* ---- listing ---- */

struct folder_entry {
    const char *name;
    uint64_t size; /* of a regular file, links followed */
    bool is_file, is_dir;
};
struct folder {
    struct mem *mem;
    struct arena text;
    VEC(struct folder_entry) entries; /* by name, so that the same folder gives the same answers everywhere */
};

/* Lists the entries of `path` but "." and ".."; those that cannot be looked at are neither file nor folder. Borrowed until folder_done, which
 * must be called also after an error. Errors: SYSTEM, MEMORY. */
int folder_open(struct folder *f, const char *path, struct mem *mem, assay_error *err);
void folder_done(struct folder *f);

/* ---- single files ---- */

/* DIR/NAME, terminated, from the arena; NULL = no memory. */
char *folder_join(struct arena *a, const char *dir, const char *name);
/* The same into a buffer of FOLDER_PATH_MAX bytes; false = it does not fit. */
bool folder_path(char *buf, const char *dir, const char *name);
/* The first bytes of the regular file DIR/NAME: how many were read, at most `len`; -1 = there is none, or it cannot be read. Never allocates. */
long folder_peek(const char *dir, const char *name, void *buf, size_t len);

#endif
