/* Where stores are, and how they come to be; see discover.h. */
#include "store/discover.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/output_file.h"
#include "store/refs.h"

static bool join(char buf[GIT_PATH_LEN], const char *dir, const char *name)
{
    int n = name[0] == '/' ? snprintf(buf, GIT_PATH_LEN, "%s", name) : snprintf(buf, GIT_PATH_LEN, "%s%s%s", dir, strcmp(dir, "/") == 0 ? "" : "/", name);
    return n > 0 && n < GIT_PATH_LEN;
}

/* The path without "." and "..", links followed, when it exists. */
static bool make_real(const char *path, char buf[GIT_PATH_LEN])
{
    char real[PATH_MAX];
    if (!realpath(path, real) || strlen(real) >= GIT_PATH_LEN) return false;
    memcpy(buf, real, strlen(real) + 1);
    return true;
}

/* The first line of a small file, without its end; false = there is none. */
static bool read_line(const char *path, char buf[GIT_PATH_LEN])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, buf, GIT_PATH_LEN - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) return false;
    buf[n] = '\0';
    buf[strcspn(buf, "\r\n")] = '\0';
    return buf[0] != '\0';
}

static bool is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- finding ---- */

/* DIR/.covdata: a store, or a file that says where it is. */
static bool store_below(const char *dir, char path[GIT_PATH_LEN])
{
    static const char head[] = "covdata: ";
    char at[GIT_PATH_LEN], line[GIT_PATH_LEN], to[GIT_PATH_LEN];
    if (!join(at, dir, ".covdata")) return false;
    if (is_dir(at)) return store_is(at) && make_real(at, path);
    if (!read_line(at, line) || strncmp(line, head, sizeof head - 1) != 0) return false;
    return join(to, dir, line + sizeof head - 1) && store_is(to) && make_real(to, path);
}

/* The same for the folders around `dir`, as long as they are on its file system. */
static bool store_around(const char *dir, char path[GIT_PATH_LEN])
{
    char at[GIT_PATH_LEN];
    struct stat first, st;
    snprintf(at, sizeof at, "%s", dir);
    if (stat(at, &first) != 0) return false;
    for (char *slash; (slash = strrchr(at, '/')) && at[1];) {
        slash[slash == at] = '\0';
        if (stat(at, &st) != 0 || st.st_dev != first.st_dev) return false;
        if ((store_is(at) && make_real(at, path)) || store_below(at, path)) return true;
    }
    return false;
}

