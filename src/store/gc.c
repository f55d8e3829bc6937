/* Collecting unreachable objects. Marking goes on beside writers; only while files are removed do they have to wait (gc.lock is flocked by them
 * shared, by us alone). What was written, or relied upon and so refreshed, since the marking began is younger than it, and stays. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "store/fsck.h"
#include "store/parts.h"
#include "store/ref_files.h"
#include "store/scan.h"

enum { LOCK_TRIES = 200, LOCK_WAIT_MS = 50 };

struct collector {
    struct scan scan;
    const struct gc_options *options;
    struct gc_result *out;
    struct timespec start; /* by the clock of the file system */
    int lock;
    VEC(assay_store_id) contents; /* of sources that are needed, sorted */
};

/* ---- the lock ---- */

enum { HOW_TO_OPEN = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };

int store_gc_lock(struct store *s, bool alone, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    if (!folder_path(path, s->common, "gc.lock")) FAIL(err, ASSAY_ERR_WRITE, "the path of the store is too long");
    int fd = open(path, HOW_TO_OPEN, 0644);
    if (fd < 0) return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot open '%.400s'", path);
    int how = alone ? LOCK_EX : LOCK_SH, rc = -1;
    for (int i = 0; i < LOCK_TRIES; i++) {
        rc = flock(fd, how | LOCK_NB);
        if (rc == 0 || errno != EWOULDBLOCK || cancel_due()) break;
        struct timespec t = { 0, LOCK_WAIT_MS * 1000000L };
        nanosleep(&t, NULL);
    }
    if (rc == 0 || errno == ENOLCK || errno == EOPNOTSUPP) return fd;
    close(fd);
    FAIL(err, ASSAY_ERR_LIMIT,
         alone ? "imports are running in this store; try again when they have finished" : "another gc is running in this store; try again");
}

/* Ours; those of the original program do not say whose they are. */
static bool is_our_temporary(const char *name) { return strncmp(name, "tmp-", 4) == 0; }

void store_drop_leftovers(struct store *s)
{
    char path[FOLDER_PATH_MAX];
    struct folder f;
    assay_error local;
    size_t first = 0;
    int rc = folder_open(&f, s->objects, s->mem, &local), fd = -1;
    while (rc == 0 && first < f.entries.len && !is_our_temporary(f.entries.at[first].name)) first++;
    /* what is listed before the lock is taken belongs to nobody who could still begin */
    if (rc == 0 && first < f.entries.len && folder_path(path, s->common, "gc.lock")) fd = open(path, HOW_TO_OPEN, 0644);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        for (size_t i = first; i < f.entries.len; i++)
            if (f.entries.at[i].is_file && is_our_temporary(f.entries.at[i].name) && folder_path(path, s->objects, f.entries.at[i].name)) (void)unlink(path);
    if (fd >= 0) close(fd);
    folder_done(&f);
}

/* ---- what may go ---- */

static bool is_before(const struct timespec *a, const struct timespec *b) { return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec; }

static bool is_old(const struct collector *g, const struct stat *st)
{
    struct timespec limit = g->start;
    limit.tv_sec -= (time_t)g->options->grace;
    return is_before(&st->st_mtim, &limit);
}

/* Removes a file that is old enough, or whatever its age. Counts. */
static void drop(struct collector *g, const char *path, bool at_any_age, uint64_t *count)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) return;
    if (!at_any_age && !is_old(g, &st)) {
        g->out->kept++;
        return;
    }
    if (!g->options->dry_run && unlink(path) != 0) return;
    ++*count;
    g->out->bytes += (uint64_t)st.st_size;
}

/* ---- objects ---- */

/* Lines and functions need nothing: they are all that lists lead to. */
static bool is_leaf(const struct scan *c, size_t object)
{
    bool in_list = false;
    for (size_t i = 0; i < c->edges.len; i++) {
        const struct scan_object *from = &c->objects.at[c->edges.at[i] >> 32];
        if ((c->edges.at[i] & UINT32_MAX) != object || !from->is_live) continue;
        if (from->kind != COV_FILES) return false;
        in_list = true;
    }
    return in_list;
}

/* A report, build or list that cannot be read may need anything: better to keep all than to guess. */
static int refuse_damage(const struct collector *g, assay_error *err)
{
    char hex[COV_ID_HEX + 1];
    const struct scan *c = &g->scan;
    for (size_t i = 0; i < c->objects.len; i++)
        if (c->objects.at[i].is_live && c->objects.at[i].kind == COV_NONE && !is_leaf(c, i))
            FAIL(err, ASSAY_ERR_DAMAGED, "object %s is damaged and still needed: nothing is removed; run 'assay cov fsck' for details",
                 cov_id_hex(&c->objects.at[i].id, hex));
    return 0;
}

static int by_id(const void *a, const void *b) { return cov_id_compare(a, b); }

/* The sources that lists which stay have. */
static int gather_contents(struct collector *g, assay_error *err)
{
    struct scan *c = &g->scan;
    SCOPED(store_room_done) struct store_room room = { .mem = c->mem };
    for (size_t i = 0; i < c->objects.len; i++) {
        struct cov_object o;
        TRY(cancel_step(i, err));
        if (c->objects.at[i].kind != COV_FILES) continue;
        SCOPED(arena_done) struct arena a = { .mem = c->mem };
        TRY(scan_reload(c, i, &room, &a, &o, err));
        size_t n = o.kind == COV_FILES ? o.files.count : 0;
        if (!vec_reserve(c->mem, &g->contents, n)) return error_memory(err);
        for (size_t k = 0; k < n; k++) g->contents.at[g->contents.len++] = o.files.at[k].contents;
    }
    return sort_by(g->contents.at, g->contents.len, sizeof *g->contents.at, by_id) ? 0 : error_cancelled(err);
}

