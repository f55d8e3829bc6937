/* What is in a folder: names, sizes and kinds, sorted by name, so that the same folder gives the same answers everywhere. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct folder_entry {
    const char *name;
    uint64_t size; /* of a regular file, links followed */
    bool is_file, is_dir;
};
struct folder {
    struct mem *mem;
    struct arena text;
    VEC(struct folder_entry) entries;
};

/* Lists the entries of `path` but "." and ".."; those that cannot be looked at are neither file nor folder. Borrowed until folder_done, which
 * must be called also after an error. Errors: SYSTEM, MEMORY. */
int folder_open(struct folder *f, const char *path, struct mem *mem, assay_error *err);
void folder_done(struct folder *f);

/* "path/name", from the arena; NULL = no memory. */
char *folder_join(struct arena *a, const char *path, const char *name);

#endif
