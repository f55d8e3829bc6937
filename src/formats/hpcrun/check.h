/* What the files of the profile's check share. Nobody else includes it. */
#ifndef FORMATS_HPCRUN_CHECK_H
#define FORMATS_HPCRUN_CHECK_H

#include "base/intern.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/ids.h"
#include "formats/hpcrun/modules.h"

struct hpcrun_checked_metric {
    uint64_t off; /* of its descriptor */
    uint64_t period;
    bool is_real, has_formula;
    uint64_t seen;    /* the node, counted from 1, whose value came last */
    assay_wide total; /* integers */
};

struct hpcrun_formula {
    struct hpcrun_str text;
    uint32_t metric;
};

struct hpcrun_checker {
    struct mem *mem;
    struct findings *out;
    struct hpcrun_decoder d;
    struct hpcrun_modules modules;
    struct hpcrun_ids ids;
    VEC(struct hpcrun_checked_metric) metrics; /* of the newest table */
    VEC(struct hpcrun_formula) formulas;       /* of the newest table */
    uint8_t kinds[HPCRUN_KIND_MAX / 8];        /* a bit for each kind of the dictionary */
    struct intern pairs;                       /* names of the header, or of the epoch */
    bool has_program;
    assay_slice rank, thread, host, process; /* header pairs, for the file name */
    bool has_nodes;                          /* a tree was there: values can be laid against it */
    struct hpcrun_span values;
    uint64_t node_stamp; /* nodes with values so far */
};

/* check_nodes.c */
int hpcrun_check_nodes(struct hpcrun_checker *c, const struct hpcrun_list *list, assay_error *err);
void hpcrun_check_index(struct hpcrun_checker *c, const struct hpcrun_list *list);
/* The totals of the newest metric table, when its values have gone by. */
void hpcrun_check_totals(struct hpcrun_checker *c);

/* check_formula.c: why a formula cannot be understood, or NULL; *at is where. Static storage. */
const char *hpcrun_formula_problem(assay_slice text, uint64_t metric_count, size_t *at);

/* check_name.c: a file name against the header (HRW12). */
void hpcrun_check_name(struct hpcrun_checker *c, const char *path);

#endif
