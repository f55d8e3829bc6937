/* A document in pieces that threads tokenize ahead (base/xml_batch.h). The reader sees to it that pieces begin between tags and that elements fit together, and
 * gives the events in order; a piece that is not plain it tokenizes itself, together with what was left of the one before. */
#include "base/error.h"
#include "base/xml_batch.h"
#include "base/xml_fast_parts.h"

enum { MARK_MAX = 10 }; /* bytes that the tokenizer wants to see of whatever begins with '<' */

/* The last tags of a piece, whatever is behind them. */
static enum token piece_tokens(struct xml_fast *f)
{
    enum token t = xml_fast_tokens(f);
    while (t == CUT && f->at < f->end && *f->at == '<' && f->end[-1] == '>' && f->end - f->at < MARK_MAX) {
        t = xml_fast_last_tag(f);
        if (t == UNUSUAL || t == CUT) return CUT; /* for now */
        if (t == TOKEN) t = xml_fast_tokens(f);
    }
    return t;
}

static void set_block(struct xml_fast *f, assay_slice text, uint64_t off)
{
    f->begin = f->at = f->counted = text.data;
    f->end = text.data + text.len;
    f->begin_off = off;
}

bool xml_fast_piece(struct xml_fast *f, assay_slice text)
{
    f->is_piece = true;
    f->given = 0;
    set_block(f, text, 0);
    return piece_tokens(f) == CUT && f->at == f->end;
}

static enum token give_text(struct xml_fast *f, assay_slice text)
{
    if (!f->depth) return xml_batch_is_blank(text) ? TOKEN : UNUSUAL;
    f->rc = f->handler->text ? f->handler->text(f->arg, f->x, text) : 0;
    return f->rc ? STOP : TOKEN;
}

/* The events of a batch, as the tokenizer would have given them. */
static enum token give_batch(struct xml_fast *f, const struct xml_batch *b)
{
    enum token t = TOKEN;
    for (size_t i = 0; t == TOKEN && i < b->records.len; i++) {
        const struct xml_record *r = &b->records.at[i];
        const char *text = b->text.at + r->text;
        f->event = f->at = f->begin + r->off;
        if (r->kind == XML_START) {
            for (unsigned k = 0; k < r->attribute_strings; k++) f->attributes[k] = text + b->offsets.at[r->attributes + k];
            f->attributes[r->attribute_strings] = NULL;
            f->tag = f->event;
            f->tag_end = f->tag + r->tag_len;
            t = xml_fast_give_start(f, text, r->len);
        } else if (r->kind == XML_END)
            t = xml_fast_closes(f, (assay_slice){ text, r->len }) == r->len ? xml_fast_give_end(f, text) : UNUSUAL;
        else
            t = give_text(f, (assay_slice){ text, r->len });
    }
    if (t == TOKEN) f->at = f->end;
    return t == TOKEN ? CUT : t;
}

/* What is left of the last piece goes before the next one. */
static int keep_rest(struct xml_fast *f, assay_error *err)
{
    size_t rest = f->begin ? (size_t)(f->end - f->at) : 0;
    if (f->begin) xml_fast_count_lines(f, f->at);
    if (rest && f->begin == f->joined.at)
        memmove(f->joined.at, f->at, rest);
    else if (rest) {
        f->joined.len = 0;
        if (!vec_reserve(f->mem, &f->joined, rest)) return error_memory(err);
        memcpy(f->joined.at, f->at, rest);
    }
    f->joined.len = rest;
    return 0;
}

static int join_piece(struct xml_fast *f, const struct ahead_piece *piece, assay_error *err)
{
    size_t rest = f->joined.len;
    if (!rest) {
        set_block(f, piece->text, piece->off);
        return 0;
    }
    if (!vec_reserve(f->mem, &f->joined, piece->text.len)) return error_memory(err);
    memcpy(f->joined.at + rest, piece->text.data, piece->text.len);
    f->joined.len += piece->text.len;
    set_block(f, (assay_slice){ f->joined.at, f->joined.len }, piece->off - rest);
    return 0;
}

static enum token next_piece(struct xml_fast *f, struct xml_batches *b, bool *is_end, assay_error *err)
{
    struct ahead_piece piece;
    bool is_first = !f->begin;
    if (!is_first && f->end - f->at > TAG_MAX) return UNUSUAL;
    f->rc = keep_rest(f, err);
    if (f->rc == 0) f->rc = ahead_next(b->ahead, &piece, err);
    if (f->rc) return xml_fast_is_of_bytes(f->rc) ? UNUSUAL : STOP;
    *is_end = piece.text.len == 0;
    bool is_made = piece.slot >= 0 && !f->joined.len;
    if (piece.slot >= 0 && !is_made) ahead_refuse(b->ahead);
    f->rc = join_piece(f, &piece, err);
    if (f->rc) return STOP;
    if (is_made) return give_batch(f, &b->slots[piece.slot]);
    if (is_first) xml_fast_skip_mark(f);
    return piece_tokens(f);
}

enum token xml_fast_pieces(struct xml_fast *f, struct input *in, unsigned threads, assay_error *err)
{
    struct xml_batches *b;
    bool is_end = false;
    enum token t = CUT;
    f->rc = xml_batches_open(&b, in, f->mem, threads, f->handler->text, err);
    if (f->rc) t = STOP;
    while (t == CUT && !is_end) t = next_piece(f, b, &is_end, err);
    if (t == CUT) t = xml_fast_last_tokens(f);
    xml_batches_close(b);
    return t;
}
