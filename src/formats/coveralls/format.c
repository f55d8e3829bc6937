/* The table entry of the JSON of coveralls.io, and how a document is recognised (docs/formats/coveralls.md, "Recognising"). */
#include "formats/coveralls/coveralls.h"

static const struct coverage_source source = { "coveralls", coveralls_decode, { NULL } };

static int coveralls_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with source_files";
    return coverage_json_has_key(p->head, 1, "\"source_files\"") ? 90 : 0;
}

static int coveralls_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&source, job, b, err); }
static int coveralls_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    return coverage_rows_walk(&source, job, NULL, NULL, out, err);
}
static int coveralls_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&source, job, out, err); }
static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".coveralls.json", NULL };
static const char *const versions[] = { "1", NULL };

const struct format coveralls_format = {
    .info = { "coveralls", "JSON of coveralls.io (gcovr, grcov, coveralls clients)", extensions, versions, "any", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS | ASSAY_HAS_SOURCES },
    .probe = coveralls_probe,
    .read = coveralls_read,
    .check = coveralls_check,
    .dump = coveralls_dump,
    .write = coveralls_write,
    .write_wants = write_wants,
};
