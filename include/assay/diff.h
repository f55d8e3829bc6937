/* Changes: what a text diff or git says was changed, what tests cover of it, and how two coverage reports differ.
 *
 *     assay_changes_read("-", NULL, &changes, &err);
 *     assay_patch_new(profile, changes, NULL, &patch, &err);    // patch->missing of patch->measured new lines are not covered */
#ifndef ASSAY_DIFF_H
#define ASSAY_DIFF_H

#include "assay/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what was changed ---- */

/* Lines old_before + 1 .. old_before + old_count became new_before + 1 .. new_before + new_count; either count may be 0. */
typedef struct assay_edit {
    uint32_t old_before, old_count, new_before, new_count;
} assay_edit;

typedef struct assay_changed_file {
    const char *old_path, *new_path; /* from the root of the repository; NULL = the file was made, was deleted */
    const assay_edit *edits;         /* in the order of lines */
    size_t edit_count;
} assay_changed_file;

typedef struct assay_changes {
    const assay_changed_file *files; /* in the order of the diff; a path that it changes twice is there twice */
    size_t count;
    uint64_t added, removed; /* lines */
    const assay_finding *warnings;
    size_t warning_count;
} assay_changes;

/* Reads a unified diff, as `git diff` or `diff -u` write it, with any context; "-" is standard input. Nothing that it names is opened. What
 * cannot be read of it becomes a warning (UD-1 to UD-5) unless strict. Of the options strict, max_memory, max_output and progress
 * count; NULL is allowed. *out is the caller's: assay_changes_free. Errors: SYSTEM, UNKNOWN (no unified diff), DAMAGED, MEMORY, LIMIT. */
ASSAY_API int assay_changes_read(const char *path, const struct assay_read_options *options, assay_changes **out, assay_error *err);
ASSAY_API int assay_changes_read_memory(const void *data, size_t len, const char *name, const struct assay_read_options *options, assay_changes **out,
                                        assay_error *err);

/* Which changes of a git repository. `range` is A..B, A...B (from where B left A) or A (A...HEAD); NULL = from HEAD, or from the index
 * when only `unstaged`. staged: up to what `git add` took; unstaged: up to the files as they lie there; both end the range in place of B. */
struct assay_git_range {
    size_t size;            /* of this structure, as in assay_read_options */
    const char *repository; /* its directory; NULL = the one that contains the current directory */
    const char *range;
    bool staged, unstaged;
    uint64_t max_memory; /* bytes of the result; 0 = no limit */
};
/* No hook, no external diff, filter or text conversion is run, whatever the repository's configuration says, and nothing is fetched. Errors:
 * UNKNOWN (no repository, no such revision), USAGE, UNSUPPORTED (built without libgit2), SYSTEM, MEMORY. */
ASSAY_API int assay_changes_git(const struct assay_git_range *range, assay_changes **out, assay_error *err);
ASSAY_API void assay_changes_free(assay_changes *changes);

/* The number that an old line has now; 0 = it was changed or removed. */
ASSAY_API uint32_t assay_changed_line(const assay_changed_file *f, uint32_t old_line);

/* ---- what is covered of it ---- */

enum assay_line_state { ASSAY_LINE_COVERED = 0, ASSAY_LINE_MISSING = 1, ASSAY_LINE_PARTIAL = 2 /* hit, but not every branch */ };

typedef struct assay_patch_file {
    const char *path;     /* of the change */
    uint32_t added;       /* lines that the change added */
    uint32_t count;       /* of those that the report measures */
    const uint32_t *line; /* their numbers */
    const uint8_t *state; /* enum assay_line_state */
    uint32_t missing;     /* how many of them are not covered; partial ones too when branches were asked for */
} assay_patch_file;

typedef struct assay_patch {
    assay_patch_file *files; /* those of the change that the report has, by path */
    size_t count;
    const char *const *unmatched; /* those with new lines that it does not have, by path */
    size_t unmatched_count;
    uint64_t changed, measured, missing; /* lines: added by the change; of those measured; of those not covered */
    /* No file of the change is in the report though it has files of the same kind (extension): the paths do not match. */
    const char *lost; /* one of them; NULL = they match */
} assay_patch;

