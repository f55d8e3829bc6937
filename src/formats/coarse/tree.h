/* The calls of a program in the order they were made, in memory that is bounded by what a picture can show (ASSAY_WANT_COARSE).
 *
 * Invocations come in the order they returned, callees before their callers, so that neither their depth nor the time of everything is known when they come.
 * They are written to a log (base/spill.h), which is then read from its end: callers first, from the last call to the first. What is as wide as a column of the
 * picture, or crosses an edge of the window, becomes a node. Narrower calls next to each other are merged into a chain with one node for each depth: the
 * function that took longest stands for all of them, and the time at each depth is kept. What is outside the window is one node without a function.
 *
 * Beside that, exactly and for the window alone: how long each function took itself and with what it called, or how long each calling context took itself. */
#ifndef FORMATS_COARSE_TREE_H
#define FORMATS_COARSE_TREE_H

#include "assay/build.h"
#include "assay/format.h"
#include "base/spill.h"

/* Columns that analysis/timeline/spans.c looks for: what is drawn, and total time by function. */
#define COARSE_DRAWN "drawn"
#define COARSE_TOTAL "total"

/* One stream. */
struct coarse_run {
    assay_stream_id stream;
    uint64_t end;          /* of its part of the log */
    size_t roots;          /* invocations that no caller has claimed */
    uint64_t total, calls; /* calls: of all of it */
};

struct coarse_tree {
    struct mem *mem;
    struct spill log;
    VEC(uint64_t) lengths; /* of invocations that no caller has claimed */
    VEC(struct coarse_run) runs;
    uint64_t calls;
};

/* What the lengths are. */
struct coarse_unit {
    assay_metric_id metric;
    enum assay_type type;
    double value; /* of the metric, in one unit of length */
    double ns;    /* in one unit of length; 0 = that is not known: the window is left alone */
};

void coarse_init(struct coarse_tree *t, struct mem *mem);
void coarse_done(struct coarse_tree *t);

/* An invocation of a function of the builder returns: the last `count` unclaimed ones are its calls. `length`: how long it took itself. Errors: MEMORY. */
int coarse_push(struct coarse_tree *t, assay_func_id func, uint64_t length, size_t count, assay_error *err);
/* The stream ends: unclaimed invocations are its roots. Errors: MEMORY. */
int coarse_end(struct coarse_tree *t, assay_stream_id stream, assay_error *err);
/* Makes nodes of everything that came. Errors: MEMORY, SYSTEM (the log cannot be read back). */
int coarse_build(struct coarse_tree *t, assay_builder *b, const struct coarse_unit *unit, const struct assay_read_options *options, assay_error *err);

#endif
