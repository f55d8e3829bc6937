/* Paths in the order of their reversed texts: those that end alike stand together, so that a search by the end takes two steps of binary
 * search, however many paths there are. */
#include "analysis/sources/path_finder.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/path.h"
#include "base/sort.h"

/* By bytes from the end; the shorter first. */
static int compare_ends(assay_slice a, assay_slice b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    for (size_t i = 1; i <= n; i++) {
        unsigned char x = (unsigned char)a.data[a.len - i], y = (unsigned char)b.data[b.len - i];
        ORDER_BY(x, y);
    }
    return ORDER(a.len, b.len);
}

static int by_end(const void *x, const void *y, void *arg)
{
    const assay_slice *path = arg;
    const uint32_t *a = x, *b = y;
    int c = compare_ends(path[*a], path[*b]);
    return c ? c : ORDER(*a, *b);
}

int path_finder_init(struct path_finder *f, const assay_slice *paths, uint32_t count, struct mem *mem, assay_error *err)
{
    *f = (struct path_finder){ .mem = mem, .count = count };
    arena_init(&f->text, mem);
    f->path = mem_zalloc(mem, count, sizeof *f->path);
    f->by_end = mem_zalloc(mem, count, sizeof *f->by_end);
    if (!f->path || !f->by_end) return error_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        TRY(cancel_step(i, err));
        const char *copy = path_normal(&f->text, paths[i].data ? paths[i] : SLICE(""));
        if (!copy) return error_memory(err);
        f->path[i] = slice_of(copy);
        f->by_end[i] = i;
    }
    return sort_with(f->by_end, count, sizeof *f->by_end, by_end, f->path) ? 0 : error_cancelled(err);
}

void path_finder_done(struct path_finder *f)
{
    mem_free(f->mem, f->path, f->count * sizeof *f->path);
    mem_free(f->mem, f->by_end, f->count * sizeof *f->by_end);
    arena_done(&f->text);
}

/* The first place whose path is not before `end`. */
static uint32_t first_not_before(const struct path_finder *f, assay_slice end)
{
    uint32_t low = 0, high = f->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_ends(f->path[f->by_end[middle]], end) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool ends_with(assay_slice path, assay_slice end)
{
    return path.len > end.len && path.data[path.len - end.len - 1] == '/' && memcmp(path.data + path.len - end.len, end.data, end.len) == 0;
}

uint32_t path_finder_same(const struct path_finder *f, assay_slice path)
{
    uint32_t at = first_not_before(f, path);
    return at < f->count && slice_equal(f->path[f->by_end[at]], path) ? f->by_end[at] : UINT32_MAX;
}

/* The only one that ends with a slash and this path. Those that end with it but begin a component elsewhere ("xa.c" for "a.c") may stand
 * before it: a slash is a small byte, so few do. */
static uint32_t only_longer(const struct path_finder *f, assay_slice path)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t at = first_not_before(f, path); at < f->count; at++) {
        assay_slice longer = f->path[f->by_end[at]];
        if (longer.len <= path.len || memcmp(longer.data + longer.len - path.len, path.data, path.len) != 0) {
            if (slice_equal(longer, path)) continue;
            break;
        }
        unsigned char before = (unsigned char)longer.data[longer.len - path.len - 1];
        if (before > '/') break;
        if (before < '/' || !ends_with(longer, path)) continue;
        if (found != UINT32_MAX) return UINT32_MAX;
        found = f->by_end[at];
    }
    return found;
}

/* The longest end of `path` of two components or more that is a path of the set. */
static uint32_t shorter(const struct path_finder *f, assay_slice path)
{
    for (size_t i = 0; i < path.len; i++) {
        if (path.data[i] != '/') continue;
        assay_slice end = slice_from(path.data + i + 1, path.data + path.len);
        if (!end.len || !memchr(end.data, '/', end.len)) return UINT32_MAX;
        uint32_t found = path_finder_same(f, end);
        if (found != UINT32_MAX) return found;
    }
    return UINT32_MAX;
}

uint32_t path_finder_find(const struct path_finder *f, assay_slice path)
{
    if (!path.len) return UINT32_MAX;
    uint32_t found = path_finder_same(f, path);
    if (found == UINT32_MAX) found = only_longer(f, path);
    return found != UINT32_MAX ? found : shorter(f, path);
}
