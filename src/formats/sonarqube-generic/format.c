/* The table entry of SonarQube's generic coverage, and how a document is recognised (docs/formats/sonarqube-generic.md, "Recognising"). */
#include "formats/coverage/xml.h"
#include "formats/sonarqube-generic/sonarqube.h"

static int sonarqube_probe(const struct probe *p, const char **why)
{
    struct coverage_xml_head h;
    if (p->is_dir || !coverage_xml_head(p->head, &h) || !slice_is(h.name, "coverage")) return 0;
    *why = "XML with the root coverage and lines to cover";
    if (slice_contains(h.rest, "<lineToCover")) return 90;
    *why = "XML with the root coverage of version 1";
    if (!slice_is(coverage_xml_in_tag(h.tag, "version"), "1")) return 0;
    return slice_contains(h.rest, "<file") ? 80 : 50;
}

const struct coverage_source sonarqube_source = { "sonarqube-generic", sonarqube_decode, { NULL } };

static int sonarqube_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&sonarqube_source, job, b, err); }
static int sonarqube_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&sonarqube_source, job, out, err); }

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static const char *const extensions[] = { ".xml", NULL };
static const char *const versions[] = { "1", NULL };

const struct format sonarqube_generic_format = {
    .info = { "sonarqube-generic", "SonarQube generic test coverage (XML)", extensions, versions, "1", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS },
    .probe = sonarqube_probe,
    .read = sonarqube_read,
    .check = sonarqube_check,
    .dump = sonarqube_dump,
    .write = sonarqube_write,
    .write_wants = write_wants,
};
