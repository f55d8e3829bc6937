/* The table entry of chunked NYTProf streams. */
#include "formats/nytprof_tlv/format.h"

static const char *const extensions[] = { ".nytprof", ".out", NULL };

const struct format nytprof_tlv_format = {
    .info = { .name = "nytprof-tlv",
              .title = "NYTProf in chunks, as Pynytprof writes it",
              .extensions = extensions,
              .reads = "5.0, and Pynytprof's generations G0 to G8",
              .holds = ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK,
              .features = ASSAY_HAS_COST_LINES | ASSAY_HAS_64_BITS | ASSAY_HAS_FORMULAS },
    .probe = nytprof_tlv_probe,
    .read = nytprof_tlv_read,
    .check = nytprof_tlv_check,
};
