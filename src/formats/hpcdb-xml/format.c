/* The table entry of HPCToolkit's databases before 2022, and how one is recognised (docs/formats/hpcdb-xml.md, "Recognising"). */
#include "base/folder.h"
#include "formats/coverage/xml.h"
#include "formats/hpcdb-xml/hpcdb_xml.h"

/* A database of today may have an old document beside it: then it is the one that counts. */
static int probe_dir(const char *path, const char **why)
{
    bool is_there = folder_peek(path, "experiment.xml", NULL, 0) >= 0 || folder_peek(path, "experiment.xml.gz", NULL, 0) >= 0;
    *why = "a directory with HPCToolkit's experiment.xml and no meta.db";
    if (!is_there) return 0;
    return folder_peek(path, "meta.db", NULL, 0) < 0 ? 90 : 20;
}

static int probe(const struct probe *p, const char **why)
{
    struct coverage_xml_head h;
    if (p->is_dir) return probe_dir(p->path, why);
    if (!coverage_xml_head(p->head, &h)) return 0;
    *why = "XML with the root HPCToolkitExperiment";
    if (slice_is(h.name, "HPCToolkitExperiment")) return 95;
    *why = "XML with a root of HPCToolkit before 2009";
    return slice_is(h.name, "CSPROFILE") || slice_is(h.name, "HPCVIEWER") ? 60 : 0;
}

static const char *const extensions[] = { NULL };
static const char *const versions[] = { NULL };

const struct format hpcdb_xml_format = {
    .info = { .name = "hpcdb-xml",
              .title = "HPCToolkit's database before 2022: experiment.xml, thread files and traces",
              .extensions = extensions,
              .versions = versions,
              .reads = "2.0 to 4.0",
              .holds = ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP,
              .features = ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ADDRESSES |
                          ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS },
    .probe = probe,
    .read = hpcdb_xml_read,
    .check = hpcdb_xml_check,
    .dump = hpcdb_xml_dump,
};
