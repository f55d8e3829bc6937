/* libFuzzer target: paths and patterns. The first line is a pattern, the rest a path. A path in its one spelling stays as it is; patterns fit as a
 * slow matcher that tries everything says. */
#include "fuzz.h"

#include "base/path.h"
#include "harness.h"

enum { SLOW_LEN = 20 /* bytes up to which everything is tried */ };

/* ---- the slow matcher: no sets, no backslashes ---- */

static bool slow_part(const char *t, const char *p)
{
    if (*p == '*') return slow_part(t, p + 1) || (*t && *t != '/' && slow_part(t + 1, p));
    if (!*p || *p == '/') return !*t || *t == '/';
    return *t && *t != '/' && (*p == '?' || *p == *t) && slow_part(t + 1, p + 1);
}

static const char *behind_part(const char *s)
{
    while (*s && *s != '/') s++;
    return *s ? s + 1 : s;
}

static bool slow_fits(const char *t, const char *p)
{
    if (!*p) return true;
    if (p[0] == '*' && p[1] == '*' && (!p[2] || p[2] == '/')) {
        if (!p[2]) return *t != '\0';
        return slow_fits(t, p + 3) || (*t && slow_fits(behind_part(t), p));
    }
    return *t && slow_part(t, p) && slow_fits(behind_part(t), behind_part(p));
}

static bool slow(const char *path, const char *pattern)
{
    for (const char *t = path; *t; t = behind_part(t))
        if (slow_fits(t, pattern)) return true;
    return false;
}

static bool is_simple(const char *pattern, size_t len)
{
    return len && !strpbrk(pattern, "[\\") && !strstr(pattern, "//") && pattern[0] != '/' && pattern[len - 1] != '/' && strncmp(pattern, "./", 2) != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mem mem;
    struct arena a;
    const char *begin = len ? (const char *)data : "", *newline = len ? memchr(data, '\n', len) : NULL;
    size_t head = newline ? (size_t)(newline - begin) : 0, from = newline ? head + 1 : 0;
    harness_doing("looking at paths");
    mem_init(&mem, (size_t)64 << 20);
    arena_init(&a, &mem);
    const char *pattern = arena_copy(&a, (assay_slice){ begin, head }), *path = path_normal(&a, (assay_slice){ begin + from, len - from });
    size_t path_len = strlen(path), pattern_len = strlen(pattern);
    bool is_plain = !slice_starts(slice_of(path), "file:") && !slice_starts(slice_of(path), "webpack:") && !strchr(path, '\\');
    if (is_plain) harness_promise(strcmp(path_normal(&a, slice_of(path)), path) == 0, "'%s' has another spelling", path);
    bool matches = path_matches(slice_of(path), pattern);
    if (is_simple(pattern, pattern_len) && path_len <= SLOW_LEN && pattern_len <= SLOW_LEN && path[0] != '/')
        harness_promise(matches == slow(path, pattern), "'%s' matches '%s': %d", path, pattern, matches);
    arena_done(&a);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
    return 0;
}
