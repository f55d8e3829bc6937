/* Folders; see folder.h. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/sort.h"

static int by_name(const void *a, const void *b)
{
    const struct folder_entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static bool add(struct folder *f, DIR *dir, const char *name)
{
    struct stat st;
    struct folder_entry *e = cancel_due() ? NULL : vec_push(f->mem, &f->entries);
    if (!e) return false;
    *e = (struct folder_entry){ .name = arena_copy(&f->text, slice_of(name)) };
    if (fstatat(dirfd(dir), name, &st, 0) == 0) {
        e->is_file = S_ISREG(st.st_mode);
        e->is_dir = S_ISDIR(st.st_mode);
        e->size = e->is_file && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    }
    return e->name != NULL;
}

int folder_open(struct folder *f, const char *path, struct mem *mem, assay_error *err)
{
    *f = (struct folder){ .mem = mem };
    arena_init(&f->text, mem);
    DIR *dir = opendir(path);
    if (!dir) return error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot open the directory");
    int rc = 0;
    errno = 0;
    for (struct dirent *d; rc == 0 && (d = readdir(dir)) != NULL; errno = 0)
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 && !add(f, dir, d->d_name)) rc = error_memory(err);
    if (rc == 0 && errno) rc = error_sys(err, ASSAY_ERR_SYSTEM, errno, "cannot read the directory");
    closedir(dir);
    if (rc == 0 && !sort_by(f->entries.at, f->entries.len, sizeof *f->entries.at, by_name)) rc = error_cancelled(err);
    return rc;
}

void folder_done(struct folder *f)
{
    if (!f->mem) return;
    vec_done(f->mem, &f->entries);
    arena_done(&f->text);
}

char *folder_join(struct arena *a, const char *path, const char *name)
{
    size_t path_len = strlen(path), name_len = strlen(name);
    while (path_len > 1 && path[path_len - 1] == '/') path_len--;
    bool has_slash = path_len && path[path_len - 1] == '/';
    char *out = arena_text(a, path_len + name_len + 2);
    if (!out) return NULL;
    memcpy(out, path, path_len);
    if (!has_slash) out[path_len++] = '/';
    memcpy(out + path_len, name, name_len + 1);
    return out;
}

bool folder_path(char *buf, const char *dir, const char *name)
{
    int len = snprintf(buf, FOLDER_PATH_MAX, "%s/%s", dir, name);
    return len > 0 && len < FOLDER_PATH_MAX;
}

static long read_all(int fd, char *buf, size_t len)
{
    size_t got = 0;
    while (got < len) {
        ssize_t n = read(fd, buf + got, len - got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        got += (size_t)n;
    }
    return (long)got;
}

long folder_peek(const char *dir, const char *name, void *buf, size_t len)
{
    char path[FOLDER_PATH_MAX];
    struct stat st;
    if (!folder_path(path, dir, name) || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return -1;
    long got = read_all(fd, buf, len);
    close(fd);
    return got;
}
