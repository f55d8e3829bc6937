/* What changed from one list of files to another, as rows for a table: modules, folders and files of one level, each with its figures on both
 * sides. */
#ifndef STORE_CHANGES_H
#define STORE_CHANGES_H

#include "store/git_history.h"
#include "store/modules.h"
#include "store/rating.h"

enum change_kind { CHANGE_MODULE, CHANGE_FOLDER, CHANGE_FILE, CHANGE_TOTAL };
struct change_row {
    enum change_kind kind;
    assay_slice prefix; /* folders before the name that hold nothing else, with a slash at the end */
    assay_slice name;
    assay_store_stats now, before;
};

/* A new path and what it was before. */
struct change_rename {
    const char *from, *to;
};

struct changes {
    struct mem *mem;
    struct arena text;
    VEC(struct change_rename) renames; /* to be filled before changes_compare, by new path */
    VEC(struct change_row) rows;       /* modules, folders, files; each by name */
    struct change_row total;
    size_t matched; /* files that the path and the module let through */
};

void changes_init(struct changes *c, struct mem *mem);
void changes_done(struct changes *c);
/* Renames and copies between two commits, as git sees them. What git cannot answer is left out. Errors: MEMORY. */
int changes_find_renames(struct changes *c, struct git *g, const assay_store_id *before, const assay_store_id *after, assay_error *err);

struct changes_view {
    const struct cov_files *now, *before; /* before NULL = nothing changed */
    const struct modules *modules;        /* NULL = none */
    assay_slice module;                   /* only this one, and its parts; "" = all */
    assay_slice path;                     /* only what is in this folder, or this file; "" = all */
};
/* Slices of the rows are of the lists' paths, the modules' names, or of `c`. Errors: MEMORY. */
int changes_compare(struct changes *c, const struct changes_view *view, assay_error *err);

assay_store_stats changes_stats(const struct cov_file *f);
/* The file with this path, or NULL. Lists are by path, but a hostile one need not be. */
const struct cov_file *changes_find(const struct cov_files *list, assay_slice path);

#endif
