/* A load map: which module a node lies in. By id from 02.00b on; by address before that. */
#ifndef FORMATS_HPCRUN_MODULES_H
#define FORMATS_HPCRUN_MODULES_H

#include "base/vec.h"
#include "formats/hpcrun/decode.h"

struct hpcrun_lm {
    assay_slice path; /* borrowed from the file */
    assay_slice base; /* the part after the last slash */
    uint16_t id;      /* 0 where modules are found by address */
    uint64_t begin;   /* by address: the lowest one */
    uint64_t shift;   /* by address: what to subtract from it, modulo 2^64, for the address in the module */
    uint32_t owned;   /* the owner's number */
};

struct hpcrun_modules {
    struct mem *mem;
    VEC(struct hpcrun_lm) list;
    VEC(uint32_t) by_id;  /* index in the list + 1; 0 = none */
    VEC(uint32_t) sorted; /* indices by address, after hpcrun_modules_settle */
};

void hpcrun_modules_init(struct hpcrun_modules *t, struct mem *m);
void hpcrun_modules_done(struct hpcrun_modules *t);
/* Forgets the load map of the epoch before. */
void hpcrun_modules_clear(struct hpcrun_modules *t);
/* Of an id that comes twice the first one counts. Valid until the next one. NULL = no memory. */
struct hpcrun_lm *hpcrun_modules_add(struct hpcrun_modules *t, const struct hpcrun_module *m, enum hpcrun_variant variant);
/* After the last one, before hpcrun_modules_at. false = no memory. */
bool hpcrun_modules_settle(struct hpcrun_modules *t);

/* NULL = there is none. */
static inline const struct hpcrun_lm *hpcrun_modules_find(const struct hpcrun_modules *t, uint16_t id)
{
    return id < t->by_id.len && t->by_id.at[id] ? &t->list.at[t->by_id.at[id] - 1] : NULL;
}
/* The module with the greatest begin that is not above the address; NULL = there is none. */
const struct hpcrun_lm *hpcrun_modules_at(const struct hpcrun_modules *t, uint64_t address);

#endif
