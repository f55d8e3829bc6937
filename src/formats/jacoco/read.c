/* JaCoCo records -> coverage of a profile. The format tells hit or not; methods are functions, lines have n of m branches and instructions. */
#include "assay/build.h"
#include "formats/jacoco/jacoco.h"
#include "formats/jacoco/package.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct jacoco_package p;
    VEC(char) scope; /* a name of what counters stand in */
    assay_file_id file;
    assay_str_id branches, instructions;
    uint64_t hits, classes;
};

static assay_str_id text_id(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

static void attribute(struct reader *r, const char *key, const char *value)
{
    if (value) assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value, strlen(value));
}

/* ---- what is stated ---- */

/* "class a/B" and the like; false = no memory */
static bool name_scope(struct reader *r, const char *what, assay_slice name, assay_str_id *out)
{
    size_t len = strlen(what);
    if (!vec_reserve(r->job->mem, &r->scope, len + name.len + 1)) return false;
    memcpy(r->scope.at, what, len);
    if (name.len) memcpy(r->scope.at + len, name.data, name.len);
    *out = text_id(r, (assay_slice){ r->scope.at, len + name.len });
    return true;
}

static bool counter(struct reader *r, const struct jacoco_record *rec)
{
    struct assay_coverage_stated row = { .hit = (double)rec->counter.covered, .total = (double)rec->counter.covered + (double)rec->counter.missed };
    const struct jacoco_package *p = &r->p;
    bool done = true;
    switch (rec->scope) {
    case JACOCO_OF_REPORT: row.scope = text_id(r, SLICE("report")); break;
    case JACOCO_OF_GROUP: row.scope = text_id(r, SLICE("group")); break;
    case JACOCO_OF_PACKAGE: done = name_scope(r, "package ", jacoco_package_text(p, p->name), &row.scope); break;
    case JACOCO_OF_CLASS: done = name_scope(r, "class ", jacoco_package_text(p, p->classes.at[p->classes.len - 1].name), &row.scope); break;
    case JACOCO_OF_METHOD: return true;
    case JACOCO_OF_SOURCE:
        row.scope = text_id(r, SLICE("file"));
        row.file = r->file;
        break;
    }
    row.kind = text_id(r, slice_of(jacoco_type_name(rec->type)));
    assay_build_coverage_stated(r->b, &row);
    return done;
}

/* ---- lines and methods ---- */

static void line(struct reader *r, const struct jacoco_record *rec)
{
    uint8_t flags = ASSAY_COVERAGE_ONLY_HIT;
    bool is_hit = rec->is_unknown ? rec->branches_hit > 0 : rec->instructions_hit > 0;
    if (rec->is_unknown) flags |= ASSAY_COVERAGE_UNKNOWN;
    if (is_hit && rec->missed_instructions) flags |= ASSAY_COVERAGE_PARTIAL;
    r->hits += is_hit;
    assay_build_coverage_line(r->b, &(struct assay_coverage_line){ .file = r->file, .line = rec->line, .hits = is_hit, .flags = flags });
    struct assay_coverage_sum sum = { .file = r->file, .line = rec->line, .kind = r->branches };
    sum.hit = rec->branches_hit;
    sum.total = rec->branches_hit + rec->missed_branches;
    if (sum.total) assay_build_coverage_sum(r->b, &sum);
    sum.kind = r->instructions;
    sum.hit = rec->instructions_hit;
    sum.total = rec->instructions_hit + rec->missed_instructions;
    if (sum.total) assay_build_coverage_sum(r->b, &sum);
}

static void package_end(struct reader *r)
{
    struct jacoco_package *p = &r->p;
    jacoco_package_end(p);
    r->classes += p->classes.len;
    for (size_t i = 0; i < p->methods.len; i++) {
        const struct jacoco_method *m = &p->methods.at[i];
        assay_file_id file = { p->classes.at[m->owner].file };
        assay_func_id f = assay_build_func(r->b, text_id(r, jacoco_package_text(p, m->name)), file, (assay_module_id){ 0 }, 0, m->line);
        assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .func = f, .calls = m->is_hit, .flags = ASSAY_COVERAGE_ONLY_HIT });
    }
}

static void session(struct reader *r, const struct jacoco_record *rec)
{
    attribute(r, "session", rec->name.data);
    attribute(r, "session.start", xml_attribute(rec->attributes, "start"));
    attribute(r, "session.dump", xml_attribute(rec->attributes, "dump"));
}

static int take(void *arg, const struct jacoco_record *rec)
{
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    if (!jacoco_package_add(&r->p, rec)) return error_memory(r->err);
    switch (rec->kind) {
    case JACOCO_REPORT: attribute(r, "name", rec->name.data); break;
    case JACOCO_SESSION: session(r, rec); break;
    case JACOCO_GROUP: attribute(r, "group", rec->name.data); break;
    case JACOCO_SOURCE:
        r->file = assay_build_file(r->b, text_id(r, jacoco_package_path(&r->p)), (assay_module_id){ 0 });
        jacoco_package_file(&r->p, r->file.v);
        break;
    case JACOCO_LINE: line(r, rec); break;
    case JACOCO_COUNTER:
        if (!counter(r, rec)) return error_memory(r->err);
        break;
    case JACOCO_PACKAGE_END: package_end(r); break;
    default: break;
    }
    return assay_builder_failed(r->b);
}

/* ---- the whole ---- */

static void finish(struct reader *r)
{
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits });
    assay_build_count(r->b, "classes", r->classes);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, "jacoco", "", "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int jacoco_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b, .err = err };
    struct jacoco_decoder d = { .take = take, .arg = &r, .damage = &r.damage };
    findings_init(&r.damage, job->mem);
    jacoco_package_init(&r.p, job->mem);
    r.branches = text_id(&r, SLICE("branches"));
    r.instructions = text_id(&r, SLICE("instructions"));
    int rc = jacoco_decode(&d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r.damage, err);
    if (rc == 0) {
        finish(&r);
        rc = assay_builder_failed(b);
    }
    jacoco_package_done(&r.p);
    vec_done(job->mem, &r.scope);
    findings_done(&r.damage);
    return rc;
}
