/* Coverage rows of the merger -> a builder, by path, line and name; see emit.h. Lists are freed as soon as they have been handed on. */
#include "analysis/merge/emit.h"
#include "base/number.h"
#include "base/order.h"
#include "base/sort.h"

enum { BATCH = 256 };

/* ---- lines ---- */

/* Lines that have counts only, many at once. */
static void put_plain_lines(struct emitter *e, const struct merge_unit *u)
{
    const struct merge_list *l = &u->lines;
    assay_str_id test = emit_string(e, u->test);
    uint64_t hits[BATCH];
    for (uint32_t from = 0, count; from < l->count; from += count) {
        count = l->count - from < BATCH ? l->count - from : BATCH;
        for (uint32_t i = 0; i < count; i++) {
            hits[i] = merge_count(&l->hits, from + i);
            e->hits = wide_add_u64(e->hits, hits[i]);
        }
        assay_build_coverage_lines(e->b, test, e->files[u->file], l->line + from, hits, count);
    }
}

static void put_flagged_lines(struct emitter *e, const struct merge_unit *u)
{
    const struct merge_list *l = &u->lines;
    struct assay_coverage_line row = { .test = emit_string(e, u->test), .file = e->files[u->file] };
    for (uint32_t i = 0; i < l->count; i++) {
        row.line = l->line[i];
        row.hits = merge_count(&l->hits, i);
        row.flags = l->flags ? merge_line_flags_out(l->flags[i]) : 0;
        if (l->text) row.checksum = emit_string(e, l->text[i]);
        if (row.flags & ASSAY_COVERAGE_ONLY_HIT) {
            row.hits = row.hits > 0;
            e->is_only_hit[u->file] = 1;
        }
        e->hits = wide_add_u64(e->hits, row.hits);
        assay_build_coverage_line(e->b, &row);
    }
}

static void note_only_hit(struct emitter *e, const struct merge_unit *u)
{
    if (!u->file || !u->has_counts || !u->has_only_hits || e->m->inputs < 2) return;
    assay_slice path = intern_get(&e->m->strings, e->m->files.at[u->file - 1].spelling);
    merge_note(e->m, MERGE_ONLY_HIT, "'%.*s'", merge_shown(path), path.data);
}

static void put_lines(struct emitter *e, struct merge_unit *u)
{
    note_only_hit(e, u);
    (u->lines.flags || u->lines.text ? put_flagged_lines : put_plain_lines)(e, u);
    merge_list_free(&e->m->mem, &u->lines);
}

/* ---- branches ---- */

static int by_key(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_branch_key *x = &e->m->keys.at[a], *y = &e->m->keys.at[b];
    int c;
    ORDER_BY(e->func_rank[x->func], e->func_rank[y->func]);
    if ((c = emit_text_order(e, x->block, y->block))) return c;
    if ((c = emit_text_order(e, x->name, y->name))) return c;
    ORDER_BY(x->index, y->index);
    ORDER_BY(x->column, y->column);
    ORDER_BY(x->end_line, y->end_line);
    ORDER_BY(x->end_column, y->end_column);
    ORDER_BY(x->target, y->target);
    return 0;
}

static int rank_keys(struct emitter *e)
{
    size_t count = e->m->keys.len;
    uint32_t *order = emit_sorted(e, count, by_key);
    for (size_t i = 0; order && i < count; i++) e->key_rank[order[i] + 1] = (uint32_t)i + 1;
    emit_free(e, order, count);
    return order ? 0 : ASSAY_ERR_MEMORY;
}

struct placed {
    uint32_t rank, row;
};

static int by_rank(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    return ORDER(a->rank, b->rank);
}

/* Branches that have block and name only, on their way out together. */
struct branch_batch {
    uint32_t count;
    uint32_t line[BATCH];
    assay_str_id block[BATCH], name[BATCH];
    uint64_t hits[BATCH];
    uint8_t flags[BATCH];
};

static void put_batch(struct emitter *e, const struct merge_unit *u, struct branch_batch *b)
{
    struct assay_coverage_branch_rows rows = { b->line, b->block, b->name, b->hits, b->flags, b->count };
    if (b->count) assay_build_coverage_branches(e->b, emit_string(e, u->test), e->files[u->file], &rows);
    b->count = 0;
}

/* It has block and name, and no other key. */
static bool is_short(const struct merge_branch_key *a)
{
    const struct merge_branch_key only = { .block = a->block, .name = a->name }, *b = &only;
    return a->block && a->name SCHEMA_COVERAGE_BRANCHES(MERGE_SAME, _);
}

