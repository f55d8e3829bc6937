/* Handles of files, and the file that keeps them; see handles.h. */
#include "mcp/handles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/mcp.h"
#include "base/error.h"
#include "base/output.h"
#include "base/scoped.h"

enum { FILE_MOST = 8 << 20 /* bytes: a thousand of the longest paths are half of that */, BLOCK = 65536 };

static const char file_name[] = "handles", new_name[] = "handles.new";

uint32_t handle_number(const char *text)
{
    uint64_t n = 0;
    if (text[0] != 'f' || text[1] < '1' || text[1] > '9') return 0;
    for (const char *p = text + 1; *p; p++) {
        if (*p < '0' || *p > '9') return 0;
        n = 10 * n + (uint64_t)(*p - '0');
        if (n > UINT32_MAX) return 0;
    }
    return (uint32_t)n;
}

/* ---- the folder ---- */

static void end_fd(const int *fd)
{
    if (*fd >= 0) close(*fd);
}

/* Whether nobody but this user can change, or read, what is there. */
static bool is_own(int fd, mode_t type)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

static int open_below(const char *base, const char *more, bool create)
{
    char outer[4000], path[4096];
    if (!base || base[0] != '/' || snprintf(outer, sizeof outer, "%s%s", base, more) >= (int)sizeof outer) return -1;
    snprintf(path, sizeof path, "%s/assay", outer);
    if (create && mkdir(outer, 0700) != 0 && errno != EEXIST) return -1;
    if (create && mkdir(path, 0700) != 0 && errno != EEXIST) return -1;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || is_own(fd, S_IFDIR)) return fd;
    close(fd);
    return -1;
}

/* The descriptor of the folder, or -1. */
static int open_folder(bool create)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *cache = getenv("XDG_CACHE_HOME");
    if (runtime && *runtime) return open_below(runtime, "", create);
    if (cache && *cache) return open_below(cache, "", create);
    return open_below(getenv("HOME"), "/.cache", create);
}

/* ---- the file ---- */

struct text {
    VEC(char) bytes;
};

/* All of it; nothing where there is none that is to be trusted. */
static int load(int folder, struct text *t, struct mem *mem, assay_error *err)
{
    SCOPED(end_fd) int fd = openat(folder, file_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t got = 1;
    if (fd < 0 || !is_own(fd, S_IFREG)) return 0;
    while (got > 0 && t->bytes.len < FILE_MOST) {
        if (!vec_reserve(mem, &t->bytes, BLOCK)) return error_memory(err);
        got = read(fd, t->bytes.at + t->bytes.len, BLOCK);
        if (got > 0) t->bytes.len += (size_t)got;
    }
    return 0;
}

/* The next whole line "NUMBER PATH" from *at on; false = no more. What is no such line is passed over. */
static bool next_line(const struct text *t, size_t *at, uint32_t *number, assay_slice *path)
{
    while (*at < t->bytes.len) {
        const char *begin = t->bytes.at + *at, *end = memchr(begin, '\n', t->bytes.len - *at);
        if (!end) return false;
        uint64_t n = 0;
        const char *p = begin;
        *at += (size_t)(end - begin) + 1;
        while (p < end && *p >= '0' && *p <= '9' && n <= UINT32_MAX) n = 10 * n + (uint64_t)(*p++ - '0');
        if (!n || n > UINT32_MAX || end - p < 2 || p[0] != ' ' || p[1] != '/' || memchr(p, '\0', (size_t)(end - p))) continue;
        *number = (uint32_t)n;
        *path = slice_from(p + 1, end);
        return true;
    }
    return false;
}

static bool write_all(int fd, const char *data, size_t len)
{
    while (len) {
        ssize_t put = write(fd, data, len);
        if (put < 0 && errno != EINTR) return false;
        if (put > 0) data += put, len -= (size_t)put;
    }
    return true;
}

/* Takes the place of the old one as a whole. What a killed process left is removed: the lock is ours. */
static bool store(int folder, assay_slice text)
{
    (void)unlinkat(folder, new_name, 0);
    int fd = openat(folder, new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    bool ok = write_all(fd, text.data, text.len);
    ok = close(fd) == 0 && ok;
    if (ok && renameat(folder, new_name, folder, file_name) == 0) return true;
    (void)unlinkat(folder, new_name, 0);
    return false;
}

/* ---- of this process ---- */

void handles_init(struct handles *h, struct mem *mem, bool is_private)
{
    *h = (struct handles){ .mem = mem, .is_private = is_private };
    arena_init(&h->text, mem);
}

void handles_done(struct handles *h)
{
    vec_done(h->mem, &h->at);
    if (h->text.mem) arena_done(&h->text);
}

static const struct handle *own_number(const struct handles *h, uint32_t number)
{
    for (size_t i = 0; i < h->at.len; i++)
        if (h->at.at[i].number == number) return &h->at.at[i];
    return NULL;
}

static uint32_t own_path(const struct handles *h, const char *path)
{
    for (size_t i = 0; i < h->at.len; i++)
        if (strcmp(h->at.at[i].path, path) == 0) return h->at.at[i].number;
    return 0;
}

static int keep(struct handles *h, const char *path, uint32_t number, assay_error *err)
{
    if (h->at.len >= HANDLES_MOST) return 0;
    const char *copy = arena_copy(&h->text, slice_of(path));
    struct handle *to = copy ? vec_push(h->mem, &h->at) : NULL;
    if (!to) return error_memory(err);
    *to = (struct handle){ number, copy };
    return 0;
}

/* A path that is a line, and whose handle can be resolved again. */
static bool can_have_one(const char *path) { return path[0] == '/' && !strchr(path, '\n') && strlen(path) < 4096; }

/* Numbers for those that lack one, without a file that others see. */
static int number_alone(struct handles *h, const char *const *paths, size_t count, uint32_t *numbers, assay_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] || !can_have_one(paths[i])) continue;
        numbers[i] = h->at.len < HANDLES_MOST ? (uint32_t)h->at.len + 1 : 0;
        if (numbers[i]) TRY(keep(h, paths[i], numbers[i], err));
    }
    return 0;
}

