/* The git side by libgit2; see git.h. */
#include "store/git.h"

#include <stdio.h>

#include "base/folder.h"
#include "store/store.h"

#ifdef ASSAY_HAVE_GIT
#include <late_git2.h>

struct git {
    struct mem *mem;
    git_repository *repo;
    git_odb *odb;
    /* the tree that was looked into last: imports ask for every file of one commit */
    assay_store_id tree_id;
    git_tree *tree;
};

static int failed(int rc, const char *what, assay_error *err)
{
    const git_error *e = git_error_last();
    const char *why = e && e->message ? e->message : "unknown reason";
    int code = rc == GIT_ENOTFOUND ? ASSAY_ERR_UNKNOWN : rc == GIT_EAMBIGUOUS ? ASSAY_ERR_AMBIGUOUS : ASSAY_ERR_SYSTEM;
    return error_set(err, code, "%s: %.300s", what, why);
}

static git_oid oid_of(const assay_store_id *id)
{
    git_oid o;
    git_oid_fromraw(&o, id->bytes);
    return o;
}

static assay_store_id id_of(const git_oid *o)
{
    assay_store_id id;
    memcpy(id.bytes, o->id, COV_ID_LEN);
    return id;
}

int git_open(struct git **out, const char *path, struct mem *mem, assay_error *err)
{
    *out = NULL;
    struct git *g = mem_zalloc(mem, 1, sizeof *g);
    if (!g) return error_memory(err);
    g->mem = mem;
    int rc = late_git2_load(err);
    if (rc != 0) {
        mem_free(mem, g, sizeof *g);
        return rc;
    }
    git_libgit2_init();
    rc = git_repository_open_ext(&g->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT, NULL);
    if (rc == 0) rc = git_repository_odb(&g->odb, g->repo);
    if (rc != 0) {
        rc = failed(rc, "cannot open the git repository", err);
        git_close(g);
        return rc;
    }
    *out = g;
    return 0;
}

void git_close(struct git *g)
{
    if (!g) return;
    git_tree_free(g->tree);
    git_odb_free(g->odb);
    git_repository_free(g->repo);
    git_libgit2_shutdown();
    mem_free(g->mem, g, sizeof *g);
}

void git_trust_objects(void)
{
    assay_error err;
    if (late_git2_load(&err) != 0) return; /* whoever opens a repository says so */
    git_libgit2_init();                    /* never undone: the option lasts as long as the process */
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
}

struct git_repository *git_raw(struct git *g) { return g->repo; }

const char *git_root(const struct git *g) { return git_repository_workdir(g->repo); }

void git_current_branch(struct git *g, char *buf, size_t len)
{
    git_reference *head = NULL;
    buf[0] = '\0';
    if (git_reference_lookup(&head, g->repo, "HEAD") == 0 && git_reference_type(head) == GIT_REFERENCE_SYMBOLIC) {
        const char *target = git_reference_symbolic_target(head);
        if (strncmp(target, "refs/heads/", 11) == 0 && strlen(target + 11) < len) memcpy(buf, target + 11, strlen(target + 11) + 1);
    }
    git_reference_free(head);
}

void git_identity(struct git *g, char *buf, size_t len)
{
    git_signature *who = NULL;
    buf[0] = '\0';
    if (git_signature_default(&who, g->repo) == 0) snprintf(buf, len, "%.150s <%.150s>", who->name, who->email);
    git_signature_free(who);
}

/* ---- commits ---- */

static assay_slice keep(struct arena *a, const char *text, bool *done)
{
    char *copy = arena_copy(a, slice_of(text));
    if (!copy) *done = false;
    return slice_of(copy);
}

static assay_slice without_blank_end(assay_slice s)
{
    while (s.len && strchr(" \t\r\n\v\f", s.data[s.len - 1])) s.len--;
    return s;
}

