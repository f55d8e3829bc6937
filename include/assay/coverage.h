/* What is covered: counts by identity, shares, and tables of files and directories. */
#ifndef ASSAY_COVERAGE_H
#define ASSAY_COVERAGE_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was counted of coverage, by identity: rows of one line, function or branch count once, whatever test or record they come from, and
 * are hit when any of them is. */
typedef struct assay_coverage_counts {
    uint64_t files;
    uint64_t lines, lines_hit;         /* (file, line) without EXCLUDED and NONCODE rows */
    uint64_t functions, functions_hit; /* functions of the coverage table */
    uint64_t groups, groups_hit;       /* functions that begin at one line of a file; without a line each name is a group */
    /* Branches agree in file, line, function, block, name, columns and target, those without block and name also in their index;
     * UNREACHABLE and EXCLUDED ones are left out. To them come the sums of kind "branches", the largest of each line. */
    uint64_t branches, branches_hit;
    uint64_t conditions, conditions_hit; /* (file, line, group, index, sense), UNREACHABLE and EXCLUDED ones left out */
    uint64_t blocks, blocks_hit;         /* regions of kind BLOCK by place */
    uint64_t statements, statements_hit; /* of those blocks, and regions of kind STATEMENT by place */
    uint64_t stated;                     /* files whose figures are stated, not counted: see assay_coverage_figures */
} assay_coverage_counts;

/* Counts the whole into *total and, where by_file is not NULL, each file into by_file[id] (files.count + 1 entries; 0 = what has no file).
 * Errors: MEMORY. Cost: a pass over the rows, and a sort of those that do not stand in the order of files and lines. */
ASSAY_API int assay_coverage_count(const assay_profile *p, assay_coverage_counts *total, assay_coverage_counts *by_file, assay_error *err);

/* The same, but of a report that holds nothing but summaries (Devel::Cover, llvm-cov export -summary-only, istanbul's coverage-summary.json) what
 * these state, with `stated` above 0. The total is the sum of what the files state, or where they do not what the report does. */
ASSAY_API int assay_coverage_figures(const assay_profile *p, assay_coverage_counts *total, assay_coverage_counts *by_file, assay_error *err);
/* Only what is stated, whatever else there is; total->stated is 0 when nothing is. */
ASSAY_API void assay_coverage_figures_stated(const assay_profile *p, assay_coverage_counts *total, assay_coverage_counts *by_file);

/* In percent, not rounded; -1 = 0 of 0. */
ASSAY_API double assay_coverage_percent(uint64_t hit, uint64_t total);
/* By how many points the share fell; below 0 it rose. Of nothing, nothing falls; to nothing, all does. */
ASSAY_API double assay_coverage_drop(uint64_t before_hit, uint64_t before, uint64_t after_hit, uint64_t after);
/* Whether `hit` of `total` is less than `percent`; 0 of 0 is not. Not rounded. */
ASSAY_API bool assay_coverage_is_under(uint64_t hit, uint64_t total, double percent);

/* Coverage by file or by directory, least covered first; the figures are those of assay_coverage_figures. */
enum assay_coverage_by { ASSAY_COVERAGE_BY_FILE = 0, ASSAY_COVERAGE_BY_DIRECTORY = 1 };
enum assay_coverage_sort {
    ASSAY_COVERAGE_SORT_LINES = 0,     /* share of lines hit (of statements where no lines are stated), smallest first; then missed lines, most first;
                                   * then path. 0 of 0 comes last */
    ASSAY_COVERAGE_SORT_FUNCTIONS = 1, /* the same for functions */
    ASSAY_COVERAGE_SORT_BRANCHES = 2,  /* the same for branches */
    ASSAY_COVERAGE_SORT_MISSED = 3,    /* missed lines, most first */
    ASSAY_COVERAGE_SORT_NAME = 4       /* path */
};
typedef struct assay_coverage_row {
    assay_slice path;   /* of the file, or of the directory it is in: "." = none */
    assay_file_id file; /* 0 = a directory */
    assay_coverage_counts counts;
    const char *missing; /* lines that were not hit, e.g. "13-14,28"; a run goes on over lines without code. NULL = a directory, or not requested */
} assay_coverage_row;
/* What files state of themselves where that is not what is counted, added up over those files. A file that states its figures more than once, or has
 * lines of several tests, is not compared: lcov states them for each test. */
typedef struct assay_coverage_difference {
    uint64_t files; /* 0 = none differs */
    uint64_t stated, stated_hit, counted, counted_hit;
} assay_coverage_difference;
enum { ASSAY_COVERAGE_COMPARED = 3 }; /* lines, functions, branches */
typedef struct assay_coverage_table {
    assay_coverage_counts total; /* of the profile, what has no file included */
    uint32_t count;
    const assay_coverage_row *rows;
    assay_coverage_difference differs[ASSAY_COVERAGE_COMPARED];
} assay_coverage_table;

/* *out is owned by the caller; free it before the profile is released. `missing` says for how many of the first rows the lines that were not
 * hit are listed. Errors: MEMORY. */
ASSAY_API int assay_coverage_table_new(const assay_profile *p, enum assay_coverage_by by, enum assay_coverage_sort sort, uint64_t missing,
                                       assay_coverage_table **out, assay_error *err);
ASSAY_API void assay_coverage_table_free(assay_coverage_table *t);

#ifdef __cplusplus
}
#endif
#endif
