/* How many distinct source lines and call edges a file has: what `info` tells. Lines of a file are dense, so each file has a bit for each
 * line; the few that lie far out, and the edges, are hashed. */
#include "base/error.h"
#include "formats/callgrind/read.h"

enum { DENSE_LINES = 1 << 20 };

static int note(struct mem *m, struct cg_keys *keys, uint64_t key, assay_error *err)
{
    uint64_t hash = hash_mix(3, key);
    for (struct index_walk w = index_walk(&keys->index, hash); index_next(&keys->index, &w);)
        if (keys->at[w.id - 1] == key) return 0;
    uint64_t *slot = vec_push(m, keys);
    if (!slot || !index_add(&keys->index, hash, (uint32_t)keys->len)) return error_memory(err);
    *slot = key;
    return 0;
}

int cg_count_edge(struct cg_reader *r, uint32_t caller, uint32_t callee, assay_error *err)
{
    return note(r->job->mem, &r->counts.edges, (uint64_t)caller << 32 | callee, err);
}

static bool reach(struct mem *m, struct cg_bits *bits, size_t words)
{
    if (words <= bits->len) return true;
    if (!vec_reserve(m, bits, words - bits->len)) return false;
    memset(bits->at + bits->len, 0, (words - bits->len) * sizeof *bits->at);
    bits->len = words;
    return true;
}

int cg_count_line(struct cg_reader *r, uint32_t file, uint32_t line, assay_error *err)
{
    struct cg_counts *c = &r->counts;
    struct mem *m = r->job->mem;
    if (line >= DENSE_LINES) return note(m, &c->far_lines, (uint64_t)file << 32 | line, err);
    if (file >= c->files.len) {
        size_t more = file + 1 - c->files.len;
        if (!vec_reserve(m, &c->files, more)) return error_memory(err);
        memset(c->files.at + c->files.len, 0, more * sizeof *c->files.at);
        c->files.len += more;
    }
    struct cg_bits *bits = &c->files.at[file];
    if (line / 64 >= bits->len && !reach(m, bits, line / 64 + 1)) return error_memory(err);
    uint64_t bit = (uint64_t)1 << line % 64;
    c->lines += !(bits->at[line / 64] & bit);
    bits->at[line / 64] |= bit;
    return 0;
}

void cg_counts_init(struct cg_counts *c, struct mem *m)
{
    index_init(&c->far_lines.index, m);
    index_init(&c->edges.index, m);
}

void cg_counts_done(struct cg_counts *c, struct mem *m)
{
    for (size_t i = 0; i < c->files.len; i++) vec_done(m, &c->files.at[i]);
    vec_done(m, &c->files, &c->far_lines, &c->edges);
    index_done(&c->far_lines.index);
    index_done(&c->edges.index);
}
