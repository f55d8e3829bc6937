/* The sealed profile: the public tables, and what owns their memory. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "assay/build.h"
#include "base/findings.h"
#include "base/intern.h"
#include "model/values.h"

struct owned_block {
    void *at;
    size_t len;
};

struct assay_profile {
    struct mem mem;
    _Atomic uint32_t refs;
    struct intern strings;
    struct findings warnings;
    VEC(struct owned_block) blocks;     /* every column below */
    uint32_t format, version, producer; /* strings */
    uint32_t shapes, offers;
    unsigned threads; /* what it was read with; figures that are made of it may take as many; 0 = one */

    struct assay_modules modules;
    struct assay_files files;
    struct assay_funcs funcs;
    struct assay_metrics metrics;
    struct assay_scopes scopes;
    struct assay_stats stats;
    struct assay_streams streams;
    struct assay_tree tree;
    struct assay_graph graph;
    struct assay_lines lines;
    struct assay_timeline timeline;
    struct assay_labels labels;
    struct assay_markers markers;
    struct assay_counters counters;
    struct assay_coverage coverage;
    struct assay_attributes attributes;
    struct assay_counts counts;

    VEC(struct value_run) runs; /* by stream; shorter when the last streams have no values */
    struct value_run summary;
    bool has_backing; /* then the runs are empty */
    struct assay_backing backing;
    void *backing_self;

    struct share *share; /* of a team: model/share.h; NULL = it is a whole */

    /* Whose names, tables and warnings these are: then only the strings and the blocks are its own. NULL = all is. */
    assay_profile *base;
};

/* What is left of the memory that the profile was allowed, for what is computed from it; 0 = no limit. */
static inline size_t profile_room(const assay_profile *p)
{
    size_t used = atomic_load_explicit(&p->mem.used, memory_order_relaxed);
    return !p->mem.limit ? 0 : p->mem.limit > used ? p->mem.limit - used : 1;
}
/* Frees everything, the profile included. */
void profile_free(assay_profile *p);

#endif
