/* A block of the input holds whole lines, so a line is a slice of it and is not copied. Only the last line of a file that does not end with a newline is
 * copied, to have one: decoders need not ask where a line ends the file. See lines.h. */
#include "base/lines.h"

void lines_init(struct lines *l, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    *l = (struct lines){ .mem = mem, .in = in, .damage = damage, .err = err, .slot = -1 };
}

void lines_of(struct lines *l, assay_slice text, struct mem *mem, struct findings *damage, assay_error *err)
{
    lines_init(l, NULL, mem, damage, err);
    l->at = l->begin = text.data;
    l->end = text.data + text.len;
    l->begin_off = 1; /* what may only stand at the beginning of a file is not looked for */
    l->at_eof = true;
}

void lines_done(struct lines *l) { vec_done(l->mem, &l->last); }

/* A block whose last line has no end: that line is put aside, in a copy with one. */
static int put_last_aside(struct lines *l)
{
    const char *cut = memrchr(l->begin, '\n', (size_t)(l->end - l->begin));
    size_t tail = cut ? (size_t)(l->end - cut - 1) : (size_t)(l->end - l->begin);
    if (!vec_reserve(l->mem, &l->last, tail + 1)) return error_memory(l->err);
    memcpy(l->last.at, l->end - tail, tail);
    l->last.at[tail] = '\n';
    l->last.len = tail + 1;
    l->end -= tail;
    return 0;
}

static void take_last(struct lines *l)
{
    l->begin_off += (uint64_t)(l->end - l->begin);
    l->at = l->begin = l->last.at;
    l->end = l->at + l->last.len;
    l->last.len = 0;
    l->is_cut = true;
}

static int take_block(struct lines *l, assay_slice *block, uint64_t *off)
{
    struct ahead_piece piece;
    if (!l->ahead) return input_block(l->in, true, block, off, l->err);
    TRY(ahead_next(l->ahead, &piece, l->err));
    *block = piece.text;
    *off = piece.off;
    l->slot = piece.slot;
    return 0;
}

static int next_block(struct lines *l)
{
    assay_slice block = { NULL, 0 };
    uint64_t off = 0;
    l->slot = -1;
    int rc = take_block(l, &block, &off);
    if (rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED) {
        findings_add(l->damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, l->err->offset, 0, "%s", l->err->text);
        l->at_eof = true;
        return 0;
    }
    if (rc != 0) return rc;
    if (block.len == 0) {
        l->at_eof = true;
        return 0;
    }
    l->at = l->begin = block.data;
    l->end = block.data + block.len;
    l->begin_off = off;
    return l->end[-1] == '\n' ? 0 : put_last_aside(l);
}

int lines_fill(struct lines *l)
{
    while (l->at == l->end && !(l->at_eof && !l->last.len)) {
        if (l->last.len)
            take_last(l);
        else
            TRY(next_block(l));
    }
    return l->damage->failed ? error_memory(l->err) : 0;
}

int lines_next(struct lines *l, struct line *out)
{
    if (l->at == l->end) TRY(lines_fill(l));
    const char *p = l->at;
    out->off = lines_off(l, p);
    out->number = l->count + 1;
    out->text = (assay_slice){ NULL, 0 };
    if (p == l->end) {
        out->off = lines_end_off(l);
        return 0;
    }
    const char *nl = memchr(p, '\n', (size_t)(l->end - p));
    out->text = slice_from(p, nl > p && nl[-1] == '\r' ? nl - 1 : nl);
    l->at = nl + 1;
    l->count++;
    return 0;
}
