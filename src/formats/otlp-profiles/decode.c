/* See decode.h. */
#include "formats/otlp-profiles/decode.h"

#include "base/cancel.h"
#include "base/text.h"

/* ---- documents ---- */

static int add_document(struct otlp_decoder *d, assay_slice bytes)
{
    struct otlp_document *doc = vec_push(d->mem, &d->documents);
    if (!doc) return error_memory(d->err);
    *doc = (struct otlp_document){ .bytes = bytes };
    doc->layout = otlp_layout_of(bytes, &doc->is_guess);
    return 0;
}

/* Messages behind lengths of four bytes, as the collector's file exporter writes them. A message of profiles never begins with 0. */
static int take_framed(struct otlp_decoder *d, assay_slice all)
{
    struct cursor c = cursor_of(all.data, all.len);
    uint32_t len;
    assay_slice bytes;
    d->form = OTLP_FRAMED;
    while (cursor_left(&c)) {
        const unsigned char *at = c.at;
        TRY(cancel_step(d->documents.len, d->err));
        bool is_cut = !cursor_u32be(&c, &len) || len > cursor_left(&c);
        if (is_cut)
            findings_add(d->damage, "OT01", ASSAY_ERROR, otlp_off(d, at), 0, "a message of %u bytes begins here, but the file has %zu more", len,
                         cursor_left(&c));
        cursor_bytes(&c, is_cut ? cursor_left(&c) : len, &bytes);
        if (bytes.len) TRY(add_document(d, bytes));
    }
    return 0;
}

static void use_layout(struct otlp_decoder *d, unsigned layout)
{
    for (size_t k = 0; layout && d->form < OTLP_JSON && k < d->documents.len; k++) {
        d->documents.at[k].layout = (enum otlp_layout)(layout - 1);
        d->documents.at[k].is_guess = false;
    }
}

static int take_documents(struct otlp_decoder *d, assay_slice all)
{
    assay_slice text = all;
    if (slice_starts(text, "\xef\xbb\xbf")) text = (assay_slice){ text.data + 3, text.len - 3 };
    while (text.len && memchr(" \t\r\n", text.data[0], 4)) text = (assay_slice){ text.data + 1, text.len - 1 };
    if (text.len && text.data[0] == '{') return otlp_json_take(d, all);
    return all.len && !all.data[0] ? take_framed(d, all) : add_document(d, all);
}

int otlp_open(struct otlp_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err)
{
    const struct otlp_options *own = job->own;
    assay_slice bytes = { NULL, 0 };
    assay_error cause = { 0 };
    *d = (struct otlp_decoder){ .mem = job->mem, .damage = damage, .err = err, .json = { .mem = job->mem } };
    int rc = input_map(job->in, &bytes, &cause);
    bool is_damaged = rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED;
    if (rc && !is_damaged) {
        *err = cause;
        return rc;
    }
    if (rc) findings_add(damage, rc == ASSAY_ERR_TRUNCATED ? "Z-1" : "Z-2", ASSAY_ERROR, cause.offset, 0, "%s", cause.text);
    d->begin = (const unsigned char *)bytes.data;
    for (unsigned i = 0; i < OTLP_LAYOUTS; i++) otlp_numbers_of(&d->numbers[i], (enum otlp_layout)i);
    TRY(take_documents(d, bytes));
    use_layout(d, own ? own->layout : 0);
    for (size_t i = 0; i < d->documents.len; i++) {
        const struct otlp_document *doc = &d->documents.at[i];
        if (doc->is_guess)
            findings_add(damage, "OT02", ASSAY_WARNING, d->form >= OTLP_JSON ? 0 : otlp_off(d, (const unsigned char *)doc->bytes.data), 0,
                         "nothing tells layout 1.9 from 1.10: read as %s; -O layout=1.9 reads it otherwise", otlp_version(doc));
    }
    return damage->failed ? error_memory(err) : 0;
}

void otlp_done(struct otlp_decoder *d)
{
    if (!d->mem) return;
    vec_done(d->mem, &d->documents, &d->places, &d->values, &d->times, &d->attributes, &d->indices);
    proto_buffer_done(&d->json);
}

/* ---- fields ---- */

