/* OTLP/JSON -> messages in memory whose fields are numbered by enum otlp_name. proto3's JSON with the exceptions of OTLP: ids are hexadecimal, and keys that
 * nobody knows are skipped. Names tell the layout. Places of messages and strings are kept, so that findings name the place in the text. */
#include "base/arena.h"
#include "base/cancel.h"
#include "base/index.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/otlp-profiles/decode.h"

struct level {
    const struct otlp_field *field; /* of the value that comes next; NULL = none */
    size_t begin;                   /* of its bytes; 0 = it has none of its own: an array of messages */
    uint8_t message;
    bool is_array;
};

struct taking {
    struct otlp_decoder *d;
    struct json_reader r;
    struct arena text;
    struct index names;
    VEC(assay_slice) spelled; /* by row */
    uint64_t base;            /* offset of the document */
    struct level level[JSON_READ_DEPTH + 1];
    unsigned depth;
    bool seen[OTLP_1_9]; /* by layout: a name that only it has */
    bool has_snake;
};

/* ---- names ---- */

static uint64_t hash_name(unsigned message, assay_slice name) { return hash_mix(hash_bytes(name.data, name.len), message + 1); }

static assay_slice camel(struct arena *to, const char *snake)
{
    char buf[64];
    size_t n = 0;
    for (const char *p = snake; *p && n < sizeof buf; p++) {
        if (*p == '_') p++;
        buf[n++] = (char)(p > snake && p[-1] == '_' ? *p - 'a' + 'A' : *p);
    }
    return (assay_slice){ arena_copy(to, (assay_slice){ buf, n }), n };
}

static int list_names(struct taking *t)
{
    if (!vec_reserve(t->d->mem, &t->spelled, otlp_field_count)) return error_memory(t->d->err);
    for (size_t i = 0; i < otlp_field_count; i++) {
        const struct otlp_field *f = &otlp_fields[i];
        assay_slice name = camel(&t->text, f->text);
        t->spelled.at[t->spelled.len++] = name;
        if (!name.data || (!f->is_binary && !index_add(&t->names, hash_name(f->message, name), (uint32_t)i + 1))) return error_memory(t->d->err);
    }
    return 0;
}

static const struct otlp_field *field_of(struct taking *t, unsigned message, assay_slice name)
{
    for (struct index_walk w = index_walk(&t->names, hash_name(message, name)); index_next(&t->names, &w);)
        if (otlp_fields[w.id - 1].message == message && slice_equal(t->spelled.at[w.id - 1], name)) return &otlp_fields[w.id - 1];
    for (size_t i = 0; memchr(name.data ? name.data : "", '_', name.len) && i < otlp_field_count; i++) {
        const struct otlp_field *f = &otlp_fields[i];
        if (f->message != message || f->is_binary || !slice_is(name, f->text)) continue;
        t->has_snake = true;
        return f;
    }
    return NULL;
}

/* What only one layout has; of several the oldest counts. */
static void look_at_name(struct taking *t, const struct otlp_field *f, bool is_array)
{
    if (f->message == OTLP_PROFILE && f->name == OTLP_INNER_PROFILE) t->seen[OTLP_1_3] = true;
    if (f->name == OTLP_STRINGS && f->message == OTLP_PROFILE) t->seen[OTLP_1_4] = true;
    if (f->name == OTLP_STRINGS && f->message == OTLP_DATA) t->seen[OTLP_1_6] = true;
    if (f->message == OTLP_SAMPLE && (f->name == OTLP_START_INDEX || f->name == OTLP_LENGTH)) t->seen[OTLP_1_7] = true;
    if (f->message == OTLP_DICTIONARY && f->name == OTLP_UNITS) t->seen[OTLP_1_7] = true;
    if (f->name == OTLP_SAMPLE_TYPE && is_array) t->seen[OTLP_1_7] = true;
    if ((f->name == OTLP_SAMPLES || f->name == OTLP_LINES) && is_array && !slice_ends(slice_of(f->text), "s")) t->seen[OTLP_1_8] = true;
}

/* ---- values ---- */

