/* Coverage of one file after another; see view.h. Each table is sorted by place once; a file is then a range of each. */
#include "analysis/coverage/view.h"

#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"

#define LEFT_OUT_LINE (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)
#define LEFT_OUT_BRANCH (ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED)

/* ---- the tables ---- */

static bool table_init(struct coverage_view *v, struct view_table *t, const assay_file_id *file, const uint32_t *line, uint32_t count)
{
    t->begin = mem_zalloc(v->mem, (size_t)v->files + 2, sizeof *t->begin);
    if (!places_init(&t->places, v->mem, file, line, count) || !t->begin) return false;
    for (uint32_t i = 0; i < count; i++) t->begin[COVERAGE_ID(file, i) + 1]++;
    for (uint32_t f = 0; f <= v->files; f++) t->begin[f + 1] += t->begin[f];
    return true;
}

static void table_done(struct coverage_view *v, struct view_table *t)
{
    places_done(&t->places, v->mem);
    mem_free(v->mem, t->begin, ((size_t)v->files + 2) * sizeof *t->begin);
}

static bool place_functions(struct coverage_view *v)
{
    const struct assay_coverage *c = v->c;
    const assay_file_id *file = assay_profile_funcs(v->profile)->file;
    v->func_file = mem_zalloc(v->mem, (size_t)c->func_count + 1, sizeof *v->func_file);
    if (!v->func_file) return false;
    for (uint32_t i = 0; i < c->func_count; i++) v->func_file[i].v = COVERAGE_ID(file, c->func[i].v);
    return table_init(v, &v->func_table, v->func_file, (const uint32_t *)c->func, c->func_count);
}

static bool same_condition(const struct assay_coverage *c, uint32_t a, uint32_t b)
{
    return coverage_number(c->condition_group, a) == coverage_number(c->condition_group, b) &&
           coverage_number(c->condition_index, a) == coverage_number(c->condition_index, b) &&
           (!c->condition_sense || c->condition_sense[a] == c->condition_sense[b]);
}

static uint64_t hash_condition(const struct assay_coverage *c, uint32_t row)
{
    return hash_mix(hash_mix(coverage_number(c->condition_group, row), coverage_number(c->condition_index, row)),
                    c->condition_sense ? c->condition_sense[row] : 0);
}

int coverage_view_init(struct coverage_view *v, struct mem *mem, const assay_profile *p, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    memset(v, 0, sizeof *v);
    v->mem = mem;
    v->profile = p;
    v->c = c;
    v->files = assay_profile_files(p)->count;
    distinct_init(&v->distinct_branches, mem, c, coverage_same_branch, coverage_hash_branch);
    distinct_init(&v->distinct_conditions, mem, c, same_condition, hash_condition);
    bool done = table_init(v, &v->line_table, c->line_file, c->line_number, c->line_count) &&
                table_init(v, &v->branch_table, c->branch_file, c->branch_line, c->branch_count) &&
                table_init(v, &v->sum_table, c->sum_file, c->sum_line, c->sum_count) &&
                table_init(v, &v->condition_table, c->condition_file, c->condition_line, c->condition_count) && place_functions(v);
    return done ? 0 : error_memory(err);
}

void coverage_view_done(struct coverage_view *v)
{
    size_t functions = v->c ? (size_t)v->c->func_count + 1 : 0;
    table_done(v, &v->line_table);
    table_done(v, &v->branch_table);
    table_done(v, &v->sum_table);
    table_done(v, &v->condition_table);
    table_done(v, &v->func_table);
    mem_free(v->mem, v->func_file, functions * sizeof *v->func_file);
    distinct_done(&v->distinct_branches);
    distinct_done(&v->distinct_conditions);
    vec_done(v->mem, &v->lines, &v->branches, &v->functions);
}

/* ---- one line: the rows of each table that stand at it ---- */

/* Where the walk through a table stands. */
struct reach {
    const struct view_table *table;
    uint32_t at, end;
};

static struct reach reach_of(const struct view_table *t, uint32_t file) { return (struct reach){ t, t->begin[file], t->begin[file + 1] }; }

static bool has_row(const struct reach *r, uint32_t line, uint32_t *row)
{
    if (r->at == r->end) return false;
    *row = places_row(&r->table->places, r->at);
    return coverage_number(r->table->places.line, *row) == line;
}

static uint32_t nearest(const struct reach *r, uint32_t so_far)
{
    if (r->at == r->end) return so_far;
    uint32_t line = coverage_number(r->table->places.line, places_row(&r->table->places, r->at));
    return line < so_far ? line : so_far;
}

