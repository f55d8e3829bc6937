/* For writers of coverage formats: what a profile has and the target has no room for. */
#ifndef FORMATS_COVERAGE_LOSSES_H
#define FORMATS_COVERAGE_LOSSES_H

#include "formats/format.h"

/* What a target holds besides files, lines that were hit or not, functions, and how many branches of a line were taken. */
enum coverage_holds {
    COVERAGE_HOLDS_COUNTS = 1,       /* how often lines ran and functions were called */
    COVERAGE_HOLDS_BRANCHES = 2,     /* how often each branch was taken */
    COVERAGE_HOLDS_INSTRUCTIONS = 4, /* n of m instructions of a line */
    COVERAGE_HOLDS_STATEMENTS = 8,   /* with their columns; other regions are still lost */
    COVERAGE_HOLDS_END_LINES = 16,   /* of functions */
    COVERAGE_HOLDS_NO_LINE = 32      /* functions whose line is not known */
};

/* `name` is what messages call the target; `holds` enum coverage_holds. */
void coverage_losses_name(const assay_profile *p, const char *name, unsigned holds, struct losses *l);

#endif
