/* Branches and conditions of a record. Branches that other formats tell apart by function, column or target have no block and name of lcov:
 * they are numbered in block 0 of their line, as lcov itself does. Sums (n of m) become n branches taken once and m - n not taken. */
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/lcov/write.h"
#include "model/entry.h"

static uint32_t value(const uint32_t *column, uint32_t row) { return column ? column[row] : 0; }

static struct lcov_out_branch branch_at(const struct assay_coverage *c, uint32_t row)
{
    struct lcov_out_branch b = {
        .hits = c->branch_hits[row],
        .target = c->branch_target ? c->branch_target[row] : 0,
        .row = row,
        .block = ID(c->branch_block, row),
        .name = ID(c->branch_name, row),
        .func = ID(c->branch_func, row),
        .column = value(c->branch_column, row),
        .end_line = value(c->branch_end_line, row),
        .end_column = value(c->branch_end_column, row),
        .flags = c->branch_flags ? c->branch_flags[row] : 0,
    };
    if (!b.block && !b.name) b.index = value(c->branch_index, row);
    return b;
}

static bool has_own_name(const struct lcov_out_branch *b)
{
    return b->block && b->name && !b->func && !b->column && !b->end_line && !b->end_column && !b->target;
}

static int by_identity(const void *x, const void *y)
{
    const struct lcov_out_branch *a = x, *b = y;
    int unreachable = (a->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE) - (b->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE);
    if (unreachable) return unreachable;
    ORDER_BY(a->block, b->block);
    ORDER_BY(a->name, b->name);
    ORDER_BY(a->func, b->func);
    ORDER_BY(a->index, b->index);
    ORDER_BY(a->column, b->column);
    ORDER_BY(a->end_line, b->end_line);
    ORDER_BY(a->end_column, b->end_column);
    ORDER_BY(a->target, b->target);
    return 0;
}

static int by_identity_and_row(const void *x, const void *y)
{
    const struct lcov_out_branch *a = x, *b = y;
    int c = by_identity(x, y);
    if (c) return c;
    ORDER_BY(a->row, b->row);
    return 0;
}

static int by_row(const void *x, const void *y)
{
    const struct lcov_out_branch *a = x, *b = y;
    ORDER_BY(a->row, b->row);
    return 0;
}

/* Each branch of the line once, in the order of the profile. */
static bool gather(struct lcov_out *w, uint32_t from, uint32_t to)
{
    const struct lcov_rows *rows = &w->plan->branches;
    size_t n = 0;
    w->branches.len = 0;
    for (uint32_t i = from; i < to; i++) {
        struct lcov_out_branch b = branch_at(w->plan->c, lcov_row(rows, i)), *slot;
        if (b.flags & ASSAY_COVERAGE_BRANCH_EXCLUDED || (!w->is_2x && b.flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE)) continue;
        if (!(slot = vec_push(w->mem, &w->branches))) return false;
        *slot = b;
    }
    if (w->branches.len == 0) return true;
    struct lcov_out_branch *at = w->branches.at;
    sort_by(at, w->branches.len, sizeof *at, by_identity_and_row);
    for (size_t i = 0; i < w->branches.len; i++) {
        if (n && by_identity(&at[n - 1], &at[i]) == 0) {
            uint8_t evaluated = at[n - 1].flags & at[i].flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
            at[n - 1].hits = lcov_add(at[n - 1].hits, at[i].hits);
            at[n - 1].flags = (uint8_t)(((at[n - 1].flags | at[i].flags) & ~ASSAY_COVERAGE_BRANCH_NOT_EVALUATED) | evaluated);
        } else
            at[n++] = at[i];
    }
    w->branches.len = n;
    return sort_by(at, n, sizeof *at, by_row);
}

static void put_start(struct lcov_out *w, uint32_t line, uint8_t flags)
{
    output_text(w->o, "BRDA:");
    output_u64(w->o, line);
    output_char(w->o, ',');
    if (!w->is_2x) return;
    if (flags & (ASSAY_COVERAGE_BRANCH_EXCEPTION | ASSAY_COVERAGE_BRANCH_FALLTHROUGH)) output_char(w->o, flags & ASSAY_COVERAGE_BRANCH_EXCEPTION ? 'e' : 'f');
    if (flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE) output_char(w->o, 'U');
}

