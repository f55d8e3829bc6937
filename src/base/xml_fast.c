/* See base/xml_fast.h. Tags are copied while they are looked at, because names and values end with NUL for the handlers. A '>' or '<' that was
 * looked for first stands behind whatever is scanned, so that scanning needs no other bound. */
#include "base/xml_fast.h"

#include <strings.h>

#include "base/text.h"
#include "base/xml_fast_parts.h"

struct xml_fast *xml_fast_new(const struct xml_options *options, unsigned max_depth, const struct xml_handler *handler, void *arg, struct xml *x)
{
    struct xml_fast *f = mem_zalloc(options->mem, 1, sizeof *f);
    if (!f) return NULL;
    *f = (struct xml_fast){ .mem = options->mem, .handler = handler, .arg = arg, .x = x, .max_depth = max_depth };
    f->scratch = mem_alloc(f->mem, TAG_MAX);
    if (f->scratch) return f;
    xml_fast_free(f);
    return NULL;
}

void xml_fast_free(struct xml_fast *f)
{
    if (!f) return;
    struct mem *mem = f->mem;
    vec_done(mem, &f->open, &f->open_len, &f->joined);
    mem_free(mem, f->scratch, TAG_MAX);
    mem_free(mem, f, sizeof *f);
}

/* ---- places ---- */

uint64_t xml_fast_given(const struct xml_fast *f) { return f->given; }
static uint64_t off_of(const struct xml_fast *f, const char *p) { return f->begin ? f->begin_off + (uint64_t)(p - f->begin) : 0; }
uint64_t xml_fast_reached(const struct xml_fast *f) { return off_of(f, f->at); }
uint64_t xml_fast_off(const struct xml_fast *f) { return off_of(f, f->event); }
assay_slice xml_fast_tag(const struct xml_fast *f) { return slice_from(f->tag, f->tag_end); }

/* Few enough at a time that a byte counts them: so the compiler counts many at once. */
static uint64_t line_ends(const char *p, const char *end)
{
    enum { AT_ONCE = 128 };
    uint64_t n = 0;
    for (; end - p >= AT_ONCE; p += AT_ONCE) {
        unsigned char some = 0;
        for (int i = 0; i < AT_ONCE; i++) some = (unsigned char)(some + (p[i] == '\n'));
        n += some;
    }
    for (; p < end; p++) n += *p == '\n';
    return n;
}

void xml_fast_count_lines(struct xml_fast *f, const char *to)
{
    f->line_ends += line_ends(f->counted, to);
    f->counted = to;
}

/* Events come in order, but a handler may ask for the begin of a tag whose end was asked for. */
uint64_t xml_fast_line(struct xml_fast *f)
{
    if (f->event >= f->counted) {
        xml_fast_count_lines(f, f->event);
        return f->line_ends + 1;
    }
    return f->line_ends + 1 - line_ends(f->event, f->counted);
}

/* ---- characters ---- */

enum { NAME_START = 1, NAME = 2, VALUE = 4, TEXT = 8, SPACE = 16 };
static const unsigned char class_of[256] = {
    ['\t'] = SPACE | TEXT,
    ['\n'] = SPACE | TEXT,
    [' '] = SPACE | TEXT | VALUE,
    ['!'] = VALUE | TEXT,
    ['"'] = TEXT,
    ['#' ... '%'] = VALUE | TEXT,
    ['\''] = TEXT,
    ['(' ... ','] = VALUE | TEXT,
    ['-' ... '.'] = VALUE | TEXT | NAME,
    ['/'] = VALUE | TEXT,
    ['0' ... '9'] = VALUE | TEXT | NAME,
    [':'] = VALUE | TEXT | NAME | NAME_START,
    [';'] = VALUE | TEXT,
    ['='] = VALUE | TEXT,
    ['>'] = TEXT,
    ['?' ... '@'] = VALUE | TEXT,
    ['A' ... 'Z'] = VALUE | TEXT | NAME | NAME_START,
    ['[' ... '\\'] = VALUE | TEXT,
    [']'] = VALUE,
    ['^'] = VALUE | TEXT,
    ['_'] = VALUE | TEXT | NAME | NAME_START,
    ['`'] = VALUE | TEXT,
    ['a' ... 'z'] = VALUE | TEXT | NAME | NAME_START,
    ['{' ... '~'] = VALUE | TEXT,
};
static inline bool is(char c, int what) { return class_of[(unsigned char)c] & what; }

