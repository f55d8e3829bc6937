/* Temporary file, fsync, rename; see base/output_file.h.
 *
 * A new file is created with 0666 so that the kernel applies the umask and the directory's default ACL: asking for the umask would change
 * the state of the whole process for a moment. */
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/leftover.h"

#define TEMP_MARK ".assay-"
enum { LINK_TRIES = 40 };

/* ---- bytes ---- */

/* Standard output may have been made non-blocking by whoever shares it; true = try again. */
static bool wait_writable(int fd)
{
    if (errno == EINTR) return true;
    if (errno != EAGAIN) return false;
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

int output_file_write(struct output_file *f, const void *data, size_t len, assay_error *err)
{
    const char *at = data;
    while (len) {
        ssize_t n = write(f->fd, at, len);
        if (n < 0 && wait_writable(f->fd)) continue;
        if (n <= 0) return error_sys(err, ASSAY_ERR_WRITE, n < 0 ? errno : EIO, "cannot write");
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

int output_file_patch(struct output_file *f, uint64_t off, const void *data, size_t len, assay_error *err)
{
    if (err->code != 0) return err->code;
    const char *at = data;
    while (len) {
        ssize_t n = pwrite(f->fd, at, len, (off_t)off);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return error_sys(err, ASSAY_ERR_WRITE, n < 0 ? errno : EIO, "cannot write");
        at += n;
        off += (uint64_t)n;
        len -= (size_t)n;
    }
    return 0;
}

int output_file_read(const struct output_file *f, uint64_t off, void *buf, size_t len, assay_error *err)
{
    char *at = buf;
    while (len) {
        ssize_t n = pread(f->fd, at, len, (off_t)off);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return error_sys(err, ASSAY_ERR_WRITE, n < 0 ? errno : EIO, "cannot read back what was written");
        at += n;
        off += (uint64_t)n;
        len -= (size_t)n;
    }
    return 0;
}

/* ---- names ---- */

static size_t dir_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

int output_file_follow(const char *path, char *out)
{
    char link[PATH_MAX];
    if (strlen(path) >= PATH_MAX) return ENAMETOOLONG;
    strcpy(out, path);
    for (int i = 0; i < LINK_TRIES; i++) {
        ssize_t n = readlink(out, link, sizeof link);
        if (n < 0) return errno == EINVAL || errno == ENOENT ? 0 : errno;
        size_t dir = n > 0 && link[0] == '/' ? 0 : dir_len(out);
        if (dir + (size_t)n >= PATH_MAX) return ENAMETOOLONG;
        memcpy(out + dir, link, (size_t)n);
        out[dir + (size_t)n] = '\0';
    }
    return ELOOP;
}

static char *copy_text(struct mem *mem, const char *text, size_t *size)
{
    *size = strlen(text) + 1;
    char *copy = mem_alloc(mem, *size);
    if (copy) memcpy(copy, text, *size);
    return copy;
}

static void random_letters(char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    unsigned char bytes[OUTPUT_TEMP_LETTERS];
    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != (ssize_t)sizeof bytes) {
        uint64_t seed = (uint64_t)getpid() ^ (uint64_t)(uintptr_t)at; /* O_EXCL keeps this safe, only less likely to be free */
        memcpy(bytes, &seed, sizeof bytes);
    }
    for (int i = 0; i < OUTPUT_TEMP_LETTERS; i++) at[i] = letters[bytes[i] % 36];
}

char *output_file_temp(const char *target, struct mem *mem, size_t *size)
{
    size_t dir = dir_len(target), base = strlen(target) - dir, extra = sizeof TEMP_MARK - 1 + OUTPUT_TEMP_LETTERS;
    if (base > NAME_MAX - extra) base = NAME_MAX - extra;
    *size = dir + base + extra + 1;
    char *temp = mem_alloc(mem, *size);
    if (!temp) return NULL;
    memcpy(temp, target, dir + base);
    memcpy(temp + dir + base, TEMP_MARK, sizeof TEMP_MARK - 1);
    temp[*size - 1] = '\0';
    return temp;
}

void output_file_letters(char *temp, size_t size) { random_letters(temp + size - 1 - OUTPUT_TEMP_LETTERS); }

/* ---- opening ---- */

static int close_fd(struct output_file *f)
{
    int fd = f->fd;
    f->fd = -1;
    /* After EINTR the descriptor is gone on Linux: closing again could close somebody else's. */
    return close(fd) != 0 && errno != EINTR ? errno : 0;
}

static int open_retry(const char *path, int flags, mode_t mode)
{
    int fd;
    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static int open_temp(struct output_file *f, struct mem *mem, assay_error *err)
{
    f->temp = output_file_temp(f->target, mem, &f->temp_size);
    if (!f->temp) return error_memory(err);
    output_file_letters(f->temp, f->temp_size);
    leftover_remove(f->temp, OUTPUT_TEMP_LETTERS);
    for (int i = 0; i < OUTPUT_TEMP_TRIES; i++) {
        f->fd = open_retry(f->temp, O_RDWR | O_CREAT | O_EXCL, f->keep_mode ? 0600 : 0666);
        if (f->fd >= 0 && leftover_own(f->fd, f->temp)) return 0;
        if (f->fd < 0 && errno != EEXIST) break;
        if (f->fd >= 0) close_fd(f);
        errno = EEXIST;
        output_file_letters(f->temp, f->temp_size);
    }
    int why = errno;
    mem_free(mem, f->temp, f->temp_size);
    f->temp = NULL;
    return error_sys(err, ASSAY_ERR_WRITE, why, "cannot create a file here");
}

static int open_direct(struct output_file *f, const char *path, assay_error *err)
{
    f->direct = true;
    f->fd = open_retry(path, O_WRONLY, 0);
    if (f->fd < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open for writing");
    return 0;
}

static int open_beside(struct output_file *f, const char *path, struct mem *mem, assay_error *err)
{
    char target[PATH_MAX];
    int why = output_file_follow(path, target);
    if (!why && target[dir_len(target)] == '\0') why = target[0] ? EISDIR : ENOENT;
    if (why) return error_sys(err, ASSAY_ERR_WRITE, why, "cannot open for writing");
    f->target = copy_text(mem, target, &f->target_size);
    if (!f->target) return error_memory(err);
    return open_temp(f, mem, err);
}

int output_file_open(struct output_file *f, const char *path, struct mem *mem, assay_error *err)
{
    *f = (struct output_file){ .fd = -1 };
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (!exists && errno != ENOENT) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open for writing");
    if (exists && S_ISDIR(st.st_mode)) return error_sys(err, ASSAY_ERR_WRITE, EISDIR, "cannot open for writing");
    if (exists && !S_ISREG(st.st_mode)) return open_direct(f, path, err);
    if (exists && access(path, W_OK) != 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open for writing");
    f->keep_mode = exists;
    f->mode = exists ? st.st_mode & 07777 : 0;
    int rc = open_beside(f, path, mem, err);
    if (rc != 0) output_file_discard(f, mem);
    return rc;
}

int output_file_create(struct output_file *f, const char *path, struct mem *mem, assay_error *err)
{
    *f = (struct output_file){ .fd = open_retry(path, O_RDWR | O_CREAT | O_EXCL, 0666), .in_place = true };
    if (f->fd < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot create a file here");
    f->temp = copy_text(mem, path, &f->temp_size);
    if (f->temp) return 0;
    unlink(path);
    output_file_discard(f, mem);
    return error_memory(err);
}

int output_file_join(struct output_file *f, const char *path, assay_error *err)
{
    *f = (struct output_file){ .fd = open_retry(path, O_RDWR, 0), .in_place = true, .joined = true };
    return f->fd < 0 ? error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open the file of another process") : 0;
}

int output_file_seek(struct output_file *f, uint64_t off, assay_error *err)
{
    if (lseek(f->fd, (off_t)off, SEEK_SET) >= 0) return 0;
    return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot write at another place");
}

/* ---- the end ---- */

/* Calls `sync` for a descriptor until it is not interrupted. */
static int sync_by(int (*sync)(int), int fd)
{
    int rc;
    do rc = sync(fd);
    while (rc != 0 && errno == EINTR);
    /* Some file systems cannot sync, or not a directory: then there is nothing more to be done. */
    return rc != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS ? errno : 0;
}

static int sync_fd(int fd) { return sync_by(fsync, fd); }

static int sync_path(const char *path, int flags, int (*sync)(int))
{
    int fd = open_retry(path, O_RDONLY | flags, 0);
    if (fd < 0) return 0;
    int why = sync_by(sync, fd);
    close(fd);
    return why;
}

int output_file_sync_dir(const char *dir) { return sync_path(dir, O_DIRECTORY, fsync); }
int output_file_sync(const char *path) { return sync_path(path, 0, fsync); }
int output_file_sync_all(const char *dir) { return sync_path(dir, O_DIRECTORY, syncfs); }

int output_file_commit(struct output_file *f, assay_error *err)
{
    int why = 0;
    if (!f->direct && !f->in_place) {
        if (f->keep_mode && fchmod(f->fd, (mode_t)f->mode) != 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot set the mode of the new file");
        why = sync_fd(f->fd);
    }
    if (f->joined) why = sync_fd(f->fd);
    if (why) return error_sys(err, ASSAY_ERR_WRITE, why, "cannot sync");
    /* as long as this one is open, nobody takes the temporary file for left over */
    int owner = f->direct || f->in_place ? -1 : fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
    why = close_fd(f);
    if (why == 0) {
        f->renamed = f->in_place;
        if (!f->direct && !f->in_place) f->renamed = rename(f->temp, f->target) == 0;
    }
    int rename_why = errno;
    if (owner >= 0) close(owner);
    if (why) return error_sys(err, ASSAY_ERR_WRITE, why, "cannot close");
    if (f->direct || f->in_place) return 0;
    if (!f->renamed) return error_sys(err, ASSAY_ERR_WRITE, rename_why, "cannot replace the file");
    size_t dir = dir_len(f->target);
    f->target[dir] = '\0';
    why = output_file_sync_dir(dir ? f->target : ".");
    return why ? error_sys(err, ASSAY_ERR_WRITE, why, "cannot sync the directory") : 0;
}

void output_file_discard(struct output_file *f, struct mem *mem)
{
    if (f->fd >= 0) close_fd(f);
    if (f->temp && !f->renamed) unlink(f->temp);
    mem_free(mem, f->temp, f->temp_size);
    mem_free(mem, f->target, f->target_size);
    *f = (struct output_file){ .fd = -1 };
}

void output_file_abandon(const char *path)
{
    char target[PATH_MAX];
    struct mem mem;
    size_t size, len;
    mem_init(&mem, 0);
    if (output_file_follow(path, target) != 0) return;
    for (len = strlen(target); len > 1 && target[len - 1] == '/'; len--) target[len - 1] = '\0';
    char *temp = output_file_temp(target, &mem, &size);
    if (!temp) return;
    output_file_letters(temp, size);
    leftover_remove_own(temp, OUTPUT_TEMP_LETTERS);
    mem_free(&mem, temp, size);
}
