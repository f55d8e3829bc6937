/* Which streams belong together: each for itself, or all of a thread, process, rank, node or GPU. */
#ifndef ANALYSIS_STREAMS_GROUPS_H
#define ANALYSIS_STREAMS_GROUPS_H

#include "assay/model.h"
#include "base/mem.h"

enum stream_by { STREAM_BY_STREAM, STREAM_BY_THREAD, STREAM_BY_PROCESS, STREAM_BY_RANK, STREAM_BY_NODE, STREAM_BY_GPU, STREAM_BYS };
/* "rank", "ranks" */
extern const char *const stream_by_words[STREAM_BYS + 1]; /* ends with NULL */
extern const char *const stream_by_several[STREAM_BYS];

struct stream_groups {
    struct mem *mem;
    const assay_profile *profile;
    enum stream_by by;
    uint32_t count;     /* groups, numbered from 1 in the order of their ids */
    uint32_t *begin;    /* by group, and one more: its first place in `stream` */
    uint32_t *stream;   /* those of a group together */
    uint32_t *group_of; /* by stream; 0 = it is in none */
    uint32_t varying;   /* bits: the elements of their ids that tell them apart */
    size_t streams;     /* of the profile, + 1 */
};

/* A stream without an id of the kind (a GPU stream among threads) is in no group. Errors: MEMORY, UNSUPPORTED (there is no such id, the sentence says what
 * there is). stream_groups_done is due in either case. */
int stream_groups_init(struct stream_groups *g, const assay_profile *p, enum stream_by by, struct mem *mem, assay_error *err);
void stream_groups_done(struct stream_groups *g);

enum { STREAM_NAME = 256 };
/* "rank 3", "rank 3 thread 1"; ids that all groups have in common are left out. Of single streams their label, where they have one. Borrowed from the
 * profile or `buf`. */
assay_slice stream_group_name(const struct stream_groups *g, uint32_t group, char buf[STREAM_NAME]);

#endif