/* ---- of all ---- */

struct change {
    struct text old;
    struct output *out;
    uint32_t last, lines;
};

/* What is known already, and what the last number was. */
static void look_up(struct change *c, const char *const *paths, size_t count, uint32_t *numbers)
{
    uint32_t number;
    assay_slice path;
    for (size_t at = 0; next_line(&c->old, &at, &number, &path); c->lines++) {
        if (number > c->last) c->last = number;
        for (size_t i = 0; i < count; i++)
            if (slice_is(path, paths[i])) numbers[i] = number;
    }
}

/* The old lines, but for the first ones where there are too many, and the new ones. */
static void write_lines(struct change *c, const char *const *paths, size_t count, uint32_t *numbers)
{
    uint32_t number, more = 0, skip = 0;
    assay_slice path;
    for (size_t i = 0; i < count; i++) more += !numbers[i] && can_have_one(paths[i]);
    if (c->lines + more > HANDLES_MOST) skip = c->lines + more - HANDLES_MOST;
    for (size_t at = 0; next_line(&c->old, &at, &number, &path);)
        if (skip)
            skip--;
        else
            output_printf(c->out, "%u %.*s\n", number, (int)path.len, path.data);
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] || !can_have_one(paths[i]) || c->last == UINT32_MAX) continue;
        numbers[i] = ++c->last;
        output_printf(c->out, "%u %s\n", numbers[i], paths[i]);
        for (size_t k = i + 1; k < count; k++)
            if (strcmp(paths[k], paths[i]) == 0) numbers[k] = numbers[i];
    }
}

static int number_in(int folder, struct handles *h, const char *const *paths, size_t count, uint32_t *numbers, assay_error *err)
{
    struct change c = { .last = 0 };
    vec_scoped(h->mem, &c.old.bytes);
    TRY(load(folder, &c.old, h->mem, err));
    look_up(&c, paths, count, numbers);
    bool is_known = true;
    for (size_t i = 0; i < count; i++) is_known &= numbers[i] || !can_have_one(paths[i]);
    if (is_known) return 0;
    TRY(output_open_memory(&c.out, h->mem, err));
    SCRATCH(uint32_t, fresh, h->mem, count);
    int rc = fresh ? 0 : error_memory(err);
    if (rc == 0) {
        memcpy(fresh, numbers, count * sizeof *fresh);
        write_lines(&c, paths, count, fresh);
        rc = output_failed(c.out) ? error_memory(err) : 0;
    }
    if (rc == 0 && store(folder, output_memory(c.out))) memcpy(numbers, fresh, count * sizeof *fresh);
    output_abort(c.out);
    return rc;
}

int handles_put(struct handles *h, const char *const *paths, size_t count, uint32_t *numbers, assay_error *err)
{
    SCOPED(end_fd) int folder = h->is_private ? -1 : open_folder(true);
    for (size_t i = 0; i < count; i++) numbers[i] = 0;
    /* Closing the descriptor gives the lock back. */
    if (folder >= 0 && flock(folder, LOCK_EX) == 0) return number_in(folder, h, paths, count, numbers, err);
    for (size_t i = 0; i < count; i++) numbers[i] = own_path(h, paths[i]);
    return number_alone(h, paths, count, numbers, err);
}

static bool give(const char *from, size_t len, char *path, size_t size)
{
    if (len >= size) return false;
    memcpy(path, from, len);
    path[len] = '\0';
    return true;
}

bool handles_find(const struct handles *h, const char *text, char *path, size_t size)
{
    uint32_t number = handle_number(text);
    const struct handle *own = number ? own_number(h, number) : NULL;
    if (own) return give(own->path, strlen(own->path), path, size);
    return number && !h->is_private && assay_handle_find(text, path, size);
}

bool assay_handle_find(const char *text, char *path, size_t size)
{
    uint32_t wanted = text ? handle_number(text) : 0, number;
    assay_slice found;
    struct mem mem;
    struct text t = { { 0 } };
    if (!wanted) return false;
    SCOPED(end_fd) int folder = open_folder(false);
    if (folder < 0) return false;
    mem_init(&mem, 0);
    vec_scoped(&mem, &t.bytes);
    if (load(folder, &t, &mem, NULL) != 0) return false;
    for (size_t at = 0; next_line(&t, &at, &number, &found);)
        if (number == wanted) return give(found.data, found.len, path, size);
    return false;
}
