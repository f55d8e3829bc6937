/* The loop over lines, and what both texts of gcov share. */
#include "formats/gcov-text/decode.h"

#include "base/number.h"

void gcov_init(struct gcov_decoder *d, bool is_intermediate, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->is_intermediate = is_intermediate;
    d->damage = damage;
    d->err = err;
    lines_init(&d->lines, in, mem, damage, err);
}

void gcov_done(struct gcov_decoder *d) { lines_done(&d->lines); }

void gcov_bad(struct gcov_decoder *d, struct gcov_record *r, const char *message)
{
    r->kind = GCOV_OTHER;
    findings_add(d->damage, "GT-1", ASSAY_ERROR, r->off, r->number, "row not understood: %s", message);
}

bool gcov_count(struct gcov_decoder *d, struct gcov_record *r, assay_slice s)
{
    bool negative = s.len > 1 && s.data[0] == '-';
    if (negative) s = slice_from(s.data + 1, s.data + s.len);
    if (number_u64(s, &r->count) == NUMBER_BAD) return false;
    if (negative && r->count) {
        findings_add(d->damage, "GT-5", ASSAY_WARNING, r->off, r->number, "negative count -%.*s, read as 0", (int)(s.len < 40 ? s.len : 40), s.data);
        r->was_negative = true;
    }
    if (negative) r->count = 0;
    return true;
}

bool gcov_small(assay_slice s, uint32_t *out)
{
    uint64_t v;
    if (number_u64(s, &v) != NUMBER_OK || v > GCOV_LINE_MAX) return false;
    *out = (uint32_t)v;
    return true;
}

int gcov_next(struct gcov_decoder *d, struct gcov_record *r)
{
    do {
        struct line l;
        TRY(lines_next(&d->lines, &l));
        *r = (struct gcov_record){ .kind = GCOV_END, .off = l.off, .number = l.number, .text = l.text };
        if (!l.text.data) return 0;
        r->kind = GCOV_OTHER;
        if (d->is_intermediate)
            gcov_intermediate_line(d, r);
        else
            gcov_text_line(d, r);
        if (d->damage->failed) return error_memory(d->err);
    } while (r->kind == GCOV_OTHER && !d->wants_all);
    return 0;
}
