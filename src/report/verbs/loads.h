/* The rows of `top --by rank` and the like: streams, not functions. */
#ifndef REPORT_VERBS_LOADS_H
#define REPORT_VERBS_LOADS_H

#include "analysis/streams/groups.h"
#include "report/verb.h"

/* Their numbers are those that OPTION_FORM gives the words. */
#define CLUSTER_WORDS                                                                                                                                          \
    (const char *const[]) { "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", NULL }
#define OPTION_CLUSTER                                                                                                                                         \
    {                                                                                                                                                          \
        .name = "cluster", .type = OPTION_FORM, .argument = "K", AT(cluster), .words = CLUSTER_WORDS,                                                          \
        .help = "with '--by rank' and the like: also find the rows that are alike, in K groups or as many as there are",                                       \
        .text = "By the shares that the most expensive functions have in each (k-means; the same input gives the same groups). Without =K, there are as many " \
                "groups as explain 90% of the differences, at most 8."                                                                                         \
    }

int loads_show(assay_reporter *r, const char *path, const assay_profile *p, enum stream_by by, assay_error *err);

#endif
