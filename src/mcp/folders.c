/* The folders whose files may be read; see folders.h. */
#include "mcp/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cancel.h"
#include "base/folder.h"
#include "base/scoped.h"
#include "base/slice.h"

enum { TREE_MOST = 100000 /* entries of a folder that is an input */ };

static int add(struct folders *f, const char *path, assay_error *err)
{
    char real[PATH_MAX];
    struct stat st;
    if (!realpath(path, real) || stat(real, &st) != 0) {
        error_path(err, path);
        return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot serve this folder");
    }
    if (!S_ISDIR(st.st_mode)) {
        error_path(err, path);
        FAIL(err, ASSAY_ERR_USAGE, "is not a folder");
    }
    const char **to = vec_push(f->mem, &f->at);
    if (!to) return error_memory(err);
    *to = arena_copy(&f->text, slice_of(real));
    return *to ? 0 : error_memory(err);
}

int folders_init(struct folders *f, const char *const *paths, size_t count, struct mem *mem, assay_error *err)
{
    *f = (struct folders){ .mem = mem };
    arena_init(&f->text, mem);
    if (!count) FAIL(err, ASSAY_ERR_USAGE, "there is no folder to serve");
    for (size_t i = 0; i < count; i++) TRY(add(f, paths[i], err));
    return 0;
}

void folders_done(struct folders *f)
{
    vec_done(f->mem, &f->at);
    if (f->text.mem) arena_done(&f->text);
}

bool folders_has(const struct folders *f, const char *real)
{
    for (size_t i = 0; i < f->at.len; i++) {
        size_t len = strlen(f->at.at[i]);
        if (len == 1 || (strncmp(real, f->at.at[i], len) == 0 && (real[len] == '/' || !real[len]))) return true;
    }
    return false;
}

int folders_find(const struct folders *f, const char *path, char real[PATH_MAX], assay_error *err)
{
    char joined[PATH_MAX];
    if (!*path) FAIL(err, ASSAY_ERR_USAGE, "the name of a file is empty");
    if (path[0] == '/' && realpath(path, real) && folders_has(f, real)) return 0;
    for (size_t i = 0; path[0] != '/' && i < f->at.len; i++)
        if (snprintf(joined, sizeof joined, "%s/%s", f->at.at[i], path) < (int)sizeof joined && realpath(joined, real) && folders_has(f, real)) return 0;
    FAIL(err, ASSAY_ERR_USAGE, "there is no file '%.300s' below the folders that are served", path);
}

/* ---- folders that are inputs ---- */

struct walk {
    const struct folders *folders;
    struct mem *mem;
    struct arena text;
    VEC(const char *) left; /* folders to look into */
    size_t seen;
};

static void end_dir(DIR *const *dir)
{
    if (*dir) closedir(*dir);
}

static int look_at(struct walk *w, const char *folder, const char *name, assay_error *err)
{
    char real[PATH_MAX];
    struct stat st;
    const char *path = folder_join(&w->text, folder, name);
    if (!path) return error_memory(err);
    if (lstat(path, &st) != 0) return 0;
    if (S_ISLNK(st.st_mode) && (realpath(path, real) ? !folders_has(w->folders, real) : errno != ENOENT))
        FAIL(err, ASSAY_ERR_USAGE, "'%.300s' is a link that leads out of the folders that are served", path);
    if (!S_ISDIR(st.st_mode)) return 0;
    const char **to = vec_push(w->mem, &w->left);
    if (!to) return error_memory(err);
    *to = path;
    return 0;
}

static int look_into(struct walk *w, const char *folder, assay_error *err)
{
    const struct dirent *entry;
    SCOPED(end_dir) DIR *dir = opendir(folder);
    while (dir && (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        TRY(cancel_step(w->seen, err));
        if (w->seen++ == TREE_MOST) FAIL(err, ASSAY_ERR_LIMIT, "has more than %d entries", TREE_MOST);
        TRY(look_at(w, folder, entry->d_name, err));
    }
    return 0;
}

int folders_check_tree(const struct folders *f, const char *real, struct mem *mem, assay_error *err)
{
    struct stat st;
    struct walk w = { .folders = f, .mem = mem };
    if (stat(real, &st) != 0 || !S_ISDIR(st.st_mode)) return 0;
    arena_init(&w.text, mem);
    int rc = look_into(&w, real, err);
    while (rc == 0 && w.left.len) rc = look_into(&w, w.left.at[--w.left.len], err);
    vec_done(mem, &w.left);
    arena_done(&w.text);
    return rc;
}
