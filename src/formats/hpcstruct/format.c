/* The table entry of HPCToolkit's structure files. */
#include "formats/hpcstruct/hpcstruct.h"

static int probe(const struct probe *p, const char **why)
{
    *why = "an XML document HPCToolkitStructure";
    if (p->is_dir || !slice_contains(p->head, "HPCToolkitStructure")) return 0;
    assay_slice s = p->head;
    if (slice_starts(s, "\xef\xbb\xbf")) s.data += 3, s.len -= 3;
    while (s.len && (s.data[0] == ' ' || s.data[0] == '\t' || s.data[0] == '\r' || s.data[0] == '\n')) s.data++, s.len--;
    if (!s.len || s.data[0] != '<') return 0;
    if (slice_contains(s, "<HPCToolkitStructure")) return 95;
    return slice_contains(s, "<!DOCTYPE HPCToolkitStructure") ? 80 : 0;
}

static const char *const extensions[] = { ".hpcstruct", NULL };
static const char *const versions[] = { NULL };

const struct format hpcstruct_format = {
    .info = { .name = "hpcstruct",
              .title = "HPCToolkit's structure files: functions, loops, inlined code and lines of a program",
              .extensions = extensions,
              .versions = versions,
              .reads = "4.6 to 4.9",
              .can = ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP,
              .features = ASSAY_HAS_MODULES | ASSAY_HAS_ADDRESSES },
    .probe = probe,
    .read = hpcstruct_read,
    .check = hpcstruct_check,
    .dump = hpcstruct_dump,
};
