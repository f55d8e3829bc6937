/* One merger into another. */
#ifndef ANALYSIS_MERGE_JOIN_H
#define ANALYSIS_MERGE_JOIN_H

#include "analysis/merge/merge.h"

/* Afterwards `m` is what it would be had the inputs of `from` been added to it after its own: sums of doubles too, exactly. `from` needs no indexes, and
 * keeps what it has. After an error `m` is good for nothing but assay_merger_free. Errors: MEMORY; DAMAGED and UNSUPPORTED as of assay_merger_add. */
int merge_join(struct assay_merger *m, const struct assay_merger *from, assay_error *err);

/* ---- on the way: `j` is the join, `row` the row of `from` ---- */

struct join {
    struct merge_input in; /* merger and error alone */
    const struct assay_merger *from;
    /* by what it is in `from`, [0] = none: what it is in the merger; of a context the row + 1, of a scope the place */
    uint32_t *strings, *modules, *files, *funcs, *keys, *metrics, *scopes, *labels, *sets, *nodes;
    VEC(struct merge_row) rows; /* of one list */
};

int join_cost(struct join *j);

#define JOIN_STRING(x) j->strings[x]
#define JOIN_MODULE(x) j->modules[x]
#define JOIN_FILE(x) j->files[x]
#define JOIN_FUNC(x) j->funcs[x]
#define JOIN_METRIC(x) j->metrics[x]
#define JOIN_NODE(x) j->nodes[x]
#define JOIN_SET(x) j->sets[x]
#define JOIN_LABEL(x) j->labels[x]
#define JOIN_U8(x) (x)
#define JOIN_WORD(x) (x)
#define JOIN_FLAGS(x) (x)
#define JOIN_BOOL(x) (x)
#define JOIN_U32(x) (x)
#define JOIN_U64(x) (x)
#define JOIN_I64(x) (x)
#define JOIN_F64(x) (x)
#define JOIN_SHAPES(x) (x)
#define JOIN_WIDE(x) (x)
#define JOIN_ROW(T, name, member, type, ...) .name = JOIN_##type(row->name),

#endif
