/* Finding, making and opening stores; see assay/store.h. */
#include "store/public/handle.h"

#include <stdio.h>
#include <string.h>

#include "base/options.h"

/* ---- ids ---- */

char *assay_store_id_text(const assay_store_id *id, char text[ASSAY_STORE_ID_TEXT]) { return cov_id_hex(id, text); }
bool assay_store_id_is_none(const assay_store_id *id) { return cov_id_is_zero(id); }

/* ---- stores ---- */

static int copy_path(const char *from, char *path, size_t room, assay_error *err)
{
    if (strlen(from) >= room) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    memcpy(path, from, strlen(from) + 1);
    return 0;
}

int assay_store_find(const char *from, char *path, size_t room, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    char found[GIT_PATH_LEN];
    bool is_worktree;
    TRY(discover_store(from, found, &is_worktree, err));
    return copy_path(found, path, room, err);
}

int assay_store_create(const struct assay_store_new *what, assay_store_made *out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct assay_store_new own;
    struct discover_made made = { 0 };
    struct mem mem;
    *out = (assay_store_made){ 0 };
    TRY(options_take(&own, sizeof own, what, err));
    const struct discover_new asked = { own.git_dir, own.directory, own.branch, own.force };
    mem_init(&mem, 0);
    int rc = discover_create(&asked, &made, &mem, err);
    out->outcome = (enum assay_store_outcome)made.outcome;
    memcpy(out->store, made.store, sizeof out->store);
    memcpy(out->git, made.git, sizeof out->git);
    return rc;
}

int assay_store_open(const char *path, assay_store **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct mem first;
    *out = NULL;
    mem_init(&first, 0);
    assay_store *h = mem_zalloc(&first, 1, sizeof *h);
    if (!h) return error_memory(err);
    mem_init(&h->mem, 0);
    config_init(&h->config, &h->mem);
    int rc = copy_path(path, h->path, sizeof h->path, err);
    if (rc == 0) rc = store_open(&h->s, h->path, &h->mem, err);
    if (rc == 0) rc = config_load_all(&h->config, store_common(h->s), err);
    if (rc == 0)
        *out = h;
    else
        assay_store_close(h);
    return rc;
}

void assay_store_close(assay_store *h)
{
    struct mem last;
    if (!h) return;
    git_close(h->git);
    store_close(h->s);
    config_done(&h->config);
    mem_init(&last, 0);
    mem_free(&last, h, sizeof *h);
}

const char *assay_store_path(const assay_store *h) { return h->path; }

/* ---- git ---- */

int handle_git_dir(assay_store *h, const char **out, assay_error *err)
{
    if (!*h->git_dir) discover_git(store_path(h->s), store_common(h->s), config_get(&h->config, "core.gitdir"), h->git_dir);
    *out = h->git_dir;
    if (!*h->git_dir) FAIL(err, ASSAY_ERR_UNKNOWN, "the store does not say where its git repository is, or the repository is gone");
    return 0;
}

struct git *handle_git(assay_store *h, assay_error *err)
{
    const char *path;
    if (!h->git && handle_git_dir(h, &path, err) == 0) git_open(&h->git, path, &h->mem, err);
    return h->git;
}

int assay_store_git(assay_store *h, const char **git_dir, const char **work_tree, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    const char *path;
    assay_error own = { 0 };
    int rc = handle_git_dir(h, &path, &own);
    struct git *g = rc == 0 && work_tree ? handle_git(h, &own) : NULL;
    if (rc == 0 && work_tree && !g) rc = own.code;
    if (rc != 0) {
        if (err) *err = own;
        return rc;
    }
    if (git_dir) *git_dir = path;
    if (work_tree) *work_tree = git_root(g);
    return 0;
}

void assay_store_trust_git(void) { git_trust_objects(); }

void handle_identify(assay_store *h)
{
    char who[400];
    struct git *g = h->is_identified ? NULL : handle_git(h, NULL);
    h->is_identified = true;
    if (!g) return;
    git_identity(g, who, sizeof who);
    if (*who) store_set_identity(h->s, who, NULL); /* without it the reflog names the user of the system */
}

/* ---- what a killed process leaves behind ---- */

struct assay_store_traces {
    struct store_traces t;
};

int assay_store_traces_new(const assay_store *h, assay_store_traces **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct mem mem;
    mem_init(&mem, 0);
    *out = mem_alloc(&mem, sizeof **out);
    if (!*out) return error_memory(err);
    store_traces(h->s, &(*out)->t);
    return 0;
}

void assay_store_abandon(const assay_store_traces *traces) { store_abandon(&traces->t); }

void assay_store_traces_free(assay_store_traces *traces)
{
    struct mem mem;
    mem_init(&mem, 0);
    mem_free(&mem, traces, sizeof *traces);
}
