/* Samples and the tables that they refer to. A location is a function with the line it is at, and what is inlined there before it. */
#include "base/error.h"
#include "base/number.h"
#include "formats/pprof/decode.h"
#include "formats/pprof/write.h"
#include "model/entry.h"

void pprof_writer_init(struct pprof_writer *w)
{
    intern_init(&w->strings, w->mem);
    w->head.mem = w->samples.mem = w->tail.mem = w->message.mem = w->inner.mem = w->numbers.mem = w->mem;
}

void pprof_writer_done(struct pprof_writer *w)
{
    located_done(&w->located);
    intern_done(&w->strings);
    proto_buffer_done(&w->head);
    proto_buffer_done(&w->samples);
    proto_buffer_done(&w->tail);
    proto_buffer_done(&w->message);
    proto_buffer_done(&w->inner);
    proto_buffer_done(&w->numbers);
}

uint64_t pprof_string(struct pprof_writer *w, assay_slice s)
{
    uint32_t id = intern_put(&w->strings, s.data ? s : SLICE(""));
    w->failed |= !id;
    return id ? id - 1 : 0;
}

/* ---- samples ---- */

static void put_label(struct pprof_writer *w, uint32_t id)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    char text[48];
    uint8_t kind = AT(l->kind, id);
    proto_put_number(&w->inner, 1, pprof_string(w, assay_profile_string(w->p, l->key[id])));
    if (kind == ASSAY_LABEL_TEXT) proto_put_number(&w->inner, 2, pprof_string(w, assay_profile_string(w->p, (assay_str_id){ ID(l->text, id) })));
    if (kind == ASSAY_LABEL_DOUBLE) proto_put_number(&w->inner, 2, pprof_string(w, (assay_slice){ text, number_put_double(text, AT(l->real, id)) }));
    if (kind == ASSAY_LABEL_BOOLEAN) proto_put_number(&w->inner, 2, pprof_string(w, AT(l->number, id) ? SLICE("true") : SLICE("false")));
    if (kind == ASSAY_LABEL_INTEGER) {
        proto_put_number(&w->inner, 3, (uint64_t)AT(l->number, id));
        proto_put_number(&w->inner, 4, pprof_string(w, assay_profile_string(w->p, (assay_str_id){ ID(l->unit, id) })));
    }
    proto_put_message(&w->message, 3, &w->inner);
}

int pprof_put_sample(void *arg, uint32_t node, uint32_t set, assay_error *err)
{
    struct pprof_writer *w = arg;
    const struct assay_labels *l = assay_profile_labels(w->p);
    w->message.bytes.len = 0;
    if (!located_stack(&w->located, node)) return error_memory(err);
    proto_put_packed(&w->message, 1, w->located.stack.at, w->located.stack.len, &w->numbers);
    proto_put_packed(&w->message, 2, w->located.figures.at, w->located.metrics.len, &w->numbers);
    for (; set; set = l->set_rest[set].v) put_label(w, l->set_label[set].v);
    proto_put_message(&w->samples, PPROF_SAMPLE, &w->message);
    return w->failed || w->samples.failed ? error_memory(err) : 0;
}

/* ---- tables ---- */

static assay_slice text_of(const struct pprof_writer *w, const assay_str_id *column, uint32_t id)
{
    return assay_profile_string(w->p, (assay_str_id){ ID(column, id) });
}

/* All that is known is here already, so that no tool looks for more. */
static void put_mappings(struct pprof_writer *w)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    for (uint32_t id = 1; id <= m->count; id++) {
        proto_put_number(&w->message, 1, id);
        proto_put_number(&w->message, 5, pprof_string(w, text_of(w, m->path, id)));
        proto_put_number(&w->message, 6, pprof_string(w, text_of(w, m->build_id, id)));
        for (uint32_t flag = 7; flag <= 10; flag++) proto_put_number(&w->message, flag, 1);
        proto_put_message(&w->tail, PPROF_MAPPING, &w->message);
    }
}

static void put_locations(struct pprof_writer *w)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    for (size_t i = 0; i < w->located.places.len; i++) {
        const struct located_place *p = &w->located.places.at[i];
        uint32_t outer = w->located.lines.at[p->first + p->count - 1].func;
        bool is_bare = p->count == 1 && located_is_address(&w->located, outer);
        proto_put_number(&w->message, 1, i + 1);
        proto_put_number(&w->message, 2, ID(f->module, outer));
        if (is_bare) proto_put_number(&w->message, 3, f->offset[outer]);
        for (uint32_t k = 0; k < p->count && !is_bare; k++) {
            const struct located_line *l = &w->located.lines.at[p->first + k];
            proto_put_number(&w->inner, 1, w->located.func_number.at[l->func]);
            proto_put_number(&w->inner, 2, l->line);
            proto_put_message(&w->message, 4, &w->inner);
        }
        proto_put_message(&w->tail, PPROF_LOCATION, &w->message);
    }
}

static void put_functions(struct pprof_writer *w)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    const struct assay_files *files = assay_profile_files(w->p);
    for (size_t i = 0; i < w->located.funcs.len; i++) {
        uint32_t id = w->located.funcs.at[i];
        assay_slice name = id ? text_of(w, f->name, id) : SLICE("<unknown>"), link = text_of(w, f->link_name, id);
        proto_put_number(&w->message, 1, i + 1);
        proto_put_number(&w->message, 2, pprof_string(w, name));
        proto_put_number(&w->message, 3, pprof_string(w, link.len ? link : name));
        proto_put_number(&w->message, 4, pprof_string(w, text_of(w, files->path, ID(f->file, id))));
        proto_put_number(&w->message, 5, AT(f->first_line, id));
        proto_put_message(&w->tail, PPROF_FUNCTION, &w->message);
    }
}

int pprof_put_tables(struct pprof_writer *w, assay_error *err)
{
    if (!located_number_funcs(&w->located)) return error_memory(err);
    put_mappings(w);
    put_locations(w);
    put_functions(w);
    return w->failed || w->tail.failed ? error_memory(err) : 0;
}

int pprof_put_all(struct pprof_writer *w, struct output *out, assay_error *err)
{
    struct proto_buffer *b = &w->head;
    struct proto_buffer *const parts[] = { &w->samples, &w->tail };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t len = parts[i]->bytes.len;
        if (parts[i]->failed || !vec_reserve(w->mem, &b->bytes, len)) return error_memory(err);
        if (len) memcpy(b->bytes.at + b->bytes.len, parts[i]->bytes.at, len);
        b->bytes.len += len;
        proto_buffer_done(parts[i]);
        parts[i]->bytes.at = NULL;
        parts[i]->bytes.len = parts[i]->bytes.cap = 0;
    }
    for (uint32_t i = 1; i <= intern_count(&w->strings); i++) proto_put_bytes(b, PPROF_STRING, intern_get(&w->strings, i).data, intern_get(&w->strings, i).len);
    return b->failed ? error_memory(err) : pprof_pack(b, out, err);
}
