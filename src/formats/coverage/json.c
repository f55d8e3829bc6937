/* See formats/coverage/json.h. */
#include "formats/coverage/json.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "base/scan.h"

enum { SMALL_MAX = 0x7fffffff };

void coverage_json_init(struct coverage_json *j, const struct read_job *job, struct findings *damage, assay_error *err)
{
    memset(j, 0, sizeof *j);
    j->damage = damage;
    json_read_init(&j->r, job->in, job->mem, damage, err);
}

void coverage_json_done(struct coverage_json *j) { json_read_done(&j->r); }

void coverage_json_found(struct coverage_json *j, uint64_t off, uint64_t line, const char *rule, int severity, const char *fmt, ...)
{
    char text[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    findings_add(j->damage, rule, severity, off, line, "%s", text);
}

/* ---- objects and arrays ---- */

static int find_key(assay_slice name, const assay_slice *keys, unsigned count)
{
    if (!name.len) return COVERAGE_JSON_END;
    for (unsigned i = 0; i < count; i++)
        if (keys[i].len == name.len && keys[i].data[0] == name.data[0] && memcmp(keys[i].data, name.data, name.len) == 0) return (int)i;
    return COVERAGE_JSON_END;
}

int coverage_json_keys(struct coverage_json *j, const assay_slice *keys, unsigned count, uint64_t *seen, int *at)
{
    for (;;) {
        TRY(json_read_next(&j->r, &j->e));
        *at = COVERAGE_JSON_END;
        if (j->e.kind != JSON_KEY) return j->damage->failed ? error_memory(j->r.err) : 0;
        *at = find_key(j->e.text, keys, count);
        j->key_off = j->e.off;
        j->key_line = j->e.line;
        if (*at == COVERAGE_JSON_END)
            coverage_json_found(j, j->e.off, j->e.line, "J-6", ASSAY_INFO, "unknown key '%.*s'", (int)(j->e.text.len < 40 ? j->e.text.len : 40),
                                j->e.text.data);
        else if (*seen >> *at & 1)
            coverage_json_found(j, j->e.off, j->e.line, "J-5", ASSAY_WARNING, "key '%s' is repeated in this object", keys[*at].data);
        TRY(json_read_next(&j->r, &j->e));
        if (j->e.kind == JSON_END) *at = COVERAGE_JSON_END;
        if (j->e.kind == JSON_END) return 0;
        if (*at == COVERAGE_JSON_END) {
            TRY(json_read_skip(&j->r, &j->e));
            continue;
        }
        *seen |= (uint64_t)1 << *at;
        return 0;
    }
}

int coverage_json_key(struct coverage_json *j, const assay_slice *keys, unsigned count, uint32_t *seen, int *at)
{
    uint64_t all = *seen;
    int rc = coverage_json_keys(j, keys, count, &all, at);
    *seen = (uint32_t)all;
    return rc;
}

int coverage_json_item(struct coverage_json *j, bool *has)
{
    TRY(json_read_next(&j->r, &j->e));
    *has = j->e.kind != JSON_ARRAY_END && j->e.kind != JSON_END;
    return 0;
}

/* ---- values ---- */

int coverage_json_expect(struct coverage_json *j, enum json_kind kind, const char *what, bool *is)
{
    *is = j->e.kind == kind;
    if (*is || j->e.kind == JSON_END) return 0;
    coverage_json_found(j, j->e.off, j->e.line, "J-2", ASSAY_ERROR, "%s is %s: expected %s", what, json_kind_name(j->e.kind), json_kind_name(kind));
    return json_read_skip(&j->r, &j->e);
}

static void count_of(assay_slice text, uint64_t *out, bool *was_negative)
{
    double d;
    *was_negative = text.data[0] == '-';
    if (number_u64(text, out) != NUMBER_BAD) return;
    number_double(text, &d);
    *was_negative = d < 0;
    *out = d <= 0 ? 0 : d >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)d;
}

