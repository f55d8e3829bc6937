/* The memory that the command may take by default; see memory.h. */
#include "cli/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_LONGEST = 4096, LINE_LONGEST = 4096 + 256 };

static uint64_t of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t bytes;
    if (pages <= 0 || size <= 0 || __builtin_mul_overflow((uint64_t)pages, (uint64_t)size, &bytes)) return 0;
    return bytes;
}

static uint64_t of_address_space(void)
{
    struct rlimit r;
    return getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY ? (uint64_t)r.rlim_cur : 0;
}

void memory_hold_threshold(int size, int keep)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, size);
    mallopt(M_TRIM_THRESHOLD, keep);
#else
    (void)size;
    (void)keep;
#endif
}

/* The smaller of two limits, where 0 is none. */
static uint64_t smaller(uint64_t a, uint64_t b) { return !a || (b && b < a) ? b : a; }

/* ---- control groups ---- */

/* 0 = there is no such file, or it says "max". */
static uint64_t number_in(const char *path)
{
    char text[64] = "", *end;
    FILE *f = fopen(path, "re");
    if (!f) return 0;
    bool is_read = fgets(text, sizeof text, f) != NULL;
    fclose(f);
    unsigned long long v = is_read ? strtoull(text, &end, 10) : 0;
    return is_read && end != text ? v : 0;
}

/* Along the path of a group up to the root: inside a container the first directories may not be there, and the root is the container's own group. */
static uint64_t along(const char *root, const char *sub, const char *group, const char *file)
{
    char path[2 * PATH_LONGEST];
    uint64_t least = 0;
    for (size_t len = strlen(group);;) {
        while (len && group[len - 1] == '/') len--;
        int n = snprintf(path, sizeof path, "%s%s%.*s/%s", root, sub, (int)len, group, file);
        if (n > 0 && (size_t)n < sizeof path) least = smaller(least, number_in(path));
        if (!len) return least;
        while (len && group[len - 1] != '/') len--;
    }
}

/* Whether a list separated by commas, up to a colon, has the word. */
static bool has_word(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = list;; at++) {
        size_t part = strcspn(at, ",:");
        if (part == len && strncmp(at, word, len) == 0) return true;
        at += part;
        if (*at != ',') return false;
    }
}

/* One line is "0::/path" (version 2), or "N:memory,...:/path" (version 1). */
uint64_t memory_of_group(const char *self, const char *root)
{
    char line[LINE_LONGEST];
    uint64_t least = 0;
    FILE *f = fopen(self, "re");
    while (f && fgets(line, sizeof line, f)) {
        char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
        if (!group) continue;
        line[strcspn(line, "\n")] = '\0';
        if (group == list + 1)
            least = smaller(least, along(root, "", group + 1, "memory.max"));
        else if (has_word(list + 1, "memory"))
            least = smaller(least, along(root, "/memory", group + 1, "memory.limit_in_bytes"));
    }
    if (f) fclose(f);
    return least;
}

/* ---- the least ---- */

struct memory_limit memory_limit_default(void)
{
    const struct memory_limit limits[] = {
        { of_machine(), "the machine's memory" },
        { memory_of_group("/proc/self/cgroup", "/sys/fs/cgroup"), "what its control group may use" },
        { of_address_space(), "what 'ulimit -v' allows" },
    };
    struct memory_limit least = { 0, "" };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].bytes && (!least.bytes || limits[i].bytes < least.bytes)) least = limits[i];
    least.bytes = least.bytes - least.bytes / 4;
    return least;
}
