/* Writing objects so that a name never stands for half of one: bytes go to a temporary file; store_sync makes all of them last, and only then
 * gives them their names, and makes these last too. Few files are synced one by one, many by one sync of the file system. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/deflate.h"
#include "base/digest.h"
#include "base/output_file.h"
#include "store/parts.h"

enum { FEW = 32 };

bool store_temp_path(const struct store *s, uint64_t number, char *buf)
{
    int len = snprintf(buf, FOLDER_PATH_MAX, "%s/tmp-%ld-%llu-%s", s->objects, (long)getpid(), (unsigned long long)number, s->random);
    return len > 0 && len < FOLDER_PATH_MAX;
}

static uint64_t hash_of(const assay_store_id *id) { return hash_bytes(id->bytes, sizeof id->bytes); }

static bool is_pending(const struct store *s, const assay_store_id *id)
{
    for (struct index_walk w = index_walk(&s->pending_index, hash_of(id)); index_next(&s->pending_index, &w);)
        if (cov_id_compare(&s->pending.at[w.id - 1].id, id) == 0) return true;
    return false;
}

/* Whether the object is there; says "I need it" to a gc under way. */
static bool refresh(const struct store *s, const assay_store_id *id, bool is_blob)
{
    char path[FOLDER_PATH_MAX];
    if (!store_object_path(s, id, is_blob, path) || store_is_linked(path)) return false;
    return utimensat(AT_FDCWD, path, NULL, 0) == 0 || (errno != ENOENT && errno != ENOTDIR && access(path, F_OK) == 0);
}

static int write_temp(const char *path, const struct cov_bytes *bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return errno;
    int rc = store_put_all(fd, bytes->v.at, bytes->v.len);
    if (close(fd) != 0 && rc == 0) rc = errno;
    if (rc) unlink(path);
    return rc;
}

static int add_pending(struct store *s, const assay_store_id *id, bool is_blob, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    if (!store_temp_path(s, s->next_number, path)) FAIL(err, ASSAY_ERR_WRITE, "the path of the store is too long");
    if (!vec_reserve(s->mem, &s->pending, 1) || !index_add(&s->pending_index, hash_of(id), (uint32_t)s->pending.len + 1)) return error_memory(err);
    struct store_pending *p = &s->pending.at[s->pending.len++];
    *p = (struct store_pending){ *id, s->next_number++, is_blob };
    int rc = write_temp(path, &s->compressed);
    return rc ? error_sys(err, ASSAY_ERR_WRITE, rc, "cannot write '%.400s'", path) : 0;
}

/* From the first object on, until store_release, and so past the change of the reference, no gc removes anything. */
static int hold_off_gc(struct store *s, assay_error *err)
{
    if (s->gc_lock >= 0) return 0;
    store_drop_leftovers(s);
    int fd = store_gc_lock(s, false, err);
    if (fd < 0) return fd;
    s->gc_lock = fd;
    return 0;
}

/* s->plain has the bytes that the id names. */
static int put_plain(struct store *s, const assay_store_id *id, bool is_blob, assay_error *err)
{
    if (is_pending(s, id)) return 0;
    if (cancel_due()) return error_cancelled(err);
    TRY(hold_off_gc(s, err));
    if (refresh(s, id, is_blob)) return 0;
    if (!s->packer) s->packer = cov_packer_new(COV_DIALECT_COV, s->mem);
    if (!s->packer) return error_memory(err);
    s->compressed.v.len = 0;
    TRY(cov_pack(s->packer, &s->plain, &s->compressed, err));
    return add_pending(s, id, is_blob, err);
}

int store_write(struct store *s, const struct cov_object *o, assay_store_id *out, assay_error *err)
{
    s->plain.v.len = 0;
    TRY(cov_object_encode(o, COV_DIALECT_COV, &s->plain, err));
    *out = cov_id_of(s->plain.v.at, s->plain.v.len);
    return put_plain(s, out, false, err);
}

static int blob_head(size_t len, char head[32]) { return snprintf(head, 32, "blob %zu", len) + 1; }

assay_store_id store_blob_id(const void *data, size_t len)
{
    char head[32];
    assay_store_id id;
    int head_len = blob_head(len, head);
    digest_sha1_two(head, (size_t)head_len, data, len, id.bytes);
    return id;
}

