/* Discovery, revisions and differences by libgit2; see git_history.h. */
#include "store/git_history.h"

#include "base/cancel.h"
#include "base/output.h"

#ifdef ASSAY_HAVE_GIT
#include <late_git2.h>

/* Our words, and libgit2's own behind them when the failure is not just that nothing was found. */
static int failed(assay_error *err, int code, const char *what)
{
    const git_error *last = git_error_last();
    bool is_unknown = code == GIT_ENOTFOUND || code == GIT_EAMBIGUOUS || code == GIT_EUNBORNBRANCH || code == GIT_EINVALIDSPEC;
    if (is_unknown) FAIL(err, ASSAY_ERR_UNKNOWN, "%s", what);
    if (!last || last->klass == GIT_ERROR_NONE) FAIL(err, ASSAY_ERR_SYSTEM, "%s", what);
    FAIL(err, ASSAY_ERR_SYSTEM, "%s: %s", what, last->message);
}

/* ---- where it is ---- */

static bool put_path(char *buf, const char *path)
{
    size_t len = path ? strlen(path) : 0;
    while (len > 1 && path[len - 1] == '/') len--;
    if (len >= GIT_PATH_LEN) return false;
    if (len) memcpy(buf, path, len);
    buf[len] = '\0';
    return true;
}

int git_locate(const char *from, bool search, struct git_place *out, assay_error *err)
{
    git_repository *repo = NULL;
    TRY(late_git2_load(err));
    if (git_libgit2_init() < 0) FAIL(err, ASSAY_ERR_SYSTEM, "libgit2 cannot be started");
    int rc = git_repository_open_ext(&repo, from, search ? 0 : GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
    if (rc == GIT_ENOTFOUND)
        error_set(err, ASSAY_ERR_UNKNOWN, "there is no git repository in %s", from);
    else if (rc < 0)
        failed(err, rc, "the git repository cannot be opened");
    bool fits = rc < 0 || (put_path(out->dir, git_repository_path(repo)) && put_path(out->common, git_repository_commondir(repo)) &&
                           put_path(out->tree, git_repository_workdir(repo)));
    out->is_worktree = rc >= 0 && git_repository_is_worktree(repo) == 1;
    git_repository_free(repo);
    git_libgit2_shutdown();
    if (rc < 0) return rc == GIT_ENOTFOUND ? ASSAY_ERR_UNKNOWN : ASSAY_ERR_SYSTEM;
    if (!fits) FAIL(err, ASSAY_ERR_LIMIT, "the path of the git repository is longer than %d bytes", GIT_PATH_LEN - 1);
    return 0;
}

/* ---- revisions ---- */

int git_head(struct git *g, assay_store_id *out, assay_error *err)
{
    git_oid oid;
    int rc = git_reference_name_to_id(&oid, git_raw(g), "HEAD");
    if (rc < 0) return failed(err, rc, "git has no commit yet");
    memcpy(out->bytes, oid.id, COV_ID_LEN);
    return 0;
}

int git_revision(struct git *g, const char *text, assay_store_id *out, assay_error *err)
{
    git_revspec spec = { 0 };
    git_object *commit = NULL;
    int rc = git_revparse(&spec, git_raw(g), text);
    if (rc < 0) return failed(err, rc, "git does not know this revision");
    bool is_single = (spec.flags & GIT_REVSPEC_SINGLE) != 0;
    bool is_commit = is_single && git_object_peel(&commit, spec.from, GIT_OBJECT_COMMIT) == 0;
    if (is_commit) memcpy(out->bytes, git_object_id(commit)->id, COV_ID_LEN);
    git_object_free(commit);
    git_object_free(spec.from);
    git_object_free(spec.to);
    if (!is_single) FAIL(err, ASSAY_ERR_USAGE, "'%s' is a range; one commit is needed", text);
    if (!is_commit) FAIL(err, ASSAY_ERR_USAGE, "'%s' is not a commit", text);
    return 0;
}

/* ---- differences ---- */

static int tree_of(struct git *g, const assay_store_id *id, git_tree **out)
{
    git_oid oid;
    git_commit *commit = NULL;
    memcpy(oid.id, id->bytes, COV_ID_LEN);
    int rc = git_commit_lookup(&commit, git_raw(g), &oid);
    if (rc >= 0) rc = git_commit_tree(out, commit);
    git_commit_free(commit);
    return rc;
}

static int compare(struct git *g, const assay_store_id *before, const assay_store_id *after, git_diff **out, assay_error *err)
{
    git_tree *old_tree = NULL, *new_tree = NULL;
    git_diff_options options;
    git_diff_find_options find;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    git_diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
    options.context_lines = 0;
    find.flags = GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_COPIES;
    int rc = tree_of(g, before, &old_tree);
    if (rc >= 0) rc = tree_of(g, after, &new_tree);
    if (rc >= 0) rc = git_diff_tree_to_tree(out, git_raw(g), old_tree, new_tree, &options);
    if (rc >= 0) rc = git_diff_find_similar(*out, &find);
    git_tree_free(new_tree);
    git_tree_free(old_tree);
    return rc < 0 ? failed(err, rc, "git cannot compare the commits") : 0;
}

int git_renames(struct git *g, const assay_store_id *before, const assay_store_id *after, git_rename_fn each, void *arg, assay_error *err)
{
    git_diff *diff = NULL;
    int rc = compare(g, before, after, &diff, err);
    for (size_t i = 0; rc == 0 && i < git_diff_num_deltas(diff) && (rc = cancel_step(i, err)) == 0; i++) {
        const git_diff_delta *d = git_diff_get_delta(diff, i);
        if (d->status == GIT_DELTA_RENAMED || d->status == GIT_DELTA_COPIED) rc = each(arg, d->old_file.path, d->new_file.path);
    }
    git_diff_free(diff);
    return rc;
}

struct patch_text {
    struct output *out;
    const git_diff_delta *last;
};

static int patch_line(const git_diff_delta *delta, const git_diff_hunk *hunk, const git_diff_line *line, void *payload)
{
    struct patch_text *p = payload;
    if (delta != p->last) {
        bool is_new = delta->status == GIT_DELTA_ADDED, is_gone = delta->status == GIT_DELTA_DELETED;
        p->last = delta;
        output_printf(p->out, "--- %s%s\n", is_new ? "" : "a/", is_new ? "/dev/null" : delta->old_file.path);
        output_printf(p->out, "+++ %s%s\n", is_gone ? "" : "b/", is_gone ? "/dev/null" : delta->new_file.path);
    }
    if (line->origin == GIT_DIFF_LINE_HUNK_HDR)
        output_printf(p->out, "@@ -%d,%d +%d,%d @@\n", hunk->old_start, hunk->old_lines, hunk->new_start, hunk->new_lines);
    if (line->origin != GIT_DIFF_LINE_ADDITION && line->origin != GIT_DIFF_LINE_DELETION) return 0;
    output_char(p->out, line->origin);
    output_bytes(p->out, line->content, line->content_len);
    if (!line->content_len || line->content[line->content_len - 1] != '\n') output_text(p->out, "\n\\ No newline at end of file\n");
    return 0;
}

int git_patch_text(struct git *g, const assay_store_id *before, const assay_store_id *after, struct output *out, assay_error *err)
{
    git_diff *diff = NULL;
    struct patch_text p = { .out = out };
    TRY(compare(g, before, after, &diff, err));
    int rc = git_diff_print(diff, GIT_DIFF_FORMAT_PATCH, patch_line, &p);
    git_diff_free(diff);
    return rc < 0 ? failed(err, rc, "git cannot compare the commits") : 0;
}

/* ---- files ---- */

struct file_walk {
    git_file_fn each;
    void *arg;
    int result;
};

static int tree_entry(const char *folder, const git_tree_entry *entry, void *arg)
{
    struct file_walk *w = arg;
    if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB) return 0;
    w->result = w->each(w->arg, folder, git_tree_entry_name(entry));
    return w->result != 0 ? GIT_EUSER : 0;
}

