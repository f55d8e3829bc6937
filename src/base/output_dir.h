/* A folder as output: its files are written into a temporary folder beside the target, which takes the target's place only when all of them
 * are complete and on disk. output_dir_abort leaves nothing behind; a killed process leaves the target as it was. */
#ifndef BASE_OUTPUT_DIR_H
#define BASE_OUTPUT_DIR_H

#include "base/output.h"

struct output_dir;

/* `path` may exist as a folder, which is then replaced as a whole, with all that is in it: whether it may be is for the caller to know.
 * A target that is a symbolic link is followed. Errors: WRITE, MEMORY. */
int output_dir_open(struct output_dir **out, const char *path, struct mem *mem, assay_error *err);
/* The temporary folder, for other processes that help to fill it; and what those do with it: they open it as theirs, so that it goes when they are told to
 * end, but commit and abort leave it to the process that made it. Errors: WRITE, MEMORY. */
const char *output_dir_temp(const struct output_dir *d);
int output_dir_join(struct output_dir **out, const char *temp, struct mem *mem, assay_error *err);
/* A file that another process has created in it: output_join. */
int output_dir_join_file(struct output_dir *d, const char *name, struct output **out, assay_error *err);
/* A new file of the folder; `name` may have folders before it, "metrics/default.yaml", and none of its
 * components may be "..". The caller commits or aborts the output. */
int output_dir_file(struct output_dir *d, const char *name, struct output **out, assay_error *err);
/* Syncs, renames, removes what was there before, frees. Takes `d`. Errors: WRITE. */
int output_dir_commit(struct output_dir *d, assay_error *err);
/* Frees and leaves nothing behind. NULL is allowed. */
void output_dir_abort(struct output_dir *d);

#endif
