/* What the commands of `assay cov` share: the store they work on, its settings, its git repository, exit codes. */
#ifndef CLI_COV_COV_H
#define CLI_COV_COV_H

#include "cli/cli.h"
#include "store/config.h"
#include "store/discover.h"
#include "store/refs.h"

extern const struct verb cov_export_verb, cov_diff_verb, cov_patch_verb, cov_reflog_verb;
extern const struct verb cov_init_verb, cov_config_verb, cov_module_verb, cov_report_verb, cov_branch_verb, cov_tag_verb, cov_checkout_verb, cov_log_verb,
    cov_show_verb, cov_reset_verb, cov_import_verb, cov_fsck_verb, cov_gc_verb;

/* The program that assay replaces has these; scripts ask for them. */
enum cov_exit { COV_DONE = 0, COV_REFUSED = 1, COV_WRONG = 2, COV_EMPTY_ALIAS = 22 };
enum cov_decorate { COV_DECORATE_AUTO, COV_DECORATE_SHORT, COV_DECORATE_NO };

/* An open store. */
struct cov {
    struct cli *c;
    struct store *store;
    struct config config;
    struct git *git; /* NULL until cov_git */
    char path[GIT_PATH_LEN];
};

/* Finds and opens the store of the current folder, and reads its settings. Prints why not; 0 or an exit code. cov_close is due in any case. */
int cov_open(struct cov *v, struct cli *c);
void cov_close(struct cov *v);
/* The git repository of the store, opened once; NULL = there is none, `err` says why. */
struct git *cov_git(struct cov *v, assay_error *err);

/* The reference of a branch or tag that was typed, in REFS_NAME_MAX bytes. A new one must not begin with a dash: as in git, nobody could name it
 * without it being taken for an option. Errors: USAGE. */
int cov_ref_name(const char *prefix, const char *noun, const char *name, bool is_new, char *full, assay_error *err);

/* Lets the reflog know who changes references, as git does. */
void cov_identify(struct cov *v);

/* Prints the error; returns COV_WRONG. */
int cov_fail(struct cov *v, const assay_error *err);
/* The same as an exit code of the run, without a store. */
int cov_say(const assay_error *err, int code);

/* The arguments of step `i`: *count of them, from set->files. */
const char *const *cov_step(const struct settings *s, size_t i, size_t *count);

#endif
