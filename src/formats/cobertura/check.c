/* The rules of Cobertura beyond damage: what the root states against what was counted, classes and methods against each other. */
#include <math.h>

#include "base/intern.h"
#include "base/number.h"
#include "base/sort.h"
#include "formats/cobertura/class.h"
#include "formats/cobertura/cobertura.h"

struct stated {
    const char *name;
    double value; /* -1 = not said */
};
enum { LINES_VALID, LINES_COVERED, BRANCHES_VALID, BRANCHES_COVERED, LINE_RATE, BRANCH_RATE, STATED };
static const char *const stated_names[STATED] = { "lines-valid", "lines-covered", "branches-valid", "branches-covered", "line-rate", "branch-rate" };

struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    struct cobertura_class c;
    struct intern files;
    uint32_t file;
    VEC(uint64_t) lines; /* file << 32 | line << 1 | was hit */
    double stated[STATED];
    bool has_root;
    uint64_t root_off, root_number, sources;
};

static void root(struct checker *k, const struct cobertura_record *r)
{
    k->has_root = true;
    k->root_off = r->off;
    k->root_number = r->number;
    for (int i = 0; i < STATED; i++) {
        const char *value = xml_attribute(r->attributes, stated_names[i]);
        k->stated[i] = -1;
        if (value && number_double(slice_of(value), &k->stated[i]) == NUMBER_BAD) k->stated[i] = -1;
    }
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

static int class_end(struct checker *k)
{
    struct cobertura_class *c = &k->c;
    if (!cobertura_class_end(c, k->file)) return error_memory(k->err);
    if (!c->lines.len) findings_add(k->out, "CB-8", ASSAY_INFO, c->off, c->number, "a class without lines");
    for (size_t i = 0; i < c->lines.len; i++) {
        uint64_t *key = vec_push(k->mem, &k->lines);
        if (!key) return error_memory(k->err);
        *key = (uint64_t)k->file << 32 | (uint64_t)c->lines.at[i].line << 1 | (c->lines.at[i].hits > 0);
    }
    for (size_t i = 0; i < c->method_lines.len && !c->from_methods; i++) {
        const struct cobertura_row *row = &c->method_lines.at[i];
        if (!has_line(&c->lines, row->line))
            findings_add(k->out, "CB-10", ASSAY_WARNING, row->off, row->number, "a method has line %u, which its class does not have", row->line);
    }
    return 0;
}

static int take(void *arg, const struct cobertura_record *r)
{
    struct checker *k = arg;
    switch (r->kind) {
    case COBERTURA_ROOT: root(k, r); break;
    case COBERTURA_SOURCE: k->sources++; break;
    case COBERTURA_CLASS:
        k->file = intern_put(&k->files, r->name);
        cobertura_class_begin(&k->c, r);
        return k->file ? 0 : error_memory(k->err);
    case COBERTURA_METHOD:
    case COBERTURA_LINE: return cobertura_class_add(&k->c, r) ? 0 : error_memory(k->err);
    case COBERTURA_METHOD_END: break;
    case COBERTURA_CLASS_END: return class_end(k);
    }
    return 0;
}

/* ---- stated against counted ---- */

static int by_value(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static void count(struct checker *k, double n[4])
{
    uint64_t *at = k->lines.at;
    if (k->lines.len) sort_by(at, k->lines.len, sizeof *at, by_value);
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
    if (!k->has_root) return;
    count(k, n);
    for (int i = LINES_VALID; i <= BRANCHES_COVERED; i++)
        if (k->stated[i] >= 0 && k->stated[i] != n[i])
            findings_add(k->out, "CB-4", ASSAY_WARNING, k->root_off, k->root_number, "%s is stated as %.10g, but %.10g are counted", stated_names[i],
                         k->stated[i], n[i]);
    for (int i = LINE_RATE; i <= BRANCH_RATE; i++) {
        double valid = n[i == LINE_RATE ? LINES_VALID : BRANCHES_VALID], covered = n[i == LINE_RATE ? LINES_COVERED : BRANCHES_COVERED];
        if (k->stated[i] >= 0 && valid > 0 && fabs(k->stated[i] - covered / valid) > 0.0001)
            findings_add(k->out, "CB-5", ASSAY_WARNING, k->root_off, k->root_number, "%s is stated as %.6g, but %.6g is counted", stated_names[i], k->stated[i],
                         covered / valid);
    }
    if (k->sources != 1)
        findings_add(k->out, k->sources ? "CB-7" : "CB-6", ASSAY_INFO, k->root_off, k->root_number,
                     k->sources ? "several sources: the report does not say which one a file is under"
                                : "no sources: the report does not say where the files are");
}

int cobertura_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker k = { .out = out, .mem = job->mem, .err = err };
    struct cobertura_decoder d = { .take = take, .arg = &k, .damage = out, .wants_numbers = true };
    cobertura_class_init(&k.c, job->mem);
    intern_init(&k.files, job->mem);
    int rc = cobertura_decode(&d, job, err);
    if (rc == 0) compare(&k);
    intern_done(&k.files);
    vec_done(job->mem, &k.lines);
    cobertura_class_done(&k.c);
    return rc;
}
