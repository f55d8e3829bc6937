/* The events of a trace: names of threads, spans, markers and counters; see write.h. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/chrome-trace/write.h"
#include "model/entry.h"

/* Up to its place: name, category, phase. */
static void begin_event(struct writer *w, const char *ph, assay_slice name, assay_slice cat)
{
    json_object(&w->j);
    json_key(&w->j, "ph");
    json_text(&w->j, ph);
    json_key(&w->j, "name");
    json_string(&w->j, name.data ? name : SLICE(""));
    if (cat.len) {
        json_key(&w->j, "cat");
        json_string(&w->j, cat);
    }
}

/* Columns in which nothing stands are not there. */
static void put_label(struct writer *w, const struct assay_labels *l, uint32_t label)
{
    int64_t number = AT(l->number, label);
    switch (l->kind ? l->kind[label] : ASSAY_LABEL_TEXT) {
    case ASSAY_LABEL_INTEGER: json_i64(&w->j, number); break;
    case ASSAY_LABEL_DOUBLE: json_double(&w->j, AT(l->real, label)); break;
    case ASSAY_LABEL_BOOLEAN: json_bool(&w->j, number != 0); break;
    default: {
        assay_slice text = l->text ? assay_profile_string(w->p, l->text[label]) : SLICE("");
        json_string(&w->j, text.data ? text : SLICE(""));
    }
    }
}

/* Labels whose keys begin with "args." are arguments again. */
static void put_args(struct writer *w, assay_set_id set)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    if (!set.v || !l->count) return;
    json_key(&w->j, "args");
    json_object(&w->j);
    for (uint32_t s = set.v; s; s = l->set_rest ? l->set_rest[s].v : 0) {
        uint32_t label = l->set_label[s].v;
        assay_slice key = assay_profile_string(w->p, l->key[label]);
        json_key_slice(&w->j, slice_starts(key, "args.") ? slice_from(key.data + 5, key.data + key.len) : key);
        put_label(w, l, label);
    }
    json_end(&w->j);
}

/* ---- names ---- */

static void put_name(struct writer *w, assay_stream_id stream, const char *what, assay_slice name)
{
    begin_event(w, "M", (assay_slice){ what, strlen(what) }, SLICE("__metadata"));
    write_place(w, stream, true);
    json_key(&w->j, "args");
    json_object(&w->j);
    json_key(&w->j, "name");
    json_string(&w->j, name);
    json_end(&w->j);
    json_end(&w->j);
}

static void write_names(struct writer *w)
{
    const struct assay_streams *streams = assay_profile_streams(w->p);
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    for (uint32_t i = 0; i < a->count && a->stream; i++)
        if (a->stream[i].v && slice_is(assay_profile_string(w->p, a->key[i]), "process"))
            put_name(w, a->stream[i], "process_name", assay_profile_string(w->p, a->value[i]));
    if (w->how[0] != WRITE_NOTHING) put_name(w, (assay_stream_id){ 0 }, "thread_name", SLICE("all")); /* speedscope takes no trace without events */
    for (uint32_t s = 1; s <= streams->count && streams->label; s++) {
        assay_slice label = assay_profile_string(w->p, streams->label[s]);
        if (label.len && w->how[s] != WRITE_NOTHING && !slice_starts(label, "async ")) put_name(w, (assay_stream_id){ s }, "thread_name", label);
    }
}

/* ---- spans ---- */

static int by_begin(const void *x, const void *y)
{
    const struct write_span *a = x, *b = y;
    if (a->begin != b->begin) return ORDER(a->begin, b->begin);
    return a->end != b->end ? ORDER(b->end, a->end) : ORDER(a->depth, b->depth);
}

static assay_slice module_of(const struct writer *w, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    return func && f->module && f->module[func].v ? assay_profile_string(w->p, assay_profile_modules(w->p)->path[f->module[func].v]) : (assay_slice){ NULL, 0 };
}

static void put_async(struct writer *w, assay_stream_id stream, assay_slice name, assay_slice cat, int64_t begin, int64_t end, assay_set_id set)
{
    w->async++;
    for (int is_end = 0; is_end < 2; is_end++) {
        begin_event(w, is_end ? "e" : "b", name, cat);
        write_place(w, stream, true);
        json_key(&w->j, "id");
        json_u64(&w->j, w->async);
        write_time(w, "ts", is_end ? end : begin);
        if (!is_end) put_args(w, set);
        json_end(&w->j);
    }
}

