/* Judges one record of a file (SF to end_of_record): what it counts against what it states, and lines, functions and branches against each
 * other. Codes are given per record, not per file; docs/formats/lcov.md lists them. */
#include <inttypes.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/lcov/check.h"

/* What was counted; functions by name and by start line. */
struct tally {
    uint64_t lines, lines_hit, functions, functions_hit, names, names_hit, groups, groups_hit, branches, branches_hit, conditions, conditions_hit;
};

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static int order(uint64_t a, uint64_t b) { return ORDER(a, b); }

/* ---- lines: sorted, each once ---- */

static int by_line(const void *x, const void *y)
{
    const struct lcov_da *a = x, *b = y;
    return a->line != b->line ? order(a->line, b->line) : order(a->at.off, b->at.off);
}

static void lines(struct lcov_checker *c, struct tally *t)
{
    size_t n = 0;
    if (c->lines.len) sort_by(c->lines.at, c->lines.len, sizeof *c->lines.at, by_line);
    for (size_t i = 0; i < c->lines.len; i++) {
        struct lcov_da *row = &c->lines.at[i];
        if (n && c->lines.at[n - 1].line == row->line) {
            lcov_found(c, row->at, "LC-24", ASSAY_INFO, "line %" PRIu32 " is repeated in this record: counts are added", row->line);
            c->lines.at[n - 1].hits = sum(c->lines.at[n - 1].hits, row->hits);
        } else
            c->lines.at[n++] = *row;
    }
    c->lines.len = n;
    t->lines = n;
    for (size_t i = 0; i < n; i++) {
        t->lines_hit += c->lines.at[i].hits > 0;
        c->lines.at[i].hit_lines = t->lines_hit;
    }
    if (!n) lcov_found(c, c->begin, "LC-30", ASSAY_INFO, "a record without lines");
}

