/* What coverage is good: thresholds out of the settings, and the percentages that people see. */
#ifndef STORE_RATING_H
#define STORE_RATING_H

#include "formats/cov/object.h"
#include "store/config.h"

struct rating_ratio {
    uint32_t part, whole;
};
/* Below `fair` fails, below `good` is incomplete. */
struct rating_limits {
    struct rating_ratio good, fair;
};
enum rating_what { RATING_LINES, RATING_FUNCTIONS, RATING_BRANCHES };
enum rating_mark { RATING_FAIL, RATING_INCOMPLETE, RATING_PASS };

struct rating {
    struct rating_limits of[3];
};

/* core.rating-lines, -functions, -branches, else core.rating, else 9/10 and 3/4. What makes no sense counts as not said. */
void rating_load(struct rating *r, const struct config *c);
/* "9/10, 75%": two ratios in any order; false = something else. */
bool rating_parse(const char *text, struct rating_limits *out);

/* Nothing relevant fails. */
enum rating_mark rating_of(const struct rating *r, enum rating_what what, const assay_store_pair *p);
/* "fail", "incomplete", "pass" */
const char *rating_word(enum rating_mark mark);

/* Whole percent, half up; 0 of nothing. */
uint32_t rating_percent(const assay_store_pair *p);
/* Hundredths of a percent, half up; 0 of nothing. */
uint32_t rating_hundredths(const assay_store_pair *p);

/* a += b, at most 2^32 - 1 each. */
void rating_add(assay_store_stats *a, const assay_store_stats *b);

#endif
