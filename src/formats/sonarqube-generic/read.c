/* Records -> coverage of a profile. The format tells hit or not, and n of m branches of a line. */
#include "assay/build.h"
#include "formats/coverage/lines.h"
#include "formats/sonarqube-generic/decode.h"
#include "formats/sonarqube-generic/sonarqube.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct coverage_lines rows;
    assay_file_id file;
    char version[16];
};

static int take(void *arg, const struct sonarqube_record *rec)
{
    struct reader *r = arg;
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    switch (rec->kind) {
    case SONARQUBE_ROOT: memcpy(r->version, rec->name.data, rec->name.len < sizeof r->version ? rec->name.len : sizeof r->version - 1); break;
    case SONARQUBE_FILE: r->file = assay_build_file(r->b, assay_build_string(r->b, rec->name.data, rec->name.len), (assay_module_id){ 0 }); break;
    case SONARQUBE_LINE: {
        struct coverage_line *row = vec_push(r->job->mem, &r->rows);
        if (!row) return error_memory(r->err);
        *row = (struct coverage_line){ (uint64_t)r->file.v << 32 | rec->line, rec->is_hit, rec->covered, rec->total, ASSAY_COVERAGE_ONLY_HIT };
        break;
    }
    case SONARQUBE_FILE_END: break;
    }
    return assay_builder_failed(r->b);
}

static void finish(struct reader *r)
{
    coverage_lines_join(&r->rows);
    coverage_lines_build(&r->rows, r->b);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_source(r->b, "sonarqube-generic", r->version, "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int sonarqube_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b, .err = err };
    struct sonarqube_decoder d = { .take = take, .arg = &r, .damage = &r.damage };
    findings_init(&r.damage, job->mem);
    int rc = sonarqube_decode(&d, job, err);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r.damage, err);
    if (rc == 0) {
        finish(&r);
        rc = assay_builder_failed(b);
    }
    vec_done(job->mem, &r.rows);
    findings_done(&r.damage);
    return rc;
}