static void put_end(struct lcov_out *w, uint64_t hits, bool not_evaluated)
{
    output_char(w->o, ',');
    if (not_evaluated)
        output_char(w->o, '-');
    else
        output_u64(w->o, hits);
    output_char(w->o, '\n');
}

static bool is_number(const struct lcov_out *w, uint32_t id)
{
    assay_slice s = assay_profile_string(w->plan->p, (assay_str_id){ id });
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] < '0' || s.data[i] > '9') return false;
    return s.len > 0;
}

/* Readers of version 1 skip branches whose block or name is no number: then all of the line are numbered. */
static bool are_numbered(const struct lcov_out *w)
{
    bool any = false;
    for (size_t i = 0; i < w->branches.len && !w->is_2x && !any; i++)
        any = has_own_name(&w->branches.at[i]) && !(is_number(w, w->branches.at[i].block) && is_number(w, w->branches.at[i].name));
    return any;
}

static void put_branches(struct lcov_out *w, uint32_t line, uint64_t *ordinal, struct lcov_tally *n)
{
    bool numbered = are_numbered(w);
    for (size_t i = 0; i < w->branches.len; i++) {
        const struct lcov_out_branch *b = &w->branches.at[i];
        put_start(w, line, b->flags);
        if (has_own_name(b) && !numbered) {
            lcov_write_name(w->o, assay_profile_string(w->plan->p, (assay_str_id){ b->block }));
            output_char(w->o, ',');
            lcov_write_name(w->o, assay_profile_string(w->plan->p, (assay_str_id){ b->name }));
        } else {
            output_text(w->o, "0,");
            output_u64(w->o, (*ordinal)++);
        }
        put_end(w, b->hits, b->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED && b->hits == 0);
        if (b->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE) continue;
        n->found++;
        n->hit += b->hits > 0;
    }
}

/* The branches of a line. false = no memory */
static bool put_line(struct lcov_out *w, uint32_t line, uint32_t from, uint64_t *ordinal, struct lcov_tally *n)
{
    uint32_t to = w->plan->branches.at;
    if (w->has_plain_branches && lcov_write_plain(w, line, from, to, n)) return true;
    lcov_write_text(w);
    if (!gather(w, from, to)) return false;
    put_branches(w, line, ordinal, n);
    return true;
}

static bool is_hit(const struct lcov_out *w, uint32_t line)
{
    size_t from = 0, to = w->lines.len;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (w->lines.at[middle].line < line)
            from = middle + 1;
        else
            to = middle;
    }
    return from < w->lines.len && w->lines.at[from].line == line && w->lines.at[from].hits > 0;
}

/* The sums of a line: the largest stands for all. */
static void put_sums(struct lcov_out *w, uint32_t line, uint32_t from, uint32_t to, uint64_t *ordinal, struct lcov_tally *n)
{
    const struct assay_coverage *c = w->plan->c;
    uint32_t hit = 0, total = 0;
    lcov_write_text(w);
    for (uint32_t i = from; i < to; i++) {
        uint32_t row = lcov_row(&w->plan->sums, i);
        if (!slice_is(assay_profile_string(w->plan->p, c->sum_kind[row]), "branches") || c->sum_total[row] > LCOV_SUM_MAX) continue;
        if (c->sum_hit[row] > hit) hit = c->sum_hit[row];
        if (c->sum_total[row] > total) total = c->sum_total[row];
    }
    if (hit > total) hit = total;
    for (uint32_t i = 0; i < total; i++) {
        put_start(w, line, 0);
        output_text(w->o, "0,");
        output_u64(w->o, (*ordinal)++);
        put_end(w, i < hit, i >= hit && !is_hit(w, line));
    }
    n->found += total;
    n->hit += hit;
}

