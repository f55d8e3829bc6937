/* The table entry of Devel::Cover's JSON, and how a document is recognised (docs/formats/devel-cover-json.md, "Recognising"). */
#include "formats/devel-cover-json/decode.h"

const struct coverage_source devel_cover_source = { "devel-cover-json", devel_cover_decode, { NULL } };

static int devel_cover_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with runs and a summary";
    bool has_runs = coverage_json_has_key(p->head, 1, "\"runs\""), has_summary = coverage_json_has_key(p->head, 1, "\"summary\"");
    if (has_runs && has_summary) return 85;
    return (has_runs && coverage_json_has_key(p->head, 3, "\"perl\"")) || (has_summary && coverage_json_has_key(p->head, 3, "\"statement\"")) ? 75 : 0;
}

static int devel_cover_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&devel_cover_source, job, b, err); }
static int devel_cover_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&devel_cover_source, job, out, err); }

static const char *const extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };

const struct format devel_cover_format = {
    .info = { "devel-cover-json", "Devel::Cover's JSON report: summaries", extensions, no_versions, "any", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = devel_cover_probe,
    .read = devel_cover_read,
    .check = devel_cover_check,
    .dump = devel_cover_dump,
};