/* The first line not below `line`. */
static size_t lower(const struct lcov_checker *c, uint32_t line)
{
    size_t from = 0, to = c->lines.len;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (c->lines.at[middle].line < line)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static const struct lcov_da *line_at(const struct lcov_checker *c, uint32_t line)
{
    size_t i = lower(c, line);
    return i < c->lines.len && c->lines.at[i].line == line ? &c->lines.at[i] : NULL;
}

/* ---- functions ---- */

/* FNDA may stand before FN, so they meet here. Those of names that no FN has are functions too. */
static bool count_calls(struct lcov_checker *c)
{
    for (size_t i = 0; i < c->pending.len; i++) {
        const struct lcov_fn *p = &c->pending.at[i];
        uint32_t *at = &c->by_name.at[p->name];
        if (!*at || !c->functions.at[*at - 1].has_line) lcov_found(c, p->at, "LC-11", ASSAY_WARNING, "FNDA for a function that no FN in the record defines");
        if (!*at) {
            struct lcov_fn *f = vec_push(c->mem, &c->functions);
            if (!f) return false;
            *at = (uint32_t)c->functions.len;
            *f = (struct lcov_fn){ .at = p->at, .name = p->name, .turn = *at, .last = *at };
        }
        c->functions.at[*at - 1].called++;
    }
    return true;
}

/* As many FNDA of a name as it has lines go to them in order; otherwise all go to the first: as they are read. */
static bool give_calls(struct lcov_checker *c)
{
    if (!count_calls(c)) return false;
    for (size_t i = 0; i < c->pending.len; i++) {
        const struct lcov_fn *p = &c->pending.at[i];
        struct lcov_fn *first = &c->functions.at[c->by_name.at[p->name] - 1];
        struct lcov_fn *f = &c->functions.at[first->turn - 1];
        f->calls = sum(f->calls, p->calls);
        if (first->called == first->defined && f->next) first->turn = f->next;
    }
    return true;
}

/* By start line, those without one behind them by name. */
static int by_start(const void *x, const void *y)
{
    const struct lcov_fn *a = x, *b = y;
    if (a->has_line != b->has_line) return a->has_line ? -1 : 1;
    if (a->has_line && a->line != b->line) return order(a->line, b->line);
    return order(a->at.off, b->at.off);
}

static int by_name(const void *x, const void *y)
{
    const struct lcov_fn *a = x, *b = y;
    return a->leader != b->leader ? order(a->leader, b->leader) : order(a->name, b->name);
}

static void group(struct lcov_checker *c, const struct lcov_fn *first, bool is_hit)
{
    if (!first->has_line) return;
    if (first->line && !line_at(c, first->line))
        lcov_found(c, first->at, "LC-19", ASSAY_INFO, "a function at line %" PRIu32 ", which has no DA in the record", first->line);
    if (!first->end_line) return;
    if (first->end_line < first->line) {
        lcov_found(c, first->at, "LC-15", ASSAY_WARNING, "the function ends at line %" PRIu32 ", before its start at %" PRIu32, first->end_line, first->line);
        return;
    }
    size_t from = lower(c, first->line), to = lower(c, first->end_line + 1);
    if (from == to) return;
    bool any_hit = c->lines.at[to - 1].hit_lines > (from ? c->lines.at[from - 1].hit_lines : 0);
    if (any_hit != is_hit)
        lcov_found(c, first->at, "LC-20", ASSAY_WARNING,
                   is_hit ? "the function was called, but none of its lines %" PRIu32 " to %" PRIu32 " was hit"
                          : "the function was never called, but one of its lines %" PRIu32 " to %" PRIu32 " was hit",
                   first->line, first->end_line);
}

static void groups(struct lcov_checker *c, struct tally *t)
{
    if (c->functions.len) sort_by(c->functions.at, c->functions.len, sizeof *c->functions.at, by_start);
    for (size_t i = 0, next; i < c->functions.len; i = next) {
        const struct lcov_fn *first = &c->functions.at[i];
        bool is_hit = first->calls > 0;
        for (next = i + 1; first->has_line && next < c->functions.len; next++) {
            const struct lcov_fn *f = &c->functions.at[next];
            if (!f->has_line || f->line != first->line) break;
            is_hit |= f->calls > 0;
        }
        t->groups++;
        t->groups_hit += is_hit;
        group(c, first, is_hit);
    }
}

static bool functions(struct lcov_checker *c, struct tally *t)
{
    if (!give_calls(c)) return false;
    if (c->has_fn && c->has_fnl) lcov_found(c, c->begin, "LC-33", ASSAY_INFO, "functions are listed both as FN (1.x) and as FNL (2.x) in one record");
    groups(c, t);
    if (c->functions.len) sort_by(c->functions.at, c->functions.len, sizeof *c->functions.at, by_name);
    for (size_t i = 0, next; i < c->functions.len; i = next) {
        uint64_t hit = 0, is_alias = c->functions.at[i].leader != 0;
        for (next = i; next < c->functions.len && by_name(&c->functions.at[i], &c->functions.at[next]) == 0; next++) hit += c->functions.at[next].calls > 0;
        t->functions += is_alias ? 1 : next - i;
        t->functions_hit += is_alias ? hit > 0 : hit;
        t->names++;
        t->names_hit += hit > 0;
    }
    return true;
}

/* ---- branches ---- */

static int by_branch(const void *x, const void *y)
{
    const struct lcov_brda *a = x, *b = y;
    if (a->line != b->line) return order(a->line, b->line);
    if (a->block != b->block) return order(a->block, b->block);
    return a->name != b->name ? order(a->name, b->name) : order(a->at.off, b->at.off);
}

/* The branches of one line that can be reached: [from, to). */
static void branches_of_line(struct lcov_checker *c, size_t from, size_t to, struct tally *t)
{
    const struct lcov_brda *rows = c->branches.at;
    const struct lcov_da *line = line_at(c, rows[from].line);
    struct lcov_at at = rows[from].at;
    bool any = false, any_dash = false;
    for (size_t i = from, next; i < to; i = next) {
        bool is_hit = false;
        for (next = i; next < to && rows[next].block == rows[i].block && rows[next].name == rows[i].name; next++) {
            is_hit |= rows[next].hits > 0;
            any_dash |= (rows[next].flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED) != 0;
            if (rows[next].at.off < at.off) at = rows[next].at;
        }
        t->branches++;
        t->branches_hit += is_hit;
        any |= is_hit;
    }
    if (!line) {
        lcov_found(c, at, "LC-19", ASSAY_INFO, "a branch at line %" PRIu32 ", which has no DA in the record", rows[from].line);
        return;
    }
    if (any && !line->hits) lcov_found(c, at, "LC-21", ASSAY_WARNING, "a branch of line %" PRIu32 " was taken, but the line was not hit", line->line);
    if (any_dash && line->hits) lcov_found(c, at, "LC-22", ASSAY_INFO, "a branch of line %" PRIu32 " was never evaluated, but the line was hit", line->line);
    if (!any && line->hits) lcov_found(c, at, "LC-23", ASSAY_INFO, "line %" PRIu32 " was hit, but none of its branches was taken", line->line);
}

static void branches(struct lcov_checker *c, struct tally *t)
{
    size_t n = 0;
    for (size_t i = 0; i < c->branches.len; i++)
        if (!(c->branches.at[i].flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE)) c->branches.at[n++] = c->branches.at[i];
    if (n) sort_by(c->branches.at, n, sizeof *c->branches.at, by_branch);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i; next < n && c->branches.at[next].line == c->branches.at[i].line;) next++;
        branches_of_line(c, i, next, t);
    }
}

