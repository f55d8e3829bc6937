/* The table entries of V8's profiles, and how they are recognised. */
#include "base/slice.h"
#include "formats/coverage/json.h"
#include "formats/stacks/stacks.h"
#include "formats/v8-cpuprofile/cpuprofile.h"

static bool has(const struct probe *p, unsigned depth, const char *key) { return coverage_json_has_key(p->head, depth, key); }

static int cpuprofile_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with nodes that have a callFrame";
    if (has(p, 1, "\"nodes\"") && has(p, 3, "\"callFrame\"")) return 95;
    *why = "JSON with a head that has a functionName";
    if (has(p, 1, "\"head\"") && has(p, 2, "\"functionName\"") && !has(p, 2, "\"selfSize\"")) return 90;
    *why = "JSON with samples and timeDeltas";
    return has(p, 1, "\"timeDeltas\"") && (has(p, 1, "\"samples\"") || has(p, 1, "\"nodes\"") || has(p, 1, "\"startTime\"")) ? 80 : 0;
}

/* Where the head is long its size may come behind all that stands inside of it, whose sizes are seen then. */
static int heapprofile_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with a head that has a callFrame and a selfSize";
    if (has(p, 1, "\"head\"") && has(p, 2, "\"callFrame\"") && slice_contains(p->head, "\"selfSize\"")) return 95;
    *why = "JSON with samples that have a size, a nodeId and an ordinal";
    return has(p, 1, "\"samples\"") && has(p, 3, "\"nodeId\"") && has(p, 3, "\"ordinal\"") ? 70 : 0;
}

static const char *const cpu_extensions[] = { ".cpuprofile", NULL };
static const char *const heap_extensions[] = { ".heapprofile", NULL };
static const char *const versions[] = { "1", NULL };
static const char *const no_versions[] = { NULL };

const struct format v8_cpuprofile_format = {
    .info = { "v8-cpuprofile", "CPU profiles of V8: node, Chrome DevTools", cpu_extensions, versions, "all",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_LINES, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_FILES | ASSAY_HAS_64_BITS | ASSAY_HAS_FRACTIONS },
    .probe = cpuprofile_probe,
    .read = cpuprofile_read,
    .check = cpuprofile_check,
    .dump = cpuprofile_dump,
    .write = cpuprofile_write,
    .write_wants = stacks_wants,
};

const struct format v8_heapprofile_format = {
    .info = { "v8-heapprofile", "heap profiles of V8: node, Chrome DevTools", heap_extensions, no_versions, "any", ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, ASSAY_HAS_64_BITS },
    .probe = heapprofile_probe,
    .read = heapprofile_read,
    .check = heapprofile_check,
    .dump = cpuprofile_dump,
};
