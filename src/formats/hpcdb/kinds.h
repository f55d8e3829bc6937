/* Names of the kinds of identifiers: the eight that every database has, or those that the input's meta.db lists; others that streams use are
 * added. The number of a kind is its place. */
#ifndef FORMATS_HPCDB_KINDS_H
#define FORMATS_HPCDB_KINDS_H

#include "formats/hpcdb/plan.h"

enum { KIND_NODE = 1, KIND_THREAD = 3, KINDS_MAX = 127 };

struct hpcdb_kinds {
    assay_slice names[KINDS_MAX]; /* borrowed from the profile */
    uint16_t count;
};
/* Errors: UNSUPPORTED (more than 127). */
int hpcdb_kinds_init(struct hpcdb_kinds *k, const struct hpcdb_plan *plan, assay_error *err);
/* The number of a name; KINDS_MAX = it has none. */
uint16_t hpcdb_kinds_find(const struct hpcdb_kinds *k, assay_slice name);

#endif