struct assay_patch_options {
    size_t size;         /* of this structure, as in assay_read_options */
    bool branches;       /* a line that is hit without all its branches is missing */
    bool expand;         /* a new line between two measured ones is measured like the one before it */
    uint64_t max_memory; /* bytes; 0 = no limit */
};
/* Lines of the change that the report measures, and those of them that are not covered. A file of the report is that of the change when the
 * paths are the same in their one spelling; else when one path ends with the other (whole components, two at least of a shorter one in the
 * report) and no other does. Errors: MEMORY, UNSUPPORTED (no coverage). *out is the caller's. */
ASSAY_API int assay_patch_new(const assay_profile *p, const assay_changes *changes, const struct assay_patch_options *options, assay_patch **out,
                              assay_error *err);
ASSAY_API void assay_patch_free(assay_patch *patch);

/* ---- how two reports differ ---- */

/* Of a line: new, changed and unchanged come from the diff; U = not hit, G = now hit, C = hit before and after, L = no longer hit,
 * E = no longer in the report, D = removed with its text. Last letters: NC new code, BC in the report before, IC unchanged but only now in the
 * report, UB and CB not hit and hit before. */
enum assay_category {
    ASSAY_UNC = 0,
    ASSAY_LBC = 1,
    ASSAY_UIC = 2,
    ASSAY_UBC = 3,
    ASSAY_GBC = 4,
    ASSAY_GIC = 5,
    ASSAY_GNC = 6,
    ASSAY_CBC = 7,
    ASSAY_EUB = 8,
    ASSAY_ECB = 9,
    ASSAY_DUB = 10,
    ASSAY_DCB = 11,
    ASSAY_CATEGORIES = 12
};
/* "UNC", ...; "" for a number that is none. */
ASSAY_API const char *assay_category_name(unsigned category);

typedef struct assay_diff_line {
    uint32_t old_line, new_line; /* 0 = none */
    uint8_t category;            /* enum assay_category */
} assay_diff_line;

typedef struct assay_diff_file {
    const char *old_path, *new_path; /* as the reports have them; NULL = not in that report */
    uint32_t before, before_hit, after, after_hit;
    uint32_t by_category[ASSAY_CATEGORIES];
    const assay_diff_line *lines; /* those now in the report or in the file by number, then those removed */
    uint32_t line_count;
} assay_diff_file;

typedef struct assay_coverage_diff {
    const assay_diff_file *files; /* by new path, else old path */
    size_t count;
    uint64_t before, before_hit, after, after_hit;
    uint64_t by_category[ASSAY_CATEGORIES];
    const assay_finding *warnings; /* DF-1 to DF-3 */
    size_t warning_count;
} assay_coverage_diff;

/* Compares the lines of two reports. With `changes` a line of the old report is the same line where the diff says so; without (NULL) where it
 * has the same number, which is a guess (DF-1). `options` may be NULL; branches: a partial line is not hit. Errors: MEMORY, UNSUPPORTED. */
ASSAY_API int assay_coverage_diff_new(const assay_profile *before, const assay_profile *after, const assay_changes *changes,
                                      const struct assay_patch_options *options, assay_coverage_diff **out, assay_error *err);
ASSAY_API void assay_coverage_diff_free(assay_coverage_diff *diff);

/* ---- how two profiles differ ---- */

enum assay_diff_state { ASSAY_DIFF_CHANGED = 0, ASSAY_DIFF_NEW = 1, ASSAY_DIFF_GONE = 2 };

typedef struct assay_diff_metric {
    const char *name, *unit;
    enum assay_type type;             /* of both; F64 when they differ */
    bool is_before, is_after;         /* which of the two has it */
    double before_total, after_total; /* what the shares of a profile are taken of */
} assay_diff_metric;

