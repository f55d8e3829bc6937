/* Where changes come from: options and reading that `patch` and `diff` share. */
#ifndef CLI_CHANGES_H
#define CLI_CHANGES_H

#include "cli/cli.h"
#include "cli/shared.h"
#include "report/change.h"

#define OPTIONS_CHANGES                                                                                                                                        \
    { .name = "diff",                                                                                                                                          \
      .letter = 'd',                                                                                                                                           \
      .type = OPTION_PATH,                                                                                                                                     \
      .argument = "FILE",                                                                                                                                      \
      AT(diff),                                                                                                                                                \
      .help = "read the change from a unified diff; '-' is standard input",                                                                                    \
      .text = "As written by git diff, diff -u and other tools, with any amount of context, compressed or not." },                                             \
        { .name = "git",                                                                                                                                       \
          .letter = 'g',                                                                                                                                       \
          .type = OPTION_TEXT,                                                                                                                                 \
          .argument = "RANGE",                                                                                                                                 \
          AT(git),                                                                                                                                             \
          .help = "take the change from git: A...B, A..B, or A for A...HEAD",                                                                                  \
          .text = "A...B is what changed on B since it branched off A. No program configured by the repository is run." },                                     \
        { .name = "staged", .type = OPTION_FLAG, AT(staged), .help = "include changes staged in the index" },                                                  \
        { .name = "unstaged", .type = OPTION_FLAG, AT(unstaged), .help = "include changes in the work tree, staged or not" },                                  \
    {                                                                                                                                                          \
        .name = "repository", .type = OPTION_PATH, .argument = "DIR", AT(repository),                                                                          \
        .help = "the git repository; by default the one that contains the current directory"                                                                   \
    }

#define OPTION_BRANCHES                                                                                                                                        \
    {                                                                                                                                                          \
        .name = "branches", .type = OPTION_FLAG, AT(branches), .help = "count a line as covered only if all its branches are"                                  \
    }

#define OPTION_FAIL_UNDER_NEW                                                                                                                                  \
    {                                                                                                                                                          \
        .name = "fail-under-new", .type = OPTION_PERCENT, .argument = "PERCENT", AT(fail_under_new), GIVEN(has_fail_under_new),                                \
        .help = "exit with status 1 if coverage of the new lines is below PERCENT"                                                                             \
    }

/* The same under the name that diff-cover has. */
#define OPTION_FAIL_UNDER_PATCH                                                                                                                                \
    {                                                                                                                                                          \
        .name = "fail-under", .type = OPTION_PERCENT, .argument = "PERCENT", AT(fail_under_new), GIVEN(has_fail_under_new),                                    \
        .help = "exit with status 1 if patch coverage is below PERCENT; the same as --fail-under-new"                                                          \
    }

#define OPTIONS_DIFF_GATES                                                                                                                                     \
    { .name = "max-drop",                                                                                                                                      \
      .type = OPTION_PERCENT,                                                                                                                                  \
      .argument = "PERCENT",                                                                                                                                   \
      AT(max_drop),                                                                                                                                            \
      GIVEN(has_max_drop),                                                                                                                                     \
      .help = "coverage: exit with status 1 if line coverage falls by more than PERCENT points" },                                                             \
    {                                                                                                                                                          \
        .name = "fail-on", .type = OPTION_TEXT, .argument = "LIST", AT(fail_on),                                                                               \
        .help = "coverage: exit with status 1 if any line is in one of these categories",                                                                      \
        .text = "A list such as UNC,LBC. UNC: new and not covered, LBC: no longer covered, UIC: newly measured and not covered, UBC: still not covered, GBC: " \
                "now covered, GIC: newly measured and covered, GNC: new and covered, CBC: covered as before, EUB and ECB: no longer measured, DUB and DCB: "   \
                "removed (docs/patch.md)."                                                                                                                     \
    }

/* Whether the settings name any. */
bool cli_has_changes(const struct cli *c);
/* Reads them; *name is what to call them. Errors are printed; false = give up. */
bool cli_read_changes(struct cli *c, assay_changes **out, const char **name);
/* The gate of --fail-under-new for these figures; when it is not kept, that is said and noted in c->exit. */
struct report_gate cli_gate(struct cli *c, uint64_t covered, uint64_t measured);
/* All gates of a difference between two reports, with out->changes known; the same holds. */
void cli_diff_gates(struct cli *c, const assay_coverage_diff *d, struct report_diff *out);
/* Whether --fail-on can be understood; prints why not. To be called before any work. */
bool cli_diff_gates_good(const struct cli *c);

#endif
