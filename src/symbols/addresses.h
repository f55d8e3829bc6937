/* Text files that name addresses: the kernel's kallsyms, and the perf-PID.map of programs that make code while they run. Unlike modules they hold addresses
 * as they were at run time. */
#ifndef SYMBOLS_ADDRESSES_H
#define SYMBOLS_ADDRESSES_H

#include "base/arena.h"
#include "base/vec.h"

struct addresses_row {
    uint64_t begin, end; /* half-open */
    assay_slice name;
};
struct addresses {
    struct mem *mem;
    struct arena text;
    VEC(struct addresses_row) rows; /* by begin, without overlap */
};

enum addresses_kind {
    ADDRESSES_KERNEL, /* `ADDRESS TYPE NAME [MODULE]`: types of code and data; each reaches to the next */
    ADDRESSES_MAP     /* `START SIZE NAME`, hexadecimal; the name goes to the end of the line */
};
/* Owned by the caller. Of lines with the same address the last counts, as in perf. *out is NULL when there is no such file or nothing in it. false = no memory. */
bool addresses_load(struct addresses **out, const char *path, enum addresses_kind kind, struct mem *mem);
/* NULL is allowed. */
void addresses_free(struct addresses *a);

/* Empty = none is known. Borrowed. */
assay_slice addresses_find(const struct addresses *a, uint64_t address);
/* Where a name is; false = nowhere. */
bool addresses_where(const struct addresses *a, assay_slice name, uint64_t *out);

#endif
