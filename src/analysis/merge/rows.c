/* Functions, sums, conditions and regions of an input -> rows of the merger, found by hash: there are far fewer of them than lines. */
#include "analysis/merge/merge.h"
#include "base/cancel.h"

/* ---- calls of functions ---- */

/* A function of the same name at another line of the file is an edited one, or another: both are kept. */
static void call_again(struct assay_merger *m, struct merge_call *to, const struct merge_call *said) { SCHEMA_COVERAGE_FUNCS(MERGE_FOLD, _) }

static bool same_call(const struct merge_call *a, const struct merge_call *b) { return true SCHEMA_COVERAGE_FUNCS(MERGE_SAME, _); }

/* The place of the row plus 1; 0 = there is none yet. */
static uint32_t find_call(const struct merge_input *in, const struct merge_call *said, uint64_t hash)
{
    const struct assay_merger *m = in->m;
    uint32_t next = in->last_call;
    if (next < m->calls.len && same_call(&m->calls.at[next], said)) return next + 1;
    for (struct index_walk w = index_walk(&m->call_index, hash); index_next(&m->call_index, &w);)
        if (same_call(&m->calls.at[w.id - 1], said)) return w.id;
    return 0;
}

int merge_call_put(struct merge_input *in, const struct merge_call *said)
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
    const struct assay_coverage *t = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < t->func_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_call said = { SCHEMA_COVERAGE_FUNCS(MERGE_TAKE, _) };
        said.test = merge_test(in, MERGE_ID(t->func_test, i));
        TRY(merge_call_put(in, &said));
    }
    return 0;
}

/* ---- n of m ---- */

/* Which of the m were hit is not said, so that two runs together hit the larger number at least. Nothing is open when that is all of them,
 * or none in either. */
static void sum_again(struct merge_sum *to, const struct merge_sum *said)
{
    to->is_at_least |= said->is_at_least || (said->hit && to->hit_in && to->hit_in != said->hit_in);
    if (said->hit) to->hit_in = said->hit_in;
    SCHEMA_COVERAGE_SUMS(MERGE_FOLD, _)
}

static bool same_sum(const struct merge_sum *a, const struct merge_sum *b) { return true SCHEMA_COVERAGE_SUMS(MERGE_SAME, _); }

int merge_sum_put(struct merge_input *in, const struct merge_sum *said)
{
    struct assay_merger *m = in->m;
    uint64_t hash = merge_sum_hash(said->file, said->line, said->kind, said->test);
    for (struct index_walk w = index_walk(&m->sum_index, hash); index_next(&m->sum_index, &w);) {
        struct merge_sum *s = &m->sums.at[w.id - 1];
        if (!same_sum(s, said)) continue;
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
    const struct assay_coverage *t = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < t->sum_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_sum said = { SCHEMA_COVERAGE_SUMS(MERGE_TAKE, _).hit_in = t->sum_hit[i] ? in->number : 0 };
        said.test = merge_test(in, MERGE_ID(t->sum_test, i));
        said.is_at_least = said.flags & ASSAY_COVERAGE_AT_LEAST;
        TRY(merge_sum_put(in, &said));
    }
    return 0;
}

/* ---- conditions ---- */

static bool same_condition(const struct merge_condition *a, const struct merge_condition *b) { return true SCHEMA_COVERAGE_CONDITIONS(MERGE_SAME, _); }

static void condition_again(struct assay_merger *m, struct merge_condition *to, const struct merge_condition *said)
{
    SCHEMA_COVERAGE_CONDITIONS(MERGE_FOLD, _)
}

int merge_condition_put(struct merge_input *in, const struct merge_condition *said)
{
    struct assay_merger *m = in->m;
    uint64_t hash = hash_mix(hash_mix(said->file, said->line), (uint64_t)said->group << 33 | (uint64_t)said->index << 1 | said->sense);
    hash = hash_mix(hash, said->test);
    for (struct index_walk w = index_walk(&m->condition_index, hash); index_next(&m->condition_index, &w);) {
        struct merge_condition *c = &m->conditions.at[w.id - 1];
        if (!same_condition(c, said)) continue;
        condition_again(m, c, said);
        return 0;
    }
    struct merge_condition *c = vec_push(&m->mem, &m->conditions);
    if (!c) return error_memory(in->err);
    *c = *said;
    return index_add(&m->condition_index, hash, (uint32_t)m->conditions.len) ? 0 : error_memory(in->err);
}

int merge_conditions_add(struct merge_input *in)
{
    const struct assay_coverage *t = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < t->condition_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_condition said = { SCHEMA_COVERAGE_CONDITIONS(MERGE_TAKE, _) };
        said.test = merge_test(in, MERGE_ID(t->condition_test, i));
        TRY(merge_condition_put(in, &said));
    }
    return 0;
}

/* ---- regions ---- */

static bool same_region(const struct merge_region *a, const struct merge_region *b) { return true SCHEMA_COVERAGE_REGIONS(MERGE_SAME, _); }

static void region_again(struct assay_merger *m, struct merge_region *to, const struct merge_region *said)
{
    to->is_uneven |= said->is_uneven || to->statements != said->statements;
    SCHEMA_COVERAGE_REGIONS(MERGE_FOLD, _)
}

int merge_region_put(struct merge_input *in, const struct merge_region *said)
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
    const struct assay_coverage *t = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < t->region_count; i++) {
        TRY(cancel_step(i, in->err));
        struct merge_region said = { SCHEMA_COVERAGE_REGIONS(MERGE_TAKE, _) };
        TRY(merge_region_put(in, &said));
    }
    return 0;
}
