/* The table entry of V8's coverage, and how a document is recognised (docs/formats/v8.md, "Recognising"). */
#include "formats/v8/decode.h"

static const struct coverage_source source = { "v8", v8_decode, { [COVERAGE_FILE] = "script", [COVERAGE_REGION] = "range" } };

static int v8_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with a result of scripts";
    return coverage_json_has_key(p->head, 1, "\"result\"") &&
                   (coverage_json_has_key(p->head, 3, "\"scriptId\"") || coverage_json_has_key(p->head, 3, "\"functions\""))
               ? 90
               : 0;
}

static int v8_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&source, job, b, err); }
static int v8_check(const struct read_job *job, struct findings *out, assay_error *err) { return coverage_rows_walk(&source, job, NULL, NULL, out, err); }
static int v8_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&source, job, out, err); }

static const char *const extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };

const struct format v8_format = {
    .info = { "v8", "V8's raw coverage (NODE_V8_COVERAGE)", extensions, no_versions, "any", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = v8_probe,
    .read = v8_read,
    .check = v8_check,
    .dump = v8_dump,
};
