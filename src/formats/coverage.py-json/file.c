/* What counts of a file of coverage.py, and what it states. It tells what was hit, not how often. */
#include <stdlib.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/coverage.py-json/decode.h"

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return ORDER(a, b);
}

static int by_line(const void *x, const void *y)
{
    const struct coverage_py_context *a = x, *b = y;
    return a->line != b->line ? ORDER(a->line, b->line) : ORDER(a->name, b->name);
}

/* ---- excluded lines ---- */

/* Of a line in both lists the excluded row counts. Lists are sorted as a rule, so that the next line is near. */
static void drop_excluded(struct coverage_py *p)
{
    size_t count = p->excluded.len, near = 0;
    const uint32_t *excluded = p->excluded.at;
    if (!count) return;
    sort_by(p->excluded.at, count, sizeof *excluded, by_number);
    for (size_t i = 0; i < p->d->rows.len; i++) {
        struct coverage_row *row = &p->d->rows.at[i];
        if (row->kind != COVERAGE_LINE || !row->count) continue;
        if (near && excluded[near - 1] >= row->line)
            row->is_pending = bsearch(&row->line, excluded, count, sizeof *excluded, by_number) != NULL;
        else {
            while (near < count && excluded[near] < row->line) near++;
            row->is_pending = near < count && excluded[near] == row->line;
        }
    }
}

/* ---- contexts ---- */

/* Each name is an attribute once. */
static int list_context(struct coverage_py *p, uint32_t name)
{
    struct coverage_decoder *d = p->d;
    if (name >= p->is_listed.len) {
        size_t more = (size_t)name + 1 - p->is_listed.len;
        if (!vec_reserve(d->mem, &p->is_listed, more)) return error_memory(d->err);
        memset(p->is_listed.at + p->is_listed.len, 0, more);
        p->is_listed.len = (size_t)name + 1;
    }
    if (p->is_listed.at[name]) return 0;
    p->is_listed.at[name] = 1;
    struct coverage_row *row = coverage_add_row(d, COVERAGE_ATTRIBUTE, 0, 0);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(d, "test");
    row->text = name;
    return row->name ? 0 : error_memory(d->err);
}

static int add_row(struct coverage_py *p, const struct coverage_row *row, uint32_t test, bool is_again)
{
    struct coverage_row *slot = vec_push(p->d->mem, &p->d->rows);
    if (!slot) return error_memory(p->d->err);
    *slot = *row;
    slot->test = test;
    slot->is_again = is_again;
    return 0;
}

/* A row for each context of the line; the row itself when there is none. */
static int spread(struct coverage_py *p, const struct coverage_row *row)
{
    size_t from = 0, to = row->kind == COVERAGE_LINE && row->count && !row->is_pending ? p->contexts.len : 0;
    bool is_run = to > 0, any = false;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (p->contexts.at[middle].line < row->line)
            from = middle + 1;
        else
            to = middle;
    }
    for (; is_run && from < p->contexts.len && p->contexts.at[from].line == row->line; from++, any = true) {
        TRY(list_context(p, p->contexts.at[from].name));
        TRY(add_row(p, row, p->contexts.at[from].name, any));
    }
    return any ? 0 : add_row(p, row, 0, false);
}

static void swap_rows(struct coverage_py *p)
{
    struct coverage_row *at = p->rows.at;
    size_t len = p->rows.len, cap = p->rows.cap;
    p->rows.at = p->d->rows.at;
    p->rows.len = p->d->rows.len;
    p->rows.cap = p->d->rows.cap;
    p->d->rows.at = at;
    p->d->rows.len = len;
    p->d->rows.cap = cap;
}

int coverage_py_settle(struct coverage_py *p)
{
    struct coverage_decoder *d = p->d;
    drop_excluded(p);
    if (!p->contexts.len) return 0;
    sort_by(p->contexts.at, p->contexts.len, sizeof *p->contexts.at, by_line);
    swap_rows(p);
    d->rows.len = 0;
    if (!vec_reserve(d->mem, &d->rows, p->rows.len)) return error_memory(d->err);
    for (size_t i = 0; i < p->rows.len; i++) TRY(spread(p, &p->rows.at[i]));
    return 0;
}

/* ---- what is stated ---- */

int coverage_py_state(struct coverage_py *p, const struct json_event *at, const char *scope, const double *figures)
{
    static const struct {
        const char *kind;
        enum coverage_py_figure hit, total;
    } pairs[] = { { "lines", COVERAGE_PY_COVERED_LINES, COVERAGE_PY_STATEMENTS }, { "branches", COVERAGE_PY_COVERED_BRANCHES, COVERAGE_PY_BRANCHES } };
    bool is_dump = p->d->use == COVERAGE_FOR_DUMP, is_check = p->d->use == COVERAGE_FOR_CHECK;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !is_dump; i++) {
        double hit = figures[pairs[i].hit], total = figures[pairs[i].total];
        if (total >= 0 || (is_check && hit >= 0)) TRY(coverage_state(p->d, at, scope, slice_of(pairs[i].kind), hit, total));
    }
    for (int i = is_dump ? 0 : COVERAGE_PY_MISSING_LINES; i < COVERAGE_PY_FIGURES; i++)
        if (figures[i] >= 0) TRY(coverage_state(p->d, at, scope, slice_of(coverage_py_figure_name((enum coverage_py_figure)i)), figures[i], -1));
    return 0;
}
