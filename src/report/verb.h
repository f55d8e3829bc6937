/* A verb that reports: an entry of the table that the build makes of src/report/verbs (sources.py), and the run of one. */
#ifndef REPORT_VERB_H
#define REPORT_VERB_H

#include "assay/report.h"
#include "report/report.h"
#include "report/verbs/settings.h"

struct report_verb {
    unsigned order; /* where help lists it */
    struct assay_verb about;
    const struct option_spec *options; /* ends with a NULL name */
    bool needs_all;                    /* one input that cannot be had, and there is nothing to show */
    bool tells_damage, tells_filters;  /* the report itself does, so that no message is due */
    bool checks;                       /* inputs are checked as well; see report_check_file */
    size_t state;                      /* bytes for a structure of its own, zeroed */
    /* Options that cannot be combined and the like; NULL = none. Errors: USAGE. */
    int (*check)(assay_reporter *r, assay_error *err);
    /* What has to be read; NULL = nothing is, and `file` looks at the input by itself. */
    uint32_t (*want)(const assay_reporter *r);
    /* Whether with these options `file` looks at the inputs by itself all the same; NULL = no. */
    bool (*opens)(const assay_reporter *r);
    /* Changes how an input is read, by any thread; NULL = as the options say. */
    void (*reading)(const assay_reporter *r, struct assay_read_options *o, struct assay_filter *filter);
    /* Before the first input; NULL = nothing to do. */
    int (*begin)(assay_reporter *r, assay_error *err);
    /* One input. `path` lasts as long as the reporter. */
    int (*add)(assay_reporter *r, const char *path, assay_profile *p, assay_error *err);
    int (*file)(assay_reporter *r, const char *path, assay_error *err);
    /* An input that could not be read: returns `rc`, or 0 where that is no fault; NULL = it is one. */
    int (*unread)(assay_reporter *r, const char *path, int rc, assay_error *err);
    /* After the last input, and what is to be freed in any case; NULL = nothing. */
    int (*end)(assay_reporter *r, assay_error *err);
    void (*done)(assay_reporter *r);
};

struct arcs;

/* What was read of an input, before its turn to be shown. */
struct verb_input {
    assay_profile *profile;
    assay_check_result *checked;
    int rc, check_rc;
    assay_error err, check_err;
};

struct assay_reporter {
    const struct report_verb *verb;
    struct settings set;
    struct assay_report_sink sink;
    struct mem mem;
    struct arena text; /* of the options, and names of inputs */
    struct assay_filter filter;
    struct report report; /* what the printing needs; its output ends in the sink */
    void *state;
    const char *function, *from, *to, *file, *change; /* words of the usage line, by their keys; change: what the changes are called */
    const assay_changes *changes;                     /* NULL = none */
    assay_changes *own_changes;                       /* the same where they were read here */
    const assay_top *top;                             /* report_lend; NULL = nothing */
    const struct arcs *arcs;
    struct verb_input *input; /* at hand; NULL = it is a profile of the caller's */
    size_t inputs, begun;     /* of them, those that were begun */
    bool is_read;             /* the input at hand was read here */
    bool is_from_file;        /* it can be opened again */
    bool needs_all;           /* as in the verb, unless the options decide */
    bool has_begun, is_over, is_no;
    assay_error late; /* the last that came up in the end, where the sink does not take them */
};

/* Made by the build. */
extern const struct report_verb *const report_verbs[];

static inline bool report_is_csv(const struct settings *s) { return s->csv || s->csv_raw; }

/* A line for people. */
void report_say(const assay_reporter *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What goes wrong with several inputs, or in the end, and does not keep the rest from being shown. */
void report_late(assay_reporter *r, const assay_error *err);
/* The same of one input. */
void report_input_failed(assay_reporter *r, const char *path, assay_error *err);

/* ---- the run (run.c) ---- */

/* Before the first input. */
int report_begin(assay_reporter *r, assay_error *err);
/* Shows an input that was read. */
int report_input_add(assay_reporter *r, const char *path, struct verb_input *in, assay_error *err);

/* ---- reading (reading.c) ---- */

struct assay_read_options report_read_options(assay_reporter *r, uint32_t want);
/* Whether the verb wants inputs to be read. */
bool report_is_read(const assay_reporter *r);
/* Reads an input as the options say, and checks it where the verb does; any number of threads may. `threads`: how many may help, 0 = as the options say. What goes
 * wrong is kept in `in`, which is to be ended. */
void report_input_read(const assay_reporter *r, const char *path, unsigned threads, bool shows_progress, struct verb_input *in);
void report_input_done(struct verb_input *in);
/* When its turn comes: says what filters did not find, adds the sums of formulas. Errors: those of assay_read, USAGE (of a formula). */
int report_input_settle(const assay_reporter *r, const char *path, struct verb_input *in, assay_error *err);
/* What checking the input at hand found; borrowed from it. Errors: those of assay_check. */
int report_check_file(const assay_reporter *r, const assay_check_result **out, assay_error *err);
/* What the filters of cost did not find, or could not be exact about, and totals that are not: rules FI-1 and so on, CG32, a line for each. */
void report_say_filters(const assay_reporter *r, const char *path, const assay_profile *p);
/* Says so when `path` is damaged: the figures are those of what could be read, and nobody should take them for the whole unawares. */
void report_say_damage(const assay_reporter *r, const char *path, const assay_profile *p);
/* The size of a plain file; 0 for anything else. */
uint64_t report_file_size(const char *path);

#endif
