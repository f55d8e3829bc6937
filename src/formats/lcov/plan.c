/* Which record each row goes to: one for each file and test, by path and then by name of the test, so that the bytes depend on the profile
 * alone. */
#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/lcov/write.h"
#include "model/column.h"

static uint32_t id_of(const assay_str_id *column, uint32_t row) { return column ? column[row].v : 0; }

/* The number of the record for a file and test, from 1; 0 = no memory. */
static uint32_t unit_of(struct lcov_plan *plan, uint32_t file, uint32_t test)
{
    uint64_t hash = hash_mix(file, test);
    for (struct index_walk w = index_walk(&plan->unit_index, hash); index_next(&plan->unit_index, &w);) {
        const struct lcov_unit *u = &plan->units.at[w.id - 1];
        if (u->file == file && u->test == test) return w.id;
    }
    struct lcov_unit *u = vec_push(plan->mem, &plan->units);
    if (!u) return 0;
    *u = (struct lcov_unit){ file, test };
    uint32_t id = (uint32_t)plan->units.len;
    return index_add(&plan->unit_index, hash, id) ? id : 0;
}

/* One row of a table: which file, test and line it has. */
typedef struct lcov_unit (*unit_fn)(const struct lcov_plan *plan, uint32_t row, uint32_t *line);

static struct lcov_unit line_unit(const struct lcov_plan *plan, uint32_t row, uint32_t *line)
{
    *line = plan->c->line_number[row];
    return (struct lcov_unit){ plan->c->line_file[row].v, id_of(plan->c->line_test, row) };
}

/* Functions have no lines here. */
static struct lcov_unit func_unit(const struct lcov_plan *plan, uint32_t row, uint32_t *line)
{
    const struct assay_funcs *f = assay_profile_funcs(plan->p);
    uint32_t func = plan->c->func[row].v;
    *line = 0;
    return (struct lcov_unit){ f->file ? f->file[func].v : 0, id_of(plan->c->func_test, row) };
}

static struct lcov_unit branch_unit(const struct lcov_plan *plan, uint32_t row, uint32_t *line)
{
    *line = plan->c->branch_line[row];
    return (struct lcov_unit){ plan->c->branch_file[row].v, id_of(plan->c->branch_test, row) };
}

static struct lcov_unit sum_unit(const struct lcov_plan *plan, uint32_t row, uint32_t *line)
{
    *line = plan->c->sum_line ? plan->c->sum_line[row] : 0;
    return (struct lcov_unit){ plan->c->sum_file[row].v, id_of(plan->c->sum_test, row) };
}

static struct lcov_unit condition_unit(const struct lcov_plan *plan, uint32_t row, uint32_t *line)
{
    *line = plan->c->condition_line[row];
    return (struct lcov_unit){ plan->c->condition_file[row].v, id_of(plan->c->condition_test, row) };
}

/* The runs of a table; false = no memory. */
static bool rows_make(struct lcov_plan *plan, struct lcov_rows *rows, uint32_t count, unit_fn fn)
{
    struct lcov_unit last = { UINT32_MAX, 0 };
    struct lcov_run *run = NULL;
    uint32_t line, last_line = 0;
    rows->count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct lcov_unit u = fn(plan, i, &line);
        if (!run || u.file != last.file || u.test != last.test || line < last_line) {
            uint32_t unit = unit_of(plan, u.file, u.test);
            run = unit ? vec_push(plan->mem, &rows->runs) : NULL;
            if (!run) return false;
            *run = (struct lcov_run){ unit, i, i };
        }
        run->end = i + 1;
        last = u;
        last_line = line;
    }
    return true;
}

static int by_unit(const void *x, const void *y)
{
    const struct lcov_run *a = x, *b = y;
    ORDER_BY(a->unit, b->unit);
    return ORDER(a->from, b->from);
}

/* Whether each record has one run at most; the runs are in order. */
static bool is_whole(const struct lcov_rows *rows)
{
    for (size_t i = 1; i < rows->runs.len; i++)
        if (rows->runs.at[i - 1].unit == rows->runs.at[i].unit) return false;
    return true;
}

