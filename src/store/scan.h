/* All objects of a store at one look: what each is and whether it can be read. Memory grows with the number of objects, not with their size.
 * Checking and collecting go on from here. */
#ifndef STORE_SCAN_H
#define STORE_SCAN_H

#include "base/vec.h"
#include "store/refs.h"

struct scan_object {
    assay_store_id id;
    enum cov_kind kind; /* COV_NONE = damaged */
    bool is_live;
    uint8_t state; /* of who follows the parents */
    /* BUILD: its statistics; FILES: the sums over its entries, saturated; LINES, FUNCTIONS: what there is, in lines or functions */
    assay_store_stats stats;
    uint64_t propset; /* BUILD: a hash of it */
    uint32_t parent;  /* REPORT: number of it + 1; 0 = none, or not there */
};

struct scan {
    struct store *store;
    struct mem *mem;
    uint64_t max_bytes;
    struct findings *findings;       /* NULL = nobody wants to know */
    VEC(struct scan_object) objects; /* by id */
    VEC(uint64_t) edges;             /* from << 32 | to, numbers of objects */
    struct cov_unpacker unpacker;
};

void scan_init(struct scan *c, struct store *s, uint64_t max_bytes, struct findings *findings);
void scan_done(struct scan *c);
/* Reads every object: rules C01 to C34, S18, S19 and S26 for what is no object. Errors: SYSTEM, MEMORY. */
int scan_objects(struct scan *c, assay_error *err);
/* The number of an object; SIZE_MAX = not there. */
size_t scan_find(const struct scan *c, const assay_store_id *id);
/* Reads object number i again. `room` and `a` keep what it lives in; an object that cannot be read any more has kind COV_NONE. */
struct store_room;
int scan_reload(struct scan *c, size_t i, struct store_room *room, struct arena *a, struct cov_object *out, assay_error *err);
/* Notes that one object needs another, if that is there. */
int scan_edge(struct scan *c, size_t from, const assay_store_id *to, assay_error *err);
/* The same for everything that a record names. */
int scan_edges_of(struct scan *c, size_t i, const struct cov_object *o, assay_error *err);
uint64_t scan_hash(assay_slice s);
/* Notes what every report, build and list needs. */
int scan_edges(struct scan *c, assay_error *err);
/* Marks what can be reached from an object. */
int scan_mark(struct scan *c, size_t root, assay_error *err);
/* Marks what references, HEADs and reflogs lead to. */
int scan_mark_refs(struct scan *c, assay_error *err);

/* Calls `fn` for HEAD and that of each worktree: `folder` is "" or "worktrees/NAME"; value->kind is REF_NONE where it is missing. */
typedef int (*scan_head_fn)(void *arg, const char *folder, const struct ref_value *value);
int scan_heads(struct store *s, scan_head_fn fn, void *arg, assay_error *err);

#endif
