/* See tally.h. Parts are mostly in the order of files, and their rows in the order of lines: then one pass counts them. */
#include "analysis/coverage/tally.h"

#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

void coverage_tally_init(struct coverage_tally *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
}

void coverage_tally_done(struct coverage_tally *t) { vec_done(t->mem, &t->lines, &t->branches, &t->parts); }

static void end_part(struct coverage_tally *t)
{
    struct tally_part *p = t->parts.len ? &t->parts.at[t->parts.len - 1] : NULL;
    if (!p) return;
    p->line_count = t->lines.len - p->line;
    p->branch_count = t->branches.len - p->branch;
}

bool coverage_tally_file(struct coverage_tally *t, uint32_t file)
{
    if (t->parts.len && t->parts.at[t->parts.len - 1].file == file) return true;
    end_part(t);
    struct tally_part *p = vec_push(t->mem, &t->parts);
    if (!p) return false;
    *p = (struct tally_part){ .line = t->lines.len, .branch = t->branches.len, .file = file };
    t->repeats |= file <= t->last_file;
    if (file > t->last_file) t->last_file = file;
    return true;
}

bool coverage_tally_lines(struct coverage_tally *t, const uint32_t *line, const uint64_t *hits, size_t count)
{
    if (!vec_reserve(t->mem, &t->lines, count)) return false;
    uint32_t *to = t->lines.at + t->lines.len;
    for (size_t i = 0; i < count; i++) to[i] = line[i] << 1 | (hits[i] > 0);
    t->lines.len += count;
    return true;
}

bool coverage_tally_branch(struct coverage_tally *t, uint32_t line, uint32_t block, uint32_t name, bool is_hit)
{
    struct tally_branch *b = vec_push(t->mem, &t->branches);
    if (b) *b = (struct tally_branch){ line, block, name << 1 | is_hit };
    return b != NULL;
}

/* ---- one file ---- */

static int by_line(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return ORDER(a, b);
}

static void count_lines(uint32_t *at, size_t len, assay_coverage_counts *out)
{
    bool is_sorted = true;
    uint64_t hit = 0;
    for (size_t i = 0; i < len; i++) {
        hit += at[i] & 1;
        is_sorted &= i == 0 || at[i - 1] >> 1 < at[i] >> 1;
    }
    out->lines += len;
    out->lines_hit += hit;
    if (is_sorted) return;
    sort_by(at, len, sizeof *at, by_line);
    for (size_t i = 1; i < len; i++)
        if (at[i - 1] >> 1 == at[i] >> 1) {
            out->lines--;
            out->lines_hit -= at[i - 1] & 1; /* then the last of them is hit too */
        }
}

static int by_branch(const void *x, const void *y)
{
    const struct tally_branch *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    ORDER_BY(a->block, b->block);
    return ORDER(a->name, b->name);
}

static bool is_before(const struct tally_branch *a, const struct tally_branch *b)
{
    if (a->line != b->line) return a->line < b->line;
    return a->block != b->block ? a->block < b->block : a->name >> 1 < b->name >> 1;
}

static void count_branches(struct tally_branch *at, size_t len, assay_coverage_counts *out)
{
    bool is_sorted = true;
    for (size_t i = 0; i < len; i++) {
        out->branches_hit += at[i].name & 1;
        is_sorted &= i == 0 || is_before(&at[i - 1], &at[i]);
    }
    out->branches += len;
    if (is_sorted) return;
    sort_by(at, len, sizeof *at, by_branch);
    for (size_t i = 1; i < len; i++)
        if (!is_before(&at[i - 1], &at[i])) {
            out->branches--;
            out->branches_hit -= at[i - 1].name & 1;
        }
}

/* ---- all files ---- */

static int by_file(const void *x, const void *y)
{
    const struct tally_part *a = x, *b = y;
    ORDER_BY(a->file, b->file);
    return ORDER(a->line, b->line);
}

/* A file that comes again: its rows are put together first. */
static bool count_parts(struct coverage_tally *t, const struct tally_part *parts, size_t count, assay_coverage_counts *out)
{
    SCOPED(coverage_tally_done) struct coverage_tally one = { 0 };
    bool done = true;
    coverage_tally_init(&one, t->mem);
    for (size_t i = 0; i < count && done; i++) {
        const struct tally_part *p = &parts[i];
        done = vec_reserve(t->mem, &one.lines, p->line_count) && vec_reserve(t->mem, &one.branches, p->branch_count);
        if (done && p->line_count) memcpy(one.lines.at + one.lines.len, t->lines.at + p->line, p->line_count * sizeof *one.lines.at);
        if (done && p->branch_count) memcpy(one.branches.at + one.branches.len, t->branches.at + p->branch, p->branch_count * sizeof *one.branches.at);
        one.lines.len += p->line_count;
        one.branches.len += p->branch_count;
    }
    if (done) count_lines(one.lines.at, one.lines.len, out);
    if (done) count_branches(one.branches.at, one.branches.len, out);
    return done;
}

bool coverage_tally_count(struct coverage_tally *t, assay_coverage_counts *out)
{
    *out = (assay_coverage_counts){ 0 };
    end_part(t);
    if (t->repeats) sort_by(t->parts.at, t->parts.len, sizeof *t->parts.at, by_file);
    for (size_t i = 0, next; i < t->parts.len; i = next) {
        const struct tally_part *p = &t->parts.at[i];
        for (next = i + 1; next < t->parts.len && t->parts.at[next].file == p->file;) next++;
        if (next - i > 1) {
            if (!count_parts(t, p, next - i, out)) return false;
            continue;
        }
        if (p->line_count) count_lines(t->lines.at + p->line, p->line_count, out);
        if (p->branch_count) count_branches(t->branches.at + p->branch, p->branch_count, out);
    }
    return true;
}
