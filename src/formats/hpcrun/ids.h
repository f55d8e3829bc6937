/* Node ids of one tree -> what is known of the node. Real ids are dense (steps of two: odd ones are those that a trace refers to), so a plain array
 * does; a hash table takes over when they are not, so that the memory stays in proportion to the number of nodes. */
#ifndef FORMATS_HPCRUN_IDS_H
#define FORMATS_HPCRUN_IDS_H

#include "base/index.h"
#include "base/vec.h"
#include "formats/hpcrun/span.h"

#define HPCRUN_HAS_CHILD UINT32_C(0x80000000) /* bit of hpcrun_slot.depth */

struct hpcrun_slot {
    uint32_t node;  /* the owner's number, from 1; 0 = no node has this id */
    uint32_t depth; /* the owner's; HPCRUN_HAS_CHILD is a bit of it */
};

struct hpcrun_ids {
    struct mem *mem;
    VEC(struct hpcrun_slot) slots; /* by id >> step; hashed: in the order of entry, [0] unused */
    bool is_hashed;
    unsigned step; /* 1 = all ids are even; else 0 */
    struct index index;
    VEC(uint32_t) ids; /* hashed: by slot */
};

void hpcrun_ids_init(struct hpcrun_ids *t, struct mem *m);
void hpcrun_ids_done(struct hpcrun_ids *t);
/* Forgets everything and makes room for the nodes of this span. false = no memory. */
bool hpcrun_ids_begin(struct hpcrun_ids *t, const struct hpcrun_span *nodes);
struct hpcrun_slot *hpcrun_ids_find_hashed(struct hpcrun_ids *t, uint32_t id);
/* Of a node of the span that was begun with, and whose id is not there yet. Valid until the next one. NULL = no memory. */
struct hpcrun_slot *hpcrun_ids_add(struct hpcrun_ids *t, uint32_t id);

/* Not hashed: where the id belongs; NULL = nowhere. */
static inline struct hpcrun_slot *hpcrun_ids_slot(const struct hpcrun_ids *t, uint32_t id)
{
    size_t at = id >> t->step;
    return at < t->slots.len && !(id & t->step) ? &t->slots.at[at] : NULL;
}

/* The slot of a node, or NULL. */
static inline struct hpcrun_slot *hpcrun_ids_find(struct hpcrun_ids *t, uint32_t id)
{
    if (t->is_hashed) return hpcrun_ids_find_hashed(t, id);
    struct hpcrun_slot *slot = hpcrun_ids_slot(t, id);
    return slot && slot->node ? slot : NULL;
}

#endif
