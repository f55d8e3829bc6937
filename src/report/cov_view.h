/* What the calls of assay/store.h that print share: the look that the options ask for, subjects out of the store, JSON. */
#ifndef REPORT_COV_VIEW_H
#define REPORT_COV_VIEW_H

#include "report/cov_format.h"
#include "store/public/handle.h"

/* One call: its options, where it prints, and how that looks. */
struct cov_view {
    assay_store *h;
    struct assay_store_print options;
    struct output *out; /* ends in the sink */
    struct cov_look look;
    struct rating rating;
    struct cov_names names;
    const char *format;
    bool align;
};
/* Errors: USAGE (options), MEMORY. cov_view_end is due in any case: it flushes, and returns `rc` or the error of the sink. */
int cov_view_begin(struct cov_view *view, assay_store *h, const struct assay_store_print *options, const struct assay_report_sink *sink, assay_error *err);
int cov_view_end(struct cov_view *view, int rc, assay_error *err);

/* Reads the build that a report names; a cov_subject's load with a struct store as its argument. */
int cov_view_build(void *arg, const assay_store_id *id, struct cov_build *out);

/* ---- JSON ---- */

struct json;
void cov_json_begin(struct json *j, struct output *out, const char *verb);
void cov_json_id(struct json *j, const char *key, const assay_store_id *id);
void cov_json_stats(struct json *j, const assay_store_stats *s);
void cov_json_props(struct json *j, assay_slice propset, struct mem *mem);
/* All fields of a report, as members of the object that is open. */
void cov_json_report(struct json *j, const assay_store_id *id, const struct cov_report *r, struct mem *mem);

#endif
