/* Samples inside GPU kernels whose call path was not recorded: the paths are rebuilt from the kernel's call graph and the samples divided among
 * them (docs/formats/hpcrun-measurements.md). For one profile at a time: its points in GPU code are noted while nodes and values are read, and
 * built at the end. */
#ifndef FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_REBUILD_H
#define FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_REBUILD_H

#include "formats/hpcrun/hpcrun-measurements/callpaths.h"
#include "formats/hpcrun/hpcrun-measurements/expand.h"
#include "formats/hpcrun/read.h"

/* A node in a module that has a call graph. */
struct rebuild_point {
    assay_node_id parent;
    uint32_t module, function; /* 0 = not known */
    uint64_t address;
    bool is_lost;             /* nobody knows how it got there */
    double launched, sampled; /* of a kernel: how often it ran, and how often it was looked at */
    double executed;          /* how often the instruction was sampled */
    uint32_t last_value;      /* number in `values`; 0 = none */
};
struct rebuild_value {
    uint32_t row; /* of the metric table */
    assay_value value;
    uint32_t before; /* the value of the same point before it; 0 = none */
};

struct rebuild {
    struct mem *mem;
    struct expand *expand;
    bool compat;
    VEC(struct callpaths *) graphs; /* by module number - 1 of `expand`; NULL = not looked at */
    VEC(struct rebuild_point) points;
    VEC(struct rebuild_value) values;
    /* Working memory of rebuild_finish. */
    VEC(uint32_t) order, launches;
    VEC(double) weights;
    VEC(uint32_t) by_steps;
    VEC(struct expand_context) contexts;
};

void rebuild_init(struct rebuild *r, struct mem *mem, struct expand *expand, bool compat);
void rebuild_done(struct rebuild *r);
/* A new profile begins. */
void rebuild_begin(struct rebuild *r);

/* Whether the module has a call graph. */
int rebuild_has_calls(struct rebuild *r, uint32_t module, bool *out, assay_error *err);
/* Notes a node of such a module; *number is from 1. */
int rebuild_point(struct rebuild *r, assay_node_id parent, uint32_t module, uint64_t address, bool is_lost, uint32_t *number, assay_error *err);
/* Notes a value of a point. Values of lost points are kept for rebuild_finish. false = no memory. */
bool rebuild_value(struct rebuild *r, const struct hpcrun_metrics *metrics, uint32_t number, uint32_t row, assay_value value);
/* Builds the contexts of all lost points and books their values. Errors: MEMORY. */
int rebuild_finish(struct rebuild *r, const struct hpcrun_metrics *metrics, assay_stream_id stream, assay_error *err);

#endif
