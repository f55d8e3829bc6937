/* Lines -> records: `mode: MODE`, then `path:line.column,line.column statements count`. Paths may hold blanks and colons, so rows are
 * taken apart from their end. */
#include "formats/go-cover/decode.h"

#include "base/number.h"

static const char *const mode_names[] = { "", "set", "count", "atomic" };
const char *go_mode_name(enum go_mode mode) { return mode_names[mode]; }

void go_init(struct go_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->damage = damage;
    d->err = err;
    lines_init(&d->lines, in, mem, damage, err);
}

void go_done(struct go_decoder *d) { lines_done(&d->lines); }

static void bad(struct go_decoder *d, struct go_record *r, const char *rule, const char *message)
{
    r->kind = GO_OTHER;
    findings_add(d->damage, rule, ASSAY_ERROR, r->off, r->number, "%s", message);
}

static void mode(struct go_decoder *d, struct go_record *r)
{
    assay_slice name = slice_trim(slice_from(r->text.data + 5, r->text.data + r->text.len));
    r->kind = GO_MODE;
    r->mode = GO_NO_MODE;
    for (int i = GO_SET; i <= GO_ATOMIC; i++)
        if (slice_is(name, mode_names[i])) r->mode = (enum go_mode)i;
    if (r->mode == GO_NO_MODE)
        bad(d, r, "GO-3", "unknown mode: expected set, count or atomic");
    else if (d->mode && d->mode != r->mode)
        bad(d, r, "GO-2", "a second mode that differs from the first: profiles with different modes must not be merged");
    else
        d->mode = r->mode;
}

/* Cuts what stands behind the last `sep` off the end of *s. */
static bool cut_last(assay_slice *s, char sep, assay_slice *tail)
{
    const char *at = s->len ? memrchr(s->data, sep, s->len) : NULL;
    if (!at) return false;
    *tail = slice_from(at + 1, s->data + s->len);
    *s = slice_from(s->data, at);
    return true;
}

static bool small(assay_slice s, uint32_t *out)
{
    uint64_t v;
    if (number_u64(s, &v) != NUMBER_OK || v > GO_LINE_MAX) return false;
    *out = (uint32_t)v;
    return true;
}

static bool position(assay_slice s, uint32_t *line, uint32_t *column)
{
    assay_slice tail;
    return cut_last(&s, '.', &tail) && small(s, line) && small(tail, column) && *line > 0;
}

/* A count that does not fit is the largest that does. */
static bool count_of(assay_slice s, uint64_t *out) { return number_u64(s, out) != NUMBER_BAD; }

static bool block(struct go_record *r)
{
    assay_slice left = r->text, count, statements, end, begin;
    struct go_place *p = &r->place;
    r->kind = GO_BLOCK;
    if (!cut_last(&left, ' ', &count) || !cut_last(&left, ' ', &statements) || !cut_last(&left, ',', &end) || !cut_last(&left, ':', &begin)) return false;
    r->path = left;
    return left.len && count_of(count, &r->count) && small(statements, &r->statements) && position(begin, &p->first, &p->first_column) &&
           position(end, &p->last, &p->last_column);
}

static void row(struct go_decoder *d, struct go_record *r)
{
    if (!block(r)) {
        bad(d, r, "GO-3", "expected path:line.column,line.column statements count");
        return;
    }
    const struct go_place *p = &r->place;
    if (p->last < p->first || (p->last == p->first && p->last_column < p->first_column)) bad(d, r, "GO-4", "the block ends before it begins");
    if (d->mode || d->said_no_mode) return;
    d->said_no_mode = true;
    findings_add(d->damage, "GO-1", ASSAY_ERROR, r->off, r->number, "a row before any mode line: expected 'mode: set', 'count' or 'atomic'");
}

int go_next(struct go_decoder *d, struct go_record *r)
{
    do {
        struct line l;
        TRY(lines_next(&d->lines, &l));
        *r = (struct go_record){ .kind = GO_END, .off = l.off, .number = l.number, .text = l.text };
        if (!l.text.data) return 0;
        if (l.off == 0 && slice_starts(l.text, "\xef\xbb\xbf")) r->text = slice_from(l.text.data + 3, l.text.data + l.text.len);
        while (r->text.len && (r->text.data[r->text.len - 1] == ' ' || r->text.data[r->text.len - 1] == '\t')) r->text.len--;
        r->kind = GO_OTHER;
        if (slice_starts(r->text, "mode:"))
            mode(d, r);
        else if (r->text.len)
            row(d, r);
        if (d->damage->failed) return error_memory(d->err);
    } while (r->kind == GO_OTHER && !d->wants_all);
    return 0;
}
