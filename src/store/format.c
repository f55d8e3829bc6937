/* The table entry of cov: a single object, or a whole store. */
#include "store/profile.h"

static int probe(const struct probe *p, const char **why)
{
    if (!p->is_dir) return cov_probe(p, COV_DIALECT_COV, why);
    *why = "a directory with HEAD, config and objects/coverage";
    return store_is(p->path) ? 95 : 0;
}

static int read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    return input_is_dir(job->in) ? store_profile(job, b, err) : cov_read(job, COV_DIALECT_COV, b, err);
}

static int check(const struct read_job *job, struct findings *out, assay_error *err)
{
    return input_is_dir(job->in) ? store_check(job, out, err) : cov_check(job, COV_DIALECT_COV, out, err);
}

static int dump(const struct read_job *job, struct output *out, assay_error *err)
{
    return input_is_dir(job->in) ? store_dump(job, out, err) : cov_dump(job, COV_DIALECT_COV, out, err);
}

static int write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return cov_write(p, job, COV_DIALECT_COV, out, err);
}

static int rewrite(const struct read_job *job, const struct write_job *w, struct output *out, assay_error *err)
{
    (void)w;
    return cov_rewrite(job, COV_DIALECT_COV, out, err);
}

static const char *const extensions[] = { ".covdata", NULL };

const struct format cov_format = {
    .info = { .name = "cov",
              .title = "coverage store next to git, and its objects",
              .extensions = extensions,
              .versions = cov_versions,
              .reads = "1.x",
              .holds = ASSAY_SHAPE_COVERAGE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              .features = 0 },
    .probe = probe,
    .read = read,
    .check = check,
    .dump = dump,
    .write = write,
    .write_wants = cov_write_wants,
    .rewrite = rewrite,
    .takes = "cov-spec",
};
