/* Records of a structure file -> a symtab for each of its modules. Ranges are taken in document order; one that overlaps an earlier one is
 * dropped whole. */
#ifndef SYMBOLS_STRUCTURE_INDEX_H
#define SYMBOLS_STRUCTURE_INDEX_H

#include "base/index.h"
#include "symbols/structure.h"
#include "symbols/symtab.h"

struct structure_module {
    const char *name; /* LM n; owned by the index */
    size_t name_len;
    struct symtab table; /* complete once the LM has ended */
};

struct structure_index {
    struct mem *mem;
    struct arena text;
    VEC(struct structure_module *) modules;
    /* What only shows when records are laid beside each other: DAMAGE of rules HRS06 and HRS09. */
    structure_fn report;
    void *report_arg;

    /* the module in work */
    struct index entries;          /* entry address -> function */
    VEC(uint32_t) files;           /* the parser's number -> the table's */
    VEC(uint32_t) nodes;           /* of each open element: the innermost scope */
    VEC(uint64_t) targets;         /* of each call */
    uint32_t function;             /* P in work */
    uint32_t site_file, site_line; /* of the outer A that was opened last */
    uint64_t module_off, module_line;
};

void structure_index_init(struct structure_index *ix, struct mem *mem, structure_fn report, void *report_arg);
void structure_index_done(struct structure_index *ix);
/* Takes the next record; of structure_fn's type but for the argument. 0, ASSAY_ERR_MEMORY, or what `report` returned. DAMAGE is passed over. */
int structure_index_add(struct structure_index *ix, const struct structure_record *r);

#endif
