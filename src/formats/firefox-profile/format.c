/* The table entry of the Firefox Profiler's processed profiles, and how they are recognised. */
#include "base/slice.h"
#include "formats/coverage/json.h"
#include "formats/firefox-profile/collect.h"
#include "formats/stacks/stacks.h"

/* The version is what makes a profile a processed one. The first ones had none, and in a large file it may stand behind all tables. */
static int firefox_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || !coverage_json_is_object(p->head)) return 0;
    *why = "JSON with the version of a processed profile";
    if (coverage_json_has_key(p->head, 2, "\"preprocessedProfileVersion\"")) return 95;
    *why = "JSON with the tables of the Firefox Profiler";
    bool has_shared = coverage_json_has_key(p->head, 1, "\"shared\"") &&
                      (coverage_json_has_key(p->head, 2, "\"stackTable\"") || coverage_json_has_key(p->head, 2, "\"funcTable\""));
    bool has_threads = coverage_json_has_key(p->head, 1, "\"threads\"") &&
                       (coverage_json_has_key(p->head, 3, "\"funcTable\"") || coverage_json_has_key(p->head, 3, "\"stringArray\""));
    return has_shared || has_threads ? 80 : 0;
}

static const char *const extensions[] = { ".json", NULL };
static const char *const versions[] = { "70", NULL };

const struct format firefox_profile_format = {
    .info = { "firefox-profile", "the Firefox Profiler's processed profiles (samply and others write them)", extensions, versions, "0 to 70",
              ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_METRICS | ASSAY_HAS_MARKERS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE |
                  ASSAY_HAS_FRACTIONS },
    .probe = firefox_probe,
    .read = firefox_read,
    .check = firefox_check,
    .dump = firefox_dump,
    .write = firefox_write,
    .write_wants = stacks_wants,
};
