/* What the options of the library's verbs set; each verb offers those that mean something to it. Texts are borrowed from the reporter's own copies. */
#ifndef REPORT_VERBS_SETTINGS_H
#define REPORT_VERBS_SETTINGS_H

#include "base/reading.h"

/* What OPTION_FORM makes of json and json=short; 0 = not given. */
enum json_form { JSON_FULL = 1, JSON_SHORT = 2 };

struct settings {
    bool help; /* this and the next line: the command's, nothing here looks at them */
    bool no_progress, no_pager;
    unsigned color;
    const char *output; /* only its extension counts here */
    /* how it is printed */
    unsigned json; /* enum json_form */
    bool csv, csv_raw, markdown, sarif, junit;
    bool exact, verbose, full_names, per_call;
    bool has_limit;
    uint64_t limit;
    struct reading read;
    /* what is shown of it */
    const char *metric;
    const char *metrics;            /* path of named formulas */
    const char *at_least, *at_most; /* top: of the first column */
    bool has_least, has_sort, has_by;
    double least;         /* percent */
    unsigned sort;        /* the number of the word; for most an enum assay_sort */
    unsigned by;          /* enum assay_coverage_by, of profiles enum top_by */
    const char *base;     /* diff: what is read first */
    const char *by_label; /* with TOP_BY_LABEL: "label:KEY" */
    uint64_t depth;
    bool cycles, estimate, no_estimate;
    const char *fail_under, *fail_under_each;
    bool brief;                                               /* info */
    bool all;                                                 /* check, annotate */
    bool bottom_up, flat, hot_path, only_functions, contexts; /* tree; the first of them flame, too */
    const char *function;
    bool callers, callees, by_site;
    bool missing, calls, apart, has_context; /* annotate */
    uint64_t context;
    struct words wanted_files, wanted_functions;
    bool as_text, icicle, is_difference, by_before, normalise; /* flame; the last of them diff, too */
    uint64_t width;
    const char *title;
    const char *sql, *where;
    bool has_depth, svg, by_stream; /* timeline */
    uint64_t streams;
    const char *diff, *git, *repository; /* changes */
    bool staged, unstaged, branches, expand;
    bool has_annotations, has_fail_under_new, has_max_drop;
    unsigned annotations;            /* the word given */
    double fail_under_new, max_drop; /* percent */
    const char *fail_on;
    unsigned diff_by; /* enum assay_diff_by */
    bool has_fail_above, has_min_cost;
    double fail_above, min_cost; /* percent */
    bool losses;                 /* formats */
    unsigned stats;              /* over which streams: 1 = single ones, else 2 + enum stream_by; 0 = not asked for */
    bool has_over, has_plot;
    unsigned cluster;                /* how many; 1 = as many as there are, 0 = not asked for */
    unsigned over;                   /* tree, callers: one row for each: the number of the word */
    unsigned plot;                   /* enum course_plot */
    bool has_scaling, draws_scaling; /* diff */
    unsigned scaling;                /* enum scaling_kind */
    const char *ranks;
};

#endif
