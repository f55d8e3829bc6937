/* The calling contexts of a NYTProf stream, from its returns. A return names sub and depth and comes after everything it called, so contexts
 * grow from the leaves: what has returned at depth d waits for a return at a lesser depth, which takes it as its own. Equal contexts are one
 * node with summed figures, so memory grows with what is distinct; with ASSAY_WANT_WHOLE each invocation becomes a node of the profile too.
 * Used when the tree is wanted, and to salvage the calls of a stream that was cut before its call sites. */
#ifndef FORMATS_NYTPROF_TREE_H
#define FORMATS_NYTPROF_TREE_H

#include "formats/coarse/tree.h"
#include "formats/nytprof/read.h"

/* Owned by the caller; NULL = no memory. */
struct nytprof_tree *nytprof_tree_new(struct nytprof_reader *r, assay_error *err);
void nytprof_tree_free(struct nytprof_tree *t);

int nytprof_tree_entry(struct nytprof_tree *t, const struct nytprof_site *site, assay_error *err);
int nytprof_tree_return(struct nytprof_tree *t, struct nytprof_reader *r, const struct nytprof_return *ret, assay_error *err);
/* A process has ended, and another begins: calls that are still open become frames named (unfinished). */
int nytprof_tree_end_process(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t process, assay_error *err);
/* The last one has ended. With r->is_salvaged the calls are added to the reader's arcs. */
int nytprof_tree_end(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t process, assay_error *err);

/* tree_book.c: contexts -> nodes of the builder and, with `arcs`, calls by site. */
struct nytprof_node {
    uint32_t parent, first, last, next; /* ids; 0 = none */
    uint32_t func, fid, line;           /* the sub, and where it was called */
    uint64_t calls;
    double incl, excl; /* ticks */
    uint32_t built;    /* id in the builder */
};
struct nytprof_whole {
    uint32_t depth, node;
};
struct nytprof_invocation {
    assay_node_id node;
    double excl;
};
struct nytprof_name_slot {
    uint32_t func, len;
    const char *text;
};
enum { NYTPROF_NAME_SLOTS = 256 };

struct nytprof_tree {
    struct mem *mem;
    VEC(struct nytprof_node) nodes; /* [0] is unused */
    struct index index;             /* by (parent, func, fid, line); entries of nodes that moved stay until it is made anew */
    uint32_t free_list;             /* by `next` */
    uint32_t live;
    VEC(struct nytprof_whole) levels;           /* ascending depth; node = holder of what has returned at that depth */
    VEC(struct nytprof_whole) whole;            /* invocations that wait for their caller, by ascending depth */
    VEC(struct nytprof_invocation) invocations; /* of this process: its stream is known when it has ended */
    struct coarse_tree coarse;                  /* in place of them, when that will do */
    VEC(struct nytprof_site) entries;
    VEC(struct nytprof_whole) work;
    VEC(struct nytprof_arc) arcs;
    VEC(uint32_t) on_path; /* by function: how often it is on the way from the root */
    assay_scope_id point;
    uint32_t unfinished; /* the function of that name */
    uint64_t open_calls;
    bool wants_whole, wants_coarse, wants_merged, has_arcs;
    struct arena text;
    struct nytprof_name_slot names[NYTPROF_NAME_SLOTS]; /* the same few names come again and again */
};

/* The children of `root` and all below. */
int nytprof_tree_book(struct nytprof_tree *t, struct nytprof_reader *r, uint32_t root, uint32_t process, assay_error *err);

#endif
