/* Units: how long one of a unit of time is, what a metric's unit is called for people, and how names of metrics carry it where a format has no
 * other place for it ("Time_(10ns)", "CPUTIME (sec)"). A unit of time may have a number before it: "10ns". */
#ifndef ANALYSIS_CORE_UNITS_H
#define ANALYSIS_CORE_UNITS_H

#include "assay/model.h"
#include "base/arena.h"

enum { UNITS_TEXT = 48 }; /* bytes for any unit as text */

/* ns in one of the unit of a metric; 0 = it measures no time. Ticks are as long as the attribute ticks_per_sec says. */
double units_ns(const assay_profile *p, assay_metric_id metric);

/* The same of a unit by its name; 0 = it is no time, or is "tick". */
double units_time(assay_slice unit);

/* The total of a metric, in ns where it measures time: what totals of several files are compared by. */
double units_quantity(const assay_profile *p, assay_metric_id metric);

/* The unit of a metric; of ticks whose length is known the unit of time that they are ("100ns"). "" = none. Lasts as long as the profile. */
const char *units_name(const assay_profile *p, assay_metric_id metric);

/* Whether figures of this unit are plain numbers: "", count, n, executions and the like. */
bool units_is_count(assay_slice unit);

/* What stands in the last parentheses of a name, into `unit`; "" = none. */
void units_in_name(assay_slice name, char unit[UNITS_TEXT]);
/* The same for events of callgrind and webgrind, whose tools give some names a unit ("Time" in us); "count" = none. */
void units_of_event(assay_slice name, char unit[UNITS_TEXT]);

/* The unit that a name must still be given so that a reader knows that of the metric: ticks as the time that they are. "" = `told`, what the
 * name says already, is the same, or the figures are plain numbers. */
void units_to_tell(const assay_profile *p, assay_metric_id metric, const char *told, char unit[UNITS_TEXT]);
/* The name of a metric, with " (UNIT)" after it where it does not include the unit. false = no memory in `text`, which holds what is new. */
bool units_full_name(const assay_profile *p, assay_metric_id metric, struct arena *text, assay_slice *out);

#endif
