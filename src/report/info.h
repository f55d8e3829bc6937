/* The text of `info`, apart from its other styles. */
#ifndef REPORT_INFO_H
#define REPORT_INFO_H

#include "report/report.h"

/* The counts of a file by name: those that its reader stated, and those of its coverage that the analysis makes. */
struct info_count {
    assay_slice name;
    uint64_t value;
};
struct info_counts {
    struct info_count *at;
    size_t count, room;
};
/* Fills *out, to be freed with info_counts_done; a lack of memory is noted in the report. */
void info_counts_make(struct report *r, const assay_profile *p, struct info_counts *out);
void info_counts_done(struct report *r, struct info_counts *c);

/* Counts and attributes that say how a file is laid out, not what was measured: text lists them with --all only. */
bool info_is_internal(assay_slice name);
/* The metric that the verbs show when none is named; 0 = none. */
assay_metric_id info_default(const assay_profile *p);

void info_text(struct report *r, const char *path, uint64_t size, const assay_profile *p, const struct info_counts *c);

#endif