/* What is laid side by side. */
enum assay_diff_by {
    ASSAY_DIFF_BY_FUNCTION = 0,
    ASSAY_DIFF_BY_LINE = 1,   /* source lines, as `annotate` shows them */
    ASSAY_DIFF_BY_CONTEXT = 2 /* calling contexts, by the names of the functions from the root to them */
};

/* A function, or a line (file, line, no name), or a context (name, context). */
typedef struct assay_diff_func {
    const char *name, *file, *module; /* of the second profile where it has the function; "" = none */
    uint32_t line;
    uint8_t state; /* enum assay_diff_state */
    uint64_t before_calls, after_calls;
    uint32_t context; /* its number in assay_profile_diff.contexts; 0 = it is none */
} assay_diff_func;

typedef struct assay_diff_context {
    const char *name;
    uint32_t parent; /* smaller number; 0 = a root */
} assay_diff_context;

/* Functions (lines, contexts) of two profiles that differ in a figure, the largest change of `self` of the chosen metric first. Figures are those of
 * assay_top; of lines self cost, with the calls made from the line (where lines and calls are measured alike, else self), and these calls; of contexts
 * what each cost itself, with all below it, and how often it was entered. */
typedef struct assay_profile_diff {
    size_t metric_count;
    const assay_diff_metric *metrics; /* those of the second profile, then those that only the first has, then formulas */
    size_t count;
    const assay_diff_func *funcs;
    const assay_value *before_self, *after_self, *before_total, *after_total; /* [row * metric_count + k], in the metric's type */
    size_t same;                                                              /* functions that do not differ */
    enum assay_diff_by by;
    size_t context_count;
    const assay_diff_context *contexts; /* all contexts of both, 1 .. context_count; NULL unless by context */
    size_t metric;                      /* the number of the metric that was asked for first, or of the default */
    size_t shown_count;
    const size_t *shown;  /* numbers of all that were asked for, in that order */
    size_t first_formula; /* metrics from this number on are formulas that do not add up, such as "a / b": they have no shares */
} assay_profile_diff;

/* Metrics are the same by name, times also in another unit ("Time" and "Time_(10ns)"): the figures of the first profile are then those of the
 * second's unit, as doubles. Functions are the same when name, file and module are (and the place, where it distinguishes functions); hashes in mangled Rust names do not
 * count. Lines when file and number are, contexts when all names from the root on are. Those that one profile has several times are added up.
 * `metric`: by which to sort; of several, separated by commas, the first; a formula such as "CPI = Cycles / Ir" is one, too; NULL = the default of those that both have: time, else cycles or instructions, else the largest. Errors: MEMORY, UNSUPPORTED
 * (nothing was measured of this kind; no metric in common; a unit cannot be converted), USAGE (no such metric), those of stored
 * values. */
struct assay_profile_diff_options {
    size_t size; /* of this structure, as in assay_read_options */
    const char *metric;
    uint64_t max_memory; /* bytes; 0 = no limit */
    enum assay_diff_by by;
    bool normalise; /* the largest change of the share of the whole comes first */
    /* By function: the result has the chosen metric alone, which takes less memory. What changed is still looked for in all of them. */
    bool only_metric;
    bool all; /* also rows that do not differ */
};
ASSAY_API int assay_profile_diff_new(const assay_profile *before, const assay_profile *after, const struct assay_profile_diff_options *options,
                                     assay_profile_diff **out, assay_error *err);
ASSAY_API void assay_profile_diff_free(assay_profile_diff *diff);

/* What a gate checks: by how much metric number `k` may grow. */
struct assay_diff_gate {
    size_t k;
    double percent;  /* of what it was */
    double min_cost; /* percent of the whole: functions that cost less in both profiles are not looked at */
    bool normalise;  /* shares of the whole are compared, not the costs themselves */
};
/* How much the self cost of a function (row) or the total (row = SIZE_MAX) grew, in percent of what it was; of a new function in percent of the
 * whole before; 0 = it does not cost min_cost. Infinite when there was nothing before. */
ASSAY_API double assay_diff_growth(const assay_profile_diff *diff, size_t row, const struct assay_diff_gate *gate);

#ifdef __cplusplus
}
#endif
#endif
