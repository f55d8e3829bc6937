/* A set of lines as bits, and a set of keys by hash: see seen.h. */
#include "formats/callgrind/seen.h"

enum { NEAR_LINES = 1 << 20 };

static uint64_t hash_of(uint64_t key) { return hash_mix(3, key); }

static bool note(struct mem *m, struct cg_keys *keys, uint64_t key)
{
    uint64_t hash = hash_of(key);
    for (struct index_walk w = index_walk(&keys->index, hash); index_next(&keys->index, &w);)
        if (keys->at[w.id - 1] == key) return true;
    uint64_t *slot = vec_push(m, keys);
    if (!slot || !index_add(&keys->index, hash, (uint32_t)keys->len)) return false;
    *slot = key;
    return true;
}

static bool reach(struct mem *m, struct cg_bits *bits, size_t words)
{
    if (words <= bits->len) return true;
    if (!vec_reserve(m, bits, words - bits->len)) return false;
    memset(bits->at + bits->len, 0, (words - bits->len) * sizeof *bits->at);
    bits->len = words;
    return true;
}

/* The bits of a file; NULL = no memory. */
static struct cg_bits *bits_of(struct cg_seen *s, uint32_t file)
{
    if (file >= s->files.len) {
        size_t more = file + 1 - s->files.len;
        if (!vec_reserve(s->mem, &s->files, more)) return NULL;
        memset(s->files.at + s->files.len, 0, more * sizeof *s->files.at);
        s->files.len += more;
    }
    return &s->files.at[file];
}

bool cg_seen_reach(struct cg_seen *s, uint32_t file, uint32_t line)
{
    if (line >= NEAR_LINES) return true;
    struct cg_bits *bits = bits_of(s, file);
    return bits && reach(s->mem, bits, line / 64 + 1);
}

bool cg_seen_line(struct cg_seen *s, uint32_t file, uint32_t line)
{
    if (line >= NEAR_LINES) return note(s->mem, &s->far_lines, (uint64_t)file << 32 | line);
    struct cg_bits *bits = bits_of(s, file);
    if (!bits) return false;
    if (line / 64 >= bits->len && !reach(s->mem, bits, line / 64 + 1)) return false;
    uint64_t bit = (uint64_t)1 << line % 64;
    s->near_lines += !(bits->at[line / 64] & bit);
    bits->at[line / 64] |= bit;
    return true;
}

bool cg_seen_add(struct cg_seen *s, const struct cg_seen *more, const uint32_t *names)
{
    for (size_t i = 0; i < more->files.len; i++) {
        const struct cg_bits *from = &more->files.at[i];
        struct cg_bits *bits = from->len ? bits_of(s, names[i]) : NULL;
        if (from->len && (!bits || !reach(s->mem, bits, from->len))) return false;
        for (size_t k = 0; k < from->len; k++) {
            s->near_lines += (uint64_t)__builtin_popcountll(from->at[k] & ~bits->at[k]);
            bits->at[k] |= from->at[k];
        }
    }
    for (size_t i = 0; i < more->far_lines.len; i++)
        if (!cg_seen_line(s, names[more->far_lines.at[i] >> 32], (uint32_t)more->far_lines.at[i])) return false;
    return true;
}

void cg_seen_init(struct cg_seen *s, struct mem *m)
{
    *s = (struct cg_seen){ .mem = m };
    index_init(&s->far_lines.index, m);
}

void cg_seen_done(struct cg_seen *s)
{
    for (size_t i = 0; i < s->files.len; i++) vec_done(s->mem, &s->files.at[i]);
    vec_done(s->mem, &s->files, &s->far_lines);
    index_done(&s->far_lines.index);
}
