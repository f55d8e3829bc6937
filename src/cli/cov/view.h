/* What log, show, report and reset share: options of how it looks, the look itself, subjects out of the store. */
#ifndef CLI_COV_VIEW_H
#define CLI_COV_VIEW_H

#include "cli/cov/cov.h"
#include "report/cov_format.h"
#include "store/revision.h"

extern const char *const cov_decorate_words[];

#define COV_OPTION_FORMAT                                                                                                                                      \
    {                                                                                                                                                          \
        .name = "format", .type = OPTION_TEXT, .argument = "FORMAT", AT(cov.format),                                                                           \
        .help = "print reports as oneline, short, medium, full, fuller, reference, raw, or a text with placeholders",                                          \
        .text = "A text with placeholders contains a percent sign or starts with pretty:. docs/cov.md lists the placeholders."                                 \
    }
#define COV_OPTIONS_LOOK                                                                                                                                       \
    { .name = "abbrev-hash", .type = OPTION_FLAG, AT(cov.abbrev), .help = "print only the first 9 digits of ids" },                                            \
        { .name = "no-abbrev-hash", .type = OPTION_FLAG, AT(cov.no_abbrev), .help = "print all 40 digits of ids" },                                            \
        { .name = "prop-names", .type = OPTION_FLAG, AT(cov.prop_names), .help = "print the names of all properties" },                                        \
        { .name = "no-prop-names", .type = OPTION_FLAG, AT(cov.no_prop_names), .help = "print only the names of numbers and booleans" },                       \
    {                                                                                                                                                          \
        .name = "decorate", .type = OPTION_WORD, .argument = "HOW", AT(cov.decorate), .words = cov_decorate_words,                                             \
        .help = "print branches, tags and properties: auto, short or no", .text = "auto, the default, prints them on a terminal."                              \
    }

/* The look that the options ask for, and what it needs. cov_view_done is due in any case. */
struct cov_view {
    struct cov_look look;
    struct rating rating;
    struct cov_names names;
    const char *format;
    bool align;
};
int cov_view_init(struct cov_view *view, struct cov *v, assay_error *err);
void cov_view_done(struct cov_view *view);

/* Reads the build that a report names; a cov_subject's load with a struct store as its argument. */
int cov_view_build(void *arg, const struct cov_id *id, struct cov_build *out);

/* One revision or a range of the command line (NULL = HEAD). */
struct cov_range {
    struct revision_text text;
    struct cov_id from, to; /* zero = past the first report; `from` only of a range: the merge base, which is not shown */
};
int cov_range_find(struct cov *v, const char *typed, bool paths, struct cov_range *out, assay_error *err);

/* ---- JSON ---- */

struct json;
void cov_json_begin(struct json *j, struct output *out, const char *verb);
void cov_json_id(struct json *j, const char *key, const struct cov_id *id);
void cov_json_stats(struct json *j, const struct cov_stats *s);
void cov_json_props(struct json *j, assay_slice propset, struct mem *mem);
/* All fields of a report, as members of the object that is open. */
void cov_json_report(struct json *j, const struct cov_id *id, const struct cov_report *r, struct mem *mem);

/* What `report` and `reset` say about the report that a branch now stands for. */
int cov_result_print(struct cov *v, struct output *out, const struct cov_id *id, const char *branch, assay_error *err);

#endif
