/* Bytes of text as the hot paths of text decoders look at them. Every scan relies on a '\n' behind the text, as the blocks of base/lines.h
 * have it, and stops there. */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
static inline bool is_line_end(const char *p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

static inline int hex_digit(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* How many digits begin at p, where the first byte is one and eight can be read, and their number. 8 = there are at least so many, and *out is not set.
 * The digits before the first other byte are moved to the end of the word and summed up in pairs, which needs no branch for each digit. */
static inline unsigned leading_digits(const char *p, uint64_t *out)
{
    uint64_t w;
    memcpy(&w, p, 8);
    w = le64toh(w) ^ 0x3030303030303030u;
    uint64_t others = ((w + 0x7676767676767676u) | w) & 0x8080808080808080u;
    if (!others) return 8;
    unsigned bits = (unsigned)__builtin_ctzll(others) & ~7u;
    w <<= 64 - bits;
    w = w * 10 + (w >> 8);
    *out = ((w & 0x000000FF000000FFu) * 0x000F424000000064u + (w >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >> 32;
    return bits / 8;
}

/* A number that begins with a digit at p; NULL when it has more digits than are sure to fit. */
static inline const char *short_number(const char *p, const char *end, uint64_t *out)
{
    unsigned few = end - p >= 8 ? leading_digits(p, out) : 8;
    if (few < 8) return p + few;
    const char *begin = p;
    uint64_t v = (uint64_t)(*p - '0');
    for (unsigned digit; (digit = (unsigned char)(*++p - '0')) < 10;) v = v * 10 + digit;
    *out = v;
    return p - begin > 18 ? NULL : p;
}

#endif
