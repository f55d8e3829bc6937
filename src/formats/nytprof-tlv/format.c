/* The table entry of chunked NYTProf streams. */
#include "formats/nytprof-tlv/format.h"

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_GRAPH | ASSAY_WANT_LINES;
}

/* .nytprof is Perl's stream, of which this one is a relative. */
static const char *const extensions[] = { ".nytprof-tlv", NULL };
static const char *const versions[] = { "5.0", NULL };

const struct format nytprof_tlv_format = {
    .info = { .name = "nytprof-tlv",
              .title = "NYTProf in chunks, as Pynytprof writes it",
              .extensions = extensions,
              .versions = versions,
              .reads = "5.0, G0 to G8",
              .holds = ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              .features = ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_64_BITS | ASSAY_HAS_FORMULAS },
    .probe = nytprof_tlv_probe,
    .read = nytprof_tlv_read,
    .check = nytprof_tlv_check,
    .dump = nytprof_tlv_dump,
    .write = nytprof_tlv_write,
    .write_wants = write_wants,
    .rewrite = nytprof_tlv_rewrite,
};
