/* Cobertura records -> coverage of a profile. Methods are functions; lines with branches have n of m, and no single branch is made up. */
#include "assay/build.h"
#include "base/number.h"
#include "formats/cobertura/class.h"
#include "formats/cobertura/cobertura.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct cobertura_class c;
    assay_file_id file;
    assay_wide hits;
    char version[64];
};

static assay_str_id text_id(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

/* ---- what the root states ---- */

static double figure(const char *const *attributes, const char *name)
{
    const char *value = xml_attribute(attributes, name);
    double d = -1;
    return value && number_double(slice_of(value), &d) != NUMBER_BAD ? d : -1;
}

static void state(struct reader *r, const char *kind, double hit, double total)
{
    if (hit >= 0 || total >= 0)
        assay_build_coverage_stated(r->b, &(struct assay_coverage_stated){ { 0 }, text_id(r, SLICE("report")), text_id(r, slice_of(kind)), hit, total });
}

static void root(struct reader *r, const char *const *a)
{
    static const char *const singles[] = { "line-rate", "branch-rate", "function-rate", "complexity" };
    const char *version = xml_attribute(a, "version"), *time = xml_attribute(a, "timestamp");
    state(r, "lines", figure(a, "lines-covered"), figure(a, "lines-valid"));
    state(r, "branches", figure(a, "branches-covered"), figure(a, "branches-valid"));
    state(r, "functions", figure(a, "functions-covered"), figure(a, "functions-valid"));
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) state(r, singles[i], figure(a, singles[i]), -1);
    if (version) strncpy(r->version, version, sizeof r->version - 1);
    if (time) assay_build_attribute(r->b, (assay_stream_id){ 0 }, "timestamp", 9, time, strlen(time));
}

/* ---- classes ---- */

static void functions(struct reader *r)
{
    for (size_t i = 0; i < r->c.methods.len; i++) {
        const struct cobertura_method *m = &r->c.methods.at[i];
        assay_func_id f = assay_build_func(r->b, text_id(r, cobertura_method_name(&r->c, m)), r->file, (assay_module_id){ 0 }, 0, m->line);
        assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .func = f, .calls = m->hits });
    }
}

static int class_end(struct reader *r)
{
    if (!cobertura_class_end(&r->c, r->file.v)) return error_memory(r->err);
    for (size_t i = 0; i < r->c.lines.len; i++) {
        const struct cobertura_row *row = &r->c.lines.at[i];
        r->hits = wide_add_u64(r->hits, row->hits);
        assay_build_coverage_line(r->b, &(struct assay_coverage_line){ .file = r->file, .line = row->line, .hits = row->hits });
    }
    functions(r);
    return assay_builder_failed(r->b);
}

static int take(void *arg, const struct cobertura_record *rec)
{
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    switch (rec->kind) {
    case COBERTURA_ROOT: root(r, rec->attributes); break;
    case COBERTURA_SOURCE: assay_build_attribute(r->b, (assay_stream_id){ 0 }, "source", 6, rec->name.data, rec->name.len); break;
    case COBERTURA_CLASS:
        r->file = assay_build_file(r->b, text_id(r, rec->name), (assay_module_id){ 0 });
        cobertura_class_begin(&r->c, rec);
        return assay_builder_failed(r->b);
    case COBERTURA_METHOD:
    case COBERTURA_LINE: return cobertura_class_add(&r->c, rec) ? 0 : error_memory(r->err);
    case COBERTURA_METHOD_END: break;
    case COBERTURA_CLASS_END: return class_end(r);
    }
    return 0;
}

/* ---- the whole ---- */

static void finish(struct reader *r)
{
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_str_id kind = text_id(r, SLICE("branches"));
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits.high ? UINT64_MAX : r->hits.low });
    cobertura_class_join_sums(&r->c);
    for (size_t i = 0; i < r->c.sums.len; i++) {
        const struct cobertura_sum *s = &r->c.sums.at[i];
        assay_build_coverage_sum(r->b, &(struct assay_coverage_sum){ { 0 }, { (uint32_t)(s->key >> 32) }, (uint32_t)s->key, s->covered, s->total, kind, 0 });
    }
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, "cobertura", r->version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int cobertura_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->err = err;
    findings_init(&r->damage, job->mem);
    cobertura_class_init(&r->c, job->mem);
    struct cobertura_decoder d = { .take = take, .arg = r, .damage = &r->damage };
    int rc = cobertura_decode(&d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) {
        finish(r);
        rc = assay_builder_failed(b);
    }
    cobertura_class_done(&r->c);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}
