/* A temporary folder that takes the place of its target; see base/output_dir.h. Its files are outputs of their own (output_file.c) under their
 * own names; at the end they are synced, each by itself or, when there are many, all at once; then the folder is renamed. */
#include "base/output_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/leftover.h"
#include "base/output_file.h"

enum {
    REMOVE_FDS = 16,
    SYNC_EACH = 32 /* files up to which each is synced; more than that wait longer for the disk than what others wrote to it meanwhile */
};

#ifndef RENAME_EXCHANGE /* musl has neither the name nor the function */
enum { RENAME_EXCHANGE = 2 };

static int renameat2(int from, const char *old, int to, const char *new, unsigned flags) { return (int)syscall(SYS_renameat2, from, old, to, new, flags); }
#endif

struct output_dir {
    struct mem *mem;
    char target[PATH_MAX]; /* links followed, no slash at its end */
    char *temp;
    size_t temp_size;
    size_t files;
    bool exists; /* the target is there and will be replaced */
    bool joined; /* another process made it */
    int owner;   /* the temporary folder, open: nobody takes it for left over */
};

/* ---- opening ---- */

static int set_target(struct output_dir *d, const char *path, assay_error *err)
{
    struct stat st;
    int why = output_file_follow(path, d->target);
    size_t len = strlen(d->target);
    while (len > 1 && d->target[len - 1] == '/') d->target[--len] = '\0';
    if (!why && (len == 0 || strcmp(d->target, "/") == 0)) why = len ? EISDIR : ENOENT;
    if (why) return error_sys(err, ASSAY_ERR_WRITE, why, "cannot write here");
    d->exists = lstat(d->target, &st) == 0;
    if (!d->exists && errno != ENOENT) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot write here");
    if (d->exists && !S_ISDIR(st.st_mode)) FAIL(err, ASSAY_ERR_WRITE, "expected a directory to write to, but this is not one");
    return 0;
}

