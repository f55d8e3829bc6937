/* coverage.py's JSON -> coverage of a profile. It tells what was hit, not how often. A line that contexts are listed for has a row for each. */
#include <stdio.h>
#include <stdlib.h>

#include "assay/build.h"
#include "base/sort.h"
#include "formats/coverage.py-json/coverage_py.h"
#include "formats/coverage.py-json/decode.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct coverage_py_decoder d;
    VEC(uint32_t) excluded; /* of the file in work, sorted */
    VEC(struct coverage_py_context) contexts;
    VEC(uint8_t) is_listed; /* by name id: the context is an attribute */
    uint64_t hits;
};

static assay_str_id text_id(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static int by_line(const void *x, const void *y)
{
    const struct coverage_py_context *a = x, *b = y;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a->name > b->name) - (a->name < b->name);
}

static bool gather(struct reader *r, const struct coverage_py_file *f)
{
    r->excluded.len = r->contexts.len = 0;
    for (size_t i = 0; i < f->lines.len; i++) {
        uint32_t *line = f->lines.at[i].list == COVERAGE_PY_EXCLUDED ? vec_push(r->job->mem, &r->excluded) : NULL;
        if (!line && f->lines.at[i].list == COVERAGE_PY_EXCLUDED) return false;
        if (line) *line = f->lines.at[i].line;
    }
    if (r->excluded.len) sort_by(r->excluded.at, r->excluded.len, sizeof *r->excluded.at, by_number);
    if (!f->contexts.len) return true;
    if (!vec_reserve(r->job->mem, &r->contexts, f->contexts.len)) return false;
    memcpy(r->contexts.at, f->contexts.at, f->contexts.len * sizeof *f->contexts.at);
    r->contexts.len = f->contexts.len;
    return sort_by(r->contexts.at, r->contexts.len, sizeof *r->contexts.at, by_line);
}

static bool is_excluded(const struct reader *r, uint32_t line)
{
    return r->excluded.len && bsearch(&line, r->excluded.at, r->excluded.len, sizeof *r->excluded.at, by_number);
}

/* Each name once. */
static bool list_context(struct reader *r, uint32_t name)
{
    if (name >= r->is_listed.len) {
        size_t more = (size_t)name + 1 - r->is_listed.len;
        if (!vec_reserve(r->job->mem, &r->is_listed, more)) return false;
        memset(r->is_listed.at + r->is_listed.len, 0, more);
        r->is_listed.len = (size_t)name + 1;
    }
    assay_slice text = intern_get(&r->d.names, name);
    if (!r->is_listed.at[name]) assay_build_attribute(r->b, (assay_stream_id){ 0 }, "test", 4, text.data, text.len);
    r->is_listed.at[name] = 1;
    return true;
}

static int line(struct reader *r, assay_file_id file, const struct coverage_py_line *l)
{
    struct assay_coverage_line row = { .file = file, .line = l->line, .hits = l->list == COVERAGE_PY_EXECUTED, .flags = ASSAY_COVERAGE_ONLY_HIT };
    if (l->list == COVERAGE_PY_EXCLUDED) row.flags |= ASSAY_COVERAGE_EXCLUDED;
    if (l->list == COVERAGE_PY_EXECUTED && is_excluded(r, l->line)) return 0; /* the row of the other list stands for it */
    r->hits += row.hits;
    size_t from = 0, to = row.hits ? r->contexts.len : 0;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (r->contexts.at[middle].line < l->line)
            from = middle + 1;
        else
            to = middle;
    }
    bool any = false;
    for (; row.hits && from < r->contexts.len && r->contexts.at[from].line == l->line; from++, any = true) {
        if (!list_context(r, r->contexts.at[from].name)) return error_memory(r->err);
        row.test = text_id(r, intern_get(&r->d.names, r->contexts.at[from].name));
        assay_build_coverage_line(r->b, &row);
    }
    if (!any) assay_build_coverage_line(r->b, &row);
    return 0;
}

static void state(struct reader *r, assay_file_id file, const char *scope, const double *figures)
{
    assay_str_id where = text_id(r, slice_of(scope));
    if (figures[COVERAGE_PY_STATEMENTS] >= 0)
        assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){ file, where, text_id(r, SLICE("lines")), figures[COVERAGE_PY_COVERED_LINES],
                                                                           figures[COVERAGE_PY_STATEMENTS] });
    if (figures[COVERAGE_PY_BRANCHES] >= 0)
        assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){ file, where, text_id(r, SLICE("branches")), figures[COVERAGE_PY_COVERED_BRANCHES],
                                                                           figures[COVERAGE_PY_BRANCHES] });
    for (int i = COVERAGE_PY_MISSING_LINES; i < COVERAGE_PY_FIGURES; i++)
        if (figures[i] >= 0)
            assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){
                                                  file, where, text_id(r, slice_of(coverage_py_figure_name((enum coverage_py_figure)i))), figures[i], -1 });
}

static int take(void *arg, const struct coverage_py_file *f)
{
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    assay_file_id file = assay_build_file(r->b, text_id(r, f->path), (assay_module_id){ 0 });
    if (!gather(r, f)) return error_memory(r->err);
    for (size_t i = 0; i < f->lines.len; i++) TRY(line(r, file, &f->lines.at[i]));
    for (size_t i = 0; i < f->branches.len; i++) {
        const struct coverage_py_branch *b = &f->branches.at[i];
        assay_build_coverage_branch(r->b, &(struct assay_coverage_branch){ .file = file, .line = b->from, .target = b->to, .hits = b->is_hit });
    }
    state(r, file, "file", f->stated);
    return assay_builder_failed(r->b);
}

static void finish(struct reader *r)
{
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    char version[64];
    assay_slice said = intern_get(&r->d.names, r->d.version);
    snprintf(version, sizeof version, "%.*s", (int)(said.len < 63 ? said.len : 63), said.data ? said.data : "");
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits });
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, "branch_coverage", 15, r->d.has_branches ? "true" : "false", r->d.has_branches ? 4 : 5);
    state(r, (assay_file_id){ 0 }, "report", r->d.totals);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, "coverage.py-json", version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int coverage_py_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->err = err;
    findings_init(&r->damage, job->mem);
    r->d.take = take;
    r->d.arg = r;
    r->d.damage = &r->damage;
    int rc = coverage_py_decode(&r->d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) {
        finish(r);
        rc = assay_builder_failed(b);
    }
    coverage_py_done(&r->d);
    vec_done(job->mem, &r->excluded);
    vec_done(job->mem, &r->contexts);
    vec_done(job->mem, &r->is_listed);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}
