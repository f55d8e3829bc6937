/* The table entry of JaCoCo's execution data, and how it is recognised (docs/formats/jacoco-exec.md, "Recognising"). */
#include "formats/jacoco-exec/jacoco_exec.h"

static unsigned char byte(assay_slice head, size_t i) { return (unsigned char)head.data[i]; }

static int jacoco_exec_probe_head(const struct probe *p, const char **why)
{
    assay_slice h = p->head;
    if (p->is_dir || h.len < 3 || byte(h, 0) != 0x01) return 0;
    *why = "a header block with the magic number C0C0";
    if (byte(h, 1) == 0xc0 && byte(h, 2) == 0xc0) return h.len >= 5 && byte(h, 3) == 0x10 ? 95 : 80;
    *why = "a header block of version 0x1007 without its magic number";
    return h.len >= 6 && byte(h, 3) == 0x10 && byte(h, 4) == 0x07 && (byte(h, 5) == 0x10 || byte(h, 5) == 0x11) ? 60 : 0;
}

static const char *const extensions[] = { ".exec", NULL };
static const char *const no_versions[] = { NULL };

const struct format jacoco_exec_format = {
    .info = { "jacoco-exec", "JaCoCo execution data (.exec): sessions, classes, probes", extensions, no_versions, "0x1007 (since 0.7.5)", ASSAY_SHAPE_COVERAGE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, 0 },
    .probe = jacoco_exec_probe_head,
    .read = jacoco_exec_read,
    .check = jacoco_exec_check,
    .dump = jacoco_exec_dump,
};
