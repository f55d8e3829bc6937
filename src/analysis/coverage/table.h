/* Coverage by folder, with folders below a depth summed up; the rest of the table is in assay/coverage.h. */
#ifndef ANALYSIS_COVERAGE_TABLE_H
#define ANALYSIS_COVERAGE_TABLE_H

#include "assay/analysis.h"
#include "base/mem.h"

/* As assay_coverage_table_new by directory, but folders more than `depth` levels below the one that all files share become one with the folder at that
 * depth. 0 = every folder has the files that are directly in it. Errors: MEMORY. */
int coverage_folders_new(const assay_profile *p, uint32_t depth, enum assay_coverage_sort sort, assay_coverage_table **out, assay_error *err);
/* As assay_coverage_table_new, with the figures of a table of the same profile by file: nothing is counted again. */
int coverage_table_again(const assay_profile *p, const assay_coverage_table *counted, enum assay_coverage_by by, enum assay_coverage_sort sort,
                         uint64_t missing, assay_coverage_table **out, assay_error *err);
/* What files state against what is counted of them; `out` has ASSAY_COVERAGE_COMPARED entries, all 0. false = no memory */
bool coverage_compare_stated(const assay_profile *p, const assay_coverage_counts *by_file, struct mem *mem, assay_coverage_difference *out);

#endif
