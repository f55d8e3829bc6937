/* Distinct source lines and call edges, which `info` counts. Lines of a file are dense, so each file has a bit for each line; the few that lie far
 * out, and the edges, are hashed. */
#ifndef CALLGRIND_SEEN_H
#define CALLGRIND_SEEN_H

#include "base/index.h"
#include "base/vec.h"

/* Distinct keys. */
struct cg_keys {
    uint64_t *at;
    size_t len, cap;
    struct index index;
};

struct cg_bits {
    uint64_t *at;
    size_t len, cap;
};

/* What is known of a function's calls. */
struct cg_caller {
    uint32_t newest; /* the newest caller of it */
    uint32_t begin;  /* where its own edges begin, from 1, while they are in a row; then CG_EDGES_INDEXED */
};

struct cg_seen {
    struct mem *mem;
    VEC(struct cg_caller) callers; /* by function */
    uint32_t newest_caller;        /* of the newest edge */
    bool is_first_run;             /* it has no other edges than the newest in a row */
    uint64_t near_lines;
    VEC(struct cg_bits) files;       /* by name handle: a bit for each line */
    struct cg_keys far_lines, edges; /* only edges of callers that came again are in the index */
};

void cg_seen_init(struct cg_seen *s, struct mem *m);
void cg_seen_done(struct cg_seen *s);
/* false = no memory. */
bool cg_seen_line(struct cg_seen *s, uint32_t file, uint32_t line);
bool cg_seen_edge(struct cg_seen *s, uint32_t caller, uint32_t callee);
/* Adds what another one has seen, whose file handles are names[...] here. */
bool cg_seen_add(struct cg_seen *s, const struct cg_seen *more, const uint32_t *names);
static inline uint64_t cg_seen_lines(const struct cg_seen *s) { return s->near_lines + s->far_lines.len; }

#endif
