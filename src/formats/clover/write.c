/* A sealed profile -> Clover XML: files below the project, as PHPUnit has them, each with its lines, functions and metrics. Branches are n of m in the way
 * of istanbul, which is the only one that has room for more than two: its version and project name say so to readers. */
#include "formats/clover/clover.h"
#include "formats/coverage/losses.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/xml.h"

struct figures {
    uint64_t files, statements, statements_hit, conditionals, conditionals_hit, methods, methods_hit;
};

static void put_metrics(struct output *o, const char *indent, const struct figures *n)
{
    unsigned long long elements = n->statements + n->conditionals + n->methods, elements_hit = n->statements_hit + n->conditionals_hit + n->methods_hit;
    output_printf(o, "%s<metrics", indent);
    if (n->files) output_printf(o, " files=\"%llu\"", (unsigned long long)n->files);
    output_printf(o, " methods=\"%llu\" coveredmethods=\"%llu\" conditionals=\"%llu\" coveredconditionals=\"%llu\"", (unsigned long long)n->methods,
                  (unsigned long long)n->methods_hit, (unsigned long long)n->conditionals, (unsigned long long)n->conditionals_hit);
    output_printf(o, " statements=\"%llu\" coveredstatements=\"%llu\" elements=\"%llu\" coveredelements=\"%llu\"/>\n", (unsigned long long)n->statements,
                  (unsigned long long)n->statements_hit, elements, elements_hit);
}

static void put_methods(struct output *o, const assay_profile *p, const struct coverage_plan *plan, const struct coverage_out_file *f, struct figures *n)
{
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    for (size_t i = f->at.func; i < plan->funcs.len && plan->funcs.at[i].key < end; i++) {
        const struct coverage_out_func *m = &plan->funcs.at[i];
        if (!(uint32_t)m->key) continue;
        output_printf(o, "      <line num=\"%u\" type=\"method\" name=\"", (uint32_t)m->key);
        coverage_xml_put(o, assay_profile_string(p, assay_profile_funcs(p)->name[m->func]));
        output_printf(o, "\" count=\"%llu\"/>\n", (unsigned long long)m->calls);
        n->methods++;
        n->methods_hit += m->calls > 0;
    }
}

static void put_lines(struct output *o, const struct coverage_plan *plan, const struct coverage_out_file *f, struct figures *n)
{
    struct coverage_at at = f->at;
    for (struct coverage_out_row r; coverage_plan_next(plan, f->file, &at, &r);) {
        if (!r.line) continue;
        output_printf(o, "      <line num=\"%u\" type=\"%s\" count=\"%llu\"", r.line, r.total ? "cond" : "stmt", (unsigned long long)r.hits);
        if (r.total) output_printf(o, " truecount=\"%llu\" falsecount=\"%llu\"", (unsigned long long)r.covered, (unsigned long long)(r.total - r.covered));
        output_text(o, "/>\n");
        n->statements++;
        n->statements_hit += r.hits > 0;
        n->conditionals += r.total;
        n->conditionals_hit += r.covered;
    }
}

static struct figures put_file(struct output *o, const assay_profile *p, const struct coverage_plan *plan, const struct coverage_out_file *f)
{
    struct figures n = { 0 };
    const char *slash = f->path.len ? memrchr(f->path.data, '/', f->path.len) : NULL;
    output_text(o, "    <file name=\"");
    coverage_xml_put(o, slash ? slice_from(slash + 1, f->path.data + f->path.len) : f->path);
    output_text(o, "\" path=\"");
    coverage_xml_put(o, f->path);
    output_text(o, "\">\n");
    put_methods(o, p, plan, f, &n);
    put_lines(o, plan, f, &n);
    put_metrics(o, "      ", &n);
    output_text(o, "    </file>\n");
    return n;
}

static void put_document(struct output *o, const assay_profile *p, const struct coverage_plan *plan)
{
    struct figures all = { 0 };
    output_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<coverage generated=\"0\" clover=\"3.2.0\">\n  <project timestamp=\"0\" name=\"All files\">\n");
    for (size_t i = 0; i < plan->files.len; i++) {
        struct figures n = put_file(o, p, plan, &plan->files.at[i]);
        all = (struct figures){ all.files + 1,
                                all.statements + n.statements,
                                all.statements_hit + n.statements_hit,
                                all.conditionals + n.conditionals,
                                all.conditionals_hit + n.conditionals_hit,
                                all.methods + n.methods,
                                all.methods_hit + n.methods_hit };
    }
    put_metrics(o, "    ", &all);
    output_text(o, "  </project>\n</coverage>\n");
}

int clover_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct coverage_plan plan;
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that Clover can hold");
    int rc = coverage_plan_make(&plan, p, job->mem) ? 0 : error_memory(err);
    if (rc == 0) {
        coverage_losses_name(p, "Clover", COVERAGE_HOLDS_COUNTS, job->losses);
        coverage_plan_lose_strays(&plan, job->losses);
        rc = losses_settle(job, err);
    }
    if (rc == 0) put_document(out, p, &plan);
    coverage_plan_free(&plan);
    return rc;
}