static bool facts_of(git_commit *c, struct arena *a, struct git_commit_facts *out)
{
    const git_signature *author = git_commit_author(c), *committer = git_commit_committer(c);
    bool done = true;
    git_time_t when = git_commit_time(c);
    out->id = id_of(git_commit_id(c));
    out->tree = id_of(git_commit_tree_id(c));
    out->author_name = keep(a, author ? author->name : "", &done);
    out->author_email = keep(a, author ? author->email : "", &done);
    out->committer_name = keep(a, committer ? committer->name : "", &done);
    out->committer_email = keep(a, committer ? committer->email : "", &done);
    out->message = without_blank_end(keep(a, git_commit_message(c) ? git_commit_message(c) : "", &done));
    out->committed = when > 0 ? (uint64_t)when : 0;
    return done;
}

int git_commit_find(struct git *g, assay_slice hex, struct arena *a, struct git_commit_facts *out, assay_error *err)
{
    git_oid oid;
    git_commit *c = NULL;
    if (hex.len < 4 || hex.len > COV_ID_HEX || git_oid_fromstrn(&oid, hex.data, hex.len) != 0)
        FAIL(err, ASSAY_ERR_UNKNOWN, "'%.*s' is not a commit id", (int)(hex.len < 60 ? hex.len : 60), hex.len ? hex.data : "");
    int rc = git_commit_lookup_prefix(&c, g->repo, &oid, hex.len);
    if (rc != 0) return failed(rc, "cannot find the git commit", err);
    rc = facts_of(c, a, out) ? 0 : error_memory(err);
    git_commit_free(c);
    return rc;
}

static bool has(struct git *g, const assay_store_id *id, git_object_t kind)
{
    size_t len;
    git_object_t type;
    git_oid oid = oid_of(id);
    return git_odb_read_header(&len, &type, g->odb, &oid) == 0 && type == kind;
}

bool git_has_commit(struct git *g, const assay_store_id *id) { return has(g, id, GIT_OBJECT_COMMIT); }
bool git_has_blob(struct git *g, const assay_store_id *id) { return has(g, id, GIT_OBJECT_BLOB); }

/* ---- blobs ---- */

static int open_tree(struct git *g, const assay_store_id *id, assay_error *err)
{
    if (g->tree && cov_id_compare(&g->tree_id, id) == 0) return 0;
    git_tree_free(g->tree);
    g->tree = NULL;
    git_oid oid = oid_of(id);
    int rc = git_tree_lookup(&g->tree, g->repo, &oid);
    if (rc != 0) return failed(rc, "cannot read the tree of the commit", err);
    g->tree_id = *id;
    return 0;
}

int git_blob_at(struct git *g, const assay_store_id *tree, assay_slice path, assay_store_id *out, assay_error *err)
{
    char buf[FOLDER_PATH_MAX];
    git_tree_entry *entry = NULL;
    if (!path.len || path.len >= sizeof buf || memchr(path.data, '\0', path.len)) FAIL(err, ASSAY_ERR_UNKNOWN, "no such file in the commit");
    memcpy(buf, path.data, path.len);
    buf[path.len] = '\0';
    TRY(open_tree(g, tree, err));
    int rc = git_tree_entry_bypath(&entry, g->tree, buf);
    if (rc != 0) return failed(rc, "no such file in the commit", err);
    bool is_blob = git_tree_entry_type(entry) == GIT_OBJECT_BLOB;
    *out = id_of(git_tree_entry_id(entry));
    git_tree_entry_free(entry);
    if (!is_blob) FAIL(err, ASSAY_ERR_UNKNOWN, "'%.200s' is not a file in the commit", buf);
    return 0;
}

int git_blob_read(struct git *g, const assay_store_id *id, struct arena *a, assay_slice *out, assay_error *err)
{
    git_odb_object *o = NULL;
    git_oid oid = oid_of(id);
    int rc = git_odb_read(&o, g->odb, &oid);
    if (rc != 0) return failed(rc, "cannot read the source from git", err);
    assay_slice s = { git_odb_object_data(o), git_odb_object_size(o) };
    bool is_blob = git_odb_object_type(o) == GIT_OBJECT_BLOB;
    char *copy = is_blob ? arena_copy(a, s) : NULL;
    git_odb_object_free(o);
    if (!is_blob) FAIL(err, ASSAY_ERR_UNKNOWN, "the object is not a blob");
    if (!copy) return error_memory(err);
    *out = (assay_slice){ copy, s.len };
    return 0;
}