static void drop_objects(struct collector *g)
{
    char path[FOLDER_PATH_MAX];
    for (size_t i = 0; i < g->scan.objects.len && !cancel_at(i); i++)
        if (!g->scan.objects.at[i].is_live && store_object_path(g->scan.store, &g->scan.objects.at[i].id, false, path)) drop(g, path, false, &g->out->objects);
}

static int drop_blobs_in(struct collector *g, const char *dir, const char *pair, assay_error *err)
{
    char path[FOLDER_PATH_MAX], file[FOLDER_PATH_MAX], hex[COV_ID_HEX + 1];
    assay_store_id id;
    if (!folder_path(path, dir, pair) || !folder_path(file, path, "x") || store_is_linked(file)) return 0;
    SCOPED(folder_done) struct folder f;
    TRY(folder_open(&f, path, g->scan.mem, err));
    for (size_t i = 0; i < f.entries.len; i++) {
        TRY(cancel_step(i, err));
        int len = snprintf(hex, sizeof hex, "%s%s", pair, f.entries.at[i].name);
        if (len != COV_ID_HEX || !cov_id_parse((assay_slice){ hex, COV_ID_HEX }, &id)) continue;
        bool needed = g->contents.len && bsearch(&id, g->contents.at, g->contents.len, sizeof id, by_id);
        if (!needed && folder_path(file, path, f.entries.at[i].name)) drop(g, file, false, &g->out->blobs);
    }
    return 0;
}

/* ---- leftovers ---- */

/* Our temporary files, and those of the original program. */
static bool is_temporary(const char *name) { return is_our_temporary(name) || strncmp(name, "object", 6) == 0; }

/* Everything that lies directly in objects: blobs by two digits, and files that were to become objects. */
static int drop_beside(struct collector *g, const char *dir, bool has_blobs, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    SCOPED(folder_done) struct folder f;
    TRY(folder_open(&f, dir, g->scan.mem, err));
    for (size_t i = 0; i < f.entries.len; i++) {
        const char *name = f.entries.at[i].name;
        TRY(cancel_step(i, err));
        if (f.entries.at[i].is_dir && has_blobs && strlen(name) == 2)
            TRY(drop_blobs_in(g, dir, name, err));
        else if (f.entries.at[i].is_file && is_temporary(name) && folder_path(path, dir, name))
            drop(g, path, is_our_temporary(name), &g->out->temporaries); /* under the lock nobody writes ours */
    }
    return 0;
}

/* A lock whose owner is gone: nobody holds its flock. */
static void drop_lock(struct collector *g, const char *path)
{
    if (ref_lock_is_dead(path, !g->options->dry_run)) g->out->locks++;
}

static int lock_file(void *arg, const char *name, const struct ref_value *value)
{
    struct collector *g = arg;
    char path[FOLDER_PATH_MAX];
    (void)value;
    if (slice_ends(slice_of(name), ".lock") && refs_path(g->scan.store, name, "", path)) drop_lock(g, path);
    return 0;
}

static int head_lock(void *arg, const char *folder, const struct ref_value *value)
{
    struct collector *g = arg;
    char path[FOLDER_PATH_MAX];
    (void)value;
    int len = snprintf(path, sizeof path, "%s/%s%sHEAD.lock", g->scan.store->common, folder, *folder ? "/" : "");
    if (len > 0 && len < (int)sizeof path) drop_lock(g, path);
    return 0;
}

static int drop_leftovers(struct collector *g, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    TRY(drop_beside(g, g->scan.store->objects, true, err));
    if (folder_path(path, g->scan.store->objects, "coverage")) TRY(drop_beside(g, path, false, err));
    TRY(refs_each_file(g->scan.store, "refs/", lock_file, g, err));
    return scan_heads(g->scan.store, head_lock, g, err);
}

/* ---- the whole ---- */

/* The time of the file system, whose clock need not be ours. */
static int mark_start(struct collector *g, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    struct stat st;
    int fd = store_gc_lock(g->scan.store, false, err);
    if (fd < 0) return fd;
    if (!folder_path(path, g->scan.store->common, "gc.lock") || utimensat(AT_FDCWD, path, NULL, 0) != 0 || fstat(fd, &st) != 0) {
        close(fd);
        return error_sys(err, ASSAY_ERR_WRITE, errno, "cannot use the lock of gc");
    }
    close(fd);
    g->start = st.st_mtim;
    return 0;
}

static int collect(struct collector *g, assay_error *err)
{
    TRY(mark_start(g, err));
    TRY(scan_objects(&g->scan, err));
    TRY(scan_edges(&g->scan, err));
    g->lock = store_gc_lock(g->scan.store, true, err);
    if (g->lock < 0) return g->lock;
    /* under the lock: a reference that was made meanwhile counts too */
    TRY(scan_mark_refs(&g->scan, err));
    TRY(refuse_damage(g, err));
    TRY(gather_contents(g, err));
    /* what was cancelled may have been marked in part only */
    if (cancel_due()) return error_cancelled(err);
    drop_objects(g);
    return drop_leftovers(g, err);
}

int store_gc(struct store *s, const struct gc_options *options, struct gc_result *out, assay_error *err)
{
    struct collector g = { .options = options, .out = out, .lock = -1 };
    memset(out, 0, sizeof *out);
    scan_init(&g.scan, s, 0, NULL);
    int rc = collect(&g, err);
    if (g.lock >= 0) close(g.lock);
    vec_done(g.scan.mem, &g.contents);
    scan_done(&g.scan);
    return rc;
}
