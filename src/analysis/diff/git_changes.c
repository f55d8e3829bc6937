/* Changes of a git repository by libgit2, which runs nothing that a repository configures: no hooks, no external diffs, no filters of its
 * own. Only objects, the index and files of the work tree are read. */
#include <stdio.h>

#include "analysis/diff/changes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/path.h"

#ifdef ASSAY_HAVE_GIT
#include <late_git2.h>

struct ranger {
    const struct assay_git_range *range;
    git_repository *repo;
    git_tree *from, *to;
    git_diff *diff;
    struct changes *c;
    bool is_left_out; /* the file in work has a path that leads elsewhere */
    assay_error *err;
};

static int failed(struct ranger *r, int rc, const char *what)
{
    const git_error *e = git_error_last();
    int code = rc == GIT_ENOTFOUND || rc == GIT_EAMBIGUOUS || rc == GIT_EINVALIDSPEC ? ASSAY_ERR_UNKNOWN : ASSAY_ERR_SYSTEM;
    return error_set(r->err, code, "%s: %.300s", what, e && e->message ? e->message : "unknown reason");
}

static int open_repository(struct ranger *r)
{
    const char *path = r->range->repository;
    unsigned flags = path ? GIT_REPOSITORY_OPEN_NO_SEARCH : 0;
    int rc = git_repository_open_ext(&r->repo, path ? path : ".", flags, NULL);
    return rc == 0 ? 0 : failed(r, rc, "cannot open the git repository");
}

static int commit_of(struct ranger *r, const char *name, size_t len, git_commit **out)
{
    char text[256];
    git_object *object = NULL;
    if (len >= sizeof text) FAIL(r->err, ASSAY_ERR_USAGE, "the name of a revision is too long");
    memcpy(text, len ? name : "HEAD", len ? len : 4);
    text[len ? len : 4] = '\0';
    int rc = git_revparse_single(&object, r->repo, text);
    if (rc == 0) rc = git_object_peel((git_object **)out, object, GIT_OBJECT_COMMIT);
    git_object_free(object);
    if (rc == 0) return 0;
    char what[320];
    snprintf(what, sizeof what, "cannot find the revision '%s'", text);
    return failed(r, rc, what);
}

/* The tree where `b` left `a`. */
static int tree_of_base(struct ranger *r, const git_commit *a, const git_commit *b, git_tree **out)
{
    git_oid base;
    git_commit *c = NULL;
    int rc = git_merge_base(&base, r->repo, git_commit_id(a), git_commit_id(b));
    if (rc == 0) rc = git_commit_lookup(&c, r->repo, &base);
    if (rc == 0) rc = git_commit_tree(out, c);
    git_commit_free(c);
    return rc == 0 ? 0 : failed(r, rc, "cannot find the merge base");
}

static int trees_of(struct ranger *r, const git_commit *a, const git_commit *b, bool from_base)
{
    int rc = from_base ? tree_of_base(r, a, b, &r->from) : 0;
    if (rc != 0) return rc;
    if (!from_base && (rc = git_commit_tree(&r->from, a)) != 0) return failed(r, rc, "cannot read the tree of a revision");
    if ((rc = git_commit_tree(&r->to, b)) != 0) return failed(r, rc, "cannot read the tree of a revision");
    return 0;
}

static int find_trees(struct ranger *r)
{
    const char *range = r->range->range ? r->range->range : "", *dots = strstr(range, "..");
    bool has_range = r->range->range, is_three = dots && dots[2] == '.', is_alone = !dots;
    size_t first = dots ? (size_t)(dots - range) : strlen(range);
    const char *second = dots ? dots + 2 + is_three : "";
    git_commit *a = NULL, *b = NULL;
    if (!has_range && r->range->unstaged && !r->range->staged) return 0; /* from the index */
    if (!has_range && !r->range->staged) FAIL(r->err, ASSAY_ERR_USAGE, "no revision range given");
    if (strstr(second, "..")) FAIL(r->err, ASSAY_ERR_USAGE, "invalid range '%.100s'; use A..B or A...B", range);
    int rc = commit_of(r, range, first, &a);
    if (rc == 0) rc = commit_of(r, second, strlen(second), &b);
    if (rc == 0) rc = trees_of(r, a, b, has_range && (is_three || is_alone));
    git_commit_free(a);
    git_commit_free(b);
    return rc;
}

