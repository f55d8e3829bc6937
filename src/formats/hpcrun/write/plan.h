/* A sealed profile on its way to an image: what write.c and nodes.c share. */
#ifndef FORMATS_HPCRUN_WRITE_PLAN_H
#define FORMATS_HPCRUN_WRITE_PLAN_H

#include "formats/hpcrun/write/write.h"

struct plan {
    const assay_profile *p;
    struct hpcrun_image m;
    struct losses *losses;
    bool is_own;         /* the profile was read from a profile of hpcrun: its attributes, node numbers and addresses are ours */
    uint32_t *metric_of; /* by scope: metric of the image + 1; 0 = not written */
    uint32_t scope_count;
    uint32_t *id_of; /* by node of the model */
    uint32_t node_count;
    uint64_t made_addresses, made_places, merged_streams, rounded;
};

/* nodes.c */
int hpcrun_plan_nodes(struct plan *t, assay_error *err);
int hpcrun_plan_values(struct plan *t, assay_error *err);

/* Text as an attribute of the whole has it; {NULL, 0} = none. */
assay_slice hpcrun_plan_attribute(const assay_profile *p, const char *key);

#endif
