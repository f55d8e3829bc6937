/* To be preloaded: changes a file (CHANGE_FILE) right before the n-th time (CHANGE_AT, from 1) that it is read: CHANGE_HOW is "shrink" (to half of its
 * length), "grow" (by its first half) or "touch" (a time of change in the future, the same bytes). Without CHANGE_AT it only counts, and writes the
 * number to descriptor CHANGE_COUNT_FD at the end. */
/* The functions themselves are wanted here, not what the headers make of them. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#pragma GCC visibility push(default)

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long reads;

static void grow(const char *path, off_t len)
{
    size_t half = (size_t)len / 2;
    char *bytes = malloc(half + 1);
    int fd = open(path, O_RDWR | O_APPEND);
    if (bytes && fd >= 0 && NEXT(pread)(fd, bytes, half, 0) == (ssize_t)half && write(fd, bytes, half) != (ssize_t)half) abort();
    if (fd >= 0) close(fd);
    free(bytes);
}

static void change(const char *path, const struct stat *is)
{
    const char *how = getenv("CHANGE_HOW");
    struct timespec later[2] = { { is->st_mtime + 10, 0 }, { is->st_mtime + 10, 0 } };
    if (strcmp(how, "shrink") == 0 && truncate(path, is->st_size / 2) != 0) abort();
    if (strcmp(how, "grow") == 0) grow(path, is->st_size);
    if (utimensat(AT_FDCWD, path, later, 0) != 0) abort();
}

static void step(int fd)
{
    const char *path = getenv("CHANGE_FILE"), *at = getenv("CHANGE_AT");
    struct stat is, wanted;
    if (!path || stat(path, &wanted) != 0 || fstat(fd, &is) != 0 || is.st_ino != wanted.st_ino || is.st_dev != wanted.st_dev) return;
    long n = atomic_fetch_add(&reads, 1) + 1;
    if (at && n == atol(at)) change(path, &is);
}

__attribute__((destructor)) static void tell(void)
{
    const char *fd = getenv("CHANGE_COUNT_FD");
    if (fd) dprintf(atoi(fd), "%ld\n", atomic_load(&reads));
}

ssize_t read(int fd, void *data, size_t len)
{
    step(fd);
    return NEXT(read)(fd, data, len);
}

static ssize_t pread_step(int fd, void *data, size_t len, off_t off)
{
    step(fd);
    return NEXT(pread)(fd, data, len, off);
}
ssize_t pread(int fd, void *data, size_t len, off_t off) { return pread_step(fd, data, len, off); }
ssize_t pread64(int fd, void *data, size_t len, off64_t off) { return pread_step(fd, data, len, off); }

#pragma GCC visibility pop
