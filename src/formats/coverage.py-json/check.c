/* The rules of coverage.py's JSON beyond damage, and the dump: both only walk over the files. */
#include "base/sort.h"
#include "base/text.h"
#include "formats/coverage.py-json/coverage_py.h"
#include "formats/coverage.py-json/decode.h"

struct walker {
    struct coverage_py_decoder d;
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(struct coverage_py_line) lines;
    VEC(struct coverage_py_branch) branches;
    struct output *o;
    size_t marked;
};

/* ---- check ---- */

static int by_line(const void *x, const void *y)
{
    const struct coverage_py_line *a = x, *b = y;
    if (a->line != b->line) return (a->line > b->line) - (a->line < b->line);
    return (a->off > b->off) - (a->off < b->off);
}

static int by_ends(const void *x, const void *y)
{
    const struct coverage_py_branch *a = x, *b = y;
    if (a->from != b->from) return (a->from > b->from) - (a->from < b->from);
    return (a->to > b->to) - (a->to < b->to);
}

static void compare(struct walker *w, const struct coverage_py_file *f, const char *what, enum coverage_py_figure total, enum coverage_py_figure hit,
                    double counted, double counted_hit)
{
    if (f->stated[total] < 0 || (f->stated[total] == counted && f->stated[hit] == counted_hit)) return;
    findings_add(w->out, "PY-1", ASSAY_WARNING, f->off, f->number, "the summary states %.0f of %.0f %s, but %.0f of %.0f are listed", f->stated[hit],
                 f->stated[total], what, counted_hit, counted);
}

static void judge_lines(struct walker *w, const struct coverage_py_file *f)
{
    double found = 0, hit = 0;
    for (size_t i = 0, next; i < w->lines.len; i = next) {
        unsigned lists = 0;
        uint64_t off = 0, number = 0;
        for (next = i; next < w->lines.len && w->lines.at[next].line == w->lines.at[i].line; next++) {
            lists |= 1u << w->lines.at[next].list;
            off = w->lines.at[next].off;
            number = w->lines.at[next].number;
        }
        bool executed = lists & 1u << COVERAGE_PY_EXECUTED, missing = lists & 1u << COVERAGE_PY_MISSING;
        if (executed && missing) findings_add(w->out, "PY-3", ASSAY_WARNING, off, number, "line %u is both executed and missing", w->lines.at[i].line);
        executed = executed && !(lists & 1u << COVERAGE_PY_EXCLUDED);
        found += executed || missing;
        hit += executed;
    }
    compare(w, f, "lines", COVERAGE_PY_STATEMENTS, COVERAGE_PY_COVERED_LINES, found, hit);
    if (f->stated[COVERAGE_PY_COVERED_LINES] >= 0 && hit > f->stated[COVERAGE_PY_COVERED_LINES])
        findings_add(w->out, "PY-2", ASSAY_INFO, f->off, f->number, "%.0f executed lines are not statements", hit - f->stated[COVERAGE_PY_COVERED_LINES]);
}

static void judge_branches(struct walker *w, const struct coverage_py_file *f)
{
    double found = 0, hit = 0;
    for (size_t i = 0, next; i < w->branches.len; i = next) {
        bool is_hit = false;
        for (next = i; next < w->branches.len && by_ends(&w->branches.at[i], &w->branches.at[next]) == 0; next++) is_hit |= w->branches.at[next].is_hit;
        found++;
        hit += is_hit;
    }
    compare(w, f, "branches", COVERAGE_PY_BRANCHES, COVERAGE_PY_COVERED_BRANCHES, found, hit);
}

static int judge(void *arg, const struct coverage_py_file *f)
{
    struct walker *w = arg;
    w->lines.len = w->branches.len = 0;
    if (!vec_reserve(w->mem, &w->lines, f->lines.len + 1) || !vec_reserve(w->mem, &w->branches, f->branches.len + 1)) return error_memory(w->err);
    if (f->lines.len) memcpy(w->lines.at, f->lines.at, f->lines.len * sizeof *f->lines.at);
    if (f->branches.len) memcpy(w->branches.at, f->branches.at, f->branches.len * sizeof *f->branches.at);
    w->lines.len = f->lines.len;
    w->branches.len = f->branches.len;
    sort_by(w->lines.at, w->lines.len, sizeof *w->lines.at, by_line);
    sort_by(w->branches.at, w->branches.len, sizeof *w->branches.at, by_ends);
    judge_lines(w, f);
    judge_branches(w, f);
    return 0;
}

int coverage_py_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct walker w = { .d = { .take = judge, .damage = out }, .out = out, .mem = job->mem, .err = err };
    w.d.arg = &w;
    int rc = coverage_py_decode(&w.d, job, err);
    coverage_py_done(&w.d);
    vec_done(job->mem, &w.lines);
    vec_done(job->mem, &w.branches);
    return rc;
}

/* ---- dump ---- */

static void place(struct output *o, uint64_t off, uint64_t number)
{
    output_hex(o, off, 8);
    output_printf(o, " %6llu  ", (unsigned long long)number);
}

static int show(void *arg, const struct coverage_py_file *f)
{
    static const char *const lists[] = { "executed", "missing", "excluded" };
    struct walker *w = arg;
    findings_mark(w->out, &w->marked, w->o);
    place(w->o, f->off, f->number);
    output_text(w->o, "file ");
    text_show(w->o, f->path);
    for (int i = 0; i < COVERAGE_PY_FIGURES; i++)
        if (f->stated[i] >= 0) output_printf(w->o, " %s=%.0f", coverage_py_figure_name((enum coverage_py_figure)i), f->stated[i]);
    output_char(w->o, '\n');
    for (size_t i = 0; i < f->lines.len; i++) {
        place(w->o, f->lines.at[i].off, f->lines.at[i].number);
        output_printf(w->o, "  line %u %s\n", f->lines.at[i].line, lists[f->lines.at[i].list]);
    }
    for (size_t i = 0; i < f->branches.len; i++) {
        place(w->o, f->branches.at[i].off, f->branches.at[i].number);
        output_printf(w->o, "  branch %u to %lld %s\n", f->branches.at[i].from, (long long)f->branches.at[i].to,
                      f->branches.at[i].is_hit ? "taken" : "not taken");
    }
    return output_failed(w->o);
}

int coverage_py_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct findings damage;
    struct walker w = { .d = { .take = show, .damage = &damage }, .out = &damage, .mem = job->mem, .err = err, .o = out };
    w.d.arg = &w;
    findings_init(&damage, job->mem);
    int rc = coverage_py_decode(&w.d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(w.out, &w.marked, w.o);
        rc = 0;
    }
    coverage_py_done(&w.d);
    findings_done(&damage);
    return rc;
}
