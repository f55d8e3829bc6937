/* The rules of Cobertura beyond damage: what the root states against what was counted, classes and methods against each other. */
#include <math.h>

#include "formats/cobertura/class.h"
#include "formats/cobertura/cobertura.h"

enum { LINES_VALID, LINES_COVERED, BRANCHES_VALID, BRANCHES_COVERED, LINE_RATE, BRANCH_RATE, STATED };
static const char *const stated_names[STATED] = { "lines-valid", "lines-covered", "branches-valid", "branches-covered", "line-rate", "branch-rate" };

struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    struct cobertura_class c;
    VEC(uint64_t) lines; /* file << 32 | line << 1 | was hit */
    double stated[STATED];
    struct coverage_row root; /* off and number */
    uint64_t sources;
};

static void stated(struct checker *k, const struct coverage_decoder *d, const struct coverage_row *row)
{
    assay_slice kind = intern_get(&d->names, row->name);
    bool is_lines = slice_is(kind, "lines");
    if (is_lines || slice_is(kind, "branches")) {
        k->stated[is_lines ? LINES_VALID : BRANCHES_VALID] = row->total;
        k->stated[is_lines ? LINES_COVERED : BRANCHES_COVERED] = row->hit;
    }
    for (int i = LINE_RATE; i <= BRANCH_RATE; i++)
        if (slice_is(kind, stated_names[i])) k->stated[i] = row->hit;
}

static bool has_line(const struct cobertura_rows *rows, uint32_t line)
{
    size_t from = 0, to = rows->len;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (rows->at[middle].line < line)
            from = middle + 1;
        else
            to = middle;
    }
    return from < rows->len && rows->at[from].line == line;
}

static int judge_class(struct checker *k, const struct coverage_row *file)
{
    struct cobertura_class *c = &k->c;
    if (!cobertura_class_end(c, file->name)) return error_memory(k->err);
    if (!c->lines.len) findings_add(k->out, "CB-8", ASSAY_INFO, file->off, file->number, "a class without lines");
    for (size_t i = 0; i < c->lines.len; i++) {
        uint64_t *key = vec_push(k->mem, &k->lines);
        if (!key) return error_memory(k->err);
        *key = (uint64_t)file->name << 32 | (uint64_t)c->lines.at[i].line << 1 | (c->lines.at[i].hits > 0);
    }
    for (size_t i = 0; i < c->method_lines.len && !c->from_methods; i++) {
        const struct cobertura_row *row = &c->method_lines.at[i];
        if (!has_line(&c->lines, row->line))
            findings_add(k->out, "CB-10", ASSAY_WARNING, row->off, row->number, "a method has line %u, which its class does not have", row->line);
    }
    return 0;
}

static int take(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct checker *k = arg;
    const struct coverage_row *file = NULL;
    cobertura_class_begin(&k->c);
    for (size_t i = 0; i < count; i++) {
        const struct coverage_row *r = &rows[i];
        switch ((enum coverage_row_kind)r->kind) {
        case COVERAGE_RECORD: k->root = *r; break;
        case COVERAGE_STATED: stated(k, d, r); break;
        case COVERAGE_ATTRIBUTE: k->sources++; break;
        case COVERAGE_FILE: file = r; break;
        default:
            if (!cobertura_class_add(&k->c, r)) return error_memory(k->err);
            break;
        }
    }
    return file ? judge_class(k, file) : 0;
}

/* ---- stated against counted ---- */

static void count(struct checker *k, double n[4])
{
    uint64_t *at = k->lines.at;
    coverage_sort_keys(at, k->lines.len);
    for (size_t i = 0; i < k->lines.len; i++)
        if (i + 1 == k->lines.len || at[i] >> 1 != at[i + 1] >> 1) {
            n[LINES_VALID]++;
            n[LINES_COVERED] += (double)(at[i] & 1);
        }
    cobertura_class_join_sums(&k->c);
    for (size_t i = 0; i < k->c.sums.len; i++) {
        n[BRANCHES_VALID] += k->c.sums.at[i].total;
        n[BRANCHES_COVERED] += k->c.sums.at[i].covered;
    }
}

static void compare(struct checker *k)
{
    double n[4] = { 0 };
    if (k->root.kind != COVERAGE_RECORD) return;
    count(k, n);
    for (int i = LINES_VALID; i <= BRANCHES_COVERED; i++)
        if (k->stated[i] >= 0 && k->stated[i] != n[i])
            findings_add(k->out, "CB-4", ASSAY_WARNING, k->root.off, k->root.number, "%s is stated as %.10g, but %.10g are counted", stated_names[i],
                         k->stated[i], n[i]);
    for (int i = LINE_RATE; i <= BRANCH_RATE; i++) {
        double valid = n[i == LINE_RATE ? LINES_VALID : BRANCHES_VALID], covered = n[i == LINE_RATE ? LINES_COVERED : BRANCHES_COVERED];
        if (k->stated[i] >= 0 && valid > 0 && fabs(k->stated[i] - covered / valid) > 0.0001)
            findings_add(k->out, "CB-5", ASSAY_WARNING, k->root.off, k->root.number, "%s is stated as %.6g, but %.6g is counted", stated_names[i], k->stated[i],
                         covered / valid);
    }
    if (k->sources != 1)
        findings_add(k->out, k->sources ? "CB-7" : "CB-6", ASSAY_INFO, k->root.off, k->root.number,
                     k->sources ? "several sources: the report does not say which one a file is under"
                                : "no sources: the report does not say where the files are");
}

int cobertura_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker k = { .out = out, .mem = job->mem, .err = err };
    for (int i = 0; i < STATED; i++) k.stated[i] = -1;
    cobertura_class_init(&k.c, job->mem);
    int rc = coverage_rows_walk(&cobertura_source, job, take, &k, out, err);
    if (rc == 0) compare(&k);
    vec_done(job->mem, &k.lines);
    cobertura_class_done(&k.c);
    return rc;
}
