/* See seen.h. */
#include "formats/speedscope/seen.h"
#include "base/fetch.h"

void speedscope_seen_init(struct speedscope_seen *s, struct mem *mem)
{
    *s = (struct speedscope_seen){ .mem = mem };
    arena_init(&s->text, mem);
    index_init(&s->index, mem);
}

void speedscope_seen_done(struct speedscope_seen *s)
{
    arena_done(&s->text);
    index_done(&s->index);
    vec_done(s->mem, &s->stacks);
}

/* A guess: the first whose hash is the same. */
static const assay_slice *guess(const struct speedscope_seen *s, uint64_t hash)
{
    struct index_walk w = index_walk(&s->index, hash);
    return index_next(&s->index, &w) ? &s->stacks.at[w.id - 1] : NULL;
}

void speedscope_seen_fetch(const struct speedscope_seen *s, const assay_slice *texts, unsigned count, uint64_t *hash)
{
    for (unsigned i = 0; i < count; i++) {
        hash[i] = hash_bytes(texts[i].data, texts[i].len);
        if (s->index.slot) fetch(&s->index.slot[index_fold(hash[i]) & s->index.mask]);
    }
    for (unsigned i = 0; i < count; i++) {
        const assay_slice *at = guess(s, hash[i]);
        if (at) fetch(at);
    }
    for (unsigned i = 0; i < count; i++) {
        const assay_slice *at = guess(s, hash[i]);
        for (size_t k = 0; at && k < at->len && k < 256; k += 64) fetch(at->data + k);
    }
}

uint32_t speedscope_seen_find(const struct speedscope_seen *s, assay_slice text, uint64_t hash)
{
    for (struct index_walk w = index_walk(&s->index, hash); index_next(&s->index, &w);)
        if (slice_equal(s->stacks.at[w.id - 1], text)) return w.id;
    return 0;
}

bool speedscope_seen_add(struct speedscope_seen *s, assay_slice text, uint64_t hash, size_t count, uint32_t *number)
{
    size_t cost = text.len + count * sizeof(uint32_t);
    *number = 0;
    if (s->bytes > SPEEDSCOPE_SEEN_MOST || cost > SPEEDSCOPE_SEEN_MOST - s->bytes) return true;
    assay_slice *slot = vec_push(s->mem, &s->stacks);
    if (!slot) return false;
    *slot = (assay_slice){ text.len ? arena_copy(&s->text, text) : NULL, text.len };
    if (text.len && (!slot->data || !index_add(&s->index, hash, (uint32_t)s->stacks.len))) return false;
    s->bytes += cost;
    *number = (uint32_t)s->stacks.len;
    return true;
}