/* Behind white space; a CR counts with its LF only. Something else must follow before the end of the block. */
static inline const char *skip_space(const char *p)
{
    while (is(*p, SPACE) || (p[0] == '\r' && p[1] == '\n')) p++;
    return p;
}

/* A character beyond ASCII, copied; NULL = none that is surely right. */
static const char *copy_wide(const char *p, const char *end, char **to)
{
    uint32_t code = 0;
    unsigned len = text_utf8(slice_from(p, end), &code);
    if (len < 2 || code == 0xfffe || code == 0xffff) return NULL;
    memcpy(*to, p, len);
    *to += len;
    return p + len;
}

static bool put_code(uint32_t code, char **to)
{
    char *t = *to;
    if (code < 0x80 && (code >= 0x20 || code == 9 || code == 10 || code == 13))
        *t++ = (char)code;
    else if (code >= 0x80 && code < 0x800) {
        *t++ = (char)(0xc0 | code >> 6);
        *t++ = (char)(0x80 | (code & 63));
    } else if ((code >= 0x800 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe)) {
        *t++ = (char)(0xe0 | code >> 12);
        *t++ = (char)(0x80 | (code >> 6 & 63));
        *t++ = (char)(0x80 | (code & 63));
    } else
        return false; /* beyond the basic plane, or no character */
    *to = t;
    return true;
}

static bool put_number(assay_slice digits, char **to)
{
    bool is_hex = digits.len && digits.data[0] == 'x';
    uint32_t code = 0;
    size_t i = is_hex;
    if (digits.len <= i || digits.len > 6) return false;
    for (; i < digits.len; i++) {
        char c = digits.data[i];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : is_hex && (c | 32) >= 'a' && (c | 32) <= 'f' ? (uint32_t)((c | 32) - 'a' + 10) : 99;
        if (digit == 99) return false;
        code = code * (is_hex ? 16 : 10) + digit;
    }
    return put_code(code, to);
}

/* One of the five entities, or a number. What it becomes is never longer. NULL = another, or none. */
static const char *copy_entity(const char *p, const char *end, char **to)
{
    static const struct {
        const char *name;
        char c;
    } five[] = { { "lt", '<' }, { "gt", '>' }, { "amp", '&' }, { "quot", '"' }, { "apos", '\'' } };
    const char *stop = memchr(p, ';', (size_t)(end - p < 10 ? end - p : 10));
    if (!stop) return NULL;
    assay_slice name = slice_from(p + 1, stop);
    if (name.len && name.data[0] == '#') return put_number(slice_from(p + 2, stop), to) ? stop + 1 : NULL;
    for (size_t i = 0; i < sizeof five / sizeof *five; i++)
        if (slice_is(name, five[i].name)) {
            *(*to)++ = five[i].c;
            return stop + 1;
        }
    return NULL;
}

/* ---- tags ---- */

static enum token given(struct xml_fast *f, int rc)
{
    f->given++;
    f->rc = rc;
    return rc ? STOP : TOKEN;
}

enum token xml_fast_give_start(struct xml_fast *f, const char *name, size_t len)
{
    if (f->is_piece) return given(f, f->handler->start(f->arg, f->x, name, f->attributes));
    if (f->depth == f->max_depth || (f->depth == 0 && f->has_root)) return UNUSUAL;
    char *to = vec_reserve(f->mem, &f->open, len) ? f->open.at + f->open.len : NULL;
    uint32_t *slot = to ? vec_push(f->mem, &f->open_len) : NULL;
    if (!slot) return UNUSUAL; /* expat has no memory either, and says so */
    memcpy(to, name, len);
    *slot = (uint32_t)len;
    f->open.len += len;
    f->depth++;
    f->has_root = true;
    return given(f, f->handler->start ? f->handler->start(f->arg, f->x, name, f->attributes) : 0);
}

enum token xml_fast_give_end(struct xml_fast *f, const char *name)
{
    if (f->is_piece) return given(f, f->handler->end(f->arg, f->x, name));
    f->depth--;
    f->open.len -= f->open_len.at[--f->open_len.len];
    return given(f, f->handler->end ? f->handler->end(f->arg, f->x, name) : 0);
}

