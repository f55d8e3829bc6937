/* A tree of nodes that are found by (parent, key). Most nodes of calling contexts have one or two children: those are found by looking through them,
 * and only the children of wide nodes stand in an index.
 *
 * Nodes are numbered from 1 in the order in which they came; 0 is above all roots. */
#ifndef BASE_KIDS_H
#define BASE_KIDS_H

#include "base/index.h"
#include "base/vec.h"

struct kid {
    uint64_t key;
    uint32_t parent, first, next; /* youngest child, next older sibling */
    uint32_t count;               /* children */
};

struct kids {
    struct mem *mem;
    VEC(struct kid) of; /* [0] is above all roots; empty until the first node comes */
    struct index wide;
};

void kids_init(struct kids *k, struct mem *m);
void kids_done(struct kids *k);
/* The child of `parent` with this key, made when it is not there: then it is the last one of k->of. 0 = no memory. */
uint32_t kids_put(struct kids *k, uint32_t parent, uint64_t key);
/* Nodes and the one above them; 0 before the first node. */
static inline size_t kids_len(const struct kids *k) { return k->of.len; }

#endif