static int make_diff(struct ranger *r)
{
    git_diff_options o;
    git_diff_find_options find;
    int rc = git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
    if (rc == 0) rc = git_diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
    if (rc != 0) return failed(r, rc, "cannot initialise libgit2");
    o.context_lines = o.interhunk_lines = 0;
    o.flags = GIT_DIFF_INDENT_HEURISTIC | GIT_DIFF_IGNORE_SUBMODULES;
    find.flags = GIT_DIFF_FIND_RENAMES;
    if (r->range->unstaged)
        rc = r->from ? git_diff_tree_to_workdir_with_index(&r->diff, r->repo, r->from, &o) : git_diff_index_to_workdir(&r->diff, r->repo, NULL, &o);
    else if (r->range->staged)
        rc = git_diff_tree_to_index(&r->diff, r->repo, r->from, NULL, &o);
    else
        rc = git_diff_tree_to_tree(&r->diff, r->repo, r->from, r->to, &o);
    if (rc == 0) rc = git_diff_find_similar(r->diff, &find);
    return rc == 0 ? 0 : failed(r, rc, "cannot compare the revisions");
}

/* ---- the result ---- */

static assay_slice path_of(const git_diff_file *f, bool is_there) { return is_there && f->path ? slice_of(f->path) : (assay_slice){ NULL, 0 }; }

static bool is_inside(assay_slice path) { return !path.data || (path_is_tame(path.data) && !path_is_absolute(path)); }

static int on_file(const git_diff_delta *d, float progress, void *arg)
{
    struct ranger *r = arg;
    (void)progress;
    assay_slice old_path = path_of(&d->old_file, d->status != GIT_DELTA_ADDED), new_path = path_of(&d->new_file, d->status != GIT_DELTA_DELETED);
    r->is_left_out = !is_inside(old_path) || !is_inside(new_path);
    if (r->is_left_out) return 0;
    return changes_file(r->c, old_path, new_path) ? 0 : ASSAY_ERR_MEMORY;
}

static int on_hunk(const git_diff_delta *d, const git_diff_hunk *h, void *arg)
{
    struct ranger *r = arg;
    (void)d;
    if (r->is_left_out) return 0;
    assay_edit e = { (uint32_t)(h->old_start - (h->old_lines > 0)), (uint32_t)h->old_lines, (uint32_t)(h->new_start - (h->new_lines > 0)),
                     (uint32_t)h->new_lines };
    return changes_edit(r->c, &e) ? 0 : ASSAY_ERR_MEMORY;
}

static int collect(struct ranger *r)
{
    int rc = git_diff_foreach(r->diff, on_file, NULL, on_hunk, NULL, r);
    if (rc == ASSAY_ERR_MEMORY) return error_memory(r->err);
    return rc == 0 ? 0 : failed(r, rc, "cannot compare files");
}

static int run(struct ranger *r)
{
    TRY(open_repository(r));
    TRY(find_trees(r));
    TRY(make_diff(r));
    return collect(r);
}

int assay_changes_git(const struct assay_git_range *range, assay_changes **out, assay_error *err)
{
    assay_error local;
    struct assay_git_range full;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_git_range, max_memory, &full, range, err));
    TRY(late_git2_load(err));
    struct ranger r = { .range = &full, .err = err };
    r.c = changes_new(r.range->max_memory);
    if (!r.c) return error_memory(r.err);
    git_libgit2_init();
    int rc = run(&r);
    git_diff_free(r.diff);
    git_tree_free(r.from);
    git_tree_free(r.to);
    git_repository_free(r.repo);
    git_libgit2_shutdown();
    rc = cancel_end(rc, r.err);
    if (rc != 0) {
        if (r.range->repository) error_path(r.err, r.range->repository);
        assay_changes_free(&r.c->pub);
        return rc;
    }
    changes_finish(r.c);
    *out = &r.c->pub;
    return 0;
}

#else

int assay_changes_git(const struct assay_git_range *range, assay_changes **out, assay_error *err)
{
    assay_error local;
    struct assay_git_range full;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_git_range, max_memory, &full, range, err));
    return error_hint(err, error_set(err, ASSAY_ERR_UNSUPPORTED, "this build has no libgit2"), ASSAY_HINT_DIFF);
}

#endif
