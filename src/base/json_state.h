/* Where a JSON reader stands: what json_read.c and json_fast.c share. */
#ifndef BASE_JSON_STATE_H
#define BASE_JSON_STATE_H

#include <endian.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/json_read.h"

enum { JSON_AT_BEGIN, JSON_AT_VALUE, JSON_AT_FIRST_ITEM, JSON_AT_FIRST_KEY, JSON_AT_KEY, JSON_AT_COLON, JSON_AT_AFTER, JSON_AT_DONE };

/* Behind a value: the comma is mostly right there, and says at once what must follow. */
static inline void json_after_value(struct json_reader *r)
{
    r->state = r->depth ? JSON_AT_AFTER : JSON_AT_DONE;
    if (!r->depth || r->at == r->end || *r->at != ',') return;
    r->at++;
    r->state = r->is_object[r->depth - 1] ? JSON_AT_KEY : JSON_AT_VALUE;
}

/* The first byte that is a quote, a backslash or a control character; sixteen or eight at once. */
static inline const char *json_plain_end(const char *p, const char *end)
{
    const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
#ifdef __SSE2__
    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
        __m128i mark = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_or_si128(control, mark));
        if (found) return p + __builtin_ctz(found);
    }
#endif
    for (; end - p >= 8; p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        w = le64toh(w);
        uint64_t quote = w ^ ones * '"', slash = w ^ ones * '\\';
        uint64_t found = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((w - ones * 0x20) & ~w)) & high;
        if (found) return p + __builtin_ctzll(found) / 8;
    }
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) p++;
    return p;
}

#endif