static void refuse(struct taking *t, const struct json_event *e, const char *rule, const struct otlp_field *f, const char *what)
{
    findings_add(t->d->damage, rule, ASSAY_ERROR, t->base + e->off, 0, "%s: %s", f->text, what);
}

static bool add_place(struct taking *t, const struct json_event *e)
{
    struct otlp_place *p = vec_push(t->d->mem, &t->d->places);
    if (p) *p = (struct otlp_place){ t->d->json.bytes.len, t->base + e->off };
    return p != NULL;
}

/* Whole numbers may be written as texts, with a fraction of 0, or with an exponent. */
static bool whole(const struct otlp_field *f, assay_slice text, uint64_t *out)
{
    int64_t i;
    double v;
    bool has_sign = f->type != OTLP_ULONG && f->type != OTLP_FIXED;
    if (has_sign && number_i64(text, &i) == NUMBER_OK) {
        *out = (uint64_t)i;
        return f->type == OTLP_LONG || (i >= INT32_MIN && i <= (int64_t)UINT32_MAX);
    }
    if (!has_sign && number_u64(text, out) == NUMBER_OK) return true;
    if (number_double(text, &v) != NUMBER_OK || !(v > -9.2e18 && v < 9.2e18)) return false;
    i = (int64_t)v;
    *out = (uint64_t)i;
    bool is_whole = (double)i >= v && (double)i <= v;
    return is_whole && (has_sign || i >= 0) && (f->type != OTLP_INT || (i >= INT32_MIN && i <= (int64_t)UINT32_MAX));
}

static bool real(const struct json_event *e, uint64_t *bits)
{
    double v = 0;
    bool done = number_double(e->text, &v) == NUMBER_OK;
    if (slice_is(e->text, "NaN") || slice_is(e->text, "Infinity") || slice_is(e->text, "-Infinity")) {
        v = slice_is(e->text, "NaN") ? __builtin_nan("") : slice_starts(e->text, "-") ? -__builtin_inf() : __builtin_inf();
        done = true;
    }
    memcpy(bits, &v, sizeof v);
    return done;
}

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : slice_lower(c) >= 'a' && slice_lower(c) <= 'f' ? slice_lower(c) - 'a' + 10 : -1; }

