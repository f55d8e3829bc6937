/* What writers of call stacks in JSON share: the tree by functions, self cost by stream, which metrics are written, what is lost, and stacks that are
 * estimated where the profile has a call graph alone. */
#ifndef FORMATS_STACKS_STACKS_H
#define FORMATS_STACKS_STACKS_H

#include "analysis/core/frames.h"
#include "base/json.h"
#include "formats/format.h"

struct stacks {
    const assay_profile *p;
    const struct write_job *job;
    struct output *out;
    assay_error *err;
    struct frames frames; /* owner[node] is the function node that a node belongs to */
    assay_metric_id *metrics;
    uint32_t metric_count; /* those of the tree, or the one that was asked for */
    bool is_estimated;
};

typedef int (*stacks_fn)(struct stacks *s);
/* Calls `write` with the tree of the profile, or with an estimate of it. `name` is that of the target, for messages. Errors: UNSUPPORTED (there are neither
 * stacks nor calls, or the estimate is refused), USAGE (--metric), those of write, memory. */
int stacks_write(const assay_profile *p, const struct write_job *job, struct output *out, const char *name, stacks_fn write, assay_error *err);
/* Of a format: a tree with times, or a graph to estimate one from. */
uint32_t stacks_wants(const struct assay_write_options *options, const char *version);

/* The function of a function node; 0 = none is known. */
static inline uint32_t stacks_func(const struct stacks *s, uint32_t node) { return node && s->frames.tree->func ? s->frames.tree->func[node].v : 0; }
/* The function node that called a function node; 0 = it is a root. */
static inline uint32_t stacks_above(const struct stacks *s, uint32_t node) { return s->frames.owner[frames_parent(&s->frames, node)]; }
/* "<unknown>" for function 0. */
assay_slice stacks_name(const struct stacks *s, uint32_t func);
/* {NULL, 0} = none is known. */
assay_slice stacks_file(const struct stacks *s, uint32_t func);

/* Whether a stream has figures of a metric. Where streams are not told apart all are in stream 0. */
bool stacks_has_values(const struct stacks *s, assay_stream_id stream, assay_metric_id m);
/* What each function node of a stream costs itself, into `self` (of frames.len zeros); other nodes have 0. *any = some figure is not 0. */
int stacks_self(const struct stacks *s, assay_stream_id stream, assay_metric_id m, struct sums *self, bool *any);

/* Names what no such target has, and that stacks are estimated. */
void stacks_note_losses(const struct stacks *s);

/* How many metrics have the unit of another one, or with has_times_alike any unit of time too: targets whose profiles have a unit each tell them apart by the
 * name of the profile alone. */
uint32_t stacks_metrics_alike(const struct stacks *s, bool has_times_alike);
/* A number as JSON: whole ones without a fraction. */
void stacks_put_number(struct json *j, double v);

#endif
