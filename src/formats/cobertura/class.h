/* A class in work, and what is known of all: rows of one line are joined here, for the decoder and for check alike. */
#ifndef COBERTURA_CLASS_H
#define COBERTURA_CLASS_H

#include "formats/coverage/rows.h"

struct cobertura_row {
    uint64_t hits, off;
    uint32_t number, line, covered, total; /* total 0 = nothing is said of branches */
};
struct cobertura_rows {
    struct cobertura_row *at;
    size_t len, cap;
};
struct cobertura_method {
    uint64_t hits;
    uint32_t name, line; /* the first of its lines; 0 = none */
    bool has_hits;
};
/* Branches of a line, over all classes of the file. */
struct cobertura_sum {
    uint64_t key; /* file << 32 | line */
    uint32_t covered, total;
};

struct cobertura_class {
    struct mem *mem;
    struct cobertura_rows lines;        /* of the class; after the end: what counts, by line, each once */
    struct cobertura_rows method_lines; /* of its methods */
    VEC(struct cobertura_method) methods;
    VEC(struct cobertura_sum) sums; /* of all classes so far */
    bool from_methods;              /* the class has no lines of its own */
};

void cobertura_class_init(struct cobertura_class *c, struct mem *mem);
void cobertura_class_done(struct cobertura_class *c);
void cobertura_class_begin(struct cobertura_class *c);
/* FUNCTION, whose index is whether it has a count, and LINE. false = no memory */
bool cobertura_class_add(struct cobertura_class *c, const struct coverage_row *r);
/* Joins the rows of one line (the larger count), and keeps their branches for `file`. false = no memory */
bool cobertura_class_end(struct cobertura_class *c, uint32_t file);
/* Once all classes are there: each line of a file once, the larger numbers. */
void cobertura_class_join_sums(struct cobertura_class *c);

#endif
