/* Bytes -> values; see marshal.h. A reference leads to a value that is no reference itself, so following one is a single step. */
#include "formats/pstats/marshal.h"

#include "base/number.h"

enum { FLAG = 0x80, LONG_DIGITS = 5 /* of 15 bits: more do not fit into 64 */ };

void marshal_init(struct marshal *m, assay_slice bytes, struct mem *mem) { *m = (struct marshal){ .c = cursor_of(bytes.data, bytes.len), .mem = mem }; }

void marshal_done(struct marshal *m)
{
    vec_done(m->mem, &m->refs);
    vec_done(m->mem, &m->interned);
}

static bool fail(struct marshal *m, enum marshal_fault fault, uint64_t off, uint64_t detail)
{
    m->fault = fault;
    m->fault_off = off;
    m->fault_detail = detail;
    return false;
}

static bool cut(struct marshal *m) { return fail(m, MARSHAL_CUT, (uint64_t)(m->c.end - m->c.begin), 0); }

/* Sizes are signed: negative ones are damage, and so are those beyond the end of the file, however short it was cut. */
static inline bool size(struct marshal *m, unsigned bytes, uint32_t *out)
{
    uint64_t off = cursor_off(&m->c), n;
    if (!cursor_le(&m->c, bytes, &n)) return cut(m);
    if (n > INT32_MAX) return fail(m, MARSHAL_SIZE, off, n);
    *out = (uint32_t)n;
    return true;
}

/* ---- values ---- */

static inline bool text(struct marshal *m, unsigned bytes, struct marshal_value *v)
{
    uint32_t len;
    v->kind = MARSHAL_TEXT;
    if (!size(m, bytes, &len)) return false;
    return cursor_bytes(&m->c, len, &v->text) || cut(m);
}

static bool interned(struct marshal *m, struct marshal_value *v)
{
    if (!text(m, 4, v)) return false;
    if (m->is_inside) return true;
    assay_slice *s = vec_push(m->mem, &m->interned);
    if (!s) return fail(m, MARSHAL_MEMORY, v->off, 0);
    *s = v->text;
    return true;
}

static void set_int(struct marshal_value *v, int64_t n)
{
    v->kind = MARSHAL_INT;
    v->number = n;
    v->real = (double)n;
}

static inline bool integer(struct marshal *m, unsigned bytes, struct marshal_value *v)
{
    uint64_t n;
    if (!cursor_le(&m->c, bytes, &n)) return cut(m);
    set_int(v, bytes == 4 ? (int64_t)(int32_t)(uint32_t)n : (int64_t)n);
    return true;
}

/* The sign of the number of digits is the sign of the number. */
static bool large(struct marshal *m, struct marshal_value *v)
{
    uint32_t raw;
    if (!cursor_u32le(&m->c, &raw)) return cut(m);
    bool is_negative = raw > INT32_MAX;
    uint32_t digits = is_negative ? 0u - raw : raw;
    uint64_t n = 0;
    bool is_larger = false; /* than INT64_MAX */
    if (digits > LONG_DIGITS) return fail(m, MARSHAL_NUMBER, v->off, digits);
    for (uint32_t i = 0; i < digits; i++) {
        uint16_t digit;
        if (!cursor_u16le(&m->c, &digit)) return cut(m);
        digit &= 0x7fff;
        is_larger |= digit > INT64_MAX >> (15 * i);
        n |= (uint64_t)digit << (15 * i);
    }
    if (is_larger) return fail(m, MARSHAL_NUMBER, v->off, digits);
    set_int(v, is_negative ? -(int64_t)n : (int64_t)n);
    return true;
}

static bool real(struct marshal *m, struct marshal_value *v)
{
    assay_slice bytes;
    if (!cursor_bytes(&m->c, 8, &bytes)) return cut(m);
    v->kind = MARSHAL_FLOAT;
    v->real = bytes_f64le((const unsigned char *)bytes.data);
    return true;
}

static bool real_text(struct marshal *m, struct marshal_value *v)
{
    if (!text(m, 1, v)) return false;
    v->kind = MARSHAL_FLOAT;
    return number_double(v->text, &v->real) == NUMBER_OK || fail(m, MARSHAL_NUMBER, v->off, v->text.len);
}

