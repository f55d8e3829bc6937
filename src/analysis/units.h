/* Units of time: how long one of a metric's unit is, and what it is called for people. */
#ifndef ANALYSIS_UNITS_H
#define ANALYSIS_UNITS_H

#include "assay/model.h"

/* ns in one of the unit of a metric; 0 = it measures no time. Ticks are as long as the attribute ticks_per_sec says. */
double units_ns(const assay_profile *p, assay_metric_id metric);

/* The unit of a metric; of ticks whose length is known the unit of time that they are ("100ns"). "" = none. Lasts as long as the profile. */
const char *units_name(const assay_profile *p, assay_metric_id metric);

#endif
