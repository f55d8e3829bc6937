/* Lines -> rows: `mode: MODE`, then `path:line.column,line.column statements count`. Paths may hold blanks and colons, so rows are
 * taken apart from their end. Damage goes to the findings list, and decoding goes on with the next line. */
#include "base/number.h"
#include "formats/coverage/text_rows.h"
#include "formats/go-cover/go_cover.h"

struct decoder {
    struct go_blocks blocks; /* for readers */
    const char *mode;        /* the first one; NULL = none yet */
    bool said_no_mode;
};

static bool is_set(const struct decoder *g) { return g->mode && g->mode[0] == 's'; }

/* NULL and a finding when it is none, or not the one that the file has. */
static const char *mode(struct decoder *g, struct coverage_decoder *d, const struct line *l, assay_slice name)
{
    static const char *const modes[] = { "set", "count", "atomic" };
    const char *found = NULL;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (slice_is(name, modes[i])) found = modes[i];
    if (!found)
        findings_add(d->damage, "GO-3", ASSAY_ERROR, l->off, l->number, "unknown mode: expected set, count or atomic");
    else if (g->mode && g->mode != found)
        findings_add(d->damage, "GO-2", ASSAY_ERROR, l->off, l->number,
                     "a second mode that differs from the first: profiles with different modes must not be merged");
    else
        return g->mode = found;
    return NULL;
}

static int mode_line(struct coverage_decoder *d, struct decoder *g, const struct line *l, assay_slice text)
{
    size_t before = d->damage->list.len;
    const char *name = mode(g, d, l, slice_trim(slice_from(text.data + 5, text.data + text.len)));
    if (d->use == COVERAGE_FOR_DUMP) TRY(coverage_add_text(d, l, name ? slice_of(name) : text, before));
    if (!name) return 0;
    if (d->use == COVERAGE_FOR_DUMP) d->rows.at[d->rows.len - 1].name = coverage_name(d, "mode");
    d->version = coverage_name(d, name);
    return d->version ? 0 : error_memory(d->err);
}

/* Cuts a number and the `sep` before it off the end of *s. One that does not fit is the largest that does. */
static bool cut_count(assay_slice *s, char sep, uint64_t *out)
{
    uint64_t v = 0, scale = 1;
    size_t i = s->len;
    for (unsigned digit; i && (digit = (unsigned char)(s->data[i - 1] - '0')) < 10; i--, scale *= 10) v += digit * scale;
    if (i == s->len || !i || s->data[i - 1] != sep) return false;
    *out = v;
    if (s->len - i > 19) (void)number_u64(slice_from(s->data + i, s->data + s->len), out);
    s->len = i - 1;
    return true;
}

static bool cut(assay_slice *s, char sep, uint32_t *out)
{
    uint64_t v;
    if (!cut_count(s, sep, &v) || v > COVERAGE_SMALL_MAX) return false;
    *out = (uint32_t)v;
    return true;
}

/* *s becomes the path. */
static bool block(assay_slice *s, struct coverage_row *r)
{
    return cut_count(s, ' ', &r->count) && cut(s, ' ', &r->group) && cut(s, '.', &r->end_column) && cut(s, ',', &r->end_line) && cut(s, '.', &r->column) &&
           cut(s, ':', &r->line) && r->line && r->end_line && s->len;
}

/* false: a finding, and no block. */
static bool row(struct coverage_decoder *d, struct decoder *g, const struct line *l, assay_slice *path, struct coverage_row *r)
{
    if (!block(path, r)) {
        findings_add(d->damage, "GO-3", ASSAY_ERROR, l->off, l->number, "expected path:line.column,line.column statements count");
        return false;
    }
    bool is_backward = r->end_line < r->line || (r->end_line == r->line && r->end_column < r->column);
    if (is_backward) findings_add(d->damage, "GO-4", ASSAY_ERROR, l->off, l->number, "the block ends before it begins");
    if (!g->mode && !g->said_no_mode) {
        g->said_no_mode = true;
        findings_add(d->damage, "GO-1", ASSAY_ERROR, l->off, l->number, "a row before any mode line: expected 'mode: set', 'count' or 'atomic'");
    }
    return !is_backward;
}

static int row_line(struct coverage_decoder *d, struct decoder *g, const struct line *l, assay_slice text)
{
    struct coverage_row r = { .kind = COVERAGE_REGION,
                              .flags = ASSAY_REGION_BLOCK,
                              .is_pending = true,
                              .off = l->off,
                              .number = (uint32_t)l->number,
                              .marks = (uint32_t)d->damage->list.len };
    assay_slice path = text;
    bool again, differs;
    if (!row(d, g, l, &path, &r)) return d->use == COVERAGE_FOR_DUMP ? coverage_add_text(d, l, text, r.marks) : 0;
    if (!(r.name = intern_put(&d->names, path))) return error_memory(d->err);
    if (d->use == COVERAGE_FOR_READER) return go_blocks_add(&g->blocks, &r, is_set(g), &again, &differs) ? 0 : error_memory(d->err);
    struct coverage_row *slot = vec_push(d->mem, &d->rows);
    if (!slot) return error_memory(d->err);
    *slot = r;
    return 0;
}

static int line(struct coverage_decoder *d, void *arg, const struct line *l)
{
    assay_slice text = l->text;
    if (l->off == 0 && slice_starts(text, "\xef\xbb\xbf")) text = slice_from(text.data + 3, text.data + text.len);
    while (text.len && (text.data[text.len - 1] == ' ' || text.data[text.len - 1] == '\t')) text.len--;
    if (slice_starts(text, "mode:")) return mode_line(d, arg, l, text);
    return text.len ? row_line(d, arg, l, text) : 0;
}

int go_cover_decode(struct coverage_decoder *d)
{
    struct decoder g = { .mode = NULL };
    go_blocks_init(&g.blocks, d->mem);
    int rc = coverage_lines(d, line, &g);
    if (rc == 0 && d->use == COVERAGE_FOR_READER) rc = go_blocks_give(&g.blocks, d, is_set(&g));
    go_blocks_done(&g.blocks);
    return rc;
}
