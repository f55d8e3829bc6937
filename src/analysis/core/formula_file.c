/* Files of named formulas; see formula_file.h. */
#include "analysis/core/formula_file.h"

#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/output.h"
#include "base/scoped.h"
#include "base/slice.h"

enum { NESTED = 8, LONGEST = 64 << 10, FILE_LARGEST = 1 << 20 /* bytes */ };

/* ---- the file ---- */

static const struct formula_definition *find(const struct formula_file *f, assay_slice name)
{
    for (size_t i = 0; i < f->at.len; i++)
        if (slice_equal(f->at.at[i].name, name)) return &f->at.at[i];
    return NULL;
}

static int refuse(assay_error *err, uint64_t line, const char *what)
{
    return error_set(err, ASSAY_ERR_USAGE, "line %llu: %s", (unsigned long long)line, what);
}

static int add_line(struct formula_file *f, assay_slice line, uint64_t number, assay_error *err)
{
    line = slice_trim(line);
    if (!line.len || line.data[0] == '#') return 0;
    const char *equals = memchr(line.data, '=', line.len);
    if (!equals) return refuse(err, number, "expected NAME = FORMULA");
    struct formula_definition d = { slice_trim(slice_from(line.data, equals)), slice_trim(slice_from(equals + 1, line.data + line.len)) };
    if (!d.name.len || !d.text.len) return refuse(err, number, "expected NAME = FORMULA");
    for (size_t i = 0; i < d.name.len; i++)
        if (strchr(",'\"()", d.name.data[i])) return refuse(err, number, "a name has no quotes, commas or parentheses");
    if (find(f, d.name)) return refuse(err, number, "this name was defined before");
    struct formula_definition *to = vec_push(f->mem, &f->at);
    if (!to) return error_memory(err);
    *to = d;
    return 0;
}

int formula_file_init(struct formula_file *f, assay_slice text, struct mem *mem, assay_error *err)
{
    *f = (struct formula_file){ .mem = mem };
    const char *at = text.data, *end = text.data + text.len;
    for (uint64_t number = 1; text.len && at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        TRY(add_line(f, slice_from(at, stop ? stop : end), number, err));
        at = stop ? stop + 1 : end;
    }
    return 0;
}

void formula_file_done(struct formula_file *f)
{
    if (f->mem) vec_done(f->mem, &f->at);
}

/* ---- names in formulas ---- */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == ':' || c == '#';
}

/* The word or quoted name that text begins with, as it is written. */
static size_t token_len(assay_slice text)
{
    size_t len = 0;
    if (text.data[0] == '\'' || text.data[0] == '"') {
        const char *close = memchr(text.data + 1, text.data[0], text.len - 1);
        return close ? (size_t)(close - text.data) + 1 : text.len;
    }
    while (len < text.len && is_word(text.data[len])) len++;
    return len ? len : 1;
}

static assay_slice name_of(assay_slice token)
{
    bool is_quoted = token.len > 1 && (token.data[0] == '\'' || token.data[0] == '"');
    return is_quoted ? (assay_slice){ token.data + 1, token.len - 2 } : token;
}

/* `depth` is how many formulas this one stands in: a small number, whatever the file says. */
static int put_formula(const struct formula_file *f, assay_slice text, unsigned depth, struct output *out, assay_error *err)
{
    if (depth == NESTED)
        FAIL(err, ASSAY_ERR_USAGE, "a formula that refers to itself, or is nested too deeply: '%.*s'", (int)(text.len < 60 ? text.len : 60), text.data);
    while (text.len) {
        size_t len = token_len(text);
        assay_slice token = { text.data, len };
        const struct formula_definition *d = find(f, name_of(token));
        if (output_memory(out).len > LONGEST) FAIL(err, ASSAY_ERR_USAGE, "formulas of more than %d bytes", LONGEST);
        if (d) {
            output_char(out, '(');
            TRY(put_formula(f, d->text, depth + 1, out, err));
            output_char(out, ')');
        } else
            output_slice(out, token);
        text.data += len;
        text.len -= len;
    }
    return 0;
}

/* ---- what --metric says ---- */

static int put_part(const struct formula_file *f, assay_slice part, struct output *out, assay_error *err)
{
    const struct formula_definition *d = find(f, name_of(slice_trim(part)));
    const char *equals = part.len ? memchr(part.data, '=', part.len) : NULL;
    if (d) {
        output_slice(out, d->name);
        output_text(out, " = ");
        return put_formula(f, d->text, 1, out, err);
    }
    if (equals) output_slice(out, slice_from(part.data, equals + 1));
    return put_formula(f, equals ? slice_from(equals + 1, part.data + part.len) : part, 0, out, err);
}

/* Commas outside of quotes and parentheses separate the parts. */
static int put_parts(const struct formula_file *f, assay_slice spec, struct output *out, assay_error *err)
{
    size_t begin = 0;
    int depth = 0;
    for (size_t at = 0; at <= spec.len;) {
        char c = at < spec.len ? spec.data[at] : ',';
        bool is_end = at == spec.len || (c == ',' && depth <= 0);
        if (is_end) {
            TRY(put_part(f, (assay_slice){ spec.data + begin, at - begin }, out, err));
            if (at < spec.len) output_char(out, ',');
            begin = at + 1;
        }
        depth += (c == '(') - (c == ')');
        at += at < spec.len ? token_len((assay_slice){ spec.data + at, spec.len - at }) : 1;
    }
    return 0;
}

int formula_file_expand(const struct formula_file *f, const char *spec, struct arena *arena, const char **out, assay_error *err)
{
    struct output *text;
    TRY(output_open_memory(&text, f->mem, err));
    int rc = put_parts(f, slice_of(spec), text, err);
    *out = rc == 0 ? arena_copy(arena, output_memory(text)) : NULL;
    output_abort(text);
    return rc == 0 && !*out ? error_memory(err) : rc;
}

/* ---- the whole ---- */

int formula_file_apply(const char *path, struct mem *mem, struct arena *arena, const char **metric, assay_error *err)
{
    SCOPED(formula_file_done) struct formula_file f = { .mem = NULL };
    struct input *in = NULL;
    assay_slice text = { NULL, 0 };
    struct input_options o = { .mem = mem, .max_output = FILE_LARGEST };
    if (!*metric) FAIL(err, ASSAY_ERR_USAGE, "a file of formulas defines names for a metric, but no metric is chosen");
    int rc = input_open(&in, path, &o, err);
    if (rc == 0) rc = input_map(in, &text, err);
    if (rc == 0) rc = formula_file_init(&f, text, mem, err);
    if (rc == 0) rc = formula_file_expand(&f, *metric, arena, metric, err);
    input_close(in);
    if (rc != ASSAY_ERR_USAGE) return rc;
    assay_error cause = *err;
    FAIL(err, rc, "%.300s: %s", path, cause.text); /* what is wrong with an option has no path otherwise */
}
