/* What the verbs of the command share: their description, the run they are in, messages, exit codes. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "assay/assay.h"
#include "base/output.h"
#include "base/vec.h"
#include "cli/options.h"
#include "cli/terminal.h"

/* DESIGN, "The command": what an exit code says. The worst of several files wins. */
enum cli_exit { CLI_OK = 0, CLI_NO = 1, CLI_USAGE = 2, CLI_INPUT = 3, CLI_OUTPUT = 4 };

/* One run of the command. */
struct cli {
    const struct verb *verb;
    struct settings set;
    VEC(struct assay_option) options; /* of a verb that the library has */
    struct option_pairs writing;      /* options of the target; see cli/format_options.h */
    struct assay_filter filter;       /* of the settings, once cli_read_options has been called */
    struct mem mem;
    struct terminal term;
    struct progress progress;
    int exit; /* enum cli_exit, the worst so far */
};

struct verb {
    const char *name;
    const char *summary;   /* a phrase */
    const char *arguments; /* as in the usage line */
    size_t least_files, most_files;
    const struct option_spec *options;
    const char *const *text;                   /* paragraphs; ends with NULL */
    const struct assay_verb_example *examples; /* ends with a NULL command */
    int (*run)(struct cli *c);                 /* returns an enum cli_exit */
    const char *as;                            /* the verb of the library that takes its options; NULL = c->set does */
    const struct option_spec *own;             /* the table without the options of formats that `options` has, too; NULL = it has none of them */
};

/* A verb that is a family: its commands, whose names begin with its own ("cov log"); ends with NULL. Their options are read by `dispatch`, which
 * gets what follows the verb. */
struct family {
    const struct verb *verb;
    const struct verb *const *commands;
    int (*dispatch)(struct cli *c, int argc, char **argv);
};

/* All verbs, in the order of the help; ends with NULL. There once cli_init_verbs was called. */
extern const struct verb *const *cli_verbs;
/* Those of the library and those of the command. false = no memory; free with cli_free_verbs. */
bool cli_init_verbs(struct mem *mem);
void cli_free_verbs(struct mem *mem);
/* Fetches the options of a verb of the library, or of all of them (NULL), which have none before. false = no memory. */
bool cli_load_options(struct mem *mem, const struct verb *verb);
/* What runs for `assay FILE...`; it is not in the list. */
const struct verb *cli_summary(void);
/* Options without a verb. */
extern const struct option_spec cli_options[];

const struct verb *cli_find_verb(const char *name);
/* The families; ends with NULL. */
extern const struct family *const cli_families[];
/* The family that a verb is, or NULL. */
const struct family *cli_family(const struct verb *verb);
/* A command of a family by its last word, or NULL. */
const struct verb *cli_find_command(const struct family *family, const char *word);
/* The word after the name of the family: "log" of "cov log"; the name of any other verb. */
const char *cli_word(const struct verb *verb);
/* All that main does; returns the exit code. */
int cli_main(int argc, char **argv);
/* Reads the options of c->verb and runs it; argv is what follows its name. */
int cli_run(struct cli *c, int argc, char **argv);
/* Reports an unknown command; returns CLI_USAGE. */
int cli_unknown_verb(const char *name);

/* Whether the report is CSV of either kind. */
static inline bool cli_csv(const struct settings *s) { return s->csv || s->csv_raw; }

/* "assay: ..." on standard error, without letting names send control characters to the terminal. */
void cli_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a usage error with where to find help; returns CLI_USAGE. */
int cli_usage(const struct verb *verb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints an error, notes its exit code in c->exit, and returns it. */
int cli_fail(struct cli *c, const assay_error *err);
/* The same for an error that came up while writing: what the target cannot do is then no fault of the input. */
int cli_fail_write(struct cli *c, const assay_error *err);
void cli_note(struct cli *c, int exit_code);

/* Reads `path` and leaves of it what the settings ask for, with the progress. Errors: those of assay_read. */
int cli_read_profile(struct cli *c, const char *path, uint32_t want, assay_profile **out, assay_error *err);
/* What the filters of cost did not find, or could not be exact about, and totals that are not: rules FI-1 and so on, CG32, a line for each on standard error. */
void cli_say_of_filters(const char *path, const assay_profile *p);
/* Read options from the settings, filter included, with the progress of `path`. End with cli_read_done. */
struct assay_read_options cli_read_options(struct cli *c, const char *path, uint32_t want);
/* What --max-memory says, or the default (cli/memory.h); 0 = no limit. */
uint64_t cli_max_memory(const struct cli *c);
/* Takes the progress bar away. */
void cli_read_done(struct cli *c);

/* Opens -o FILE or standard output. Errors are printed; false = give up, c->exit says why. */
bool cli_open_output(struct cli *c, struct output **out);
/* Commits, or removes what was begun when the work was interrupted; returns the exit code of the run. */
int cli_close_output(struct cli *c, struct output *out);

/* The same for standard output that may go through a pager: whoever quits the pager has seen enough, which is no failure. */
int cli_close_paged(struct cli *c, struct output *out);

#endif