int store_write_blob(struct store *s, const void *data, size_t len, assay_store_id *out, assay_error *err)
{
    char head[32];
    size_t head_len = (size_t)blob_head(len, head);
    *out = store_blob_id(data, len);
    s->plain.v.len = 0;
    if (!vec_reserve(s->mem, &s->plain.v, head_len + len)) return error_memory(err);
    memcpy(s->plain.v.at, head, head_len);
    if (len) memcpy(s->plain.v.at + head_len, data, len);
    s->plain.v.len = head_len + len;
    return put_plain(s, out, true, err);
}

/* ---- making it last ---- */

static int sync_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    int rc = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    return rc;
}

static int sync_all(const struct store *s)
{
    int fd = open(s->objects, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno;
    int rc = syncfs(fd) == 0 ? 0 : errno;
    close(fd);
    return rc;
}

static int sync_contents(const struct store *s)
{
    char path[FOLDER_PATH_MAX];
    if (s->pending.len > FEW) return sync_all(s);
    for (size_t i = 0; i < s->pending.len; i++) {
        int rc = store_temp_path(s, s->pending.at[i].number, path) ? sync_file(path) : ENAMETOOLONG;
        if (rc) return rc;
    }
    return 0;
}

/* The folder above a path in place. */
static void cut_name(char *path) { *strrchr(path, '/') = '\0'; }

static int give_name(const struct store *s, const struct store_pending *p)
{
    char temp[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX], dir[FOLDER_PATH_MAX];
    if (!store_temp_path(s, p->number, temp) || !store_object_path(s, &p->id, p->is_blob, path)) return ENAMETOOLONG;
    if (store_is_linked(path)) return ELOOP;
    if (rename(temp, path) == 0) return 0;
    if (errno != ENOENT) return errno;
    memcpy(dir, path, sizeof dir);
    cut_name(dir);
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) return errno;
    return rename(temp, path) == 0 ? 0 : errno;
}

static int sync_names(const struct store *s, size_t count)
{
    char path[FOLDER_PATH_MAX];
    if (count > FEW) return sync_all(s);
    for (size_t i = 0; i < count; i++) {
        if (!store_object_path(s, &s->pending.at[i].id, s->pending.at[i].is_blob, path)) return ENAMETOOLONG;
        /* the fan-out folder, and the one above it: it may be new */
        for (int up = 0; up < 2; up++) {
            cut_name(path);
            int rc = output_file_sync_dir(path);
            if (rc) return rc;
        }
    }
    return 0;
}

int store_sync(struct store *s, assay_error *err)
{
    size_t named = 0;
    int rc = s->pending.len ? sync_contents(s) : 0;
    while (rc == 0 && named < s->pending.len) {
        if (cancel_due()) return error_cancelled(err);
        rc = give_name(s, &s->pending.at[named]);
        named += rc == 0;
    }
    if (rc == 0 && named) rc = sync_names(s, named);
    if (rc == ELOOP) FAIL(err, ASSAY_ERR_WRITE, "a directory in '%.400s' is a symbolic link; nothing is written there", s->objects);
    if (rc) return error_sys(err, ASSAY_ERR_WRITE, rc, "cannot write to '%.400s'", s->objects);
    s->pending.len = 0;
    index_clear(&s->pending_index);
    return 0;
}

/* ---- giving up ---- */

void store_traces(const struct store *s, struct store_traces *out)
{
    snprintf(out->common, sizeof out->common, "%s", s->common);
    memcpy(out->random, s->random, sizeof out->random);
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static void remove_temporary(const struct store_traces *t)
{
    char path[FOLDER_PATH_MAX], begin[32];
    snprintf(begin, sizeof begin, "tmp-%ld-", (long)getpid());
    DIR *dir = folder_path(path, t->common, "objects") ? opendir(path) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        if (strncmp(e->d_name, begin, strlen(begin)) == 0 && ends_with(e->d_name, t->random)) unlinkat(dirfd(dir), e->d_name, 0);
    if (dir) closedir(dir);
}

/* A lock of a reference that this process holds is open. gc.lock always stays. */
static void remove_locks(const struct store_traces *t)
{
    char path[FOLDER_PATH_MAX], common[PATH_MAX];
    DIR *dir = realpath(t->common, common) ? opendir("/proc/self/fd") : NULL;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        ssize_t n = readlinkat(dirfd(dir), e->d_name, path, sizeof path - 1);
        size_t len = strlen(common);
        path[n > 0 ? n : 0] = '\0';
        if (strncmp(path, common, len) == 0 && strncmp(path + len, "/refs/", 6) == 0 && ends_with(path, ".lock")) unlink(path);
    }
    if (dir) closedir(dir);
}

void store_abandon(const struct store_traces *t)
{
    remove_temporary(t);
    remove_locks(t);
}
