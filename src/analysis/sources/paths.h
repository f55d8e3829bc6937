/* Where the source of a file may be: maps, roots, the folders that the input names, Go modules. docs/coverage.md, "Paths", is the long form.
 * Whether a candidate exists is only looked at when the caller asks for it. */
#ifndef ANALYSIS_SOURCES_PATHS_H
#define ANALYSIS_SOURCES_PATHS_H

#include "assay/analysis.h"
#include "base/arena.h"
#include "base/vec.h"

struct source_root {
    const char *path;   /* in its one spelling; "" = the current folder */
    const char *real;   /* where it is, links followed; "" = nowhere */
    const char *name;   /* of the folder itself; "" = not known */
    const char *module; /* of its go.mod, or NULL */
};

struct source_paths {
    struct mem *mem;
    const struct assay_filter *filter;
    struct arena text;
    VEC(struct source_root) roots;
    VEC(const char *) sources; /* folders that the input names */
    VEC(const char *) tried;   /* candidates of the last question, the best first */
    bool by_name;              /* last of all the name alone right in a root: for showing, where a wrong text is seen at once */
};

/* `filter` and the strings of `p` (may be NULL) are borrowed until source_paths_done, which is to be called also after a failure. With source roots
 * go.mod is looked for in each. Errors: MEMORY. */
int source_paths_init(struct source_paths *s, const assay_profile *p, const struct assay_filter *filter, struct mem *mem, assay_error *err);
/* The folders that one more input names. Errors: MEMORY. */
int source_paths_add(struct source_paths *s, const assay_profile *p, assay_error *err);
void source_paths_done(struct source_paths *s);

/* The path without looking: mapped, or in its one spelling. NULL = no memory. Borrowed until source_paths_done. */
const char *source_paths_plain(struct source_paths *s, assay_slice path);
/* The file that exists: the first of the candidates, but for those whose name lies below a root and that a link takes elsewhere; which s->tried then lists; NULL = none, or no memory (*err is set). */
const char *source_paths_find(struct source_paths *s, assay_slice path, assay_error *err);
/* Whether there is a file of this path. */
bool source_paths_exists(const char *path);
/* Whether the file is really below a root, or a folder that a map names, wherever links lead; true without roots, or when the filter follows
 * links. Only such files may be shown: the paths of an input must not pull in whatever the machine has. */
bool source_paths_may_show(const struct source_paths *s, const char *path);
/* A path that source_paths_find gave lies in one of the roots, by its name. */
bool source_paths_is_inside(const struct source_paths *s, const char *path);

#endif
