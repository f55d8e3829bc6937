/* The table entry of coverage.py's JSON, and how a document is recognised (docs/formats/coverage.py-json.md, "Recognising"). */
#include "formats/coverage.py-json/coverage_py.h"
#include "formats/coverage.py-json/decode.h"

static int coverage_py_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with meta and files of coverage.py";
    if (slice_contains(p->head, "\"executed_lines\"")) return 90;
    return slice_contains(p->head, "\"meta\"") && slice_contains(p->head, "\"branch_coverage\"") ? 80 : 0;
}

const struct coverage_source coverage_py_source = { "coverage.py-json", coverage_py_decode, { NULL } };

static int coverage_py_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&coverage_py_source, job, b, err); }
static int coverage_py_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&coverage_py_source, job, out, err); }

static const char *const extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };

const struct format coverage_py_format = {
    .info = { "coverage.py-json", "coverage.py's JSON report (coverage json)", extensions, no_versions, "5 to 7", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = coverage_py_probe,
    .read = coverage_py_read,
    .check = coverage_py_check,
    .dump = coverage_py_dump,
};
