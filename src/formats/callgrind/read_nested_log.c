/* What is open, kept small; see nested.h.
 *
 * An invocation that no caller has claimed is claimed as a whole or not at all. So of each function a single entry inside it is enough. A long loop
 * leaves many unclaimed invocations behind; when they hold more than ENOUGH entries, those of the older ones are joined too, and when there are more
 * than MOST also those of functions that were seen to be recursive. That only shows in a claim that begins between two entries that were joined: such
 * claims are counted. */
#include "formats/callgrind/nested.h"

/* Entries that are not worth looking at, and those that are too many even of recursive functions. */
enum { ENOUGH = 1 << 14, MOST = 1 << 15, AHEAD = 8 };

bool cg_open_reach(struct cg_open_log *l, struct mem *mem, size_t count)
{
    if (count <= l->keys.len) return true;
    size_t more = count - l->keys.len;
    if (!vec_reserve(mem, &l->keys, more)) return false;
    memset(l->keys.at + l->keys.len, 0, more * sizeof *l->keys.at);
    l->keys.len = count;
    return true;
}

static void forget(struct cg_open_log *l)
{
    if (l->keys.len <= l->len)
        for (size_t i = 0; i < l->keys.len; i++) l->keys.at[i].last = 0;
    else
        for (size_t i = 0; i < l->len; i++) l->keys.at[cg_open_at(l, i)->key].last = 0;
}

void cg_open_clear(struct cg_open_log *l)
{
    forget(l);
    l->len = l->old = 0;
}

void cg_open_done(struct cg_open_log *l, struct mem *mem) { vec_done(mem, &l->words, &l->keys); }

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

static void keep(struct cg_open_log *l, size_t to, const struct cg_open *e)
{
    struct cg_open_key *k = &l->keys.at[e->key];
    struct cg_open *kept = cg_open_at(l, to);
    if (kept != e) memcpy(kept, e, l->stride * sizeof *l->words.at);
    kept->prev = k->last;
    k->last = (uint32_t)to + 1;
    k->first = kept->first;
}

static void join(const struct cg_open_log *l, struct cg_open *to, const struct cg_open *e)
{
    to->last = e->last;
    cg_nested_add(to->row, e->row, l->width);
}

/* One pass in the order of time; `begin` is that of the unclaimed invocation that an entry is in. */
static void pass(struct cg_open_log *l, const struct cg_nested *n)
{
    size_t to = 0, next = 0;
    uint32_t begin = 0;
    forget(l);
    for (size_t i = 0; i < l->len; i++) {
        const struct cg_open *e = cg_open_at(l, i);
        if (i + AHEAD < l->len) __builtin_prefetch(&l->keys.at[cg_open_at(l, i + AHEAD)->key]);
        if (!e->key) continue;
        for (; next < n->unclaimed.len && n->unclaimed.at[next].begin <= e->first; next++) begin = n->unclaimed.at[next].begin;
        const struct cg_open_key *k = &l->keys.at[e->key];
        bool is_old = e->last < l->old && (l->joins_all || !k->is_recursive);
        if (k->last && (is_old || k->first >= begin))
            join(l, cg_open_at(l, k->last - 1), e);
        else
            keep(l, to++, e);
    }
    l->len = to;
}

static void tidy(struct cg_open_log *l, const struct cg_nested *n)
{
    if (l->is_crowded && n->unclaimed.len) l->old = n->unclaimed.at[n->unclaimed.len - 1 - n->unclaimed.len / 8].begin;
    pass(l, n);
    l->is_crowded = l->len > ENOUGH;
    l->joins_all = l->len > MOST;
    l->tidy_at = 2 * (l->is_crowded ? l->len : ENOUGH);
}

bool cg_open_room(struct cg_open_log *l, const struct cg_nested *n)
{
    if (!l->tidy_at) l->tidy_at = 2 * ENOUGH;
    if (l->len >= l->tidy_at) tidy(l, n);
    l->words.len = l->len * l->stride;
    if (!vec_reserve(n->mem, &l->words, l->stride)) return false;
    size_t entries = l->words.cap / l->stride;
    l->room = entries < l->tidy_at ? entries : l->tidy_at;
    return true;
}
