/* A package in work: its classes stand before its source files, and which file a class belongs to is known at its end. For read and check. */
#ifndef JACOCO_PACKAGE_H
#define JACOCO_PACKAGE_H

#include "base/intern.h"
#include "formats/jacoco/decode.h"

struct jacoco_text {
    size_t at, len; /* in `text` */
};
struct jacoco_class {
    struct jacoco_text name, source;
    uint64_t off, number;
    uint32_t file; /* of the caller; set at the end, 0 = none of the package's source files is its own */
};
struct jacoco_method {
    struct jacoco_text name; /* class.method and desc */
    uint32_t owner, line;    /* index of its class */
    bool is_hit;
};
struct jacoco_source {
    struct jacoco_text name;
    uint32_t file;
};
struct jacoco_package {
    struct mem *mem;
    struct jacoco_text name;
    VEC(char) text;
    VEC(struct jacoco_class) classes;
    VEC(struct jacoco_method) methods;
    VEC(struct jacoco_source) sources;
    struct intern names, stems;     /* of source files, with and without extension */
    VEC(uint32_t) by_name, by_stem; /* by id: index of the first source file that has it */
    VEC(char) path;                 /* of the source file added last */
};

void jacoco_package_init(struct jacoco_package *p, struct mem *mem);
void jacoco_package_done(struct jacoco_package *p);
/* Takes records of kind PACKAGE (which empties it), CLASS, METHOD, SOURCE, and COUNTER of a method; others are none of its business. false = no memory */
bool jacoco_package_add(struct jacoco_package *p, const struct jacoco_record *r);
/* The path of the source file added last: package/name; the caller says what it knows it by. */
assay_slice jacoco_package_path(const struct jacoco_package *p);
void jacoco_package_file(struct jacoco_package *p, uint32_t file);
/* Finds the file of each class: by its sourcefilename, else by its outermost name, else the only one there is. */
void jacoco_package_end(struct jacoco_package *p);

static inline assay_slice jacoco_package_text(const struct jacoco_package *p, struct jacoco_text t)
{
    return (assay_slice){ p->text.at ? p->text.at + t.at : "", t.len };
}

#endif
