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

/* A loss, unless the count is 0. */
void coverage_lose(struct losses *l, const char *kind, uint64_t count, const char *message);
/* How many rows have one of the bits, or a name; columns may be NULL. */
uint64_t coverage_flagged(const uint8_t *flags, uint32_t count, uint8_t bits);
uint64_t coverage_named(const assay_str_id *ids, uint32_t count);
/* `name` is what messages call the target; `holds` enum coverage_holds. */
void coverage_losses_name(const assay_profile *p, const char *name, unsigned holds, struct losses *l);

#endif
