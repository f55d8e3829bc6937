/* The tables of the file. Entry 0 of each is the zero value; others are in the order of their first use. */
#include "base/error.h"
#include "base/text.h"
#include "formats/otlp-profiles/write.h"
#include "model/entry.h"

void otlp_writer_init(struct otlp_writer *w, const assay_profile *p, struct mem *mem)
{
    *w = (struct otlp_writer){ .p = p, .mem = mem };
    intern_init(&w->strings, mem);
    intern_init(&w->attributes, mem);
    intern_init(&w->stacks, mem);
    intern_init(&w->links, mem);
    w->out.mem = w->message.mem = w->inner.mem = w->scratch.mem = mem;
}

void otlp_writer_done(struct otlp_writer *w)
{
    located_done(&w->located);
    intern_done(&w->strings);
    intern_done(&w->attributes);
    intern_done(&w->stacks);
    intern_done(&w->links);
    vec_done(w->mem, &w->order, &w->attributes_of, &w->attribute_begin, &w->sums, &w->events, &w->stack_of, &w->numbers, &w->labels, &w->text);
    proto_buffer_done(&w->out);
    proto_buffer_done(&w->message);
    proto_buffer_done(&w->inner);
    proto_buffer_done(&w->scratch);
}

/* ---- strings ---- */

/* Strings are UTF-8: other bytes are replaced. */
static assay_slice valid(struct otlp_writer *w, assay_slice s)
{
    size_t at = 0;
    if (!s.len) return s;
    while (at < s.len && (unsigned char)s.data[at] < 0x80) at++;
    bool is_valid = true;
    for (assay_slice rest = { s.data + at, s.len - at }; rest.len && is_valid;) {
        unsigned n = text_utf8(rest, NULL);
        is_valid = n != 0;
        rest = (assay_slice){ rest.data + n, rest.len - n };
    }
    if (is_valid) return s;
    w->odd++;
    w->text.len = 0;
    if (!vec_reserve(w->mem, &w->text, 3 * s.len)) w->failed = true;
    while (s.len && !w->failed) {
        unsigned n = text_utf8(s, NULL);
        memcpy(w->text.at + w->text.len, n ? s.data : "\xef\xbf\xbd", n ? n : 3);
        w->text.len += n ? n : 3;
        s = (assay_slice){ s.data + (n ? n : 1), s.len - (n ? n : 1) };
    }
    return (assay_slice){ w->text.at, w->text.len };
}

static uint64_t number_of(struct otlp_writer *w, struct intern *table, assay_slice entry)
{
    uint32_t id = intern_put(table, entry.data ? entry : SLICE(""));
    w->failed |= !id;
    return id ? id - 1 : 0;
}

uint64_t otlp_put_string(struct otlp_writer *w, assay_slice s) { return s.len ? number_of(w, &w->strings, valid(w, s)) : 0; }

static assay_slice bytes_of(const struct proto_buffer *b) { return (assay_slice){ (const char *)b->bytes.at, b->bytes.len }; }

/* ---- attributes ---- */

/* An AnyValue of a label into w->scratch. */
static void make_value(struct otlp_writer *w, uint32_t label)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    uint8_t kind = AT(l->kind, label);
    double real = AT(l->real, label);
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    assay_slice text = kind == ASSAY_LABEL_TEXT ? valid(w, assay_profile_string(w->p, (assay_str_id){ ID(l->text, label) })) : (assay_slice){ "", 0 };
    w->scratch.bytes.len = 0;
    if (kind == ASSAY_LABEL_TEXT) proto_put_bytes(&w->scratch, 1, text.data, text.len);
    if (kind == ASSAY_LABEL_BOOLEAN) proto_put_present(&w->scratch, 2, AT(l->number, label) != 0);
    if (kind == ASSAY_LABEL_INTEGER) proto_put_present(&w->scratch, 3, (uint64_t)AT(l->number, label));
    if (kind == ASSAY_LABEL_DOUBLE) proto_put_fixed64(&w->scratch, 4, bits);
}

/* Labels of one key, of which there may be one only: several are a list. */
static uint64_t put_labels(struct otlp_writer *w, const uint32_t *labels, size_t count)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    w->inner.bytes.len = 0;
    proto_put_number(&w->inner, 1, otlp_put_string(w, assay_profile_string(w->p, l->key[labels[0]])));
    if (count == 1) {
        make_value(w, labels[0]);
        proto_put_message(&w->inner, 2, &w->scratch);
    } else {
        size_t value = proto_put_begin(&w->inner, 2), list = proto_put_begin(&w->inner, 5);
        for (size_t i = 0; i < count; i++) {
            make_value(w, labels[i]);
            proto_put_message(&w->inner, 1, &w->scratch);
        }
        proto_put_end(&w->inner, list);
        proto_put_end(&w->inner, value);
        w->lists++;
    }
    proto_put_number(&w->inner, 3, otlp_put_string(w, assay_profile_string(w->p, (assay_str_id){ ID(l->unit, labels[0]) })));
    w->failed |= w->inner.failed;
    return number_of(w, &w->attributes, bytes_of(&w->inner));
}

