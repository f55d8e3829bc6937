/* Lines of text -> rows: each line goes to the decoder of the format, which pushes rows that stand where the line stands. See
 * formats/coverage/text_rows.h. */
#include "formats/coverage/text_rows.h"

#include "base/number.h"
#include "base/scoped.h"

static int each_line(struct coverage_decoder *d, struct lines *lines, coverage_line_fn fn, void *arg)
{
    for (;;) {
        struct line l;
        TRY(lines_next(lines, &l));
        if (!l.text.data) return 0;
        TRY(fn(d, arg, &l));
        if (d->damage->failed) return error_memory(d->err);
        TRY(coverage_give_some(d));
    }
}

int coverage_lines(struct coverage_decoder *d, coverage_line_fn fn, void *arg)
{
    SCOPED(lines_done) struct lines lines;
    lines_init(&lines, d->job->in, d->mem, d->damage, d->err);
    return each_line(d, &lines, fn, arg);
}

int coverage_add_text(struct coverage_decoder *d, const struct line *line, assay_slice text, size_t before)
{
    struct coverage_row *row = coverage_add_row(d, COVERAGE_RECORD, line->off, line->number);
    if (!row) return ASSAY_ERR_MEMORY;
    row->marks = (uint32_t)before;
    row->text = intern_put(&d->names, text);
    return row->text ? 0 : error_memory(d->err);
}

bool coverage_text_small(assay_slice s, uint32_t *out)
{
    uint64_t v;
    if (number_u64(s, &v) != NUMBER_OK || v > COVERAGE_SMALL_MAX) return false;
    *out = (uint32_t)v;
    return true;
}
