/* What git knows beyond single commits: where a repository is, what a revision means, and what changed between two commits. */
#ifndef STORE_GIT_HISTORY_H
#define STORE_GIT_HISTORY_H

#include "base/output.h"
#include "store/git.h"

enum { GIT_PATH_LEN = 4096 };

/* Where a repository lies: absolute paths without a slash at the end. */
struct git_place {
    char dir[GIT_PATH_LEN];    /* of the worktree where there are several */
    char common[GIT_PATH_LEN]; /* what its worktrees share */
    char tree[GIT_PATH_LEN];   /* "" = bare */
    bool is_worktree;          /* an additional one */
};
/* The repository of the folder `from` (`search`: or of one of the folders around it). Errors: UNKNOWN (there is none), UNSUPPORTED, SYSTEM. */
int git_locate(const char *from, bool search, struct git_place *out, assay_error *err);

/* The commit of HEAD. Errors: UNKNOWN (there is none yet). */
int git_head(struct git *g, assay_store_id *out, assay_error *err);
/* What git's own revision syntax names. Errors: UNKNOWN (nothing), USAGE (a range, or no commit). */
int git_revision(struct git *g, const char *text, assay_store_id *out, assay_error *err);

/* Calls `each` for every file that was renamed or copied between two commits. A result other than 0 ends the walk and is returned. */
typedef int (*git_rename_fn)(void *arg, const char *from, const char *to);
int git_renames(struct git *g, const assay_store_id *before, const assay_store_id *after, git_rename_fn each, void *arg, assay_error *err);

/* Calls `each` for every file of the tree of a commit, in git's order. A result other than 0 ends the walk and is returned. */
typedef int (*git_file_fn)(void *arg, const char *folder, const char *name); /* the folder is "" or ends with a slash */
int git_files(struct git *g, const assay_store_id *tree, git_file_fn each, void *arg, assay_error *err);

/* The unified diff between the trees of two commits, without context, as text; paths are not quoted. Appended to `out`. */
int git_patch_text(struct git *g, const assay_store_id *before, const assay_store_id *after, struct output *out, assay_error *err);

#endif
