/* What is open, kept small; see nested.h.
 *
 * An invocation that no caller has claimed is claimed as a whole or not at all. So of each function a single entry inside it is enough. A long loop
 * leaves many unclaimed invocations behind; when they hold more than ENOUGH entries, those of the older ones are joined too, and when there are more
 * than MOST also those of functions that were seen to be recursive. That only shows in a claim that begins between two entries that were joined: such
 * claims are counted. */
#include "formats/callgrind/nested.h"

/* Entries that are not worth looking at, and those that are too many even of recursive functions. */
enum { ENOUGH = 1 << 14, MOST = 1 << 15 };

bool cg_open_reach(struct cg_open_log *l, struct mem *mem, size_t count)
{
    if (count <= l->keys.len) return true;
    size_t more = count - l->keys.len;
    if (!vec_reserve(mem, &l->keys, more)) return false;
    memset(l->keys.at + l->keys.len, 0, more * sizeof *l->keys.at);
    l->keys.len = count;
    return true;
}

void cg_open_clear(struct cg_open_log *l)
{
    l->entries.len = l->rows.len = 0;
    l->old = 0;
    for (size_t i = 0; i < l->keys.len; i++) l->keys.at[i].last = 0;
}

void cg_open_done(struct cg_open_log *l, struct mem *mem)
{
    vec_done(mem, &l->entries);
    vec_done(mem, &l->rows);
    vec_done(mem, &l->keys);
}

size_t cg_open_begun(const struct cg_nested *n, uint32_t time)
{
    size_t low = 0, high = n->unclaimed.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (n->unclaimed.at[mid].begin <= time)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void keep(struct cg_open_log *l, size_t *to, size_t i)
{
    struct cg_open e = l->entries.at[i];
    e.prev = l->keys.at[e.key].last;
    l->entries.at[*to] = e;
    for (uint32_t k = 0; k < l->width && *to < i; k++) l->rows.at[*to * l->width + k] = l->rows.at[i * l->width + k];
    l->keys.at[e.key].last = (uint32_t)++ * to;
}

static void join(struct cg_open_log *l, uint32_t to, size_t i)
{
    l->entries.at[to].last = l->entries.at[i].last;
    cg_nested_add(l->rows.at + (size_t)to * l->width, l->rows.at + i * l->width, l->width);
}

/* One pass in the order of time; `begin` is that of the unclaimed invocation that an entry is in. */
static void pass(struct cg_open_log *l, const struct cg_nested *n)
{
    size_t to = 0, next = 0;
    uint32_t begin = 0;
    for (size_t i = 0; i < l->keys.len; i++) l->keys.at[i].last = 0;
    for (size_t i = 0; i < l->entries.len; i++) {
        struct cg_open e = l->entries.at[i];
        if (!e.key) continue;
        for (; next < n->unclaimed.len && n->unclaimed.at[next].begin <= e.first; next++) begin = n->unclaimed.at[next].begin;
        uint32_t last = l->keys.at[e.key].last;
        bool is_old = e.last < l->old && (l->joins_all || !l->keys.at[e.key].is_recursive);
        if (last && (is_old || l->entries.at[last - 1].first >= begin))
            join(l, last - 1, i);
        else
            keep(l, &to, i);
    }
    l->entries.len = to;
    l->rows.len = to * l->width;
}

void cg_open_tidy(struct cg_open_log *l, const struct cg_nested *n)
{
    if (l->is_crowded && n->unclaimed.len) l->old = n->unclaimed.at[n->unclaimed.len - 1 - n->unclaimed.len / 8].begin;
    pass(l, n);
    l->is_crowded = l->entries.len > ENOUGH;
    l->joins_all = l->entries.len > MOST;
    l->tidy_at = 2 * ((l->is_crowded ? l->entries.len : ENOUGH) + l->keys.len);
}
