/* Clover records -> coverage of a profile. Statements and conditions are lines, methods are functions; conditions have n of m branches. */
#include "assay/build.h"
#include "base/number.h"
#include "formats/clover/clover.h"
#include "formats/clover/decode.h"
#include "formats/coverage/lines.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct coverage_lines rows;
    VEC(char) scope; /* name of the package or class whose metrics may follow */
    assay_file_id file;
    bool in_tests;
    char version[64];
};

static assay_str_id text_id(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

static void attribute(struct reader *r, const char *key, const char *value)
{
    if (value) assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value, strlen(value));
}

/* "package NAME" or "class NAME" */
static int name_scope(struct reader *r, const char *what, assay_slice name)
{
    size_t len = strlen(what);
    r->scope.len = 0;
    if (!vec_reserve(r->job->mem, &r->scope, len + name.len)) return error_memory(r->err);
    memcpy(r->scope.at, what, len);
    if (name.len) memcpy(r->scope.at + len, name.data, name.len);
    r->scope.len = len + name.len;
    return 0;
}

/* ---- what is stated ---- */

static double figure(const char *const *attributes, const char *name)
{
    const char *value = xml_attribute(attributes, name);
    double d = -1;
    return value && number_double(slice_of(value), &d) != NUMBER_BAD && d >= 0 ? d : -1;
}

static void metrics(struct reader *r, const struct clover_record *rec)
{
    static const char *const pairs[][2] = {
        { "statements", "coveredstatements" }, { "conditionals", "coveredconditionals" }, { "methods", "coveredmethods" }, { "elements", "coveredelements" }
    };
    static const char *const singles[] = { "complexity", "loc", "ncloc", "packages", "files", "classes" };
    struct assay_coverage_stated row = { .scope = text_id(r, (assay_slice){ r->scope.at, r->scope.len }) };
    if (rec->scope == CLOVER_OF_PROJECT) row.scope = text_id(r, r->in_tests ? SLICE("testproject") : SLICE("report"));
    if (rec->scope == CLOVER_OF_FILE) {
        row.scope = text_id(r, SLICE("file"));
        row.file = r->file;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        row.kind = text_id(r, slice_of(pairs[i][0]));
        row.total = figure(rec->attributes, pairs[i][0]);
        row.hit = figure(rec->attributes, pairs[i][1]);
        if (row.total >= 0 || row.hit >= 0) assay_build_coverage_stated(r->b, &row);
    }
    row.total = -1;
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        row.kind = text_id(r, slice_of(singles[i]));
        row.hit = figure(rec->attributes, singles[i]);
        if (row.hit >= 0) assay_build_coverage_stated(r->b, &row);
    }
}

/* ---- records ---- */

static int row(struct reader *r, const struct clover_record *rec)
{
    struct coverage_line *l = vec_push(r->job->mem, &r->rows);
    if (!l) return error_memory(r->err);
    *l = (struct coverage_line){ (uint64_t)r->file.v << 32 | rec->line, rec->count, rec->covered, rec->total, 0 };
    return 0;
}

static void method(struct reader *r, const struct clover_record *rec)
{
    assay_func_id f = assay_build_func(r->b, text_id(r, rec->name), r->file, (assay_module_id){ 0 }, 0, rec->line);
    assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .func = f, .calls = rec->count });
}

static void root(struct reader *r, const char *const *attributes)
{
    const char *version = xml_attribute(attributes, "clover");
    if (version) strncpy(r->version, version, sizeof r->version - 1);
    attribute(r, "generated", xml_attribute(attributes, "generated"));
}

static int take(void *arg, const struct clover_record *rec)
{
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    switch (rec->kind) {
    case CLOVER_ROOT: root(r, rec->attributes); break;
    case CLOVER_PROJECT:
        r->in_tests = rec->is_test;
        if (rec->name.len) attribute(r, rec->is_test ? "testproject" : "project", rec->name.data);
        break;
    case CLOVER_PACKAGE: return name_scope(r, "package ", rec->name);
    case CLOVER_CLASS: return name_scope(r, "class ", rec->name);
    case CLOVER_FILE: r->file = assay_build_file(r->b, text_id(r, rec->name), (assay_module_id){ 0 }); break;
    case CLOVER_METRICS: metrics(r, rec); break;
    case CLOVER_STMT:
    case CLOVER_COND: return row(r, rec);
    case CLOVER_METHOD: method(r, rec); break;
    case CLOVER_FILE_END: break;
    }
    return assay_builder_failed(r->b);
}

/* ---- the whole ---- */

static void finish(struct reader *r)
{
    coverage_lines_join(&r->rows);
    coverage_lines_build(&r->rows, r->b);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, "clover", r->version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int clover_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b, .err = err };
    struct clover_decoder d = { .take = take, .arg = &r, .damage = &r.damage };
    findings_init(&r.damage, job->mem);
    int rc = clover_decode(&d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r.damage, err);
    if (rc == 0) {
        finish(&r);
        rc = assay_builder_failed(b);
    }
    vec_done(job->mem, &r.rows);
    vec_done(job->mem, &r.scope);
    findings_done(&r.damage);
    return rc;
}
