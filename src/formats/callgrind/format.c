/* The table entries of callgrind and cachegrind, and how their text is recognised (docs/formats/callgrind.md, "Recognising"). */
#include "formats/callgrind/callgrind.h"

#include "formats/callgrind/encode.h"

/* Which of the lines that tell them apart stand at the start of a line. */
struct signs {
    bool is_text, callgrind_comment, creator, version, events, desc, cmd, calls, banner, fn, summary;
};

static void sign(struct signs *s, assay_slice line)
{
    s->callgrind_comment |= slice_starts(line, "# callgrind format");
    s->creator |= slice_starts(line, "creator:");
    s->version |= slice_starts(line, "version:");
    s->events |= slice_starts(line, "events:");
    s->desc |= slice_starts(line, "desc:");
    s->cmd |= slice_starts(line, "cmd:");
    s->summary |= slice_starts(line, "summary:");
    s->calls |= slice_starts(line, "calls=");
    s->fn |= slice_starts(line, "fn=");
    s->banner |= slice_starts(line, "==== NEW PROFILING FILE");
}

static struct signs look(const struct probe *p)
{
    struct signs s = { .is_text = !p->is_dir && p->head.len && !memchr(p->head.data, 0, p->head.len) };
    if (!s.is_text) return s;
    const char *at = p->head.data, *end = at + p->head.len;
    while (at < end) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        sign(&s, slice_from(at, nl ? nl : end));
        at = nl ? nl + 1 : end;
    }
    return s;
}

/* Cachegrind's header has neither creator nor version, and its text has no calls. */
static bool is_cachegrind(const struct signs *s)
{
    return s->events && s->fn && s->cmd && !s->callgrind_comment && !s->creator && !s->version && !s->calls && !s->banner;
}

static int callgrind_probe(const struct probe *p, const char **why)
{
    struct signs s = look(p);
    if (!s.is_text) return 0;
    *why = "a line 'events:' or 'creator:'";
    if (s.callgrind_comment || s.banner) {
        *why = s.banner ? "the banner of an appended Xdebug run" : "the line '# callgrind format'";
        return 90;
    }
    if (is_cachegrind(&s)) return 20;
    if (s.events && (s.creator || s.version || s.fn)) return 70;
    if (s.events || (s.creator && s.version)) return 60;
    if (s.fn) {
        *why = "a line 'fn='";
        return 30;
    }
    return 0;
}

static int cachegrind_probe(const struct probe *p, const char **why)
{
    struct signs s = look(p);
    *why = "cmd: and events: without creator:, version: and calls";
    return s.is_text && is_cachegrind(&s) ? 75 : 0;
}

static uint32_t write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_GRAPH;
}

static const char *const callgrind_extensions[] = { ".callgrind", ".xdebug", ".out", NULL };
static const char *const versions[] = { "1", NULL };
static const char *const cachegrind_extensions[] = { ".cachegrind", NULL };

static const struct option_spec writing[] = {
    { .name = "no-ids", .type = OPTION_FLAG, .at = offsetof(struct cg_options, no_ids), .help = "write names in full instead of compressing them to numbers" },
    { .name = "no-relative", .type = OPTION_FLAG, .at = offsetof(struct cg_options, no_relative), .help = "write absolute instead of relative positions" },
    { .name = NULL },
};

const struct format callgrind_format = {
    .info = { "callgrind", "Callgrind text: Valgrind, Xdebug and converters", callgrind_extensions, versions, "0, 1", ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE | ASSAY_CAN_REWRITE,
              ASSAY_HAS_METRICS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_CALL_LINES | ASSAY_HAS_ADDRESSES | ASSAY_HAS_JUMPS |
                  ASSAY_HAS_STREAMS | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FORMULAS },
    .probe = callgrind_probe,
    .read = callgrind_read,
    .check = callgrind_check,
    .dump = callgrind_dump,
    .writing = { writing, sizeof(struct cg_options) },
    .write = callgrind_write,
    .write_wants = write_wants,
    .rewrite = callgrind_rewrite,
};

const struct format cachegrind_format = {
    .info = { "cachegrind", "Cachegrind text: Valgrind's cachegrind, cg_merge, cg_diff", cachegrind_extensions, versions, "all", ASSAY_SHAPE_GRAPH,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP | ASSAY_CAN_WRITE,
              ASSAY_HAS_METRICS | ASSAY_HAS_FILES | ASSAY_HAS_COST_LINES | ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE },
    .probe = cachegrind_probe,
    .read = cachegrind_read,
    .check = cachegrind_check,
    .dump = callgrind_dump,
    .write = cachegrind_write,
    .write_wants = write_wants,
};
