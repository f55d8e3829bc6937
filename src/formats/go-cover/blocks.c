/* Blocks by place: packages that are tested by several programs have each block once for each of them. */
#include "formats/go-cover/go_cover.h"
#include "model/column.h"

/* A block of a hundred thousand lines is no code; and a few bytes must not become gigabytes of lines. */
enum { LINES_OF_BLOCK = 100000, LINES_ALWAYS = 1000000, LINES_PER_ROW = 1000 };

void go_blocks_init(struct go_blocks *b, struct mem *mem)
{
    memset(b, 0, sizeof *b);
    b->mem = mem;
    index_init(&b->index, mem);
    index_init(&b->place_index, mem);
}

void go_blocks_done(struct go_blocks *b)
{
    vec_done(b->mem, &b->list);
    index_done(&b->index);
    index_done(&b->place_index);
}

static uint64_t hash_place(const struct coverage_row *r)
{
    return hash_mix(hash_mix(hash_mix(r->name, r->line), (uint64_t)r->column << 32 | r->end_line), r->end_column);
}

static bool is_at(const struct go_block *k, const struct coverage_row *r)
{
    return k->file == r->name && k->first == r->line && k->first_column == r->column && k->last == r->end_line && k->last_column == r->end_column;
}

static void join(struct go_block *k, uint64_t count, bool is_set)
{
    if (is_set)
        k->count = k->count || count;
    else
        k->count = k->count > UINT64_MAX - count ? UINT64_MAX : k->count + count;
}

bool go_blocks_add(struct go_blocks *b, const struct coverage_row *r, bool is_set, bool *again, bool *differs)
{
    uint64_t at = hash_place(r), hash = hash_mix(at, r->group);
    b->rows++;
    *again = *differs = false;
    for (struct index_walk w = index_walk(&b->index, hash); index_next(&b->index, &w);) {
        struct go_block *k = &b->list.at[w.id - 1];
        if (!is_at(k, r) || k->statements != r->group) continue;
        *again = true;
        join(k, r->count, is_set);
        return true;
    }
    for (struct index_walk w = index_walk(&b->place_index, at); !*differs && index_next(&b->place_index, &w);) *differs = is_at(&b->list.at[w.id - 1], r);
    struct go_block *k = vec_push(b->mem, &b->list);
    if (!k || b->list.len >= UINT32_MAX) return false;
    *k = (struct go_block){ r->name, r->line, r->column, r->end_line, r->end_column, r->group, is_set ? r->count > 0 : r->count };
    uint32_t id = (uint32_t)b->list.len;
    return index_add(&b->index, hash, id) && (*differs || index_add(&b->place_index, at, id));
}

/* ---- blocks and lines out ---- */

struct giver {
    struct go_blocks *b;
    struct coverage_decoder *d;
    VEC(uint64_t) keys;   /* file << 32 | line, of each line of each block */
    VEC(uint32_t) owners; /* its block, from 0 */
    uint32_t file;        /* of the rows given last */
    uint64_t left_out;
};

static int add(struct giver *g, enum coverage_row_kind kind, uint32_t file, struct coverage_row **out)
{
    TRY(coverage_give_some(g->d));
    if (file != g->file) {
        struct coverage_row *row = coverage_add_row(g->d, COVERAGE_FILE, 0, 0);
        if (!row) return ASSAY_ERR_MEMORY;
        row->name = g->file = file;
    }
    *out = coverage_add_row(g->d, kind, 0, 0);
    return *out ? 0 : ASSAY_ERR_MEMORY;
}

static int give_block(struct giver *g, const struct go_block *k)
{
    struct coverage_row *row;
    TRY(add(g, COVERAGE_REGION, k->file, &row));
    row->flags = ASSAY_REGION_BLOCK;
    row->line = k->first;
    row->column = k->first_column;
    row->end_line = k->last;
    row->end_column = k->last_column;
    row->group = k->statements;
    row->count = k->count;
    return 0;
}

static int give_blocks(struct giver *g)
{
    uint64_t room = LINES_ALWAYS + LINES_PER_ROW * g->b->rows;
    for (size_t i = 0; i < g->b->list.len; i++) {
        const struct go_block *k = &g->b->list.at[i];
        uint64_t span = (uint64_t)k->last - k->first + 1;
        TRY(give_block(g, k));
        if (span > LINES_OF_BLOCK || g->keys.len + span > room) {
            g->left_out++;
            continue;
        }
        if (!vec_reserve(g->d->mem, &g->keys, (size_t)span) || !vec_reserve(g->d->mem, &g->owners, (size_t)span)) return error_memory(g->d->err);
        for (uint32_t line = k->first; line <= k->last; line++) {
            g->keys.at[g->keys.len++] = (uint64_t)k->file << 32 | line;
            g->owners.at[g->owners.len++] = (uint32_t)i;
        }
    }
    return 0;
}

static int give_line(struct giver *g, size_t from, size_t to, uint8_t flags)
{
    struct coverage_row *row;
    uint64_t most = 0;
    bool any_missed = false;
    for (size_t i = from; i < to; i++) {
        uint64_t count = g->b->list.at[g->owners.at[i]].count;
        if (count > most) most = count;
        any_missed |= count == 0;
    }
    TRY(add(g, COVERAGE_LINE, (uint32_t)(g->keys.at[from] >> 32), &row));
    row->line = (uint32_t)g->keys.at[from];
    row->count = most;
    row->flags = (uint8_t)(most && any_missed ? flags | ASSAY_COVERAGE_PARTIAL : flags);
    return 0;
}

static int give_all(struct giver *g, bool is_set)
{
    TRY(give_blocks(g));
    if (!radix_sort(g->d->mem, g->keys.at, g->owners.at, g->keys.len, 0)) return error_memory(g->d->err);
    for (size_t i = 0, next; i < g->keys.len; i = next) {
        for (next = i; next < g->keys.len && g->keys.at[next] == g->keys.at[i];) next++;
        TRY(give_line(g, i, next, is_set ? ASSAY_COVERAGE_ONLY_HIT : 0));
    }
    if (g->left_out)
        findings_add(g->d->damage, "GO-7", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu blocks are too long to be code: their lines are left out",
                     (unsigned long long)g->left_out);
    return coverage_count(g->d, "rows", g->b->rows);
}

int go_blocks_give(struct go_blocks *b, struct coverage_decoder *d, bool is_set)
{
    struct giver g = { .b = b, .d = d };
    int rc = give_all(&g, is_set);
    vec_done(d->mem, &g.keys, &g.owners);
    return rc;
}
