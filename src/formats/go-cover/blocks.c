/* Blocks by place: packages that are tested by several programs have each block once for each of them. */
#include "formats/go-cover/go_cover.h"

void go_blocks_init(struct go_blocks *b, struct mem *mem)
{
    memset(b, 0, sizeof *b);
    b->mem = mem;
    intern_init(&b->paths, mem);
    index_init(&b->index, mem);
    index_init(&b->place_index, mem);
}

void go_blocks_done(struct go_blocks *b)
{
    vec_done(b->mem, &b->list);
    index_done(&b->index);
    index_done(&b->place_index);
    intern_done(&b->paths);
}

static uint64_t hash_place(uint32_t file, const struct go_place *p)
{
    return hash_mix(hash_mix(hash_mix(file, p->first), (uint64_t)p->first_column << 32 | p->last), p->last_column);
}

static bool is_at(const struct go_block *k, uint32_t file, const struct go_place *p)
{
    return k->file == file && k->place.first == p->first && k->place.first_column == p->first_column && k->place.last == p->last &&
           k->place.last_column == p->last_column;
}

static void join(struct go_block *k, uint64_t count, enum go_mode mode)
{
    if (mode == GO_SET)
        k->count = k->count || count;
    else
        k->count = k->count > UINT64_MAX - count ? UINT64_MAX : k->count + count;
}

bool go_blocks_add(struct go_blocks *b, const struct go_record *r, enum go_mode mode, bool *again, bool *differs)
{
    uint32_t file = intern_put(&b->paths, r->path);
    if (!file) return false;
    uint64_t at = hash_place(file, &r->place), hash = hash_mix(at, r->statements);
    b->rows++;
    *again = *differs = false;
    for (struct index_walk w = index_walk(&b->index, hash); index_next(&b->index, &w);) {
        struct go_block *k = &b->list.at[w.id - 1];
        if (!is_at(k, file, &r->place) || k->statements != r->statements) continue;
        *again = true;
        join(k, r->count, mode);
        return true;
    }
    for (struct index_walk w = index_walk(&b->place_index, at); !*differs && index_next(&b->place_index, &w);)
        *differs = is_at(&b->list.at[w.id - 1], file, &r->place);
    struct go_block *k = vec_push(b->mem, &b->list);
    if (!k || b->list.len >= UINT32_MAX) return false;
    *k = (struct go_block){ file, r->place, r->statements, mode == GO_SET ? r->count > 0 : r->count };
    uint32_t id = (uint32_t)b->list.len;
    return index_add(&b->index, hash, id) && (*differs || index_add(&b->place_index, at, id));
}
