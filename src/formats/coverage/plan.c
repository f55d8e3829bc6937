/* Rows of a profile -> lines, n of m, and functions of each file; see plan.h. */
#include "formats/coverage/plan.h"
#include "base/cancel.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "model/entry.h"

#define VALUE(column, row) ((column) ? (column)[row] : 0)
static uint64_t key_of(uint32_t file, uint32_t line) { return (uint64_t)file << 32 | line; }

/* ---- lines ---- */

static int by_line(const void *x, const void *y)
{
    const struct coverage_out_line *a = x, *b = y;
    ORDER_BY(a->key, b->key);
    return 0;
}

static bool lines(struct coverage_plan *plan, const struct assay_coverage *c)
{
    size_t n = 0;
    for (uint32_t i = 0; i < c->line_count; i++) {
        if (cancel_at(i)) return false;
        uint8_t flags = VALUE(c->line_flags, i);
        if (flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        struct coverage_out_line *l = vec_push(plan->mem, &plan->lines);
        if (!l) return false;
        *l = (struct coverage_out_line){ key_of(c->line_file[i].v, c->line_number[i]), c->line_hits[i], (flags & ASSAY_COVERAGE_ONLY_HIT) != 0 };
    }
    if (plan->lines.len) sort_by(plan->lines.at, plan->lines.len, sizeof *plan->lines.at, by_line);
    for (size_t i = 0; i < plan->lines.len; i++) {
        struct coverage_out_line l = plan->lines.at[i], *last = n ? &plan->lines.at[n - 1] : NULL;
        if (last && last->key == l.key) {
            last->hits = coverage_add(last->hits, l.hits);
            last->only_hit |= l.only_hit;
        } else
            plan->lines.at[n++] = l;
    }
    plan->lines.len = n;
    for (size_t i = 0; i < n; i++)
        if (plan->lines.at[i].only_hit) plan->lines.at[i].hits = plan->lines.at[i].hits > 0;
    return true;
}

/* ---- branches: each once, then counted for each line ---- */

static int by_identity(const void *x, const void *y)
{
    const struct coverage_out_branch *a = x, *b = y;
    ORDER_BY(a->key, b->key);
    ORDER_BY(a->func, b->func);
    ORDER_BY(a->block, b->block);
    ORDER_BY(a->name, b->name);
    ORDER_BY(a->index, b->index);
    ORDER_BY(a->column, b->column);
    ORDER_BY(a->end_line, b->end_line);
    ORDER_BY(a->end_column, b->end_column);
    ORDER_BY(a->target, b->target);
    return 0;
}

static bool gather_branches(struct coverage_plan *plan, const struct assay_coverage *c)
{
    for (uint32_t i = 0; i < c->branch_count; i++) {
        if (cancel_at(i)) return false;
        if (VALUE(c->branch_flags, i) & (ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED)) continue;
        struct coverage_out_branch *b = vec_push(plan->mem, &plan->branches);
        if (!b) return false;
        *b = (struct coverage_out_branch){ .key = key_of(c->branch_file[i].v, c->branch_line[i]),
                                           .target = VALUE(c->branch_target, i),
                                           .func = ID(c->branch_func, i),
                                           .block = ID(c->branch_block, i),
                                           .name = ID(c->branch_name, i),
                                           .column = VALUE(c->branch_column, i),
                                           .end_line = VALUE(c->branch_end_line, i),
                                           .end_column = VALUE(c->branch_end_column, i),
                                           .flags = VALUE(c->branch_flags, i),
                                           .hits = c->branch_hits[i] };
        if (!b->block && !b->name) b->index = VALUE(c->branch_index, i);
    }
    return sort_by(plan->branches.at, plan->branches.len, sizeof *plan->branches.at, by_identity);
}

static void join_branches(struct coverage_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->branches.len; i++) {
        struct coverage_out_branch b = plan->branches.at[i], *last = n ? &plan->branches.at[n - 1] : NULL;
        if (last && by_identity(last, &b) == 0) {
            last->hits = coverage_add(last->hits, b.hits);
            last->flags &= b.flags;
        } else
            plan->branches.at[n++] = b;
    }
    plan->branches.len = n;
}

static bool add_sum(struct coverage_plan *plan, uint64_t key, uint64_t covered, uint64_t total)
{
    struct coverage_out_sum *s = vec_push(plan->mem, &plan->sums);
    if (s) *s = (struct coverage_out_sum){ key, covered, total };
    return s != NULL;
}

static int by_key(const void *x, const void *y)
{
    const struct coverage_out_sum *a = x, *b = y;
    ORDER_BY(a->key, b->key);
    return 0;
}

static void sort_sums(struct coverage_plan *plan)
{
    if (plan->sums.len) sort_by(plan->sums.at, plan->sums.len, sizeof *plan->sums.at, by_key);
}

/* Sums of a line that come again are the same branches, of which at least the larger number was taken. */
static bool gather_sums(struct coverage_plan *plan, const assay_profile *p, const struct assay_coverage *c)
{
    size_t n = 0;
    for (uint32_t i = 0; i < c->sum_count; i++)
        if (slice_is(assay_profile_string(p, c->sum_kind[i]), "branches") &&
            !add_sum(plan, key_of(c->sum_file[i].v, VALUE(c->sum_line, i)), c->sum_hit[i], c->sum_total[i]))
            return false;
    sort_sums(plan);
    for (size_t i = 0; i < plan->sums.len; i++) {
        struct coverage_out_sum s = plan->sums.at[i], *last = n ? &plan->sums.at[n - 1] : NULL;
        if (last && last->key == s.key) {
            if (s.covered > last->covered) last->covered = s.covered;
            if (s.total > last->total) last->total = s.total;
        } else
            plan->sums.at[n++] = s;
    }
    plan->sums.len = n;
    return true;
}

