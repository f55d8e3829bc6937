/* The functions table by file, module, directory or class: which functions make a row. */
#ifndef ANALYSIS_CORE_TOP_GROUPS_H
#define ANALYSIS_CORE_TOP_GROUPS_H

#include "assay/analysis.h"
#include "base/mem.h"

enum top_by {
    TOP_BY_FILE,
    TOP_BY_DIRECTORY,
    TOP_BY_MODULE,
    TOP_BY_CLASS /* analysis/core/class_name.h */,
    TOP_BY_LINE /* analysis/core/top_lines.h */,
    TOP_BY_ADDRESS /* functions of a profile of analysis/core/top_addresses.h */,
    TOP_BY_LABEL /* of a profile of analysis/core/top_labels.h */,
    TOP_BY_STREAM /* and what follows in enum stream_by: analysis/streams/loads.h */
};

struct top_groups {
    struct mem *mem;
    size_t len;        /* functions + 1 */
    uint32_t *of;      /* by function: the first function of its group, which stands for it */
    assay_slice *name; /* of the group, by that function; borrowed from the profile */
    bool has_totals;   /* false: a call graph does not tell which cost of a callee is in the group already, so that totals mean nothing */
};

/* Functions are grouped by where they are defined; those of no file, module or class are a group too. `depth`: directories more than so many
 * levels below the one that all share are added up; 0 = none. Errors: MEMORY. top_groups_done is due in either case. */
int top_groups_init(struct top_groups *g, const assay_profile *p, enum top_by by, uint32_t depth, struct mem *mem, assay_error *err);
void top_groups_done(struct top_groups *g);

/* As assay_top_new, with a row for each group: self is the sum over its functions, total counts a stack once, however many of its frames are in the
 * group. func[row] is the function that stands for it. `g` is borrowed until the table is freed; NULL = a row for each function. */
int top_groups_table(const assay_profile *p, const struct top_groups *g, assay_top **out, assay_error *err);

#endif