static void put_branch(struct emitter *e, const struct merge_unit *u, uint32_t i, struct branch_batch *b)
{
    const struct merge_list *l = &u->branches;
    const struct merge_branch_key *k = &e->m->keys.at[l->key[i] - 1];
    uint64_t hits = merge_count(&l->hits, i);
    if (b->count == BATCH || !is_short(k)) put_batch(e, u, b);
    if (is_short(k)) {
        b->line[b->count] = l->line[i];
        b->block[b->count] = emit_string(e, k->block);
        b->name[b->count] = emit_string(e, k->name);
        b->hits[b->count] = e->is_only_hit[u->file] ? hits > 0 : hits;
        b->flags[b->count++] = MERGE_AT(l->flags, i);
        return;
    }
#define PUT(T, name, member, type, role, extent, json, words, rule, what) PUT_##rule(.name = EMIT_##type(k->name))
#define PUT_KEY(put) put,
#define PUT_PLACE(put)
#define PUT_SUM(put)
#define PUT_BRANCH_FLAGS(put)
    struct assay_coverage_branch out = { SCHEMA_COVERAGE_BRANCHES(PUT, _).test = emit_string(e, u->test), .file = e->files[u->file], .line = l->line[i] };
    out.hits = e->is_only_hit[u->file] ? hits > 0 : hits;
    out.flags = MERGE_AT(l->flags, i);
    assay_build_coverage_branch(e->b, &out);
}

/* The sum of branches of this line, NULL when there is none. */
static struct merge_sum *sum_of(struct emitter *e, const struct merge_unit *u, uint32_t line)
{
    struct assay_merger *m = e->m;
    uint64_t hash = merge_sum_hash(u->file, line, e->branches, u->test);
    for (struct index_walk w = index_walk(&m->sum_index, hash); index_next(&m->sum_index, &w);) {
        struct merge_sum *s = &m->sums.at[w.id - 1];
        if (s->file == u->file && s->line == line && s->kind == e->branches && s->test == u->test) return s;
    }
    return NULL;
}

/* Single branches and a sum of them, from different inputs: the branches stay unless the sum knows of more. true = they do. */
static bool keeps_branches(struct emitter *e, const struct merge_unit *u, uint32_t from, uint32_t to)
{
    const uint8_t left_out = ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED;
    uint32_t line = u->branches.line[from], count = 0;
    struct merge_sum *s = e->m->inputs > 1 && e->branches ? sum_of(e, u, line) : NULL;
    if (!s || !s->total) return true;
    for (uint32_t i = from; i < to; i++) count += !(MERGE_AT(u->branches.flags, i) & left_out);
    if (s->total != count) merge_note(e->m, MERGE_LIST_AND_SUM, "%u and %u at line %u of a file", count, s->total, line);
    if (s->total > count) return false;
    s->is_dropped = true;
    return true;
}

/* The branches of one line in the order of their keys. */
static int put_sorted(struct emitter *e, const struct merge_unit *u, uint32_t from, uint32_t to, struct branch_batch *b)
{
    size_t count = to - from;
    struct placed *group = mem_alloc(&e->m->mem, count * sizeof *group);
    if (!group) return error_memory(e->err);
    for (uint32_t i = from; i < to; i++) group[i - from] = (struct placed){ e->key_rank[u->branches.key[i]], i };
    sort_by(group, count, sizeof *group, by_rank);
    for (size_t i = 0; i < count; i++) put_branch(e, u, group[i].row, b);
    mem_free(&e->m->mem, group, count * sizeof *group);
    return 0;
}

static int put_branches(struct emitter *e, struct merge_unit *u)
{
    const struct merge_list *l = &u->branches;
    struct branch_batch batch;
    int rc = 0;
    batch.count = 0;
    for (uint32_t from = 0, to; rc == 0 && from < l->count; from = to) {
        bool is_sorted = true;
        for (to = from + 1; to < l->count && l->line[to] == l->line[from]; to++) is_sorted &= e->key_rank[l->key[to - 1]] <= e->key_rank[l->key[to]];
        if (!keeps_branches(e, u, from, to)) continue;
        if (!is_sorted) rc = put_sorted(e, u, from, to, &batch);
        for (uint32_t i = from; is_sorted && i < to; i++) put_branch(e, u, i, &batch);
    }
    put_batch(e, u, &batch);
    merge_list_free(&e->m->mem, &u->branches);
    return rc;
}

/* ---- units ---- */

static int by_unit(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_unit *x = &e->m->units.at[a], *y = &e->m->units.at[b];
    ORDER_BY(e->file_rank[x->file], e->file_rank[y->file]);
    return slice_compare(intern_get(&e->m->strings, x->test), intern_get(&e->m->strings, y->test));
}

static int put_units(struct emitter *e)
{
    size_t count = e->m->units.len;
    uint32_t *order = emit_sorted(e, count, by_unit);
    int rc = order ? 0 : ASSAY_ERR_MEMORY;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        put_lines(e, &e->m->units.at[order[i]]);
        rc = put_branches(e, &e->m->units.at[order[i]]);
        if (rc == 0) rc = assay_builder_failed(e->b);
    }
    emit_free(e, order, count);
    return rc;
}

