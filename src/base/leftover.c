/* What killed writers left; see leftover.h. */
#include "base/leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REMOVE_FDS = 16, MOST_FDS = 4096, OWN_TRIES = 20 };

static bool is_same_file(int fd, const char *path, struct stat *st)
{
    struct stat named;
    return fstat(fd, st) == 0 && lstat(path, &named) == 0 && st->st_ino == named.st_ino && st->st_dev == named.st_dev;
}

bool leftover_own(int fd, const char *path)
{
    struct stat st;
    /* held by somebody: by one who is about to remove it */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    return is_same_file(fd, path, &st);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    (void)remove(path);
    return 0;
}

void leftover_remove_tree(const char *path) { (void)nftw(path, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS); }

static void remove_if_dead(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return;
    bool is_dead = flock(fd, LOCK_EX | LOCK_NB) == 0 && is_same_file(fd, path, &st) && st.st_uid == geteuid();
    if (is_dead && S_ISREG(st.st_mode)) (void)unlink(path);
    if (is_dead && S_ISDIR(st.st_mode)) leftover_remove_tree(path);
    close(fd);
}

/* A thread of ours may be filling a folder while it is removed: then once more. */
static void remove_if_open(const char *path)
{
    struct stat st, open_st;
    bool is_open = false;
    if (lstat(path, &st) != 0) return;
    for (int fd = 3; fd < MOST_FDS && !is_open; fd++) is_open = fstat(fd, &open_st) == 0 && open_st.st_ino == st.st_ino && open_st.st_dev == st.st_dev;
    if (is_open && S_ISREG(st.st_mode)) (void)unlink(path);
    for (int i = 0; i < OWN_TRIES && is_open && S_ISDIR(st.st_mode) && access(path, F_OK) == 0; i++) leftover_remove_tree(path);
}

/* Calls `fn` with each path that is named like `temp`. */
static void each_named(const char *temp, size_t letters, void (*fn)(const char *path))
{
    char path[PATH_MAX];
    const char *slash = strrchr(temp, '/'), *base = slash ? slash + 1 : temp;
    size_t dir_len = (size_t)(base - temp), fixed = strlen(base) - letters;
    if (strlen(temp) >= sizeof path) return;
    memcpy(path, temp, dir_len);
    path[dir_len] = '\0';
    DIR *d = opendir(dir_len ? path : ".");
    if (!d) return;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (strlen(e->d_name) != fixed + letters || memcmp(e->d_name, base, fixed) != 0) continue;
        if (strspn(e->d_name + fixed, "abcdefghijklmnopqrstuvwxyz0123456789") != letters) continue;
        memcpy(path + dir_len, e->d_name, fixed + letters + 1);
        fn(path);
    }
    closedir(d);
}

void leftover_remove(const char *temp, size_t letters) { each_named(temp, letters, remove_if_dead); }

void leftover_remove_own(const char *temp, size_t letters) { each_named(temp, letters, remove_if_open); }
