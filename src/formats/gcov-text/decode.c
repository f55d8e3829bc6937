/* The loop over lines, and what both texts of gcov share. */
#include "formats/gcov-text/decode.h"

#include "base/number.h"

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

static int line(struct coverage_decoder *d, void *arg, const struct line *l)
{
    struct gcov_decoder *g = arg;
    struct gcov_record r = { .kind = GCOV_OTHER, .off = l->off, .number = l->number, .text = l->text };
    size_t before = d->damage->list.len;
    if (g->is_intermediate)
        gcov_intermediate_line(g, &r);
    else
        gcov_text_line(g, &r);
    return gcov_give(g, &r, before);
}

static int decode(struct coverage_decoder *d, bool is_intermediate)
{
    struct gcov_decoder g = { .d = d, .damage = d->damage, .is_intermediate = is_intermediate };
    index_init(&g.ordinal_index, d->mem);
    int rc = coverage_lines(d, line, &g);
    if (rc == 0) rc = gcov_give_end(&g);
    vec_done(d->mem, &g.outcomes, &g.ordinals);
    index_done(&g.ordinal_index);
    return rc;
}

int gcov_text_decode(struct coverage_decoder *d) { return decode(d, false); }
int gcov_intermediate_decode(struct coverage_decoder *d) { return decode(d, true); }
