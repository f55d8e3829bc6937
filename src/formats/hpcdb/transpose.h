/* Values of profile.db by context: reads the blocks back from the file, a window for each profile, so that the memory depends on how many profiles
 * there are, not on how many values. Windows go forward only: every block is in the order of contexts. The summary is made on the way, because
 * here all values of a context stand side by side. One transposer for each thread; a range of contexts at a time. */
#ifndef FORMATS_HPCDB_TRANSPOSE_H
#define FORMATS_HPCDB_TRANSPOSE_H

#include "formats/hpcdb/write.h"

enum { TRANSPOSE_MOST = 1 << 16 }; /* contexts of a range */

struct transpose_window {
    uint64_t at, end; /* what is left in the file */
    unsigned char *bytes;
    size_t len, next, record;
};
struct transpose_source {
    struct transpose_window values, index;
    uint64_t next_start; /* of the run behind this one */
    uint32_t next_ctx;   /* HPCDB_NONE = no more */
    uint32_t same;       /* source + 1: another that is at the same context; 0 = none */
};
struct transpose_cell {
    uint32_t profile;
    uint16_t id;
    double value;
};

struct transposer {
    const struct hpcdb_profile_file *f;
    const struct hpcdb_plan *plan;
    struct transpose_source *sources;
    size_t window_len; /* room of each window */
    unsigned char *windows;
    uint32_t at; /* the context before which all sources stand; HPCDB_NONE = not yet */
    uint32_t first, end;
    unsigned char *look;              /* contexts of a block, to find a place among them */
    uint32_t *waiting;                /* by context of the range: the source + 1 that was last to arrive there; 0 = none */
    VEC(uint32_t) arrived;            /* sources of the context at hand */
    VEC(struct transpose_cell) cells; /* of the context at hand, by profile */
    uint32_t *counts;                 /* by metric id: how many cells */
    uint32_t *ends;                   /* by metric id: where they end */
    uint32_t *metric_of;              /* by metric id: number in the plan */
    uint32_t id_count;
    VEC(unsigned char) mended; /* values of a context as the summary takes them, where they differ */
    bool compat, makes_summary;
    bool no_memory;
    assay_error err; /* of reading */
    /* What is made of the range: offsets count from its beginning, which must be at a multiple of 4. */
    VEC(unsigned char) bytes; /* of cct.db */
    VEC(unsigned char) infos; /* an element of CtxInfos for each context */
    VEC(unsigned char) stats; /* values of the summary */
    VEC(unsigned char) index; /* and its contexts */
};

/* `memory`: bytes for all windows. transpose_done must be called also after an error. */
int transpose_init(struct transposer *t, const struct hpcdb_profile_file *f, uint64_t memory, assay_error *err);
void transpose_done(struct transposer *t);
/* Contexts first .. end, at most TRANSPOSE_MOST of them. Quickest when they follow those of the last call. Errors: WRITE, MEMORY. */
int transpose_range(struct transposer *t, uint32_t first, uint32_t end, assay_error *err);

#endif
