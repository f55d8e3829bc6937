/* Numbers of contexts; see formats/hpcdb/ids.h. */
#include "formats/hpcdb/ids.h"
#include "base/fetch.h"

#include "formats/hpcdb/decode.h"

enum { DENSE_LEAST = 1 << 16, DENSE_SPREAD = 64, FETCH_AHEAD = 16 };

static uint64_t hash_of(uint32_t id) { return hash_mix(id, 1); }

static bool reach(struct hpcdb_ids *s, size_t len)
{
    if (len <= s->dense.len) return true;
    if (!vec_reserve(s->mem, &s->dense, len - s->dense.len)) return false;
    memset(s->dense.at + s->dense.len, 0, (s->dense.cap - s->dense.len) * sizeof *s->dense.at);
    s->dense.len = s->dense.cap;
    return true;
}

bool hpcdb_ids_init(struct hpcdb_ids *s, struct mem *mem, uint32_t hint)
{
    *s = (struct hpcdb_ids){ .mem = mem };
    index_init(&s->sparse, mem);
    uint32_t *zero = vec_push(mem, &s->ids);
    if (zero) *zero = 0;
    return zero && reach(s, hint);
}

void hpcdb_ids_done(struct hpcdb_ids *s)
{
    if (!s->mem) return;
    vec_done(s->mem, &s->dense, &s->ids);
    index_done(&s->sparse);
}

uint32_t hpcdb_ids_sparse(const struct hpcdb_ids *s, uint32_t id)
{
    for (struct index_walk w = index_walk(&s->sparse, hash_of(id)); index_next(&s->sparse, &w);)
        if (s->ids.at[w.id] == id) return w.id;
    return 0;
}

/* Gives number `n`, whose id is ids.at[n] and has none yet. */
static bool set(struct hpcdb_ids *s, uint32_t id, uint32_t n)
{
    if (id >= s->dense.len && id / DENSE_SPREAD > s->ids.len + DENSE_LEAST / DENSE_SPREAD) return index_add(&s->sparse, hash_of(id), n);
    if (!reach(s, (size_t)id + 1)) return false;
    s->dense.at[id] = n;
    return true;
}

static bool is_free(const struct hpcdb_ids *s, uint32_t id) { return id != 0 && id != HPCDB_NONE && hpcdb_ids_find(s, id) == 0; }

bool hpcdb_ids_add(struct hpcdb_ids *s, uint32_t id, bool *is_new)
{
    uint32_t n = (uint32_t)s->ids.len;
    *is_new = is_free(s, id);
    return hpcdb_ids_put(s, *is_new ? id : HPCDB_NONE) && (!*is_new || set(s, id, n));
}

bool hpcdb_ids_settle(struct hpcdb_ids *s, hpcdb_ids_fn refused, void *arg)
{
    for (uint32_t n = 1; n < s->ids.len; n++) {
        uint32_t id = s->ids.at[n], later = n + FETCH_AHEAD < s->ids.len ? s->ids.at[n + FETCH_AHEAD] : 0;
        if (later < s->dense.len) fetch_to_write(&s->dense.at[later]);
        if (is_free(s, id)) {
            if (!set(s, id, n)) return false;
        } else {
            s->ids.at[n] = HPCDB_NONE;
            refused(arg, n, id);
        }
    }
    return true;
}
