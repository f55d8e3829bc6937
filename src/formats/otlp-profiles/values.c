/* Attributes: keys, units, and values of any kind as labels. */
#include <stdio.h>

#include "base/number.h"
#include "formats/otlp-profiles/tables.h"

assay_slice otlp_attribute_key(const struct otlp_tables *t, const struct otlp_attribute *a) { return a->key.len ? a->key : otlp_text(t, a->key_string); }

uint64_t otlp_unit_hash(uint32_t set, assay_slice key) { return hash_mix(hash_bytes(key.data, key.len), set); }

uint64_t otlp_attribute_unit(const struct otlp_tables *t, const struct otlp_attribute *a)
{
    if (a->unit || !t->sets.at[a->set].unit_count) return a->unit;
    assay_slice key = otlp_attribute_key(t, a);
    for (struct index_walk w = index_walk(&t->unit_index, otlp_unit_hash(a->set, key)); index_next(&t->unit_index, &w);)
        if (t->units.at[w.id - 1].set == a->set && slice_equal(otlp_text(t, t->units.at[w.id - 1].key), key)) return t->units.at[w.id - 1].unit;
    return 0;
}

static uint64_t string_of(const struct otlp_tables *t, uint32_t set, uint64_t index)
{
    uint32_t row = otlp_row(&t->sets.at[set], OTLP_T_STRINGS, (int64_t)index);
    return row == GROW_NO_ROW ? 0 : row;
}

/* ---- values that are no scalars: JSON ---- */

struct printing {
    struct otlp_tables *t;
    otlp_text_buffer *to;
    uint32_t set;
    bool failed;
};

static void put(struct printing *p, const char *text, size_t len)
{
    if (p->failed || !vec_reserve(p->t->mem, p->to, len)) {
        p->failed = true;
        return;
    }
    if (len) memcpy(p->to->at + p->to->len, text, len);
    p->to->len += len;
}

static void put_string(struct printing *p, assay_slice s)
{
    char escape[8];
    put(p, "\"", 1);
    for (size_t i = 0; i < s.len && !p->failed; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == '"' || c == '\\') put(p, "\\", 1);
        if (c < 0x20)
            put(p, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
        else
            put(p, (const char *)&c, 1);
    }
    put(p, "\"", 1);
}

static void put_hex(struct printing *p, assay_slice s)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < s.len && !p->failed; i++) {
        const char pair[2] = { digits[(unsigned char)s.data[i] >> 4], digits[(unsigned char)s.data[i] & 15] };
        put(p, pair, 2);
    }
}

static void put_scalar(struct printing *p, const struct otlp_item *i)
{
    char text[48];
    double v;
    memcpy(&v, &i->raw.value, sizeof v);
    switch (i->name) {
    case OTLP_STRING_VALUE: put_string(p, i->raw.bytes); break;
    case OTLP_STRING_INDEX_VALUE: put_string(p, otlp_text(p->t, string_of(p->t, p->set, i->raw.value))); break;
    case OTLP_BOOL_VALUE: put(p, i->raw.value ? "true" : "false", i->raw.value ? 4 : 5); break;
    case OTLP_INT_VALUE: put(p, text, number_put_i64(text, (int64_t)i->raw.value)); break;
    case OTLP_DOUBLE_VALUE: put(p, text, number_put_double(text, v)); break;
    case OTLP_BYTES_VALUE:
        put(p, "\"", 1);
        put_hex(p, i->raw.bytes);
        put(p, "\"", 1);
        break;
    default: break;
    }
}

enum { NESTED_MOST = 64 };

/* What is open: an array or list, and what stands in it. */
struct nested {
    struct otlp_walk w;
    bool has_items;
    char close;
};

