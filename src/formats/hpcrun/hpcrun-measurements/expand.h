/* Expanding addresses: a place in a module becomes the contexts that lead to it - function, loops, inlined calls, line, instruction - below
 * the context of its caller. Equal contexts of all profiles are one. What is known of an address comes from src/symbols and is asked for
 * once for each (module, address); each (parent, place) is built once. */
#ifndef FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_EXPAND_H
#define FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_EXPAND_H

#include "assay/build.h"
#include "base/index.h"
#include "base/intern.h"
#include "symbols/symbols.h"

struct expand_module {
    assay_module_id id;
    uint32_t number;      /* in symbols; 0 = no symbols are wanted */
    assay_slice base;     /* the path's last component */
    assay_func_id *funcs; /* by number in symbols: ids of the builder, 0 = not made yet */
    assay_file_id *files;
    uint32_t func_count, file_count;
};

/* All scopes of one address, outermost first: steps first .. first + count. */
struct expand_place {
    uint32_t module;
    uint64_t address;
    uint32_t first, count;
};

/* Two nodes of the tree stand for a place below a parent: the function that the caller called, and the innermost scope. Both are 0 for the
 * root and for idleness. */
struct expand_context {
    assay_node_id called, full;
};

struct expand_link {
    uint32_t parent, place; /* place: number * 2 + whether its path above is not known */
    struct expand_context context;
};

struct expand {
    struct mem *mem;
    assay_builder *b;
    struct symbols *symbols; /* NULL = show module+offset */
    bool compat;             /* a function for each inlined copy of a structure file and for each placeholder, as hpcprof */
    struct intern paths;
    VEC(struct expand_module) modules; /* by id of the path - 1 */
    struct index place_index;
    VEC(struct expand_place) places; /* number from 1 */
    VEC(struct assay_node) steps;
    struct index link_index;
    VEC(struct expand_link) links;
};

/* `symbols` is borrowed, NULL = none. */
void expand_init(struct expand *x, struct mem *mem, assay_builder *b, struct symbols *symbols, bool compat);
void expand_done(struct expand *x);

/* The number of a module from 1; equal paths give equal numbers. 0 = no memory. */
uint32_t expand_module(struct expand *x, assay_slice path);

/* A function that stands for something without code. */
#define EXPAND_UNKNOWN "<unknown function>"
assay_func_id expand_placeholder(struct expand *x, const char *name, uint32_t flags);
/* One that is called. Contexts of one name and different `number`s (GPUKernl and GPUTrace are both <gpu kernel>) stay apart; 0 = the name says all. */
assay_node_id expand_called(struct expand *x, assay_node_id parent, const char *name, uint64_t number);

/* The contexts of an address below `parent`. `is_unwound` false: nobody knows how it got there; such contexts are kept apart from others.
 * Errors: MEMORY. */
int expand_address(struct expand *x, assay_node_id parent, uint32_t module, uint64_t address, bool is_unwound, struct expand_context *out, assay_error *err);

#endif
