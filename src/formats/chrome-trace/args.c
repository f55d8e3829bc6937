/* Arguments of events: looked up, printed, and as labels; see chrome.h. */
#include "base/json.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/chrome-trace/chrome.h"

assay_slice chrome_token_text(const struct chrome_record *r, size_t i)
{
    return i < r->token_count ? (assay_slice){ r->token_text + r->tokens[i].at, r->tokens[i].len } : (assay_slice){ NULL, 0 };
}

static bool is_open(const struct chrome_token *t) { return t->kind == JSON_OBJECT || t->kind == JSON_ARRAY; }
static bool is_close(const struct chrome_token *t) { return t->kind == JSON_OBJECT_END || t->kind == JSON_ARRAY_END; }

size_t chrome_token_behind(const struct chrome_record *r, size_t i)
{
    if (i >= r->token_count || !is_open(&r->tokens[i])) return i + 1;
    unsigned depth = r->tokens[i].depth;
    for (i++; i < r->token_count; i++)
        if (is_close(&r->tokens[i]) && r->tokens[i].depth == depth) return i + 1;
    return i;
}

size_t chrome_token_find(const struct chrome_record *r, size_t i, const char *key)
{
    if (i >= r->token_count || r->tokens[i].kind != JSON_OBJECT) return r->token_count;
    unsigned depth = r->tokens[i].depth;
    for (i++; i < r->token_count && r->tokens[i].kind == JSON_KEY && r->tokens[i].depth == depth + 1; i = chrome_token_behind(r, i + 1))
        if (slice_is(chrome_token_text(r, i), key)) return i + 1 < r->token_count ? i + 1 : r->token_count;
    return r->token_count;
}

/* ---- as text ---- */

static void put_value(struct json *j, const struct chrome_record *r, size_t i)
{
    switch (r->tokens[i].kind) {
    case JSON_OBJECT: json_object(j); break;
    case JSON_ARRAY: json_array(j); break;
    case JSON_KEY: json_key_slice(j, chrome_token_text(r, i)); break;
    case JSON_STRING: json_string(j, r->tokens[i].len ? chrome_token_text(r, i) : SLICE("")); break;
    case JSON_NUMBER: json_number(j, chrome_token_text(r, i)); break;
    case JSON_TRUE: json_bool(j, true); break;
    case JSON_FALSE: json_bool(j, false); break;
    case JSON_NULL: json_null(j); break;
    default: json_end(j);
    }
}

/* What is nested deeper than the writer goes is left out: "null" stands for it. */
void chrome_token_put(const struct chrome_record *r, size_t i, struct output *out)
{
    struct json j;
    size_t end = chrome_token_behind(r, i);
    unsigned from = i < r->token_count ? r->tokens[i].depth : 0;
    json_init_line(&j, out);
    for (; i < end && i < r->token_count;) {
        bool is_deep = is_open(&r->tokens[i]) && r->tokens[i].depth - from + 1u >= JSON_DEPTH;
        if (is_deep)
            json_null(&j);
        else
            put_value(&j, r, i);
        i = is_deep ? chrome_token_behind(r, i) : i + 1;
    }
    while (j.depth) json_end(&j); /* args that are cut */
}

/* ---- labels ---- */

static assay_str_id build_text(assay_builder *b, assay_slice text) { return assay_build_string(b, text.data ? text.data : "", text.len); }

/* An object or array as the text of its JSON. */
static int nested_text(struct chrome *c, const struct chrome_record *r, size_t i, assay_str_id *out)
{
    struct output *text = NULL;
    TRY(output_open_memory(&text, c->mem, c->err));
    chrome_token_put(r, i, text);
    int rc = output_failed(text);
    if (rc == 0) *out = build_text(c->labels, slice_trim(output_memory(text)));
    output_abort(text);
    return rc == 0 ? 0 : error_memory(c->err);
}

/* false = null says nothing. */
static int label_of(struct chrome *c, const struct chrome_record *r, size_t i, struct assay_label *label, bool *is)
{
    assay_slice text = chrome_token_text(r, i);
    *is = true;
    switch (r->tokens[i].kind) {
    case JSON_STRING: label->text = build_text(c->labels, text); return 0;
    case JSON_NUMBER:
        label->kind = ASSAY_LABEL_INTEGER;
        if (number_i64(text, &label->number) == NUMBER_OK) return 0;
        label->kind = ASSAY_LABEL_DOUBLE;
        label->number = 0;
        number_double(text, &label->real);
        return 0;
    case JSON_TRUE:
    case JSON_FALSE:
        label->kind = ASSAY_LABEL_BOOLEAN;
        label->number = r->tokens[i].kind == JSON_TRUE;
        return 0;
    case JSON_OBJECT:
    case JSON_ARRAY: return nested_text(c, r, i, &label->text);
    default: *is = false; return 0;
    }
}

int chrome_label_set(struct chrome *c, const struct chrome_record *r, uint32_t *set)
{
    *set = 0;
    if (!c->labels || !r->token_count || r->tokens[0].kind != JSON_OBJECT) return 0;
    c->set.len = 0;
    for (size_t i = 1; i + 1 < r->token_count && r->tokens[i].kind == JSON_KEY; i = chrome_token_behind(r, i + 1)) {
        struct assay_label label = { .kind = ASSAY_LABEL_TEXT };
        bool is;
        TRY(label_of(c, r, i + 1, &label, &is));
        if (!is) continue;
        assay_slice key = chrome_token_text(r, i);
        c->key.len = 0;
        if (!vec_reserve(c->mem, &c->key, key.len + 5)) return error_memory(c->err);
        memcpy(c->key.at, "args.", 5);
        if (key.len) memcpy(c->key.at + 5, key.data, key.len);
        label.key = assay_build_string(c->labels, c->key.at, key.len + 5);
        assay_label_id *slot = vec_push(c->mem, &c->set);
        if (!slot) return error_memory(c->err);
        *slot = assay_build_label(c->labels, &label);
    }
    *set = assay_build_label_set(c->labels, c->set.at, (uint32_t)c->set.len).v;
    return assay_builder_failed(c->labels);
}
