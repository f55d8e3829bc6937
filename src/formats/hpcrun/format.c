/* The table entries of HPCToolkit's measurement files: profiles, traces and flat histograms. */
#include "formats/hpcrun/dump.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/write/write.h"

/* A magic of which a byte or two are wrong still names the format when the name says so too. */
static bool has_extension(const struct probe *p, const char *extension)
{
    size_t len = strlen(extension), path = p->path ? strlen(p->path) : 0;
    return path > len && strcmp(p->path + path - len, extension) == 0;
}

static int profile_probe(const struct probe *p, const char **why)
{
    if (p->is_dir) return 0;
    *why = "the magic of an hpcrun profile";
    if (hpcrun_magic_len(p->head)) return 95;
    *why = "a file of HPCToolkit that is named, but not read";
    if (slice_starts(p->head, "HPCPROF-metricdb__") || slice_starts(p->head, "HPCLOGICAL")) return 80;
    *why = "the extension .hpcrun";
    return has_extension(p, ".hpcrun") ? 10 : 0;
}

static int trace_probe(const struct probe *p, const char **why)
{
    if (p->is_dir) return 0;
    *why = "the magic of an hpcrun trace";
    if (slice_starts(p->head, "HPCRUN-trace______")) return 95;
    *why = "the extension .hpctrace";
    return has_extension(p, ".hpctrace") ? 10 : 0;
}

static int flat_probe(const struct probe *p, const char **why)
{
    if (p->is_dir) return 0;
    *why = "the magic of a flat hpcrun profile";
    if (slice_starts(p->head, "HPCRUN-FLAT_______")) return 95;
    *why = "the extension .hpcrun-flat";
    return has_extension(p, ".hpcrun-flat") ? 10 : 0;
}

static const char *const profile_extensions[] = { ".hpcrun", NULL };
static const char *const trace_extensions[] = { ".hpctrace", NULL };
static const char *const flat_extensions[] = { ".hpcrun-flat", NULL };
static const char *const no_versions[] = { NULL };

const struct format hpcrun_format = {
    .info = { .name = "hpcrun",
              .title = "HPCToolkit's profile of one thread",
              .extensions = profile_extensions,
              .versions = hpcrun_versions,
              .reads = "02.00 to 04.00",
              .holds = ASSAY_SHAPE_TREE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              .features = ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_ADDRESSES | ASSAY_HAS_64_BITS | ASSAY_HAS_FRACTIONS | ASSAY_HAS_NEGATIVE |
                          ASSAY_HAS_FORMULAS },
    .probe = profile_probe,
    .read = hpcrun_read,
    .check = hpcrun_check,
    .dump = hpcrun_dump,
    .styles = hpcrun_dump_styles,
    .write = hpcrun_write,
    .write_wants = hpcrun_write_wants,
    .rewrite = hpcrun_rewrite,
};

const struct format hpctrace_format = {
    .info = { .name = "hpctrace",
              .title = "HPCToolkit's trace of one thread",
              .extensions = trace_extensions,
              .versions = hpctrace_versions,
              .reads = "01.00, 01.01",
              .holds = ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_TREE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              .features = 0 },
    .probe = trace_probe,
    .read = hpctrace_read,
    .check = hpctrace_check,
    .dump = hpctrace_dump,
    .styles = hpcrun_dump_styles,
    .write = hpctrace_write,
    .write_wants = hpctrace_write_wants,
    .rewrite = hpctrace_rewrite,
};

const struct format hpcrun_flat_format = {
    .info = { .name = "hpcrun-flat",
              .title = "HPCToolkit's flat histograms, 2004 to 2012",
              .extensions = flat_extensions,
              .versions = no_versions,
              .reads = "01.00",
              .holds = ASSAY_SHAPE_TREE,
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP,
              .features = ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_ADDRESSES | ASSAY_HAS_64_BITS },
    .probe = flat_probe,
    .read = hpcrun_flat_read,
    .check = hpcrun_flat_check,
    .dump = hpcrun_flat_dump,
    .styles = hpcrun_dump_styles,
};
