/* To be preloaded: kills its process right before the n-th call (KILL_AT) that changes a file system, or lets that call fail as on a full disk
 * (FAIL_AT). KILL_UNDER=PREFIX counts only what changes files whose path begins so. Without either it only counts, and writes the number to descriptor KILL_COUNT_FD at the end. What lies on disk between any two of these
 * calls is what a crash can leave. */
/* The functions themselves are wanted here, not what the headers make of them. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static long calls;

static int concerns(const char *path)
{
    const char *under = getenv("KILL_UNDER");
    return !under || !path || strncmp(path, under, strlen(under)) == 0;
}

static int concerns_fd(int fd)
{
    char name[64], path[4096];
    if (!getenv("KILL_UNDER")) return 1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t len = readlink(name, path, sizeof path - 1);
    path[len < 0 ? 0 : len] = '\0';
    return concerns(path);
}

/* true = this one is to fail. */
static int step(int does_concern)
{
    const char *at = getenv("KILL_AT"), *fail = getenv("FAIL_AT");
    if (!does_concern) return 0;
    calls++;
    if (at && calls == atol(at)) kill(getpid(), SIGKILL);
    if (!fail || calls != atol(fail)) return 0;
    errno = ENOSPC;
    return 1;
}

__attribute__((destructor)) static void tell(void)
{
    const char *fd = getenv("KILL_COUNT_FD");
    if (fd) dprintf(atoi(fd), "%ld\n", calls);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int rename(const char *from, const char *to)
{
    if (step(concerns(from))) return -1;
    return NEXT(rename)(from, to);
}

int unlink(const char *path)
{
    if (step(concerns(path))) return -1;
    return NEXT(unlink)(path);
}

int mkdir(const char *path, mode_t mode)
{
    if (step(concerns(path))) return -1;
    return NEXT(mkdir)(path, mode);
}

int fsync(int fd)
{
    if (step(concerns_fd(fd))) return -1;
    return NEXT(fsync)(fd);
}

int syncfs(int fd)
{
    if (step(concerns_fd(fd))) return -1;
    return NEXT(syncfs)(fd);
}

int utimensat(int fd, const char *path, const struct timespec times[2], int flags)
{
    if (step(1)) return -1;
    return NEXT(utimensat)(fd, path, times, flags);
}

ssize_t write(int fd, const void *data, size_t len)
{
    if (fd != STDERR_FILENO && step(concerns_fd(fd))) return -1;
    return NEXT(write)(fd, data, len);
}

static ssize_t pwrite_step(int fd, const void *data, size_t len, off_t off)
{
    if (step(concerns_fd(fd))) return -1;
    return NEXT(pwrite)(fd, data, len, off);
}
ssize_t pwrite(int fd, const void *data, size_t len, off_t off) { return pwrite_step(fd, data, len, off); }
ssize_t pwrite64(int fd, const void *data, size_t len, off64_t off) { return pwrite_step(fd, data, len, off); }

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned how)
{
    if (step(concerns(from))) return -1;
    return NEXT(renameat2)(from_fd, from, to_fd, to, how);
}

static int truncate_step(int fd, off_t len)
{
    if (step(concerns_fd(fd))) return -1;
    return NEXT(ftruncate)(fd, len);
}
int ftruncate(int fd, off_t len) { return truncate_step(fd, len); }
int ftruncate64(int fd, off_t len) { return truncate_step(fd, len); }

static int open_step(const char *path, int flags, mode_t mode)
{
    if (flags & O_CREAT && step(concerns(path))) return -1;
    return NEXT(open)(path, flags, mode);
}

#define MODE_OF(flags)                                                                                                                                         \
    va_list args;                                                                                                                                              \
    va_start(args, flags);                                                                                                                                     \
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;                                                                                             \
    va_end(args)

int open(const char *path, int flags, ...)
{
    MODE_OF(flags);
    return open_step(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags);
    return open_step(path, flags, mode);
}

#pragma GCC visibility pop
