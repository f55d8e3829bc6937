/* What the placeholders of cov_format.c are made of: times, messages, lists, columns. */
#ifndef REPORT_COV_FORMAT_TEXT_H
#define REPORT_COV_FORMAT_TEXT_H

#include "report/cov_format.h"

enum { COV_SHORT = 9 /* digits of an id that people see */ };

/* %w(width, first, others): bytes; width 0 = no wrapping. */
struct cov_wrap {
    unsigned width, first, others;
};
/* `at` stands on the w. NULL = that is none. */
const char *cov_wrap_parse(const char *at, const char *end, struct cov_wrap *out);

/* s, f, b or B of a commit message. */
void cov_format_message(struct output *out, assay_slice message, char what, const struct cov_wrap *wrap);
/* The first line. */
assay_slice cov_subject_line(assay_slice message);

/* d (as the locale has it), r (relative to now), t, i, I or s. */
void cov_format_time(struct output *out, uint64_t when, char what, uint64_t now);

enum { COV_LIST_PLAIN = -1 /* all in one line */, COV_LIST_ALIGNED = -2 /* after the labels, see cov_format_align */ };
struct cov_list {
    struct output *out;
    const struct cov_look *look;
    bool brackets;
    int indent; /* of each item after the first, on a line of its own; or one of the above */
};
void cov_list_names(const struct cov_list *l, const assay_store_id *id);
void cov_list_props(const struct cov_list *l, assay_slice propset);

/* Copies the text; what stands before a \1 in a line is a label, and all labels get the width of the longest and a blank. */
void cov_format_align(struct output *out, assay_slice text);

#endif
