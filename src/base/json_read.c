/* JSON events; see base/json_read.h. A token that reaches the end of the block is looked at again from its first byte, with more behind it. */
#include "base/json_read.h"

#include <stdio.h>

#include "base/json_state.h"
#include "base/scan.h"

void json_read_init(struct json_reader *r, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(r, 0, sizeof *r);
    r->in = in;
    r->mem = mem;
    r->damage = damage;
    r->err = err;
    r->line = 1;
    r->is_object = r->near;
    r->room = r->max_depth = JSON_READ_DEPTH;
}

void json_read_done(struct json_reader *r)
{
    vec_done(r->mem, &r->scratch);
    if (r->is_object != r->near) mem_free(r->mem, r->is_object, r->room);
    r->is_object = r->near;
}

void json_read_deepen(struct json_reader *r, unsigned max) { r->max_depth = max; }

const char *json_kind_name(enum json_kind kind)
{
    static const char *const names[] = { "the end", "an object", "an array", "the end of an object", "the end of an array", "a key", "a string", "a number",
                                         "true",    "false",     "null" };
    return names[kind];
}

/* ---- blocks ---- */

/* Has more behind `at`; everything before it is given up. *more = false: the input is at its end. */
static int fill(struct json_reader *r, bool *more)
{
    size_t keep = (size_t)(r->end - r->at);
    assay_slice block = { NULL, 0 };
    uint64_t off = 0;
    *more = false;
    if (r->at_eof) return 0;
    int rc = input_block_keep(r->in, keep, &block, &off, r->err);
    if (rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED) {
        findings_add(r->damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, r->err ? r->err->offset : 0, 0, "%s",
                     r->err ? r->err->text : "the compressed data is damaged");
        r->at_eof = r->is_damaged = true;
        r->at = r->end;
        return 0;
    }
    if (rc != 0) return rc;
    r->begin = r->at = block.data;
    r->end = block.data ? block.data + block.len : block.data;
    r->begin_off = off;
    *more = block.len > keep;
    r->at_eof = !*more;
    return 0;
}

static uint64_t off_of(const struct json_reader *r, const char *p) { return r->begin_off + (uint64_t)(p - r->begin); }

/* Nothing is read behind damage. */
static int damaged(struct json_reader *r, struct json_event *e, uint64_t off, const char *rule, const char *message)
{
    if (!r->is_damaged) findings_add(r->damage, rule, ASSAY_ERROR, off, r->line, "%s", message);
    r->is_damaged = true;
    r->state = JSON_AT_DONE;
    e->kind = JSON_END;
    e->text = (assay_slice){ NULL, 0 };
    return r->damage->failed ? error_memory(r->err) : 0;
}

static int cut(struct json_reader *r, struct json_event *e, const char *message)
{
    if (r->tells_cut && !r->is_damaged) r->is_cut = r->is_damaged = true;
    return damaged(r, e, off_of(r, r->end), "J-1", message);
}

/* Makes `at` the first byte that is not blank. at == end: there is none. */
static int skip_blank(struct json_reader *r)
{
    for (bool more = true; more;) {
        const char *p = r->at, *end = r->end;
        for (; p < end; p++) {
            if (*p == '\n') {
                r->line++;
                while (end - p > 8 && memcmp(p + 1, "        ", 8) == 0) p += 8;
            } else if (*p != ' ' && *p != '\t' && *p != '\r')
                break;
        }
        r->at = p;
        if (p < end) return 0;
        TRY(fill(r, &more));
    }
    return 0;
}

/* ---- strings ---- */

static int hex4(const char *p, const char *end)
{
    int v = 0;
    if (end - p < 4) return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        v = v << 4 | digit;
    }
    return v;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80)
        *to++ = (char)code;
    else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000)
            *to++ = (char)(0xE0 | code >> 12);
        else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* \uXXXX, or two of them, from behind the u. NULL = not hexadecimal. */
