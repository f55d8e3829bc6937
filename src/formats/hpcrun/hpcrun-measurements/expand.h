/* Expanding addresses: a place in a module becomes the contexts that lead to it - function, loops, inlined calls, line, instruction - below
 * the context of its caller. Equal contexts of all profiles are one. What is known of an address comes from src/symbols and is asked for
 * once for each (module, address); each (parent, place) is built once. */
#ifndef FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_EXPAND_H
#define FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_EXPAND_H

#include "assay/build.h"
#include "base/index.h"
#include "base/intern.h"
#include "base/wire.h"
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

/* What a node was made of, for the ranks of a team: expand_share.c. */
enum expand_made { EXPAND_OF_PLACE = 0, EXPAND_OF_NAME = 1, EXPAND_OF_ENTRY = 2 };
struct expand_origin {
    uint32_t parent;
    uint32_t from;      /* number of the place, or of the placeholder */
    uint32_t info;      /* enum expand_made; of a place EXPAND_IS_LOST where its path above is not known; from bit 8 on the step, or the flags of an entry */
    uint32_t low, high; /* of a name: its number */
};
enum { EXPAND_IS_LOST = 1 << 2 };

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
    /* In a team: what was made, in its order. */
    bool is_shared;
    struct wire names; /* modules, places and placeholders */
    uint64_t name_count;
    VEC(struct expand_origin) origins; /* by node - 1 */
    VEC(uint32_t) placeholder_of;      /* by function: its number among the placeholders, from 1; 0 = it is none */
    uint32_t placeholder_count;
};

/* `symbols` is borrowed, NULL = none. */
void expand_init(struct expand *x, struct mem *mem, assay_builder *b, struct symbols *symbols, bool compat);
void expand_done(struct expand *x);

/* The number of a module from 1; equal paths give equal numbers. 0 = no memory. */
uint32_t expand_module(struct expand *x, assay_slice path);

/* Where stacks begin: `which` is the number that a database has for it. */
assay_node_id expand_entry(struct expand *x, const char *name, uint32_t which, uint8_t flags);

/* A function that stands for something without code. */
#define EXPAND_UNKNOWN "<unknown function>"
/* One that is called. Contexts of one name and different `number`s (GPUKernl and GPUTrace are both <gpu kernel>) stay apart; 0 = the name says all. */
assay_node_id expand_called(struct expand *x, assay_node_id parent, const char *name, uint64_t number);

/* The contexts of an address below `parent`. `is_unwound` false: nobody knows how it got there; such contexts are kept apart from others.
 * Errors: MEMORY. */
int expand_address(struct expand *x, assay_node_id parent, uint32_t module, uint64_t address, bool is_unwound, struct expand_context *out, assay_error *err);

/* ---- in a team ---- */

/* Makes everything that another rank has made and sent (its `names`, its `origins`), as if its files had been read after those of this one:
 * map[node there] = node here. Errors: MEMORY, INTERNAL. */
int expand_adopt(struct expand *x, struct wire_in *names, uint64_t name_count, const struct expand_origin *origins, uint32_t origin_count, uint32_t *map,
                 assay_error *err);
/* For expand.c and expand_share.c. */
enum expand_name { EXPAND_MODULE, EXPAND_PLACE, EXPAND_PLACEHOLDER };
void expand_note(struct expand *x, enum expand_name kind, uint64_t number, uint32_t more, assay_slice text);
void expand_note_placeholder(struct expand *x, assay_func_id f, const char *name, uint64_t number, uint32_t flags);
assay_node_id expand_node(struct expand *x, const struct assay_node *node, enum expand_made made, uint32_t from, uint32_t more);
assay_func_id expand_placeholder(struct expand *x, const char *name, uint64_t number, uint32_t flags);
int expand_place(struct expand *x, uint32_t module, uint64_t address, uint32_t *number, assay_error *err);

#endif
