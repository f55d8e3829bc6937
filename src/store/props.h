/* Properties of a build: a name and a string, a whole number or a boolean. Stored as JSON members without the braces. */
#ifndef STORE_PROPS_H
#define STORE_PROPS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

enum prop_kind { PROP_TEXT, PROP_NUMBER, PROP_BOOL };
struct prop {
    assay_slice name, text; /* of PROP_TEXT */
    enum prop_kind kind;
    int64_t number; /* 0 or 1 of PROP_BOOL */
};
struct props {
    struct mem *mem;
    struct arena text;
    VEC(struct prop) at;
};

void props_init(struct props *p, struct mem *mem);
void props_done(struct props *p);
/* Members as they are stored. What cannot be understood ends it; a repeated name keeps its place and takes the new value. Errors: MEMORY. */
int props_parse(struct props *p, assay_slice propset, assay_error *err);
/* NAME=VALUE of the command line. Errors: USAGE (no name), MEMORY. */
int props_add(struct props *p, const char *typed, assay_error *err);
/* By name. */
void props_sort(struct props *p);
/* As it is stored; from the arena of `p`; {NULL, 0} = no memory. */
assay_slice props_text(struct props *p);
/* Whether all of `wanted` are in `p` with the same values. */
bool props_have(const struct props *p, const struct props *wanted);
/* Whether two sets as they are stored have the same properties, in whatever order. Errors: MEMORY. */
int props_same(assay_slice a, assay_slice b, struct mem *mem, bool *out, assay_error *err);

#endif
