/* The table entry of perf script's text, and how it is recognised. */
#include <string.h>

#include "base/slice.h"
#include "formats/perf-script/perf_script.h"

enum { LOOK = 40 };

/* What the lines so far say. */
struct seen {
    unsigned lines, heads, frames;
    bool is_head;   /* the line before is an event line */
    bool is_sample; /* an event line with a frame was met */
};

static void look(struct seen *s, assay_slice line)
{
    struct perf_script_head h;
    assay_slice text = slice_trim(line);
    bool was_head = s->is_head;
    if (!text.len || line.data[0] == '#' || slice_contains(line, "PERF_RECORD_")) return;
    s->lines++;
    s->is_head = false;
    if (perf_script_is_frame(text, text.data == line.data) && !perf_script_has_time(line)) {
        s->frames++;
        s->is_sample |= was_head;
    } else if (perf_script_head(line, &h)) {
        s->heads++;
        s->is_head = true;
        s->is_sample |= h.frame.len > 0;
    }
}

/* An event line and a frame; event lines alone if each line is one; frames alone, so that check can say what is missing. */
static int perf_script_probe(const struct probe *p, const char **why)
{
    struct seen s = { 0 };
    if (p->is_dir || !p->head.len || memchr(p->head.data, '\0', p->head.len)) return 0;
    const char *at = p->head.data, *end = at + p->head.len;
    if (slice_starts(p->head, "\xef\xbb\xbf")) at += 3;
    while (at < end && s.lines < LOOK && !s.is_sample) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        if (!nl && !p->is_whole) break;
        assay_slice line = slice_from(at, nl ? nl : end);
        at = nl ? nl + 1 : end;
        if (line.len && line.data[line.len - 1] == '\r') line.len--;
        look(&s, line);
    }
    *why = "an event line with a frame";
    if (s.is_sample) return 60;
    *why = "lines of addresses and names";
    if (s.lines && s.heads + s.frames == s.lines) return s.heads ? 40 : 20;
    return 0;
}

static const char *const extensions[] = { ".perf", ".perf.txt", ".linux-perf.txt", NULL };
static const char *const no_versions[] = { NULL };

const struct format perf_script_format = {
    .info = { "perf-script", "what perf script prints (Linux perf)", extensions, no_versions, "all", ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE,
              ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP, 0 },
    .probe = perf_script_probe,
    .read = perf_script_read,
    .check = perf_script_check,
    .dump = perf_script_dump,
};