/* ---- conditions ---- */

static int by_condition(const void *x, const void *y)
{
    const struct lcov_mcdc *a = x, *b = y;
    if (a->line != b->line) return order(a->line, b->line);
    if (a->group != b->group) return order(a->group, b->group);
    if (a->index != b->index) return order(a->index, b->index);
    return order(a->sense, b->sense);
}

static void conditions(struct lcov_checker *c, struct tally *t)
{
    size_t n = 0;
    for (size_t i = 0; i < c->conditions.len; i++)
        if (!(c->conditions.at[i].flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE)) c->conditions.at[n++] = c->conditions.at[i];
    if (n) sort_by(c->conditions.at, n, sizeof *c->conditions.at, by_condition);
    for (size_t i = 0, next; i < n; i = next) {
        const struct lcov_mcdc *first = &c->conditions.at[i];
        struct lcov_at at = first->at;
        uint64_t distinct = 0;
        for (next = i; next < n && c->conditions.at[next].line == first->line && c->conditions.at[next].group == first->group;) {
            bool is_hit = false;
            size_t same = next;
            for (; next < n && by_condition(&c->conditions.at[same], &c->conditions.at[next]) == 0; next++) {
                is_hit |= c->conditions.at[next].hits > 0;
                if (c->conditions.at[next].at.off < at.off) at = c->conditions.at[next].at;
            }
            distinct++;
            t->conditions++;
            t->conditions_hit += is_hit;
        }
        if (distinct != 2 * (uint64_t)first->group)
            lcov_found(c, at, "LC-29", ASSAY_WARNING, "line %" PRIu32 ": a group of %" PRIu32 " conditions has %" PRIu64 " outcomes instead of %" PRIu64,
                       first->line, first->group, distinct, 2 * (uint64_t)first->group);
    }
}

/* ---- stated against counted ---- */

static void compare(struct lcov_checker *c, const struct tally *t)
{
    const uint64_t counted[LCOV_COUNTERS][3] = {
        [LCOV_LF] = { t->lines, t->lines, t->lines },
        [LCOV_LH] = { t->lines_hit, t->lines_hit, t->lines_hit },
        [LCOV_FNF] = { t->functions, t->names, t->groups },
        [LCOV_FNH] = { t->functions_hit, t->names_hit, t->groups_hit },
        [LCOV_BRF] = { t->branches, t->branches, t->branches },
        [LCOV_BRH] = { t->branches_hit, t->branches_hit, t->branches_hit },
        [LCOV_MCF] = { t->conditions, t->conditions, t->conditions },
        [LCOV_MCH] = { t->conditions_hit, t->conditions_hit, t->conditions_hit },
    };
    bool above = c->has_stated[LCOV_LF] && c->has_stated[LCOV_LH] && c->stated[LCOV_LH] > c->stated[LCOV_LF], any = false;
    if (above)
        lcov_found(c, c->stated_at[LCOV_LH], "LC-17", ASSAY_WARNING,
                   "LH states %" PRIu64 " lines hit of %" PRIu64 ", but the record has %" PRIu64 " of %" PRIu64, c->stated[LCOV_LH], c->stated[LCOV_LF],
                   t->lines_hit, t->lines);
    for (int i = 0; i < LCOV_COUNTERS; i++) {
        any |= c->has_stated[i];
        if (!c->has_stated[i] || c->stated[i] == counted[i][0] || c->stated[i] == counted[i][1] || c->stated[i] == counted[i][2]) continue;
        if (above && i == LCOV_LH) continue;
        lcov_found(c, c->stated_at[i], "LC-16", ASSAY_WARNING, "%s states %" PRIu64 ", but the record has %" PRIu64, lcov_counter_name((enum lcov_counter)i),
                   c->stated[i], counted[i][0]);
    }
    if (!any) lcov_found(c, c->begin, "LC-18", ASSAY_INFO, "the record has no totals");
}

bool lcov_check_record_end(struct lcov_checker *c)
{
    struct tally t = { 0 };
    lines(c, &t);
    if (!functions(c, &t)) return false;
    branches(c, &t);
    conditions(c, &t);
    compare(c, &t);
    for (size_t i = 0; i < c->functions.len; i++)
        if (c->functions.at[i].name < c->by_name.len) c->by_name.at[c->functions.at[i].name] = 0;
    c->lines.len = c->branches.len = c->conditions.len = c->functions.len = c->pending.len = 0;
    memset(c->has_stated, 0, sizeof c->has_stated);
    c->is_open = c->has_fn = c->has_fnl = false;
    if (c->more_lines.count) index_done(&c->more_lines);
    return true;
}
