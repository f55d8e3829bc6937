/* The table entries of gcov's and gcovr's JSON, and how a document is recognised (docs/formats/gcov-json.md and gcovr-json.md, "Recognising"). */
#include "formats/gcov-json/decode.h"
#include "formats/gcov-json/gcov_json.h"

/* gcovr's JSON has the same keys and its own, which begin with gcovr/. */
static int gcov_json_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head) || slice_contains(p->head, "\"gcovr/")) return 0;
    *why = "JSON with gcc_version, or format_version and files of gcov";
    if (slice_contains(p->head, "\"gcc_version\"")) return 90;
    if (slice_contains(p->head, "\"line_number\"") && slice_contains(p->head, "\"unexecuted_block\"")) return 80;
    return slice_contains(p->head, "\"format_version\"") && slice_contains(p->head, "\"files\"") ? 60 : 0;
}

/* gcovr 8 writes its version first. gcovr 5 writes it behind the files, and the functions of a file, whose names can be long, before its lines with
 * keys of gcovr; but its functions have lineno, where those of gcov have start_line. */
static int gcovr_json_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with gcovr/format_version, or files with keys of gcovr";
    if (coverage_json_has_key(p->head, 1, "\"gcovr/format_version\"")) return 95;
    if (!coverage_json_has_key(p->head, 1, "\"files\"")) return 0;
    return slice_contains(p->head, "\"gcovr/") || coverage_json_has_key(p->head, 5, "\"lineno\"") ? 85 : 0;
}

const struct coverage_source gcov_json_source = { "gcov-json", gcov_json_decode, { [COVERAGE_ATTRIBUTE] = "", [COVERAGE_CONDITION] = "condition" } };
const struct coverage_source gcovr_json_source = { "gcovr-json", gcov_json_decode, { [COVERAGE_ATTRIBUTE] = "", [COVERAGE_CONDITION] = "condition" } };

static int read_gcov(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&gcov_json_source, job, b, err); }
static int read_gcovr(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&gcovr_json_source, job, b, err); }
static int dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&gcov_json_source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".gcov.json", NULL };
static const char *const gcovr_extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };
static const char *const gcovr_versions[] = { "0.3", NULL };

const struct format gcov_json_format = {
    .info = { "gcov-json", "gcov's JSON (gcov --json-format of gcc 9 and later)", extensions, no_versions, "1, 2", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = gcov_json_probe,
    .read = read_gcov,
    .check = gcov_json_check,
    .dump = dump,
};

const struct format gcovr_json_format = {
    .info = { "gcovr-json", "gcovr's JSON report (gcovr --json)", gcovr_extensions, gcovr_versions, "0.1 to 0.15", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = gcovr_json_probe,
    .read = read_gcovr,
    .check = gcov_json_check,
    .dump = dump,
    .write = gcovr_json_write,
    .write_wants = write_wants,
};
