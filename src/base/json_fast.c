/* JSON that tools write by the million: arrays of numbers, objects in one form, flat objects; see base/json_read.h. What is at hand and surely right is taken at
 * once; of anything else nothing is, and the events of json_read.c say what it is. So there are no errors here. */
#include <math.h>

#include "base/json_state.h"
#include "base/scan.h"

/* ---- arrays ---- */

/* One value at p; where it ends, or NULL. */
static const char *plain_value(const char *p, const char *end, uint64_t *value, bool *is_word)
{
    *is_word = *p == 't' || *p == 'f';
    if (*is_word) {
        size_t len = *p == 't' ? 4 : 5;
        *value = *p == 't';
        return (size_t)(end - p) > len && memcmp(p, *p == 't' ? "true" : "false", len) == 0 ? p + len : NULL;
    }
    const char *from = p;
    uint64_t v = 0;
    for (; p < end && is_digit(*p); p++) v = v * 10 + (uint64_t)(*p - '0');
    *value = v;
    return p == from || p == end || p - from > 18 || (*from == '0' && p - from > 1) ? NULL : p;
}

int json_read_plain(struct json_reader *r, uint64_t *values, unsigned max, uint32_t *words)
{
    const char *p = r->at, *end = r->end;
    if (words) *words = 0;
    for (unsigned n = 0; n < max && r->state == JSON_AT_FIRST_ITEM && p < end; n++) {
        bool is_word;
        p = plain_value(p, end, &values[n], &is_word);
        if (!p || (is_word && !words)) return -1;
        if (words) *words |= (uint32_t)is_word << n;
        if (*p == ']') {
            r->at = p + 1;
            r->depth--;
            json_after_value(r);
            return (int)n + 1;
        }
        if (*p++ != ',') return -1;
        if (p < end && *p == ' ') p++;
    }
    return -1;
}

unsigned json_read_texts(const struct json_reader *r, assay_slice *texts, unsigned max, size_t longest)
{
    const char *p = r->at, *end = r->end;
    unsigned n = 0;
    if (r->state != JSON_AT_FIRST_ITEM || r->depth < 2 || r->is_object[r->depth - 2]) return 0;
    while (n < max && p < end) {
        size_t left = (size_t)(end - p);
        const char *stop = memchr(p, ']', left < longest ? left : longest);
        if (!stop) break;
        texts[n++] = slice_from(p, stop + 1);
        if (end - stop < 4 || stop[1] != ',') break;
        p = stop + (stop[2] == ' ' ? 3 : 2);
        if (*p++ != '[') break;
    }
    return n;
}

int json_read_items(assay_slice text, uint64_t *values, unsigned max)
{
    const char *p = text.data, *end = p + text.len;
    for (unsigned n = 0; n < max && p < end; n++) {
        bool is_word;
        p = plain_value(p, end, &values[n], &is_word);
        if (!p || is_word) return -1;
        if (*p == ']') return p + 1 == end ? (int)n + 1 : -1;
        if (*p++ != ',') return -1;
        if (p < end && *p == ' ') p++;
    }
    return -1;
}

void json_read_over(struct json_reader *r, assay_slice text)
{
    r->at = text.data + text.len;
    r->depth--;
    json_after_value(r);
}

/* Digits from p on, up to `stop`, behind the number *v. */
static inline const char *take_digits(const char *p, const char *stop, uint64_t *v)
{
    uint64_t all = *v;
    for (unsigned d; p < stop && (d = (unsigned)(unsigned char)*p - '0') < 10; p++) all = all * 10 + d;
    *v = all;
    return p;
}

static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };

/* The same as number_or_null, below, for up to seven digits on each side of the point, no sign, and enough bytes at hand; anything else is NULL. */
static inline const char *quick_number(const char *p, double *value)
{
    uint64_t v, part;
    if (!is_digit(*p)) return NULL;
    if (p[1] == ',') {
        *value = *p - '0';
        return p + 1;
    }
    unsigned n = leading_digits(p, &v);
    if (n == 8 || (*p == '0' && n > 1)) return NULL;
    p += n;
    *value = (double)v;
    if (*p != '.') return p;
    if (!is_digit(*++p) || (n = leading_digits(p, &part)) == 8) return NULL;
    *value = ((double)v * tens[n] + (double)part) / tens[n];
    return p + n;
}

