/* A sealed profile -> Cobertura XML: a class for each file, by path; lines with n of m branches, functions as methods with their calls. The
 * totals are those of what is written. */
#include <stdlib.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/cobertura/cobertura.h"
#include "formats/coverage/losses.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/xml.h"

struct figures {
    uint64_t lines, lines_hit, branches, branches_hit;
};
struct writer {
    struct output *o;
    struct coverage_plan plan;
    const assay_profile *p;
    VEC(struct figures) figures; /* of each file of the plan */
};

static void put_rate(struct output *o, const char *name, uint64_t part, uint64_t whole)
{
    char text[48];
    text[number_put_double(text, whole ? (double)part / (double)whole : 1.0)] = 0;
    output_printf(o, " %s=\"%s\"", name, text);
}

static void put_rates(struct output *o, const struct figures *n)
{
    put_rate(o, "line-rate", n->lines_hit, n->lines);
    put_rate(o, "branch-rate", n->branches_hit, n->branches);
}

/* ---- rows of a file ---- */

static struct figures figures_of(const struct coverage_plan *plan, const struct coverage_out_file *f)
{
    struct figures n = { 0 };
    struct coverage_at at = f->at;
    for (struct coverage_out_row r; coverage_plan_next(plan, f->file, &at, &r);) {
        n.lines++;
        n.lines_hit += r.hits > 0;
        n.branches += r.total;
        n.branches_hit += r.covered;
    }
    return n;
}

static void put_line(struct output *o, const struct coverage_out_row *r)
{
    output_text(o, "            <line number=\"");
    output_u64(o, r->line);
    output_text(o, "\" hits=\"");
    output_u64(o, r->hits);
    if (r->total)
        output_printf(o, "\" branch=\"true\" condition-coverage=\"%u%% (%llu/%llu)\"/>\n", (unsigned)(100.0 * (double)r->covered / (double)r->total),
                      (unsigned long long)r->covered, (unsigned long long)r->total);
    else
        output_text(o, "\" branch=\"false\"/>\n");
}

static void put_methods(struct writer *w, const struct coverage_out_file *f)
{
    const struct assay_funcs *funcs = assay_profile_funcs(w->p);
    const struct coverage_plan *plan = &w->plan;
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    output_text(w->o, "          <methods>\n");
    for (size_t i = f->at.func; i < plan->funcs.len && plan->funcs.at[i].key < end; i++) {
        const struct coverage_out_func *m = &plan->funcs.at[i];
        output_text(w->o, "            <method name=\"");
        coverage_xml_put(w->o, assay_profile_string(w->p, funcs->name[m->func]));
        output_printf(w->o, "\" signature=\"\" hits=\"%llu\" line-rate=\"%d\" branch-rate=\"1\" complexity=\"0\"><lines>", (unsigned long long)m->calls,
                      m->calls > 0);
        if ((uint32_t)m->key) output_printf(w->o, "<line number=\"%u\" hits=\"%llu\"/>", (uint32_t)m->key, (unsigned long long)m->calls);
        output_text(w->o, "</lines></method>\n");
    }
    output_text(w->o, "          </methods>\n");
}

static void put_class(struct writer *w, const struct coverage_out_file *f, const struct figures *n)
{
    const char *slash = f->path.len ? memrchr(f->path.data, '/', f->path.len) : NULL;
    struct coverage_at at = f->at;
    output_text(w->o, "        <class name=\"");
    coverage_xml_put(w->o, slash ? slice_from(slash + 1, f->path.data + f->path.len) : f->path);
    output_text(w->o, "\" filename=\"");
    coverage_xml_put(w->o, f->path);
    output_char(w->o, '"');
    put_rates(w->o, n);
    output_text(w->o, " complexity=\"0\">\n");
    put_methods(w, f);
    output_text(w->o, "          <lines>\n");
    for (struct coverage_out_row r; coverage_plan_next(&w->plan, f->file, &at, &r);) put_line(w->o, &r);
    output_text(w->o, "          </lines>\n        </class>\n");
}

/* ---- the whole ---- */

