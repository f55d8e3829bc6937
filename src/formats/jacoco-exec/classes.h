/* The classes of a file, each id once: blocks of one id are joined by "or", as JaCoCo joins runs. For read and check alike. */
#ifndef FORMATS_JACOCO_EXEC_CLASSES_H
#define FORMATS_JACOCO_EXEC_CLASSES_H

#include "base/index.h"
#include "base/intern.h"
#include "formats/jacoco-exec/decode.h"

struct jacoco_exec_class {
    uint64_t id, probes;
    uint32_t name; /* in `names` */
    size_t bits;   /* where its bytes begin in `bits` */
};
struct jacoco_exec_classes {
    struct mem *mem;
    struct intern names;
    VEC(uint32_t) first; /* by name: index of the first class that has it */
    VEC(struct jacoco_exec_class) list;
    VEC(unsigned char) bits;
    struct index by_id;
};

void jacoco_exec_classes_init(struct jacoco_exec_classes *k, struct mem *mem);
void jacoco_exec_classes_done(struct jacoco_exec_classes *k);
/* Adds a block of kind CLASS. JE-5: the name has another id already, so that it is of another build; JE-7: other number of probes. false = no memory */
bool jacoco_exec_classes_add(struct jacoco_exec_classes *k, const struct jacoco_exec_record *r, struct findings *out);
/* Whether probe i of class c was run. */
static inline bool jacoco_exec_classes_hit(const struct jacoco_exec_classes *k, const struct jacoco_exec_class *c, uint64_t i)
{
    return k->bits.at[c->bits + i / 8] >> (i % 8) & 1;
}
uint64_t jacoco_exec_classes_hits(const struct jacoco_exec_classes *k, const struct jacoco_exec_class *c);

#endif