/* One number or null at p; where it ends, or NULL. A quotient of whole numbers below 2^53 is rounded as the number itself is. */
static const char *number_or_null(const char *p, const char *end, double *value, bool nulls)
{
    bool is_negative = *p == '-';
    const char *from = p += is_negative, *stop = end - p > 16 ? p + 16 : end;
    uint64_t v = 0;
    p = take_digits(p, stop, &v);
    if (p == from) {
        *value = NAN;
        return nulls && !is_negative && end - p > 4 && memcmp(p, "null", 4) == 0 ? p + 4 : NULL;
    }
    if (p == stop || (*from == '0' && p - from > 1)) return NULL;
    double d = (double)v;
    if (*p == '.') {
        const char *point = ++p;
        p = take_digits(p, stop, &v);
        if (p == point || p == end) return NULL;
        d = (double)v / tens[p - point];
    }
    if ((*p | 0x20) == 'e' || is_digit(*p)) return NULL;
    *value = is_negative ? -d : d;
    return p;
}

static const char *skip_blanks(const char *p, const char *end, uint64_t *lines)
{
    for (; p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'); p++) *lines += *p == '\n';
    return p;
}

unsigned json_read_numbers(struct json_reader *r, double *values, unsigned max, bool nulls)
{
    const char *p = r->at, *end = r->end, *taken = p;
    uint64_t lines = 0;
    unsigned n = 0;
    bool is_over = false;
    if (r->is_damaged || !r->depth || r->is_object[r->depth - 1] || (r->state != JSON_AT_FIRST_ITEM && r->state != JSON_AT_VALUE)) return 0;
    while (n < max && !is_over) {
        if (p < end && (unsigned char)*p <= ' ') p = skip_blanks(p, end, &lines);
        const char *from = p;
        p = end - p > 32 ? quick_number(p, &values[n]) : NULL;
        if (!p) p = from < end ? number_or_null(from, end, &values[n], nulls) : NULL;
        if (!p || (*p != ',' && *p != ']')) break;
        is_over = *p == ']';
        taken = p += !is_over;
        n++;
        r->line += lines;
        lines = 0;
    }
    if (!n) return 0;
    r->at = taken;
    r->state = is_over ? JSON_AT_AFTER : JSON_AT_VALUE;
    return n;
}

/* ---- objects in one form ---- */

/* Digits of a whole number below 10^9 at p; where they end, or NULL. */
static const char *form_number(const char *p, const char *end, uint32_t *value)
{
    const char *from = p;
    uint32_t v = 0;
    for (; p < end && is_digit(*p); p++) v = v * 10 + (uint32_t)(*p - '0');
    *value = v;
    return p == from || p - from > 9 || (*from == '0' && p - from > 1) ? NULL : p;
}

bool json_read_form(struct json_reader *r, const char *form, uint32_t *values)
{
    const char *p = r->at, *end = r->end;
    if (r->state != JSON_AT_FIRST_KEY) return false;
    for (; *form; form++) {
        if (p == end) return false;
        if (*form != '#') {
            if (*p++ != *form) return false;
            continue;
        }
        p = form_number(p, end, values++);
        if (!p) return false;
    }
    r->at = p;
    r->depth--;
    json_after_value(r);
    return true;
}

/* What stands at p for '$', '#' or '~'; where it ends, or NULL. */
static const char *form_slot(char kind, const char *p, const char *end, struct json_slot *slot)
{
    if (p == end) return NULL;
    const char *to;
    if (kind == '$') {
        to = json_plain_end(p, end);
        if (to == end || *to != '"') return NULL;
    } else {
        bool is_negative = kind == '~' && *p == '-';
        uint32_t v;
        to = form_number(p + is_negative, end, &v);
        if (!to) return NULL;
        slot->number = is_negative ? -(int32_t)v : (int32_t)v;
    }
    slot->text = slice_from(p, to);
    return to;
}

bool json_read_first(struct json_reader *r, const char *form, struct json_slot *slots)
{
    const char *p = r->at, *end = r->end;
    if (r->state != JSON_AT_FIRST_KEY) return false;
    for (;;) {
        size_t same = strcspn(form, "#~$");
        if ((size_t)(end - p) < same || memcmp(p, form, same) != 0) return false;
        p += same;
        form += same;
        if (!*form) break;
        p = form_slot(*form++, p, end, slots++);
        if (!p) return false;
    }
    if (p == end || (*p != ',' && *p != '}')) return false;
    r->at = p;
    json_after_value(r);
    return true;
}

/* ---- flat objects ---- */

static inline const char *skip_space(const char *p, const char *end) { return p < end && *p == ' ' ? p + 1 : p; }

/* Behind [-]digits[.digits], as nearly all numbers are; NULL = it is not, or goes on behind the block. */
static inline const char *plain_number(const char *p, const char *end)
{
    const char *from = p += *p == '-';
    while (p < end && is_digit(*p)) p++;
    if (p == from || p == end || (*from == '0' && p > from + 1)) return NULL;
    if (*p == '.') {
        from = ++p;
        while (p < end && is_digit(*p)) p++;
        if (p == from || p == end) return NULL;
    }
    return *p == 'e' || *p == 'E' ? NULL : p;
}

static const char *plain_word(const char *p, const char *end, enum json_kind *kind)
{
    if (end - p < 6) return NULL;
    *kind = *p == 't' ? JSON_TRUE : *p == 'f' ? JSON_FALSE : JSON_NULL;
    if (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0) return p + 4;
    return memcmp(p, "false", 5) == 0 ? p + 5 : NULL;
}

/* Behind the quote that ends the string whose text begins at p. */
static const char *string_behind(const char *p, const char *end)
{
    for (;;) {
        p = json_plain_end(p, end);
        if (end - p < 2) return NULL;
        if (*p == '"') return p + 1;
        if (*p != '\\' || !p[1] || !strchr("\"\\/bfnrt", p[1])) return NULL;
        p += 2;
    }
}

static const char *key_behind(const char *p, const char *end)
{
    if (p == end || *p != '"') return NULL;
    p = string_behind(p + 1, end);
    return p && p < end && *p == ':' ? skip_space(p + 1, end) : NULL;
}

static const char *scalar_behind(const char *p, const char *end)
{
    enum json_kind kind;
    if (*p == '"') return string_behind(p + 1, end);
    return is_digit(*p) || *p == '-' ? plain_number(p, end) : plain_word(p, end, &kind);
}

/* Behind the object or array that begins at p, whatever is in it, up to `levels` deep. */
static const char *nested_behind(const char *p, const char *end, unsigned levels)
{
    uint64_t is_object = 0; /* a bit for each level that is open, the innermost one lowest */
    unsigned depth = 0;
    bool is_first = false;
    for (;;) {
        if (p >= end) return NULL;
        bool in_object = depth && is_object & 1;
        if (is_first && (*p == '}' || *p == ']')) { /* empty */
            if ((*p == '}') != in_object) return NULL;
        } else {
            if (in_object) p = key_behind(p, end);
            if (!p || p >= end) return NULL;
            if (*p == '{' || *p == '[') {
                if (++depth > levels) return NULL;
                is_object = is_object << 1 | (*p++ == '{');
                is_first = true;
                continue;
            }
            p = scalar_behind(p, end);
            if (!p || p >= end) return NULL;
        }
        is_first = false;
        while (*p == '}' || *p == ']') {
            if ((*p++ == '}') != (is_object & 1)) return NULL;
            is_object >>= 1;
            if (!--depth) return p;
            if (p == end) return NULL;
        }
        if (*p != ',') return NULL;
        p = skip_space(p + 1, end);
    }
}

/* The value at p into *m; what is behind it, or NULL. */
static inline const char *member_value(const struct json_reader *r, const char *p, struct json_member *m)
{
    const char *end = r->end, *stop;
    m->is_whole = false;
    if (*p == '"') {
        m->kind = JSON_STRING;
        stop = json_plain_end(p + 1, end);
        m->text = slice_from(p + 1, stop);
        return stop < end && *stop == '"' ? stop + 1 : NULL;
    }
    if (is_digit(*p) || *p == '-') {
        uint64_t v = 0;
        m->kind = JSON_NUMBER;
        for (stop = p; stop < end && is_digit(*stop); stop++) v = v * 10 + (uint64_t)(*stop - '0');
        m->whole = v;
        m->is_whole = stop > p && stop < end && stop - p < 19 && (*p != '0' || stop == p + 1) && (*stop == ',' || *stop == '}');
        if (!m->is_whole) stop = plain_number(p, end);
    } else if (*p == '{' || *p == '[') {
        m->kind = *p == '{' ? JSON_OBJECT : JSON_ARRAY;
        stop = nested_behind(p, end, r->depth < JSON_READ_DEPTH ? JSON_READ_DEPTH - r->depth : 0);
    } else
        stop = plain_word(p, end, &m->kind);
    if (stop) m->text = slice_from(p, stop);
    return stop;
}

int json_read_members(const struct json_reader *r, struct json_member *out, unsigned max, const char **behind)
{
    const char *p = r->at, *end = r->end;
    if (r->state != JSON_AT_FIRST_KEY) return -1;
    for (unsigned n = 0; n < max; n++) {
        p = skip_space(p, end);
        if (p == end || *p != '"') return -1;
        const char *stop = json_plain_end(p + 1, end);
        if (end - stop < 4 || stop[0] != '"' || stop[1] != ':') return -1;
        out[n].key = slice_from(p + 1, stop);
        p = member_value(r, stop + (stop[2] == ' ' ? 3 : 2), &out[n]);
        if (!p) return -1;
        p = skip_space(p, end);
        if (p == end) return -1;
        *behind = p + 1;
        if (*p == '}') return (int)n + 1;
        if (*p++ != ',') return -1;
    }
    return -1;
}

void json_read_behind(struct json_reader *r, const char *behind)
{
    r->at = behind;
    r->depth--;
    json_after_value(r);
}
