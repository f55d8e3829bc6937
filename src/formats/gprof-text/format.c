/* The table entry of gprof's text, and how it is recognised. */
#include "base/slice.h"
#include "formats/gprof-text/gprof.h"

/* A header of one of the two tables. The title alone will do where the file begins with it, so that check can say what is missing. */
static int gprof_probe(const struct probe *p, const char **why)
{
    assay_slice rest = p->head, unit;
    double scale;
    if (p->is_dir || !rest.len || memchr(rest.data, '\0', rest.len)) return 0;
    while (rest.len) {
        const char *end = memchr(rest.data, '\n', rest.len);
        assay_slice line = end ? slice_from(rest.data, end) : rest;
        *why = "the header of gprof's flat profile or call graph";
        if (line.len && line.data[line.len - 1] == '\r') line.len--;
        if (gprof_flat_header(line, &unit, &scale) || gprof_graph_header(line)) return 80;
        rest = end ? slice_from(end + 1, rest.data + rest.len) : (assay_slice){ NULL, 0 };
    }
    *why = "the title of gprof's flat profile";
    return slice_starts(p->head, "Flat profile:") ? 60 : 0;
}

static const char *const extensions[] = { ".gprof", ".gprof.txt", NULL };
static const char *const no_versions[] = { NULL };

const struct format gprof_text_format = {
    .info = { "gprof-text", "output of GNU gprof", extensions, no_versions, "all", ASSAY_SHAPE_GRAPH, ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, 0 },
    .probe = gprof_probe,
    .read = gprof_read,
    .check = gprof_check,
    .dump = gprof_dump,
};
