/* Changing references under a lock: NAME.lock is made with O_EXCL and holds first who has it, then the new value, and its rename to NAME is the
 * change. While its owner lives it is also flocked, so that a lock left behind can be told from one that is held, and is taken over at once; see
 * refs.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/output_file.h"
#include "base/slice.h"
#include "store/parts.h"
#include "store/ref_files.h"

#define PID_MARK "pid "

/* Ten seconds for one who lives. */
enum { TRIES = 210, FIRST_WAIT_MS = 5, LONGEST_WAIT_MS = 50 };

static void wait_ms(int ms)
{
    struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };
    nanosleep(&t, NULL);
}

/* ---- taking it ---- */

static bool is_same_file(int fd, const char *path)
{
    struct stat a, b;
    return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* One try: the descriptor, or minus an errno. Whoever removes a dead lock holds its flock: so it is still ours only if the name still leads to
 * it after we have that. */
static int take(char *path)
{
    char who[64];
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno == ENOENT && store_make_parents(path) == 0) fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return -errno;
    int rc = flock(fd, LOCK_EX) == 0 || errno == ENOLCK || errno == EOPNOTSUPP ? 0 : errno;
    if (rc == 0 && !is_same_file(fd, path)) rc = EEXIST;
    if (rc == 0) {
        int len = snprintf(who, sizeof who, PID_MARK "%ld\n", (long)getpid());
        rc = store_put_all(fd, who, (size_t)len);
        if (rc) unlink(path);
    }
    if (rc == 0) return fd;
    close(fd);
    return -rc;
}

bool ref_lock_is_dead(const char *path, bool remove)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    bool dead = flock(fd, LOCK_EX | LOCK_NB) == 0 && is_same_file(fd, path);
    if (dead && remove) dead = unlink(path) == 0;
    close(fd);
    return dead;
}

void ref_lock_owner(const char *path, char *owner, size_t len, long *age)
{
    char text[64] = "";
    const char *digits = text + sizeof PID_MARK - 1;
    struct stat st;
    uint64_t pid;
    *age = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0) {
        ssize_t n = read(fd, text, sizeof text - 1);
        if (n > 0) text[n] = '\0';
        if (fstat(fd, &st) == 0 && time(NULL) > st.st_mtime) *age = (long)(time(NULL) - st.st_mtime);
        close(fd);
    }
    if (slice_starts(slice_of(text), PID_MARK) && number_u64(slice_from(digits, digits + strcspn(digits, "\n")), &pid) == NUMBER_OK)
        snprintf(owner, len, "process %llu", (unsigned long long)pid);
    else
        snprintf(owner, len, "another process");
}

static int held(const char *path, const char *name, assay_error *err)
{
    char owner[48];
    long age;
    ref_lock_owner(path, owner, sizeof owner, &age);
    return error_set(err, ASSAY_ERR_LIMIT, "the reference '%.200s' is locked by %s for %ld seconds; try again when it has finished", name, owner, age);
}

int ref_lock(struct store *s, const char *name, struct ref_lock *out, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    *out = (struct ref_lock){ .store = s, .fd = -1 };
    if (!refs_name_ok(slice_of(name))) FAIL(err, ASSAY_ERR_USAGE, "'%.200s' is not a valid reference name", name);
    if (!refs_is_inside(s, name)) FAIL(err, ASSAY_ERR_WRITE, "a symbolic link is in the way of the reference '%.200s'", name);
    if (!refs_path(s, name, ".lock", path)) FAIL(err, ASSAY_ERR_WRITE, "the path of the reference '%.200s' is too long", name);
    int fd = -EEXIST;
    for (int i = 0, ms = FIRST_WAIT_MS; i < TRIES && fd == -EEXIST; i++) {
        if (cancel_due()) return error_cancelled(err);
        if (i && !ref_lock_is_dead(path, true)) {
            wait_ms(ms);
            if (ms < LONGEST_WAIT_MS) ms += FIRST_WAIT_MS;
        }
        fd = take(path);
    }
    if (fd == -EEXIST) return held(path, name, err);
    if (fd < 0) return error_sys(err, ASSAY_ERR_WRITE, -fd, "cannot lock the reference '%.200s'", name);
    out->fd = fd;
    snprintf(out->name, sizeof out->name, "%s", name);
    int rc = refs_read(s, name, &out->old, err);
    if (rc != 0) ref_lock_release(out);
    return rc;
}

