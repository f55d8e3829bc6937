/* The parameters of a request; see params.h. */
#include "server/params.h"

#include <math.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

/* ---- taking apart ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes into `to`, which has room for s.len + 1 bytes; false = a bad escape.
 */
static bool decode(char *to, assay_slice s, size_t *len)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] != '%') {
            to[n++] = s.data[i] == '+' ? ' ' : s.data[i];
            continue;
        }
        if (s.len - i < 3) return false;
        int high = digit_of(s.data[i + 1]), low = digit_of(s.data[i + 2]);
        if (high < 0 || low < 0) return false;
        to[n++] = (char)(high * 16 + low);
        i += 2;
    }
    to[n] = '\0';
    *len = n;
    return true;
}

/* UTF-8 without control characters; a tab may be part of a name. */
static bool is_clean(const char *text, size_t len)
{
    for (size_t i = 0, step; i < len; i += step) {
        uint32_t code;
        step = text_utf8((assay_slice){ text + i, len - i }, &code);
        if (!step || (code < 0x20 && code != '\t') || code == 0x7f) return false;
    }
    return true;
}

static int take(struct params *p, assay_slice s, const char **out, assay_error *err)
{
    size_t len;
    char *to = arena_text(&p->text, s.len + 1);
    if (!to) return error_memory(err);
    if (!decode(to, s, &len)) FAIL(err, ASSAY_ERR_USAGE, "a parameter has a '%%' without two hexadecimal digits");
    if (!is_clean(to, len)) FAIL(err, ASSAY_ERR_USAGE, "a parameter is not plain UTF-8 text");
    *out = to;
    return 0;
}

static int take_pair(struct params *p, assay_slice s, assay_error *err)
{
    const char *equals = s.len ? memchr(s.data, '=', s.len) : NULL;
    if (!s.len) return 0;
    if (p->at.len == PARAMS_MOST) FAIL(err, ASSAY_ERR_USAGE, "more than %d parameters", PARAMS_MOST);
    struct param *to = vec_push(p->mem, &p->at);
    if (!to) return error_memory(err);
    *to = (struct param){ .name = "", .value = "" };
    const char *end = s.data + s.len;
    TRY(take(p, slice_from(s.data, equals ? equals : end), &to->name, err));
    return equals ? take(p, slice_from(equals + 1, end), &to->value, err) : 0;
}

int params_parse(struct params *p, struct mem *mem, const char *query, size_t len, assay_error *err)
{
    *p = (struct params){ .mem = mem };
    arena_init(&p->text, mem);
    if (len > PARAMS_QUERY_MOST) FAIL(err, ASSAY_ERR_USAGE, "more than %d bytes of parameters", PARAMS_QUERY_MOST);
    for (const char *at = query, *end = query + len; at < end;) {
        const char *next = memchr(at, '&', (size_t)(end - at));
        TRY(take_pair(p, slice_from(at, next ? next : end), err));
        at = next ? next + 1 : end;
    }
    return 0;
}

void params_done(struct params *p)
{
    vec_done(p->mem, &p->at);
    arena_done(&p->text);
}

/* ---- asking ---- */

int params_text(struct params *p, const char *name, const char **out, assay_error *err)
{
    bool is_there = false;
    for (size_t i = 0; i < p->at.len; i++) {
        if (strcmp(p->at.at[i].name, name) != 0) continue;
        if (is_there) FAIL(err, ASSAY_ERR_USAGE, "the parameter '%s' is given twice", name);
        is_there = p->at.at[i].is_taken = true;
        *out = p->at.at[i].value;
    }
    return 0;
}

int params_flag(struct params *p, const char *name, bool *out, assay_error *err)
{
    const char *text = NULL;
    TRY(params_text(p, name, &text, err));
    if (!text) return 0;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) FAIL(err, ASSAY_ERR_USAGE, "the parameter '%s' is 0 or 1, not '%.40s'", name, text);
    *out = *text == '1';
    return 0;
}

int params_number(struct params *p, const char *name, uint64_t most, uint64_t *out, assay_error *err)
{
    const char *text = NULL;
    uint64_t n;
    TRY(params_text(p, name, &text, err));
    if (!text) return 0;
    if (number_u64(slice_of(text), &n) != NUMBER_OK || n > most)
        FAIL(err, ASSAY_ERR_USAGE, "the parameter '%s' is a number up to %llu, not '%.40s'", name, (unsigned long long)most, text);
    *out = n;
    return 0;
}

int params_u32(struct params *p, const char *name, uint32_t *out, assay_error *err)
{
    uint64_t n = *out;
    TRY(params_number(p, name, UINT32_MAX, &n, err));
    *out = (uint32_t)n;
    return 0;
}

int params_double(struct params *p, const char *name, double least, double most, double *out, assay_error *err)
{
    const char *text = NULL;
    double d;
    TRY(params_text(p, name, &text, err));
    if (!text) return 0;
    if (number_double(slice_of(text), &d) != NUMBER_OK || !isfinite(d) || d < least || d > most)
        FAIL(err, ASSAY_ERR_USAGE, "the parameter '%s' is a number from %g to %g, not '%.40s'", name, least, most, text);
    *out = d;
    return 0;
}

int params_word(struct params *p, const char *name, const char *const *words, unsigned *out, assay_error *err)
{
    const char *text = NULL;
    TRY(params_text(p, name, &text, err));
    if (!text) return 0;
    for (unsigned i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return 0;
        }
    FAIL(err, ASSAY_ERR_USAGE, "the parameter '%s' cannot be '%.40s'", name, text);
}

int params_list(struct params *p, const char *name, struct param_list *out, assay_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < p->at.len; i++) n += strcmp(p->at.at[i].name, name) == 0;
    *out = (struct param_list){ NULL, n };
    if (!n) return 0;
    out->at = arena_alloc(&p->text, n * sizeof *out->at);
    if (!out->at) return error_memory(err);
    n = 0;
    for (size_t i = 0; i < p->at.len; i++)
        if (strcmp(p->at.at[i].name, name) == 0) {
            p->at.at[i].is_taken = true;
            out->at[n++] = p->at.at[i].value;
        }
    return 0;
}

int params_end(const struct params *p, assay_error *err)
{
    for (size_t i = 0; i < p->at.len; i++)
        if (!p->at.at[i].is_taken) FAIL(err, ASSAY_ERR_USAGE, "there is no parameter '%.40s' here", p->at.at[i].name);
    return 0;
}
