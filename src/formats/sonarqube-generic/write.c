/* A sealed profile -> SonarQube's generic coverage: files by path, lines by number, branches as n of m. */
#include "formats/coverage/losses.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/xml.h"
#include "formats/sonarqube-generic/sonarqube.h"

static void put_file(struct output *o, const struct coverage_plan *plan, const struct coverage_out_file *f)
{
    struct coverage_at at = f->at;
    output_text(o, "  <file path=\"");
    coverage_xml_put(o, f->path);
    output_text(o, "\">\n");
    for (struct coverage_out_row r; coverage_plan_next(plan, f->file, &at, &r);) {
        output_printf(o, "    <lineToCover lineNumber=\"%u\" covered=\"%s\"", r.line, r.hits ? "true" : "false");
        if (r.total) output_printf(o, " branchesToCover=\"%llu\" coveredBranches=\"%llu\"", (unsigned long long)r.total, (unsigned long long)r.covered);
        output_text(o, "/>\n");
    }
    output_text(o, "  </file>\n");
}

static void put_document(struct output *o, const struct coverage_plan *plan)
{
    output_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<coverage version=\"1\">\n");
    for (size_t i = 0; i < plan->files.len; i++) put_file(o, plan, &plan->files.at[i]);
    output_text(o, "</coverage>\n");
}

static void name_losses(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t counts = 0, sums = 0, excluded = 0, tests = 0;
    for (uint32_t i = 0; i < c->line_count; i++) counts += c->line_hits[i] > 1;
    for (uint32_t i = 0; i < c->sum_count; i++) sums += !slice_is(assay_profile_string(p, c->sum_kind[i]), "branches");
    for (uint32_t i = 0; c->line_flags && i < c->line_count; i++) excluded += (c->line_flags[i] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) != 0;
    for (uint32_t i = 0; c->line_test && i < c->line_count; i++) tests += c->line_test[i].v != 0;
    coverage_lose(l, "cost", (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE) != 0, "it holds only coverage; other measurements are not written");
    coverage_lose(l, "counts", counts, "a line is covered or not: how often it ran is not written");
    coverage_lose(l, "functions", c->func_count, "functions are not written");
    coverage_lose(l, "branches", c->branch_count, "only the number of branches taken on each line is written, without counts and names");
    coverage_lose(l, "conditions", c->condition_count, "conditions (MC/DC) are not written");
    losses_add_regions(l, p);
    coverage_lose(l, "sums", sums, "totals other than branches (instructions, calls) are not written");
    coverage_lose(l, "excluded", excluded, "excluded lines are left out");
    coverage_lose(l, "tests", tests, "the tests that ran a line are not written");
}

int sonarqube_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct coverage_plan plan;
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that this format can hold");
    int rc = coverage_plan_make(&plan, p, job->mem) ? 0 : error_memory(err);
    if (rc == 0) {
        name_losses(p, job->losses);
        coverage_plan_lose_strays(&plan, job->losses);
        rc = losses_settle(job, err);
    }
    if (rc == 0) put_document(out, &plan);
    coverage_plan_free(&plan);
    return rc;
}