/* Each value takes a byte at least, so that no count is believed beyond the end. */
static inline bool tuple(struct marshal *m, unsigned bytes, struct marshal_value *v)
{
    uint64_t off = cursor_off(&m->c);
    v->kind = MARSHAL_TUPLE;
    if (!size(m, bytes, &v->count)) return false;
    return cursor_fits(&m->c, v->count, 1) || fail(m, MARSHAL_SIZE, off, v->count);
}

static bool plain(struct marshal *m, uint8_t code, struct marshal_value *v)
{
    switch (code) {
    case '0': v->kind = MARSHAL_STOP; return true;
    case '{': v->kind = MARSHAL_DICT; return true;
    case '(': return tuple(m, 4, v);
    case ')': return tuple(m, 1, v);
    case 'i': return integer(m, 4, v);
    case 'I': return integer(m, 8, v);
    case 'l': return large(m, v);
    case 'T':
    case 'F': set_int(v, code == 'T'); return true;
    case 'g': return real(m, v);
    case 'f': return real_text(m, v);
    case 's': m->has_bytes = true; return text(m, 4, v);
    case 't': return interned(m, v);
    case 'u':
    case 'a':
    case 'A': return text(m, 4, v);
    case 'z':
    case 'Z': return text(m, 1, v);
    case 'N':
    case 'S':
    case '.':
    case '[':
    case '<':
    case '>': v->kind = MARSHAL_OTHER; return true;
    default: return fail(m, MARSHAL_TYPE, v->off, code);
    }
}

/* ---- references ---- */

static bool follow(struct marshal *m, struct marshal_value *v)
{
    uint32_t n;
    if (!cursor_u32le(&m->c, &n)) return cut(m);
    if (n >= m->refs.len) return fail(m, MARSHAL_REFERENCE, v->off, n);
    uint64_t off = v->off;
    uint8_t code = m->refs.at[n] & 0xff;
    v->target = m->refs.at[n] >> 8;
    v->ref = n + 1;
    v->kind = MARSHAL_AGAIN;
    if (code == '(' || code == ')') return true; /* what stands there is looked at by who enters it */
    struct cursor here = m->c;
    bool was_inside = m->is_inside;
    cursor_seek(&m->c, v->target + 1);
    m->is_inside = true;
    bool done = plain(m, code, v);
    m->is_inside = was_inside;
    m->c = here;
    v->off = off;
    if (!done) return false;
    return v->kind != MARSHAL_DICT || fail(m, MARSHAL_REFERENCE, off, n);
}

static bool follow_interned(struct marshal *m, struct marshal_value *v)
{
    uint32_t n;
    if (!cursor_u32le(&m->c, &n)) return cut(m);
    if (n >= m->interned.len) return fail(m, MARSHAL_REFERENCE, v->off, n);
    v->kind = MARSHAL_TEXT;
    v->text = m->interned.at[n];
    m->has_bytes = true;
    return true;
}

bool marshal_next(struct marshal *m, struct marshal_value *v)
{
    uint8_t code;
    *v = (struct marshal_value){ .off = cursor_off(&m->c) };
    if (!cursor_u8(&m->c, &code)) return cut(m);
    if (code == 'r') return follow(m, v);
    if (code == 'R') return follow_interned(m, v);
    if (code & FLAG) {
        m->has_flags = true;
        uint64_t *ref = m->is_inside ? &v->target : vec_push(m->mem, &m->refs);
        if (!ref) return fail(m, MARSHAL_MEMORY, v->off, 0);
        *ref = m->is_inside ? v->off : v->off << 8 | (code & 0x7f);
        if (!m->is_inside && m->refs.len < UINT32_MAX) v->ref = (uint32_t)m->refs.len;
    }
    return plain(m, code & 0x7f, v);
}

void marshal_enter(struct marshal *m, const struct marshal_value *again, uint32_t *count)
{
    struct marshal_value v = { .off = again->target };
    uint8_t code;
    m->from = cursor_off(&m->c);
    m->is_inside = true;
    cursor_seek(&m->c, again->target);
    cursor_u8(&m->c, &code);
    *count = tuple(m, (code & 0x7f) == '(' ? 4 : 1, &v) ? v.count : 0;
}

void marshal_leave(struct marshal *m)
{
    cursor_seek(&m->c, m->from);
    m->is_inside = false;
}
