/* The table entry of OpenTelemetry profiles, and how they are recognised: there is no magic number, so the messages have to be those of ProfilesData. */
#include "formats/coverage/json.h"
#include "formats/otlp-profiles/decode.h"

static int otlp_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !p->head.len) return 0;
    if (!coverage_json_is_object(p->head)) return otlp_layout_probe(p->head, p->is_whole, why);
    *why = "JSON with resourceProfiles";
    if (coverage_json_has_key(p->head, 1, "\"resourceProfiles\"") || coverage_json_has_key(p->head, 1, "\"resource_profiles\"")) return 95;
    *why = "JSON with a dictionary of OpenTelemetry's profiles";
    return coverage_json_has_key(p->head, 1, "\"dictionary\"") &&
                   (coverage_json_has_key(p->head, 2, "\"mappingTable\"") || coverage_json_has_key(p->head, 2, "\"stringTable\"") ||
                    coverage_json_has_key(p->head, 2, "\"locationTable\""))
               ? 80
               : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)version;
    uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS, tree = ASSAY_WANT_TREE | ASSAY_WANT_LABELS | ASSAY_WANT_TIMELINE;
    if (options && options->estimate) return tree | graph;
    return options && options->no_estimate ? tree : tree | ASSAY_WANT_EITHER | graph;
}

static const char *const layouts[] = { "auto", "1.3", "1.4", "1.6", "1.7", "1.8", "1.9", "1.10", NULL };
static const struct option_spec reading[] = {
    { .name = "layout",
      .type = OPTION_WORD,
      .argument = "VERSION",
      .at = offsetof(struct otlp_options, layout),
      .words = layouts,
      .help = "read binary messages by this layout, whatever they look like" },
    { .name = NULL },
};

static const char *const extensions[] = { ".otlp", ".otlp.json", NULL };
static const char *const versions[] = { "1.10", "1.10-json", NULL };

const struct format otlp_profiles_format = {
    .info = { "otlp-profiles", "OpenTelemetry profiles: protocol buffers or JSON", extensions, versions, "1.3 to 1.11",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_LABELS | ASSAY_SHAPE_TIMELINE, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS |
                  ASSAY_HAS_NEGATIVE },
    .reading = { reading, sizeof(struct otlp_options) },
    .probe = otlp_probe,
    .read = otlp_read,
    .check = otlp_check,
    .dump = otlp_dump,
    .write = otlp_write,
    .write_wants = write_wants,
};