int discover_store(const char *from, char path[GIT_PATH_LEN], bool *is_worktree, assay_error *err)
{
    char dir[GIT_PATH_LEN];
    struct git_place place;
    *is_worktree = false;
    if (!make_real(from, dir)) return error_sys(err, ASSAY_ERR_UNKNOWN, errno, "cannot open the directory %s", from);
    if (store_is(dir)) return make_real(dir, path) ? 0 : error_set(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    if (store_below(dir, path)) return 0;
    int rc = git_locate(dir, true, &place, err);
    if (rc == ASSAY_ERR_UNSUPPORTED) return rc;
    if (rc == 0 && store_below(place.dir, path)) return 0;
    if (rc == 0 && place.is_worktree && store_below(place.common, path)) {
        *is_worktree = true;
        return error_hint(err, error_set(err, ASSAY_ERR_UNKNOWN, "this directory is a git worktree without a coverage store of its own"), ASSAY_HINT_WORKTREE);
    }
    if (store_around(dir, path)) return 0;
    if (rc != 0 && rc != ASSAY_ERR_UNKNOWN) return rc; /* there is a repository, and something is wrong with it */
    FAIL(err, ASSAY_ERR_UNKNOWN, "no coverage store in %s; create one with 'assay cov init'", dir);
}

void discover_git(const char *store, const char *common, const char *config_gitdir, char path[GIT_PATH_LEN])
{
    char at[GIT_PATH_LEN], line[GIT_PATH_LEN];
    bool found = join(at, store, "gitdir") && read_line(at, line) && join(at, store, line) && make_real(at, path);
    if (!found && config_gitdir) found = join(at, common, config_gitdir) && make_real(at, path);
    if (!found) path[0] = '\0';
}

/* ---- making ---- */

bool discover_relative(const char *from, const char *to, char buf[GIT_PATH_LEN])
{
    size_t same = 0, at = 0, len = 0;
    for (; from[at] && from[at] == to[at]; at++)
        if (from[at] == '/') same = at + 1;
    if (!from[at] && (!to[at] || to[at] == '/'))
        same = at + (to[at] == '/');
    else if (!to[at] && from[at] == '/')
        same = at;
    const char *rest = from + (same < strlen(from) ? same : strlen(from)), *down = to + (same < strlen(to) ? same : strlen(to));
    while (*rest == '/') rest++;
    while (*down == '/') down++;
    for (bool is_new = true; *rest; rest++) {
        if (is_new && len + 4 < GIT_PATH_LEN) memcpy(buf + len, "../", 3), len += 3;
        is_new = *rest == '/';
    }
    if (len && !*down) len--;
    if (len + strlen(down) + 2 > GIT_PATH_LEN) return false;
    memcpy(buf + len, down, strlen(down) + 1);
    if (!*buf) memcpy(buf, ".", 2);
    return true;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

/* A folder with all that is in it, no link followed; or a file. Renamed first, so that a store is never half there. */
static int remove_all(const char *path, assay_error *err)
{
    char aside[GIT_PATH_LEN];
    if (snprintf(aside, sizeof aside, "%s.old-%ld", path, (long)getpid()) >= (int)sizeof aside) FAIL(err, ASSAY_ERR_LIMIT, "the path is too long");
    if (rename(path, aside) != 0) return errno == ENOENT ? 0 : error_sys(err, ASSAY_ERR_WRITE, errno, "cannot remove %s", path);
    if (nftw(aside, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot remove %s", aside);
    return 0;
}

static int put_file(const char *dir, const char *name, const char *head, const char *text, struct mem *mem, assay_error *err)
{
    char path[GIT_PATH_LEN];
    struct output *out;
    if (!join(path, dir, name)) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    TRY(output_open(&out, path, mem, err));
    output_printf(out, "%s%s\n", head, text);
    return output_commit(out, err);
}

/* The git repository that the new store belongs to. */
static int locate(const struct discover_new *what, struct git_place *out, assay_error *err)
{
    if (what->git_dir) return git_locate(what->git_dir, false, out, err);
    return git_locate(what->directory ? what->directory : ".", true, out, err);
}

static bool lies_in(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return len && strncmp(path, folder, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

/* Where the store goes. A folder that was named together with a git directory, and is not in its work tree, is the store itself. */
static int choose(const struct discover_new *what, const struct git_place *git, char path[GIT_PATH_LEN], assay_error *err)
{
    char dir[GIT_PATH_LEN];
    if (what->git_dir && what->directory) {
        if (!make_real(what->directory, dir) && mkdir(what->directory, 0777) == 0) make_real(what->directory, dir);
        if (!make_real(what->directory, dir)) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open the directory %s", what->directory);
        if (!lies_in(dir, git->tree)) {
            memcpy(path, dir, strlen(dir) + 1);
            return 0;
        }
    }
    return join(path, git->common, ".covdata") ? 0 : error_set(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
}

static int make_whole(const struct discover_new *what, const struct git_place *git, struct discover_made *out, struct mem *mem, assay_error *err)
{
    char relative[GIT_PATH_LEN], config[GIT_PATH_LEN + 32];
    TRY(choose(what, git, out->store, err));
    memcpy(out->git, git->dir, sizeof out->git);
    bool exists = store_is(out->store);
    if (exists && !what->force) return out->outcome = DISCOVER_EXISTS, 0;
    out->outcome = exists ? DISCOVER_REMADE : DISCOVER_MADE;
    if (exists) TRY(remove_all(out->store, err));
    if (!discover_relative(out->store, git->common, relative)) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    snprintf(config, sizeof config, "[core]\n\tgitdir = %s\n", relative);
    TRY(store_create(out->store, config, mem, err));
    return put_file(out->store, "gitdir", "", relative, mem, err);
}

/* The name of the branch must be one, in full: refs/heads/... */
static int find_branch(const char *common, const char *typed, char full[REFS_NAME_MAX], struct mem *mem, assay_error *err)
{
    static const char *const places[] = { "", "refs/", "refs/tags/", "refs/heads/" };
    struct store *s;
    struct ref_value value = { .kind = REF_NONE };
    int rc = store_open(&s, common, mem, err);
    if (rc != 0) return rc;
    for (size_t i = 0; value.kind == REF_NONE && i < sizeof places / sizeof *places; i++) {
        int n = snprintf(full, REFS_NAME_MAX, "%s%s", places[i], typed);
        if (n < REFS_NAME_MAX && refs_name_ok(slice_of(full)) && refs_read(s, full, &value, NULL) != 0) value.kind = REF_NONE;
    }
    store_close(s);
    if (value.kind == REF_NONE) FAIL(err, ASSAY_ERR_UNKNOWN, "there is no branch '%s'", typed);
    if (strncmp(full, "refs/heads/", 11) != 0) FAIL(err, ASSAY_ERR_USAGE, "'%s' is not a branch", typed);
    return 0;
}

static int put_worktree(const char *dir, const char *link, const struct git_place *git, const char *branch, struct mem *mem, assay_error *err)
{
    char relative[GIT_PATH_LEN], parent[GIT_PATH_LEN];
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(dir, '/') - dir), dir);
    if (mkdir(parent, 0777) != 0 && errno != EEXIST) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot create %s", parent);
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot create %s", dir);
    TRY(put_file(dir, "commondir", "", "../..", mem, err));
    if (!discover_relative(dir, link, relative)) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    TRY(put_file(dir, "covdir", "", relative, mem, err));
    if (!discover_relative(dir, git->dir, relative)) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    TRY(put_file(dir, "gitdir", "", relative, mem, err));
    TRY(put_file(dir, "HEAD", "ref: ", branch, mem, err));
    if (!discover_relative(git->dir, dir, relative)) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    return put_file(git->dir, ".covdata", "covdata: ", relative, mem, err);
}

static int make_worktree(const struct discover_new *what, const struct git_place *git, struct discover_made *out, struct mem *mem, assay_error *err)
{
    char common[GIT_PATH_LEN], link[GIT_PATH_LEN], branch[REFS_NAME_MAX], name[GIT_PATH_LEN];
    snprintf(out->git, sizeof out->git, "%s", git->dir);
    if (!git->is_worktree) {
        snprintf(out->git, sizeof out->git, "%s", git->common);
        return out->outcome = DISCOVER_NO_WORKTREE, 0;
    }
    if (!join(link, git->dir, ".covdata") || !store_below(git->common, common)) FAIL(err, ASSAY_ERR_UNKNOWN, "%s has no coverage store yet", git->common);
    bool exists = access(link, F_OK) == 0;
    memcpy(out->store, link, sizeof link);
    out->outcome = exists && !what->force ? DISCOVER_EXISTS : DISCOVER_NO_BRANCH;
    if (out->outcome == DISCOVER_EXISTS) return 0;
    TRY(find_branch(common, what->branch, branch, mem, err));
    snprintf(name, sizeof name, "worktrees/%s", strrchr(git->dir, '/') + 1);
    if (!join(out->store, common, name)) FAIL(err, ASSAY_ERR_LIMIT, "the path of the store is too long");
    TRY(put_worktree(out->store, link, git, branch, mem, err));
    out->outcome = exists ? DISCOVER_REMADE : DISCOVER_MADE;
    return 0;
}

int discover_create(const struct discover_new *what, struct discover_made *out, struct mem *mem, assay_error *err)
{
    struct git_place git;
    TRY(locate(what, &git, err));
    out->outcome = DISCOVER_MADE;
    return what->branch ? make_worktree(what, &git, out, mem, err) : make_whole(what, &git, out, mem, err);
}