static int make_temp(struct output_dir *d, assay_error *err)
{
    d->temp = output_file_temp(d->target, d->mem, &d->temp_size);
    if (!d->temp) return error_memory(err);
    output_file_letters(d->temp, d->temp_size);
    leftover_remove(d->temp, OUTPUT_TEMP_LETTERS);
    for (int i = 0; i < OUTPUT_TEMP_TRIES; i++) {
        if (mkdir(d->temp, 0777) == 0) {
            d->owner = open(d->temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (d->owner < 0 ? errno != ENOENT : leftover_own(d->owner, d->temp)) return 0;
            if (d->owner >= 0) close(d->owner);
            d->owner = -1;
        } else if (errno != EEXIST)
            break;
        errno = EEXIST;
        output_file_letters(d->temp, d->temp_size);
    }
    int why = errno;
    mem_free(d->mem, d->temp, d->temp_size);
    d->temp = NULL;
    return error_sys(err, ASSAY_ERR_WRITE, why, "cannot create a directory here");
}

int output_dir_open(struct output_dir **out, const char *path, struct mem *mem, assay_error *err)
{
    struct output_dir *d = mem_zalloc(mem, 1, sizeof *d);
    *out = NULL;
    if (!d) return error_memory(err);
    d->mem = mem;
    d->owner = -1;
    int rc = set_target(d, path, err);
    if (rc == 0) rc = make_temp(d, err);
    if (rc == 0) {
        *out = d;
        return 0;
    }
    error_path(err, path);
    output_dir_abort(d);
    return rc;
}

int output_dir_file(struct output_dir *d, const char *name, struct output **out, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    *out = NULL;
    if (!folder_path(path, d->temp, name)) return error_sys(err, ASSAY_ERR_WRITE, ENAMETOOLONG, "cannot create a file here");
    for (char *slash = strchr(path + strlen(path) - strlen(name), '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot create a directory here");
        *slash = '/';
    }
    d->files++;
    return output_create(out, path, d->mem, err);
}

/* ---- of several processes ---- */

const char *output_dir_temp(const struct output_dir *d) { return d->temp; }

int output_dir_join(struct output_dir **out, const char *temp, struct mem *mem, assay_error *err)
{
    struct output_dir *d = mem_zalloc(mem, 1, sizeof *d);
    *out = NULL;
    if (!d) return error_memory(err);
    d->mem = mem;
    d->joined = true;
    d->temp_size = strlen(temp) + 1;
    d->temp = mem_alloc(mem, d->temp_size);
    d->owner = open(temp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = d->owner < 0 ? error_sys(err, ASSAY_ERR_WRITE, errno, "this rank does not see the directory that rank 0 writes to") : 0;
    if (!d->temp) rc = error_memory(err);
    if (rc == 0) {
        memcpy(d->temp, temp, d->temp_size);
        *out = d;
    } else
        output_dir_abort(d);
    return rc;
}

int output_dir_join_file(struct output_dir *d, const char *name, struct output **out, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    *out = NULL;
    if (!folder_path(path, d->temp, name)) return error_sys(err, ASSAY_ERR_WRITE, ENAMETOOLONG, "cannot open a file here");
    return output_join(out, path, d->mem, err);
}

/* ---- the end ---- */

static int sync_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)at;
    return type == FTW_D || type == FTW_DP || type == FTW_F ? output_file_sync(path) : 0;
}

static int sync_files(const struct output_dir *d)
{
    if (d->files > SYNC_EACH) return output_file_sync_all(d->temp);
    int why = nftw(d->temp, sync_one, REMOVE_FDS, FTW_PHYS);
    return why < 0 ? errno : why;
}

/* Puts the new folder in the place of the old one, which then has the temporary name. Where the two cannot be exchanged in one step, there is
 * a moment without either. 0 or an errno. */
static int replace(struct output_dir *d)
{
    char old[PATH_MAX];
    if (!d->exists) return rename(d->temp, d->target) == 0 ? 0 : errno;
    if (renameat2(AT_FDCWD, d->temp, AT_FDCWD, d->target, RENAME_EXCHANGE) == 0) return 0;
    if (errno != ENOSYS && errno != EINVAL) return errno;
    if (snprintf(old, sizeof old, "%s.old", d->temp) >= (int)sizeof old) return ENAMETOOLONG;
    if (rename(d->target, old) != 0) return errno;
    int why = rename(d->temp, d->target) == 0 ? 0 : errno;
    if (rename(old, why ? d->target : d->temp) != 0 && !why) why = errno;
    return why;
}

/* The folder that a path stands in. */
static void parent_of(const char *path, char *out)
{
    const char *slash = strrchr(path, '/');
    snprintf(out, PATH_MAX, "%.*s", slash ? (int)(slash - path) + (slash == path) : 1, slash ? path : ".");
}

int output_dir_commit(struct output_dir *d, assay_error *err)
{
    char parent[PATH_MAX];
    if (d->joined) {
        output_dir_abort(d);
        return 0;
    }
    int why = sync_files(d), rc = 0;
    if (why) rc = error_sys(err, ASSAY_ERR_WRITE, why, "cannot sync the directory");
    if (rc == 0 && (why = replace(d)) != 0) rc = error_sys(err, ASSAY_ERR_WRITE, why, "cannot move the new directory into place");
    if (rc == 0) {
        parent_of(d->target, parent);
        why = output_file_sync_dir(parent);
        if (why) rc = error_sys(err, ASSAY_ERR_WRITE, why, "cannot sync the directory");
    }
    output_dir_abort(d);
    return rc;
}

void output_dir_abort(struct output_dir *d)
{
    if (!d) return;
    if (d->temp && !d->joined) leftover_remove_tree(d->temp);
    if (d->owner >= 0) close(d->owner);
    mem_free(d->mem, d->temp, d->temp_size);
    mem_free(d->mem, d, sizeof *d);
}
