/* What the options of the command set, and how they are read from its arguments. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/option.h"

/* Options that stand for an action, in their order: what follows each up to the next one belongs to it. Works with base/vec.h. */
struct steps {
    struct step {
        const struct option_spec *option;
        size_t first; /* index in `files` of what belongs to it */
    } * at;
    size_t len, cap;
};

/* What only `assay cov` has. */
struct cov_settings {
    bool force, quiet, oneline, abbrev, no_abbrev, prop_names, no_prop_names;
    bool local, global, system, show_current, amend, add, merge, keep_ids, stat, list_all, dry_run, all, break_lock;
    unsigned decorate; /* enum cov_decorate */
    const char *git_dir, *worktree, *file, *format, *module, *filter, *list, *place, *remove, *branch, *commit;
    struct steps steps;
    struct words props, excludes;
    uint64_t days, fail_under, grace;
    bool has_days, has_fail_under, has_grace;
};

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What the options of all verbs set; each verb offers those that mean something to it. Texts are borrowed from argv. */
/* What OPTION_FORM makes of --json and --json=short; 0 = not given. */
enum json_form { JSON_FULL = 1, JSON_SHORT = 2 };

struct settings {
    bool help, version;
    unsigned json; /* enum json_form */
    bool csv, csv_raw, markdown;
    bool exact, verbose, full_names, strict;
    bool no_progress, no_pager;
    bool estimate, no_estimate, wrap, no_ids, no_relative, sum_up;
    bool single_file;          /* html */
    bool compat, copy_sources; /* hpcdb */
    unsigned statistics;       /* number of the word in convert.c */
    bool no_loops;
    bool as_text, icicle, is_difference, by_before;           /* flame */
    bool bottom_up, flat, hot_path, only_functions, contexts; /* tree */
    bool callers, callees, by_site, cycles;
    bool has_least;
    double least; /* percent */
    uint64_t depth, width;
    bool has_depth, svg, by_stream; /* timeline */
    uint64_t streams;
    bool man, losses;
    bool no_symbols, foreign, deep;
    bool no_structures, no_traces; /* measurements */
    bool exclusions, follow_links, sources;
    unsigned by; /* enum assay_coverage_by, of profiles enum top_by */
    bool has_by;
    const char *fail_under, *fail_under_each;
    bool throw_branches, unreachable_branches; /* not to be counted */
    bool keep_tests;
    bool staged, unstaged, branches, expand; /* of changes */
    bool has_annotations, has_fail_under_new, has_max_drop;
    unsigned annotations;            /* the word given */
    double fail_under_new, max_drop; /* percent */
    const char *fail_on;
    bool normalise, has_fail_above, has_min_cost; /* of differences between profiles */
    double fail_above, min_cost;
    unsigned diff_by; /* enum assay_diff_by */
    const char *diff, *git, *repository;
    bool missing, calls, apart, all, has_context; /* annotate; all: check too */
    uint64_t context;
    bool per_call; /* top */
    bool brief;    /* info */
    struct words wanted_files, wanted_functions;
    unsigned color;      /* enum color_when */
    unsigned sort;       /* enum assay_sort */
    unsigned completion; /* enum generate_shell */
    bool has_sort, has_limit, has_completion;
    uint64_t limit, threads;
    uint64_t max_memory, max_output, max_string, memory, dwarf_max_size;
    const char *function; /* tree */
    const char *metric, *from, *to, *output, *style, *title;
    struct words proxies, symbols, only_exes, exclude_exes;
    struct words source_roots, includes, excludes, exclude_lines;
    struct words focus, ignore, hide, only_modules, only_files, only_streams; /* of cost */
    const char *time;
    struct path_maps maps;
    struct arena text; /* of the maps */
    struct words files;
    size_t dashes; /* how many of the files stood before "--"; SIZE_MAX = there was none */
    struct cov_settings cov;
};

/* Takes the options of a verb that the library has. */
struct options_taker {
    bool (*take)(void *arg, const char *key, const char *value); /* false = no memory */
    void *arg;
    const struct option_spec *own; /* those among them that the settings take, too */
};

/* Fills `set` from argv[0 .. argc). What is no option goes to set->files; "--" ends the options, "-" is a file. On an error set->files and
 * the lists still have to be freed with options_done. `taker` may be NULL. Errors: USAGE, MEMORY; the sentence names the option and what is allowed. */
int options_parse(const struct option_spec *table, int argc, char **argv, const struct options_taker *taker, struct settings *set, struct mem *mem,
                  assay_error *err);
void options_done(struct settings *set, struct mem *mem);

#endif
