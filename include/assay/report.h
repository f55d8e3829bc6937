/* Reports: what the verbs of the command print, as text, JSON, CSV, Markdown or SVG. A verb is an entry of a table of the library, with its options and what
 * there is to say about them; the command is one user of it.
 *
 *     struct assay_report_sink sink = { .size = sizeof sink, .write = put, .arg = stdout };
 *     struct assay_option options[] = { { "sort", "total" }, { "json", NULL } };
 *     assay_report(profile, "top", options, 2, &sink, NULL, &err);
 */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include <stdbool.h>

#include "assay/diff.h"
#include "assay/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the verbs ---- */

struct assay_verb_example {
    const char *command, *text; /* what it does: a phrase */
};

struct assay_verb {
    const char *name;
    const char *summary;                       /* a phrase */
    const char *arguments;                     /* as in the usage line of the command */
    size_t least_files, most_files;            /* how many of them, `words` included */
    const char *const *words;                  /* those that come before the inputs: keys of options, such as FUNCTION; ends with NULL, NULL = none */
    const char *const *text;                   /* paragraphs; ends with NULL */
    const struct assay_verb_example *examples; /* ends with a NULL command */
};

ASSAY_API size_t assay_verb_count(void);
/* In the order in which help lists them; NULL = no more. */
ASSAY_API const struct assay_verb *assay_verb_at(size_t i);
/* NULL = there is none. */
ASSAY_API const struct assay_verb *assay_verb_find(const char *name);
/* Fills *out with option i of the verb, as far as out->size goes; false = no more. */
ASSAY_API bool assay_verb_option_at(const struct assay_verb *verb, size_t i, struct assay_option_info *out);

/* ---- a report ---- */

/* Where a report goes. Members that are 0 do nothing. */
struct assay_report_sink {
    size_t size; /* of this structure */
    void *arg;   /* of all functions */
    assay_text_fn write;
    /* A line for people about an input or a gate, without a line break; it may hold anything that names in files hold. */
    void (*message)(void *arg, const char *text);
    /* An input cannot be shown, which comes up while several are read or the report is ended; it goes on with the others. Where this is NULL,
     * assay_reporter_end returns the last such error. */
    void (*failed)(void *arg, const assay_error *err);
    assay_progress_fn progress; /* of reading */
    unsigned width;             /* of the terminal, 0 = none: nothing is cut */
    bool color;
    void (*reading)(void *arg, const char *path); /* progress is that of this file from here on */
};

typedef struct assay_reporter assay_reporter;

/* Begins a report over `inputs` inputs. Keys and values are copied. Options that are about the command itself (help, output, color, no-progress, no-pager) are
 * taken and do nothing. Errors: USAGE (no such verb, option or value, options that cannot be combined), MEMORY. */
ASSAY_API int assay_reporter_new(const char *verb, const struct assay_option *options, size_t count, size_t inputs, const struct assay_report_sink *sink,
                                 assay_reporter **out, assay_error *err);
/* For diff and patch: a change that the caller has; the option CHANGE says what to call it. Borrowed; to be handed over before the first input. */
ASSAY_API void assay_reporter_changes(assay_reporter *r, const assay_changes *changes);
/* What has to be read for it: ASSAY_WANT_* */
ASSAY_API uint32_t assay_reporter_want(const assay_reporter *r);
/* Adds an input that the caller has read; `name` is what the report calls it. Options about reading do nothing here. On an error the report goes on without
 * the input, unless assay_reporter_is_over. Errors: USAGE, UNSUPPORTED (the input lacks what the verb shows), MEMORY. */
ASSAY_API int assay_reporter_add(assay_reporter *r, const char *name, assay_profile *p, assay_error *err);
/* Reads `path` as the options say, and adds it. Errors: those of assay_read, too. */
ASSAY_API int assay_reporter_file(assay_reporter *r, const char *path, assay_error *err);
/* The same of several, as if one after the other: with the option 'threads', each thread reads one of them at a time, and they are shown in order. An error of
 * one goes to failed, as in assay_reporter_end. Threads call write, message and failed, one at a time; the calling one alone calls reading and progress, even
 * while another writes. Errors: CANCELLED, MEMORY, those of the input that left nothing to report. */
ASSAY_API int assay_reporter_files(assay_reporter *r, const char *const *paths, size_t count, assay_error *err);
/* Whether an error left nothing to report: the verb needs all of its inputs. */
ASSAY_API bool assay_reporter_is_over(const assay_reporter *r);
/* Prints what is left. Errors: MEMORY, WRITE (the sink refused), and what the verb finds out only now. */
ASSAY_API int assay_reporter_end(assay_reporter *r, assay_error *err);
/* Whether the answer is no: a gate was exceeded, a check found errors. */
ASSAY_API bool assay_reporter_is_no(const assay_reporter *r);
/* NULL is allowed. */
ASSAY_API void assay_reporter_free(assay_reporter *r);

/* All of it for one profile. The option FILE says what to call it; *is_no, which may be NULL, becomes the answer. */
ASSAY_API int assay_report(assay_profile *p, const char *verb, const struct assay_option *options, size_t count, const struct assay_report_sink *sink,
                           bool *is_no, assay_error *err);

/* ---- what was written ---- */

/* One conversion (assay_convert), or several inputs that were merged and written (assay_write). */
struct assay_written {
    size_t size; /* of this structure */
    const char *const *inputs;
    size_t input_count;
    const char *from; /* of a conversion: the name of the input's format */
    const char *to;   /* FORMAT or FORMAT:VERSION, as for writing */
    const char *output;
    const assay_losses *losses;  /* NULL = none */
    const assay_profile *merged; /* what was written; NULL = it is a conversion */
};
/* A JSON object that says so, as `assay convert --json` and `assay merge --json` print it. Of the sink, write counts. Errors: USAGE, MEMORY, WRITE (the sink
 * refused). */
ASSAY_API int assay_report_written(const struct assay_written *what, const struct assay_report_sink *sink, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
