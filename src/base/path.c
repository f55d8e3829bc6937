/* Paths as texts; see path.h. */
#include "base/path.h"

#include <ctype.h>
#include <string.h>

#include "base/slice.h"

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

assay_slice path_folder(assay_slice path)
{
    const char *slash = path.data && path.len ? memrchr(path.data, '/', path.len) : NULL;
    return slash ? slice_from(path.data, slash) : SLICE("");
}

assay_slice path_shared(assay_slice a, assay_slice b)
{
    size_t n = 0, whole = 0;
    while (n < a.len && n < b.len && a.data[n] == b.data[n]) {
        if (a.data[n] == '/') whole = n;
        n++;
    }
    bool is_end = n == a.len ? n == b.len || b.data[n] == '/' : n == b.len && a.data[n] == '/';
    return (assay_slice){ a.data, is_end ? n : whole };
}

assay_slice path_folder_within(assay_slice path, size_t from, uint32_t depth)
{
    assay_slice folder = path_folder(path);
    size_t to = from;
    for (uint32_t i = 0; i < depth && to < folder.len; i++) {
        to += folder.data[to] == '/';
        while (to < folder.len && folder.data[to] != '/') to++;
    }
    if (to) return (assay_slice){ folder.data, to };
    return path.len && path.data[0] == '/' ? SLICE("/") : SLICE(".");
}

bool path_is_tame(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        while (*p == '/') p++;
        if (p[0] == '.' && p[1] == '.' && (p[2] == '/' || p[2] == '\0')) return false;
    }
    return true;
}

static size_t component(const char *p) { return strcspn(p, "/"); }

bool path_begins(const char *path, const char *from, size_t *len)
{
    const char *p = path, *f = from;
    if ((*p == '/') != (*f == '/')) return false;
    for (;;) {
        while (*p == '/') p++;
        while (*f == '/') f++;
        if (!*f) break;
        size_t n = component(p), m = component(f);
        if (n == 0 || !((m == 1 && *f == '*') || (n == m && memcmp(p, f, n) == 0))) return false;
        p += n;
        f += m;
        *len = (size_t)(p - path);
    }
    return from[0] != '\0';
}

const struct assay_path_map *path_map(const struct assay_path_map *maps, size_t count, const char *path, const char **rest)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        if (!path_begins(path, maps[i].from, &len)) continue;
        *rest = path + len;
        return &maps[i];
    }
    return NULL;
}

/* ---- one spelling ---- */

static bool has_drive(assay_slice s) { return s.len >= 3 && s.data[1] == ':' && isalpha((unsigned char)s.data[0]) && (s.data[2] == '/' || s.data[2] == '\\'); }

bool path_is_absolute(assay_slice path) { return (path.len && path.data[0] == '/') || has_drive(path); }

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

static size_t decode_percent(char *out, assay_slice s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        bool is_code = s.data[i] == '%' && i + 2 < s.len && hex_digit(s.data[i + 1]) >= 0 && hex_digit(s.data[i + 2]) >= 0;
        char c = s.data[i];
        if (is_code) c = (char)(hex_digit(s.data[i + 1]) << 4 | hex_digit(s.data[i + 2]));
        if (c) out[n++] = c;
        if (is_code) i += 2;
    }
    return n;
}

static assay_slice behind(assay_slice s, size_t n) { return (assay_slice){ s.data + n, s.len - n }; }

/* "webpack://NAME/" */
static assay_slice without_bundle(assay_slice s)
{
    const char *slash = memchr(s.data, '/', s.len);
    return slash ? slice_from(slash + 1, s.data + s.len) : s;
}

/* Copies what is left behind a scheme, without NULs, which no file name has; returns its length. */
static size_t strip_scheme(char *out, assay_slice s)
{
    if (slice_starts(s, "file://")) {
        size_t n = decode_percent(out, behind(s, 7));
        bool is_drive = n > 2 && out[0] == '/' && has_drive((assay_slice){ out + 1, n - 1 });
        if (is_drive) memmove(out, out + 1, --n);
        return n;
    }
    if (slice_starts(s, "webpack://")) s = without_bundle(behind(s, 10));
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i]) out[n++] = s.data[i];
    return n;
}

/* Where the components begin that ".." may take away: behind the root or the drive. */
static size_t root_len(const char *s, size_t len)
{
    size_t drive = has_drive((assay_slice){ s, len }) ? 2 : 0;
    return drive + (len > drive && s[drive] == '/');
}

static bool ends_with_parent(const char *out, size_t begin, size_t len)
{
    return len - begin >= 2 && out[len - 1] == '.' && out[len - 2] == '.' && (len - begin == 2 || out[len - 3] == '/');
}

/* In place: what is written never overtakes what is read. */
static size_t collapse(char *s, size_t len)
{
    size_t root = root_len(s, len), n = root;
    for (size_t i = root; i < len;) {
        size_t end = i;
        while (end < len && s[end] != '/') end++;
        size_t part = end - i;
        bool is_parent = part == 2 && s[i] == '.' && s[i + 1] == '.';
        if (is_parent && n > root && !ends_with_parent(s, root, n)) {
            while (n > root && s[n - 1] != '/') n--;
            if (n > root) n--;
        } else if (part && !(part == 1 && s[i] == '.') && !(is_parent && root && s[root - 1] == '/')) {
            if (n > root) s[n++] = '/';
            memmove(s + n, s + i, part);
            n += part;
        }
        i = end + 1;
    }
    return n;
}

