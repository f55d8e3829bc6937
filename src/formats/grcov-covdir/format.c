/* The table entry of grcov's covdir, and how a document is recognised (docs/formats/grcov-covdir.md, "Recognising"). */
#include "formats/grcov-covdir/decode.h"

const struct coverage_source covdir_source = { "grcov-covdir", covdir_decode, { NULL } };

static int covdir_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with a tree of children and their coverage";
    if (coverage_json_has_key(p->head, 1, "\"coveragePercent\"")) return 90;
    return coverage_json_has_key(p->head, 1, "\"children\"") && slice_contains(p->head, "\"coverage\"") ? 85 : 0;
}

static int covdir_read(const struct read_job *job, assay_builder *b, assay_error *err) { return coverage_rows_read(&covdir_source, job, b, err); }
static int covdir_dump(const struct read_job *job, struct output *out, assay_error *err) { return coverage_rows_dump(&covdir_source, job, out, err); }

static const char *const extensions[] = { ".json", NULL };
static const char *const no_versions[] = { NULL };

const struct format covdir_format = {
    .info = { "grcov-covdir", "grcov's covdir: a tree of directories with their lines", extensions, no_versions, "any", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = covdir_probe,
    .read = covdir_read,
    .check = covdir_check,
    .dump = covdir_dump,
};
