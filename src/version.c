/* What this build is. */
#include "assay/assay.h"

const char *assay_version(void) { return ASSAY_VERSION; }
const char *assay_libraries(void) { return ASSAY_LIBRARIES; }
const char *assay_missing_libraries(void) { return ASSAY_MISSING; }
