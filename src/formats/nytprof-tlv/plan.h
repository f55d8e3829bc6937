/* A sealed profile turned into the tables of a chunked stream: what write.c only has to encode. */
#ifndef FORMATS_NYTPROF_TLV_PLAN_H
#define FORMATS_NYTPROF_TLV_PLAN_H

#include "base/index.h"
#include "base/vec.h"
#include "formats/format.h"

/* One unit of a metric in ticks of 100 ns: num / den. */
struct tlv_scale {
    uint64_t num, den;
    bool is_time; /* false = the unit is none: figures are taken for ticks as they are */
    enum assay_type type;
};

/* A record of S or C to be: (first, second) = fid and line, or ids of caller and callee (0 = outside). */
struct tlv_row {
    uint32_t first, second;
    uint64_t calls, total, self;
};
struct tlv_rows {
    VEC(struct tlv_row) list;
    struct index index;
};

struct tlv_plan {
    const assay_profile *p;
    const struct assay_graph *g;
    const struct assay_lines *l;
    const struct assay_funcs *funcs;
    const struct assay_files *files;
    const struct write_job *job;
    struct mem *mem;

    uint32_t graph_metric, line_metric; /* columns of the blocks */
    struct tlv_scale graph_scale, line_scale;
    struct tlv_rows lines; /* first = file id, 0 = unknown */
    struct tlv_rows calls; /* first, second = function ids */
    uint32_t *sid;         /* by function id; [0] is the sub that stands for the outside */
    uint32_t *order;       /* functions as they are written: ids */
    bool has_outside, has_unknown_file, keeps_sids;

    uint64_t rounded, negative, saturated, shared; /* figures that could not be kept */
};

/* Reads the profile; errors: MEMORY, USAGE (no such metric), UNSUPPORTED (nothing to write). tlv_plan_done in every case. */
int tlv_plan_make(struct tlv_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err);
void tlv_plan_done(struct tlv_plan *plan);
/* plan_losses.c: names what a stream has no room for. */
void tlv_plan_losses(const struct tlv_plan *plan);
/* plan_scale.c: what a metric's unit is in ticks. */
struct tlv_scale tlv_scale_of(const assay_profile *p, assay_metric_id m);
/* The value in ticks; counts what could not be kept. */
uint64_t tlv_plan_ticks(struct tlv_plan *plan, const struct tlv_scale *scale, assay_value v);

/* The number that a file is written under. Perl's streams count from 1, and keep theirs. */
uint32_t tlv_plan_fid(const struct tlv_plan *plan, uint32_t file);
/* The last value of an attribute of the whole, {NULL, 0} = there is none. */
assay_slice tlv_plan_attribute(const assay_profile *p, const char *key);

#endif