/* A list of values or of keys with values, whatever is nested in it; deeper than NESTED_MOST is null. */
static void put_list(struct printing *p, const struct otlp_item *list)
{
    const struct otlp_document *doc = &p->t->d->documents.at[p->t->sets.at[p->set].document];
    struct nested open[NESTED_MOST];
    struct otlp_item i = *list, value;
    unsigned depth = 0;
    do {
        bool is_array = i.name == OTLP_ARRAY_VALUE;
        if (depth < NESTED_MOST) {
            open[depth++] = (struct nested){ otlp_walk(p->t->d, doc, is_array ? OTLP_ARRAY : OTLP_KEY_VALUES, i.raw.bytes), false, is_array ? ']' : '}' };
            put(p, is_array ? "[" : "{", 1);
        } else {
            put(p, "null", 4);
        }
        bool is_down = false;
        while (depth && !is_down && !p->failed) {
            struct nested *n = &open[depth - 1];
            if (!otlp_next(p->t->d, &n->w, &value)) {
                put(p, &n->close, 1);
                depth--;
                continue;
            }
            if (!value.field || value.raw.wire != PROTO_BYTES) continue;
            if (n->has_items) put(p, ",", 1);
            n->has_items = true;
            assay_slice any = value.raw.bytes;
            if (n->close == '}') {
                struct otlp_walk w = otlp_walk(p->t->d, doc, OTLP_KEY_VALUE, value.raw.bytes);
                assay_slice key = { "", 0 };
                any = (assay_slice){ NULL, 0 };
                for (struct otlp_item k; otlp_next(p->t->d, &w, &k);) {
                    if (k.name == OTLP_KEY) key = k.raw.bytes;
                    if (k.name == OTLP_KEY_STRING) key = otlp_text(p->t, string_of(p->t, p->set, k.raw.value));
                    if (k.name == OTLP_VALUE) any = k.raw.bytes;
                }
                put_string(p, key);
                put(p, ":", 1);
            }
            struct otlp_walk w = otlp_walk(p->t->d, doc, OTLP_ANY_VALUE, any);
            if (!otlp_next(p->t->d, &w, &value))
                put(p, "null", 4);
            else if (value.name == OTLP_ARRAY_VALUE || value.name == OTLP_LIST_VALUE)
                i = value, is_down = true;
            else
                put_scalar(p, &value);
        }
    } while (depth && !p->failed);
}

/* ---- one value ---- */

bool otlp_value(struct otlp_tables *t, uint32_t set, assay_slice bytes, otlp_text_buffer *scratch, struct otlp_value *out)
{
    struct otlp_walk w = otlp_walk(t->d, &t->d->documents.at[t->sets.at[set].document], OTLP_ANY_VALUE, bytes);
    struct printing p = { .t = t, .to = scratch, .set = set };
    struct otlp_item i;
    bool was_quiet = t->d->is_quiet;
    t->d->is_quiet = true; /* it may be looked at often; check names damage */
    *out = (struct otlp_value){ .kind = ASSAY_LABEL_TEXT, .text = { "", 0 } };
    scratch->len = 0;
    while (otlp_next(t->d, &w, &i)) {
        out->kind = i.name == OTLP_INT_VALUE      ? ASSAY_LABEL_INTEGER
                    : i.name == OTLP_DOUBLE_VALUE ? ASSAY_LABEL_DOUBLE
                    : i.name == OTLP_BOOL_VALUE   ? ASSAY_LABEL_BOOLEAN
                                                  : ASSAY_LABEL_TEXT;
        if (i.name == OTLP_INT_VALUE) out->number = (int64_t)i.raw.value;
        if (i.name == OTLP_BOOL_VALUE) out->number = i.raw.value != 0;
        if (i.name == OTLP_DOUBLE_VALUE) memcpy(&out->real, &i.raw.value, sizeof out->real);
        if (i.name == OTLP_STRING_VALUE) out->text = i.raw.bytes;
        if (i.name == OTLP_STRING_INDEX_VALUE) out->text = otlp_text(t, string_of(t, set, i.raw.value));
        if (i.name != OTLP_ARRAY_VALUE && i.name != OTLP_LIST_VALUE && i.name != OTLP_BYTES_VALUE) continue;
        scratch->len = 0;
        if (i.name == OTLP_BYTES_VALUE)
            put_hex(&p, i.raw.bytes);
        else
            put_list(&p, &i);
        out->text = (assay_slice){ scratch->at ? scratch->at : "", scratch->len };
    }
    t->d->is_quiet = was_quiet;
    if (out->kind != ASSAY_LABEL_TEXT) out->text = (assay_slice){ "", 0 };
    if (out->kind != ASSAY_LABEL_INTEGER && out->kind != ASSAY_LABEL_BOOLEAN) out->number = 0;
    if (out->kind != ASSAY_LABEL_DOUBLE) out->real = 0;
    return !p.failed;
}

bool otlp_next_key_value(struct otlp_tables *t, uint32_t document, uint32_t set, struct otlp_walk *w, assay_slice *key, assay_slice *value)
{
    struct otlp_item i, k;
    while (otlp_next(t->d, w, &i)) {
        if (i.name != OTLP_KEY_VALUES_OF) continue;
        struct otlp_walk inner = otlp_walk(t->d, &t->d->documents.at[document], OTLP_KEY_VALUE, i.raw.bytes);
        *key = *value = (assay_slice){ "", 0 };
        while (otlp_next(t->d, &inner, &k)) {
            if (k.name == OTLP_KEY) *key = k.raw.bytes;
            if (k.name == OTLP_KEY_STRING && !key->len) *key = otlp_text(t, string_of(t, set, k.raw.value));
            if (k.name == OTLP_VALUE) *value = k.raw.bytes;
        }
        return true;
    }
    return false;
}
