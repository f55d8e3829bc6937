/* What is known of nodes beyond the element that is open: which numbers they have, and the values of all that are open. Shared by read and check. */
#ifndef FORMATS_HPCDB_XML_NODES_H
#define FORMATS_HPCDB_XML_NODES_H

#include "base/findings.h"
#include "base/vec.h"

/* ---- numbers: i, and it ---- */

struct hx_place {
    int64_t id;
    uint64_t off;
    uint32_t node;  /* of the model; check has none */
    bool is_own;    /* a statement or call site: has own cost */
    bool is_inside; /* stands for the node around it: its total is part of that one's */
    bool is_root;
};
struct hx_places {
    struct mem *mem;
    VEC(struct hx_place) list; /* by id, once settled */
};
bool hx_places_add(struct hx_places *p, const struct hx_place *place);
/* Sorts them. Of those with one number the first keeps it; with `damage` (may be NULL) that is said (HX06). */
void hx_places_settle(struct hx_places *p, struct findings *damage);
const struct hx_place *hx_places_find(const struct hx_places *p, int64_t id);
/* The largest number; 1, that of the whole, when there is none. */
int64_t hx_places_top(const struct hx_places *p);
void hx_places_done(struct hx_places *p);

/* ---- values of the nodes that are open ---- */

struct hx_entry {
    uint32_t column, depth;
    uint32_t below; /* the entry of the same column further up: index + 1 */
    uint32_t next;  /* of the same node: index + 1; of free ones too */
    bool has_value, has_kids;
    double value, kids; /* its own, and the sum of its children's */
};
struct hx_open {
    struct mem *mem;
    VEC(struct hx_entry) entries;
    uint32_t free;       /* index + 1 */
    VEC(uint32_t) last;  /* by column: the deepest entry, index + 1 */
    VEC(uint32_t) first; /* by depth: the entries of the node, index + 1 */
};
bool hx_open_init(struct hx_open *o, struct mem *mem, size_t columns);
void hx_open_done(struct hx_open *o);
/* The entry of the node at `depth`, which must be the deepest or the one above it; made when it is not there. NULL = no memory. */
struct hx_entry *hx_open_entry(struct hx_open *o, uint32_t column, uint32_t depth);
/* The same without making one. */
struct hx_entry *hx_open_find(const struct hx_open *o, uint32_t column, uint32_t depth);
/* The next entry of the node at `depth`, the deepest, which is taken away and copied; false = there is none left. */
bool hx_open_take(struct hx_open *o, uint32_t depth, struct hx_entry *out);

#endif
