/* Interned strings: equal bytes get one id. Ids are dense from 1 in the order of first use; 0 stands for "none". */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"

struct intern {
    struct arena text;
    struct index index;
    VEC(assay_slice) strings; /* [0] is the none string */
    uint32_t last;            /* the id that was given last */
};

void intern_init(struct intern *in, struct mem *m);
void intern_done(struct intern *in);
/* The id of a copy of `s` (an empty string is a string like any other), or 0 = no memory. */
uint32_t intern_put(struct intern *in, assay_slice s);
/* The id, or 0 = never put. */
uint32_t intern_find(const struct intern *in, assay_slice s);
/* Terminated by a NUL that does not count; {NULL, 0} for id 0. Borrowed until intern_done. */
static inline assay_slice intern_get(const struct intern *in, uint32_t id) { return id < in->strings.len ? in->strings.at[id] : (assay_slice){ NULL, 0 }; }
static inline uint32_t intern_count(const struct intern *in) { return in->strings.len ? (uint32_t)(in->strings.len - 1) : 0; }

#endif
