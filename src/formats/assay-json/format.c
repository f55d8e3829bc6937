/* The table entry of assay's own JSON, and how a document is recognised (docs/formats/assay-json.md, "Recognising"). */
#include "formats/assay-json/decode.h"

static int assay_json_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with assay-json, its version";
    return coverage_json_has_key(p->head, 1, "\"assay-json\"") ? 95 : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_GRAPH | ASSAY_WANT_TREE | ASSAY_WANT_LINES | ASSAY_WANT_TIMELINE | ASSAY_WANT_LABELS | ASSAY_WANT_COVERAGE | ASSAY_WANT_COUNTS;
}

static const char *const extensions[] = { ".assay.json", NULL };
static const char *const versions[] = { "1", NULL };

const struct format assay_json_format = {
    .info = { "assay-json", "assay's own JSON: everything, without loss", extensions, versions, "1",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES | ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_COVERAGE | ASSAY_SHAPE_LABELS,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, 2 * ASSAY_HAS_MARKERS - 1 },
    .probe = assay_json_probe,
    .read = assay_json_read,
    .check = assay_json_check,
    .dump = assay_json_dump,
    .write = assay_json_write,
    .write_wants = write_wants,
};