static void put_span(struct writer *w, assay_stream_id stream, const struct write_span *s)
{
    uint32_t func = stacks_func(w->s, s->node);
    if (!w->out) return;
    if (frames_kind(&w->s->frames, s->node) == ASSAY_NODE_OTHER) {
        put_async(w, stream, stacks_name(w->s, func), module_of(w, func), s->begin, s->end, (assay_set_id){ s->set });
        return;
    }
    begin_event(w, "X", stacks_name(w->s, func), module_of(w, func));
    write_place(w, stream, true);
    write_time(w, "ts", s->begin);
    write_time(w, "dur", s->end - s->begin);
    put_args(w, (assay_set_id){ s->set });
    json_end(&w->j);
}

/* Whether a reader will find it below its caller. */
static int follow(struct writer *w, struct write_span s)
{
    if (w->out || frames_kind(&w->s->frames, s.node) == ASSAY_NODE_OTHER) return 0;
    while (w->open.len) {
        int64_t over = w->open.at[w->open.len - 1].end;
        if (over > s.begin || (s.begin == s.end && s.end == over)) break;
        w->open.len--;
    }
    const struct write_span *top = w->open.len ? &w->open.at[w->open.len - 1] : NULL;
    w->misplaced += (top ? top->node : 0) != stacks_above(w->s, s.node);
    if (top && s.end > top->end) s.end = top->end;
    struct write_span *slot = vec_push(w->mem, &w->open);
    if (!slot) return error_memory(w->err);
    *slot = s;
    return 0;
}

static int write_spans(struct writer *w, assay_stream_id stream)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    w->spans.len = w->open.len = 0;
    for (uint64_t i = t->begin[stream.v]; i < t->begin[stream.v + 1]; i++) {
        uint32_t node = t->node && t->node[i].v ? w->s->frames.owner[t->node[i].v] : 0;
        TRY(cancel_step(i, w->err));
        if (!node) continue;
        struct write_span *slot = vec_push(w->mem, &w->spans);
        if (!slot) return error_memory(w->err);
        *slot = (struct write_span){ AT(t->time, i), AT(t->time, i) + AT(t->duration, i), node, w->depth[node], t->set ? t->set[i].v : 0 };
    }
    if (w->spans.len && !sort_by(w->spans.at, w->spans.len, sizeof *w->spans.at, by_begin)) return error_cancelled(w->err);
    for (size_t i = 0; i < w->spans.len; i++) {
        TRY(cancel_step(i, w->err));
        TRY(follow(w, w->spans.at[i]));
        put_span(w, stream, &w->spans.at[i]);
    }
    return w->out ? output_failed(w->out) : 0;
}

/* ---- markers and counters ---- */

static assay_slice text(const struct writer *w, const assay_str_id *column, uint32_t i)
{
    return column ? assay_profile_string(w->p, column[i]) : (assay_slice){ NULL, 0 };
}

static int write_markers(struct writer *w)
{
    const struct assay_markers *m = assay_profile_markers(w->p);
    for (uint32_t i = 0; i < m->count; i++) {
        assay_stream_id stream = m->stream ? m->stream[i] : (assay_stream_id){ 0 };
        assay_set_id set = m->set ? m->set[i] : (assay_set_id){ 0 };
        TRY(cancel_step(i, w->err));
        if (AT(m->duration, i) > 0) {
            put_async(w, stream, text(w, m->name, i), text(w, m->category, i), AT(m->time, i), AT(m->time, i) + AT(m->duration, i), set);
            continue;
        }
        begin_event(w, "i", text(w, m->name, i), text(w, m->category, i));
        write_place(w, stream, true);
        write_time(w, "ts", AT(m->time, i));
        json_key(&w->j, "s");
        json_text(&w->j, "t");
        put_args(w, set);
        json_end(&w->j);
    }
    return output_failed(w->out);
}

static int write_counters(struct writer *w)
{
    const struct assay_counters *c = assay_profile_counters(w->p);
    for (uint32_t i = 0; i < c->reading_count; i++) {
        uint32_t counter = c->reading_counter[i].v;
        assay_slice series = text(w, c->series, counter);
        TRY(cancel_step(i, w->err));
        begin_event(w, "C", text(w, c->name, counter), text(w, c->category, counter));
        write_place(w, c->stream ? c->stream[counter] : (assay_stream_id){ 0 }, false);
        write_time(w, "ts", AT(c->reading_time, i));
        json_key(&w->j, "args");
        json_object(&w->j);
        json_key_slice(&w->j, series.len ? series : SLICE("value"));
        stacks_put_number(&w->j, AT(c->reading_value, i));
        json_end(&w->j);
        json_end(&w->j);
    }
    return output_failed(w->out);
}

int write_events(struct writer *w)
{
    if (w->out) write_names(w);
    for (uint32_t s = 0; s <= assay_profile_streams(w->p)->count; s++)
        if (w->how[s] == WRITE_SPANS) TRY(write_spans(w, (assay_stream_id){ s }));
    if (!w->out) return 0;
    TRY(write_markers(w));
    return write_counters(w);
}
