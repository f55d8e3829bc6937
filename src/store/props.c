/* Properties of builds; see props.h. They are stored as the members of an object without its braces, and read as JSON once these are put around them. */
#include "store/props.h"

#include "base/findings.h"
#include "base/input.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/output.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "base/text.h"
#include "store/json_tree.h"

void props_init(struct props *p, struct mem *mem)
{
    *p = (struct props){ .mem = mem };
    arena_init(&p->text, mem);
}

void props_done(struct props *p)
{
    vec_done(p->mem, &p->at);
    arena_done(&p->text);
}

static int set(struct props *p, struct prop value, assay_error *err)
{
    struct prop *at = NULL;
    for (size_t i = 0; !at && i < p->at.len; i++)
        if (slice_equal(p->at.at[i].name, value.name)) at = &p->at.at[i];
    if (!at && !(at = vec_push(p->mem, &p->at))) return error_memory(err);
    *at = value;
    return 0;
}

static int copy(struct props *p, assay_slice from, assay_slice *to, assay_error *err)
{
    const char *text = arena_copy(&p->text, from);
    if (!text) return error_memory(err);
    *to = (assay_slice){ text, from.len };
    return 0;
}

/* ---- as stored ---- */

static int read_members(struct props *p, struct json_reader *r, assay_error *err)
{
    struct json_event e;
    TRY(json_read_next(r, &e));
    for (;;) {
        struct prop value = { 0 };
        TRY(json_read_next(r, &e));
        if (e.kind != JSON_KEY) return 0;
        TRY(copy(p, e.text, &value.name, err));
        TRY(json_read_next(r, &e));
        switch (e.kind) {
        case JSON_STRING: TRY(copy(p, e.text, &value.text, err)); break;
        case JSON_TRUE:
        case JSON_FALSE: value.kind = PROP_BOOL, value.number = e.kind == JSON_TRUE; break;
        case JSON_NUMBER:
            value.kind = PROP_NUMBER;
            if (number_i64(e.text, &value.number) == NUMBER_BAD) return 0;
            break;
        default: return 0;
        }
        TRY(set(p, value, err));
    }
}

int props_parse(struct props *p, assay_slice propset, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct input_options options = { .mem = p->mem };
    if (!propset.len) return 0;
    char *text = arena_text(&p->text, propset.len + 2);
    if (!text) return error_memory(err);
    text[0] = '{';
    memcpy(text + 1, propset.data, propset.len);
    text[propset.len + 1] = '}';
    TRY(input_open_memory(&in, text, propset.len + 2, "properties", &options, err));
    SCOPED(findings_done) struct findings damage;
    SCOPED(json_read_done) struct json_reader r;
    findings_init(&damage, p->mem);
    json_read_init(&r, in, p->mem, &damage, err);
    return read_members(p, &r, err);
}

assay_slice props_text(struct props *p)
{
    struct output *out;
    assay_slice none = { NULL, 0 };
    if (output_open_memory(&out, p->mem, NULL) != 0) return none;
    for (size_t i = 0; i < p->at.len; i++) {
        const struct prop *at = &p->at.at[i];
        if (i) output_char(out, ',');
        json_tree_string(out, at->name);
        output_char(out, ':');
        if (at->kind == PROP_TEXT)
            json_tree_string(out, at->text);
        else if (at->kind == PROP_BOOL)
            output_text(out, at->number ? "true" : "false");
        else
            output_i64(out, at->number);
    }
    assay_slice made = output_memory(out);
    const char *text = output_failed(out) ? NULL : arena_copy(&p->text, made);
    assay_slice result = text ? (assay_slice){ text, made.len } : none;
    output_abort(out);
    return result;
}

/* ---- as typed ---- */

static struct prop typed_value(assay_slice s)
{
    struct prop value = { .kind = PROP_TEXT, .text = s };
    bool is_quoted = s.len >= 2 && (s.data[0] == '"' || s.data[0] == '\'') && s.data[s.len - 1] == s.data[0];
    if (is_quoted)
        value.text = (assay_slice){ s.data + 1, s.len - 2 };
    else if (slice_is(s, "true") || slice_is(s, "on"))
        value.kind = PROP_BOOL, value.number = 1;
    else if (slice_is(s, "false") || slice_is(s, "off"))
        value.kind = PROP_BOOL, value.number = 0;
    else if (number_i64(s, &value.number) == NUMBER_OK)
        value.kind = PROP_NUMBER;
    return value;
}

int props_add(struct props *p, const char *typed, assay_error *err)
{
    assay_slice all = { 0 };
    TRY(copy(p, slice_of(typed), &all, err));
    const char *equals = memchr(all.data, '=', all.len);
    struct prop value = equals ? typed_value(slice_trim(slice_from(equals + 1, all.data + all.len))) : (struct prop){ .text = SLICE("") };
    value.name = slice_trim(slice_from(all.data, equals ? equals : all.data + all.len));
    if (!value.name.len) FAIL(err, ASSAY_ERR_USAGE, "a property needs a name: NAME=VALUE, not '%s'", typed);
    return set(p, value, err);
}

/* ---- asking ---- */

static int by_name(const void *a, const void *b) { return slice_compare(((const struct prop *)a)->name, ((const struct prop *)b)->name); }

void props_sort(struct props *p)
{
    if (p->at.len) sort_by(p->at.at, p->at.len, sizeof *p->at.at, by_name);
}

static bool is_equal(const struct prop *a, const struct prop *b)
{
    if (!slice_equal(a->name, b->name) || a->kind != b->kind) return false;
    return a->kind == PROP_TEXT ? slice_equal(a->text, b->text) : a->number == b->number;
}

bool props_have(const struct props *p, const struct props *wanted)
{
    for (size_t i = 0; i < wanted->at.len; i++) {
        bool found = false;
        for (size_t k = 0; k < p->at.len; k++) found = found || is_equal(&p->at.at[k], &wanted->at.at[i]);
        if (!found) return false;
    }
    return true;
}

int props_same(assay_slice a, assay_slice b, struct mem *mem, bool *out, assay_error *err)
{
    *out = slice_equal(a, b);
    if (*out) return 0;
    SCOPED(props_done) struct props x, y;
    props_init(&x, mem);
    props_init(&y, mem);
    TRY(props_parse(&x, a, err));
    TRY(props_parse(&y, b, err));
    *out = x.at.len == y.at.len && props_have(&x, &y);
    return 0;
}
