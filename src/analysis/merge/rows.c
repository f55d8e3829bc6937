/* Functions, sums, conditions and regions of an input -> rows of the merger, found by hash: there are far fewer of them than lines. */
#include "analysis/merge/merge.h"
#include "base/cancel.h"

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ---- calls of functions ---- */

/* A function of the same name at another line of the file is an edited one, or another: both are kept. */
static void call_again(struct assay_merger *m, struct merge_call *c, const struct merge_call *said)
{
    c->calls = merge_add(m, c->calls, said->calls);
    c->flags = merge_line_flags(c->flags, said->flags);
    c->first_column = larger(c->first_column, said->first_column);
    c->last_column = larger(c->last_column, said->last_column);
    c->blocks = larger(c->blocks, said->blocks);
    c->blocks_hit = larger(c->blocks_hit, said->blocks_hit);
}

/* The place of the row plus 1; 0 = there is none yet. */
static uint32_t find_call(const struct merge_input *in, const struct merge_call *said, uint64_t hash)
{
    const struct assay_merger *m = in->m;
    uint32_t next = in->last_call;
    if (next < m->calls.len && m->calls.at[next].func == said->func && m->calls.at[next].test == said->test) return next + 1;
    for (struct index_walk w = index_walk(&m->call_index, hash); index_next(&m->call_index, &w);)
        if (m->calls.at[w.id - 1].func == said->func && m->calls.at[w.id - 1].test == said->test) return w.id;
    return 0;
}

static int call_add(struct merge_input *in, const struct merge_call *said)
{
    struct assay_merger *m = in->m;
    uint64_t hash = hash_mix(said->func, said->test);
    uint32_t place = find_call(in, said, hash);
    if (place) {
        call_again(m, &m->calls.at[place - 1], said);
        in->last_call = place;
        return 0;
    }
    struct merge_call *c = vec_push(&m->mem, &m->calls);
    if (!c) return error_memory(in->err);
    *c = *said;
    return index_add(&m->call_index, hash, (uint32_t)m->calls.len) ? 0 : error_memory(in->err);
}

int merge_calls_add(struct merge_input *in)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < c->func_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_call said = { .calls = c->func_calls[i],
                                   .func = merge_func(in, c->func[i].v),
                                   .test = merge_test(in, MERGE_ID(c->func_test, i)),
                                   .first_column = MERGE_AT(c->func_first_column, i),
                                   .last_column = MERGE_AT(c->func_last_column, i),
                                   .blocks = MERGE_AT(c->func_blocks, i),
                                   .blocks_hit = MERGE_AT(c->func_blocks_hit, i),
                                   .flags = MERGE_AT(c->func_flags, i) };
        TRY(call_add(in, &said));
    }
    return 0;
}

/* ---- n of m ---- */

/* Which of the m were hit is not said, so that two runs together hit the larger number at least. Nothing is open when that is all of them,
 * or none in either. */
static void sum_again(struct merge_sum *s, const struct merge_sum *said)
{
    s->is_at_least |= said->is_at_least || (said->hit && s->hit_in && s->hit_in != said->hit_in);
    if (said->hit) s->hit_in = said->hit_in;
    s->hit = larger(s->hit, said->hit);
    s->total = larger(s->total, said->total);
}

static int sum_add(struct merge_input *in, const struct merge_sum *said)
{
    struct assay_merger *m = in->m;
    uint64_t hash = merge_sum_hash(said->file, said->line, said->kind, said->test);
    for (struct index_walk w = index_walk(&m->sum_index, hash); index_next(&m->sum_index, &w);) {
        struct merge_sum *s = &m->sums.at[w.id - 1];
        if (s->file != said->file || s->line != said->line || s->kind != said->kind || s->test != said->test) continue;
        sum_again(s, said);
        return 0;
    }
    struct merge_sum *s = vec_push(&m->mem, &m->sums);
    if (!s) return error_memory(in->err);
    *s = *said;
    return index_add(&m->sum_index, hash, (uint32_t)m->sums.len) ? 0 : error_memory(in->err);
}

int merge_sums_add(struct merge_input *in)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < c->sum_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_sum said = { .file = in->files[c->sum_file[i].v],
                                  .test = merge_test(in, MERGE_ID(c->sum_test, i)),
                                  .line = MERGE_AT(c->sum_line, i),
                                  .kind = merge_string(in, c->sum_kind[i].v),
                                  .hit = c->sum_hit[i],
                                  .total = c->sum_total[i],
                                  .hit_in = c->sum_hit[i] ? in->number : 0,
                                  .is_at_least = MERGE_AT(c->sum_flags, i) & ASSAY_COVERAGE_AT_LEAST };
        TRY(sum_add(in, &said));
    }
    return 0;
}

