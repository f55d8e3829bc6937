/* Analysis: the numbers that people see. Every report and every writer takes them from here, so each has one definition. There is a header for each
 * question; this one includes them all. */
#ifndef ASSAY_ANALYSIS_H
#define ASSAY_ANALYSIS_H

#include "assay/annotate.h"
#include "assay/callers.h"
#include "assay/coverage.h"
#include "assay/diff.h"
#include "assay/filter.h"
#include "assay/graph.h"
#include "assay/merge.h"
#include "assay/paths.h"
#include "assay/timeline.h"
#include "assay/top.h"
#include "assay/tree.h"

#endif
