/* Functions of the model for places of a profile: a module and an address, or a placeholder. A table of its own in front of the
 * builder's finds those that were met before without making up their names again. */
#ifndef FORMATS_HPCRUN_FUNCS_H
#define FORMATS_HPCRUN_FUNCS_H

#include "assay/build.h"
#include "base/fetch.h"
#include "base/index.h"
#include "base/slice.h"

/* A place and its function, so that a look takes one line of the cache. */
struct hpcrun_func_slot {
    uint64_t address;
    uint32_t space; /* the module of the model, or SPECIAL and a load map id */
    uint32_t func;  /* 0 = free */
};

struct hpcrun_funcs {
    struct mem *mem;
    assay_builder *b;
    struct hpcrun_func_slot *slots;
    uint32_t mask; /* slots - 1; 0 = nothing allocated */
    uint32_t count;
    bool failed; /* no memory; the functions are then 0 */
};

void hpcrun_funcs_init(struct hpcrun_funcs *t, struct mem *m, assay_builder *b);
void hpcrun_funcs_done(struct hpcrun_funcs *t);
static inline uint64_t hpcrun_func_hash(uint32_t space, uint64_t address) { return hash_mix(hash_mix(address, 0), space); }
/* A place will be asked for soon. */
static inline void hpcrun_func_soon(const struct hpcrun_funcs *t, assay_module_id module, uint64_t address)
{
    if (t->slots) fetch(&t->slots[hpcrun_func_hash(module.v, address) & t->mask]);
}
/* `base`+0xADDRESS in a module. */
assay_func_id hpcrun_func_in(struct hpcrun_funcs *t, assay_module_id module, assay_slice base, uint64_t address);
/* What stands for no code: module 0 (the eight characters of `ip`), a GPU range or context, or a module that is not in the load map. The
 * function's offset is `ip`, its flags are `lm`. */
assay_func_id hpcrun_func_special(struct hpcrun_funcs *t, uint16_t lm, uint64_t ip);
/* Of versions before 04.00: ip 0 = root of complete unwinds, 1 = of partial ones; else an address in no module. */
assay_func_id hpcrun_func_root(struct hpcrun_funcs *t, uint64_t ip);

/* The eight characters of a placeholder, unprintable ones as \xx: up to 24 bytes, not terminated. Returns the length. */
size_t hpcrun_placeholder_text(uint64_t ip, char *out);
/* What people call a placeholder ("<program root>"); NULL = not one of the known ones. */
const char *hpcrun_placeholder_name(uint64_t ip);

/* Eight characters as an address, for comparing. */
#define HPCRUN_PLACEHOLDER(text)                                                                                                                               \
    ((uint64_t)(unsigned char)(text)[0] << 56 | (uint64_t)(unsigned char)(text)[1] << 48 | (uint64_t)(unsigned char)(text)[2] << 40 |                          \
     (uint64_t)(unsigned char)(text)[3] << 32 | (uint64_t)(unsigned char)(text)[4] << 24 | (uint64_t)(unsigned char)(text)[5] << 16 |                          \
     (uint64_t)(unsigned char)(text)[6] << 8 | (uint64_t)(unsigned char)(text)[7])

#endif
