/* `diff --scaling`. For option tables: include base/option_table.h first. */
#ifndef REPORT_VERBS_SCALING_H
#define REPORT_VERBS_SCALING_H

#include "report/verb.h"

extern const char *const scaling_words[]; /* enum scaling_kind, ends with NULL */

#define OPTIONS_SCALING                                                                                                                                        \
    { .name = "scaling",                                                                                                                                       \
      .type = OPTION_WORD,                                                                                                                                     \
      .argument = "KIND",                                                                                                                                      \
      AT(scaling),                                                                                                                                             \
      GIVEN(has_scaling),                                                                                                                                      \
      .words = scaling_words,                                                                                                                                  \
      .help = "profiles: runs on different numbers of ranks: what strong or weak scaling loses",                                                               \
      .text = "Strong: the work stays the same, so the cost of all ranks together should. Weak: each rank has the same work, so that cost should grow as the " \
              "ranks do. The loss is what a run costs above that, its efficiency the ideal cost divided by the real one." },                                   \
        { .name = "ranks",                                                                                                                                     \
          .type = OPTION_TEXT,                                                                                                                                 \
          .argument = "N,M,...",                                                                                                                               \
          AT(ranks),                                                                                                                                           \
          .help = "with --scaling: the ranks of each input; by default as the files have them",                                                                \
          .text = "Without ranks in a file, its processes or threads are counted." },                                                                          \
    {                                                                                                                                                          \
        .name = "plot", .type = OPTION_FLAG, AT(draws_scaling), .help = "with --scaling: draw efficiency by ranks as an SVG instead"                           \
    }

/* What cannot be combined. Errors: USAGE. */
int scaling_check(const assay_reporter *r, assay_error *err);
int scaling_show(assay_reporter *r, const assay_profile *const *p, const char *const *paths, size_t count, assay_error *err);

#endif