static void put_sources(struct writer *w)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    bool any = false;
    output_text(w->o, "  <sources>\n");
    for (uint32_t i = 0; i < a->count; i++) {
        if (!slice_is(assay_profile_string(w->p, a->key[i]), "source")) continue;
        any = true;
        output_text(w->o, "    <source>");
        coverage_xml_put(w->o, assay_profile_string(w->p, a->value[i]));
        output_text(w->o, "</source>\n");
    }
    if (!any) output_text(w->o, "    <source>.</source>\n"); /* gcovr takes no report without one */
    output_text(w->o, "  </sources>\n");
}

static void put_document(struct writer *w)
{
    struct figures n = { 0, 0, 0, 0 };
    for (size_t i = 0; i < w->figures.len; i++) {
        const struct figures *f = &w->figures.at[i];
        n = (struct figures){ n.lines + f->lines, n.lines_hit + f->lines_hit, n.branches + f->branches, n.branches_hit + f->branches_hit };
    }
    output_text(w->o,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage");
    put_rates(w->o, &n);
    output_printf(w->o, " lines-covered=\"%llu\" lines-valid=\"%llu\" branches-covered=\"%llu\" branches-valid=\"%llu\"", (unsigned long long)n.lines_hit,
                  (unsigned long long)n.lines, (unsigned long long)n.branches_hit, (unsigned long long)n.branches);
    output_text(w->o, " complexity=\"0\" version=\"assay " ASSAY_VERSION "\" timestamp=\"0\">\n");
    put_sources(w);
    output_text(w->o, "  <packages>\n    <package name=\"\"");
    put_rates(w->o, &n);
    output_text(w->o, " complexity=\"0\">\n      <classes>\n");
    for (size_t i = 0; i < w->figures.len; i++) put_class(w, &w->plan.files.at[i], &w->figures.at[i]);
    output_text(w->o, "      </classes>\n    </package>\n  </packages>\n</coverage>\n");
}

static void name_losses(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint64_t ends = 0, sums = 0, excluded = 0, tests = 0;
    for (uint32_t i = 1; f->last_line && i <= f->count; i++) ends += f->last_line[i] > 0;
    for (uint32_t i = 0; i < c->sum_count; i++) sums += !slice_is(assay_profile_string(p, c->sum_kind[i]), "branches");
    for (uint32_t i = 0; c->line_flags && i < c->line_count; i++) excluded += (c->line_flags[i] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) != 0;
    for (uint32_t i = 0; c->line_test && i < c->line_count; i++) tests += c->line_test[i].v != 0;
    if (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE)
        losses_add(l, "cost", 1, "Cobertura holds only coverage; other measurements are not written");
    coverage_lose(l, "branches", c->branch_count, "only the number of branches taken on each line is written, without counts and names");
    coverage_lose(l, "conditions", c->condition_count, "conditions (MC/DC) are not written");
    losses_add_regions(l, p);
    coverage_lose(l, "end-lines", ends, "end lines of functions are not written");
    coverage_lose(l, "sums", sums, "totals other than branches (instructions, calls) are not written");
    coverage_lose(l, "excluded", excluded, "excluded lines are left out");
    coverage_lose(l, "tests", tests, "the tests that ran a line are not written: tests are added up");
}

static void writer_done(struct writer *w)
{
    vec_done(w->plan.mem, &w->figures);
    coverage_plan_free(&w->plan);
}

int cobertura_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that Cobertura can hold");
    SCOPED(writer_done) struct writer w = { .o = out, .p = p };
    if (!coverage_plan_make(&w.plan, p, job->mem) || !vec_reserve(job->mem, &w.figures, w.plan.files.len)) return error_memory(err);
    name_losses(p, job->losses);
    coverage_plan_lose_strays(&w.plan, job->losses);
    TRY(losses_settle(job, err));
    for (size_t i = 0; i < w.plan.files.len; i++) {
        if (cancel_at(i)) return error_memory(err);
        w.figures.at[w.figures.len++] = figures_of(&w.plan, &w.plan.files.at[i]);
    }
    put_document(&w);
    return 0;
}
