/* What log, show, report and reset share: options of how it looks, and printing. */
#ifndef CLI_COV_VIEW_H
#define CLI_COV_VIEW_H

#include "cli/cov/cov.h"

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

/* The look that the options ask for. */
struct assay_store_print cov_print_options(const struct cli *c);

/* assay_store_print_log or _show for the revision that was typed, through the pager. Returns an exit code. */
typedef int (*cov_print_fn)(assay_store *store, const char *revision, const struct assay_store_print *options, const struct assay_report_sink *sink,
                            assay_error *err);
int cov_print(struct cli *c, const struct assay_store_print *options, cov_print_fn print);

/* What `report` and `reset` say about the report that a branch (NULL = none) now stands for. Errors: those of assay_store_print_result. */
int cov_result_print(struct cov *v, struct output *out, const assay_store_id *id, const char *branch, assay_error *err);

#endif