static bool branches(struct coverage_plan *plan, const assay_profile *p, const struct assay_coverage *c)
{
    size_t n = 0;
    if (!gather_sums(plan, p, c) || !gather_branches(plan, c)) return false;
    join_branches(plan);
    for (size_t i = 0; i < plan->branches.len; i++)
        if (!add_sum(plan, plan->branches.at[i].key, plan->branches.at[i].hits > 0, 1)) return false;
    sort_sums(plan);
    for (size_t i = 0; i < plan->sums.len; i++) {
        struct coverage_out_sum s = plan->sums.at[i], *last = n ? &plan->sums.at[n - 1] : NULL;
        if (last && last->key == s.key) {
            last->covered += s.covered;
            last->total += s.total;
        } else
            plan->sums.at[n++] = s;
    }
    plan->sums.len = n;
    return true;
}

/* ---- functions ---- */

static int by_func(const void *x, const void *y)
{
    const struct coverage_out_func *a = x, *b = y;
    ORDER_BY(a->key, b->key);
    ORDER_BY(a->func, b->func);
    return 0;
}

static bool funcs(struct coverage_plan *plan, const assay_profile *p, const struct assay_coverage *c)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    size_t n = 0;
    for (uint32_t i = 0; i < c->func_count; i++) {
        uint32_t id = c->func[i].v;
        if (VALUE(c->func_flags, i) & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        struct coverage_out_func *o = vec_push(plan->mem, &plan->funcs);
        if (!o) return false;
        *o = (struct coverage_out_func){ key_of(ID(f->file, id), VALUE(f->first_line, id)), c->func_calls[i], id, VALUE(c->func_first_column, i),
                                         VALUE(c->func_last_column, i) };
    }
    if (plan->funcs.len) sort_by(plan->funcs.at, plan->funcs.len, sizeof *plan->funcs.at, by_func);
    for (size_t i = 0; i < plan->funcs.len; i++) {
        struct coverage_out_func o = plan->funcs.at[i], *last = n ? &plan->funcs.at[n - 1] : NULL;
        if (last && last->func == o.func)
            last->calls = coverage_add(last->calls, o.calls);
        else
            plan->funcs.at[n++] = o;
    }
    plan->funcs.len = n;
    return true;
}

/* ---- files ---- */

static int by_path(const void *x, const void *y)
{
    const struct coverage_out_file *a = x, *b = y;
    int c = slice_compare(a->path, b->path);
    return c ? c : ORDER(a->file, b->file);
}

static bool gather_files(struct coverage_plan *plan, const assay_profile *p)
{
    const struct assay_files *files = assay_profile_files(p);
    struct coverage_at at = { 0 };
    for (uint32_t i = 0; i <= files->count; i++) {
        struct coverage_out_file f = { i && files->path ? assay_profile_string(p, files->path[i]) : SLICE("?"), i, at };
        if (!f.path.data) f.path = SLICE(""); /* a file without a path: writers may take it apart */
        uint64_t end = ((uint64_t)i + 1) << 32;
        while (at.line < plan->lines.len && plan->lines.at[at.line].key < end) at.line++;
        while (at.branch < plan->branches.len && plan->branches.at[at.branch].key < end) at.branch++;
        while (at.sum < plan->sums.len && plan->sums.at[at.sum].key < end) at.sum++;
        while (at.func < plan->funcs.len && plan->funcs.at[at.func].key < end) at.func++;
        if (i == 0 && at.line == 0 && at.sum == 0 && at.func == 0) continue;
        struct coverage_out_file *slot = vec_push(plan->mem, &plan->files);
        if (!slot) return false;
        *slot = f;
    }
    return sort_by(plan->files.at, plan->files.len, sizeof *plan->files.at, by_path);
}

bool coverage_plan_next(const struct coverage_plan *plan, uint32_t file, struct coverage_at *at, struct coverage_out_row *out)
{
    uint64_t end = ((uint64_t)file + 1) << 32;
    const struct coverage_out_line *line = at->line < plan->lines.len ? &plan->lines.at[at->line] : NULL;
    if (!line || line->key >= end) return false;
    *out = (struct coverage_out_row){ .line = (uint32_t)line->key, .hits = line->hits };
    while (at->sum < plan->sums.len && plan->sums.at[at->sum].key < line->key) at->sum++;
    if (at->sum < plan->sums.len && plan->sums.at[at->sum].key == line->key) {
        out->covered = plan->sums.at[at->sum].covered;
        out->total = plan->sums.at[at->sum++].total;
    }
    at->line++;
    return true;
}

void coverage_plan_lose_strays(const struct coverage_plan *plan, struct losses *l)
{
    uint64_t count = 0;
    for (size_t i = 0, line = 0; i < plan->sums.len; i++) {
        while (line < plan->lines.len && plan->lines.at[line].key < plan->sums.at[i].key) line++;
        if (line == plan->lines.len || plan->lines.at[line].key != plan->sums.at[i].key) count += plan->sums.at[i].total;
    }
    if (count) losses_add(l, "branches-without-line", count, "branches at lines without a statement are not written: each would add a line");
}

bool coverage_plan_make(struct coverage_plan *plan, const assay_profile *p, struct mem *mem)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    memset(plan, 0, sizeof *plan);
    plan->mem = mem;
    return lines(plan, c) && branches(plan, p, c) && funcs(plan, p, c) && gather_files(plan, p);
}

void coverage_plan_free(struct coverage_plan *plan) { vec_done(plan->mem, &plan->lines, &plan->branches, &plan->sums, &plan->funcs, &plan->files); }
