/* Stacks of numbered locations -> contexts, for formats that keep locations, functions, mappings and strings in tables (pprof and its descendants).
 *
 * A function is its name (the system name if that is empty), its file and the file name of the mapping; a location without functions is an address of its
 * mapping. The line of a frame is where it is in its function: of a caller that is the line of the call, of the leaf a line below the function. */
#ifndef FORMATS_STACKS_GROW_H
#define FORMATS_STACKS_GROW_H

#include "assay/build.h"
#include "base/index.h"
#include "base/slice.h"
#include "base/vec.h"
#include "formats/stacks/sums.h"

/* Rows of the tables; strings are numbers of the table of strings. Rows and strings that others refer to are there: the format has checked that. */
struct grow_function {
    uint64_t name, system_name, filename;
    int64_t start_line;
};
struct grow_mapping {
    uint64_t filename, build_id;
};
struct grow_line {
    uint32_t function; /* row + 1; 0 = there is none */
    int64_t line;
};
#define GROW_NO_ROW UINT32_MAX
struct grow_location {
    uint64_t address;
    uint32_t mapping;                /* row, or GROW_NO_ROW */
    uint32_t first_line, line_count; /* the innermost first */
};

/* Borrowed from the format; constant between grow_init and grow_done. */
struct grow_tables {
    const assay_slice *strings;
    size_t string_count;
    const struct grow_function *functions;
    const struct grow_mapping *mappings;
    size_t mapping_count;
    const struct grow_location *locations;
    size_t location_count;
    const struct grow_line *lines;
};

/* A function of a location, as it is seen by stacks: equal ones of different locations have one number. Numbers are in the order of functions, so that stacks
 * that are sorted by them have equal functions side by side. */
struct grow_frame {
    uint32_t func; /* of the builder */
    uint32_t line;
    bool is_inlined;
};
/* A function of the tables in a module, or an address. */
struct grow_place {
    uint64_t address;
    uint32_t row, module; /* row GROW_NO_ROW: an address */
    uint32_t func;
};
struct grow_path {
    uint32_t above, func;
    bool is_stack;
};

struct grower {
    struct mem *mem;
    assay_builder *b;
    struct grow_tables t;
    VEC(uint32_t) string_ids;   /* by string: the builder's; 0 = not needed so far */
    VEC(uint32_t) rows;         /* locations of all stacks, the leaf first */
    VEC(uint64_t) begin;        /* by stack: where it begins in rows, later in paths; one more at the end */
    VEC(uint8_t) is_skipped;    /* by stack */
    VEC(uint32_t) order;        /* of stacks: depth first */
    VEC(assay_node_id) node;    /* by stack: the result; 0 = a stack without frames */
    uint64_t stacks, functions; /* that differ, lines aside; stacks and function_paths (contexts) only when counts are wanted */
    bool is_counting;

    VEC(uint32_t) modules; /* by mapping: of the builder */
    VEC(struct grow_place) places;
    struct index place_index;
    VEC(uint32_t) file_of;                /* by function of the builder: file + 1; 0 = not used so far */
    VEC(struct grow_frame) frames;        /* of all locations; later those that differ, in order */
    VEC(uint32_t) number;                 /* by frame: its number among those that differ, from 0 */
    VEC(uint32_t) first;                  /* by location: its first frame, the outermost; one more at the end */
    VEC(uint32_t) paths;                  /* stacks as numbers of frames, the root first */
    VEC(struct grow_path) function_paths; /* from 1 */
    struct index path_index;
    bool has_empty; /* a stack without frames */
};

void grow_init(struct grower *c, struct mem *mem, assay_builder *b, const struct grow_tables *t);
void grow_done(struct grower *c);
/* The builder's id of a string of the tables; the empty string where there is none of that number. */
assay_str_id grow_string(struct grower *c, uint64_t number);
/* The next stack: rows of locations, the leaf first. Stacks are numbered from 0; the same one may come again. false = no memory. */
bool grow_add(struct grower *c, const uint32_t *rows, size_t count);
/* A number that has no stack, and no node. */
bool grow_skip(struct grower *c);
/* Makes functions and nodes, which must be the first ones of the builder's tree: c->node and c->order. Errors: MEMORY, CANCELLED, those of the builder. */
int grow_tree(struct grower *c, assay_error *err);
/* In its place, for sums alone: makes functions, whose numbers begin with 1. The same errors. */
int grow_functions(struct grower *c, assay_error *err);
/* Then adds one stack; of one without frames nothing. */
void grow_sum(const struct grower *c, size_t stack, struct stack_sums *sums, const int64_t *values);

/* Whether a sample type says what there is at a moment, not what was used up. */
static inline bool grow_is_level(assay_slice type)
{
    return slice_starts(type, "inuse_") || slice_is(type, "goroutine") || slice_is(type, "threadcreate") || slice_is(type, "thread");
}

#endif