/* Up to the quote that ends it; *stop is the '>' behind, which moves on when the value holds one. */
static enum token value(struct xml_fast *f, const char **at, const char **stop, char **to)
{
    const char *p = *at;
    char quote = *p++, *t = *to;
    for (;;) {
        while (is(*p, VALUE)) *t++ = *p++;
        if (*p == quote) break;
        if (*p == '"' || *p == '\'')
            *t++ = *p++;
        else if (*p == '\n' || *p == '\t') {
            *t++ = ' ';
            p++;
        } else if (*p == '&') {
            if (!(p = copy_entity(p, *stop, &t))) return UNUSUAL;
        } else if (p == *stop) {
            *stop = memchr(p + 1, '>', (size_t)(f->end - p - 1));
            if (!*stop) return CUT;
            if (*stop - f->at >= TAG_MAX) return UNUSUAL;
            *t++ = *p++;
        } else if (!(p = copy_wide(p, *stop, &t)))
            return UNUSUAL;
    }
    *t++ = 0;
    *to = t;
    *at = p + 1;
    return TOKEN;
}

static bool is_twice(const char *const *attributes, unsigned count)
{
    const char *last = attributes[2 * (size_t)count];
    for (unsigned i = 0; i < count; i++)
        if (attributes[2 * (size_t)i][0] == last[0] && strcmp(attributes[2 * (size_t)i], last) == 0) return true;
    return false;
}

/* name = "value", from white space on; *at is then behind the last one. */
static enum token attributes(struct xml_fast *f, const char **at, const char **stop, char *to)
{
    unsigned count = 0;
    const char *p = *at;
    for (;; count++) {
        const char *next = skip_space(p);
        if (*next == '>' || *next == '/') {
            p = next;
            break;
        }
        if (next == p || count == ATTRIBUTES || !is(*next, NAME_START)) return UNUSUAL;
        f->attributes[2 * (size_t)count] = to;
        for (p = next; is(*p, NAME);) *to++ = *p++;
        *to++ = 0;
        if (*p != '=') p = skip_space(p);
        if (*p++ != '=' || is_twice(f->attributes, count)) return UNUSUAL;
        if (*p != '"') p = skip_space(p);
        if (*p != '"' && *p != '\'') return UNUSUAL;
        f->attributes[2 * count + 1] = to;
        enum token t = value(f, &p, stop, &to);
        if (t != TOKEN) return t;
    }
    f->attributes[2 * (size_t)count] = NULL;
    *at = p;
    return TOKEN;
}

static enum token start_tag(struct xml_fast *f)
{
    const char *p = f->at + 1, *stop = memchr(p, '>', (size_t)(f->end - p));
    char *to = f->scratch;
    if (!stop) return CUT;
    if (stop - f->at >= TAG_MAX) return UNUSUAL;
    while (is(*p, NAME)) *to++ = *p++;
    size_t len = (size_t)(to - f->scratch);
    *to++ = 0;
    enum token t = attributes(f, &p, &stop, to);
    if (t != TOKEN) return t;
    bool is_empty = *p == '/';
    if (p + is_empty != stop) return UNUSUAL;
    f->event = f->tag = f->at;
    f->tag_end = stop + 1;
    t = xml_fast_give_start(f, f->scratch, len);
    if (t != TOKEN) return t;
    f->at = stop + 1;
    if (!is_empty) return TOKEN;
    f->event = f->at;
    return xml_fast_give_end(f, f->scratch);
}

size_t xml_fast_closes(const struct xml_fast *f, assay_slice name)
{
    size_t len = f->depth ? f->open_len.at[f->depth - 1] : 0;
    return len && name.len >= len && memcmp(name.data, f->open.at + f->open.len - len, len) == 0 ? len : 0;
}

static size_t name_len(const char *p)
{
    size_t len = 0;
    while (is(p[len], NAME)) len++;
    return len;
}

static enum token end_tag(struct xml_fast *f)
{
    const char *p = f->at + 2, *stop = memchr(p, '>', (size_t)(f->end - p));
    if (!stop) return CUT;
    size_t len = f->is_piece ? name_len(p) : xml_fast_closes(f, slice_from(p, stop));
    if (!len || len >= TAG_MAX || skip_space(p + len) != stop) return UNUSUAL;
    memcpy(f->scratch, p, len);
    f->scratch[len] = 0;
    f->event = f->tag = f->at;
    f->tag_end = stop + 1;
    enum token t = xml_fast_give_end(f, f->scratch);
    f->at = stop + 1;
    return t;
}

/* ---- what stands before and between ---- */

static enum token comment(struct xml_fast *f)
{
    const char *p = f->at + 4, *stop = f->end - p >= 3 ? memmem(p, (size_t)(f->end - p), "--", 2) : NULL;
    if (!stop || f->end - stop < 3) return CUT;
    if (stop[2] != '>') return UNUSUAL;
    for (; p < stop; p++)
        if (!is(*p, TEXT) && *p != ']' && *p != '<' && *p != '&' && !(p[0] == '\r' && p[1] == '\n')) return UNUSUAL;
    f->at = stop + 3;
    return TOKEN;
}

