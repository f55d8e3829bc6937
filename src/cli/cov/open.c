/* The store that a command of `assay cov` works on; see cov.h. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/cov/cov.h"
#include "cli/hints.h"

int cov_say(const assay_error *err, int code)
{
    char text[1600];
    if (err->code == ASSAY_ERR_CANCELLED || interrupt_pending()) return code;
    assay_error_format(err, text, sizeof text);
    cli_message("%s%s", text, hint_of_error(err));
    return code;
}

int cov_fail(struct cov *v, const assay_error *err)
{
    (void)v;
    return cov_say(err, COV_WRONG);
}

int cov_open(struct cov *v, struct cli *c)
{
    assay_error err = { 0 };
    bool is_worktree;
    *v = (struct cov){ .c = c };
    config_init(&v->config, &c->mem);
    if (discover_store(".", v->path, &is_worktree, &err) != 0) return cov_say(&err, is_worktree ? COV_REFUSED : COV_WRONG);
    if (store_open(&v->store, v->path, &c->mem, &err) != 0) return cov_say(&err, COV_WRONG);
    if (config_load_all(&v->config, store_common(v->store), &err) != 0) return cov_say(&err, COV_WRONG);
    return 0;
}

void cov_close(struct cov *v)
{
    git_close(v->git);
    store_close(v->store);
    config_done(&v->config);
}

struct git *cov_git(struct cov *v, assay_error *err)
{
    char path[GIT_PATH_LEN];
    if (v->git) return v->git;
    discover_git(store_path(v->store), store_common(v->store), config_get(&v->config, "core.gitdir"), path);
    if (!*path)
        error_set(err, ASSAY_ERR_UNKNOWN, "the store does not say where its git repository is, or the repository is gone");
    else {
        git_trust_objects();
        git_open(&v->git, path, &v->c->mem, err);
    }
    return v->git;
}

const char *const *cov_step(const struct settings *s, size_t i, size_t *count)
{
    size_t first = s->cov.steps.at[i].first, end = i + 1 < s->cov.steps.len ? s->cov.steps.at[i + 1].first : s->files.len;
    *count = end - first;
    return s->files.at ? s->files.at + first : NULL;
}

int cov_ref_name(const char *prefix, const char *noun, const char *name, bool is_new, char *full, assay_error *err)
{
    int n = snprintf(full, REFS_NAME_MAX, "%s%s", prefix, name);
    if (n >= REFS_NAME_MAX || !refs_name_ok(slice_of(full)) || (is_new && name[0] == '-')) FAIL(err, ASSAY_ERR_USAGE, "invalid name '%s' for a %s", name, noun);
    return 0;
}

void cov_identify(struct cov *v)
{
    char who[400];
    struct git *g = cov_git(v, NULL);
    if (!g) return;
    git_identity(g, who, sizeof who);
    if (*who) store_set_identity(v->store, who, NULL);
}
