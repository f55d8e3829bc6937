/* The table entry of speedscope's files, and how they are recognised. */
#include "base/slice.h"
#include "formats/coverage/json.h"
#include "formats/speedscope/speedscope.h"
#include "formats/stacks/stacks.h"

/* The address of the schema is what makes a file one of speedscope's. In a large file whose writer puts it last only the frames and profiles are seen. */
static int speedscope_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with the schema of speedscope";
    if (slice_contains(p->head, "www.speedscope.app/file-format-schema.json")) return 95;
    *why = "JSON with profiles that have samples or events, startValue and endValue";
    bool has_profiles = coverage_json_has_key(p->head, 1, "\"profiles\"") || coverage_json_has_key(p->head, 1, "\"shared\"");
    bool has_fields = coverage_json_has_key(p->head, 3, "\"startValue\"") || coverage_json_has_key(p->head, 3, "\"endValue\"") ||
                      coverage_json_has_key(p->head, 2, "\"frames\"");
    return has_profiles && has_fields ? 70 : 0;
}

static const char *const extensions[] = { ".speedscope.json", NULL };
static const char *const versions[] = { "1", NULL };

const struct format speedscope_format = {
    .info = { "speedscope", "speedscope's own files (py-spy, rbspy, dotnet-trace and others write them)", extensions, versions, "all",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_METRICS | ASSAY_HAS_FILES | ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS },
    .probe = speedscope_probe,
    .read = speedscope_read,
    .check = speedscope_check,
    .dump = speedscope_dump,
    .write = speedscope_write,
    .write_wants = stacks_wants,
};
