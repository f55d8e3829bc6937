/* Lines -> records: `frame;frame;frame COUNT`. Frames may hold blanks, so the count is taken off the end. */
#include "base/error.h"
#include "base/slice.h"
#include "formats/folded/folded.h"

void folded_decoder_init(struct folded_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->damage = damage;
    d->err = err;
    lines_init(&d->lines, in, mem, damage, err);
}

void folded_decoder_done(struct folded_decoder *d) { lines_done(&d->lines); }

/* ---- numbers ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Digits with at most one point among or behind them; false = anything else. */
static bool parse_number(const char *at, const char *end, struct folded_number *out, bool *is_large)
{
    double scale = 1, part = 0;
    uint64_t whole = 0;
    if (at == end || !is_digit(*at)) return false;
    for (; at < end && is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (whole > (INT64_MAX - digit) / 10) {
            *is_large = true;
            whole = INT64_MAX;
        } else if (whole != INT64_MAX)
            whole = whole * 10 + digit;
    }
    if (at < end && *at == '.')
        for (at++; at < end && is_digit(*at); at++) part += (*at - '0') * (scale /= 10);
    *out = (struct folded_number){ whole, part };
    return at == end;
}

bool folded_cut_number(assay_slice *text, struct folded_number *out, bool *is_large)
{
    const char *end = text->data + text->len, *at = end;
    while (at > text->data && (is_digit(at[-1]) || at[-1] == '.')) at--;
    if (at == text->data || !is_blank(at[-1]) || !parse_number(at, end, out, is_large)) return false;
    while (at > text->data && is_blank(at[-1])) at--;
    *text = slice_from(text->data, at);
    return true;
}

/* ---- records ---- */

static assay_slice trim(assay_slice s)
{
    while (s.len && is_blank(s.data[0])) s = (assay_slice){ s.data + 1, s.len - 1 };
    while (s.len && is_blank(s.data[s.len - 1])) s.len--;
    return s;
}

static void sample(struct folded_decoder *d, struct folded_record *r)
{
    struct folded_number other;
    bool is_large = false, is_other_large = false;
    assay_slice stack = r->text;
    if (!folded_cut_number(&stack, &r->count, &is_large) || stack.len == 0) {
        d->ignored++;
        r->kind = FOLDED_OTHER;
        findings_add(d->damage, "FS02", ASSAY_WARNING, r->off, r->number, "a line without a count at its end is left out");
        return;
    }
    d->samples++;
    r->kind = FOLDED_SAMPLE;
    r->stack = stack;
    r->has_second = folded_cut_number(&stack, &other, &is_other_large) && stack.len > 0;
    if (is_large) findings_add(d->damage, "FS03", ASSAY_WARNING, r->off, r->number, "the count is too large: %llu is used", (unsigned long long)INT64_MAX);
}

int folded_next(struct folded_decoder *d, struct folded_record *r)
{
    struct line l;
    TRY(lines_next(&d->lines, &l));
    *r = (struct folded_record){ .kind = FOLDED_END, .off = l.off, .number = l.number, .text = l.text };
    if (!l.text.data) {
        if (!d->samples) findings_add(d->damage, "FS01", ASSAY_ERROR, 0, 1, "no line ends with a count: these are not folded stacks");
        return d->damage->failed ? error_memory(d->err) : 0;
    }
    if (l.off == 0 && slice_starts(l.text, "\xef\xbb\xbf")) r->text = slice_from(l.text.data + 3, l.text.data + l.text.len);
    r->text = trim(r->text);
    r->kind = FOLDED_OTHER;
    if (r->text.len && r->text.data[0] == '#') {
        r->kind = FOLDED_COMMENT;
        d->comments++;
    } else if (r->text.len)
        sample(d, r);
    return d->damage->failed ? error_memory(d->err) : 0;
}
