/* Calling contexts by function, as flame graphs and folded stacks show them: lines, loops and instructions belong to the function that they are in, and the
 * calls of one function from one context are one row. And contexts estimated from a call graph; docs/flame.md says how. */
#ifndef ASSAY_PATHS_H
#define ASSAY_PATHS_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a function below itself, in rows from the root on (without `callers`). */
enum assay_recursion {
    ASSAY_RECURSION_KEEP = 0,
    ASSAY_RECURSION_NO_DIRECT = 1, /* a call of a function by itself is part of the caller */
    ASSAY_RECURSION_NONE = 2       /* so is any call of a function that is further up: what it calls stands below that one */
};

struct assay_paths_options {
    size_t size;        /* sizeof(struct assay_paths_options); every member after it may be 0 */
    const char *metric; /* one metric, or a formula that only adds metrics up; NULL = the default */
    bool callers;       /* the other way round: functions by their self cost, and below each its callers */
    bool estimate;      /* a profile with a call graph and no contexts gets estimated ones (assay_estimate_new) */
    double least;       /* share of the whole that a row must have; 0 = any */
    enum assay_recursion recursion;
};

/* Rows from 1, each before what is below it, siblings from the largest total on; number 0 stands for the whole. Everything is borrowed from it until it is
 * freed. */
typedef struct assay_paths {
    const assay_profile *profile; /* whose ids these are: the one that was given, or one that was made of it and is owned here */
    bool is_estimated;            /* contexts are a guess */
    assay_metric_id metric;
    enum assay_type type; /* of self and total */
    uint32_t count;
    uint32_t deepest;          /* depth of the deepest row */
    const uint32_t *parent;    /* 0 = a root */
    const uint32_t *depth;     /* from 1 */
    const uint32_t *end;       /* the rows below a row are those after it and before this number */
    const uint8_t *kind;       /* enum assay_node_kind: FUNCTION, INLINED, ENTRY */
    const assay_func_id *func; /* 0 = not known */
    const assay_slice *name;   /* "<unknown>" where there is none */
    const uint64_t *calls;
    const assay_value *self;  /* what assay_top counts as self; 0 with `callers` */
    const assay_value *total; /* with all below it; with `callers` the self cost of the function at the end of the path when it was called this way */
} assay_paths;

/* Options may be NULL. *out is owned by the caller; free it before the profile is released. Memory in proportion to nodes. Errors: MEMORY, USAGE (no such
 * metric), UNSUPPORTED (there are no contexts, nor what they could be estimated from), those of stored values. */
ASSAY_API int assay_paths_new(const assay_profile *p, const struct assay_paths_options *options, assay_paths **out, assay_error *err);
ASSAY_API void assay_paths_free(assay_paths *paths);

struct assay_estimate_options {
    size_t size;         /* sizeof(struct assay_estimate_options); every member after it may be 0 */
    const char *metric;  /* by whose cost contexts are ranked; NULL = the default */
    uint32_t max_nodes;  /* 0 = 100000; functions without a context come on top */
    uint64_t max_memory; /* bytes; 0 = no limit */
};

/* Contexts guessed from a call graph: a callee's cost is divided among its callers as the costs of their calls are. Self costs and totals of functions stay
 * what the graph says, and a function with one caller is exact. *out is a profile of its own with a tree and the names of `p`, with the same ids of functions;
 * its attribute "estimated" says so. The caller releases it. Options may be NULL. Errors: MEMORY, USAGE (no such metric), UNSUPPORTED (there is no graph with
 * calls). */
ASSAY_API int assay_estimate_new(const assay_profile *p, const struct assay_estimate_options *options, assay_profile **out, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