void ref_lock_release(struct ref_lock *l)
{
    char path[FOLDER_PATH_MAX];
    if (l->fd < 0) return;
    if (refs_path(l->store, l->name, ".lock", path)) unlink(path);
    close(l->fd);
    l->fd = -1;
}

/* ---- using it ---- */

static void parent_of(const char *path, char *out)
{
    snprintf(out, FOLDER_PATH_MAX, "%s", path);
    *strrchr(out, '/') = '\0';
}

static int replace(struct ref_lock *l, const char *value, size_t len)
{
    char lock[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX], dir[FOLDER_PATH_MAX];
    if (!refs_path(l->store, l->name, ".lock", lock) || !refs_path(l->store, l->name, "", path)) return ENAMETOOLONG;
    if (ftruncate(l->fd, 0) != 0 || lseek(l->fd, 0, SEEK_SET) != 0) return errno;
    int rc = store_put_all(l->fd, value, len);
    if (rc == 0 && fsync(l->fd) != 0) rc = errno;
    if (rc == 0 && rename(lock, path) != 0) rc = errno;
    if (rc) return rc;
    close(l->fd);
    l->fd = -1;
    parent_of(path, dir);
    return output_file_sync_dir(dir);
}

static const assay_store_id zero;

static int set(struct ref_lock *l, const char *value, size_t len, const assay_store_id *to, const char *why, assay_error *err)
{
    struct reflog log = { .fd = -1 };
    int rc = why ? reflog_open(l->store, l->name, &log, err) : 0;
    if (rc == 0) {
        int failed = replace(l, value, len);
        if (failed) rc = error_sys(err, ASSAY_ERR_WRITE, failed, "cannot write the reference '%.200s'", l->name);
    }
    if (l->old.kind == REF_SYMBOLIC) log.has_last = false; /* what it stood for may have changed in its own right */
    if (rc == 0 && why) reflog_append(&log, l->old.kind == REF_ID ? &l->old.id : &zero, to, why);
    reflog_close(&log);
    ref_lock_release(l);
    return rc;
}

int ref_lock_set(struct ref_lock *l, const assay_store_id *id, const char *why, assay_error *err)
{
    char text[COV_ID_HEX + 2];
    cov_id_hex(id, text);
    text[COV_ID_HEX] = '\n';
    return set(l, text, COV_ID_HEX + 1, id, why, err);
}

int ref_lock_point(struct ref_lock *l, const char *target, const char *why, assay_error *err)
{
    char text[REFS_NAME_MAX + 8];
    struct ref_value v = { .kind = REF_NONE };
    if (!refs_name_ok(slice_of(target))) {
        ref_lock_release(l);
        FAIL(err, ASSAY_ERR_USAGE, "'%.200s' is not a valid reference name", target);
    }
    assay_error local;
    (void)refs_follow(l->store, target, &v, NULL, &local);
    int len = snprintf(text, sizeof text, "ref: %s\n", target);
    return set(l, text, (size_t)len, v.kind == REF_ID ? &v.id : &zero, why, err);
}

int ref_lock_remove(struct ref_lock *l, const char *why, assay_error *err)
{
    char path[FOLDER_PATH_MAX], dir[FOLDER_PATH_MAX];
    struct reflog log = { .fd = -1 };
    int rc = why ? reflog_open(l->store, l->name, &log, err) : 0;
    if (rc == 0 && refs_path(l->store, l->name, "", path)) {
        if (unlink(path) != 0 && errno != ENOENT) rc = error_sys(err, ASSAY_ERR_WRITE, errno, "cannot remove the reference '%.200s'", l->name);
        parent_of(path, dir);
        if (rc == 0) (void)output_file_sync_dir(dir);
    }
    if (rc == 0 && why) reflog_append(&log, l->old.kind == REF_ID ? &l->old.id : &zero, &zero, why);
    reflog_close(&log);
    ref_lock_release(l);
    return rc;
}

int refs_update(struct store *s, const char *name, const assay_store_id *expected, const assay_store_id *id, const char *why, bool *moved,
                assay_store_id *found, assay_error *err)
{
    struct ref_lock l;
    *moved = false;
    TRY(ref_lock(s, name, &l, err));
    const assay_store_id *now = l.old.kind == REF_ID ? &l.old.id : &zero;
    if (found) *found = *now;
    if (expected && cov_id_compare(expected, now) != 0) {
        ref_lock_release(&l);
        return 0;
    }
    TRY(ref_lock_set(&l, id, why, err));
    *moved = true;
    return 0;
}
