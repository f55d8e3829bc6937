/* The table entry of traces, and how they are recognised. */
#include "base/slice.h"
#include "formats/chrome-trace/chrome.h"
#include "formats/coverage/json.h"
#include "formats/stacks/stacks.h"

/* An array whose first item is an object. */
static bool is_array_of_objects(assay_slice head)
{
    size_t i = head.len >= 3 && memcmp(head.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    char found[2];
    unsigned count = 0;
    for (; i < head.len && count < 2; i++)
        if (!strchr(" \t\r\n", head.data[i]) || !head.data[i]) found[count++] = head.data[i];
    return count == 2 && found[0] == '[' && found[1] == '{';
}

static int chrome_probe(const struct probe *p, const char **why)
{
    if (p->is_dir) return 0;
    *why = "a JSON array of events that have ph";
    if (is_array_of_objects(p->head)) return coverage_json_has_key(p->head, 2, "\"ph\"") ? 85 : 0;
    if (!coverage_json_is_object(p->head)) return 0;
    *why = "JSON with traceEvents";
    if (coverage_json_has_key(p->head, 1, "\"traceEvents\"")) return 90;
    *why = "JSON with stackFrames and samples";
    return coverage_json_has_key(p->head, 1, "\"stackFrames\"") && coverage_json_has_key(p->head, 1, "\"samples\"") ? 70 : 0;
}

/* Arguments of spans and markers are labels. */
static uint32_t chrome_wants(const struct assay_write_options *options, const char *version) { return stacks_wants(options, version) | ASSAY_WANT_LABELS; }

static const char *const extensions[] = { ".trace.json", ".chrome-trace.json", NULL };
static const char *const versions[] = { "1", NULL };

const struct format chrome_format = {
    .info = { "chrome-trace", "traces in the Trace Event format (Chrome, node, clang -ftime-trace and others write them)", extensions, versions, "all",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_MARKERS | ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_FRACTIONS },
    .probe = chrome_probe,
    .read = chrome_read,
    .check = chrome_check,
    .dump = chrome_dump,
    .write = chrome_write,
    .write_wants = chrome_wants,
};
