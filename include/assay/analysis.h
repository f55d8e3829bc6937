/* Analysis: the numbers that people see. Every report and every writer takes them from here, so each has one definition. */
#ifndef ASSAY_ANALYSIS_H
#define ASSAY_ANALYSIS_H

#include "assay/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Figures of each function over all streams, in no particular order. A profile with a graph gives a row for each function that has a
 * cost or a call; else one with a tree for each that has a node; else one with coverage for each that it covers, with calls but no metric.
 *
 * Graph: `total` is what the file states; else, where its call tree is known (knows_nesting), the cost of the invocations that are not inside another
 * one of the function, and `calls` is the number of invocations; else, for each stream, the sum of the calls to the function, direct recursion left out, or
 * self plus its own calls, direct recursion left out, where it is never called (not even by itself).
 * Tree: `self` is the cost of the nodes that belong to the function (see struct assay_tree), or what is stored as FUNCTION scope at its
 * function nodes; `total` the inclusive cost of its outermost instances, so that recursion counts once: what is stored as EXECUTION scope,
 * else what it spent and was charged for calls (scope "call"), else the sum of everything below. A stored summary ("$$", summed) stands
 * for the sum over the streams. ENTRY nodes give no row. A node with ASSAY_NODE_NO_PLACE counts for its own function, if it has one.
 * Coverage: calls are added over the tests.
 *
 * Integers stay at the nearest value when they overflow. Sums of doubles carry their error along (twice the digits), so that the order
 * of nodes and streams does not show. */
typedef struct assay_top {
    uint32_t count;
    uint32_t metric_count;
    const assay_metric_id *metrics;
    const assay_func_id *func;
    const uint64_t *calls;
    const assay_value *self; /* [row * metric_count + k] */
    const assay_value *total;
    /* Of a profile with short rows (sum_begin of the graph): the values of a row stand from begin[row] up to begin[row + 1], the metrics behind them are 0. NULL =
     * rows are full. */
    const uint64_t *begin;
} assay_top;

/* *out is owned by the caller; free with assay_top_free before the profile is released. Errors: MEMORY, UNSUPPORTED (nothing was measured). */
ASSAY_API int assay_top_new(const assay_profile *p, assay_top **out, assay_error *err);
ASSAY_API void assay_top_free(assay_top *top);

enum assay_sort { ASSAY_SORT_SELF = 0, ASSAY_SORT_TOTAL = 1, ASSAY_SORT_CALLS = 2, ASSAY_SORT_NAME = 3 };

/* Fills order[0 .. top->count) with row numbers: by `sort` of metric number k, largest first; ties by the metrics after it and then those
 * before it, then name, file, module, line, column. */
ASSAY_API void assay_top_order(const assay_profile *p, const assay_top *top, enum assay_sort sort, uint32_t k, uint32_t *order);

/* The call graph of a tree of calling contexts, for callers that do not need contexts. All streams are added up; names, metrics, what is said
 * of the whole and warnings are kept, with the ids that they have.
 *
 * Self cost stands at (function, file, line, address): the enclosing function of a node (see struct assay_tree); file and line of the
 * nearest of the node and those above it in the same function that has a line, else those of the function; the offset of an INSTRUCTION.
 * A stored FUNCTION scope is taken apart over the nodes of the function, so that `self` is what assay_top says.
 * Calls are those of (caller, file, line, address, callee) with the inclusive cost of the function nodes that they lead to (as in
 * assay_top), save those that lie below a call from the same caller to the same callee: they are part of it already. So a function that
 * is never below itself has the same `total` in both, by its callers as well as by what it calls. One that is below itself by way of
 * others has a larger one, as in every graph with cycles.
 * ENTRY nodes become functions of their names. Roots that are none are called by "<program root>", those whose caller was not unwound by
 * "<unknown>", which is also the name of functions without one and of cost that belongs to none.
 * A call whose number is not known counts as 1, for each site: it was seen. */
