/* The table entry of folded stacks, and how they are recognised. */
#include <string.h>

#include "base/slice.h"
#include "formats/folded/folded.h"

enum { LOOK = 40, LONG_FRAMES = 16 };

/* A line that is longer than what probes see, so that nobody knows how it ends: several frames, and no beginning that other text has. */
static bool is_long_stack(assay_slice line)
{
    size_t frames = 1;
    if (!line.len || strchr("{[<\"'#/(", line.data[0])) return false;
    for (size_t i = 0; i < line.len; i++) {
        if ((unsigned char)line.data[i] < ' ') return false;
        frames += line.data[i] == ';';
    }
    return frames >= LONG_FRAMES;
}

/* At least half of the first lines end with blanks and a number, and there are no NULs: other text formats say more about themselves. */
static int folded_probe(const struct probe *p, const char **why)
{
    unsigned lines = 0, counts = 0, stacks = 0;
    if (p->is_dir || !p->head.len || memchr(p->head.data, '\0', p->head.len)) return 0;
    const char *at = p->head.data, *end = at + p->head.len;
    while (at < end && lines < LOOK) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        if (!nl && !p->is_whole) break;
        assay_slice line = slice_trim(slice_from(at, nl ? nl : end));
        struct folded_number n;
        bool is_large;
        at = nl ? nl + 1 : end;
        if (line.len && line.data[line.len - 1] == '\r') line.len--;
        if (!line.len || line.data[0] == '#') continue;
        lines++;
        bool is_sample = folded_cut_number(&line, &n, &is_large) && line.len;
        counts += is_sample;
        stacks += is_sample && memchr(line.data, ';', line.len) != NULL;
    }
    *why = "a very long line of frames with ';' between them";
    if (!lines && at < end && is_long_stack(slice_from(at, end))) return 15;
    *why = "lines 'frame;frame COUNT'";
    if (!counts || counts * 2 < lines) return 0;
    return stacks * 2 >= counts ? 45 : 15;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)version;
    uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS;
    if (options && options->estimate) return ASSAY_WANT_TREE | graph;
    return options && options->no_estimate ? ASSAY_WANT_TREE : ASSAY_WANT_TREE | ASSAY_WANT_EITHER | graph;
}

static const char *const extensions[] = { ".folded", ".collapsed", ".stacks", NULL };
static const char *const versions[] = { "1", NULL };

const struct format folded_format = {
    .info = { "folded", "folded stacks: flamegraph.pl, inferno, async-profiler, py-spy, austin", extensions, versions, "all", ASSAY_SHAPE_TREE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE, ASSAY_HAS_64_BITS | ASSAY_HAS_FRACTIONS },
    .probe = folded_probe,
    .read = folded_read,
    .check = folded_check,
    .dump = folded_dump,
    .write = folded_write,
    .write_wants = write_wants,
};
