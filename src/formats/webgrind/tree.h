/* The exact call tree of a version 4 file. The invocation numbers that its writer stored are wrong for repeated and recursive calls, but
 * the order in which blocks were finished can be told from the sub call addresses, and with it who called whom (docs/formats/webgrind.md). */
#ifndef FORMATS_WEBGRIND_TREE_H
#define FORMATS_WEBGRIND_TREE_H

#include "assay/build.h"
#include "base/vec.h"
#include "formats/webgrind/decode.h"

struct webgrind_tree_item {
    uint32_t function, self;
    uint32_t entry, entry_count; /* its sub calls in the area */
    uint32_t parent;             /* index + 1; 0 = a root */
    uint32_t below;              /* index + 1 of the one below it on its function's stack */
};

struct webgrind_tree {
    struct mem *mem;
    VEC(struct webgrind_tree_item) items;
};

void webgrind_tree_init(struct webgrind_tree *t, struct mem *mem);
void webgrind_tree_done(struct webgrind_tree *t);
/* Invocations in the order of the file. false = no memory. */
bool webgrind_tree_add(struct webgrind_tree *t, const struct webgrind_decoder *d, const struct webgrind_invocation *v);
/* Gives the builder one node for each invocation (`whole`) or context. Functions below function_count have the id number + 1.
 * *missing gets the number of sub calls whose invocation is not there. Errors: MEMORY, and the builder's sticky one. */
int webgrind_tree_build(struct webgrind_tree *t, const struct webgrind_decoder *d, assay_builder *b, assay_metric_id metric, uint32_t function_count,
                        bool whole, uint64_t *missing, assay_error *err);

#endif