/* ---- functions ---- */

static int by_call(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_call *x = &e->m->calls.at[a], *y = &e->m->calls.at[b];
    ORDER_BY(e->func_rank[x->func], e->func_rank[y->func]);
    return slice_compare(intern_get(&e->m->strings, x->test), intern_get(&e->m->strings, y->test));
}

static void put_call(struct emitter *e, uint32_t i)
{
    const struct merge_call *row = &e->m->calls.at[i];
    struct assay_coverage_func out = { SCHEMA_COVERAGE_FUNCS(EMIT_ROW, _) };
    if (out.flags & ASSAY_COVERAGE_ONLY_HIT) out.calls = out.calls > 0;
    assay_build_coverage_func(e->b, &out);
}

/* ---- sums ---- */

static int by_sum(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_sum *x = &e->m->sums.at[a], *y = &e->m->sums.at[b];
    ORDER_BY(e->file_rank[x->file], e->file_rank[y->file]);
    ORDER_BY(x->line, y->line);
    int c = emit_text_order(e, x->kind, y->kind);
    return c ? c : slice_compare(intern_get(&e->m->strings, x->test), intern_get(&e->m->strings, y->test));
}

static void put_sum(struct emitter *e, uint32_t i)
{
    const struct merge_sum *row = &e->m->sums.at[i];
    bool is_open = row->is_at_least && row->hit < row->total;
    if (row->is_dropped) return;
    if (is_open) merge_note(e->m, MERGE_AT_LEAST, "%u of %u at line %u of a file", row->hit, row->total, row->line);
    struct assay_coverage_sum out = { SCHEMA_COVERAGE_SUMS(EMIT_ROW, _) };
    out.flags = is_open ? ASSAY_COVERAGE_AT_LEAST : 0;
    assay_build_coverage_sum(e->b, &out);
}

/* ---- conditions ---- */

static int by_condition(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_condition *x = &e->m->conditions.at[a], *y = &e->m->conditions.at[b];
    ORDER_BY(e->file_rank[x->file], e->file_rank[y->file]);
    ORDER_BY(x->line, y->line);
    ORDER_BY(x->group, y->group);
    ORDER_BY(x->index, y->index);
    ORDER_BY(y->sense, x->sense);
    return slice_compare(intern_get(&e->m->strings, x->test), intern_get(&e->m->strings, y->test));
}

static void put_condition(struct emitter *e, uint32_t i)
{
    const struct merge_condition *row = &e->m->conditions.at[i];
    assay_build_coverage_condition(e->b, &(struct assay_coverage_condition){ SCHEMA_COVERAGE_CONDITIONS(EMIT_ROW, _) });
}

/* ---- regions ---- */

static int by_region(const struct emitter *e, uint32_t a, uint32_t b)
{
    const struct merge_region *x = &e->m->regions.at[a], *y = &e->m->regions.at[b];
    ORDER_BY(e->file_rank[x->file], e->file_rank[y->file]);
    ORDER_BY(e->func_rank[x->func], e->func_rank[y->func]);
    ORDER_BY(x->first, y->first);
    ORDER_BY(x->first_column, y->first_column);
    ORDER_BY(x->last, y->last);
    ORDER_BY(x->last_column, y->last_column);
    ORDER_BY(x->kind, y->kind);
    return 0;
}

/* Probes are hit or not, and so are the blocks (and the branches) of a file whose lines are. */
static void put_region(struct emitter *e, uint32_t i)
{
    const struct merge_region *row = &e->m->regions.at[i];
    if (row->is_uneven) merge_note(e->m, MERGE_BLOCK, "the block at line %llu", (unsigned long long)row->first);
    struct assay_coverage_region out = { SCHEMA_COVERAGE_REGIONS(EMIT_ROW, _) };
    if (row->kind == ASSAY_REGION_OTHER || e->is_only_hit[row->file]) out.hits = out.hits > 0;
    assay_build_coverage_region(e->b, &out);
}

static int put_table(struct emitter *e, size_t count, emit_order compare, void (*put)(struct emitter *, uint32_t))
{
    uint32_t *order = emit_sorted(e, count, compare);
    for (size_t i = 0; order && i < count; i++) put(e, order[i]);
    emit_free(e, order, count);
    return order ? assay_builder_failed(e->b) : ASSAY_ERR_MEMORY;
}

int emit_rows(struct emitter *e)
{
    struct assay_merger *m = e->m;
    TRY(rank_keys(e));
    TRY(put_units(e));
    TRY(put_table(e, m->calls.len, by_call, put_call));
    TRY(put_table(e, m->sums.len, by_sum, put_sum));
    TRY(put_table(e, m->conditions.len, by_condition, put_condition));
    return put_table(e, m->regions.len, by_region, put_region);
}
