/* Numbers of nodes, and values of open ones; see nodes.h. */
#include "formats/hpcdb-xml/nodes.h"

#include "base/order.h"
#include "base/sort.h"

/* ---- numbers ---- */

bool hx_places_add(struct hx_places *p, const struct hx_place *place)
{
    struct hx_place *slot = vec_push(p->mem, &p->list);
    if (slot) *slot = *place;
    return slot != NULL;
}

static int by_id(const void *a, const void *b)
{
    const struct hx_place *x = a, *y = b;
    ORDER_BY(x->id, y->id);
    return ORDER(x->off, y->off);
}

void hx_places_settle(struct hx_places *p, struct findings *damage)
{
    bool is_sorted = true;
    size_t kept = 0;
    for (size_t i = 1; i < p->list.len && is_sorted; i++) is_sorted = p->list.at[i - 1].id < p->list.at[i].id;
    if (is_sorted) return;
    sort_by(p->list.at, p->list.len, sizeof *p->list.at, by_id);
    for (size_t i = 0; i < p->list.len; i++) {
        const struct hx_place *x = &p->list.at[i];
        bool is_again = kept && p->list.at[kept - 1].id == x->id;
        if (is_again && damage)
            findings_add(damage, "HX06", ASSAY_ERROR, x->off, 0, "the id %lld appears twice: thread files count for the first", (long long)x->id);
        if (!is_again) p->list.at[kept++] = *x;
    }
    p->list.len = kept;
}

const struct hx_place *hx_places_find(const struct hx_places *p, int64_t id)
{
    size_t low = 0, high = p->list.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->list.at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->list.len && p->list.at[low].id == id ? &p->list.at[low] : NULL;
}

int64_t hx_places_top(const struct hx_places *p)
{
    int64_t top = p->list.len ? p->list.at[p->list.len - 1].id : 1;
    return top > 1 ? top : 1;
}

void hx_places_done(struct hx_places *p)
{
    if (p->mem) vec_done(p->mem, &p->list);
}

/* ---- open nodes ---- */

bool hx_open_init(struct hx_open *o, struct mem *mem, size_t columns)
{
    *o = (struct hx_open){ .mem = mem };
    if (!vec_reserve(mem, &o->last, columns + 1)) return false;
    memset(o->last.at, 0, (columns + 1) * sizeof *o->last.at);
    o->last.len = columns + 1;
    return true;
}

void hx_open_done(struct hx_open *o)
{
    if (!o->mem) return;
    vec_done(o->mem, &o->entries, &o->last, &o->first);
}

struct hx_entry *hx_open_find(const struct hx_open *o, uint32_t column, uint32_t depth)
{
    uint32_t at = o->last.at[column];
    while (at && o->entries.at[at - 1].depth > depth) at = o->entries.at[at - 1].below;
    return at && o->entries.at[at - 1].depth == depth ? &o->entries.at[at - 1] : NULL;
}

static uint32_t new_entry(struct hx_open *o)
{
    uint32_t at = o->free;
    if (at) {
        o->free = o->entries.at[at - 1].next;
        return at;
    }
    const struct hx_entry *added = vec_push(o->mem, &o->entries);
    return added ? (uint32_t)o->entries.len : 0;
}

struct hx_entry *hx_open_entry(struct hx_open *o, uint32_t column, uint32_t depth)
{
    struct hx_entry *found = hx_open_find(o, column, depth);
    if (found) return found;
    while (o->first.len <= depth) {
        uint32_t *slot = vec_push(o->mem, &o->first);
        if (!slot) return NULL;
        *slot = 0;
    }
    uint32_t at = new_entry(o);
    if (!at) return NULL;
    uint32_t *below = &o->last.at[column]; /* at most the entry of one child is deeper */
    while (*below && o->entries.at[*below - 1].depth > depth) below = &o->entries.at[*below - 1].below;
    o->entries.at[at - 1] = (struct hx_entry){ .column = column, .depth = depth, .below = *below, .next = o->first.at[depth] };
    *below = at;
    o->first.at[depth] = at;
    return &o->entries.at[at - 1];
}

bool hx_open_take(struct hx_open *o, uint32_t depth, struct hx_entry *out)
{
    uint32_t at = depth < o->first.len ? o->first.at[depth] : 0;
    if (!at) return false;
    struct hx_entry *e = &o->entries.at[at - 1];
    *out = *e;
    o->first.at[depth] = e->next;
    o->last.at[e->column] = e->below;
    e->next = o->free;
    o->free = at;
    return true;
}
