/* Where the program is installed; see installed.h. */
#include "base/installed.h"

#include <string.h>
#include <unistd.h>

void installed_prefix(char buf[INSTALLED_PATH_LEN])
{
    char path[INSTALLED_PATH_LEN]; /* of its own: gcc takes `buf` for NULL when it is sanitized */
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    memcpy(buf, path, INSTALLED_PATH_LEN);
    for (unsigned i = 0; i < 2; i++) {
        char *slash = strrchr(buf, '/');
        if (slash) *slash = '\0';
    }
}