uint64_t otlp_off(const struct otlp_decoder *d, const unsigned char *key)
{
    if (d->form < OTLP_JSON) return (uint64_t)(key - d->begin);
    uint64_t at = (uint64_t)(key - d->json.bytes.at);
    size_t low = 0, high = d->places.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->places.at[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? d->places.at[low - 1].off : 0;
}

struct otlp_walk otlp_walk(const struct otlp_decoder *d, const struct otlp_document *doc, enum otlp_message m, assay_slice bytes)
{
    bool is_json = d->form >= OTLP_JSON;
    const struct otlp_numbers *n = &d->numbers[is_json ? OTLP_NAMES : doc->layout];
    return (struct otlp_walk){ cursor_of(bytes.data, bytes.len), n->row[m], n->wires[m], (uint8_t)m };
}

static void add_damage(struct otlp_decoder *d, const struct otlp_walk *w, const char *what)
{
    if (!d->is_quiet) findings_add(d->damage, "OT01", ASSAY_ERROR, otlp_off(d, w->at.at), 0, "%s: %s", otlp_message_name((enum otlp_message)w->message), what);
}

/* A message or text that is longer than what is left: that much of it. */
static bool take_cut(struct otlp_walk *w, struct otlp_item *item)
{
    struct cursor c = w->at;
    struct proto_field *f = &item->raw;
    uint64_t key, len;
    f->at = c.at;
    if (!proto_varint(&c, &key) || (key & 7) != PROTO_BYTES || !proto_varint(&c, &len) || key >> 3 == 0 || key >> 3 >= OTLP_NAMES_COUNT) return false;
    const uint8_t row = w->row[key >> 3];
    if (!row || otlp_fields[row - 1].type != OTLP_SUB) return false;
    f->number = (uint32_t)(key >> 3);
    f->wire = PROTO_BYTES;
    w->at = c;
    return cursor_bytes(&w->at, cursor_left(&c), &f->bytes);
}

bool otlp_next_odd(struct otlp_decoder *d, struct otlp_walk *w, struct otlp_item *item, enum proto_status status)
{
    for (;; status = proto_next(&w->at, &item->raw)) {
        if (status == PROTO_END) return false;
        if (status == PROTO_DAMAGED) {
            add_damage(d, w, "a field runs past the end, or is none");
            if (!take_cut(w, item)) return false;
        }
        uint8_t row = item->raw.number < OTLP_NAMES_COUNT ? w->row[item->raw.number] : 0;
        item->field = row ? &otlp_fields[row - 1] : NULL;
        item->name = row ? item->field->name : OTLP_UNKNOWN;
        d->unknown += !row && !d->is_quiet;
        if (!row || w->wires[item->raw.number] >> item->raw.wire & 1) return true;
        if (!d->is_quiet)
            findings_add(d->damage, "OT02", ASSAY_WARNING, otlp_off(d, item->raw.at), 0, "%s of %s is not encoded as in this layout: left out",
                         item->field->text, otlp_message_name((enum otlp_message)w->message));
        if (d->damage->failed) return false;
    }
}

bool otlp_numbers_add(struct otlp_decoder *d, const struct otlp_item *item, void *to)
{
    VEC(uint64_t) *list = to; /* or of int64_t */
    struct cursor c = proto_message(&item->raw);
    bool is_fixed = item->field->type == OTLP_FIXED;
    uint64_t v;
    if (item->raw.wire != PROTO_BYTES) {
        uint64_t *slot = vec_push(d->mem, list);
        if (slot) *slot = item->raw.value;
        return slot || error_memory(d->err) == 0;
    }
    /* every number has a byte at least */
    if (!vec_reserve(d->mem, list, is_fixed ? cursor_left(&c) / 8 : cursor_left(&c))) {
        error_memory(d->err);
        return false;
    }
    while (cursor_left(&c)) {
        if (!(is_fixed ? cursor_u64le(&c, &v) : proto_varint(&c, &v))) return false;
        list->at[list->len++] = v;
    }
    return true;
}

/* ---- samples ---- */

int otlp_sample(struct otlp_decoder *d, const struct otlp_document *doc, const struct otlp_item *item, struct otlp_sample *out)
{
    struct otlp_walk w = otlp_walk(d, doc, OTLP_SAMPLE, item->raw.bytes);
    struct otlp_item i;
    bool is_whole = true;
    *out = (struct otlp_sample){ .off = otlp_off(d, item->raw.at) };
    d->values.len = d->times.len = d->attributes.len = d->indices.len = 0;
    d->err->code = 0;
    while (is_whole && otlp_next(d, &w, &i)) {
        switch (i.name) {
        case OTLP_STACK_INDEX:
        case OTLP_START_INDEX: out->stack = (int64_t)i.raw.value; break;
        case OTLP_LENGTH: out->length = (int64_t)i.raw.value; break;
        case OTLP_VALUES: is_whole = otlp_numbers_add(d, &i, &d->values); break;
        case OTLP_TIMES: is_whole = otlp_numbers_add(d, &i, &d->times); break;
        case OTLP_ATTRIBUTE_INDICES: is_whole = otlp_numbers_add(d, &i, &d->attributes); break;
        case OTLP_OLD_INDICES: is_whole = otlp_numbers_add(d, &i, &d->indices); break;
        case OTLP_LINK_INDEX:
            out->link = (int64_t)i.raw.value;
            out->has_link = true;
            break;
        default: break;
        }
    }
    if (d->err->code) return d->err->code;
    if (!is_whole && !d->is_quiet) findings_add(d->damage, "OT01", ASSAY_ERROR, out->off, 0, "numbers of this Sample are damaged");
    out->values = d->values.at, out->value_count = (uint32_t)d->values.len;
    out->times = d->times.at, out->time_count = (uint32_t)d->times.len;
    out->attributes = d->attributes.at, out->attribute_count = (uint32_t)d->attributes.len;
    out->indices = d->indices.at, out->index_count = (uint32_t)d->indices.len;
    return d->damage->failed ? error_memory(d->err) : 0;
}
