/* YAML as a tree of nodes, through libyaml's events: texts, lists, maps, and aliases, which are kept as what they are and never expanded, so that no
 * file grows by being read. Nothing recurses; depth, nodes and bytes are limited. Only builds with libyaml have it (`yaml_can`). */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP, YAML_ALIAS };

enum { YAML_MAX_DEPTH = 64, YAML_MAX_NODES = 1 << 19, YAML_MAX_BYTES = 16 << 20 };

/* Nodes are numbered from 1 in the order of the file: parents are smaller than their children. 0 = none. */
struct yaml_node {
    uint8_t kind;
    uint32_t parent, first, next; /* first child, next sibling */
    uint32_t target;              /* of an alias; never an alias itself, nor something that the alias stands in */
    uint32_t line;                /* from 1 */
    assay_slice key;              /* in a map; terminated */
    assay_slice text;             /* of a text; terminated */
};

struct yaml {
    struct mem *mem;
    struct arena text;
    VEC(struct yaml_node) nodes; /* [0] is none, [1] the root of the first document */
};

/* Why a text is not YAML, or not what is read here. */
struct yaml_fault {
    uint64_t line; /* from 1; 0 = none */
    char text[200];
};

bool yaml_can(void);
/* Reads `bytes`. 0 and fault->text[0] == 0: the tree is there (an empty document has no root). 0 with a fault: what stands before it is there.
 * Errors: MEMORY. yaml_done in any case. */
int yaml_read(struct yaml *y, struct mem *mem, assay_slice bytes, struct yaml_fault *fault, assay_error *err);
void yaml_done(struct yaml *y);

/* The child of a map with this key, aliases followed; 0 = none, or `node` is no map. */
uint32_t yaml_get(const struct yaml *y, uint32_t node, const char *key);
/* The node itself, or what it is an alias of. */
static inline uint32_t yaml_real(const struct yaml *y, uint32_t node) { return y->nodes.at[node].kind == YAML_ALIAS ? y->nodes.at[node].target : node; }
/* The text of a node, {NULL, 0} when it is none. */
assay_slice yaml_text(const struct yaml *y, uint32_t node);

#endif