/* Keys, and the order of rows by them. */
static bool make_keys(struct lcov_plan *plan, struct lcov_rows *rows, unit_fn fn)
{
    uint32_t n = 0, number;
    rows->key = mem_alloc(plan->mem, rows->count * sizeof *rows->key);
    rows->row = mem_alloc(plan->mem, rows->count * sizeof *rows->row);
    if (!rows->key || !rows->row) return false;
    for (size_t i = 0; i < rows->runs.len; i++)
        for (uint32_t at = rows->runs.at[i].from; at < rows->runs.at[i].end; at++, n++) {
            fn(plan, at, &number);
            rows->key[n] = (uint64_t)rows->runs.at[i].unit << 32 | number;
            rows->row[n] = at;
        }
    return radix_sort(plan->mem, rows->key, rows->row, rows->count, 0);
}

static bool rows_sort(struct lcov_plan *plan, struct lcov_rows *rows, const uint32_t *line, unit_fn fn)
{
    bool is_sorted = true;
    rows->line = line;
    for (size_t i = 0; i < rows->runs.len; i++) {
        rows->runs.at[i].unit = plan->rank[rows->runs.at[i].unit];
        is_sorted &= i == 0 || rows->runs.at[i - 1].unit <= rows->runs.at[i].unit;
    }
    if (!is_sorted && !sort_by(rows->runs.at, rows->runs.len, sizeof *rows->runs.at, by_unit)) return false;
    return is_whole(rows) || make_keys(plan, rows, fn);
}

static void rows_free(struct lcov_plan *plan, struct lcov_rows *rows)
{
    mem_free(plan->mem, rows->key, rows->key ? rows->count * sizeof *rows->key : 0);
    mem_free(plan->mem, rows->row, rows->row ? rows->count * sizeof *rows->row : 0);
    vec_done(plan->mem, &rows->runs);
}

/* ---- the order of records ---- */

struct named_unit {
    assay_slice path, test;
    struct lcov_unit unit;
    uint32_t number;
};

static int by_names(const void *x, const void *y)
{
    const struct named_unit *a = x, *b = y;
    int c = slice_compare(a->path, b->path);
    if (c == 0) c = slice_compare(a->test, b->test);
    return c ? c : ORDER(a->number, b->number);
}

static bool rank_units(struct lcov_plan *plan)
{
    const struct assay_files *files = assay_profile_files(plan->p);
    size_t n = plan->units.len;
    SCRATCH(struct named_unit, list, plan->mem, n);
    plan->rank_count = n + 1;
    plan->rank = mem_zalloc(plan->mem, n + 1, sizeof *plan->rank);
    bool done = list && plan->rank;
    for (size_t i = 0; done && i < n && (done = !cancel_at(i)); i++) {
        struct lcov_unit u = plan->units.at[i];
        assay_slice path = files->path ? assay_profile_string(plan->p, files->path[u.file]) : (assay_slice){ NULL, 0 };
        list[i] = (struct named_unit){ path, assay_profile_string(plan->p, (assay_str_id){ u.test }), u, (uint32_t)i + 1 };
    }
    if (done && n) sort_by(list, n, sizeof *list, by_names);
    for (size_t i = 0; done && i < n && (done = !cancel_at(i)); i++) {
        plan->units.at[i] = list[i].unit;
        plan->rank[list[i].number] = (uint32_t)i;
    }
    return done;
}

/* A file without rows still is a file of the report. */
static bool add_bare_files(struct lcov_plan *plan)
{
    uint32_t count = assay_profile_files(plan->p)->count;
    SCRATCH(uint8_t, has, plan->mem, (size_t)count + 1);
    if (!has) return false;
    for (size_t i = 0; i < plan->units.len; i++) has[plan->units.at[i].file] = 1;
    bool done = true;
    for (uint32_t i = 1; done && i <= count && (done = !cancel_at(i)); i++) done = has[i] || unit_of(plan, i, 0) != 0;
    return done;
}

