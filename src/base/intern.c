/* Interned strings over an arena and an index; see base/intern.h. */
#include "base/intern.h"

void intern_init(struct intern *in, struct mem *m)
{
    *in = (struct intern){ 0 };
    arena_init(&in->text, m);
    index_init(&in->index, m);
}

void intern_done(struct intern *in)
{
    vec_done(in->text.mem, &in->strings);
    index_done(&in->index);
    arena_done(&in->text);
}

static uint32_t find(const struct intern *in, assay_slice s, uint64_t hash)
{
    for (struct index_walk w = index_walk(&in->index, hash); index_next(&in->index, &w);)
        if (slice_equal(in->strings.at[w.id], s)) return w.id;
    return 0;
}

uint32_t intern_find(const struct intern *in, assay_slice s) { return find(in, s, hash_bytes(s.data, s.len)); }

/* Texts often come again in the order in which they came first: the one behind the last is tried before any is looked up. */
static bool is_next(const struct intern *in, assay_slice s)
{
    size_t next = (size_t)in->last + 1;
    return next < in->strings.len && slice_equal(in->strings.at[next], s);
}

uint32_t intern_put(struct intern *in, assay_slice s)
{
    if (is_next(in, s)) return ++in->last;
    uint64_t hash = hash_bytes(s.data, s.len);
    uint32_t id = find(in, s, hash);
    if (id) return in->last = id;
    struct mem *m = in->text.mem;
    if (in->strings.len > UINT32_MAX - 1 || !vec_reserve(m, &in->strings, 2)) return 0;
    if (in->strings.len == 0) in->strings.at[in->strings.len++] = (assay_slice){ NULL, 0 };
    id = (uint32_t)in->strings.len;
    char *copy = arena_copy(&in->text, s);
    if (!copy || !index_add(&in->index, hash, id)) return 0;
    in->strings.at[in->strings.len++] = (assay_slice){ copy, s.len };
    return in->last = id;
}