static void take_hits(const struct coverage_view *v, struct reach *r, struct view_line *to)
{
    uint8_t always = LEFT_OUT_LINE;
    bool any = false;
    for (uint32_t row; has_row(r, to->line, &row); r->at++) {
        uint8_t flags = v->c->line_flags ? v->c->line_flags[row] : 0;
        any = true;
        to->flags |= flags;
        always &= flags;
        if (flags & LEFT_OUT_LINE) continue;
        to->is_code = true;
        to->hits = coverage_add(to->hits, v->c->line_hits[row]);
    }
    to->flags = (uint8_t)((to->flags & ~LEFT_OUT_LINE) | (any ? always : 0));
    if (to->flags & ASSAY_COVERAGE_ONLY_HIT) to->hits = to->hits > 0;
}

static bool take_branches(struct coverage_view *v, struct reach *r, struct view_line *to)
{
    struct distinct *d = &v->distinct_branches;
    to->first_branch = (uint32_t)v->branches.len;
    for (uint32_t row; has_row(r, to->line, &row); r->at++)
        if (!distinct_add(d, row, v->c->branch_hits[row], v->c->branch_flags ? v->c->branch_flags[row] : 0)) return false;
    for (size_t i = 0; i < d->list.len; i++) {
        const struct member *m = &d->list.at[i];
        struct view_branch *slot = vec_push(v->mem, &v->branches);
        if (!slot) return false;
        *slot = (struct view_branch){ m->row, m->hits, m->flags };
        if (m->flags & LEFT_OUT_BRANCH) continue;
        to->branches++;
        to->branches_hit += m->hits > 0;
    }
    to->branch_count = (uint32_t)v->branches.len - to->first_branch;
    distinct_clear(d);
    return true;
}

/* A line that comes again is the same branches, of which at least the larger number was hit. */
static void take_sums(const struct coverage_view *v, struct reach *r, struct view_line *to)
{
    uint32_t hit = 0, total = 0;
    for (uint32_t row; has_row(r, to->line, &row); r->at++) {
        if (!slice_is(assay_profile_string(v->profile, v->c->sum_kind[row]), "branches")) continue;
        if (v->c->sum_hit[row] > hit) hit = v->c->sum_hit[row];
        if (v->c->sum_total[row] > total) total = v->c->sum_total[row];
    }
    to->branches += total;
    to->branches_hit += hit;
}

static bool take_conditions(struct coverage_view *v, struct reach *r, struct view_line *to)
{
    struct distinct *d = &v->distinct_conditions;
    for (uint32_t row; has_row(r, to->line, &row); r->at++) {
        if (v->c->condition_flags && v->c->condition_flags[row] & LEFT_OUT_BRANCH) continue;
        if (!distinct_add(d, row, v->c->condition_hits[row], 0)) return false;
    }
    to->conditions = (uint32_t)d->list.len;
    for (size_t i = 0; i < d->list.len; i++) to->conditions_hit += d->list.at[i].hits > 0;
    distinct_clear(d);
    return true;
}

static bool take_lines(struct coverage_view *v, uint32_t file)
{
    struct reach lines = reach_of(&v->line_table, file), branches = reach_of(&v->branch_table, file);
    struct reach sums = reach_of(&v->sum_table, file), conditions = reach_of(&v->condition_table, file);
    for (;;) {
        uint32_t line = nearest(&conditions, nearest(&sums, nearest(&branches, nearest(&lines, UINT32_MAX))));
        if (line == UINT32_MAX) return true;
        struct view_line *to = vec_push(v->mem, &v->lines);
        if (!to) return false;
        *to = (struct view_line){ .line = line };
        take_hits(v, &lines, to);
        take_sums(v, &sums, to);
        if (!take_branches(v, &branches, to) || !take_conditions(v, &conditions, to)) return false;
    }
}

/* ---- functions ---- */

static int by_line(const void *x, const void *y)
{
    const struct view_function *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    return ORDER(a->func, b->func);
}

/* The table is sorted by the number of the function, so that rows of one stand together. */
static bool take_functions(struct coverage_view *v, uint32_t file)
{
    struct reach r = reach_of(&v->func_table, file);
    struct view_function *last = NULL;
    for (; r.at < r.end; r.at++) {
        uint32_t row = places_row(&r.table->places, r.at), func = v->c->func[row].v;
        uint8_t flags = v->c->func_flags ? v->c->func_flags[row] : 0;
        if (flags & LEFT_OUT_LINE) continue;
        if (!last || last->func != func) {
            last = vec_push(v->mem, &v->functions);
            if (!last) return false;
            *last = (struct view_function){ .func = func, .line = coverage_number(assay_profile_funcs(v->profile)->first_line, func) };
        }
        last->flags |= flags;
        last->calls = coverage_add(last->calls, v->c->func_calls[row]);
    }
    return sort_by(v->functions.at, v->functions.len, sizeof *v->functions.at, by_line);
}

int coverage_view_file(struct coverage_view *v, uint32_t file, assay_error *err)
{
    v->lines.len = v->branches.len = v->functions.len = 0;
    return take_lines(v, file) && take_functions(v, file) ? 0 : error_memory(err);
}