/* Both tables in the order of lines. */
bool lcov_write_branches(struct lcov_out *w, uint32_t unit)
{
    struct lcov_rows *branches = &w->plan->branches, *sums = &w->plan->sums;
    struct lcov_tally n = { 0, 0 };
    uint32_t line = 0, from, sum_line = 0, sum_from;
    bool has_branch = lcov_rows_next(branches, unit, &line, &from), has_sum = lcov_rows_next(sums, unit, &sum_line, &sum_from);
    while (has_branch || has_sum) {
        uint64_t ordinal = 0;
        uint32_t now = !has_sum || (has_branch && line <= sum_line) ? line : sum_line;
        if (has_branch && line == now) {
            if (!put_line(w, now, from, &ordinal, &n)) return false;
            has_branch = lcov_rows_next(branches, unit, &line, &from);
        }
        if (has_sum && sum_line == now) {
            put_sums(w, now, sum_from, sums->at, &ordinal, &n);
            has_sum = lcov_rows_next(sums, unit, &sum_line, &sum_from);
        }
    }
    lcov_write_text(w);
    if (n.found) output_printf(w->o, "BRF:%llu\nBRH:%llu\n", (unsigned long long)n.found, (unsigned long long)n.hit);
    return true;
}

/* ---- conditions: by group and number, true before false, each once ---- */

static int by_condition(const void *x, const void *y)
{
    const struct lcov_out_condition *a = x, *b = y;
    ORDER_BY(a->group, b->group);
    ORDER_BY(a->index, b->index);
    if (a->sense != b->sense) return a->sense ? -1 : 1;
    ORDER_BY(a->flags, b->flags);
    return 0;
}

static int by_condition_and_row(const void *x, const void *y)
{
    const struct lcov_out_condition *a = x, *b = y;
    int c = by_condition(x, y);
    if (c) return c;
    ORDER_BY(a->row, b->row);
    return 0;
}

static bool gather_conditions(struct lcov_out *w, uint32_t from, uint32_t to)
{
    const struct assay_coverage *c = w->plan->c;
    size_t n = 0;
    w->conditions.len = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t row = lcov_row(&w->plan->conditions, i);
        if (c->condition_flags && c->condition_flags[row] & ASSAY_COVERAGE_BRANCH_EXCLUDED) continue;
        struct lcov_out_condition *slot = vec_push(w->mem, &w->conditions);
        if (!slot) return false;
        *slot = (struct lcov_out_condition){ c->condition_hits[row],
                                             row,
                                             value(c->condition_group, row),
                                             value(c->condition_index, row),
                                             c->condition_sense ? c->condition_sense[row] : 0,
                                             c->condition_flags ? c->condition_flags[row] : 0 };
    }
    struct lcov_out_condition *at = w->conditions.at;
    if (at) sort_by(at, w->conditions.len, sizeof *at, by_condition_and_row);
    for (size_t i = 0; i < w->conditions.len; i++) {
        if (n && by_condition(&at[n - 1], &at[i]) == 0)
            at[n - 1].hits = lcov_add(at[n - 1].hits, at[i].hits);
        else
            at[n++] = at[i];
    }
    w->conditions.len = n;
    return true;
}

static void put_condition(struct lcov_out *w, uint32_t line, const struct lcov_out_condition *k)
{
    const struct assay_coverage *c = w->plan->c;
    assay_slice text = c->condition_text ? assay_profile_string(w->plan->p, c->condition_text[k->row]) : (assay_slice){ NULL, 0 };
    output_printf(w->o, "MCDC:%u,%s%u,%c,%llu,%u,", line, k->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE ? "U" : "", k->group, k->sense ? 't' : 'f',
                  (unsigned long long)k->hits, k->index);
    if (text.len)
        lcov_write_name(w->o, text);
    else
        output_u64(w->o, k->index);
    output_char(w->o, '\n');
}

bool lcov_write_conditions(struct lcov_out *w, uint32_t unit)
{
    struct lcov_rows *rows = &w->plan->conditions;
    struct lcov_tally n = { 0, 0 };
    uint32_t line, from;
    while (lcov_rows_next(rows, unit, &line, &from)) {
        if (!w->is_2x) continue;
        if (!gather_conditions(w, from, rows->at)) return false;
        for (size_t i = 0; i < w->conditions.len; i++) {
            const struct lcov_out_condition *k = &w->conditions.at[i];
            put_condition(w, line, k);
            if (k->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE) continue;
            n.found++;
            n.hit += k->hits > 0;
        }
    }
    if (n.found) output_printf(w->o, "MCF:%llu\nMCH:%llu\n", (unsigned long long)n.found, (unsigned long long)n.hit);
    return true;
}
