/* What is known of one module: functions, files, scopes, and which addresses belong to which scope. Filled by one source (structure file,
 * DWARF, symbol table, kernel symbols, logical file), then sealed and asked. Errors of memory are sticky in `failed`. */
#ifndef SYMBOLS_SYMTAB_H
#define SYMBOLS_SYMTAB_H

#include "base/intern.h"
#include "symbols/symbols.h"

/* A scope and what it lies in. */
struct symtab_node {
    uint32_t parent; /* always a smaller one; 0 = none */
    struct symbols_scope scope;
};

/* Half-open; after sealing sorted and without overlap. */
struct symtab_span {
    uint64_t begin, end;
    uint32_t node;
};

/* From here to the next row; file 0 = nothing. */
struct symtab_row {
    uint64_t address;
    uint32_t file, line;
};

/* Where to begin a search: the first row that begins above the start of each of many equal pieces of the addresses. */
struct symtab_guide {
    uint64_t base;
    unsigned shift;
    uint32_t *above; /* pieces + 1 */
    size_t pieces;   /* 0 = there is no guide */
};

/* A part of the file that is loaded to an address. */
struct symtab_load {
    uint64_t off, len, address;
};

struct symtab {
    struct mem *mem;
    struct arena text;
    struct intern files;
    VEC(struct symbols_function) functions; /* [0] is none */
    VEC(struct symtab_node) nodes;          /* [0] is none */
    VEC(struct symtab_span) spans;
    VEC(struct symtab_row) rows;
    struct symtab_guide span_guide, row_guide;
    VEC(struct symbols_call) calls;
    VEC(struct symtab_load) loads; /* with options.as_perf only */
    bool has_calls, calls_usable;
    uint64_t dropped; /* spans that overlapped an earlier one */
    uint64_t left;    /* see symtab_spend */
    bool is_spent;
    bool failed;
};

void symtab_init(struct symtab *t, struct mem *mem);
void symtab_done(struct symtab *t);

/* Programs refer to names, ranges and line tables by offsets, and a hostile one refers to the same large one a million times. So what is taken
 * from a file of `size` bytes is limited to a multiple of that: bytes of names, ranges and rows. Without symtab_limit there is no limit. */
void symtab_limit(struct symtab *t, uint64_t size);
enum { SYMTAB_RANGE = 16, SYMTAB_ROW = 8 }; /* what one of them counts as, in bytes */
/* Takes `amount` of it; false = there is no more, is_spent is set, and reading is to end with what there is. */
bool symtab_spend(struct symtab *t, uint64_t amount);

uint32_t symtab_file(struct symtab *t, assay_slice path);
/* The names are copied; the id, 0 = no memory. */
uint32_t symtab_function(struct symtab *t, const struct symbols_function *f);
uint32_t symtab_node(struct symtab *t, uint32_t parent, const struct symbols_scope *scope);
void symtab_span(struct symtab *t, uint64_t begin, uint64_t end, uint32_t node);
void symtab_row(struct symtab *t, uint64_t address, uint32_t file, uint32_t line);

/* Sorts the spans. One that overlaps another added before it is dropped whole, and counted. */
void symtab_seal_first(struct symtab *t);
/* Sorts the spans. Where they overlap the one added last wins: so nested scopes are added outermost first. */
void symtab_seal_last(struct symtab *t);

/* Makes look-ups quick; after sealing, when nothing is added any more. Without it they are plain binary searches. */
void symtab_guide(struct symtab *t);

/* The innermost scope that holds the address, without its line; 0 = none. */
uint32_t symtab_node_at(const struct symtab *t, uint64_t address);
/* The row of the line table for the address, or NULL. */
const struct symtab_row *symtab_row_at(const struct symtab *t, uint64_t address);

/* Appends the scopes of the address to `out`. false = no memory. */
struct symtab_chain {
    struct mem *mem;
    VEC(struct symbols_scope) list;
};
bool symtab_lookup(const struct symtab *t, uint64_t address, struct symtab_chain *out);

#endif
