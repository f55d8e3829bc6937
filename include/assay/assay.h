/* libassay: read, check, dump, write and analyse profiles and coverage data. This header includes all others. */
#ifndef ASSAY_H
#define ASSAY_H

#include "assay/analysis.h"
#include "assay/build.h"
#include "assay/cancel.h"
#include "assay/error.h"
#include "assay/format.h"
#include "assay/hpcrun_fmt.h"
#include "assay/mcp.h"
#include "assay/model.h"
#include "assay/query.h"
#include "assay/report.h"
#include "assay/store.h"
#include "assay/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "1.2.3" */
ASSAY_API const char *assay_version(void);
/* The libraries it was built with, one "name version" for each line. */
ASSAY_API const char *assay_libraries(void);
/* The libraries it was built without, and what is lost: one line for each, "without NAME: ..."; "" when nothing is. */
ASSAY_API const char *assay_missing_libraries(void);

#ifdef __cplusplus
}
#endif
#endif
