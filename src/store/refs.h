/* References of a store: names that lead to reports. Reading takes no lock; changing one goes through NAME.lock, compares what is there, and
 * renames, so that of two writers one wins and the other is told.
 *
 * How people spell revisions (dwim, ~, ^, ranges) is no business of this file. */
#ifndef STORE_REFS_H
#define STORE_REFS_H

#include "store/store.h"

enum { REFS_MAX_HOPS = 32, REFS_NAME_MAX = 1024 };

enum ref_kind { REF_NONE, REF_ID, REF_SYMBOLIC, REF_BROKEN };
struct ref_value {
    enum ref_kind kind;
    assay_store_id id;
    char target[REFS_NAME_MAX]; /* of a symbolic one */
};

/* The rules of docs/formats/cov.md, "Names of references"; "HEAD" and "refs/heads/x" are names, "x" is none. */
bool refs_name_ok(assay_slice name);

/* What the file of this one reference says; REF_NONE = there is none, REF_BROKEN = it makes no sense. Errors: SYSTEM, USAGE (bad name). */
int refs_read(struct store *s, const char *name, struct ref_value *out, assay_error *err);
/* Follows symbolic references from `name`. *out has kind REF_ID, or REF_NONE when the last one does not exist yet; `last` (REFS_NAME_MAX bytes,
 * may be NULL) gets the name of the one that holds the id, or would. Errors: SYSTEM, DAMAGED (broken, or they go round). */
int refs_follow(struct store *s, const char *name, struct ref_value *out, char *last, assay_error *err);

/* Calls `fn` for every reference below `prefix` ("refs/heads/", "refs/"), by name; temporary files and locks are left out. A result other than
 * 0 of `fn` ends it and is returned. */
typedef int (*refs_fn)(void *arg, const char *name, const struct ref_value *value);
int refs_each(struct store *s, const char *prefix, refs_fn fn, void *arg, assay_error *err);

/* ---- changing ---- */

/* A lock that is held: NAME.lock exists and is ours. */
struct ref_lock {
    struct store *store;
    char name[REFS_NAME_MAX];
    struct ref_value old; /* read under the lock */
    int fd;
};
/* Takes the lock, waiting up to ten seconds for another writer; one that a killed process left behind is taken over at once. Symbolic references are
 * not followed. Errors: LIMIT (somebody else holds it: the sentence tells its age and process), WRITE, USAGE (bad name). */
int ref_lock(struct store *s, const char *name, struct ref_lock *out, assay_error *err);
/* Puts a new value in its place, on disk, with a line in the reflog (`why` as in "report: SUBJECT"), and lets the lock go - also on error. */
int ref_lock_set(struct ref_lock *l, const assay_store_id *id, const char *why, assay_error *err);
int ref_lock_point(struct ref_lock *l, const char *target, const char *why, assay_error *err);
/* Removes the reference, and lets the lock go. */
int ref_lock_remove(struct ref_lock *l, const char *why, assay_error *err);
/* Lets it go without a change; harmless after the calls above. */
void ref_lock_release(struct ref_lock *l);

/* The three steps in one: sets `name` to `id` if it has `expected` (zero = does not exist; NULL = whatever it has). *moved false = it has another
 * value, which is in *found (may be NULL), and nothing was changed. */
int refs_update(struct store *s, const char *name, const assay_store_id *expected, const assay_store_id *id, const char *why, bool *moved,
                assay_store_id *found, assay_error *err);

/* ---- reflog ---- */

/* One line of logs/NAME: what it was, what it became, who, when, why. */
struct reflog_entry {
    assay_store_id from, to;
    assay_slice who; /* "Name <mail>" */
    uint64_t when;
    assay_slice why;
};
/* Calls `fn` for each change of a reference, the newest first. A reference without a log has none. */
typedef int (*reflog_fn)(void *arg, const struct reflog_entry *entry);
int reflog_each(struct store *s, const char *name, reflog_fn fn, void *arg, assay_error *err);

#endif
