/* The table entry of istanbul's JSON, and how a document is recognised (docs/formats/istanbul.md, "Recognising"). */
#include "formats/istanbul/decode.h"

static const struct coverage_source source = { "istanbul", istanbul_decode, { [COVERAGE_REGION] = "statement" } };

static int istanbul_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON whose values have a statementMap";
    if (coverage_json_has_key(p->head, 2, "\"statementMap\"") || coverage_json_has_key(p->head, 3, "\"statementMap\"")) return 90;
    *why = "JSON whose values have statements and branches with a pct";
    return coverage_json_has_key(p->head, 2, "\"statements\"") && coverage_json_has_key(p->head, 2, "\"branches\"") &&
                   coverage_json_has_key(p->head, 3, "\"pct\"")
               ? 85
               : 0;
}

static int istanbul_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&source, job, b, err); }
static int istanbul_check(const struct read_job *job, struct findings *out, assay_error *err) { return coverage_rows_walk(&source, job, NULL, NULL, out, err); }
static int istanbul_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".json", NULL };
static const char *const versions[] = { "1", NULL };

const struct format istanbul_format = {
    .info = { "istanbul", "Istanbul's coverage-final.json and coverage-summary.json (nyc, jest, c8, vitest)", extensions, versions, "any", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = istanbul_probe,
    .read = istanbul_read,
    .check = istanbul_check,
    .dump = istanbul_dump,
    .write = istanbul_write,
    .write_wants = write_wants,
};
