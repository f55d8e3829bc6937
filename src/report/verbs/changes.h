/* Where changes come from, and the gates over them: what `patch` and `diff` share. */
#ifndef REPORT_VERBS_CHANGES_H
#define REPORT_VERBS_CHANGES_H

#include "report/change.h"
#include "report/verb.h"

/* Whether the options name any. */
bool change_is_given(const assay_reporter *r);
/* Errors: USAGE (two sources of them). */
int change_check(const assay_reporter *r, assay_error *err);
/* Reads them into r->changes, unless the caller has handed them over; r->change is what to call them. */
int change_read(assay_reporter *r, assay_error *err);
void change_done(assay_reporter *r);
/* Warnings and errors that were found, a line for each. JSON has them in the report. */
void change_say_findings(const assay_reporter *r, const assay_finding *f, size_t count);

/* The gate of --fail-under-new for these figures; when it is not kept, that is said, and the answer is no. */
struct report_gate change_gate(assay_reporter *r, uint64_t covered, uint64_t measured);
/* All gates of a difference between two reports, with out->changes known; the same holds. */
void diff_gates(assay_reporter *r, const assay_coverage_diff *d, struct report_diff *out);
/* Whether --fail-on can be understood. To be called before any work. Errors: USAGE. */
int diff_gates_check(const assay_reporter *r, assay_error *err);
/* The part of `diff` that compares profiles. Errors: USAGE, UNSUPPORTED, MEMORY. */
int diff_profiles(assay_reporter *r, const assay_profile *before, const assay_profile *after, const char *const *names, assay_error *err);

#endif
