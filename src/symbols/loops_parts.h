/* What the steps of finding loops hand to each other; see loops.h. */
#ifndef SYMBOLS_LOOPS_PARTS_H
#define SYMBOLS_LOOPS_PARTS_H

#include "symbols/sources.h"

/* ---- bytes ---- */

struct loops_image;

/* The loadable parts of an x86-64 ELF file. NULL: another machine, or (with *failed) no memory. */
struct loops_image *loops_image_new(struct mem *mem, const struct elf_file *f, bool *failed);
void loops_image_free(struct loops_image *image);
/* Readable from here until loops_image_close; false = the file is gone or has changed. */
bool loops_image_open(struct loops_image *image);
void loops_image_close(struct loops_image *image);
/* Exactly `len` bytes at the address as the file has them; false = they are not all there. */
bool loops_image_read(struct loops_image *image, uint64_t address, void *out, size_t len);
uint64_t loops_image_size(const struct loops_image *image);

/* ---- the flow of one function ---- */

/* Of the function's code; `at` is where its bytes begin among those of all ranges. */
struct loops_range {
    uint64_t begin, end;
    size_t at;
};

struct loops_block {
    uint64_t begin, end; /* half-open */
    uint64_t last;       /* the address of its last instruction */
    uint32_t first_edge, edge_count;
    uint32_t loop; /* the innermost; 0 = none. Filled by loops_nest */
    uint32_t next; /* block of the same loop, + 1. Filled by loops_nest */
    bool leaves;   /* may go on outside the function */
};

struct loops_flow {
    struct mem *mem;
    VEC(struct loops_range) ranges; /* ascending, apart; filled by the caller */
    uint64_t entry;                 /* filled by the caller */
    VEC(struct loops_block) blocks; /* ascending */
    VEC(uint32_t) edges;            /* numbers of blocks */
};

enum {
    LOOPS_MAX_CODE = 1 << 20, /* bytes of a function; what is longer has no loops */
    LOOPS_MAX_FRAMES = 256,   /* inlined into each other */
};

/* Fills blocks and edges from the code of the ranges. false = no memory. Code that cannot be read gives no blocks. */
bool loops_flow_fill(struct loops_flow *flow, struct loops_image *image);
void loops_flow_done(struct loops_flow *flow);
/* The block that holds the address, or NULL. */
struct loops_block *loops_flow_block(const struct loops_flow *flow, uint64_t address);

/* ---- its loops ---- */

struct loops_loop {
    uint32_t parent;                  /* always a smaller one; 0 = none */
    uint64_t address;                 /* what identifies it: where it is entered; of several entries the lowest */
    uint32_t first_block, first_exit; /* + 1: blocks that are in no inner loop; conditions that may end it */
    uint32_t first_child, sibling;    /* filled by loops_place, as are the rest; 0 = none */
    uint32_t file, line;
    uint32_t node;  /* the inlined scope that it lies in; 0 = directly in the function */
    uint32_t depth; /* inlined frames around it */
};

/* A block from which one may stay in the loop or leave it. */
struct loops_exit {
    uint32_t block;
    uint32_t next; /* of the same loop, + 1 */
};

struct loops_nest {
    VEC(struct loops_loop) loops; /* [0] is none */
    VEC(struct loops_exit) exits;
    uint64_t steps; /* taken so far; see LOOPS_MAX_STEPS */
};

/* Most functions take a few thousand; one that takes more than this has no loops. */
#define LOOPS_MAX_STEPS (UINT64_C(20) * 1000 * 1000)

/* Finds the loops of the flow. false = no memory. When it takes too long there are none, and `steps` is above the limit. */
bool loops_nest_fill(struct loops_nest *nest, struct loops_flow *flow);
void loops_nest_done(struct loops_nest *nest, struct mem *mem);

/* Gives every loop its place among the inlined frames, its file and its line. `unknown` is the file of code without source. Steps count as above. */
void loops_place(struct loops_nest *nest, const struct loops_flow *flow, const struct symtab *t, uint32_t function, uint32_t unknown);

/* The inlined scopes from the function to `node`, outermost first: `out` has room for LOOPS_MAX_FRAMES. Returns how many. */
size_t loops_frames(const struct symtab *t, uint32_t node, uint32_t *out);

#endif
