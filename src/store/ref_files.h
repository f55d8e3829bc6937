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
/* true = the lock file `path` belongs to nobody who lives, for its owner holds a flock on it; then, with `remove`, it is gone afterwards. */
bool ref_lock_is_dead(const char *path, bool remove);
/* Who holds a lock ("process 4711"), and for how many seconds. */
void ref_lock_owner(const char *path, char *owner, size_t len, long *age);
/* A reflog open for writing, under the lock of its reference. */
struct reflog {
    struct store *store;
    int fd;
    assay_store_id last; /* what the reference became by the last line */
    bool has_last;
    bool is_cut; /* the file ends with half a line */
};
/* To be opened before the reference is changed, so that what is wrong with it shows while nothing has happened. Symbolic links are refused. Errors:
 * WRITE; nothing is open then. */
int reflog_open(struct store *s, const char *name, struct reflog *l, assay_error *err);
/* After the change. Where the last line does not lead to `from` (somebody was killed, or changed the reference without a log), a line for that comes
 * first. A line that cannot be written (a full disk) does not undo the change: the next one to write adds it in this way. */
void reflog_append(struct reflog *l, const assay_store_id *from, const assay_store_id *to, const char *why);
void reflog_close(struct reflog *l);
/* The changes in a file of a reflog, the newest first. */
int reflog_file(struct store *s, const char *path, reflog_fn fn, void *arg, assay_error *err);

#endif
