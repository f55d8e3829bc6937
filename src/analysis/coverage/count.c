/* Coverage counted by identity; see assay/coverage.h. Rows mostly stand in the order of files and lines, as tools write them: then one pass
 * counts them. Otherwise they are sorted by place first, and the same pass goes over the sorted row numbers. */
#include <string.h>

#include "analysis/coverage/rows.h"
#include "assay/analysis.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"
#include "model/profile.h"

struct counter {
    struct mem mem;
    const assay_profile *p;
    const struct assay_coverage *c;
    assay_coverage_counts *total, *by_file;
    assay_coverage_counts sink; /* stands for the file when nobody asked for files */
};

static assay_coverage_counts *file_of(struct counter *k, uint32_t file) { return k->by_file ? &k->by_file[file] : &k->sink; }

#define COUNT(k, file, what, is_hit)                                                                                                                           \
    do {                                                                                                                                                       \
        assay_coverage_counts *f_ = file_of((k), (file));                                                                                                      \
        (k)->total->what++;                                                                                                                                    \
        f_->what++;                                                                                                                                            \
        if (is_hit) {                                                                                                                                          \
            (k)->total->what##_hit++;                                                                                                                          \
            f_->what##_hit++;                                                                                                                                  \
        }                                                                                                                                                      \
    } while (0)

/* ---- lines ---- */

static void add_lines(struct counter *k, uint32_t file, uint64_t lines, uint64_t hit)
{
    assay_coverage_counts *f = file_of(k, file);
    k->total->lines += lines;
    k->total->lines_hit += hit;
    f->lines += lines;
    f->lines_hit += hit;
}

/* Counted file by file in registers: there are millions of them. */
static void sum_lines(struct counter *k, const struct places *s)
{
    const struct assay_coverage *c = k->c;
    const uint8_t *flags = c->line_flags;
    uint64_t now = UINT64_MAX, lines = 0, hit = 0;
    bool is_hit = false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t row = places_row(s, i);
        if (flags && flags[row] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        uint64_t at = places_key(s, row);
        if (at != now) {
            if (at >> 32 != now >> 32 && lines) {
                add_lines(k, (uint32_t)(now >> 32), lines, hit);
                lines = hit = 0;
            }
            lines++;
            is_hit = false;
            now = at;
        }
        hit += !is_hit && c->line_hits[row] > 0;
        is_hit |= c->line_hits[row] > 0;
    }
    if (lines) add_lines(k, (uint32_t)(now >> 32), lines, hit);
}

static int count_lines(struct counter *k, assay_error *err)
{
    struct places s;
    int rc = places_init(&s, &k->mem, k->c->line_file, k->c->line_number, k->c->line_count) ? 0 : error_memory(err);
    if (rc == 0) sum_lines(k, &s);
    places_done(&s, &k->mem);
    return rc;
}

/* ---- functions ---- */

enum { SEEN = 1, HIT = 2 };

