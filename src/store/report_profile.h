/* One report of a store as a profile, for everything that works on coverage; and as report JSON. */
#ifndef STORE_REPORT_PROFILE_H
#define STORE_REPORT_PROFILE_H

#include "assay/build.h"
#include "base/output.h"
#include "store/git.h"
#include "store/store.h"

/* The coverage of a list of files; `report` may be NULL. With `sources` the profile has the texts of the files too, as far as they are found there
 * or in the store. The caller releases *out. Errors: DAMAGED, UNKNOWN (a part is missing), MEMORY. */
int report_profile(struct store *s, const assay_store_id *list, const struct cov_report *report, struct git *sources, assay_profile **out, assay_error *err);

/* The report JSON that `assay cov report` reads: lines, functions and digests are kept. `g` may be NULL: sources then are only looked for in the
 * store. Errors: as above, and UNKNOWN (a source is gone, so that its digest is not known). */
int report_json_write(struct store *s, struct git *g, const struct cov_report *report, struct output *out, struct mem *mem, assay_error *err);

#endif