static uint64_t put_attribute(struct otlp_writer *w, assay_slice key, assay_slice text, uint64_t number)
{
    w->inner.bytes.len = w->scratch.bytes.len = 0;
    proto_put_number(&w->inner, 1, otlp_put_string(w, key));
    if (text.data) {
        assay_slice s = valid(w, text);
        proto_put_bytes(&w->scratch, 1, s.data, s.len);
    } else {
        proto_put_present(&w->scratch, 3, number);
    }
    proto_put_message(&w->inner, 2, &w->scratch);
    w->failed |= w->inner.failed;
    return number_of(w, &w->attributes, bytes_of(&w->inner));
}

uint64_t otlp_put_text_attribute(struct otlp_writer *w, const char *key, assay_slice value)
{
    return put_attribute(w, slice_of(key), value.data ? value : SLICE(""), 0);
}

void otlp_put_key_value(struct otlp_writer *w, struct proto_buffer *to, uint32_t field, assay_slice key, assay_slice value, uint64_t number)
{
    w->inner.bytes.len = w->scratch.bytes.len = 0;
    assay_slice s = valid(w, key);
    proto_put_bytes(&w->inner, 1, s.data, s.len);
    s = valid(w, value);
    if (value.data)
        proto_put_bytes(&w->scratch, 1, s.data, s.len);
    else
        proto_put_present(&w->scratch, 3, number);
    proto_put_message(&w->inner, 2, &w->scratch);
    proto_put_message(to, field, &w->inner);
}

bool otlp_stream_id(const struct otlp_writer *w, uint32_t stream, const char *kind, uint64_t *id)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    for (uint32_t i = stream && s->tuple_count ? s->tuple_begin[stream] : 0; stream && s->tuple_count && i < s->tuple_begin[stream + 1]; i++) {
        if (!slice_is(assay_profile_string(w->p, s->tuple_kind[i]), kind)) continue;
        *id = AT(s->tuple_logical, i);
        return true;
    }
    return false;
}

/* ---- sets of labels ---- */

static bool digits(assay_slice s, unsigned char *to, size_t len)
{
    for (size_t i = 0; s.len == 2 * len && i < s.len; i++) {
        char c = s.data[i];
        int v = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (v < 0) return false;
        to[i / 2] = (unsigned char)(to[i / 2] << 4 | v);
    }
    return s.len == 2 * len;
}

static assay_slice key_of(const struct otlp_writer *w, uint32_t label) { return assay_profile_string(w->p, assay_profile_labels(w->p)->key[label]); }

/* Trace and span are a link, where the set has both and they are ids. */
static uint64_t put_link(struct otlp_writer *w)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    unsigned char trace[16] = { 0 }, span[8] = { 0 };
    unsigned found = 0;
    for (size_t i = 0; i < w->labels.len; i++) {
        if (AT(l->kind, w->labels.at[i]) != ASSAY_LABEL_TEXT || ID(l->unit, w->labels.at[i])) continue;
        assay_slice key = key_of(w, w->labels.at[i]), text = assay_profile_string(w->p, (assay_str_id){ ID(l->text, w->labels.at[i]) });
        found += slice_is(key, "trace_id") && digits(text, trace, sizeof trace);
        found += 16 * (unsigned)(slice_is(key, "span_id") && digits(text, span, sizeof span));
    }
    if (found != 17) return 0;
    size_t kept = 0;
    for (size_t i = 0; i < w->labels.len; i++) {
        assay_slice key = key_of(w, w->labels.at[i]);
        if (!slice_is(key, "trace_id") && !slice_is(key, "span_id")) w->labels.at[kept++] = w->labels.at[i];
    }
    w->labels.len = kept;
    w->inner.bytes.len = 0;
    proto_put_bytes(&w->inner, 1, trace, sizeof trace);
    proto_put_bytes(&w->inner, 2, span, sizeof span);
    w->failed |= w->inner.failed;
    return number_of(w, &w->links, bytes_of(&w->inner));
}

static void add_number(struct otlp_writer *w, uint64_t number)
{
    uint64_t *slot = vec_push(w->mem, &w->numbers);
    w->failed |= !slot;
    if (slot) *slot = number;
}

uint64_t otlp_put_set(struct otlp_writer *w, uint32_t stream, uint32_t set)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    bool has_id = false, has_name = false;
    uint64_t tid;
    w->numbers.len = w->labels.len = 0;
    for (; set; set = l->set_rest[set].v) {
        uint32_t *slot = vec_push(w->mem, &w->labels);
        w->failed |= !slot;
        if (slot) *slot = l->set_label[set].v;
    }
    for (size_t i = 0, k = w->labels.len; i + 1 < k; i++) { /* the first label first */
        uint32_t swap = w->labels.at[--k];
        w->labels.at[k] = w->labels.at[i];
        w->labels.at[i] = swap;
    }
    uint64_t link = w->labels.len ? put_link(w) : 0;
    for (size_t i = 0, end; i < w->labels.len; i = end) {
        assay_slice key = key_of(w, w->labels.at[i]);
        for (end = i + 1; end < w->labels.len && slice_equal(key_of(w, w->labels.at[end]), key);) end++;
        has_id |= slice_is(key, "thread.id");
        has_name |= slice_is(key, "thread.name");
        add_number(w, put_labels(w, w->labels.at + i, end - i));
    }
    if (!otlp_stream_id(w, stream, "THREAD", &tid)) return link;
    assay_slice name = assay_profile_string(w->p, assay_profile_streams(w->p)->label[stream]);
    if (!has_id) add_number(w, put_attribute(w, SLICE("thread.id"), (assay_slice){ NULL, 0 }, tid));
    if (!has_name && name.len) add_number(w, put_attribute(w, SLICE("thread.name"), name, 0));
    return link;
}

