/* A shared library that is loaded when it is first used; src/late.py makes one of these for each library. It is never given back. */
#ifndef BASE_LATE_H
#define BASE_LATE_H

#include <stddef.h>

#include "base/error.h"

struct late_library {
    const char *soname;
    const char *const *names; /* of its functions */
    size_t count;
    void *table;   /* of as many pointers to functions */
    int is_loaded; /* written under the lock of late.c, and last */
};

/* Fills the table; once it is filled this costs a comparison. Several threads may call it. Errors: UNSUPPORTED: the library or one of the functions is not there. */
int late_load(struct late_library *l, assay_error *err);

#endif