/* false = these are no digits. */
static bool put_hex(struct proto_buffer *b, uint32_t field, assay_slice text)
{
    unsigned char bytes[16];
    if (text.len % 2 || text.len / 2 > sizeof bytes) return false;
    for (size_t i = 0; i < text.len; i += 2) {
        int high = hex_digit(text.data[i]), low = hex_digit(text.data[i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i / 2] = (unsigned char)(high << 4 | low);
    }
    proto_put_bytes(b, field, bytes, text.len / 2);
    return true;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* Both alphabets, with padding or without. */
static bool put_base64(struct proto_buffer *b, uint32_t field, assay_slice text)
{
    uint32_t bits = 0, count = 0;
    size_t begin = proto_put_begin(b, field);
    bool done = true;
    while (text.len && text.data[text.len - 1] == '=') text.len--;
    if (!vec_reserve(b->mem, &b->bytes, text.len)) b->failed = true;
    for (size_t i = 0; i < text.len && done && !b->failed; i++) {
        int digit = base64_digit(text.data[i]);
        done = digit >= 0;
        bits = bits << 6 | (uint32_t)(digit & 63);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        b->bytes.at[b->bytes.len++] = (unsigned char)(bits >> count);
    }
    proto_put_end(b, begin);
    return done && text.len % 4 != 1;
}

static void put_bytes(struct taking *t, const struct otlp_field *f, const struct json_event *e)
{
    struct proto_buffer *b = &t->d->json;
    size_t digits = f->name == OTLP_TRACE_ID ? 32 : 16;
    if (e->kind != JSON_STRING)
        refuse(t, e, "OT17", f, "expected a string");
    else if (f->type == OTLP_TEXT)
        proto_put_bytes(b, f->name, e->text.data, e->text.len);
    else if (f->type == OTLP_HEX && e->text.len && (e->text.len != digits || !put_hex(b, f->name, e->text)))
        findings_add(t->d->damage, "OT16", ASSAY_ERROR, t->base + e->off, 0, "%s is not %zu hexadecimal digits", f->text, digits);
    else if (f->type == OTLP_BYTES && !(f->name == OTLP_PROFILE_ID && e->text.len == 32 && put_hex(b, f->name, e->text)) && !put_base64(b, f->name, e->text))
        refuse(t, e, "OT16", f, "is not base64");
}

static void put_number(struct taking *t, const struct otlp_field *f, const struct json_event *e, bool is_element)
{
    struct proto_buffer *b = &t->d->json;
    /* in memory the type is that of the first spelling */
    uint8_t row = t->d->numbers[OTLP_NAMES].row[f->message][f->name], type = otlp_fields[row - 1].type;
    uint64_t v = 0;
    bool is_text = e->kind == JSON_STRING || e->kind == JSON_NUMBER, is_word = e->kind == JSON_TRUE || e->kind == JSON_FALSE;
    bool done = f->type == OTLP_BOOL ? is_word : f->type == OTLP_DOUBLE ? is_text && real(e, &v) : is_text && whole(f, e->text, &v);
    if (is_word) v = e->kind == JSON_TRUE;
    if (!done)
        refuse(t, e, "OT17", f,
               f->type == OTLP_BOOL     ? "expected true or false"
               : f->type == OTLP_DOUBLE ? "expected a number"
                                        : "expected a whole number that fits");
    bool is_fixed = type == OTLP_FIXED || type == OTLP_DOUBLE;
    if (!done) v = 0; /* of a list each element counts */
    if (is_element)
        (is_fixed ? proto_put_element64 : proto_put_element)(b, v);
    else if (done)
        (is_fixed ? proto_put_fixed64 : proto_put_present)(b, f->name, v);
}

/* ---- structure ---- */

static bool is_number(const struct otlp_field *f) { return f->type <= OTLP_BOOL; }

static void open_level(struct taking *t, const struct otlp_field *f, bool is_array)
{
    struct level *l = &t->level[++t->depth];
    bool has_bytes = !is_array || is_number(f);
    *l = (struct level){ .field = is_array ? f : NULL, .message = is_array ? f->message : f->sub, .is_array = is_array };
    if (has_bytes) l->begin = proto_put_begin(&t->d->json, f->name);
}

static int take_value(struct taking *t, struct json_event *e)
{
    struct level *l = &t->level[t->depth];
    const struct otlp_field *f = l->field;
    bool is_object = e->kind == JSON_OBJECT, is_array = e->kind == JSON_ARRAY;
    if (f && e->kind != JSON_NULL) look_at_name(t, f, is_array || l->is_array);
    bool fits =
        !f || e->kind == JSON_NULL || (is_object && f->type == OTLP_SUB) || (is_array && !l->is_array) || (!is_object && !is_array && f->type != OTLP_SUB);
    if (!fits) refuse(t, e, "OT17", f, is_array ? "an array in an array" : f->type == OTLP_SUB ? "expected an object" : "expected a plain value");
    if (!f || !fits || t->depth >= JSON_READ_DEPTH) return json_read_skip(&t->r, e);
    if (is_object || f->type == OTLP_TEXT)
        if (!add_place(t, e)) return error_memory(t->d->err);
    if (is_object || is_array)
        open_level(t, f, is_array);
    else if (e->kind != JSON_NULL && is_number(f))
        put_number(t, f, e, l->is_array);
    else if (e->kind != JSON_NULL)
        put_bytes(t, f, e);
    return 0;
}

static int take_event(struct taking *t, struct json_event *e)
{
    struct level *l = &t->level[t->depth];
    switch (e->kind) {
    case JSON_KEY:
        l->field = field_of(t, l->message, e->text);
        t->d->unknown += !l->field;
        return 0;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        if (l->begin) proto_put_end(&t->d->json, l->begin);
        if (t->depth) t->depth--;
        return 0;
    default: return take_value(t, e);
    }
}

/* One document; *end is behind it. */
static int take_document(struct taking *t, assay_slice text, size_t *end)
{
    struct otlp_decoder *d = t->d;
    struct json_event e = { .kind = JSON_NULL };
    uint64_t steps = 0;
    *end = text.len;
    TRY(json_read_next(&t->r, &e));
    if (e.kind != JSON_OBJECT) return 0;
    t->depth = 0;
    t->level[0] = (struct level){ .message = OTLP_DATA };
    memset(t->seen, 0, sizeof t->seen);
    struct otlp_document *doc = vec_push(d->mem, &d->documents);
    if (!doc) return error_memory(d->err);
    *doc = (struct otlp_document){ .begin = d->json.bytes.len };
    for (;;) {
        TRY(cancel_step(steps++, d->err));
        TRY(json_read_next(&t->r, &e));
        bool is_last = e.kind == JSON_END || (e.kind == JSON_OBJECT_END && !t->depth);
        if (e.kind == JSON_OBJECT_END && !t->depth) *end = (size_t)e.off + 1;
        if (is_last) break;
        TRY(take_event(t, &e));
        if (d->json.failed || d->damage->failed) return error_memory(d->err);
    }
    while (t->depth) { /* cut: what was open ends here */
        if (t->level[t->depth].begin) proto_put_end(&d->json, t->level[t->depth].begin);
        t->depth--;
    }
    doc = &d->documents.at[d->documents.len - 1];
    doc->bytes.len = d->json.bytes.len - (size_t)doc->begin;
    doc->layout = OTLP_1_10;
    for (unsigned i = OTLP_1_9; i-- > 0;)
        if (t->seen[i]) doc->layout = (enum otlp_layout)i;
    return d->json.failed ? error_memory(d->err) : 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Damage of a document behind others: its place is that in the file. */
static void place_damage(struct findings *damage, size_t before, assay_slice all, size_t base)
{
    uint64_t lines = 0;
    if (before == damage->list.len) return;
    for (size_t i = 0; i < base; i++) lines += all.data[i] == '\n';
    for (size_t i = before; i < damage->list.len; i++) {
        assay_finding *f = &damage->list.at[i];
        if (strncmp(f->rule, "J-", 2) != 0) continue;
        f->offset += base;
        if (f->line) f->line += lines;
    }
}

static int take_documents(struct taking *t, assay_slice all)
{
    struct otlp_decoder *d = t->d;
    struct input_options options = { .mem = d->mem };
    for (size_t at = 0, end = 0; at < all.len; at += end) {
        assay_slice rest = { all.data + at, all.len - at };
        struct input *in = NULL;
        while (rest.len && is_blank(rest.data[0])) rest = (assay_slice){ rest.data + 1, rest.len - 1 };
        if (!rest.len) break;
        at = all.len - rest.len;
        TRY(input_open_memory(&in, rest.data, rest.len, "", &options, d->err));
        json_read_init(&t->r, in, d->mem, d->damage, d->err);
        t->base = at;
        size_t before = d->damage->list.len;
        int rc = take_document(t, rest, &end);
        place_damage(d->damage, before, all, at);
        json_read_done(&t->r);
        input_close(in);
        TRY(rc);
    }
    return 0;
}

int otlp_json_take(struct otlp_decoder *d, assay_slice all)
{
    struct taking t = { .d = d };
    d->form = OTLP_JSON;
    arena_init(&t.text, d->mem);
    index_init(&t.names, d->mem);
    int rc = list_names(&t);
    if (rc == 0) rc = take_documents(&t, all);
    arena_done(&t.text);
    index_done(&t.names);
    vec_done(d->mem, &t.spelled);
    if (d->documents.len > 1) d->form = OTLP_JSON_LINES;
    for (size_t i = 0; i < d->documents.len; i++)
        d->documents.at[i].bytes.data = (const char *)(d->json.bytes.at ? d->json.bytes.at : (const unsigned char *)"") + d->documents.at[i].begin;
    if (t.has_snake)
        findings_add(d->damage, "OT17", ASSAY_INFO, FINDING_NO_OFFSET, 0,
                     "keys are spelled as in the .proto (snake case), which readers of OTLP need not accept");
    return rc;
}
