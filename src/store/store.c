/* Opening and making stores, and the small things that all of its files need; see store.h. */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deflate.h"
#include "base/digest.h"
#include "base/digits.h"
#include "base/output_file.h"
#include "store/parts.h"

/* ---- files ---- */

int store_put_all(int fd, const void *data, size_t len)
{
    const char *at = data;
    while (len) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

static int slurp_fd(int fd, uint64_t limit, struct store_room *room)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return errno;
    if (!S_ISREG(st.st_mode)) return S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    if ((uint64_t)st.st_size > limit) return EFBIG;
    room->v.len = 0;
    for (;;) {
        size_t want = room->v.len || !st.st_size ? 4096 : (size_t)st.st_size + 1;
        if (!vec_reserve(room->mem, &room->v, want)) return ENOMEM;
        ssize_t n = read(fd, room->v.at + room->v.len, want);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return 0;
        room->v.len += (size_t)n;
        if (room->v.len > limit) return EFBIG;
    }
}

int store_slurp(const char *path, uint64_t limit, struct store_room *room, assay_slice *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    *out = (assay_slice){ "", 0 };
    if (fd < 0) return errno;
    int rc = slurp_fd(fd, limit, room);
    close(fd);
    if (rc == 0) *out = (assay_slice){ room->v.at, room->v.len };
    return rc;
}

int store_make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int rc = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
        *slash = '/';
        if (rc) return rc;
    }
    return 0;
}

/* ---- opening ---- */

static bool is_kind(const char *dir, const char *name, mode_t kind)
{
    char path[FOLDER_PATH_MAX];
    struct stat st;
    return folder_path(path, dir, name) && stat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

/* The folder with objects and config: `path`, or what its `commondir` says. false = too long. */
static bool find_common(const char *path, char *out)
{
    char line[FOLDER_PATH_MAX];
    long len = folder_peek(path, "commondir", line, sizeof line - 1);
    if (len <= 0) return snprintf(out, FOLDER_PATH_MAX, "%s", path) < FOLDER_PATH_MAX;
    line[len] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '/') return snprintf(out, FOLDER_PATH_MAX, "%s", line) < FOLDER_PATH_MAX;
    return folder_path(out, path, line);
}

bool store_is(const char *path)
{
    char common[FOLDER_PATH_MAX];
    return is_kind(path, "HEAD", S_IFREG) && find_common(path, common) && is_kind(common, "objects/coverage", S_IFDIR) && is_kind(common, "config", S_IFREG);
}

bool store_has_link(const char *path, size_t base)
{
    char part[FOLDER_PATH_MAX];
    struct stat st;
    for (size_t len = base + 1; path[len - 1]; len++) {
        if (path[len] && path[len] != '/') continue;
        if (len >= sizeof part) return true;
        memcpy(part, path, len);
        part[len] = '\0';
        if (lstat(part, &st) == 0 && S_ISLNK(st.st_mode)) return true;
    }
    return false;
}

static void pick_random(struct store *s)
{
    uint32_t r = 0;
    if (getrandom(&r, sizeof r, GRND_NONBLOCK) != sizeof r) r = (uint32_t)time(NULL) ^ (uint32_t)getpid();
    snprintf(s->random, sizeof s->random, "%08x", r);
}

int store_open(struct store **out, const char *path, struct mem *mem, assay_error *err)
{
    char common[FOLDER_PATH_MAX];
    *out = NULL;
    TRY(digest_ready(err));
    if (!store_is(path) || !find_common(path, common)) FAIL(err, ASSAY_ERR_UNKNOWN, "'%.400s' is not a coverage store", path);
    struct store *s = mem_zalloc(mem, 1, sizeof *s);
    if (!s) return error_memory(err);
    s->gc_lock = -1;
    s->mem = s->plain.mem = s->compressed.mem = mem;
    arena_init(&s->text, mem);
    cov_unpacker_init(&s->unpacker, mem);
    index_init(&s->pending_index, mem);
    pick_random(s);
    s->path = arena_copy(&s->text, slice_of(path));
    s->common = arena_copy(&s->text, slice_of(common));
    s->objects = s->common ? folder_join(&s->text, s->common, "objects") : NULL;
    if (!s->path || !s->objects) {
        store_close(s);
        return error_memory(err);
    }
    *out = s;
    return 0;
}

void store_forget(struct store *s)
{
    char path[FOLDER_PATH_MAX];
    for (size_t i = 0; i < s->pending.len; i++)
        if (store_temp_path(s, s->pending.at[i].number, path)) unlink(path);
    s->pending.len = 0;
    index_clear(&s->pending_index);
}

void store_release(struct store *s)
{
    if (s->gc_lock >= 0) close(s->gc_lock);
    s->gc_lock = -1;
}

void store_close(struct store *s)
{
    if (!s) return;
    store_forget(s);
    store_release(s);
    vec_done(s->mem, &s->pending);
    index_done(&s->pending_index);
    cov_unpacker_done(&s->unpacker);
    packer_free(s->packer);
    cov_bytes_done(&s->plain);
    cov_bytes_done(&s->compressed);
    arena_done(&s->text);
    mem_free(s->mem, s, sizeof *s);
}

struct mem *store_mem(const struct store *s) { return s->mem; }
const char *store_path(const struct store *s) { return s->path; }
const char *store_common(const struct store *s) { return s->common; }

int store_set_identity(struct store *s, const char *who, assay_error *err)
{
    s->who = arena_copy(&s->text, slice_of(who));
    return s->who ? 0 : error_memory(err);
}

uint64_t store_now(void)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    char *end;
    if (text && *text >= '0' && *text <= '9') {
        errno = 0;
        unsigned long long v = strtoull(text, &end, 10);
        if (*end == '\0' && errno == 0) return v;
    }
    time_t now = time(NULL);
    return now > 0 ? (uint64_t)now : 0;
}

/* ---- making ---- */

static int make_file(const char *dir, const char *name, const char *text, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    if (!folder_path(path, dir, name)) FAIL(err, ASSAY_ERR_WRITE, "the path of the store is too long");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot create '%.400s'", path);
    int rc = store_put_all(fd, text, strlen(text));
    if (rc == 0 && fsync(fd) != 0) rc = errno;
    close(fd);
    return rc ? error_sys(err, ASSAY_ERR_WRITE, rc, "cannot write '%.400s'", path) : 0;
}

int store_create(const char *path, const char *config, struct mem *mem, assay_error *err)
{
    static const char *const folders[] = { "", "objects", "objects/coverage", "objects/pack", "refs", "refs/heads", "refs/tags" };
    char buf[FOLDER_PATH_MAX];
    (void)mem;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (!folder_path(buf, path, folders[i])) FAIL(err, ASSAY_ERR_WRITE, "the path of the store is too long");
        int rc = store_make_parents(buf);
        if (rc == 0 && mkdir(buf, 0777) != 0 && errno != EEXIST) rc = errno;
        if (rc) return error_sys(err, ASSAY_ERR_WRITE, rc, "cannot create '%.400s'", buf);
    }
    TRY(make_file(path, "config", config, err));
    /* last: a folder without HEAD is no store */
    TRY(make_file(path, "HEAD", "ref: refs/heads/main\n", err));
    int rc = output_file_sync_dir(path);
    return rc ? error_sys(err, ASSAY_ERR_WRITE, rc, "cannot sync '%.400s'", path) : 0;
}