/* ---- conditions ---- */

static bool same_condition(const struct merge_condition *a, const struct merge_condition *b)
{
    return a->file == b->file && a->line == b->line && a->group == b->group && a->index == b->index && a->sense == b->sense && a->test == b->test;
}

static int condition_add(struct merge_input *in, const struct merge_condition *said)
{
    struct assay_merger *m = in->m;
    uint64_t hash = hash_mix(hash_mix(said->file, said->line), (uint64_t)said->group << 33 | (uint64_t)said->index << 1 | said->sense);
    hash = hash_mix(hash, said->test);
    for (struct index_walk w = index_walk(&m->condition_index, hash); index_next(&m->condition_index, &w);) {
        struct merge_condition *c = &m->conditions.at[w.id - 1];
        if (!same_condition(c, said)) continue;
        c->hits = merge_add(m, c->hits, said->hits);
        c->flags = merge_branch_flags(c->flags, said->flags);
        c->text = merge_smaller(m, c->text, said->text);
        return 0;
    }
    struct merge_condition *c = vec_push(&m->mem, &m->conditions);
    if (!c) return error_memory(in->err);
    *c = *said;
    return index_add(&m->condition_index, hash, (uint32_t)m->conditions.len) ? 0 : error_memory(in->err);
}

int merge_conditions_add(struct merge_input *in)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < c->condition_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_condition said = { .hits = c->condition_hits[i],
                                        .file = in->files[c->condition_file[i].v],
                                        .test = merge_test(in, MERGE_ID(c->condition_test, i)),
                                        .line = c->condition_line[i],
                                        .group = MERGE_AT(c->condition_group, i),
                                        .index = MERGE_AT(c->condition_index, i),
                                        .text = merge_string(in, MERGE_ID(c->condition_text, i)),
                                        .sense = MERGE_AT(c->condition_sense, i),
                                        .flags = MERGE_AT(c->condition_flags, i) };
        TRY(condition_add(in, &said));
    }
    return 0;
}

/* ---- regions ---- */

static bool same_region(const struct merge_region *a, const struct merge_region *b)
{
    return a->file == b->file && a->func == b->func && a->kind == b->kind && a->first == b->first && a->last == b->last && a->first_column == b->first_column &&
           a->last_column == b->last_column;
}

static void region_again(struct assay_merger *m, struct merge_region *r, const struct merge_region *said)
{
    if (r->statements != said->statements) merge_note(m, MERGE_BLOCK, "the block at line %llu", (unsigned long long)r->first);
    r->statements = larger(r->statements, said->statements);
    r->hits = merge_add(m, r->hits, said->hits);
}

static int region_add(struct merge_input *in, const struct merge_region *said)
{
    struct assay_merger *m = in->m;
    uint64_t hash = hash_mix(hash_mix(said->file, said->first), said->last);
    hash = hash_mix(hash_mix(hash, (uint64_t)said->first_column << 32 | said->last_column), (uint64_t)said->func << 3 | said->kind);
    for (struct index_walk w = index_walk(&m->region_index, hash); index_next(&m->region_index, &w);) {
        struct merge_region *r = &m->regions.at[w.id - 1];
        if (!same_region(r, said)) continue;
        region_again(m, r, said);
        return 0;
    }
    struct merge_region *r = vec_push(&m->mem, &m->regions);
    if (!r) return error_memory(in->err);
    *r = *said;
    return index_add(&m->region_index, hash, (uint32_t)m->regions.len) ? 0 : error_memory(in->err);
}

int merge_regions_add(struct merge_input *in)
{
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < c->region_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_region said = { .first = c->region_first[i],
                                     .last = c->region_last[i],
                                     .hits = c->region_hits[i],
                                     .file = in->files[MERGE_ID(c->region_file, i)],
                                     .func = merge_func(in, MERGE_ID(c->region_func, i)),
                                     .first_column = MERGE_AT(c->region_first_column, i),
                                     .last_column = MERGE_AT(c->region_last_column, i),
                                     .statements = MERGE_AT(c->region_statements, i),
                                     .kind = MERGE_AT(c->region_kind, i) };
        TRY(region_add(in, &said));
    }
    return 0;
}
