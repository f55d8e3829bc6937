/* The git side of a store: commits and the blobs of their trees. Only what is local is looked at. In a build without libgit2, git_open answers
 * UNSUPPORTED.
 *
 * Differences between commits, renames and discovery belong to files of their own, which may use git_raw. */
#ifndef STORE_GIT_H
#define STORE_GIT_H

#include "formats/cov/object.h"

struct git;
struct git_repository; /* of libgit2 */

/* Opens the git directory, `path` itself and no parent. Errors: UNKNOWN (no repository), UNSUPPORTED, SYSTEM, MEMORY. */
int git_open(struct git **out, const char *path, struct mem *mem, assay_error *err);
/* The one that a store names (`gitdir`, else core.gitdir of its config). */
struct store;
int git_open_for(struct git **out, struct store *s, assay_error *err);
/* What the file `gitdir`, or with `by_config` core.gitdir, says: a path in FOLDER_PATH_MAX bytes; false = nothing. */
bool git_dir_of(struct store *s, bool by_config, char *out);
void git_close(struct git *g);
/* For programs, never for libraries: git objects are taken as they are from now on, as git itself does. libgit2 otherwise computes the id of each
 * one again, which takes a fifth of the time of an import. For the whole process. */
void git_trust_objects(void);
struct git_repository *git_raw(struct git *g);
/* The root of the work tree with a slash at its end; NULL = bare. Borrowed. */
const char *git_root(const struct git *g);

/* The branch of git's HEAD, without refs/heads/; "" = detached, or too long for `buf`. */
void git_current_branch(struct git *g, char *buf, size_t len);

/* "Name <mail>" of who uses the repository, as its configuration says; "" = it does not. */
void git_identity(struct git *g, char *buf, size_t len);

struct git_commit_facts {
    assay_store_id id, tree;
    assay_slice author_name, author_email, committer_name, committer_email;
    assay_slice message; /* white space at its end removed */
    uint64_t committed;
};
/* A commit by 4 to 40 hexadecimal digits; slices are from the arena. Errors: UNKNOWN, AMBIGUOUS, SYSTEM, MEMORY. */
int git_commit_find(struct git *g, assay_slice hex, struct arena *a, struct git_commit_facts *out, assay_error *err);
bool git_has_commit(struct git *g, const assay_store_id *id);
bool git_has_blob(struct git *g, const assay_store_id *id);
/* The blob at `path` in the tree of a commit. Errors: UNKNOWN (no such file), SYSTEM. */
int git_blob_at(struct git *g, const assay_store_id *tree, assay_slice path, assay_store_id *out, assay_error *err);
/* The bytes of a blob; from the arena. Errors: UNKNOWN, SYSTEM, MEMORY. */
int git_blob_read(struct git *g, const assay_store_id *id, struct arena *a, assay_slice *out, assay_error *err);

#endif
