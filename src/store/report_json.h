/* The report JSON: what the filters of cov write and `assay cov report` reads. {"git": {"branch", "head"}, "files": [{"name", "digest",
 * "line_coverage": {LINE: HITS}, "functions": [{"name", "demangled", "count", "start_line", ...}]}]}. */
#ifndef STORE_REPORT_JSON_H
#define STORE_REPORT_JSON_H

#include "base/input.h"
#include "store/import.h"

/* All is from the arena. Errors: DAMAGED (no JSON, or something is missing or makes no sense: the sentence names the place), MEMORY, SYSTEM. */
int report_json_read(struct input *in, struct arena *a, struct mem *mem, struct import_input *out, assay_error *err);

#endif
