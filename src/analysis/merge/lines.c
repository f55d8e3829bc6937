/* Lines and branches of an input -> the lists of the merger. Rows of one file and test are handed over together, wherever they stand. */
#include "analysis/merge/merge.h"
#include "base/order.h"
#include "base/sort.h"

/* ---- flags ---- */

uint8_t merge_line_flags(uint8_t a, uint8_t b)
{
    const uint8_t all_say = ASSAY_COVERAGE_NONCODE | ASSAY_COVERAGE_UNKNOWN;
    return (uint8_t)(((a | b) & ~all_say) | (a & b & all_say));
}

/* Two rows of one line in one input are two instances of its code: it is left out when all are. */
static uint8_t line_flags_within(uint8_t a, uint8_t b)
{
    const uint8_t all_say = ASSAY_COVERAGE_NONCODE | ASSAY_COVERAGE_UNKNOWN | ASSAY_COVERAGE_EXCLUDED | MERGE_SEEN_WHOLE | MERGE_SEEN_ALL_BLOCKS;
    return (uint8_t)(((a | b) & ~all_say) | (a & b & all_say));
}

uint8_t merge_line_flags_out(uint8_t flags)
{
    if (flags & MERGE_SEEN_WHOLE) flags &= (uint8_t)~ASSAY_COVERAGE_PARTIAL;
    if (flags & MERGE_SEEN_ALL_BLOCKS) flags &= (uint8_t)~ASSAY_COVERAGE_UNEXECUTED_BLOCK;
    return flags & (uint8_t) ~(MERGE_SEEN_WHOLE | MERGE_SEEN_ALL_BLOCKS);
}

static uint8_t line_flags_in(uint8_t flags, bool is_hit)
{
    if (is_hit && !(flags & ASSAY_COVERAGE_PARTIAL)) flags |= MERGE_SEEN_WHOLE;
    if (is_hit && !(flags & ASSAY_COVERAGE_UNEXECUTED_BLOCK)) flags |= MERGE_SEEN_ALL_BLOCKS;
    return flags;
}

uint8_t merge_branch_flags(uint8_t a, uint8_t b)
{
    const uint8_t all_say = ASSAY_COVERAGE_BRANCH_NOT_EVALUATED | ASSAY_COVERAGE_BRANCH_UNREACHABLE;
    return (uint8_t)(((a | b) & ~all_say) | (a & b & all_say));
}

const struct merge_kind merge_line_kind = { line_flags_within, merge_line_flags };
const struct merge_kind merge_branch_kind = { merge_branch_flags, merge_branch_flags };

/* ---- runs: rows of one file and test that stand together ---- */

struct run {
    uint32_t unit, from, to;
};
struct runs {
    VEC(struct run) list;
    bool is_mixed; /* a unit has several runs */
};

static int by_unit(const void *x, const void *y)
{
    const struct run *a = x, *b = y;
    ORDER_BY(a->unit, b->unit);
    return ORDER(a->from, b->from);
}

static int find_runs(struct merge_input *in, const assay_file_id *file, const assay_str_id *test, uint32_t count, struct runs *runs)
{
    struct assay_merger *m = in->m;
    uint32_t last = 0;
    for (uint32_t from = 0, to; from < count; from = to) {
        uint32_t f = file[from].v, t = MERGE_ID(test, from);
        for (to = from + 1; to < count && file[to].v == f && MERGE_ID(test, to) == t;) to++;
        uint32_t unit = merge_unit(in, in->files[f], t);
        struct run *run = unit == UINT32_MAX ? NULL : vec_push(&m->mem, &runs->list);
        if (!run) return error_memory(in->err);
        *run = (struct run){ unit, from, to };
        runs->is_mixed |= runs->list.len > 1 && unit <= last;
        last = unit;
    }
    if (runs->is_mixed) sort_by(runs->list.at, runs->list.len, sizeof *runs->list.at, by_unit);
    return 0;
}

typedef bool (*fill_fn)(struct merge_input *in, const struct run *run, struct merge_row *to);

static int add_runs(struct merge_input *in, const struct runs *runs, fill_fn fill, const struct merge_kind *kind, bool is_lines)
{
    struct mem *mem = &in->m->mem;
    VEC(struct merge_row) rows = { NULL, 0, 0 };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < runs->list.len;) {
        uint32_t unit = runs->list.at[i].unit;
        rows.len = 0;
        for (; rc == 0 && i < runs->list.len && runs->list.at[i].unit == unit; i++) {
            const struct run *run = &runs->list.at[i];
            bool has_room = vec_reserve(mem, &rows, run->to - run->from) && fill(in, run, rows.at + rows.len);
            if (!has_room) rc = error_memory(in->err);
            rows.len += run->to - run->from;
        }
        struct merge_unit *u = &in->m->units.at[unit];
        if (rc == 0) rc = merge_list_add(in, is_lines ? &u->lines : &u->branches, kind, rows.at, rows.len);
    }
    vec_done(mem, &rows);
    return rc;
}

