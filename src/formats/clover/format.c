/* The table entry of Clover, and how a document is recognised (docs/formats/clover.md, "Recognising"). */
#include "formats/clover/clover.h"
#include "formats/coverage/xml.h"

static int clover_probe(const struct probe *p, const char **why)
{
    struct coverage_xml_head h;
    if (p->is_dir || !coverage_xml_head(p->head, &h) || !slice_is(h.name, "coverage")) return 0;
    *why = "XML with the root coverage and a project";
    if (slice_contains(h.rest, "<project") || slice_contains(h.rest, "<testproject")) return 85;
    *why = "XML with the root coverage and Clover's version";
    return coverage_xml_in_tag(h.tag, "clover").data ? 60 : 0;
}

const struct coverage_source clover_source = { "clover", clover_decode, { [COVERAGE_FUNCTION] = "method" } };

static int clover_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&clover_source, job, b, err); }
static int clover_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&clover_source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".xml", NULL };
static const char *const versions[] = { "3.2.0", NULL };

const struct format clover_format = {
    .info = { "clover", "Clover XML: OpenClover, PHPUnit, istanbul, gcovr", extensions, versions, "all", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = clover_probe,
    .read = clover_read,
    .check = clover_check,
    .dump = clover_dump,
    .write = clover_write,
    .write_wants = write_wants,
};
