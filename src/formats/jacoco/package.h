/* A package in work: its classes stand before its source files, and which file a class belongs to is known at its end. */
#ifndef JACOCO_PACKAGE_H
#define JACOCO_PACKAGE_H

#include "base/intern.h"
#include "base/vec.h"

struct jacoco_text {
    size_t at, len; /* in `text` */
};
struct jacoco_class {
    struct jacoco_text name, source;
    uint64_t off, number;
    uint32_t file; /* set at the end: id of the path, 0 = none of the package's source files is its own */
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
/* Empties it. These and the next: false = no memory. */
bool jacoco_package_begin(struct jacoco_package *p, assay_slice name);
bool jacoco_package_class(struct jacoco_package *p, assay_slice name, assay_slice source, uint64_t off, uint64_t number);
/* Of the class added last. */
bool jacoco_package_method(struct jacoco_package *p, assay_slice name, assay_slice desc, uint32_t line);
/* Whether the method added last was run. */
void jacoco_package_run(struct jacoco_package *p, bool is_hit);
/* A source file: its path, package/name, is `path` until the next one; the caller says by what id it knows it. */
bool jacoco_package_source(struct jacoco_package *p, assay_slice name);
void jacoco_package_file(struct jacoco_package *p, uint32_t file);
/* Finds the file of each class: by its sourcefilename, else by its outermost name, else the only one there is. */
void jacoco_package_end(struct jacoco_package *p);

static inline assay_slice jacoco_package_text(const struct jacoco_package *p, struct jacoco_text t)
{
    return (assay_slice){ p->text.at ? p->text.at + t.at : "", t.len };
}

#endif