static const char *put_unicode(char **to, const char *p, const char *end)
{
    int code = hex4(p, end), low;
    if (code < 0) return NULL;
    p += 4;
    if (code >= 0xDC80 && code <= 0xDCFF) {
        *(*to)++ = (char)(code - 0xDC00);
        return p;
    }
    if (code >= 0xD800 && code < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && (low = hex4(p + 2, end)) >= 0xDC00 && low < 0xE000) {
        *to = put_utf8(*to, 0x10000u + ((uint32_t)(code - 0xD800) << 10) + (uint32_t)(low - 0xDC00));
        return p + 6;
    }
    *to = put_utf8(*to, code >= 0xD800 && code < 0xE000 ? 0xFFFD : (uint32_t)code);
    return p;
}

/* One escape from its backslash on. NULL = it is none. What it stands for is never longer than itself. */
static const char *put_escape(char **to, const char *p, const char *end)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (p[1] == 'u') return put_unicode(to, p + 2, end);
    const char *at = p[1] ? strchr(names, p[1]) : NULL;
    if (!at) return NULL;
    *(*to)++ = values[at - names];
    return p + 2;
}

/* [p, end) has escapes. *bad: where one is wrong. */
static int resolve(struct json_reader *r, const char *p, const char *end, assay_slice *out, const char **bad)
{
    r->scratch.len = 0;
    *bad = NULL;
    if (!vec_reserve(r->mem, &r->scratch, (size_t)(end - p))) return error_memory(r->err);
    char *to = r->scratch.at;
    while (p < end) {
        const char *slash = memchr(p, '\\', (size_t)(end - p)), *stop = slash ? slash : end;
        memcpy(to, p, (size_t)(stop - p));
        to += stop - p;
        p = slash ? put_escape(&to, slash, end) : end;
        if (!p) {
            *bad = slash;
            return 0;
        }
    }
    *out = slice_from(r->scratch.at, to);
    return 0;
}

/* `at` is on the quote. */
static int string(struct json_reader *r, struct json_event *e)
{
    size_t len = 1;
    bool has_escapes = false, more = true;
    for (;;) {
        const char *p = json_plain_end(r->at + len, r->end);
        len = (size_t)(p - r->at);
        if (p == r->end || (*p == '\\' && r->end - p < 2)) {
            TRY(fill(r, &more));
            if (!more) return cut(r, e, "the input ends inside a string");
        } else if (*p == '\\') {
            has_escapes = true;
            len += 2;
        } else if (*p == '"')
            break;
        else
            return damaged(r, e, off_of(r, p), "J-1", *p == '\n' ? "a line end inside a string" : "a control character inside a string: expected an escape");
    }
    const char *bad = NULL;
    e->text = slice_from(r->at + 1, r->at + len);
    if (has_escapes) TRY(resolve(r, r->at + 1, r->at + len, &e->text, &bad));
    if (bad) return damaged(r, e, off_of(r, bad), "J-1", "an unknown escape in a string");
    r->at += len + 1;
    return 0;
}

/* ---- numbers and words ---- */

static const char *digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p)) p++;
    return p;
}

/* Goes over at least one digit. */
static bool some_digits(const char **p, const char *end)
{
    const char *from = *p;
    *p = digits(from, end);
    return *p > from;
}