char *path_normal(struct arena *a, assay_slice path)
{
    char *out = arena_text(a, path.len + 1);
    if (!out) return NULL;
    size_t len = strip_scheme(out, path);
    if (has_drive((assay_slice){ out, len }) || !memchr(out, '/', len))
        for (size_t i = 0; i < len; i++)
            if (out[i] == '\\') out[i] = '/';
    len = collapse(out, len);
    out[len] = '\0';
    return out;
}

char *path_join(struct arena *a, assay_slice folder, assay_slice path)
{
    if (path_is_absolute(path) || !folder.len) return path_normal(a, path);
    size_t len = folder.len + 1 + path.len;
    char *out = arena_text(a, len + 1);
    if (!out) return NULL;
    memcpy(out, folder.data, folder.len);
    out[folder.len] = '/';
    if (path.len) memcpy(out + folder.len + 1, path.data, path.len);
    len = collapse(out, len);
    out[len] = '\0';
    return out;
}

/* ---- patterns ---- */

/* The set that begins at p ('['); false = it has no end and is a bracket like any other byte. */
static bool in_set(const char *p, const char *end, char c, bool *is_in, const char **behind_set)
{
    const char *q = p + 1;
    bool is_not = q < end && (*q == '!' || *q == '^'), found = false;
    if (is_not) q++;
    for (const char *first = q; q < end && (*q != ']' || q == first); q++) {
        if (end - q > 2 && q[1] == '-' && q[2] != ']') {
            found |= (unsigned char)c >= (unsigned char)q[0] && (unsigned char)c <= (unsigned char)q[2];
            q += 2;
        } else
            found |= c == *q;
    }
    if (q >= end) return false;
    *is_in = found != is_not;
    *behind_set = q + 1;
    return true;
}

/* Whether byte c matches what stands at p, which is no "*"; *next is what stands behind it. */
static bool fits_one(const char *p, const char *end, char c, const char **next)
{
    bool is_in;
    *next = p + 1;
    if (*p == '?') return true;
    if (*p == '[' && in_set(p, end, c, &is_in, next)) return is_in;
    if (*p == '\\' && p + 1 < end) {
        *next = p + 2;
        return p[1] == c;
    }
    return *p == c;
}

/* One component. The last star takes one byte more whenever what follows it does not fit; stars before it need never be tried again. */
static bool fits_component(assay_slice text, assay_slice pattern)
{
    const char *p = pattern.data, *end = p + pattern.len, *star = NULL;
    size_t i = 0, star_at = 0;
    while (i < text.len) {
        const char *next;
        if (p < end && *p == '*') {
            star = ++p;
            star_at = i;
        } else if (p < end && fits_one(p, end, text.data[i], &next)) {
            p = next;
            i++;
        } else if (star) {
            p = star;
            i = ++star_at;
        } else
            return false;
    }
    while (p < end && *p == '*') p++;
    return p == end;
}

static assay_slice part_at(assay_slice s, size_t at)
{
    const char *begin = s.data + at, *slash = memchr(begin, '/', s.len - at);
    return slash ? slice_from(begin, slash) : slice_from(begin, s.data + s.len);
}

static size_t part_behind(assay_slice s, size_t at)
{
    size_t next = at + part_at(s, at).len + 1;
    return next < s.len ? next : s.len;
}

/* The same rule for components, "**" as the star; a pattern that is used up matches whatever lies below. */
static bool fits_parts(assay_slice path, assay_slice pattern, bool anywhere)
{
    size_t i = 0, p = 0, star = 0, star_at = 0;
    bool has_star = anywhere;
    for (;;) {
        if (p >= pattern.len) return true;
        if (slice_is(part_at(pattern, p), "**")) {
            p = star = part_behind(pattern, p);
            star_at = i;
            has_star = true;
            if (p >= pattern.len) return i < path.len;
        } else if (i < path.len && fits_component(part_at(path, i), part_at(pattern, p))) {
            i = part_behind(path, i);
            p = part_behind(pattern, p);
        } else if (has_star && star_at < path.len) {
            i = star_at = part_behind(path, star_at);
            p = star;
        } else
            return false;
    }
}

bool path_matches(assay_slice path, const char *pattern)
{
    assay_slice p = slice_of(pattern);
    bool is_rooted = slice_starts(p, "/"), is_fixed = is_rooted || slice_starts(p, "./");
    if (is_rooted != (path.len && path.data[0] == '/') && is_fixed) return false;
    if (is_fixed) p = behind(p, is_rooted ? 1 : 2);
    if (path.len && path.data[0] == '/') path = behind(path, 1);
    while (p.len && p.data[p.len - 1] == '/') p.len--;
    return p.len && fits_parts(path, p, !is_fixed);
}
