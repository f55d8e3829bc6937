/* Load maps: see modules.h. Ids are small and index a table; by address, a module reaches up to the next one, so the begins are sorted and halved. */
#include "formats/hpcrun/modules.h"

#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

void hpcrun_modules_init(struct hpcrun_modules *t, struct mem *m)
{
    memset(t, 0, sizeof *t);
    t->mem = m;
}

void hpcrun_modules_done(struct hpcrun_modules *t) { vec_done(t->mem, &t->list, &t->by_id, &t->sorted); }

/* Only what was set is reset: a file can have very many epochs, each with a module of a high id. */
void hpcrun_modules_clear(struct hpcrun_modules *t)
{
    for (size_t i = 0; i < t->list.len; i++)
        if (t->list.at[i].id) t->by_id.at[t->list.at[i].id] = 0;
    t->list.len = t->sorted.len = 0;
}

static assay_slice base_name(assay_slice path)
{
    const char *slash = path.len ? memrchr(path.data, '/', path.len) : NULL;
    return slash && slash + 1 < path.data + path.len ? slice_from(slash + 1, path.data + path.len) : path;
}

static bool set_id(struct hpcrun_modules *t, uint16_t id)
{
    size_t want = (size_t)id + 1;
    if (want > t->by_id.len) {
        if (!vec_reserve(t->mem, &t->by_id, want - t->by_id.len)) return false;
        memset(t->by_id.at + t->by_id.len, 0, (want - t->by_id.len) * sizeof *t->by_id.at);
        t->by_id.len = want;
    }
    if (!t->by_id.at[id]) t->by_id.at[id] = (uint32_t)t->list.len;
    return true;
}

struct hpcrun_lm *hpcrun_modules_add(struct hpcrun_modules *t, const struct hpcrun_module *m, enum hpcrun_variant variant)
{
    struct hpcrun_lm *lm = vec_push(t->mem, &t->list);
    if (!lm) return NULL;
    *lm = (struct hpcrun_lm){ .path = m->name.text, .base = base_name(m->name.text), .id = m->id, .begin = m->address };
    lm->shift = variant == HPCRUN_02_2009 ? m->address - m->offset : m->offset;
    if (m->id && !set_id(t, m->id)) {
        t->list.len--;
        return NULL;
    }
    return lm;
}

struct entry {
    uint64_t begin;
    uint32_t index;
};

static int by_begin(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    ORDER_BY(x->begin, y->begin);
    return ORDER(x->index, y->index);
}

bool hpcrun_modules_settle(struct hpcrun_modules *t)
{
    size_t n = t->list.len;
    t->sorted.len = 0;
    if (n == 0) return true;
    SCRATCH(struct entry, e, t->mem, n);
    if (!e || !vec_reserve(t->mem, &t->sorted, n)) return false;
    for (size_t i = 0; i < n; i++) e[i] = (struct entry){ t->list.at[i].begin, (uint32_t)i };
    sort_by(e, n, sizeof *e, by_begin);
    for (size_t i = 0; i < n; i++) t->sorted.at[i] = e[i].index;
    t->sorted.len = n;
    return true;
}

const struct hpcrun_lm *hpcrun_modules_at(const struct hpcrun_modules *t, uint64_t address)
{
    size_t low = 0, high = t->sorted.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (t->list.at[t->sorted.at[mid]].begin <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? &t->list.at[t->sorted.at[low - 1]] : NULL;
}