static bool in_number(char c) { return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'; }

/* -? (0 | 1-9 digits) (. digits)? (e [+-]? digits)? */
static bool is_number(const char *p, const char *end)
{
    if (p < end && *p == '-') p++;
    if (p < end && *p == '0')
        p++;
    else if (!some_digits(&p, end))
        return false;
    if (p < end && *p == '.') {
        p++;
        if (!some_digits(&p, end)) return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        if (!some_digits(&p, end)) return false;
    }
    return p == end;
}

static int number(struct json_reader *r, struct json_event *e)
{
    const char *p = digits(r->at, r->end);
    bool more = true;
    if (p > r->at && p < r->end && !in_number(*p) && (*r->at != '0' || p == r->at + 1)) { /* a whole number, as nearly all are */
        e->kind = JSON_NUMBER;
        e->text = slice_from(r->at, p);
        r->at = p;
        return 0;
    }
    while (p < r->end && in_number(*p)) p++;
    while (p == r->end && more) {
        size_t len = (size_t)(p - r->at);
        TRY(fill(r, &more));
        if (r->is_damaged) return damaged(r, e, e->off, "J-1", "the compressed data is damaged");
        p = r->at + len;
        while (p < r->end && in_number(*p)) p++;
    }
    if (!is_number(r->at, p) && p == r->end && r->tells_cut) return cut(r, e, "");
    if (!is_number(r->at, p)) return damaged(r, e, e->off, "J-1", "a number that is not valid JSON");
    e->kind = JSON_NUMBER;
    e->text = slice_from(r->at, p);
    r->at = p;
    return 0;
}

static int word(struct json_reader *r, struct json_event *e)
{
    static const struct {
        const char *text;
        enum json_kind kind;
    } words[] = { { "true", JSON_TRUE }, { "false", JSON_FALSE }, { "null", JSON_NULL } };
    bool more = true;
    while (r->end - r->at < 5 && more) TRY(fill(r, &more));
    assay_slice left = slice_from(r->at, r->end);
    for (int i = 0; i < 3; i++)
        if (slice_starts(left, words[i].text)) {
            e->kind = words[i].kind;
            r->at += strlen(words[i].text);
            return 0;
        }
    for (int i = 0; i < 3 && r->tells_cut; i++)
        if (left.len < strlen(words[i].text) && memcmp(words[i].text, left.data, left.len) == 0) return cut(r, e, "");
    return damaged(r, e, e->off, "J-1", "expected a value");
}

/* ---- values ---- */

static int too_deep(struct json_reader *r, struct json_event *e)
{
    char text[64];
    snprintf(text, sizeof text, "objects and arrays are nested deeper than %u", r->max_depth);
    return damaged(r, e, e->off, "J-4", text);
}

/* Twice as many levels as there is room for. */
static int make_room(struct json_reader *r)
{
    bool *levels = mem_alloc(r->mem, r->room * 2);
    if (!levels) return error_memory(r->err);
    memcpy(levels, r->is_object, r->room);
    if (r->is_object != r->near) mem_free(r->mem, r->is_object, r->room);
    r->is_object = levels;
    r->room *= 2;
    return 0;
}

static int open_level(struct json_reader *r, struct json_event *e, bool is_object)
{
    if (r->depth == r->max_depth) return too_deep(r, e);
    if (r->depth == r->room) TRY(make_room(r));
    r->is_object[r->depth++] = is_object;
    r->state = is_object ? JSON_AT_FIRST_KEY : JSON_AT_FIRST_ITEM;
    e->kind = is_object ? JSON_OBJECT : JSON_ARRAY;
    r->at++;
    return 0;
}

static int close_level(struct json_reader *r, struct json_event *e)
{
    e->depth = --r->depth;
    e->kind = r->is_object[r->depth] ? JSON_OBJECT_END : JSON_ARRAY_END;
    r->at++;
    json_after_value(r);
    return 0;
}

static int value(struct json_reader *r, struct json_event *e)
{
    char c = *r->at;
    if (c == '{' || c == '[') return open_level(r, e, c == '{');
    r->state = r->depth ? JSON_AT_AFTER : JSON_AT_DONE;
    if (c == '"') {
        e->kind = JSON_STRING;
        TRY(string(r, e));
    } else
        TRY(is_digit(c) || c == '-' ? number(r, e) : word(r, e));
    if (!r->is_damaged) json_after_value(r);
    return 0;
}

static int key(struct json_reader *r, struct json_event *e)
{
    if (*r->at != '"') return damaged(r, e, e->off, "J-1", "expected a key in quotes");
    r->state = JSON_AT_COLON;
    e->kind = JSON_KEY;
    TRY(string(r, e));
    if (r->is_damaged || r->at == r->end || *r->at != ':') return 0;
    r->at++;
    r->state = JSON_AT_VALUE;
    return 0;
}

/* What separates values, up to where an event begins or the state says that one must. */
static int separators(struct json_reader *r, struct json_event *e, bool *ready)
{
    *ready = true;
    if (r->state == JSON_AT_COLON) {
        if (*r->at != ':') return damaged(r, e, off_of(r, r->at), "J-1", "expected ':' after a key");
        r->state = JSON_AT_VALUE;
    } else if (r->state == JSON_AT_AFTER && *r->at == ',')
        r->state = r->is_object[r->depth - 1] ? JSON_AT_KEY : JSON_AT_VALUE;
    else
        return 0;
    r->at++;
    *ready = false;
    return 0;
}

static int event(struct json_reader *r, struct json_event *e)
{
    char end = r->depth && r->is_object[r->depth - 1] ? '}' : ']';
    e->off = off_of(r, r->at);
    e->line = r->line;
    e->depth = r->depth;
    if (r->state != JSON_AT_VALUE && r->state != JSON_AT_KEY && r->depth && *r->at == end) return close_level(r, e);
    switch (r->state) {
    case JSON_AT_FIRST_KEY:
    case JSON_AT_KEY: return key(r, e);
    case JSON_AT_AFTER: return damaged(r, e, e->off, "J-1", end == '}' ? "expected ',' or '}' after a value" : "expected ',' or ']' after a value");
    default: return value(r, e);
    }
}

static int at_end(struct json_reader *r, struct json_event *e)
{
    if (r->is_damaged || r->state != JSON_AT_DONE) return cut(r, e, r->state == JSON_AT_BEGIN ? "no value at all" : "the input ends inside an object or array");
    e->off = off_of(r, r->end);
    return 0;
}

static int skip_mark(struct json_reader *r)
{
    bool more = true;
    while (r->end - r->at < 3 && more) TRY(fill(r, &more));
    if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) r->at += 3;
    return 0;
}

