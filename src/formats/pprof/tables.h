/* The tables of a profile, which samples refer to by id, and the rules that they and samples follow: reader and check find the same. */
#ifndef FORMATS_PPROF_TABLES_H
#define FORMATS_PPROF_TABLES_H

#include "base/index.h"
#include "formats/pprof/decode.h"
#include "formats/stacks/grow.h"

/* Ids, which may be any numbers -> rows from 0: an array where they are dense. */
struct pprof_ids {
    VEC(uint64_t) ids;
    uint32_t *dense; /* by id: row + 1; NULL = use the index */
    size_t len;
    struct index sparse;
};
/* GROW_NO_ROW = there is no such id. */
uint32_t pprof_row(const struct pprof_ids *ids, uint64_t id);

struct pprof_tables {
    struct mem *mem;
    VEC(assay_slice) strings;
    VEC(struct pprof_value_type) types;
    VEC(struct pprof_mapping) mappings;
    VEC(struct grow_mapping) modules; /* by mapping */
    VEC(struct grow_location) locations;
    VEC(struct grow_line) lines;
    VEC(struct grow_function) functions;
    VEC(uint64_t) comments;
    struct pprof_ids mapping_ids, location_ids, function_ids;
    uint64_t scalar[PPROF_FIELDS];
    struct pprof_value_type period_type;
    uint64_t samples;
    uint64_t inlined; /* locations with several lines */
};

/* Reads the tables; the decoder stands at its beginning before, and at its end after. Everything that breaks a rule is in d->damage. Errors: MEMORY, CANCELLED. */
int pprof_tables_load(struct pprof_tables *t, struct pprof_decoder *d, assay_error *err);
void pprof_tables_done(struct pprof_tables *t);

/* The text of a string; empty where there is none. */
static inline assay_slice pprof_text(const struct pprof_tables *t, uint64_t id) { return id < t->strings.len ? t->strings.at[id] : (assay_slice){ "", 0 }; }

/* Has a sample a value for each type? Number from 1. */
bool pprof_values_fit(const struct pprof_tables *t, const struct pprof_record *r, uint64_t number, struct findings *damage);
/* Are its locations all there? */
bool pprof_stack_fits(const struct pprof_tables *t, const struct pprof_record *r, uint64_t number, struct findings *damage);
/* Is this a label? */
bool pprof_label_fits(const struct pprof_tables *t, const struct pprof_label *l, uint64_t off, uint64_t number, struct findings *damage);

#endif
