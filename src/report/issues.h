/* What is wrong, as CI systems take it: a list of issues, each with a rule, a place and a sentence, and of what was judged. `check`, `diff` and `patch` fill it where
 * SARIF or JUnit was asked for, and it is printed when the report ends. Without that all of these do nothing. */
#ifndef REPORT_ISSUES_H
#define REPORT_ISSUES_H

#include "report/report.h"

struct report_issue {
    const char *rule;
    int severity;             /* enum assay_severity */
    const char *path;         /* "" or NULL = nowhere */
    uint64_t line, last_line; /* 0 = none; last_line 0 = the same */
    uint64_t off;             /* of a byte, where there is no line */
    bool has_off;
    bool fails;       /* what was judged does not pass */
    uint64_t repeats; /* more of the same that are not listed */
    const char *text;
};

/* Begins what is judged from here on: a file, a gate. It passes unless one of the issues that follow says otherwise. */
void report_case(struct report *r, const char *group, const char *name);
/* It could not be judged at all. */
void report_case_is_error(struct report *r);
void report_issue(struct report *r, const struct report_issue *issue);
/* Prints all of it in the style of the report. */
void report_issues_end(struct report *r);

/* Whether issues are wanted. */
static inline bool report_has_issues(const struct report *r) { return r->style == REPORT_SARIF || r->style == REPORT_JUNIT; }

/* ---- for issues.c and junit.c ---- */

struct issue_case {
    const char *group, *name;
    bool is_error;
    size_t begin; /* its first issue; they end where those of the next one begin */
};

struct issues {
    struct arena text;
    VEC(struct report_issue) list; /* texts are those of the list; all but `path` UTF-8 without control characters */
    VEC(struct issue_case) cases;
    VEC(const char *) rules; /* each once */
};

/* JUnit: an XML file as Jenkins, GitLab and others read it. */
void report_junit(struct report *r, const struct issues *all);

#endif