int git_files(struct git *g, const assay_store_id *tree, git_file_fn each, void *arg, assay_error *err)
{
    git_oid oid;
    git_tree *t = NULL;
    struct file_walk w = { .each = each, .arg = arg };
    git_oid_fromraw(&oid, tree->bytes);
    int rc = git_tree_lookup(&t, git_raw(g), &oid);
    if (rc == 0) rc = git_tree_walk(t, GIT_TREEWALK_PRE, tree_entry, &w);
    git_tree_free(t);
    if (w.result != 0) return w.result;
    return rc < 0 ? failed(err, rc, "git cannot list the files of the commit") : 0;
}

#else

static int missing(assay_error *err) { FAIL(err, ASSAY_ERR_UNSUPPORTED, "this assay was built without libgit2, which cov needs to read git repositories"); }

int git_locate(const char *from, bool search, struct git_place *out, assay_error *err)
{
    (void)from, (void)search, (void)out;
    return missing(err);
}

int git_head(struct git *g, assay_store_id *out, assay_error *err)
{
    (void)g, (void)out;
    return missing(err);
}

int git_revision(struct git *g, const char *text, assay_store_id *out, assay_error *err)
{
    (void)g, (void)text, (void)out;
    return missing(err);
}

int git_renames(struct git *g, const assay_store_id *before, const assay_store_id *after, git_rename_fn each, void *arg, assay_error *err)
{
    (void)g, (void)before, (void)after, (void)each, (void)arg;
    return missing(err);
}

int git_patch_text(struct git *g, const assay_store_id *before, const assay_store_id *after, struct output *out, assay_error *err)
{
    (void)g, (void)before, (void)after, (void)out;
    return missing(err);
}

int git_files(struct git *g, const assay_store_id *tree, git_file_fn each, void *arg, assay_error *err)
{
    (void)g, (void)tree, (void)each, (void)arg;
    return missing(err);
}
#endif