int coverage_json_count(struct coverage_json *j, const char *what, uint64_t *out, bool *was_negative, bool *is)
{
    *out = 0;
    *was_negative = false;
    TRY(coverage_json_expect(j, JSON_NUMBER, what, is));
    if (*is) count_of(j->e.text, out, was_negative);
    return 0;
}

int coverage_json_double(struct coverage_json *j, const char *what, double *out, bool *is)
{
    *out = 0;
    TRY(coverage_json_expect(j, JSON_NUMBER, what, is));
    if (*is) number_double(j->e.text, out);
    return 0;
}

/* A few digits and nothing else: what most numbers are. */
static bool few_digits(assay_slice text, uint32_t *out)
{
    uint32_t v = 0;
    if (text.len > 9) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.data[i])) return false;
        v = v * 10 + (uint32_t)(text.data[i] - '0');
    }
    *out = v;
    return true;
}

int coverage_json_small(struct coverage_json *j, const char *what, uint32_t *out, bool *is)
{
    uint64_t v;
    bool was_negative;
    *is = j->e.kind == JSON_NUMBER && few_digits(j->e.text, out);
    if (*is) return 0;
    TRY(coverage_json_count(j, what, &v, &was_negative, is));
    *out = (uint32_t)(v > SMALL_MAX ? SMALL_MAX : v);
    if (!*is || v <= SMALL_MAX) return 0;
    *is = false;
    coverage_json_found(j, j->e.off, j->e.line, "J-2", ASSAY_ERROR, "%s is above 2147483647", what);
    return 0;
}

static int tuple_items(struct coverage_json *j, const char *what, struct coverage_tuple *out)
{
    bool has, was_negative;
    for (out->count = 0, out->words = 0;; out->count++) {
        TRY(coverage_json_item(j, &has));
        if (!has) return 0;
        uint64_t *value = &out->at[out->count < COVERAGE_TUPLE ? out->count : COVERAGE_TUPLE - 1];
        if (j->e.kind == JSON_TRUE || j->e.kind == JSON_FALSE) {
            *value = j->e.kind == JSON_TRUE;
            if (out->count < COVERAGE_TUPLE) out->words |= 1u << out->count;
            continue;
        }
        TRY(coverage_json_count(j, what, value, &was_negative, &has));
        out->is &= has;
    }
}

int coverage_json_tuple(struct coverage_json *j, const char *what, struct coverage_tuple *out)
{
    out->off = j->e.off;
    out->line = j->e.line;
    TRY(coverage_json_expect(j, JSON_ARRAY, what, &out->is));
    if (!out->is) return 0;
    int count = json_read_plain(&j->r, out->at, COVERAGE_TUPLE, &out->words);
    if (count >= 0) {
        out->count = (unsigned)count;
        return 0;
    }
    TRY(tuple_items(j, what, out));
    if (j->r.is_damaged) out->is = false;
    return 0;
}

bool coverage_json_is_object(assay_slice head)
{
    size_t i = head.len >= 3 && memcmp(head.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < head.len && (head.data[i] == ' ' || head.data[i] == '\t' || head.data[i] == '\r' || head.data[i] == '\n')) i++;
    return i < head.len && head.data[i] == '{';
}

/* Behind the string that begins at p, or NULL when it does not end. */
static const char *string_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\') p++;
    return p < end ? p + 1 : NULL;
}

bool coverage_json_has_key(assay_slice head, unsigned depth, const char *key)
{
    const char *p = head.data, *end = head.data + head.len;
    size_t len = strlen(key);
    unsigned at = 0;
    if (!slice_contains(head, key)) return false;
    while (p && p < end) {
        at += *p == '{' || *p == '[';
        if ((*p == '}' || *p == ']') && at) at--;
        if (*p != '"') {
            p++;
            continue;
        }
        const char *from = p;
        p = string_end(p, end);
        if (!p || at != depth || (size_t)(p - from) != len || memcmp(from, key, len) != 0) continue;
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
        if (p < end && *p == ':') return true;
    }
    return false;
}
