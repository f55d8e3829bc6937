/* The file system with one file; see vfs.h. SQLite asks for pages by their offsets: what was written is overwritten in place, what is beyond the end is
 * appended, after zeros where a page is written before those in front of it. There is no lock, for nobody else knows the file. */
#ifdef ASSAY_HAVE_SQLITE
#include "formats/sqlite/vfs.h"

#include <stdio.h>
#include <string.h>

enum { SECTOR = 4096 };

struct file {
    sqlite3_file base;
    struct output *out;
};

/* ---- the file ---- */

static struct output *output_of(sqlite3_file *f) { return ((struct file *)f)->out; }

static int file_close(sqlite3_file *f)
{
    (void)f;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *f, void *to, int len, sqlite3_int64 off)
{
    struct output *out = output_of(f);
    uint64_t size = output_off(out), at = (uint64_t)off, want = (uint64_t)len;
    uint64_t there = at >= size ? 0 : size - at < want ? size - at : want;
    if (there) output_read(out, at, to, (size_t)there);
    if (output_failed(out)) return SQLITE_IOERR_READ;
    if (there == want) return SQLITE_OK;
    memset((char *)to + there, 0, (size_t)(want - there));
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *f, const void *from, int len, sqlite3_int64 off)
{
    static const char zeros[SECTOR];
    struct output *out = output_of(f);
    uint64_t at = (uint64_t)off, want = (uint64_t)len, size;
    while ((size = output_off(out)) < at && !output_failed(out)) output_bytes(out, zeros, at - size < sizeof zeros ? (size_t)(at - size) : sizeof zeros);
    uint64_t there = size - at < want ? size - at : want;
    if (there) output_patch(out, at, from, (size_t)there);
    output_bytes(out, (const char *)from + there, (size_t)(want - there));
    return output_failed(out) ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

/* Without journals nothing shrinks. */
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) { return (uint64_t)size < output_off(output_of(f)) ? SQLITE_IOERR_TRUNCATE : SQLITE_OK; }

static int file_sync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)output_off(output_of(f));
    return SQLITE_OK;
}

static int file_lock(sqlite3_file *f, int level)
{
    (void)f;
    (void)level;
    return SQLITE_OK;
}

static int file_is_reserved(sqlite3_file *f, int *out)
{
    (void)f;
    *out = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *f, int op, void *arg)
{
    (void)f;
    (void)op;
    (void)arg;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *f)
{
    (void)f;
    return SECTOR;
}

static int file_traits(sqlite3_file *f)
{
    (void)f;
    return 0;
}

static const sqlite3_io_methods methods = { .iVersion = 1,
                                            .xClose = file_close,
                                            .xRead = file_read,
                                            .xWrite = file_write,
                                            .xTruncate = file_truncate,
                                            .xSync = file_sync,
                                            .xFileSize = file_size,
                                            .xLock = file_lock,
                                            .xUnlock = file_lock,
                                            .xCheckReservedLock = file_is_reserved,
                                            .xFileControl = file_control,
                                            .xSectorSize = file_sector,
                                            .xDeviceCharacteristics = file_traits };

/* ---- the file system ---- */

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *out_flags)
{
    f->pMethods = NULL;
    if (!name || !(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
    f->pMethods = &methods;
    ((struct file *)f)->out = ((struct sqlite_vfs *)vfs)->out;
    if (out_flags) *out_flags = flags;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    (void)name;
    (void)sync;
    return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    (void)name;
    (void)flags;
    *out = 0;
    return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int len, char *out)
{
    (void)vfs;
    sqlite3_snprintf(len, out, "%s", name);
    return SQLITE_OK;
}

/* Nothing here depends on chance or on the time. */
static int vfs_random(sqlite3_vfs *vfs, int len, char *out)
{
    (void)vfs;
    memset(out, 0, (size_t)len);
    return len;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return microseconds;
}

static int vfs_time(sqlite3_vfs *vfs, double *out)
{
    (void)vfs;
    *out = 0;
    return SQLITE_OK;
}

static int vfs_last_error(sqlite3_vfs *vfs, int len, char *out)
{
    (void)vfs;
    (void)len;
    (void)out;
    return 0;
}

int sqlite_vfs_begin(struct sqlite_vfs *v, struct output *out)
{
    *v = (struct sqlite_vfs){ .out = out };
    /* the list of file systems is the process's: the address makes the name unique */
    snprintf(v->name, sizeof v->name, "assay-%p", (void *)v);
    v->base = (sqlite3_vfs){ .iVersion = 1,
                             .szOsFile = sizeof(struct file),
                             .mxPathname = 64,
                             .zName = v->name,
                             .xOpen = vfs_open,
                             .xDelete = vfs_delete,
                             .xAccess = vfs_access,
                             .xFullPathname = vfs_path,
                             .xRandomness = vfs_random,
                             .xSleep = vfs_sleep,
                             .xCurrentTime = vfs_time,
                             .xGetLastError = vfs_last_error };
    return sqlite3_vfs_register(&v->base, 0);
}

void sqlite_vfs_end(struct sqlite_vfs *v) { sqlite3_vfs_unregister(&v->base); }
#endif