/* ---- lines ---- */

static bool fill_lines(struct merge_input *in, const struct run *run, struct merge_row *to)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    struct merge_unit *unit = &in->m->units.at[run->unit];
    uint32_t only_hits = 0;
    for (uint32_t i = run->from; i < run->to; i++, to++) {
        *to = (struct merge_row){ .hits = c->line_hits[i], .line = c->line_number[i] };
        if (c->line_flags) to->flags = line_flags_in(c->line_flags[i], to->hits > 0);
        only_hits += (to->flags & ASSAY_COVERAGE_ONLY_HIT) != 0;
        if (c->line_checksum) to->text = merge_string(in, c->line_checksum[i].v);
    }
    unit->has_only_hits |= only_hits > 0;
    unit->has_counts |= only_hits < run->to - run->from;
    return true;
}

int merge_lines_add(struct merge_input *in)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    struct runs runs = { .is_mixed = false };
    int rc = find_runs(in, c->line_file, c->line_test, c->line_count, &runs);
    if (rc == 0) rc = add_runs(in, &runs, fill_lines, &merge_line_kind, true);
    vec_done(&in->m->mem, &runs.list);
    return rc;
}

/* ---- branches ---- */

static bool same_key(const struct merge_branch_key *a, const struct merge_branch_key *b) { return true SCHEMA_COVERAGE_BRANCHES(MERGE_SAME, _); }

uint32_t merge_key_put(struct assay_merger *m, const struct merge_branch_key *key)
{
    uint64_t hash = hash_mix(hash_mix(hash_mix(key->block, key->name), key->func), key->index);
    hash = hash_mix(hash_mix(hash, (uint64_t)key->column << 32 | key->end_column), hash_mix((uint64_t)key->target, key->end_line));
    for (struct index_walk w = index_walk(&m->key_index, hash); index_next(&m->key_index, &w);)
        if (same_key(&m->keys.at[w.id - 1], key)) return w.id;
    struct merge_branch_key *made = vec_push(&m->mem, &m->keys);
    if (!made) return 0;
    *made = *key;
    return index_add(&m->key_index, hash, (uint32_t)m->keys.len) ? (uint32_t)m->keys.len : 0;
}

static uint32_t branch_key(struct merge_input *in, const struct assay_coverage *t, uint32_t i)
{
#define TAKE(T, name, member, type, role, extent, json, words, rule, what) TAKE_##rule(.name = MERGE_OF(member, type, extent))
#define TAKE_KEY(taken) taken,
#define TAKE_PLACE(taken)
#define TAKE_SUM(taken)
#define TAKE_BRANCH_FLAGS(taken)
    struct merge_branch_key key = { SCHEMA_COVERAGE_BRANCHES(TAKE, _) };
    return merge_key_put(in->m, &key);
}

/* The same for a branch that has block and name only: lines mostly have the same few. */
static uint32_t short_key(struct merge_input *in, const struct assay_coverage *c, uint32_t i)
{
    uint32_t block = MERGE_ID(c->branch_block, i), name = MERGE_ID(c->branch_name, i);
    struct merge_short_key *k = &in->keys[(block * 31 + name) % MERGE_SHORT_KEYS];
    if (!k->key || k->block != block || k->name != name) *k = (struct merge_short_key){ block, name, branch_key(in, c, i) };
    return k->key;
}

static bool fill_branches(struct merge_input *in, const struct run *run, struct merge_row *to)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    unsigned keys = 0;
#define COUNT_KEY(member) keys += c->member != NULL;
#define COUNT_PLACE(member)
#define COUNT_SUM(member)
#define COUNT_BRANCH_FLAGS(member)
#define COUNT(T, name, member, type, role, extent, json, words, rule, what) COUNT_##rule(member)
    SCHEMA_COVERAGE_BRANCHES(COUNT, _)
    bool is_short = keys == (c->branch_block != NULL) + (unsigned)(c->branch_name != NULL); /* and no other */
    for (uint32_t i = run->from; i < run->to; i++, to++) {
        uint32_t key = is_short ? short_key(in, c, i) : branch_key(in, c, i);
        *to = (struct merge_row){ c->branch_hits[i], c->branch_line[i], key, 0, MERGE_AT(c->branch_flags, i) };
        if (!key) return false;
    }
    return true;
}

int merge_branches_add(struct merge_input *in)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    struct runs runs = { .is_mixed = false };
    int rc = find_runs(in, c->branch_file, c->branch_test, c->branch_count, &runs);
    if (rc == 0) rc = add_runs(in, &runs, fill_branches, &merge_branch_kind, false);
    vec_done(&in->m->mem, &runs.list);
    return rc;
}