/* A quoted text without anything odd, behind white space. */
static bool literal(const char **at, const char *end, assay_slice *out)
{
    const char *p = skip_space(*at);
    if (p == *at || (*p != '"' && *p != '\'')) return false;
    const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
    if (!close) return false;
    *out = slice_from(p + 1, close);
    *at = close + 1;
    for (size_t i = 0; i < out->len; i++)
        if (!is(out->data[i], VALUE) || strchr("[]{}^`|\\~", out->data[i])) return false;
    return true;
}

/* <!DOCTYPE name SYSTEM "..."> or PUBLIC "..." "...": it is not read, so all that matters is where it ends. */
static enum token doctype(struct xml_fast *f)
{
    const char *p = f->at + 9, *stop = memchr(p, '>', (size_t)(f->end - p));
    assay_slice text;
    if (!stop) return f->end - f->at < TAG_MAX ? CUT : UNUSUAL;
    if (f->has_root || f->has_doctype || memchr(f->at, '\r', (size_t)(stop - f->at))) return UNUSUAL;
    const char *name = skip_space(p);
    if (name == p || !is(*name, NAME_START)) return UNUSUAL;
    for (p = name; is(*p, NAME);) p++;
    const char *key = skip_space(p);
    bool is_public = stop - key > 6 && memcmp(key, "PUBLIC", 6) == 0;
    if (key == p || stop - key <= 6 || (!is_public && memcmp(key, "SYSTEM", 6) != 0)) return UNUSUAL;
    p = key + 6;
    if (!literal(&p, stop, &text) || (is_public && !literal(&p, stop, &text)) || skip_space(p) != stop) return UNUSUAL;
    f->has_doctype = true;
    f->at = stop + 1;
    return TOKEN;
}

/* <?xml version="1.0" encoding="UTF-8" standalone="yes"?>, the last two or either left out. */
static enum token declaration(struct xml_fast *f)
{
    const char *p = f->at + 5, *stop = memchr(p, '>', (size_t)(f->end - p));
    assay_slice text;
    if (!stop) return f->end - f->at < TAG_MAX ? CUT : UNUSUAL;
    if (stop[-1] != '?' || off_of(f, f->at) != f->first_off) return UNUSUAL;
    const char *end = stop - 1;
    static const char *const keys[] = { " version=", " encoding=", " standalone=" };
    for (int i = 0; i < 3; i++) {
        size_t len = strlen(keys[i]);
        if ((size_t)(end - p) < len + 2 || memcmp(p, keys[i], len) != 0) {
            if (i == 0) return UNUSUAL;
            continue;
        }
        const char *close = p[len] == '"' || p[len] == '\'' ? memchr(p + len + 1, p[len], (size_t)(end - p) - len - 1) : NULL;
        if (!close) return UNUSUAL;
        text = slice_from(p + len + 1, close);
        bool is_right = i == 0   ? slice_is(text, "1.0")
                        : i == 1 ? text.len == 5 && strncasecmp(text.data, "UTF-8", 5) == 0
                                 : slice_is(text, "yes") || slice_is(text, "no");
        if (!is_right) return UNUSUAL;
        p = close + 1;
    }
    if (p != end) return UNUSUAL;
    f->at = stop + 1;
    return TOKEN;
}

/* ---- text ---- */

static bool is_inside(const struct xml_fast *f) { return f->depth || f->is_piece; }

/* Decoded in pieces of the scratch; only what has line ends of two bytes, entities, or more than ASCII comes here. */
static enum token odd_text(struct xml_fast *f, const char *stop)
{
    char *to = f->scratch;
    const char *p = f->at;
    if (stop - p >= TAG_MAX) return UNUSUAL;
    while (p < stop) {
        if (is(*p, TEXT))
            *to++ = *p++;
        else if (p[0] == '\r' && p[1] == '\n')
            p++;
        else if (*p == '&') {
            if (!is_inside(f) || !(p = copy_entity(p, stop, &to))) return UNUSUAL;
        } else if (!is_inside(f) || !(p = copy_wide(p, stop, &to)))
            return UNUSUAL;
    }
    if (!is_inside(f) && to > f->scratch && skip_space(f->at) != stop) return UNUSUAL;
    f->event = f->at;
    f->rc = is_inside(f) && f->handler->text ? f->handler->text(f->arg, f->x, slice_from(f->scratch, to)) : 0;
    f->at = stop;
    return f->rc ? STOP : TOKEN;
}

