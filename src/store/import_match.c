/* Which files of the commit an input means whose paths are those of another folder or machine; see import.h. */
#include <stdlib.h>

#include "analysis/sources/path_finder.h"
#include "base/cancel.h"
#include "base/path.h"
#include "base/scoped.h"
#include "store/git_history.h"
#include "store/import_parts.h"

struct tree_files {
    struct arena *a;
    struct mem *mem;
    VEC(assay_slice) paths;
};

static int add_path(void *arg, const char *folder, const char *name)
{
    struct tree_files *t = arg;
    size_t folder_len = strlen(folder), len = folder_len + strlen(name);
    char *path = arena_text(t->a, len + 1);
    assay_slice *slot = path ? vec_push(t->mem, &t->paths) : NULL;
    if (!slot) return ASSAY_ERR_MEMORY;
    memcpy(path, folder, folder_len);
    memcpy(path + folder_len, name, len - folder_len + 1);
    *slot = (assay_slice){ path, len };
    return 0;
}

/* ---- by their own paths ---- */

static bool is_there(struct git *g, const assay_store_id *tree, const char *root, assay_slice path)
{
    assay_store_id id;
    char real[FOLDER_PATH_MAX];
    return git_blob_at(g, tree, path, &id, NULL) == 0 || import_work_file(root, path, real);
}

/* ---- by the ends of paths ---- */

enum { NOBODY = 0, SEVERAL = UINT32_MAX };

/* A path of the input that several files of the commit end like stands for none of them. */
static void rename_files(struct import_input *in, size_t first, const struct tree_files *t, const uint32_t *claim, struct import_match *out)
{
    for (size_t i = first; i < in->file_count; i++) {
        uint32_t by = claim[i - first];
        if (by == NOBODY || by == SEVERAL) continue;
        if (!out->by_end++) {
            out->from = in->files[i].path;
            out->to = t->paths.at[by - 1];
        }
        in->files[i].path = t->paths.at[by - 1];
    }
    out->found += out->by_end;
}

static int match_ends(struct import_input *in, size_t first, const struct tree_files *t, struct import_match *out, assay_error *err)
{
    size_t count = in->file_count - first;
    SCRATCH(assay_slice, paths, t->mem, count);
    SCRATCH(uint32_t, claim, t->mem, count);
    if (!paths || !claim) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        TRY(cancel_step(i, err));
        paths[i] = in->files[first + i].path;
    }
    SCOPED(path_finder_done) struct path_finder finder;
    TRY(path_finder_init(&finder, paths, (uint32_t)count, t->mem, err));
    for (size_t i = 0; i < t->paths.len; i++) {
        TRY(cancel_step(i, err));
        uint32_t at = path_finder_find(&finder, t->paths.at[i]);
        if (at != UINT32_MAX) claim[at] = claim[at] == NOBODY ? (uint32_t)i + 1 : SEVERAL;
    }
    rename_files(in, first, t, claim, out);
    return 0;
}

/* For the error: what the paths of the commit look like. */
static const char *an_example(const struct tree_files *t, assay_slice path)
{
    const char *dot = path.len ? memrchr(path.data, '.', path.len) : NULL;
    assay_slice kind = dot ? slice_from(dot, path.data + path.len) : SLICE("");
    for (size_t i = 0; kind.len && i < t->paths.len; i++) {
        assay_slice p = t->paths.at[i];
        if (p.len > kind.len && memcmp(p.data + p.len - kind.len, kind.data, kind.len) == 0) return p.data;
    }
    return t->paths.len ? t->paths.at[0].data : NULL;
}

static int match_in_commit(struct git *g, const assay_store_id *tree, struct import_input *in, size_t first, struct arena *a, struct import_match *out,
                           assay_error *err)
{
    struct tree_files t = { .a = a, .mem = a->mem };
    vec_scoped(t.mem, &t.paths);
    int rc = git_files(g, tree, add_path, &t, err);
    if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : rc;
    TRY(match_ends(in, first, &t, out, err));
    if (!out->found) out->commit_path = an_example(&t, in->files[first].path);
    return 0;
}

int import_match(struct git *g, struct import_input *in, size_t first, struct arena *a, struct import_match *out, assay_error *err)
{
    struct git_commit_facts commit;
    *out = (struct import_match){ 0 };
    if (first >= in->file_count) return 0;
    TRY(git_commit_find(g, in->git_head, a, &commit, err));
    char *root = git_root(g) ? realpath(git_root(g), NULL) : NULL;
    for (size_t i = first; i < in->file_count && !out->found; i++) out->found = is_there(g, &commit.tree, root, in->files[i].path);
    free(root);
    return out->found ? 0 : match_in_commit(g, &commit.tree, in, first, a, out, err);
}
