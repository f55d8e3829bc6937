/* Unnamed where the file system can make one (O_TMPFILE), else named for a moment. */
#include "base/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int temporary_open(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (!folder || !*folder) folder = "/tmp";
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || snprintf(path, sizeof path, "%s/assay-XXXXXX", folder) >= (int)sizeof path) return file;
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    return file;
}