int lcov_plan_make(struct lcov_plan *plan, const assay_profile *p, struct mem *mem, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    memset(plan, 0, sizeof *plan);
    plan->p = p;
    plan->c = c;
    plan->mem = mem;
    index_init(&plan->unit_index, mem);
    bool done = rows_make(plan, &plan->lines, c->line_count, line_unit) && rows_make(plan, &plan->funcs, c->func_count, func_unit) &&
                rows_make(plan, &plan->branches, c->branch_count, branch_unit) && rows_make(plan, &plan->sums, c->sum_count, sum_unit) &&
                rows_make(plan, &plan->conditions, c->condition_count, condition_unit) && add_bare_files(plan) && rank_units(plan) &&
                rows_sort(plan, &plan->lines, c->line_number, line_unit) && rows_sort(plan, &plan->funcs, NULL, func_unit) &&
                rows_sort(plan, &plan->branches, c->branch_line, branch_unit) && rows_sort(plan, &plan->sums, c->sum_line, sum_unit) &&
                rows_sort(plan, &plan->conditions, c->condition_line, condition_unit);
    return done ? 0 : error_memory(err);
}

void lcov_plan_free(struct lcov_plan *plan)
{
    rows_free(plan, &plan->lines);
    rows_free(plan, &plan->funcs);
    rows_free(plan, &plan->branches);
    rows_free(plan, &plan->sums);
    rows_free(plan, &plan->conditions);
    mem_free(plan->mem, plan->rank, plan->rank_count * sizeof *plan->rank);
    vec_done(plan->mem, &plan->units);
    index_done(&plan->unit_index);
}

/* ---- cursors ---- */

/* The first of `count` whose record is not before `unit`. */
static size_t first_of(const struct lcov_rows *rows, size_t count, uint32_t unit)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        uint32_t other = rows->key ? (uint32_t)(rows->key[middle] >> 32) : rows->runs.at[middle].unit;
        if (other < unit)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void rows_seek(struct lcov_rows *rows, uint32_t unit)
{
    rows->run = first_of(rows, rows->key ? rows->count : rows->runs.len, unit);
    rows->at = rows->key ? (uint32_t)rows->run : rows->run < rows->runs.len ? rows->runs.at[rows->run].from : 0;
}

void lcov_plan_seek(struct lcov_plan *plan, uint32_t unit)
{
    rows_seek(&plan->lines, unit);
    rows_seek(&plan->funcs, unit);
    rows_seek(&plan->branches, unit);
    rows_seek(&plan->sums, unit);
    rows_seek(&plan->conditions, unit);
}

static bool next_by_key(struct lcov_rows *rows, uint32_t unit, uint32_t *line)
{
    if (rows->at == rows->count || rows->key[rows->at] >> 32 != unit) return false;
    uint64_t key = rows->key[rows->at];
    while (rows->at < rows->count && rows->key[rows->at] == key) rows->at++;
    *line = (uint32_t)key;
    return true;
}

/* Whether the run in work, or the one after it, is one of the record. */
static bool has_run(struct lcov_rows *rows, uint32_t unit)
{
    if (rows->run == rows->runs.len) return false;
    if (rows->at == rows->runs.at[rows->run].end) {
        if (++rows->run == rows->runs.len) return false;
        rows->at = rows->runs.at[rows->run].from;
    }
    return rows->runs.at[rows->run].unit == unit;
}

bool lcov_rows_take(struct lcov_rows *rows, uint32_t unit, uint32_t *from)
{
    if (!rows->key && !has_run(rows, unit)) return false;
    *from = rows->at;
    if (!rows->key) {
        rows->at = rows->runs.at[rows->run].end;
        return true;
    }
    while (rows->at < rows->count && rows->key[rows->at] >> 32 == unit) rows->at++;
    return rows->at > *from;
}

bool lcov_rows_next(struct lcov_rows *rows, uint32_t unit, uint32_t *line, uint32_t *from)
{
    if (rows->key) {
        *from = rows->at;
        return next_by_key(rows, unit, line);
    }
    if (!has_run(rows, unit)) return false;
    *from = rows->at;
    uint32_t end = rows->runs.at[rows->run].end;
    *line = rows->line ? rows->line[rows->at] : 0;
    if (!rows->line) rows->at = end;
    while (rows->at < end && rows->line[rows->at] == *line) rows->at++;
    return true;
}
