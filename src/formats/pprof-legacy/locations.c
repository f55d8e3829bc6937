/* See locations.h. */
#include "formats/pprof-legacy/locations.h"

#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"

void legacy_locations_init(struct legacy_locations *l, struct mem *mem)
{
    *l = (struct legacy_locations){ .mem = mem };
    arena_init(&l->text, mem);
    index_init(&l->by_address, mem);
    index_init(&l->by_symbol, mem);
}

void legacy_locations_done(struct legacy_locations *l)
{
    arena_done(&l->text);
    index_done(&l->by_address);
    index_done(&l->by_symbol);
    vec_done(l->mem, &l->addresses, &l->mappings, &l->symbols, &l->variables, &l->order);
}

uint32_t legacy_location(struct legacy_locations *l, uint64_t address)
{
    uint64_t hash = hash_mix(address, 0);
    for (struct index_walk w = index_walk(&l->by_address, hash); index_next(&l->by_address, &w);)
        if (l->addresses.at[w.id - 1] == address) return w.id;
    uint64_t *slot = l->addresses.len < UINT32_MAX ? vec_push(l->mem, &l->addresses) : NULL;
    if (!slot) return 0;
    *slot = address;
    return index_add(&l->by_address, hash, (uint32_t)l->addresses.len) ? (uint32_t)l->addresses.len : 0;
}

/* ---- symbols ---- */

uint32_t legacy_symbol_of(const struct legacy_locations *l, uint64_t address)
{
    for (struct index_walk w = index_walk(&l->by_symbol, hash_mix(address, 0)); index_next(&l->by_symbol, &w);)
        if (l->symbols.at[w.id - 1].address == address) return w.id;
    return 0;
}

/* Lines of one address that follow each other below one sample are functions inlined into each other; below further samples they say the same again. */
bool legacy_add_symbol(struct legacy_locations *l, const struct legacy_record *r, uint64_t block)
{
    uint32_t first = legacy_symbol_of(l, r->address), last = first, depth = 1;
    for (; last && l->symbols.at[last - 1].next; depth++) last = l->symbols.at[last - 1].next;
    bool is_inlined = first && last == l->symbols.len && l->symbols.at[last - 1].block == block && depth < LEGACY_INLINED;
    if (first && !is_inlined) return true;
    struct legacy_symbol_row *made = l->symbols.len < UINT32_MAX ? vec_push(l->mem, &l->symbols) : NULL;
    if (!made) return false;
    *made = (struct legacy_symbol_row){ r->address, block, r->name, r->file, r->line, 0 };
    if (is_inlined) l->symbols.at[last - 1].next = (uint32_t)l->symbols.len;
    return is_inlined || index_add(&l->by_symbol, hash_mix(r->address, 0), (uint32_t)l->symbols.len);
}

/* ---- the memory map ---- */

bool legacy_add_variable(struct legacy_locations *l, const struct legacy_record *r)
{
    enum { MOST_VARIABLES = 100 }; /* each path is compared with all */
    if (l->variables.len >= 2 * MOST_VARIABLES) return true;
    if (!vec_reserve(l->mem, &l->variables, 2)) return false;
    l->variables.at[l->variables.len++] = r->key;
    l->variables.at[l->variables.len++] = r->value;
    return true;
}

/* `$name/lib.so`: the value that a line above gave the name. */
static bool expand(struct legacy_locations *l, assay_slice *path)
{
    if (!path->len || path->data[0] != '$') return true;
    for (size_t i = 0; i + 1 < l->variables.len; i += 2) {
        assay_slice name = l->variables.at[i], value = l->variables.at[i + 1];
        size_t rest = path->len - 1 - name.len;
        if (path->len - 1 < name.len || memcmp(path->data + 1, name.data, name.len) != 0) continue;
        char *made = arena_text(&l->text, value.len + rest + 1);
        if (!made) return false;
        memcpy(made, value.data, value.len);
        memcpy(made + value.len, path->data + 1 + name.len, rest);
        *path = (assay_slice){ made, value.len + rest };
        break;
    }
    return true;
}

