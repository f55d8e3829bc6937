/* Finding the store of a folder, and making a new one. Paths that come back are absolute. */
#ifndef STORE_DISCOVER_H
#define STORE_DISCOVER_H

#include "store/git_history.h"

/* The store that belongs to the folder `from`: the folder itself, its .covdata, that of its git repository, or of a folder around it on the same
 * file system. Errors: UNKNOWN (there is none; *is_worktree then says that `from` is a git worktree whose repository has one), UNSUPPORTED. */
int discover_store(const char *from, char path[GIT_PATH_LEN], bool *is_worktree, assay_error *err);

/* The git directory that a store names, in its `gitdir` or else in the config of its common folder: absolute, "" = none. */
void discover_git(const char *store, const char *common, const char *config_gitdir, char path[GIT_PATH_LEN]);

struct discover_new {
    const char *git_dir;   /* NULL = the one that `directory` is in */
    const char *directory; /* NULL = here */
    const char *branch;    /* makes the part of a store that belongs to a git worktree, with this branch; NULL = a whole store */
    bool force;            /* removes what is there */
};
enum discover_outcome { DISCOVER_MADE, DISCOVER_REMADE, DISCOVER_EXISTS, DISCOVER_NO_WORKTREE, DISCOVER_NO_BRANCH };
struct discover_made {
    enum discover_outcome outcome;
    char store[GIT_PATH_LEN]; /* that was made; that exists; of the worktree where no branch matches */
    char git[GIT_PATH_LEN];
};
/* EXISTS and NO_WORKTREE are no errors; with NO_BRANCH `err` says why. Errors: UNKNOWN (no git repository), WRITE, ... */
int discover_create(const struct discover_new *what, struct discover_made *out, struct mem *mem, assay_error *err);

/* "../../b" from folder /a/x/y to /a/b; both absolute. false = too long. */
bool discover_relative(const char *from, const char *to, char buf[GIT_PATH_LEN]);

#endif