/* ---- stacks ---- */

uint64_t otlp_put_stack(struct otlp_writer *w, uint32_t node)
{
    if (w->stack_of.at[node]) return w->stack_of.at[node] - 1;
    if (!located_stack(&w->located, node)) w->failed = true;
    w->inner.bytes.len = 0;
    proto_put_packed(&w->inner, 1, w->located.stack.at, w->located.stack.len, &w->scratch);
    w->failed |= w->inner.failed;
    uint64_t number = number_of(w, &w->stacks, bytes_of(&w->inner));
    w->stack_of.at[node] = (uint32_t)number + 1;
    return number;
}

/* ---- the dictionary ---- */

static assay_slice text_of(const struct otlp_writer *w, const assay_str_id *column, uint32_t id)
{
    return assay_profile_string(w->p, (assay_str_id){ ID(column, id) });
}

static void put_mappings(struct otlp_writer *w)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    for (uint32_t id = 0; id <= m->count; id++) {
        assay_slice build = id ? text_of(w, m->build_id, id) : (assay_slice){ NULL, 0 };
        uint64_t attribute = build.len ? otlp_put_text_attribute(w, "process.executable.build_id.gnu", build) : 0;
        w->message.bytes.len = 0;
        if (id) proto_put_number(&w->message, 4, otlp_put_string(w, text_of(w, m->path, id)));
        if (attribute) proto_put_packed(&w->message, 5, &attribute, 1, &w->scratch);
        proto_put_message(&w->out, 1, &w->message);
    }
}

static void put_locations(struct otlp_writer *w)
{
    const struct located *l = &w->located;
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    proto_put_message(&w->out, 2, &w->message);
    for (size_t i = 0; i < l->places.len; i++) {
        const struct located_place *p = &l->places.at[i];
        uint32_t outer = l->lines.at[p->first + p->count - 1].func;
        bool is_bare = p->count == 1 && located_is_address(l, outer);
        proto_put_number(&w->message, 1, ID(f->module, outer));
        if (is_bare) proto_put_number(&w->message, 2, f->offset[outer]);
        for (uint32_t k = 0; k < p->count && !is_bare; k++) {
            const struct located_line *line = &l->lines.at[p->first + k];
            proto_put_number(&w->inner, 1, l->func_number.at[line->func]);
            proto_put_number(&w->inner, 2, line->line);
            proto_put_message(&w->message, 3, &w->inner);
        }
        proto_put_message(&w->out, 2, &w->message);
    }
}

static void put_functions(struct otlp_writer *w)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    const struct assay_files *files = assay_profile_files(w->p);
    proto_put_message(&w->out, 3, &w->message);
    for (size_t i = 0; i < w->located.funcs.len; i++) {
        uint32_t id = w->located.funcs.at[i];
        assay_slice link = text_of(w, f->link_name, id);
        proto_put_number(&w->message, 1, otlp_put_string(w, id ? text_of(w, f->name, id) : SLICE("<unknown>")));
        proto_put_number(&w->message, 2, otlp_put_string(w, link));
        proto_put_number(&w->message, 3, otlp_put_string(w, text_of(w, files->path, ID(f->file, id))));
        proto_put_number(&w->message, 4, AT(f->first_line, id));
        proto_put_message(&w->out, 3, &w->message);
    }
}

static void put_entries(struct otlp_writer *w, uint32_t field, const struct intern *table)
{
    if (!intern_count(table)) proto_put_bytes(&w->out, field, "", 0);
    for (uint32_t i = 1; i <= intern_count(table); i++) proto_put_bytes(&w->out, field, intern_get(table, i).data, intern_get(table, i).len);
}

int otlp_put_dictionary(struct otlp_writer *w, assay_error *err)
{
    if (!located_number_funcs(&w->located)) return error_memory(err);
    size_t begin = proto_put_begin(&w->out, 2);
    w->inner.bytes.len = w->message.bytes.len = 0;
    put_mappings(w);
    w->inner.bytes.len = 0;
    put_locations(w);
    put_functions(w);
    put_entries(w, 4, &w->links);
    put_entries(w, 5, &w->strings);
    put_entries(w, 6, &w->attributes);
    put_entries(w, 7, &w->stacks);
    proto_put_end(&w->out, begin);
    return w->failed || w->out.failed ? error_memory(err) : 0;
}