/* Only code is looked up by address. */
bool legacy_add_mapping(struct legacy_locations *l, const struct legacy_record *r)
{
    assay_slice path = r->value;
    if (!r->is_executable) return true;
    struct legacy_mapping_row *m = expand(l, &path) ? vec_push(l->mem, &l->mappings) : NULL;
    if (!m) return false;
    *m = (struct legacy_mapping_row){ r->start, r->limit, r->offset, path, r->build_id };
    return true;
}

static bool is_neighbour(const struct legacy_mapping_row *a, const struct legacy_mapping_row *b)
{
    if (a->path.len && b->path.len && !slice_equal(a->path, b->path)) return false;
    if (a->build_id.len && b->build_id.len && !slice_equal(a->build_id, b->build_id)) return false;
    if (a->limit != b->start) return false;
    return !a->offset || !b->offset || a->offset + (a->limit - a->start) == b->offset;
}

/* Neither a library nor a part of the kernel's. */
static bool is_program(assay_slice path)
{
    const char *slash = path.len ? memrchr(path.data, '/', path.len) : NULL;
    assay_slice name = slash ? slice_from(slash + 1, path.data + path.len) : path;
    return path.len && path.data[0] != '[' && !slice_ends(name, ".so") && !slice_contains(name, ".so.") && !slice_contains(name, ".so_");
}

static void join_neighbours(struct legacy_locations *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->mappings.len; i++) {
        struct legacy_mapping_row *m = &l->mappings.at[i], *last = kept ? &l->mappings.at[kept - 1] : NULL;
        if (!last || !is_neighbour(last, m)) {
            l->mappings.at[kept++] = *m;
            continue;
        }
        last->limit = m->limit;
        if (m->path.len) last->path = m->path;
        if (m->build_id.len) last->build_id = m->build_id;
    }
    l->mappings.len = kept;
}

static void program_first(struct legacy_locations *l)
{
    size_t i = 0;
    while (i < l->mappings.len && !is_program(l->mappings.at[i].path)) i++;
    if (i == l->mappings.len) return;
    struct legacy_mapping_row swap = l->mappings.at[0];
    l->mappings.at[0] = l->mappings.at[i];
    l->mappings.at[i] = swap;
}

static int by_start(const void *x, const void *y, void *arg)
{
    const struct legacy_mapping_row *all = arg, *a = &all[*(const uint32_t *)x], *b = &all[*(const uint32_t *)y];
    ORDER_BY(a->start, b->start);
    return ORDER(*(const uint32_t *)x, *(const uint32_t *)y);
}

static bool sort_mappings(struct legacy_locations *l)
{
    size_t count = l->mappings.len;
    if (count > UINT32_MAX || !vec_reserve(l->mem, &l->order, count + 1)) return false;
    for (uint32_t i = 0; i < count; i++) l->order.at[i] = i;
    l->order.len = count;
    return sort_with(l->order.at, count, sizeof *l->order.at, by_start, l->mappings.at);
}

bool legacy_settle_mappings(struct legacy_locations *l)
{
    join_neighbours(l);
    program_first(l);
    return sort_mappings(l);
}

uint32_t legacy_mapping_of(const struct legacy_locations *l, uint64_t address)
{
    size_t low = 0, high = l->order.len;
    while (low < high) { /* the first that starts behind it */
        size_t middle = low + (high - low) / 2;
        if (l->mappings.at[l->order.at[middle]].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && address < l->mappings.at[l->order.at[low - 1]].limit) return l->order.at[low - 1] + 1;
    if (low == l->order.len) return 0;
    const struct legacy_mapping_row *m = &l->mappings.at[l->order.at[low]]; /* the first part of a file in memory may be missing */
    bool is_before = m->offset && m->offset <= m->start && m->start - m->offset <= address;
    return is_before ? l->order.at[low] + 1 : 0;
}
