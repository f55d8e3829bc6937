/* Bytes that somebody else owns. Not terminated; names are bytes, not necessarily UTF-8. */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include "base/order.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "assay/model.h" /* assay_slice */

#define SLICE(literal) ((assay_slice){ (literal), sizeof(literal) - 1 })

static inline assay_slice slice_of(const char *text) { return (assay_slice){ text, text ? strlen(text) : 0 }; }
static inline assay_slice slice_from(const char *begin, const char *end) { return (assay_slice){ begin, (size_t)(end - begin) }; }

static inline bool slice_is(assay_slice s, const char *text)
{
    size_t len = strlen(text);
    return s.len == len && (len == 0 || memcmp(s.data, text, len) == 0);
}

static inline bool slice_ends(assay_slice s, const char *text)
{
    size_t len = strlen(text);
    return len == 0 || (s.len >= len && memcmp(s.data + s.len - len, text, len) == 0);
}

static inline bool slice_equal(assay_slice a, assay_slice b) { return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0); }

static inline bool slice_starts(assay_slice s, const char *prefix)
{
    size_t len = strlen(prefix);
    return len == 0 || (s.len >= len && memcmp(s.data, prefix, len) == 0);
}

static inline bool slice_contains(assay_slice s, const char *part) { return s.data && s.len && memmem(s.data, s.len, part, strlen(part)) != NULL; }

/* Upper and lower case of ASCII are the same; whatever the locale. */
static inline char slice_lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }
static inline bool slice_is_nocase(assay_slice s, const char *text)
{
    size_t i = 0;
    while (i < s.len && text[i] && slice_lower(s.data[i]) == slice_lower(text[i])) i++;
    return i == s.len && !text[i];
}

static inline bool slice_contains_nocase(assay_slice s, const char *part)
{
    size_t len = strlen(part);
    for (; s.len >= len; s.data++, s.len--)
        if (slice_is_nocase((assay_slice){ s.data, len }, part)) return true;
    return false;
}

/* Without blanks and tabs at both ends. */
static inline assay_slice slice_trim(assay_slice s)
{
    while (s.len && (s.data[0] == ' ' || s.data[0] == '\t')) s.data++, s.len--;
    while (s.len && (s.data[s.len - 1] == ' ' || s.data[s.len - 1] == '\t')) s.len--;
    return s;
}

/* Bytewise order, shorter first. */
static inline int slice_compare(assay_slice a, assay_slice b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int c = len ? memcmp(a.data, b.data, len) : 0;
    return c ? c : ORDER(a.len, b.len);
}

#endif
