/* The table entry of HPCToolkit's databases. */
#include "base/folder.h"
#include "formats/hpcdb/open.h"
#include "formats/hpcdb/plan.h"

static int probe_dir(const char *path, const char **why)
{
    char head[HPCDB_HEAD_LEN];
    *why = "a directory with HPCToolkit's meta.db";
    for (unsigned part = 0; part < HPCDB_PARTS; part++) {
        long got = folder_peek(path, hpcdb_layouts[part].name, head, sizeof head);
        if (got > 0 && hpcdb_part_of((assay_slice){ head, (size_t)got }) == part) return part == HPCDB_META ? 95 : 60;
        *why = "a directory with a file of an HPCToolkit database";
    }
    return 0;
}

static int probe(const struct probe *p, const char **why)
{
    if (p->is_dir) return probe_dir(p->path, why);
    *why = "a file of an HPCToolkit database";
    return hpcdb_part_of(p->head) < HPCDB_PARTS ? 95 : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE;
}

static const char *const extensions[] = { NULL };
static const char *const versions[] = { "4.0", NULL };
static const char *const dir_names[] = { "meta.db", "profile.db", "cct.db", "trace.db", "metrics", "src", "FORMATS.md", NULL };

const struct format hpcdb_format = {
    .info = { .name = "hpcdb",
              .title = "HPCToolkit's database: meta.db, profile.db, cct.db, trace.db",
              .extensions = extensions,
              .versions = versions,
              .reads = "4.x",
              .holds = ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              .features = ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ADDRESSES |
                          ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS },
    .probe = probe,
    .read = hpcdb_read,
    .check = hpcdb_check,
    .dump = hpcdb_dump,
    .writing = { hpcdb_writing, sizeof(struct hpcdb_options) },
    .write_dir = hpcdb_write,
    .dir_names = dir_names,
    .write_wants = write_wants,
    .writes_parts = true,
};
