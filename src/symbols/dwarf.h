/* What dwarf.c and dwarf_lines.c share; only in builds with libdw. */
#ifndef SYMBOLS_DWARF_H
#define SYMBOLS_DWARF_H

#include <late_dw.h>

#include "base/index.h"
#include "symbols/symtab.h"

/* One sequence of a line table: rows `first` .. `first + count` of the heap of rows, ascending. */
struct dwarf_sequence {
    uint64_t begin, end;
    size_t first, count;
};

struct dwarf_functions {
    uint64_t key; /* of the DIE */
    uint32_t function;
};

struct dwarf_loader {
    struct symtab *t;
    bool compat;
    bool foreign;
    uint64_t low, high; /* of the code; what lies outside was thrown away by the linker */

    /* functions by DIE */
    struct index by_die;
    VEC(struct dwarf_functions) dies; /* [0] is none */

    /* the unit in work */
    Dwarf_Files *files;
    size_t file_count;
    const char *comp_dir;
    VEC(uint32_t) file_ids; /* by index in the unit's table; UINT32_MAX = not asked for yet */

    VEC(struct symtab_row) rows; /* of all units, sequence by sequence */
    VEC(struct dwarf_sequence) sequences;
    VEC(struct dwarf_sequence) code; /* begin and end of the code of all units: rows elsewhere mean nothing */
    bool has_ranges;                 /* the unit says where its code is */
};

/* The table's number of the unit's file; 0 = none. */
uint32_t dwarf_file(struct dwarf_loader *l, size_t index);
/* Collects the rows of a unit. */
void dwarf_unit_lines(struct dwarf_loader *l, Dwarf_Die *unit);
/* Puts the rows of all units in order into the table. */
void dwarf_seal_lines(struct dwarf_loader *l);

#endif
