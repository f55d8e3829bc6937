/* An output as the one file that SQLite writes: no second copy on the disk, and a failure is that of the output. */
#ifndef FORMATS_SQLITE_VFS_H
#define FORMATS_SQLITE_VFS_H

#include <late_sqlite3.h>

#include "base/output.h"

struct sqlite_vfs {
    sqlite3_vfs base;
    struct output *out;
    char name[32];
};

/* Makes v->name the name of a file system whose only file is `out`, which must be able to go back (output_can_go_back) and is borrowed until the end. One
 * connection may open that file, once; journals and temporary files are refused. Returns SQLite's code. */
int sqlite_vfs_begin(struct sqlite_vfs *v, struct output *out);
/* After the connection was closed. */
void sqlite_vfs_end(struct sqlite_vfs *v);

#endif
