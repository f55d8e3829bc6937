/* Reports of changes: patch coverage and differences of coverage. */
#ifndef REPORT_CHANGE_H
#define REPORT_CHANGE_H

#include "report/report.h"

/* A threshold for the share of new lines that are covered. */
struct report_gate {
    bool is_set;
    double least; /* percent */
    uint64_t covered, measured;
    bool is_ok;
};

struct report_patch {
    const char *const *reports;
    size_t report_count;
    const char *changes; /* what they were taken from */
    const assay_patch *patch;
    const assay_changes *diff;
    bool branches;
    bool annotations; /* lines for GitHub in place of a table */
    struct report_gate gate;
};
void report_patch(struct report *r, const struct report_patch *p);

struct report_diff {
    const char *before, *after, *changes; /* changes: NULL = none were given */
    const assay_coverage_diff *diff;
    struct report_gate gate;
    /* How far the share of all lines may fall, and did, in points; categories that no line may be in, and how many are. */
    bool has_max_drop, keeps_drop, has_fail_on;
    double max_drop, drop;
    bool fail_on[ASSAY_CATEGORIES];
    uint64_t failed;
};
void report_coverage_diff(struct report *r, const struct report_diff *d);

struct report_profile_diff {
    const char *before, *after;
    const assay_profile_diff *diff;
    struct assay_diff_gate gate; /* its k is the metric that is shown, also without a gate */
    bool has_gate, is_ok;
};
void report_profile_diff(struct report *r, const struct report_profile_diff *p);

/* "function", "line", "context": by enum assay_diff_by. */
extern const char *const report_diff_nouns[];
typedef VEC(char) report_bytes;
enum { REPORT_NAMES_SHOWN = 8 };
/* What a gate says of a row that grew: "NAME costs more: +12.34%"; row SIZE_MAX = the total. */
void report_diff_growth(char *buf, size_t len, const assay_profile_diff *d, size_t row, const char *name, const struct assay_diff_gate *gate);
/* Where a row is: the file of a function, "FILE:LINE", "main;work;leaf" with at most `names` of the innermost functions. The text is in *to, which the
 * caller gives back with vec_done; "" when there is no memory. */
const char *report_diff_place(struct mem *mem, report_bytes *to, const assay_profile_diff *d, size_t row, size_t names);

/* ---- for both ---- */

/* The gate as a case of its own, with the issue where it is not kept; nothing where there is none. */
void report_gate_issue(struct report *r, const char *group, const char *path, const struct report_gate *gate);

/* "gate": null or {...}, and "VALUE of 100" as a member. */
void report_gate_json(struct json *j, const struct report_gate *gate);
/* A member with the share in percent; null when there is nothing to take it of. */
void report_percent_json(struct json *j, const char *key, uint64_t part, uint64_t whole);
/* A cell with a share: for people with two decimals, in CSV the unrounded number of percent. */
void report_share_cell(const struct report *r, struct table *t, uint64_t part, uint64_t whole);
void report_u64_json(struct json *j, const char *key, uint64_t v);
/* A member with an array of findings. */
void report_findings_json(struct json *j, const char *key, const assay_finding *f, size_t count);

/* Ranges of numbers, "13-14,28": a call for each number in their order, then one with 0. */
struct report_ranges {
    struct output *out;
    uint32_t first, last;
    bool has_some;
};
void report_range(struct report_ranges *r, uint32_t line);

#endif
