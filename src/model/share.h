/* A profile that is the part of one rank of a team (base/team.h): the values and events of its own streams, and of the tree what it and the ranks above
 * it on the way to rank 0 have. Rank 0 has the whole tree, all names and all streams, but only the values of its own. Ranks are joined as a tree:
 * each adopts what some ranks behind it have made, and notes which of its nodes theirs became. */
#ifndef MODEL_SHARE_H
#define MODEL_SHARE_H

#include "assay/build.h"
#include "base/team.h"
#include "base/vec.h"

/* A rank whose nodes were adopted. */
struct share_child {
    uint32_t rank, count; /* nodes it has */
    uint32_t *map;        /* by its node: the node here; owned */
};

struct share {
    struct mem *mem; /* of the profile */
    const struct team *team;
    uint32_t first_stream, stream_count, stream_total; /* the streams here are numbers first_stream + 1 ... of the whole */
    uint32_t parent;                                   /* the rank that adopted the nodes of this one */
    VEC(struct share_child) children;                  /* in the order in which they were adopted */
};

/* Makes the profile of the builder a part; NULL = no memory. It belongs to the builder, then to the profile. */
struct share *share_of_builder(assay_builder *b, const struct team *team);
/* NULL = the profile is a whole one. */
const struct share *share_of(const assay_profile *p);
void share_free(struct share *s);

/* Rank 0 has numbers for all nodes; then each rank has those of its nodes in by_node[1 .. count]. All ranks call it. Errors: MEMORY, on all ranks. */
int share_numbers(const struct share *s, uint32_t *by_node, uint32_t count, assay_error *err);

/* ---- sums over streams ---- */

/* For what does not look at single streams: rank 0 has, of each other rank, the exact sums of its values by node and column, as a few streams that add up
 * to them bit for bit. Rank 0 calls the first before it seals, the others call the second with their part, which they then only throw away. Integers
 * stay at the largest number that 64 bits hold together with the streams of rank 0. Errors: MEMORY, on all ranks. */
int share_take_sums(assay_builder *b, assay_error *err);
int share_give_sums(const assay_profile *p, assay_error *err);

#endif
