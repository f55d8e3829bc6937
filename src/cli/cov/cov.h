/* What the commands of `assay cov` share: the store they work on, how reports look, exit codes. */
#ifndef CLI_COV_COV_H
#define CLI_COV_COV_H

#include "cli/cli.h"

extern const struct verb cov_export_verb, cov_diff_verb, cov_patch_verb, cov_reflog_verb;
extern const struct verb cov_init_verb, cov_config_verb, cov_module_verb, cov_report_verb, cov_branch_verb, cov_tag_verb, cov_checkout_verb, cov_log_verb,
    cov_show_verb, cov_reset_verb, cov_import_verb, cov_fsck_verb, cov_gc_verb;

/* The program that assay replaces has these; scripts ask for them. */
enum cov_exit { COV_DONE = 0, COV_REFUSED = 1, COV_WRONG = 2, COV_EMPTY_ALIAS = 22 };
enum cov_decorate { COV_DECORATE_AUTO, COV_DECORATE_SHORT, COV_DECORATE_NO };

/* An open store. */
struct cov {
    struct cli *c;
    assay_store *store;
};

/* Finds and opens the store of the current folder. Prints why not; 0 or an exit code. cov_close is due in any case. */
int cov_open(struct cov *v, struct cli *c);
void cov_close(struct cov *v);

/* Prints the error; returns COV_WRONG. */
int cov_fail(struct cov *v, const assay_error *err);
/* The same as an exit code of the run, without a store. */
int cov_say(const assay_error *err, int code);

/* The revision that was typed; NULL = none. */
const char *cov_revision(const struct cli *c);
/* The arguments of step `i`: *count of them, from set->files. */
const char *const *cov_step(const struct settings *s, size_t i, size_t *count);

/* An assay_text_fn with a struct output as its argument. */
int cov_put(void *out, const char *data, size_t len);

/* ---- JSON ---- */

struct json;
void cov_begin_json(struct json *j, struct output *out, const char *verb);
void cov_put_id(struct json *j, const char *key, const assay_store_id *id);

#endif
