/* A message of layout 1.10 -> OTLP/JSON: names in camel case, 64-bit numbers as texts, ids as hexadecimal, nothing for what is 0. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "formats/otlp-profiles/write.h"

enum { DEPTH_MOST = 16 };

struct level {
    struct otlp_walk w;
    const struct otlp_field *list; /* the array that is open; NULL = none */
};

struct printing {
    struct otlp_decoder d;
    struct otlp_document doc;
    struct json j;
    struct level open[DEPTH_MOST];
    unsigned depth;
};

static void put_key(struct json *j, const char *snake)
{
    char name[64];
    size_t n = 0;
    for (const char *p = snake; *p && n + 1 < sizeof name; p++) {
        if (*p == '_') p++;
        name[n++] = (char)(p > snake && p[-1] == '_' ? *p - 'a' + 'A' : *p);
    }
    json_key_slice(j, (assay_slice){ name, n });
}

static void put_number(struct json *j, const struct otlp_field *f, uint64_t v)
{
    char text[48];
    double real;
    memcpy(&real, &v, sizeof real);
    bool is_finite = real - real >= 0; /* neither a NaN nor infinite */
    switch (f->type) {
    case OTLP_INT:
    case OTLP_STRING: json_i64(j, (int64_t)v); break;
    case OTLP_LONG: json_string(j, (assay_slice){ text, number_put_i64(text, (int64_t)v) }); break;
    case OTLP_ULONG:
    case OTLP_FIXED: json_string(j, (assay_slice){ text, number_put_u64(text, v) }); break;
    case OTLP_BOOL: json_bool(j, v != 0); break;
    default:
        if (is_finite)
            json_double(j, real);
        else
            json_text(j, real > 0 ? "Infinity" : real < 0 ? "-Infinity" : "NaN");
    }
}

static void put_hex(struct json *j, assay_slice s)
{
    static const char digits[] = "0123456789abcdef";
    char text[32];
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < sizeof text; i++) {
        text[n++] = digits[(unsigned char)s.data[i] >> 4];
        text[n++] = digits[(unsigned char)s.data[i] & 15];
    }
    json_string(j, (assay_slice){ text, n });
}

static void put_packed(struct printing *p, const struct otlp_item *i)
{
    struct cursor c = proto_message(&i->raw);
    bool is_fixed = i->field->type == OTLP_FIXED;
    uint64_t v;
    json_array(&p->j);
    while (is_fixed ? cursor_u64le(&c, &v) : proto_varint(&c, &v)) put_number(&p->j, i->field, v);
    json_end(&p->j);
}

static void put_field(struct printing *p, const struct otlp_item *i)
{
    struct level *l = &p->open[p->depth];
    const struct otlp_field *f = i->field;
    bool is_bytes = i->raw.wire == PROTO_BYTES, is_packed = is_bytes && f->type < OTLP_TEXT;
    const struct otlp_field *list = f->is_repeated && !is_packed ? f : NULL;
    if (l->list && l->list != list) json_end(&p->j);
    if (!list || l->list != list) put_key(&p->j, f->text);
    if (list && l->list != list) json_array(&p->j);
    l->list = list;
    if (is_packed) {
        put_packed(p, i);
    } else if (f->type == OTLP_SUB && p->depth + 1 < DEPTH_MOST) {
        json_object(&p->j);
        p->depth++;
        p->open[p->depth] = (struct level){ otlp_walk(&p->d, &p->doc, (enum otlp_message)f->sub, i->raw.bytes), NULL };
    } else if (f->type == OTLP_TEXT) {
        json_string(&p->j, i->raw.bytes);
    } else if (is_bytes) {
        put_hex(&p->j, i->raw.bytes);
    } else {
        put_number(&p->j, f, i->raw.value);
    }
}

int otlp_print_json(assay_slice message, struct mem *mem, struct output *out, assay_error *err)
{
    struct findings damage; /* there is none: it is our own message */
    struct printing p = { .doc = { .bytes = message, .layout = OTLP_1_10 } };
    struct otlp_item i;
    findings_init(&damage, mem);
    p.d = (struct otlp_decoder){ .mem = mem, .err = err, .damage = &damage, .begin = (const unsigned char *)message.data };
    otlp_numbers_of(&p.d.numbers[OTLP_1_10], OTLP_1_10);
    json_init_line(&p.j, out);
    json_object(&p.j);
    p.open[0] = (struct level){ otlp_walk(&p.d, &p.doc, OTLP_DATA, message), NULL };
    int rc = 0;
    for (uint64_t steps = 0; rc == 0; steps++) {
        rc = cancel_step(steps, err);
        if (otlp_next(&p.d, &p.open[p.depth].w, &i)) {
            if (i.field) put_field(&p, &i);
            continue;
        }
        if (p.open[p.depth].list) json_end(&p.j);
        json_end(&p.j);
        if (!p.depth) break;
        p.depth--;
    }
    findings_done(&damage);
    return rc;
}
