/* Which metric is meant: by default, and by the name that a person gives. Every verb and every writer asks here, so they agree. */
#ifndef ANALYSIS_CORE_METRIC_CHOICE_H
#define ANALYSIS_CORE_METRIC_CHOICE_H

#include "assay/model.h"

/* The metrics to choose from: `count` of them at `at`; or, where `at` is NULL, those that one of `shapes` (ASSAY_SHAPE_*) carries. Formulas have no
 * values and are never chosen. */
struct metric_set {
    const assay_profile *profile;
    const assay_metric_id *at;
    uint32_t count;
    uint32_t shapes;
    const char *also; /* what can be named besides, for the list in an error; NULL = nothing */
};

/* Whether its total is not 0. */
bool metric_has_value(const assay_profile *p, assay_metric_id metric);
/* Its total before the filters that left this profile, as text; {NULL, 0} = not known. */
assay_slice metric_whole(const assay_profile *p, assay_metric_id metric);

/* The one to show when none is named: what the file names (attribute "default_metric"), else time, else cycles or instructions, else the one with the
 * largest total; the first of several. A metric that the file hides comes after those that it shows, and one whose total is 0 after all that have a value.
 * 0 = there is none. */
assay_metric_id metric_default(const struct metric_set *set);

/* The metric that `name` means, or the default when that is NULL: the one that is called so, in any case; else the same quantity in another unit
 * (sub_time and sub_ticks); else what pprof means by it, a number from 0 or "inuse_space" for "space"; else the only one that has it as a part of its name, in any case. Errors: USAGE (none or several
 * match; the sentence lists those that there are), UNSUPPORTED (there is none at all). */
int metric_choose(const struct metric_set *set, const char *name, assay_metric_id *out, assay_error *err);
/* The same, as a place in set->at. */
int metric_choose_place(const struct metric_set *set, const char *name, uint32_t *k, assay_error *err);
/* The metrics of a set into list (metrics of the profile + 1 entries); returns how many. */
uint32_t metric_set_list(const struct metric_set *set, assay_metric_id *list);
/* Whether a metric has exactly this name. */
bool metric_is_named(const struct metric_set *set, const char *name);
/* The same, or the same quantity in another unit. */
bool metric_is_meant(const struct metric_set *set, const char *name);

#endif
