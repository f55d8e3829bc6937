/* The rules of coverage.py's JSON beyond damage: what files say of themselves against their lists. */
#include "base/order.h"
#include "base/sort.h"
#include "formats/coverage.py-json/coverage_py.h"
#include "formats/coverage.py-json/decode.h"

enum list { EXECUTED, MISSING, EXCLUDED };
struct branch {
    int64_t to;
    uint32_t from;
    bool is_hit;
};
struct judge {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(uint64_t) lines; /* of the file in work: line << 32 | index of the row, by line */
    VEC(struct branch) branches;
    const struct coverage_row *rows; /* the first is the file's */
};

static int by_ends(const void *x, const void *y)
{
    const struct branch *a = x, *b = y;
    ORDER_BY(a->from, b->from);
    return ORDER(a->to, b->to);
}

static void compare(struct judge *j, const struct coverage_row *stated, const char *what, double counted, double counted_hit)
{
    if (!stated || stated->total < 0 || (stated->total == counted && stated->hit == counted_hit)) return;
    findings_add(j->out, "PY-1", ASSAY_WARNING, j->rows->off, j->rows->number, "the summary states %.0f of %.0f %s, but %.0f of %.0f are listed", stated->hit,
                 stated->total, what, counted_hit, counted);
}

static enum list list_of(const struct coverage_row *row) { return row->flags & ASSAY_COVERAGE_EXCLUDED ? EXCLUDED : row->count ? EXECUTED : MISSING; }

static void judge_lines(struct judge *j, const struct coverage_row *stated)
{
    double found = 0, hit = 0;
    for (size_t i = 0, next; i < j->lines.len; i = next) {
        const struct coverage_row *row = NULL;
        unsigned lists = 0;
        for (next = i; next < j->lines.len && j->lines.at[next] >> 32 == j->lines.at[i] >> 32; next++) {
            row = &j->rows[(uint32_t)j->lines.at[next]];
            lists |= 1u << list_of(row);
        }
        bool executed = lists & 1u << EXECUTED, missing = lists & 1u << MISSING;
        if (executed && missing) findings_add(j->out, "PY-3", ASSAY_WARNING, row->off, row->number, "line %u is both executed and missing", row->line);
        executed = executed && !(lists & 1u << EXCLUDED);
        found += executed || missing;
        hit += executed;
    }
    compare(j, stated, "lines", found, hit);
    if (stated && stated->hit >= 0 && hit > stated->hit)
        findings_add(j->out, "PY-2", ASSAY_INFO, j->rows->off, j->rows->number, "%.0f executed lines are not statements", hit - stated->hit);
}

static void judge_branches(struct judge *j, const struct coverage_row *stated)
{
    double found = 0, hit = 0;
    for (size_t i = 0, next; i < j->branches.len; i = next) {
        bool is_hit = false;
        for (next = i; next < j->branches.len && by_ends(&j->branches.at[i], &j->branches.at[next]) == 0; next++) is_hit |= j->branches.at[next].is_hit;
        found++;
        hit += is_hit;
    }
    compare(j, stated, "branches", found, hit);
}

static int add(struct judge *j, const struct coverage_row *row)
{
    if (row->kind == COVERAGE_LINE) {
        uint64_t *line = vec_push(j->mem, &j->lines);
        if (!line) return error_memory(j->err);
        *line = (uint64_t)row->line << 32 | (uint32_t)(row - j->rows);
    } else if (row->kind == COVERAGE_BRANCH) {
        struct branch *branch = vec_push(j->mem, &j->branches);
        if (!branch) return error_memory(j->err);
        *branch = (struct branch){ row->target, row->line, row->count > 0 };
    }
    return 0;
}

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct judge *j = arg;
    const struct coverage_row *lines = NULL, *branches = NULL;
    j->lines.len = j->branches.len = 0;
    j->rows = rows;
    for (size_t i = 0; i < count; i++) {
        TRY(add(j, &rows[i]));
        if (rows[i].kind != COVERAGE_STATED) continue;
        assay_slice kind = intern_get(&d->names, rows[i].name);
        if (slice_is(kind, "lines")) lines = &rows[i];
        if (slice_is(kind, "branches")) branches = &rows[i];
    }
    coverage_sort_keys(j->lines.at, j->lines.len);
    sort_by(j->branches.at, j->branches.len, sizeof *j->branches.at, by_ends);
    judge_lines(j, lines);
    judge_branches(j, branches);
    return 0;
}

int coverage_py_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&coverage_py_source, job, judge, &j, out, err);
    vec_done(job->mem, &j.lines, &j.branches);
    return rc;
}
