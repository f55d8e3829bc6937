/* A class in work, and what is known of all: rows of one line are joined here, for read and for check alike. */
#ifndef COBERTURA_CLASS_H
#define COBERTURA_CLASS_H

#include "formats/cobertura/decode.h"

struct cobertura_row {
    uint64_t hits, off, number;
    uint32_t line, covered, total;
    bool has_sum;
};
struct cobertura_rows {
    struct cobertura_row *at;
    size_t len, cap;
};
struct cobertura_method {
    size_t name, name_len; /* name and signature, in `text` */
    uint64_t hits, off, number;
    uint32_t line; /* the first of its lines; 0 = none */
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
    VEC(char) text;
    VEC(struct cobertura_sum) sums; /* of all classes so far */
    uint64_t off, number;           /* of the class */
    bool from_methods;              /* the class has no lines of its own */
};

void cobertura_class_init(struct cobertura_class *c, struct mem *mem);
void cobertura_class_done(struct cobertura_class *c);
void cobertura_class_begin(struct cobertura_class *c, const struct cobertura_record *r);
/* METHOD and LINE. false = no memory */
bool cobertura_class_add(struct cobertura_class *c, const struct cobertura_record *r);
/* Joins the rows of one line (the larger count), and keeps their branches for `file`. false = no memory */
bool cobertura_class_end(struct cobertura_class *c, uint32_t file);
/* Once all classes are there: each line of a file once, the larger numbers. */
void cobertura_class_join_sums(struct cobertura_class *c);
static inline assay_slice cobertura_method_name(const struct cobertura_class *c, const struct cobertura_method *m)
{
    return (assay_slice){ c->text.at + m->name, m->name_len };
}

#endif