/* ---- where a store says that git is ---- */

/* core.gitdir of the store's own config. */
static int from_config(struct store *s, char *out)
{
    char path[FOLDER_PATH_MAX];
    git_config *config = NULL;
    git_buf value = { 0 };
    assay_error err;
    if (late_git2_load(&err) != 0) return -1;
    git_libgit2_init();
    int rc = folder_path(path, store_common(s), "config") ? git_config_open_ondisk(&config, path) : -1;
    if (rc == 0) rc = git_config_get_string_buf(&value, config, "core.gitdir");
    if (rc == 0 && strlen(value.ptr) < FOLDER_PATH_MAX)
        memcpy(out, value.ptr, strlen(value.ptr) + 1);
    else
        rc = -1;
    git_buf_dispose(&value);
    git_config_free(config);
    git_libgit2_shutdown();
    return rc;
}

#else

int git_open(struct git **out, const char *path, struct mem *mem, assay_error *err)
{
    (void)path;
    (void)mem;
    *out = NULL;
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "this build has no libgit2: the git repository cannot be read");
}

void git_close(struct git *g) { (void)g; }

void git_trust_objects(void) {}

struct git_repository *git_raw(struct git *g)
{
    (void)g;
    return NULL;
}

const char *git_root(const struct git *g)
{
    (void)g;
    return NULL;
}

void git_current_branch(struct git *g, char *buf, size_t len)
{
    (void)g, (void)len;
    buf[0] = '\0';
}

void git_identity(struct git *g, char *buf, size_t len)
{
    (void)g, (void)len;
    buf[0] = '\0';
}

static int none(assay_error *err) { return error_set(err, ASSAY_ERR_UNSUPPORTED, "this build has no libgit2"); }

int git_commit_find(struct git *g, assay_slice hex, struct arena *a, struct git_commit_facts *out, assay_error *err)
{
    (void)g, (void)hex, (void)a, (void)out;
    return none(err);
}

bool git_has_commit(struct git *g, const assay_store_id *id)
{
    (void)g, (void)id;
    return false;
}

bool git_has_blob(struct git *g, const assay_store_id *id)
{
    (void)g, (void)id;
    return false;
}

int git_blob_at(struct git *g, const assay_store_id *tree, assay_slice path, assay_store_id *out, assay_error *err)
{
    (void)g, (void)tree, (void)path, (void)out;
    return none(err);
}

int git_blob_read(struct git *g, const assay_store_id *id, struct arena *a, assay_slice *out, assay_error *err)
{
    (void)g, (void)id, (void)a, (void)out;
    return none(err);
}

static int from_config(struct store *s, char *out)
{
    (void)s, (void)out;
    return -1;
}

#endif

bool git_dir_of(struct store *s, bool by_config, char *out)
{
    char line[FOLDER_PATH_MAX];
    if (!by_config) {
        long len = folder_peek(store_common(s), "gitdir", line, sizeof line - 1);
        if (len <= 0) return false;
        line[len] = '\0';
        line[strcspn(line, "\r\n")] = '\0';
    } else if (from_config(s, line) != 0)
        return false;
    if (line[0] != '/') return folder_path(out, store_common(s), line);
    memcpy(out, line, sizeof line);
    return true;
}

int git_open_for(struct git **out, struct store *s, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    *out = NULL;
    if (!git_dir_of(s, false, path) && !git_dir_of(s, true, path)) FAIL(err, ASSAY_ERR_UNKNOWN, "the store does not say where its git repository is");
    return git_open(out, path, store_mem(s), err);
}
