/* Names of C++ functions for people: blanks in order, and types of the standard library as people write them. Rules are pairs of a pattern and what
 * replaces it, where $1, $2, ... stand for whole arguments of a template. */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H

#include "store/config.h"

struct names_rule {
    const char *pattern, *replacement;
};
struct names {
    struct mem *mem;
    struct arena text;
    VEC(struct names_rule) rules; /* in the order they are tried */
};

/* The built-in rules, those of the files and folders that filter.path names, and of .c++filt in the work tree (may be NULL). Files that cannot be
 * read have none. names_done is due in any case. Errors: MEMORY. */
int names_load(struct names *n, const struct config *c, const char *worktree, struct mem *mem, assay_error *err);
void names_done(struct names *n);
/* Rules of a JSON text. Errors: MEMORY. */
int names_parse(struct names *n, assay_slice json, assay_error *err);

/* A source_name_fn with a struct names as its argument. Terminated, from the arena; NULL = no memory. */
const char *names_show(void *names, assay_slice name, struct arena *a);

#endif