/* Where tools write without blanks, the next byte begins an event. */
static bool is_ready(const struct json_reader *r)
{
    if (r->at == r->end || (unsigned char)*r->at <= ' ') return false;
    return (r->state >= JSON_AT_VALUE && r->state <= JSON_AT_KEY) || (r->state == JSON_AT_AFTER && *r->at != ',');
}

/* Goes over blanks and separators to where an event begins. *found = false: there is none, and `e` says so. */
static int seek(struct json_reader *r, struct json_event *e, bool *found)
{
    *found = false;
    if (r->is_damaged) return 0;
    if (r->state == JSON_AT_BEGIN) TRY(skip_mark(r));
    for (bool ready = false; !ready;) {
        TRY(skip_blank(r));
        if (r->at == r->end || r->is_damaged) return at_end(r, e);
        if (r->state == JSON_AT_DONE) return damaged(r, e, off_of(r, r->at), "J-1", "more data after the value: expected the end of the input");
        TRY(separators(r, e, &ready));
        if (r->is_damaged) return 0;
    }
    *found = true;
    return 0;
}

int json_read_next(struct json_reader *r, struct json_event *e)
{
    *e = (struct json_event){ .kind = JSON_END, .depth = r->depth, .line = r->line };
    if (!is_ready(r)) {
        bool found;
        TRY(seek(r, e, &found));
        if (!found) return 0;
    }
    return event(r, e);
}

int json_read_skip(struct json_reader *r, struct json_event *e)
{
    if (e->kind != JSON_OBJECT && e->kind != JSON_ARRAY) return 0;
    unsigned depth = e->depth;
    do {
        TRY(json_read_next(r, e));
    } while (e->kind != JSON_END && !(e->depth == depth && (e->kind == JSON_OBJECT_END || e->kind == JSON_ARRAY_END)));
    return 0;
}

uint64_t json_read_off(const struct json_reader *r, const char *p) { return off_of(r, p); }
