/* A coverage store on disk (docs/formats/cov.md, "The store"): loose objects, read by id and written so that they are complete and on disk before
 * anything names them. References are in refs.h.
 *
 * Readers take no lock. A handle may be used by one thread at a time. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "formats/cov/object.h"

struct store;

/* ---- the store ---- */

/* true = `path` is a store: objects/coverage, config and HEAD are there (the first two perhaps by way of `commondir`). */
bool store_is(const char *path);
/* `path` is the store itself (GITDIR/.covdata), or the part of it that belongs to a worktree. `mem` is borrowed until store_close. Errors:
 * UNKNOWN (no store there), SYSTEM, MEMORY. */
int store_open(struct store **out, const char *path, struct mem *mem, assay_error *err);
/* Makes an empty store whose HEAD is refs/heads/main, with this text as its config; `path` must not exist, or be an empty folder. */
int store_create(const char *path, const char *config, struct mem *mem, assay_error *err);
void store_close(struct store *s);

struct mem *store_mem(const struct store *s);
/* The folder given, and the one with objects, config and shared references: the same but in a worktree. Borrowed until store_close. */
const char *store_path(const struct store *s);
const char *store_common(const struct store *s);

/* Who changes references, for the reflog: "Name <mail>". Without it: what the environment says. */
int store_set_identity(struct store *s, const char *who, assay_error *err);

/* Seconds since 1970: SOURCE_DATE_EPOCH when it is set and a number, else the clock. */
uint64_t store_now(void);

/* ---- reading objects ---- */

/* An object and the memory it lives in. */
struct store_object {
    struct cov_object o;
    enum cov_framing framing;
    struct arena arena;
};
/* Reads an object and checks its name against its content. `kind` COV_NONE = any. store_object_done is due after success, and allowed after an error. Errors: UNKNOWN
 * (there is no such object), DAMAGED (unreadable, or of another kind), SYSTEM, MEMORY. */
int store_read(struct store *s, const assay_store_id *id, enum cov_kind kind, struct store_object *out, assay_error *err);
void store_object_done(struct store_object *o);
bool store_has(struct store *s, const assay_store_id *id);

/* The object whose id begins with these 4 to 40 hexadecimal digits. Errors: UNKNOWN (none, or fewer than 4 digits), AMBIGUOUS, SYSTEM. */
int store_resolve(struct store *s, assay_slice prefix, assay_store_id *out, assay_error *err);

/* ---- writing objects ---- */

/* Writes an object unless it is there already (then its time is refreshed, so that a gc under way keeps it), and gives its id. It is there
 * under its name, and can be read, only after store_sync. Errors: WRITE, MEMORY, LIMIT; no temporary file stays behind. */
int store_write(struct store *s, const struct cov_object *o, assay_store_id *out, assay_error *err);
/* A source that git does not have, as a blob in the store's own object database; gives git's id of it. */
int store_write_blob(struct store *s, const void *data, size_t len, assay_store_id *out, assay_error *err);
/* Makes everything written so far last. To be called before a reference names it. Errors: WRITE. */
int store_sync(struct store *s, assay_error *err);

/* Gives up what was written since the last store_sync. */
void store_forget(struct store *s);
/* Once what was written is named by a reference, or given up: a gc may run again, of this handle too. Closing does it as well. */
void store_release(struct store *s);

/* For a process that ends itself in the middle of its work, where another thread may be writing or closing the store: what tells its files from those
 * of others, and their removal. Best effort. */
struct store_traces {
    char common[4096];
    char random[9];
};
void store_traces(const struct store *s, struct store_traces *out);
void store_abandon(const struct store_traces *t);

/* git's id of a blob with these bytes. */
assay_store_id store_blob_id(const void *data, size_t len);
/* A blob of the store's own database; *out is from the arena. Errors: UNKNOWN, DAMAGED, SYSTEM, MEMORY. */
int store_read_blob(struct store *s, const assay_store_id *id, struct arena *a, assay_slice *out, assay_error *err);

#endif