struct assay_graph_options {
    uint32_t per_second; /* 1000000 or 1000000000: doubles in seconds become whole us or ns, and the metric's name says so; 0 = as they are */
    uint64_t max_memory; /* bytes; 0 = no limit */
    uint64_t fail_at;    /* for tests: the n-th allocation fails; 0 = never */
};
struct assay_graph_lost {
    uint64_t contexts;      /* nodes that were summed up */
    uint64_t streams;       /* that were added up */
    uint64_t unknown_calls; /* call sites whose number of calls is not known */
    uint64_t scaled_metrics;
};

/* *out is a profile of its own with a graph and no tree; the caller releases it. `options` and `lost` may be NULL. Memory in proportion to
 * nodes. Errors: MEMORY, UNSUPPORTED (no tree), those of stored values that cannot be read. */
ASSAY_API int assay_graph_new(const assay_profile *p, const struct assay_graph_options *options, assay_profile **out, struct assay_graph_lost *lost,
                              assay_error *err);

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

/* Marks in sources that say what is not to be counted, by the tools that they belong to. */
enum assay_marks {
    ASSAY_MARKS_LCOV = 1,  /* LCOV_EXCL_*, LCOV_UNREACHABLE_* */
    ASSAY_MARKS_GCOV = 2,  /* GCOV_EXCL_* */
    ASSAY_MARKS_GCOVR = 4, /* GCOVR_EXCL_* */
    ASSAY_MARKS_GRCOV = 8, /* GRCOV_EXCL_* */
    ASSAY_MARKS_PYTHON = 16,
    ASSAY_MARKS_JAVASCRIPT = 32, /* istanbul, c8, v8, node:coverage */
    ASSAY_MARKS_PHP = 64,
    ASSAY_MARKS_RUBY = 128,
    ASSAY_MARKS_DART = 256,
    ASSAY_MARKS_ALL = 511
};

/* Which part of a profile to keep, and where its sources are. Everything is optional: {0} only gives each path its one spelling.
 * docs/coverage.md, "Paths" and "Marks", is the long form. */
struct assay_filter {
    /* A path that begins with `from` is `to` and the rest; the first match wins. */
    const struct assay_path_map *maps;
    size_t map_count;
    /* Folders that hold the sources. Only with them is anything looked at on disk: a path becomes that of the file that exists. */
    const char *const *source_roots;
    size_t source_root_count;
    /* Symbolic links may point outside these directories. Without it, the text of a file is shown only if it really is under one, or under the `to` of a map. */
    bool follow_links;
    /* Patterns of paths, after maps and roots: a file is kept if it matches one of the first (or there are none) and none of the second. */
    const char *const *includes;
    size_t include_count;
    const char *const *excludes;
    size_t exclude_count;
    /* enum assay_marks: sources are looked for (source_roots or not), and what they mark becomes EXCLUDED. */
    uint32_t marks;

    /* Which cost to keep; docs/filters.md has the details. One entry of each list has to match, and every list that is given has to match.
     * Regular expressions (PCRE2) that are found in the name of a function: cost of stacks that hold one, that hold none, and functions that are
     * taken out of stacks: their cost is their caller's, and what they called stands below it. */
    const char *const *focus;
    size_t focus_count;
    const char *const *ignore;
    size_t ignore_count;
    const char *const *hide;
    size_t hide_count;
    /* Patterns of paths as in `includes`: self cost of code in these modules, in these files. The latter choose files of coverage, too. */
    const char *const *modules;
    size_t module_count;
    const char *const *files;
    size_t file_count;
    /* Streams: a number or a range of numbers from 1, "KIND ID" or "KIND=ID,KIND=FIRST-LAST" of the id tuple, or text of the label. */
    const char *const *streams;
    size_t stream_count;
    /* What happened from A to B: "A..B", either of which may be left out. Since the first event, with a unit (ns, us, ms, s) or in percent of the
     * whole; NULL = all the time. */
    const char *time;

