/* Writing: what the profile holds of each line, joined over tests and instances, by file and line. */
#ifndef COBERTURA_WRITE_H
#define COBERTURA_WRITE_H

#include "base/vec.h"
#include "formats/cobertura/cobertura.h"

struct cobertura_out_line {
    uint64_t key; /* file << 32 | line */
    uint64_t hits;
    bool only_hit;
};
struct cobertura_out_branch {
    uint64_t key;
    int64_t target;
    uint32_t func, block, name, index, column, end_line, end_column;
    bool is_hit;
};
struct cobertura_out_sum {
    uint64_t key;
    uint64_t covered, total;
};
struct cobertura_out_func {
    uint64_t key; /* file << 32 | first line */
    uint64_t calls;
    uint32_t func;
};

/* Each sorted by key, each thing once. */
struct cobertura_plan {
    struct mem *mem;
    VEC(struct cobertura_out_line) lines;
    VEC(struct cobertura_out_branch) branches;
    VEC(struct cobertura_out_sum) sums; /* branches counted, and sums of the profile */
    VEC(struct cobertura_out_func) funcs;
};

/* false = no memory; cobertura_plan_free in any case. */
bool cobertura_plan_make(struct cobertura_plan *plan, const assay_profile *p, struct mem *mem);
void cobertura_plan_free(struct cobertura_plan *plan);

static inline uint64_t cobertura_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

#endif
