/* The table entry of Cobertura, and how a document is recognised (docs/formats/cobertura.md, "Recognising"). */
#include "formats/cobertura/cobertura.h"
#include "formats/coverage/xml.h"

/* The root coverage, and what other formats with this root do not have. */
static int cobertura_probe(const struct probe *p, const char **why)
{
    struct coverage_xml_head h;
    if (p->is_dir || !coverage_xml_head(p->head, &h) || !slice_is(h.name, "coverage")) return 0;
    *why = "XML with the root coverage and line-rate or packages";
    if (coverage_xml_in_tag(h.tag, "line-rate").data || coverage_xml_in_tag(h.tag, "lines-valid").data) return 90;
    if (slice_contains(h.rest, "<packages") && !slice_contains(h.rest, "<project")) return 80;
    return slice_contains(h.rest, "<sources") ? 60 : 0;
}

const struct coverage_source cobertura_source = { "cobertura", cobertura_decode, { [COVERAGE_FUNCTION] = "method", [COVERAGE_ATTRIBUTE] = "" } };

static int cobertura_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&cobertura_source, job, b, err); }
static int cobertura_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&cobertura_source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".xml", NULL };
static const char *const versions[] = { "04", NULL };

const struct format cobertura_format = {
    .info = { "cobertura", "Cobertura XML: coverage.py, gcovr, grcov, istanbul, PHPUnit, Coverlet", extensions, versions, "03, 04", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = cobertura_probe,
    .read = cobertura_read,
    .check = cobertura_check,
    .dump = cobertura_dump,
    .write = cobertura_write,
    .write_wants = write_wants,
};
