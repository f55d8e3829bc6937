/* Functions of a record while it is read: FN and FNDA are paired by name when the record ends. */
#ifndef LCOV_READ_H
#define LCOV_READ_H

#include "assay/build.h"
#include "base/index.h"
#include "base/vec.h"

struct lcov_definition {
    uint32_t name;
    assay_func_id func;
    uint32_t next; /* the next of the same name in the record, plus 1 */
};
struct lcov_calls {
    uint64_t count;
    uint32_t name;
    uint32_t next;
};
/* By name: its definitions and calls in the record in work, as chains of places plus 1. */
struct lcov_name {
    uint32_t first_def, last_def, defs;
    uint32_t first_calls, last_calls, calls;
};
/* A function of the file, for an FNDA whose FN stands in an earlier record. Those of one name are a chain, whose head is in the index. */
struct lcov_known {
    uint32_t file, name;
    assay_func_id func;
    uint32_t next;        /* plus 1 */
    uint32_t last, count; /* of the head: where its chain ends, how long it is */
};

struct lcov_pairing {
    assay_builder *b;
    struct mem *mem;
    assay_str_id test;
    assay_file_id file;
    VEC(struct lcov_definition) defs;
    VEC(struct lcov_calls) calls;
    VEC(struct lcov_name) names; /* by string id */
    uint32_t record;             /* number of the record in work, from 1 */
    VEC(uint32_t) defined_in;    /* by function: the last record that defines it; 0 = none yet */
    VEC(struct lcov_known) known;
    struct index known_index; /* only made when it is needed */
    size_t known_indexed;
};

void lcov_pairing_init(struct lcov_pairing *p, assay_builder *b, struct mem *mem);
void lcov_pairing_done(struct lcov_pairing *p);
/* false = no memory */
bool lcov_pairing_define(struct lcov_pairing *p, assay_str_id name, uint32_t line, uint32_t end_line);
bool lcov_pairing_call(struct lcov_pairing *p, assay_str_id name, uint64_t count);
/* Books the functions of the record that ends. */
bool lcov_pairing_end(struct lcov_pairing *p);

#endif
