/* Which part of a profile to keep: paths, sources, marks, functions, streams, time. */
#ifndef ASSAY_FILTER_H
#define ASSAY_FILTER_H

#include "assay/format.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    size_t size; /* of this structure, as in assay_read_options */
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
    /* Patterns of paths as in `includes`: self cost of code in these modules, in these files. The latter choose files of coverage, too. One that begins with
     * '!' leaves out what it matches. */
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
    /* As pprof has them: only these functions stay in stacks, the cost of others is their caller's; and stacks begin with the outermost of these functions,
     * those that have none are left out. */
    const char *const *show;
    size_t show_count;
    const char *const *show_from;
    size_t show_from_count;
    /* Labels of samples: which samples stay, by "[KEY=]REGEX[,REGEX]" on texts or "[KEY=]RANGE" on numbers (32kb, :64kb, 4mb:, 12kb:64mb); the second wins.
     * Then keys of labels, "K1,K2", whose values become frames at the root or the leaf of stacks. Times of events are lost. */
    const char *const *tag_focus;
    size_t tag_focus_count;
    const char *const *tag_ignore;
    size_t tag_ignore_count;
    const char *const *tag_root;
    size_t tag_root_count;
    const char *const *tag_leaf;
    size_t tag_leaf_count;
    /* Functions that stacks end with: what they call, and what that calls, is taken out, and its cost is theirs. */
    const char *const *collapse;
    size_t collapse_count;
    /* Cost of functions themselves: stacks that end with one of these. */
    const char *const *focus_self;
    size_t focus_self_count;
    /* Single places of the tree that are taken out as by `hide`: names of functions from the outermost on, "main;run;step". A ';' in a name is "\\;". */
    const char *const *hide_paths;
    size_t hide_path_count;
};

/* *out is what the filter leaves of `p`, a profile of its own that the caller releases. What is left as it is comes back with one more reference.
 * Coverage: files that are spelled alike become one; rows keep their order and identity. What the input states of the whole is left out once
 * something is missing from it. What was found becomes warnings, with the rules P-1 to P-6 and M-1 to M-6.
 * Cost: functions, files and modules keep their ids; streams, metrics and contexts are those that are left, with POINT scopes only, from which
 * inclusive cost is recomputed. A profile with a tree gives a tree and no graph when names or places are filtered, because only stacks tell
 * who caused which cost. The attribute "filtered" says what was asked for, "whole.METRIC" what the total was before. Warnings have the rules
 * FI-1 to FI-8.
 * Errors: MEMORY, USAGE (an empty pattern, a bad expression, stream or time), UNSUPPORTED (nothing to choose from), those of stored values. */
ASSAY_API int assay_filter_apply(assay_profile *p, const struct assay_filter *filter, assay_profile **out, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif
