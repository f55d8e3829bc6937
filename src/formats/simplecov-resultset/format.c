/* The table entry of simplecov's result sets, and how a document is recognised (docs/formats/simplecov-resultset.md, "Recognising"). */
#include "formats/simplecov-resultset/decode.h"

static const struct coverage_source source = { "simplecov-resultset", simplecov_decode, { [COVERAGE_ATTRIBUTE] = "command" } };

static int simplecov_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head) || !coverage_json_has_key(p->head, 2, "\"coverage\"")) return 0;
    *why = "JSON whose values have coverage and a time";
    if (coverage_json_has_key(p->head, 2, "\"timestamp\"")) return 90;
    return !coverage_json_has_key(p->head, 2, "\"children\"") ? 60 : 0;
}

static int simplecov_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&source, job, b, err); }
static int simplecov_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    return coverage_rows_walk(&source, job, NULL, NULL, out, err);
}
static int simplecov_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&source, job, out, err); }

static const char *const extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };

const struct format simplecov_format = {
    .info = { "simplecov-resultset", "simplecov's .resultset.json", extensions, no_versions, "any", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = simplecov_probe,
    .read = simplecov_read,
    .check = simplecov_check,
    .dump = simplecov_dump,
};