    uint64_t max_memory; /* bytes; 0 = no limit */
    uint64_t fail_at;    /* for tests: the n-th allocation fails; 0 = never */
    /* Sources of files that only have offsets (V8) are looked for, source_roots or not: offsets become lines. With roots, with marks, and
     * where the profile has the source, they do anyway. */
    bool lines;
    /* As gcovr has them. Branches that only an exception takes are not to be counted, where the report says which these are. */
    bool throw_branches;
    /* Nor are branches of lines that have no code but braces: the compiler made them. Needs the sources. */
    bool unreachable_branches;
    /* Nor are lines that one of these expressions (PCRE2) matches from their beginning. Needs the sources. */
    const char *const *exclude_lines;
    size_t exclude_line_count;
};

/* *out is what the filter leaves of `p`, a profile of its own that the caller releases. What is left as it is comes back with one more reference.
 * Coverage: files that are spelled alike become one; rows keep their order and identity. What the input states of the whole is left out once
 * something is missing from it. What was found becomes warnings, with the rules P-1 to P-6 and M-1 to M-6.
 * Cost: functions, files and modules keep their ids; streams, metrics and contexts are those that are left, with POINT scopes only, from which
 * inclusive cost is recomputed. A profile with a tree gives a tree and no graph when names or places are filtered, because only stacks tell
 * who caused which cost. The attribute "filtered" says what was asked for, "whole.METRIC" what the total was before. Warnings have the rules
 * FI-1 to FI-7.
 * Errors: MEMORY, USAGE (an empty pattern, a bad expression, stream or time), UNSUPPORTED (nothing to choose from), those of stored values. */
ASSAY_API int assay_filter_apply(assay_profile *p, const struct assay_filter *filter, assay_profile **out, assay_error *err);

/* ---- merging ---- */

/* Folds any number of profiles into one. What is one and the same line, function, branch, condition or region by its identity
 * (docs/model.md) becomes one row, whatever the order of the inputs:
 * - counts are added and stay at UINT64_MAX when they overflow; where one input only knows hit or not, so does the result;
 * - a branch is not evaluated (unreachable) when all inputs say so; a line is excluded when one says so, not code when all do;
 * - a line that one input saw whole is partial in none;
 * - n of m: the larger n and m, with ASSAY_COVERAGE_AT_LEAST when several inputs hit some of them. A line that has single branches in one input
 *   and a sum in another keeps the branches unless the sum knows of more;
 * - files are the same when their paths are, once they have one spelling; functions when file, name and first line agree;
 * - tests are folded into one unless keep_tests;
 * - what an input states of itself (totals, counts) is kept only if there is no other.
 * Cost: places, calls, lines and contexts that are the same are added for each metric; metrics are the same by name, and those of all inputs are
 * there. Integers stay at the nearest value when they overflow, doubles are summed exactly and rounded once. Streams are added up; events over
 * time, jumps and statistics over streams are left out.
 * What was found on the way becomes warnings of the result, with the rules P-2 and MG-1 to MG-8 (docs/merge.md). */
struct assay_merge_options {
    bool keep_tests;
    bool strict;         /* two versions or checksums of one file are an error */
    uint64_t max_memory; /* bytes; 0 = no limit */
    uint64_t fail_at;    /* for tests: the n-th allocation fails; 0 = never */
};
typedef struct assay_merger assay_merger;

/* Owned by the caller; `options` may be NULL. NULL = no memory. */
ASSAY_API assay_merger *assay_merger_new(const struct assay_merge_options *options, assay_error *err);
ASSAY_API void assay_merger_free(assay_merger *m);
/* Takes in one more profile, which is not needed any longer when the call returns: memory grows with the result, not with the inputs. After an
 * error the merger is good for nothing but assay_merger_free. Errors: MEMORY; DAMAGED (strict, and it contradicts those before it);
 * UNSUPPORTED (it holds neither cost nor coverage, or a metric in another unit or type than before, or ticks of another clock). */
ASSAY_API int assay_merger_add(assay_merger *m, const assay_profile *p, assay_error *err);
/* The result, in the order of paths and lines, so that the same inputs give the same rows in any order. Takes `m` in every case. NULL on an
 * error: MEMORY, USAGE (nothing was added). */
ASSAY_API assay_profile *assay_merger_finish(assay_merger *m, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
