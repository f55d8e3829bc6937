/* Order and identity of rows of coverage; see rows.h. */
#include "analysis/coverage/rows.h"

#include <string.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "model/column.h"

enum { FEW = 24, SLOTS_KEPT = 4096 };

/* ---- by place ---- */

static bool is_ordered(const struct places *s)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t now = places_key(s, i);
        if (now < before) return false;
        before = now;
    }
    return true;
}

bool places_init(struct places *s, struct mem *m, const assay_file_id *file, const uint32_t *line, uint32_t count)
{
    *s = (struct places){ file, line, count, NULL };
    if (is_ordered(s)) return true;
    SCRATCH(uint64_t, key, m, count);
    s->order = mem_zalloc(m, count, sizeof *s->order);
    bool done = key && s->order;
    for (uint32_t i = 0; done && i < count && (done = !cancel_at(i)); i++) {
        key[i] = places_key(s, i);
        s->order[i] = i;
    }
    done = done && radix_sort(m, key, s->order, count, 0);
    return done;
}

void places_done(struct places *s, struct mem *m) { mem_free(m, s->order, s->count * sizeof *s->order); }

/* ---- what differs at one place ---- */

void distinct_init(struct distinct *d, struct mem *m, const struct assay_coverage *c, coverage_same_fn same, coverage_hash_fn hash)
{
    memset(d, 0, sizeof *d);
    d->mem = m;
    d->c = c;
    d->same = same;
    d->hash = hash;
    index_init(&d->index, m);
}

void distinct_done(struct distinct *d)
{
    vec_done(d->mem, &d->list);
    index_done(&d->index);
}

/* A large table goes back, so that one crowded place does not make each later one expensive. */
void distinct_clear(struct distinct *d)
{
    d->list.len = 0;
    if (!d->is_indexed) return;
    d->is_indexed = false;
    if (d->index.mask < SLOTS_KEPT) {
        index_clear(&d->index);
        return;
    }
    index_done(&d->index);
    index_init(&d->index, d->mem);
}

static struct member *distinct_find(struct distinct *d, uint32_t row)
{
    const struct assay_coverage *c = d->c;
    if (!d->is_indexed) {
        for (size_t i = 0; i < d->list.len; i++)
            if (d->same(c, d->list.at[i].row, row)) return &d->list.at[i];
        return NULL;
    }
    for (struct index_walk w = index_walk(&d->index, d->hash(c, row)); index_next(&d->index, &w);)
        if (d->same(c, d->list.at[w.id - 1].row, row)) return &d->list.at[w.id - 1];
    return NULL;
}

bool distinct_add(struct distinct *d, uint32_t row, uint64_t hits, uint8_t flags)
{
    struct member *m = distinct_find(d, row);
    if (m) {
        m->hits = coverage_add(m->hits, hits);
        m->flags &= flags;
        return true;
    }
    m = vec_push(d->mem, &d->list);
    if (!m) return false;
    *m = (struct member){ row, flags, hits };
    size_t from = d->is_indexed ? d->list.len - 1 : d->list.len > FEW ? 0 : d->list.len;
    for (size_t i = from; i < d->list.len; i++)
        if (!index_add(&d->index, d->hash(d->c, d->list.at[i].row), (uint32_t)i + 1)) return false;
    d->is_indexed |= d->list.len > FEW;
    return true;
}

/* ---- branches ---- */

bool coverage_same_branch(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    uint32_t block = COVERAGE_ID(c->branch_block, a), name = COVERAGE_ID(c->branch_name, a);
    return block == COVERAGE_ID(c->branch_block, b) && name == COVERAGE_ID(c->branch_name, b) &&
           COVERAGE_ID(c->branch_func, a) == COVERAGE_ID(c->branch_func, b) &&
           (block || name || coverage_number(c->branch_index, a) == coverage_number(c->branch_index, b)) &&
           coverage_number(c->branch_column, a) == coverage_number(c->branch_column, b) &&
           coverage_number(c->branch_end_line, a) == coverage_number(c->branch_end_line, b) &&
           coverage_number(c->branch_end_column, a) == coverage_number(c->branch_end_column, b) &&
           (!c->branch_target || c->branch_target[a] == c->branch_target[b]);
}

uint64_t coverage_hash_branch(const struct assay_coverage *c, uint32_t row)
{
    uint32_t block = COVERAGE_ID(c->branch_block, row), name = COVERAGE_ID(c->branch_name, row);
    uint64_t h = hash_mix(hash_mix(block, name), block || name ? 0 : coverage_number(c->branch_index, row));
    h = hash_mix(hash_mix(h, COVERAGE_ID(c->branch_func, row)), coverage_number(c->branch_column, row));
    h = hash_mix(hash_mix(h, coverage_number(c->branch_end_line, row)), coverage_number(c->branch_end_column, row));
    return hash_mix(h, c->branch_target ? (uint64_t)c->branch_target[row] : 0);
}
