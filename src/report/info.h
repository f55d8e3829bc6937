/* The text of `info`, apart from its other styles. */
#ifndef REPORT_INFO_H
#define REPORT_INFO_H

#include "analysis/streams/totals.h"
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

/* All that is known of one file. */
struct info {
    const char *path;
    uint64_t size; /* 0 = unknown */
    const assay_profile *profile;
    assay_metric_id metric; /* the default */
    struct info_counts counts;
    struct stream_totals streams;       /* of that metric */
    const struct stream_metrics *stats; /* NULL = not asked for */
};

enum { INFO_NAME = 256 };
/* The label of a stream, else its place: "RANK 0 THREAD 1". Borrowed from the profile or `buf`. */
assay_slice info_stream_name(char buf[INFO_NAME], const assay_profile *p, uint32_t stream);
/* The total of a stream as text, "" when it is not known. `buf` has 48 bytes; returns buf. */
const char *info_stream_total(char *buf, bool exact, const struct info *i, uint32_t stream);
void info_stream_total_json(struct json *j, const struct info *i, uint32_t stream);

/* Statistics over streams: a table of all metrics; those of one metric as a member; and as rows of `t`. */
void info_stats_text(struct report *r, const struct info *i);
void info_stats_json(struct json *j, const struct info *i, uint32_t metric);
void info_stats_rows(struct table *t, const struct info *i);

void info_text(struct report *r, const struct info *i);

#endif
