/* See view_token.h. */
#include "cli/view_token.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of this user that nobody else can open. */
static bool is_ours(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077);
}

static bool is_token(const char *text) { return strlen(text) == VIEW_TOKEN - 1 && strspn(text, "0123456789abcdef") == VIEW_TOKEN - 1; }

static bool make(int fd, char token[VIEW_TOKEN])
{
    unsigned char bytes[(VIEW_TOKEN - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return ftruncate(fd, 0) == 0 && pwrite(fd, token, VIEW_TOKEN - 1, 0) == VIEW_TOKEN - 1;
}

bool view_token(uint16_t port, char token[VIEW_TOKEN])
{
    char path[4096];
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (!folder || folder[0] != '/' || snprintf(path, sizeof path, "%s/assay-view-%u", folder, port) >= (int)sizeof path) return false;
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0) return false;
    memset(token, 0, VIEW_TOKEN);
    bool has_token = is_ours(fd) && ((pread(fd, token, VIEW_TOKEN - 1, 0) == VIEW_TOKEN - 1 && is_token(token)) || make(fd, token));
    close(fd);
    return has_token;
}
