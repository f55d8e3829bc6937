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
    size_t state;                      /* bytes for a structure of its own, zeroed */
    /* Options that cannot be combined and the like; NULL = none. Errors: USAGE. */
    int (*check)(assay_reporter *r, assay_error *err);
    /* What has to be read; NULL = nothing is, and `file` looks at the input by itself. */
    uint32_t (*want)(const assay_reporter *r);
    /* Whether with these options `file` looks at the inputs by itself all the same; NULL = no. */
    bool (*opens)(const assay_reporter *r);
    /* Changes how an input is read; NULL = as the options say. */
    void (*reading)(assay_reporter *r, struct assay_read_options *o);
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
    size_t inputs, begun; /* of them, those that were begun */
    bool is_read;         /* the input at hand was read here */
    bool is_from_file;    /* it can be opened again */
    bool needs_all;       /* as in the verb, unless the options decide */
    bool has_begun, is_over, is_no;
    assay_error late; /* the last that came up in the end, where the sink does not take them */
};

/* Made by the build. */
extern const struct report_verb *const report_verbs[];

static inline bool report_is_csv(const struct settings *s) { return s->csv || s->csv_raw; }

/* A line for people. */
void report_say(const assay_reporter *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What goes wrong in the end and does not keep the rest from being shown. */
void report_late(assay_reporter *r, const assay_error *err);
/* The same of one input. */
void report_input_failed(assay_reporter *r, const char *path, assay_error *err);

/* ---- reading (reading.c) ---- */

struct assay_read_options report_read_options(assay_reporter *r, uint32_t want);
/* Reads an input as the options say; says what filters did not find. Errors: those of assay_read, USAGE (of a formula). */
int report_read(assay_reporter *r, const char *path, assay_profile **out, assay_error *err);
/* What the filters of cost did not find, or could not be exact about, and totals that are not: rules FI-1 and so on, CG32, a line for each. */
void report_say_filters(const assay_reporter *r, const char *path, const assay_profile *p);
/* Says so when `path` is damaged: the figures are those of what could be read, and nobody should take them for the whole unawares. */
void report_say_damage(const assay_reporter *r, const char *path, const assay_profile *p);
/* The size of a plain file; 0 for anything else. */
uint64_t report_file_size(const char *path);

#endif
