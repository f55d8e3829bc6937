/* The table entry of pstats files, and how they are recognised. */
#include "formats/pstats/pstats.h"

/* A dictionary whose first key is a tuple or that is empty: `{` before a quote or a blank is JSON. A list, or a first key of an unknown type, is taken
 * as pstats by the extension alone, so that check can say what is wrong. */
static int pstats_probe(const struct probe *p, const char **why)
{
    if (p->is_dir || p->head.len < 2) return 0;
    unsigned char first = (unsigned char)p->head.data[0], second = (unsigned char)p->head.data[1] & 0x7f;
    size_t path = p->path ? strlen(p->path) : 0;
    *why = "a marshalled dictionary whose first key is a tuple";
    if ((first & 0x7f) == '{' && (second == '(' || second == ')')) return 80;
    if ((first & 0x7f) == '{' && second == '0' && p->is_whole && p->head.len == 2) return 60;
    *why = "the extension .pstats";
    return path > 7 && strcmp(p->path + path - 7, ".pstats") == 0 ? 10 : 0;
}

static const char *const extensions[] = { ".pstats", ".prof", ".cprof", NULL };
static const char *const no_versions[] = { NULL };

const struct format pstats_format = {
    .info = { "pstats", "Python's cProfile and profile (files for pstats)", extensions, no_versions, "CPython 2.5 to 3.13", ASSAY_SHAPE_GRAPH,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, 0 },
    .probe = pstats_probe,
    .read = pstats_read,
    .check = pstats_check,
    .dump = pstats_dump,
};