static void mark_functions(const struct assay_coverage *c, uint8_t *state)
{
    for (uint32_t i = 0; i < c->func_count; i++) {
        if (c->func_flags && c->func_flags[i] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        state[c->func[i].v] |= (uint8_t)(SEEN | (c->func_calls[i] > 0 ? HIT : 0));
    }
}

static bool same_group(const struct assay_funcs *f, uint32_t a, uint32_t b)
{
    uint32_t line = coverage_number(f->first_line, a);
    return ID(f->file, a) == ID(f->file, b) && line == coverage_number(f->first_line, b) && (line || f->name[a].v == f->name[b].v);
}

/* Whether the functions seen stand in the order of files and lines: then those of a group follow each other. */
static bool is_by_line(const struct assay_funcs *f, const uint8_t *state)
{
    uint64_t before = 0;
    for (uint32_t i = 1; i <= f->count; i++) {
        uint64_t now = (uint64_t)ID(f->file, i) << 32 | coverage_number(f->first_line, i);
        if (!state[i]) continue;
        if (now < before || !(uint32_t)now) return false;
        before = now;
    }
    return true;
}

static void mark_groups_in_order(const struct assay_funcs *f, const uint8_t *state, uint8_t *lead)
{
    uint32_t of = 0;
    for (uint32_t i = 1; i <= f->count; i++) {
        if (!state[i]) continue;
        if (!of || !same_group(f, of, i)) of = i;
        lead[of] |= state[i];
    }
}

/* The first function seen of each group carries its state in lead[]. */
static bool mark_groups(struct counter *k, const uint8_t *state, uint8_t *lead)
{
    const struct assay_funcs *f = assay_profile_funcs(k->p);
    SCOPED(index_done) struct index ix = { 0 };
    bool done = true;
    if (is_by_line(f, state)) {
        mark_groups_in_order(f, state, lead);
        return true;
    }
    index_init(&ix, &k->mem);
    for (uint32_t i = 1; done && i <= f->count && (done = !cancel_at(i)); i++) {
        if (!state[i]) continue;
        uint32_t line = coverage_number(f->first_line, i), of = 0;
        uint64_t hash = hash_mix(hash_mix(ID(f->file, i), line), line ? 0 : f->name[i].v);
        for (struct index_walk w = index_walk(&ix, hash); !of && index_next(&ix, &w);)
            if (same_group(f, w.id, i)) of = w.id;
        if (!of) done = index_add(&ix, hash, of = i);
        lead[of] |= state[i];
    }
    return done;
}

static int count_functions(struct counter *k, assay_error *err)
{
    const struct assay_funcs *f = assay_profile_funcs(k->p);
    size_t room = (size_t)f->count + 1;
    if (!k->c->func_count) return 0;
    SCRATCH(uint8_t, state, &k->mem, room);
    SCRATCH(uint8_t, lead, &k->mem, room);
    if (!state || !lead) return error_memory(err);
    mark_functions(k->c, state);
    if (!mark_groups(k, state, lead)) return error_memory(err);
    for (uint32_t i = 1; i <= f->count; i++) {
        TRY(cancel_step(i, err));
        if (state[i]) COUNT(k, ID(f->file, i), functions, state[i] & HIT);
        if (lead[i]) COUNT(k, ID(f->file, i), groups, lead[i] & HIT);
    }
    return 0;
}

/* ---- branches ---- */

static void flush_branches(struct counter *k, struct distinct *d, uint32_t file)
{
    for (size_t i = 0; i < d->list.len; i++) COUNT(k, file, branches, d->list.at[i].hits > 0);
    distinct_clear(d);
}

static int count_branches(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    const uint8_t left_out = ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED;
    SCOPED(distinct_done) struct distinct d = { 0 };
    struct places s;
    uint64_t now = 0;
    distinct_init(&d, &k->mem, c, coverage_same_branch, coverage_hash_branch);
    int rc = places_init(&s, &k->mem, c->branch_file, c->branch_line, c->branch_count) ? 0 : error_memory(err);
    for (uint32_t i = 0; rc == 0 && i < c->branch_count && (rc = cancel_step(i, err)) == 0; i++) {
        uint32_t row = places_row(&s, i);
        if (c->branch_flags && c->branch_flags[row] & left_out) continue;
        if (places_key(&s, row) != now) flush_branches(k, &d, (uint32_t)(now >> 32));
        now = places_key(&s, row);
        if (!distinct_add(&d, row, c->branch_hits[row], 0)) rc = error_memory(err);
    }
    flush_branches(k, &d, (uint32_t)(now >> 32));
    places_done(&s, &k->mem);
    return rc;
}

/* Sums of kind "branches": a line that comes again is the same branches, of which at least the larger number was hit. */
static void add_sum(struct counter *k, uint32_t file, uint32_t hit, uint32_t total)
{
    assay_coverage_counts *f = file_of(k, file);
    k->total->branches += total;
    k->total->branches_hit += hit;
    f->branches += total;
    f->branches_hit += hit;
}

static int count_sums(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    struct places s;
    uint64_t now = 0;
    uint32_t hit = 0, total = 0;
    int rc = places_init(&s, &k->mem, c->sum_file, c->sum_line, c->sum_count) ? 0 : error_memory(err);
    for (uint32_t i = 0; rc == 0 && i < c->sum_count && (rc = cancel_step(i, err)) == 0; i++) {
        uint32_t row = places_row(&s, i);
        if (!slice_is(assay_profile_string(k->p, c->sum_kind[row]), "branches")) continue;
        if (places_key(&s, row) != now) {
            add_sum(k, (uint32_t)(now >> 32), hit, total);
            hit = total = 0;
        }
        now = places_key(&s, row);
        if (c->sum_hit[row] > hit) hit = c->sum_hit[row];
        if (c->sum_total[row] > total) total = c->sum_total[row];
    }
    add_sum(k, (uint32_t)(now >> 32), hit, total);
    places_done(&s, &k->mem);
    return rc;
}

/* ---- conditions and regions: few of them, so no order is looked for ---- */

static bool same_condition(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    return c->condition_file[a].v == c->condition_file[b].v && c->condition_line[a] == c->condition_line[b] &&
           coverage_number(c->condition_group, a) == coverage_number(c->condition_group, b) &&
           coverage_number(c->condition_index, a) == coverage_number(c->condition_index, b) &&
           (!c->condition_sense || c->condition_sense[a] == c->condition_sense[b]);
}

static uint64_t hash_condition(const struct assay_coverage *c, uint32_t row)
{
    uint64_t h = hash_mix(hash_mix(c->condition_file[row].v, c->condition_line[row]), coverage_number(c->condition_group, row));
    return hash_mix(h, (uint64_t)coverage_number(c->condition_index, row) << 8 | (c->condition_sense ? c->condition_sense[row] : 0));
}

static int count_conditions(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    const uint8_t left_out = ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED;
    SCOPED(distinct_done) struct distinct d = { 0 };
    bool done = true;
    distinct_init(&d, &k->mem, c, same_condition, hash_condition);
    for (uint32_t i = 0; done && i < c->condition_count && (done = !cancel_at(i)); i++)
        if (!(c->condition_flags && c->condition_flags[i] & left_out)) done = distinct_add(&d, i, c->condition_hits[i], 0);
    for (size_t i = 0; done && i < d.list.len && (done = !cancel_at(i)); i++)
        COUNT(k, c->condition_file[d.list.at[i].row].v, conditions, d.list.at[i].hits > 0);
    return done ? 0 : error_memory(err);
}

static bool same_region(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    return c->region_file[a].v == c->region_file[b].v && c->region_kind[a] == c->region_kind[b] && c->region_first[a] == c->region_first[b] &&
           c->region_last[a] == c->region_last[b] && coverage_number(c->region_first_column, a) == coverage_number(c->region_first_column, b) &&
           coverage_number(c->region_last_column, a) == coverage_number(c->region_last_column, b) &&
           coverage_number(c->region_statements, a) == coverage_number(c->region_statements, b);
}

static uint64_t hash_region(const struct assay_coverage *c, uint32_t row)
{
    uint64_t h = hash_mix(hash_mix(c->region_file[row].v, c->region_first[row]), c->region_last[row]);
    return hash_mix(hash_mix(h, coverage_number(c->region_first_column, row)), coverage_number(c->region_last_column, row));
}

static void add_statements(struct counter *k, uint32_t file, uint64_t statements, bool is_hit)
{
    assay_coverage_counts *f = file_of(k, file);
    k->total->statements += statements;
    f->statements += statements;
    k->total->statements_hit += is_hit ? statements : 0;
    f->statements_hit += is_hit ? statements : 0;
}

static int count_regions(struct counter *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    SCOPED(distinct_done) struct distinct d = { 0 };
    bool done = true;
    distinct_init(&d, &k->mem, c, same_region, hash_region);
    for (uint32_t i = 0; done && c->region_kind && i < c->region_count && (done = !cancel_at(i)); i++)
        if (c->region_kind[i] == ASSAY_REGION_BLOCK || c->region_kind[i] == ASSAY_REGION_STATEMENT) done = distinct_add(&d, i, c->region_hits[i], 0);
    for (size_t i = 0; done && i < d.list.len && (done = !cancel_at(i)); i++) {
        uint32_t row = d.list.at[i].row, file = c->region_file[row].v;
        bool is_block = c->region_kind[row] == ASSAY_REGION_BLOCK;
        if (is_block) COUNT(k, file, blocks, d.list.at[i].hits > 0);
        add_statements(k, file, is_block ? coverage_number(c->region_statements, row) : 1, d.list.at[i].hits > 0);
    }
    return done ? 0 : error_memory(err);
}

int assay_coverage_count(const assay_profile *p, assay_coverage_counts *total, assay_coverage_counts *by_file, assay_error *err)
{
    assay_error local;
    uint32_t files = assay_profile_files(p)->count;
    err = error_enter(err, &local);
    struct counter k = { .p = p, .c = assay_profile_coverage(p), .total = total, .by_file = by_file };
    mem_init(&k.mem, profile_room(p));
    *total = (assay_coverage_counts){ .files = files };
    if (by_file) memset(by_file, 0, ((size_t)files + 1) * sizeof *by_file);
    for (uint32_t i = 1; by_file && i <= files; i++) by_file[i].files = 1;
    TRY(count_lines(&k, err));
    TRY(count_functions(&k, err));
    TRY(count_branches(&k, err));
    TRY(count_sums(&k, err));
    TRY(count_conditions(&k, err));
    return cancel_end(count_regions(&k, err), err);
}
