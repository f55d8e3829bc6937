/* Lines -> records. A line that begins like a frame is one only inside a sample; names of threads may look like addresses, so a line that has a time is an
 * event line first. perf indents frames with a tab, which no event line has, and so most lines need no second look. */
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "formats/perf-script/perf_script.h"

void perf_script_decoder_init(struct perf_script_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->damage = damage;
    d->err = err;
    lines_init(&d->lines, in, mem, damage, err);
}

void perf_script_decoder_done(struct perf_script_decoder *d) { lines_done(&d->lines); }

static bool is_frame(const struct perf_script_decoder *d, assay_slice line, assay_slice trimmed)
{
    if (!d->in_sample) return false;
    bool is_indented = trimmed.data > line.data;
    return perf_script_is_frame(trimmed, !is_indented) && (line.data[0] == '\t' || !perf_script_has_time(line));
}

/* Two blanks, and then what -F srcline adds. */
static bool is_source(const struct perf_script_decoder *d, assay_slice line)
{
    if (!d->in_sample || !d->has_frame || line.len < 3 || line.data[0] != ' ' || line.data[1] != ' ') return false;
    return line.data[2] != ' ' && line.data[2] != '\t' && !perf_script_has_time(line);
}

static void source(struct perf_script_record *r)
{
    r->kind = PERF_SCRIPT_SOURCE;
    r->is_inlined = slice_ends(r->text, "(inlined)");
    if (r->is_inlined) r->text = slice_trim((assay_slice){ r->text.data, r->text.len - strlen("(inlined)") });
}

/* PERF_RECORD_LOST lost N */
static void other_record(struct perf_script_decoder *d, struct perf_script_record *r)
{
    static const char mark[] = "PERF_RECORD_LOST lost ";
    const char *at = memmem(r->text.data, r->text.len, mark, strlen(mark)), *end = r->text.data + r->text.len;
    uint64_t lost;
    r->kind = PERF_SCRIPT_RECORD;
    d->records++;
    if (!at) return;
    const char *from = at + strlen(mark), *to = from;
    while (to < end && *to >= '0' && *to <= '9') to++;
    if (number_u64(slice_from(from, to), &lost) != NUMBER_OK) return;
    d->lost = __builtin_add_overflow(d->lost, lost, &d->lost) ? UINT64_MAX : d->lost;
    findings_add(d->damage, "PF04", ASSAY_WARNING, r->off, r->number, "the kernel lost %llu events here", (unsigned long long)lost);
}

static void event_line(struct perf_script_decoder *d, struct perf_script_record *r)
{
    r->kind = PERF_SCRIPT_SAMPLE;
    d->in_sample = true;
    d->has_frame = r->head.frame.len > 0;
    d->samples++;
    if (r->head.is_large)
        findings_add(d->damage, "PF05", ASSAY_WARNING, r->off, r->number, "the period is too large: %llu is used", (unsigned long long)UINT64_MAX);
}

static void unknown(struct perf_script_decoder *d, struct perf_script_record *r)
{
    r->kind = PERF_SCRIPT_OTHER;
    d->others++;
    if (!d->in_sample && perf_script_is_frame(r->text, false) && !d->samples)
        findings_add(d->damage, "PF02", ASSAY_ERROR, r->off, r->number, "a frame before any event line");
    else
        findings_add(d->damage, "PF03", ASSAY_WARNING, r->off, r->number, "neither an event line nor a frame: ignored");
}

static void classify(struct perf_script_decoder *d, struct perf_script_record *r, assay_slice line)
{
    if (line.len && line.data[0] == '#')
        r->kind = PERF_SCRIPT_COMMENT;
    else if (!r->text.len) {
        r->kind = PERF_SCRIPT_BLANK;
        d->in_sample = false;
    } else if (is_frame(d, line, r->text)) {
        r->kind = PERF_SCRIPT_FRAME;
        d->has_frame = true;
    } else if (is_source(d, line))
        source(r);
    else if (slice_contains(line, "PERF_RECORD_"))
        other_record(d, r);
    else if (perf_script_head(line, &r->head))
        event_line(d, r);
    else
        unknown(d, r);
}

int perf_script_next(struct perf_script_decoder *d, struct perf_script_record *r)
{
    struct line l;
    TRY(lines_next(&d->lines, &l));
    r->kind = PERF_SCRIPT_END;
    r->off = l.off;
    r->number = l.number;
    if (!l.text.data) {
        r->text = l.text;
        if (!d->samples && !d->damage->errors) findings_add(d->damage, "PF01", ASSAY_ERROR, 0, 1, "no event line: this is not the output of perf script");
        return d->damage->failed ? error_memory(d->err) : 0;
    }
    if (l.off == 0 && slice_starts(l.text, "\xef\xbb\xbf")) l.text = slice_from(l.text.data + 3, l.text.data + l.text.len);
    r->text = slice_trim(l.text);
    classify(d, r, l.text);
    return d->damage->failed ? error_memory(d->err) : 0;
}
