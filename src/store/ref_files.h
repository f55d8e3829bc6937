/* How references lie on disk: what reading, locking, checking and collecting share; for nobody outside of src/store. */
#ifndef STORE_REF_FILES_H
#define STORE_REF_FILES_H

#include "store/refs.h"

/* The file of a reference, with something behind its name (".lock", ""): in the common folder when the name has a slash, else in the store's own.
 * FOLDER_PATH_MAX bytes; false = too long. */
bool refs_path(const struct store *s, const char *name, const char *ending, char *buf);
/* false = a symbolic link stands in the way of the name: it may lead out of the store, or round. */
bool refs_is_inside(const struct store *s, const char *name);
void refs_parse(assay_slice text, struct ref_value *out);
/* As refs_each, but names that are none come too, with REF_NONE: locks, and what should not be there. */
int refs_each_file(struct store *s, const char *prefix, refs_fn fn, void *arg, assay_error *err);
/* true = the lock file `path` belongs to nobody who lives; then, with `remove`, it is gone afterwards. */
bool ref_lock_is_dead(const char *path, bool remove);
/* One line of the reflog, before the reference itself is changed. */
int reflog_append(struct store *s, const char *name, const struct cov_id *from, const struct cov_id *to, const char *why, assay_error *err);
/* The changes in a file of a reflog, the newest first. */
int reflog_file(struct store *s, const char *path, reflog_fn fn, void *arg, assay_error *err);

#endif
