/* Internal to assay_filter_apply: which cost is meant, by names, places, streams and time. What each filter means is in docs/filters.md. */
#ifndef ANALYSIS_SELECT_SELECT_H
#define ANALYSIS_SELECT_SELECT_H

#include "analysis/core/frames.h"
#include "analysis/core/profile_copy.h"
#include "assay/analysis.h"
#include "assay/build.h"
#include "base/findings.h"

/* What a function matches. */
enum select_fit { SELECT_FOCUS = 1, SELECT_IGNORE = 2, SELECT_HIDE = 4, SELECT_SHOW = 8, SELECT_FROM = 16, SELECT_COLLAPSE = 32, SELECT_SELF = 64 };

#define SELECT_NO_STREAM PROFILE_COPY_NONE

struct select {
    struct mem mem;
    const struct assay_filter *filter;
    assay_profile *p; /* what is filtered */
    assay_builder *b; /* what is left */
    struct findings found;
    uint8_t *func;                                  /* by function: enum select_fit; [0] = of frames that have no name */
    uint8_t *file, *module;                         /* by id: matches; NULL = not asked for */
    uint32_t *stream;                               /* by stream: its id in what is left, or SELECT_NO_STREAM; [0] = what has no stream */
    uint32_t *metric;                               /* by metric: its id in what is left; 0 = not there */
    size_t funcs, files, modules, streams, metrics; /* lengths of the columns above */
    bool keeps_events;                              /* those over time are wanted */
    bool has_totals_only;                           /* nothing but what is left of each metric is wanted */
    uint8_t *seen;                                  /* by node: a chosen stream was in it while the window was open; NULL = the events say so */
    size_t nodes;                                   /* its length */
};

/* Whether names of functions or places of code are filtered, for which a tree is better than a graph. */
bool select_has_frames(const struct assay_filter *f);
/* Whether labels are. */
bool select_has_labels(const struct assay_filter *f);
/* Whether anything of cost is filtered. */
bool select_is_asked(const struct assay_filter *f);
/* What has to be read so that the filter can leave `want` (enum assay_want): filters of cost look at stacks where the input has them, at functions and calls
 * where it has none. */
uint32_t select_want(uint32_t want, const struct assay_filter *f);
/* What is left of `p`; `want` says whether events over time are, and whether totals will do. Errors as in assay_filter_apply. */
int select_apply(assay_profile *p, const struct assay_filter *filter, uint32_t want, assay_profile **out, assay_error *err);
/* assay_filter_apply for somebody who wants (enum assay_want) nothing else of it. */
int filter_apply(assay_profile *p, const struct assay_filter *filter, uint32_t want, assay_profile **out, assay_error *err);

/* ---- between the files of this module ---- */

/* Fills func, file, module, stream; what matches nothing becomes a warning. */
int select_match(struct select *s, assay_error *err);
void select_match_done(struct select *s);

/* Nodes and values, and the events that point to them. */
int select_tree(struct select *s, assay_error *err);

int select_graph(struct select *s, assay_error *err);
int select_lines(struct select *s, assay_error *err);
/* The part of `p` that happened in filter->time: contexts with the time that was spent in them, and the events where they are kept, else `seen`. Needs the
 * streams that are left. */
int select_time(struct select *s, assay_profile **out, assay_error *err);
/* The samples of `p` whose labels the filter means, with frames made of labels. Errors: UNSUPPORTED (there are no labels), USAGE, MEMORY. */
int select_labels(assay_profile *p, const struct assay_filter *filter, assay_profile **out, assay_error *err);
/* Sets `bit` in sets[s] of every set of labels that one of the expressions means; those that mean none are warnings. Errors: USAGE, MEMORY. */
int select_tags(const assay_profile *p, const char *const *texts, size_t count, uint8_t bit, uint8_t *sets, struct findings *found, struct mem *mem,
                assay_error *err);
/* Sets `bit` in state[node] of the nodes of functions that the filter names by their place in the tree. Errors: USAGE (an empty name), MEMORY. */
int select_places(struct select *s, const struct frames *f, uint8_t *state, uint8_t bit, assay_error *err);
/* Events; to[node] = the node that is left for it. */
int select_timeline(struct select *s, const uint32_t *to, assay_error *err);
/* Samples by labels of the streams and contexts that are left; labels and sets keep their ids. */
int select_samples(struct select *s, const uint32_t *to, assay_error *err);
/* Markers and counters of the streams that are left; `to` may be NULL where there is no tree. */
int select_moments(struct select *s, const uint32_t *to, assay_error *err);
/* "whole.METRIC": what the total of a metric was. */
void select_state_whole(assay_builder *b, assay_slice name, enum assay_type type, assay_wide total, double total_double);

/* The values of a tree that is left, answered from the profile that it was made of. */
struct select_column {
    assay_metric_id metric; /* of the source */
    assay_scope_id from;    /* the stored column that says most about single nodes */
    enum assay_scope_kind kind;
    enum assay_type type;
    assay_stat_id summary; /* of `from`, in the source; 0 = none */
};
struct select_values {
    struct mem mem;
    assay_profile *source;
    struct frames frames;
    uint32_t *to;                      /* by node of the source: the node that has its cost; 0 = none */
    size_t left;                       /* nodes that are left + 1 */
    bool is_one_to_one;                /* no two nodes became one */
    VEC(struct select_column) columns; /* scope id - 1 */
    VEC(uint32_t) stats;               /* stat id - 1 -> column */
    VEC(uint32_t) streams;             /* by stream that is left: that of the source, or SELECT_NO_STREAM */
};

/* Owned by the caller until it is given to a builder as backing. NULL = no memory. Keeps a reference to `p`. */
struct select_values *select_values_new(assay_profile *p, const struct assay_filter *filter, assay_error *err);
void select_values_free(void *self);
/* Which column to take a metric from; false = the tree does not have it. */
bool select_values_column(const assay_profile *p, assay_metric_id m, struct select_column *out);
extern const struct assay_backing select_values_backing;

/* Own cost of each node of the source in one column, over the streams that are left: calls fn with nodes of the source. */
int select_values_own(const struct select_values *v, size_t column, assay_cell_fn fn, void *arg, assay_error *err);

#endif
