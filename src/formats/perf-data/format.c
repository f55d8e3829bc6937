/* The table entry of perf.data, and how it is recognised. */
#include "formats/perf-data/perf_data.h"

static bool is_magic(assay_slice head)
{
    return slice_starts(head, "PERFILE2") || slice_starts(head, "2ELIFREP") || slice_starts(head, "PERFFILE") || slice_starts(head, "PERFILE") ||
           slice_starts(head, "ELIFREP");
}

/* A file by its magic; a directory of perf record --threads or --kcore by that of the file `data` in it. */
static int pd_probe(const struct probe *p, const char **why)
{
    char head[8];
    if (p->is_dir) {
        *why = "a directory with a perf.data file named data";
        return folder_peek(p->path, "data", head, sizeof head) == 8 && is_magic((assay_slice){ head, sizeof head }) ? 80 : 0;
    }
    *why = "magic PERFILE2";
    if (!is_magic(p->head)) return 0;
    bool has_size = p->head.len >= 16 && (p->head.data[8] == 104 || p->head.data[8] == 16 || p->head.data[15] == 104 || p->head.data[15] == 16);
    return has_size ? 95 : 80;
}

static const char *const extensions[] = { ".perf.data", ".perf.data.old", NULL };
static const char *const no_versions[] = { NULL };

#define AT(member) .at = offsetof(struct pd_options, member)

static const struct option_spec reading[] = {
    { .name = "kallsyms",
      .type = OPTION_PATH,
      .argument = "FILE",
      AT(kallsyms),
      .help = "name functions of the kernel by FILE, a copy of /proc/kallsyms",
      .text = "It must be of the same boot, or be moved as the recording says." },
    { .name = "inlined", .type = OPTION_FLAG, AT(inlined), .help = "show functions that were inlined, as debug information has them" },
    { .name = "no-unwind", .type = OPTION_FLAG, AT(no_unwind), .help = "do not unwind stack dumps: show the innermost function only" },
    { .name = NULL },
};

const struct format perf_data_format = {
    .info = { "perf-data", "perf.data of Linux perf", extensions, no_versions, "2", ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, 0 },
    .reading = { reading, sizeof(struct pd_options) },
    .probe = pd_probe,
    .read = pd_read,
    .check = pd_check,
    .dump = pd_dump,
};
