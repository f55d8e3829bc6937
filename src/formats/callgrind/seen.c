/* A set of lines as bits, and sets of keys by hash: see seen.h. */
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

/* ---- edges ---- */

enum { CG_EDGES_INDEXED = UINT32_MAX };

/* Another caller than that of the newest edge. One that comes again has its edges put into the index first. */
static bool begin_edges(struct cg_seen *s, uint32_t caller)
{
    uint32_t *begin = &s->callers.at[caller].begin;
    s->newest_caller = caller;
    s->is_first_run = *begin == 0;
    if (s->is_first_run) {
        *begin = (uint32_t)s->edges.len + 1;
        return true;
    }
    if (*begin == CG_EDGES_INDEXED) return true;
    for (size_t i = *begin - 1; i < s->edges.len && s->edges.at[i] >> 32 == caller; i++)
        if (!index_add(&s->edges.index, hash_of(s->edges.at[i]), (uint32_t)i + 1)) return false;
    *begin = CG_EDGES_INDEXED;
    return true;
}

static bool reach_functions(struct cg_seen *s, size_t count)
{
    size_t more = count > s->callers.len ? count - s->callers.len : 0;
    if (!more) return true;
    if (!vec_reserve(s->mem, &s->callers, more)) return false;
    memset(s->callers.at + s->callers.len, 0, more * sizeof *s->callers.at);
    s->callers.len += more;
    return true;
}

/* While a caller adds its first edges, whatever is not marked with it is new: no table is asked. */
bool cg_seen_edge(struct cg_seen *s, uint32_t caller, uint32_t callee)
{
    uint64_t key = (uint64_t)caller << 32 | callee;
    if (!reach_functions(s, (size_t)(caller > callee ? caller : callee) + 1)) return false;
    uint32_t *newest = &s->callers.at[callee].newest;
    if (*newest == caller) return true;
    *newest = caller;
    if (s->newest_caller != caller && !begin_edges(s, caller)) return false;
    if (!s->is_first_run) return note(s->mem, &s->edges, key);
    uint64_t *to = s->edges.len < UINT32_MAX - 1 ? vec_push(s->mem, &s->edges) : NULL;
    if (to) *to = key;
    return to != NULL;
}

/* ---- lines ---- */

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
    index_init(&s->edges.index, m);
}

void cg_seen_done(struct cg_seen *s)
{
    for (size_t i = 0; i < s->files.len; i++) vec_done(s->mem, &s->files.at[i]);
    vec_done(s->mem, &s->files, &s->far_lines, &s->edges, &s->callers);
    index_done(&s->far_lines.index);
    index_done(&s->edges.index);
}
