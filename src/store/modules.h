/* Modules: names for groups of files, as .covmodules of a work tree or of a commit lists them. */
#ifndef STORE_MODULES_H
#define STORE_MODULES_H

#include "store/config.h"
#include "store/git.h"

struct module_path {
    const char *module, *path;
};
struct modules {
    struct config config;          /* owns the texts */
    const char *separator;         /* "/" unless the file says otherwise; what `module --show-sep` prints is `stated` */
    const char *stated;            /* NULL = it says nothing */
    VEC(struct module_path) paths; /* in the order of the file */
    VEC(const char *) names;       /* each once, in the order of the file */
};

void modules_init(struct modules *m, struct mem *mem);
void modules_done(struct modules *m);
/* What cannot be understood has no modules. Errors: MEMORY. */
int modules_parse(struct modules *m, assay_slice text, assay_error *err);
/* Of the file `path`; one that is not there, or no regular file, has none. */
int modules_load(struct modules *m, const char *path, assay_error *err);
/* Of a commit. */
int modules_load_commit(struct modules *m, struct git *g, const assay_store_id *commit, assay_error *err);

/* The module a file belongs to: the longest path that it is, or is below of; NULL = none. */
const char *modules_find(const struct modules *m, assay_slice file);

/* ---- changing the file ---- */

/* Errors: USAGE (it is there already; there is no such module or path), WRITE. */
int modules_edit_add(const char *file, const struct modules *now, const char *module, const char *path, assay_error *err);
int modules_edit_remove(const char *file, const struct modules *now, const char *module, const char *path, struct mem *mem, assay_error *err);
/* All paths when `path` is NULL above. */
int modules_edit_separator(const char *file, const char *separator, assay_error *err);

#endif
