/* Addresses -> locations: which module an address is in, and which functions are there. */
#ifndef FORMATS_PPROF_LEGACY_LOCATIONS_H
#define FORMATS_PPROF_LEGACY_LOCATIONS_H

#include "base/index.h"
#include "base/vec.h"
#include "formats/pprof-legacy/legacy.h"

struct legacy_mapping_row {
    uint64_t start, limit, offset;
    assay_slice path, build_id;
};
struct legacy_symbol_row {
    uint64_t address;
    uint64_t block; /* number of the sample below which it stands */
    assay_slice name, file;
    uint32_t line, next; /* next: the function that it is inlined into, + 1; 0 = none */
};

enum { LEGACY_INLINED = 64 }; /* functions at one address, at most */

struct legacy_locations {
    struct mem *mem;
    struct arena text;       /* of paths that had a variable */
    VEC(uint64_t) addresses; /* of locations, numbered from 1 */
    struct index by_address;
    VEC(struct legacy_mapping_row) mappings;
    VEC(uint32_t) order; /* of mappings, by where they start */
    VEC(struct legacy_symbol_row) symbols;
    struct index by_symbol;     /* address -> first symbol + 1 */
    VEC(assay_slice) variables; /* of the memory map: name and value in turn */
    bool has_outside;           /* an address is in no mapping */
    uint64_t without_symbol;    /* locations of a file that names functions, but not these */
};

void legacy_locations_init(struct legacy_locations *l, struct mem *mem);
void legacy_locations_done(struct legacy_locations *l);
/* The number of a location, from 1; 0 = no memory. */
uint32_t legacy_location(struct legacy_locations *l, uint64_t address);
/* Take over a record of that kind; false = no memory. Texts are borrowed from the input. `block` tells comments of different samples apart. */
bool legacy_add_mapping(struct legacy_locations *l, const struct legacy_record *r);
bool legacy_add_variable(struct legacy_locations *l, const struct legacy_record *r);
bool legacy_add_symbol(struct legacy_locations *l, const struct legacy_record *r, uint64_t block);
/* To be called once after the last mapping: joins neighbours, and puts the program itself first; false = no memory. */
bool legacy_settle_mappings(struct legacy_locations *l);
/* The mapping that an address is in, from 1; 0 = none. */
uint32_t legacy_mapping_of(const struct legacy_locations *l, uint64_t address);
/* The innermost function at an address, from 1; 0 = not known. */
uint32_t legacy_symbol_of(const struct legacy_locations *l, uint64_t address);

#endif
