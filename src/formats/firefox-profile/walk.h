/* What the two halves of the parser share: decode.c goes over objects, columns.c over tables. */
#ifndef FORMATS_FIREFOX_PROFILE_WALK_H
#define FORMATS_FIREFOX_PROFILE_WALK_H

#include "base/error.h"
#include "base/slice.h"
#include "formats/coverage/json.h"
#include "formats/firefox-profile/decode.h"

struct firefox_walker {
    struct coverage_json j;
    firefox_fn fn;
    void *arg;
    assay_error *err;
    struct mem *mem;
    VEC(char) key; /* of the member at hand; its text is gone when the value comes */
    uint64_t key_off, key_line;
    struct output *nested; /* an object or array inside the data of a marker, as text */
};

int firefox_give(struct firefox_walker *w, struct firefox_record r);
/* In an object: goes to the value of the next key. *has = false: the object, or what can be understood, is over. */
int firefox_next_key(struct firefox_walker *w, bool *has);
assay_slice firefox_key(const struct firefox_walker *w);
/* The value at hand as a record, unless it is null; objects and arrays are passed over. */
int firefox_give_member(struct firefox_walker *w, enum firefox_part part, enum firefox_table table);
int firefox_walk_table(struct firefox_walker *w, enum firefox_table table, const char *what);

#endif
