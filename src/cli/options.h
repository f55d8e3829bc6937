/* What the options of the command set, and how they are read from its arguments. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reading.h"

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

/* What OPTION_FORM makes of --json and --json=short; 0 = not given. */
enum json_form { JSON_FULL = 1, JSON_SHORT = 2 };

/* What the options of the command's own verbs set, and of all verbs those that the command looks at; each verb offers those that mean something to it. Texts
 * are borrowed from argv. */
struct settings {
    bool help, version;
    unsigned json; /* enum json_form */
    bool csv, csv_raw, markdown;
    bool exact, verbose, full_names;
    bool no_progress, no_pager;
    unsigned color; /* enum color_when */
    bool has_limit;
    uint64_t limit, memory;
    const char *to, *output, *style, *metric, *metrics;
    bool estimate, no_estimate, sum_up;
    bool keep_tests;
    bool man, has_completion;                               /* help */
    unsigned completion;                                    /* enum generate_shell */
    bool no_open, compare, no_sources, no_paths, has_least; /* view */
    double least;                                           /* percent of the total */
    const char *export_to;
    uint64_t port;
    uint64_t max_answer; /* mcp */
    bool no_handles;
    struct words proxies;
    struct reading read;
    /* Of query. */
    const char *sql_file, *named, *queries;
    bool has_named, schema;
    unsigned style_word; /* enum assay_rows_style */
    uint64_t max_rows, max_seconds;
    /* Of changes in a store; the library takes them. */
    const char *diff, *git, *repository, *fail_on;
    bool staged, unstaged, has_fail_under_new, has_max_drop;
    double fail_under_new, max_drop; /* percent */
    struct arena text;               /* of the maps */
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
