/* Where files are looked for: maps, the measurement directory, further folders, debug files. Of programs only the first bytes are looked at. Internal to src/symbols. */
#ifndef SYMBOLS_FIND_H
#define SYMBOLS_FIND_H

#include "base/arena.h"
#include "base/path.h"
#include "base/vec.h"
#include "symbols/symbols.h"

/* Candidates in the order they are to be tried. */
struct find_list {
    struct mem *mem;
    struct arena text;
    VEC(const char *) paths;
    bool failed;
};
void find_init(struct find_list *l, struct mem *mem);
void find_done(struct find_list *l);
/* Adds the joined parts; NULL parts are empty. Paths that are already there are left out. */
void find_add(struct find_list *l, const char *a, const char *b, const char *c, const char *d);

/* Where the module may be. */
void find_module(struct find_list *l, const struct symbols_options *o, const char *path, const char *build_id);
/* Where its debug file may be: by build id; */
void find_debug_by_id(struct find_list *l, const struct symbols_options *o, const char *build_id);
/* and by the name in .gnu_debuglink, for a program found at `path`. */
void find_debug_by_link(struct find_list *l, const struct symbols_options *o, const char *path, const char *link);

/* Where the measurement directory lay when it was made, as its file `original-path` says; NULL = it does not. */
const char *find_original(struct arena *text, const char *dir, bool *failed);

/* The one path that stands for the module on this machine: mapped, or in the measurement directory, or as it is. false = no memory. */
bool find_resolve(struct arena *text, const struct symbols_options *o, const char *path, const char **out);

/* Structure files: those of dir/structs and of the further places, by name. */
void find_structures(struct find_list *l, const struct symbols_options *o);

#endif
