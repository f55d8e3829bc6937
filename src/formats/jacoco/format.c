/* The table entry of JaCoCo XML, and how a document is recognised (docs/formats/jacoco.md, "Recognising"). */
#include "formats/coverage/xml.h"
#include "formats/jacoco/jacoco.h"

static int jacoco_probe(const struct probe *p, const char **why)
{
    struct coverage_xml_head h;
    if (p->is_dir || !coverage_xml_head(p->head, &h) || !slice_is(h.name, "report")) return 0;
    *why = "XML with the root report and JaCoCo's document type";
    if (slice_contains(h.doctype, "JACOCO") || slice_contains(h.doctype, "jacoco")) return 90;
    *why = "XML with the root report and sessions, source files or counters";
    if (slice_contains(h.rest, "<sessioninfo") || slice_contains(h.rest, "<sourcefile") || slice_contains(h.rest, "<counter")) return 80;
    return 0;
}

const struct coverage_source jacoco_source = { "jacoco", jacoco_decode, { [COVERAGE_FILE] = "sourcefile" } };

static int jacoco_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&jacoco_source, job, b, err); }
static int jacoco_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&jacoco_source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".xml", NULL };
static const char *const versions[] = { "1.1", NULL };

const struct format jacoco_format = {
    .info = { "jacoco", "JaCoCo XML report", extensions, versions, "1.0, 1.1", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = jacoco_probe,
    .read = jacoco_read,
    .check = jacoco_check,
    .dump = jacoco_dump,
    .write = jacoco_write,
    .write_wants = write_wants,
};
