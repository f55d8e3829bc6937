/* Modules; see assay/store.h. */
#include "store/modules.h"

#include <stdio.h>
#include <string.h>

#include "store/public/handle.h"

struct listing {
    assay_store_modules seen;
    struct mem mem;
    struct arena arena; /* the columns */
    struct modules modules;
    char file[GIT_PATH_LEN]; /* .covmodules; "" = bare */
};

/* ---- reading ---- */

/* The repository of the store that belongs to the folder, or else the one around it. */
static int find_git(const char *directory, char path[GIT_PATH_LEN], assay_error *err)
{
    char found[GIT_PATH_LEN];
    struct git_place place;
    bool is_worktree;
    assay_store *h;
    const char *git_dir;
    if (discover_store(directory, found, &is_worktree, NULL) == 0 && assay_store_open(found, &h, NULL) == 0) {
        bool has_git = handle_git_dir(h, &git_dir, NULL) == 0;
        if (has_git) memcpy(path, git_dir, GIT_PATH_LEN);
        assay_store_close(h);
        if (has_git) return 0;
    }
    TRY(git_locate(directory, true, &place, err));
    memcpy(path, place.dir, GIT_PATH_LEN);
    return 0;
}

static int load(struct listing *l, struct git *g, const char *commit, assay_error *err)
{
    assay_store_id id;
    if (!commit) return *l->file ? modules_load(&l->modules, l->file, err) : 0;
    int rc = git_revision(g, commit, &id, err);
    if (rc == ASSAY_ERR_UNKNOWN) return 0;
    return rc == 0 ? modules_load_commit(&l->modules, g, &id, err) : rc;
}

/* What was loaded, as columns. */
static int fill(struct listing *l, assay_error *err)
{
    const struct modules *m = &l->modules;
    const char **path = arena_alloc(&l->arena, (m->paths.len + 1) * sizeof *path);
    uint32_t *module = arena_alloc(&l->arena, (m->paths.len + 1) * sizeof *module);
    if (!path || !module) return error_memory(err);
    for (size_t i = 0; i < m->paths.len; i++) {
        path[i] = m->paths.at[i].path;
        module[i] = 0;
        while (module[i] < m->names.len && m->names.at[module[i]] != m->paths.at[i].module) module[i]++;
    }
    l->seen = (assay_store_modules){ .file = *l->file ? l->file : NULL,
                                     .separator = m->separator,
                                     .stated = m->stated,
                                     .count = m->names.len,
                                     .name = m->names.at,
                                     .path_count = m->paths.len,
                                     .path = path,
                                     .module = module };
    return 0;
}

static int open_and_load(struct listing *l, const char *directory, const char *commit, assay_error *err)
{
    char path[GIT_PATH_LEN];
    struct git *g;
    TRY(find_git(directory, path, err));
    TRY(git_open(&g, path, &l->mem, err));
    const char *tree = git_root(g);
    bool fits = !tree || snprintf(l->file, sizeof l->file, "%s.covmodules", tree) < (int)sizeof l->file;
    int rc = fits ? load(l, g, commit, err) : error_set(err, ASSAY_ERR_LIMIT, "the path of the work tree is too long");
    git_close(g);
    return rc == 0 ? fill(l, err) : rc;
}

int assay_store_modules_new(const char *directory, const char *commit, assay_store_modules **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct mem first;
    *out = NULL;
    mem_init(&first, 0);
    struct listing *l = mem_zalloc(&first, 1, sizeof *l);
    if (!l) return error_memory(err);
    mem_init(&l->mem, 0);
    arena_init(&l->arena, &l->mem);
    modules_init(&l->modules, &l->mem);
    int rc = open_and_load(l, directory, commit, err);
    if (rc == 0)
        *out = &l->seen;
    else
        assay_store_modules_free(&l->seen);
    return rc;
}

void assay_store_modules_free(assay_store_modules *modules)
{
    struct listing *l = (struct listing *)modules;
    struct mem last;
    if (!l) return;
    modules_done(&l->modules);
    arena_done(&l->arena);
    mem_init(&last, 0);
    mem_free(&last, l, sizeof *l);
}

/* ---- changing ---- */

/* Under the edit's feet another program may have changed the file: it is read again before and after. */
static int reload(struct listing *l, assay_error *err)
{
    modules_done(&l->modules);
    modules_init(&l->modules, &l->mem);
    l->seen = (assay_store_modules){ .file = l->file };
    return modules_load(&l->modules, l->file, err);
}

int assay_store_modules_edit(assay_store_modules *modules, enum assay_store_module_edit how, const char *name, const char *path, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct listing *l = (struct listing *)modules;
    if (!*l->file) FAIL(err, ASSAY_ERR_USAGE, "the git repository has no work tree to keep modules in");
    if (!name || (how == ASSAY_STORE_MODULE_ADD && !path)) FAIL(err, ASSAY_ERR_USAGE, "a name and a path are needed");
    TRY(reload(l, err));
    switch (how) {
    case ASSAY_STORE_MODULE_ADD: TRY(modules_edit_add(l->file, &l->modules, name, path, err)); break;
    case ASSAY_STORE_MODULE_REMOVE: TRY(modules_edit_remove(l->file, &l->modules, name, path, &l->mem, err)); break;
    case ASSAY_STORE_MODULE_SEPARATOR: TRY(modules_edit_separator(l->file, name, err)); break;
    }
    TRY(reload(l, err));
    return fill(l, err);
}
