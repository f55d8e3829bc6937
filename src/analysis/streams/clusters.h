/* Groups of streams that spend their cost alike: k-means on the shares that the most expensive functions have in each. Nothing is random: the first centre is the
 * group nearest the mean, each further one the group farthest from those before, ties go to the smaller number. */
#ifndef ANALYSIS_STREAMS_CLUSTERS_H
#define ANALYSIS_STREAMS_CLUSTERS_H

#include "analysis/streams/figures.h"

enum { STREAM_FEATURES = 32, STREAM_CLUSTERS = 16 };

struct stream_cluster {
    uint32_t size;                 /* groups */
    uint32_t centre;               /* the group nearest to the mean of the cluster */
    double share[STREAM_FEATURES]; /* mean over its groups, by feature */
    uint32_t apart;                /* feature in which it differs most from the mean over all groups */
};

struct stream_clusters {
    struct mem *mem;
    const struct stream_groups *groups;
    uint32_t features;
    uint32_t row[STREAM_FEATURES]; /* of the table: the most expensive functions, by self */
    double share[STREAM_FEATURES]; /* mean over all groups */
    double explained;              /* part of the squared distances from the mean that the clusters take away; 1 where there are none */
    uint32_t count;                /* clusters, the largest first, numbered from 1 */
    struct stream_cluster at[STREAM_CLUSTERS + 1];
    uint8_t *of;    /* by group */
    double *shares; /* by group, from 1, and feature */
};

/* `order`: rows of the functions table, the most expensive first. `wanted`: how many clusters; 0 = as few as explain 90 % of the differences, one where there are
 * next to none. There are never more than differ. Errors: MEMORY, those of stream_figures_each. stream_clusters_done is due in either case. */
int stream_clusters_init(struct stream_clusters *c, const struct stream_rows *rows, const uint32_t *order, const struct stream_groups *groups,
                         assay_metric_id metric, uint32_t wanted, struct mem *mem, assay_error *err);
void stream_clusters_done(struct stream_clusters *c);

#endif
