/* The values of a profile that stay in profile.db: the model asks, binary search answers. */
#ifndef FORMATS_HPCDB_BACKING_H
#define FORMATS_HPCDB_BACKING_H

#include "formats/hpcdb/ids.h"
#include "formats/hpcdb/open.h"

/* Growing lists that functions can take; they work with base/vec.h. */
struct hpcdb_numbers {
    uint32_t *at;
    size_t len, cap;
};
struct hpcdb_metric_ids {
    uint16_t *at;
    size_t len, cap;
};

/* Owns the mapped files for as long as the profile lives. */
struct hpcdb_store {
    struct mem mem;
    struct hpcdb db;
    struct hpcdb_inputs inputs;
    struct hpcdb_ids nodes; /* number = node of the model */

    uint16_t *scope_of, *stat_of;     /* by metric id of thread profiles, of the summary: the column, 0 = none; HPCDB_METRIC_IDS entries each */
    struct hpcdb_metric_ids prop_ids; /* by scope: its metric id */
    struct hpcdb_metric_ids stat_ids; /* by statistic */
};
enum { HPCDB_METRIC_IDS = 1 << 16 };

/* A store with memory of its own under the limits of the job; nothing is opened yet. */
int hpcdb_store_new(struct hpcdb_store **out, const struct read_job *job, assay_error *err);
void hpcdb_store_free(void *store);
extern const struct assay_backing hpcdb_backing;

#endif