static enum token text(struct xml_fast *f)
{
    const char *p = f->at, *stop = memchr(p, '<', (size_t)(f->end - p));
    if (!stop) return CUT;
    while (is(*p, SPACE)) p++;
    if (p == stop && !f->handler->text) {
        f->at = stop;
        return TOKEN;
    }
    if (p < stop && !is_inside(f) && *p != '\r') return UNUSUAL;
    while (is(*p, TEXT)) p++;
    if (p < stop) return odd_text(f, stop);
    f->event = f->at;
    f->rc = is_inside(f) && f->handler->text ? f->handler->text(f->arg, f->x, slice_from(f->at, stop)) : 0;
    f->at = stop;
    return f->rc ? STOP : TOKEN;
}

/* ---- the whole ---- */

static bool starts(const struct xml_fast *f, const char *what, size_t len) { return (size_t)(f->end - f->at) >= len && memcmp(f->at, what, len) == 0; }

static enum token token(struct xml_fast *f)
{
    if (*f->at != '<') return text(f);
    if (f->end - f->at < 10) return CUT; /* so that every mark can be told */
    if (is(f->at[1], NAME_START)) return start_tag(f);
    if (f->at[1] == '/') return end_tag(f);
    if (f->is_piece) return UNUSUAL;
    if (starts(f, "<!--", 4)) return comment(f);
    if (starts(f, "<!DOCTYPE", 9)) return doctype(f);
    return starts(f, "<?xml ", 6) ? declaration(f) : UNUSUAL;
}

enum token xml_fast_last_tag(struct xml_fast *f)
{
    if (f->end - f->at >= 3 && is(f->at[1], NAME_START)) return start_tag(f);
    return starts(f, "</", 2) ? end_tag(f) : UNUSUAL;
}

enum token xml_fast_last_tokens(struct xml_fast *f)
{
    while (f->at < f->end) {
        enum token t = *f->at != '<' ? text(f) : xml_fast_last_tag(f);
        if (t == CUT && *f->at != '<' && f->has_root && !f->depth) {
            for (const char *p = f->at; p < f->end; p++)
                if (!is(*p, SPACE) && !(p[0] == '\r' && f->end - p > 1 && p[1] == '\n')) return UNUSUAL;
            return TOKEN;
        }
        if (t != TOKEN) return t == CUT ? UNUSUAL : t;
    }
    return f->has_root && !f->depth ? TOKEN : UNUSUAL;
}

bool xml_fast_is_of_bytes(int rc) { return rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED; }

/* Puts more behind what is left of the block. *is_end: nothing more came. */
static int fill(struct xml_fast *f, struct input *in, bool *is_end, assay_error *err)
{
    size_t keep = f->begin ? (size_t)(f->end - f->at) : 0;
    assay_slice block;
    if (f->begin) xml_fast_count_lines(f, f->at);
    TRY(input_block_keep(in, keep, &block, &f->begin_off, err));
    *is_end = block.len == keep;
    f->begin = f->at = f->counted = block.data;
    f->end = f->begin + block.len;
    return 0;
}

enum token xml_fast_tokens(struct xml_fast *f)
{
    enum token t;
    do t = f->at < f->end ? token(f) : CUT;
    while (t == TOKEN);
    return t;
}

void xml_fast_skip_mark(struct xml_fast *f)
{
    if (starts(f, "\xef\xbb\xbf<", 4)) f->at += f->first_off = 3;
}

static enum token run_alone(struct xml_fast *f, struct input *in, assay_error *err)
{
    bool is_end = false;
    enum token t = TOKEN;
    while (t != UNUSUAL && t != STOP && !is_end) {
        bool is_first = !f->begin;
        if (!is_first && f->end - f->at > TAG_MAX) return UNUSUAL;
        f->rc = fill(f, in, &is_end, err);
        if (f->rc) return xml_fast_is_of_bytes(f->rc) ? UNUSUAL : STOP;
        if (is_first) xml_fast_skip_mark(f);
        t = xml_fast_tokens(f);
    }
    return t == CUT ? xml_fast_last_tokens(f) : t;
}

enum xml_fast_result xml_fast_run(struct xml_fast *f, struct input *in, unsigned threads, int *rc, assay_error *err)
{
    enum token t = threads > 1 ? xml_fast_pieces(f, in, threads, err) : run_alone(f, in, err);
    *rc = f->rc;
    return t == TOKEN ? XML_FAST_DONE : t == STOP ? XML_FAST_STOPPED : XML_FAST_UNUSUAL;
}
