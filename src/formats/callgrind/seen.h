/* Distinct source lines, which `info` counts. Lines of a file are dense, so each file has a bit for each line; the few that lie far out are hashed. */
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

struct cg_seen {
    struct mem *mem;
    uint64_t near_lines;
    VEC(struct cg_bits) files; /* by name handle: a bit for each line */
    struct cg_keys far_lines;
};

void cg_seen_init(struct cg_seen *s, struct mem *m);
void cg_seen_done(struct cg_seen *s);
/* false = no memory. */
bool cg_seen_line(struct cg_seen *s, uint32_t file, uint32_t line);
/* Room for a line of a file, unless it lies far out. */
bool cg_seen_reach(struct cg_seen *s, uint32_t file, uint32_t line);
/* Adds what another one has seen, whose file handles are names[...] here. */
bool cg_seen_add(struct cg_seen *s, const struct cg_seen *more, const uint32_t *names);
static inline uint64_t cg_seen_lines(const struct cg_seen *s) { return s->near_lines + s->far_lines.len; }

#endif
