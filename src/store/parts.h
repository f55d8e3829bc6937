/* What the files of the store share; for nobody outside of src/store. */
#ifndef STORE_PARTS_H
#define STORE_PARTS_H

#include "base/folder.h"
#include "base/index.h"
#include "store/store.h"

/* An object that is written but does not have its name yet. */
struct store_pending {
    assay_store_id id;
    uint64_t number; /* of its temporary file */
    bool is_blob;
};

struct store {
    struct mem *mem;
    struct arena text; /* the paths */
    const char *path, *common, *objects;
    const char *who; /* for reflogs: "Name <mail>" */
    struct cov_unpacker unpacker;
    struct packer *packer; /* NULL = not needed yet */
    struct cov_bytes plain, compressed;
    VEC(struct store_pending) pending;
    struct index pending_index;
    int gc_lock;          /* held shared from the first object written to store_release; -1 = not held */
    uint64_t next_number; /* of temporary files */
    char random[9];
};

/* COMMON/objects/coverage/xx/... or COMMON/objects/xx/..., into FOLDER_PATH_MAX bytes; false = too long. */
bool store_object_path(const struct store *s, const assay_store_id *id, bool is_blob, char *buf);
/* Whether the folder that a path of an object lies in is a symbolic link, which may lead out of the store: nothing is read, written or removed there. */
bool store_is_linked(const char *object_path);
bool store_temp_path(const struct store *s, uint64_t number, char *buf);

/* The whole regular file, from `room`, which grows; *out is borrowed from it. 0, or an errno: EFBIG beyond `limit`, ENOMEM. */
struct store_room {
    struct mem *mem;
    VEC(char) v;
};
int store_slurp(const char *path, uint64_t limit, struct store_room *room, assay_slice *out);
static inline void store_room_done(struct store_room *room) { vec_done(room->mem, &room->v); }
/* Whether `path`, or a folder on the way to it, is a symbolic link; its first `base` bytes, the folder of the store, are not looked at. */
bool store_has_link(const char *path, size_t base);
/* Makes the folders above a path. 0 or an errno. */
int store_make_parents(char *path);
/* Flocks gc.lock: writers shared, a gc alone. The descriptor, which holds it until it is closed. Errors: LIMIT (held the other way), WRITE. */
int store_gc_lock(struct store *s, bool alone, assay_error *err);
/* Removes temporary files of writers that were killed: when nobody holds gc.lock, no writer lives. Best effort. */
void store_drop_leftovers(struct store *s);
/* Writes all bytes. 0 or an errno. */
int store_put_all(int fd, const void *data, size_t len);

#endif
