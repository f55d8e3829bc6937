/* What the files of this folder share, and give to the table in format.c. */
#ifndef JACOCO_H
#define JACOCO_H

#include "formats/coverage/rows.h"

enum jacoco_type { JACOCO_INSTRUCTIONS, JACOCO_BRANCHES, JACOCO_LINES, JACOCO_METHODS, JACOCO_COMPLEXITY, JACOCO_CLASSES, JACOCO_TYPES };
/* "instructions", "branches", ... */
const char *jacoco_type_name(enum jacoco_type type);

extern const struct coverage_source jacoco_source;

/* The only parser of this format. For checks: methods come when they are read, each by itself; source files when they end; at the end of a package
 * its classes without a file (RECORD), then its methods again, derived, with their files. Counters of a source file or of the report are STATED,
 * with index = enum jacoco_type, count = covered, target = missed, of_no_file for the report. */
int jacoco_decode(struct coverage_decoder *d);
int jacoco_check(const struct read_job *job, struct findings *out, assay_error *err);
int jacoco_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif
