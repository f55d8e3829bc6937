/* Streams -> contexts: B and E are matched, spans nested; see chrome.h. The order of the nesting rules is that of docs/formats/chrome-trace.md. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sort.h"
#include "formats/chrome-trace/chrome.h"

struct chrome_cell *chrome_cell(struct chrome *c, uint32_t node)
{
    if (c->slot.len <= node) {
        size_t more = node + 1 - c->slot.len;
        if (!vec_reserve(c->mem, &c->slot, more)) return NULL;
        memset(c->slot.at + c->slot.len, 0, more * sizeof *c->slot.at);
        c->slot.len += more;
    }
    if (c->slot.at[node]) return &c->cells.at[c->slot.at[node] - 1];
    struct chrome_cell *cell = c->cells.len < UINT32_MAX - 1 ? vec_push(c->mem, &c->cells) : NULL;
    if (!cell) return NULL;
    *cell = (struct chrome_cell){ .node = node };
    c->slot.at[node] = (uint32_t)c->cells.len;
    return cell;
}

uint32_t chrome_node(struct chrome *c, uint32_t parent, uint32_t func)
{
    c->funcs.at[func].is_used = true;
    return kids_put(&c->nodes, parent, func);
}

int chrome_row(struct chrome *c, struct chrome_row row)
{
    if (!c->wants_rows) return 0;
    struct chrome_row *slot = vec_push(c->mem, &c->rows);
    if (!slot) return error_memory(c->err);
    *slot = row;
    return 0;
}

/* ---- begin and end ---- */

static int by_time(const void *x, const void *y, void *arg)
{
    const struct chrome_span *spans = arg;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return spans[a].begin != spans[b].begin ? ORDER(spans[a].begin, spans[b].begin) : ORDER(a, b);
}

/* B and E by time. */
static int order_events(struct chrome *c, const struct chrome_stream *s)
{
    bool is_sorted = true;
    c->order.len = 0;
    for (size_t i = 0; i < s->spans.len; i++) {
        TRY(cancel_step(i, c->err));
        if (s->spans.at[i].kind == CHROME_X) continue;
        uint32_t *slot = vec_push(c->mem, &c->order);
        if (!slot) return error_memory(c->err);
        *slot = (uint32_t)i;
        is_sorted &= c->order.len < 2 || s->spans.at[slot[-1]].begin <= s->spans.at[i].begin;
    }
    if (is_sorted || sort_with(c->order.at, c->order.len, sizeof *c->order.at, by_time, s->spans.at)) return 0;
    return error_cancelled(c->err);
}

static struct chrome_named *named(struct chrome *c, uint32_t stream, uint32_t name)
{
    struct chrome_named *n = &c->named.at[name];
    if (n->stream != stream + 1) *n = (struct chrome_named){ .stream = stream + 1 };
    return n;
}

/* 0 = it has none. */
static uint32_t name_of(const struct chrome *c, const struct chrome_span *s)
{
    if (s->kind == CHROME_E) return s->what;
    uint32_t name = c->funcs.at[s->what].name;
    return intern_get(&c->names, name).len ? name : 0;
}

/* An E may stand before the B of its moment and name: together they are a span without length. */
static bool closes_at_once(struct chrome *c, struct chrome_span *spans, struct chrome_span *begin, struct chrome_named *n)
{
    if (!n->waits || n->ts != begin->begin) return false;
    struct chrome_span *end = &spans[n->waits - 1];
    n->waits = end->set;
    end->kind = CHROME_GONE;
    begin->end = begin->begin;
    c->unmatched_end--;
    return true;
}

static void close_newest(struct chrome *c, struct chrome_span *spans, uint32_t stream, int64_t at, bool is_matched)
{
    struct chrome_span *s = &spans[c->begun.at[--c->begun.len]];
    named(c, stream, name_of(c, s))->open--;
    s->end = at;
    if (is_matched) return;
    c->unmatched_begin++;
    findings_add(c->damage, "CT08", ASSAY_WARNING, s->off, s->line, "B without an E of its own: it ends with what it is in");
}

/* The newest B of the name; those above it end at the same time. */
static void close_span(struct chrome *c, struct chrome_span *spans, uint32_t stream, uint32_t i)
{
    struct chrome_span *e = &spans[i];
    struct chrome_named *n = named(c, stream, e->what);
    if (e->what ? n->open == 0 : c->begun.len == 0) {
        c->unmatched_end++;
        e->set = n->ts == e->begin ? n->waits : 0;
        n->waits = i + 1;
        n->ts = e->begin;
        return;
    }
    while (e->what && name_of(c, &spans[c->begun.at[c->begun.len - 1]]) != e->what) close_newest(c, spans, stream, e->begin, false);
    close_newest(c, spans, stream, e->begin, true);
    e->kind = CHROME_GONE;
}

static int match(struct chrome *c, uint32_t stream, struct chrome_stream *s)
{
    struct chrome_span *spans = s->spans.at;
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < s->spans.len; i++) last = spans[i].end > last ? spans[i].end : last;
    c->begun.len = 0;
    for (size_t k = 0; k < c->order.len; k++) {
        uint32_t i = c->order.at[k];
        TRY(cancel_step(k, c->err));
        if (spans[i].kind == CHROME_E) {
            close_span(c, spans, stream, i);
            continue;
        }
        struct chrome_named *n = named(c, stream, name_of(c, &spans[i]));
        if (closes_at_once(c, spans, &spans[i], n)) continue;
        uint32_t *slot = vec_push(c->mem, &c->begun);
        if (!slot) return error_memory(c->err);
        *slot = i;
        n->open++;
    }
    while (c->begun.len) close_newest(c, spans, stream, last, false);
    for (size_t k = 0; k < c->order.len && !cancel_at(k); k++) {
        const struct chrome_span *e = &spans[c->order.at[k]];
        if (e->kind == CHROME_E) findings_add(c->damage, "CT07", ASSAY_WARNING, e->off, e->line, "E without a B is left out");
    }
    return 0;
}

/* ---- nesting ---- */

static int by_begin(const void *x, const void *y)
{
    const struct chrome_span *a = x, *b = y;
    if (a->begin != b->begin) return ORDER(a->begin, b->begin);
    return a->end != b->end ? ORDER(b->end, a->end) : ORDER(a->off, b->off);
}

/* Only spans are left, those first that are outside. */
static int order_spans(struct chrome *c, struct chrome_stream *s)
{
    size_t count = 0;
    bool is_sorted = true;
    for (size_t i = 0; i < s->spans.len; i++) {
        if (s->spans.at[i].kind != CHROME_B && s->spans.at[i].kind != CHROME_X) continue;
        s->spans.at[count] = s->spans.at[i];
        is_sorted &= !count || by_begin(&s->spans.at[count - 1], &s->spans.at[count]) <= 0;
        count++;
    }
    s->spans.len = count;
    return is_sorted || sort_by(s->spans.at, count, sizeof *s->spans.at, by_begin) ? 0 : error_cancelled(c->err);
}

static int finish(struct chrome *c)
{
    struct chrome_open o = c->open.at[--c->open.len];
    struct chrome_cell *cell = chrome_cell(c, o.node);
    if (!cell) return error_memory(c->err);
    int64_t length = o.end - o.begin;
    cell->wall += length - o.inside;
    cell->calls++;
    if (c->wants_rows) c->rows.at[o.row].self = length - o.inside;
    if (c->open.len) c->open.at[c->open.len - 1].inside += length;
    return 0;
}

static int nest(struct chrome *c, const struct chrome_span *s)
{
    int64_t end = s->end;
    while (c->open.len) {
        int64_t over = c->open.at[c->open.len - 1].end;
        if (over > s->begin || (s->begin == s->end && s->end == over)) break;
        TRY(finish(c));
    }
    const struct chrome_open *top = c->open.len ? &c->open.at[c->open.len - 1] : NULL;
    uint32_t node = chrome_node(c, top ? top->node : 0, s->what);
    if (top && end > top->end) {
        findings_add(c->damage, "CT09", ASSAY_WARNING, s->off, s->line, "a span outlives the one that it begins in: its time ends with that");
        end = top->end;
    }
    struct chrome_open *o = node ? vec_push(c->mem, &c->open) : NULL;
    if (!o) return error_memory(c->err);
    *o = (struct chrome_open){ s->begin, end, 0, node, c->rows.len };
    return chrome_row(c, (struct chrome_row){ .time = s->begin, .length = s->end - s->begin, .node = node, .set = s->set });
}

int chrome_settle_spans(struct chrome *c, uint32_t stream)
{
    struct chrome_stream *s = &c->streams.at[stream];
    size_t names = (size_t)intern_count(&c->names) + 1;
    if (c->named.len < names) {
        if (!vec_reserve(c->mem, &c->named, names)) return error_memory(c->err);
        memset(c->named.at + c->named.len, 0, (names - c->named.len) * sizeof *c->named.at);
        c->named.len = names;
    }
    TRY(order_events(c, s));
    TRY(match(c, stream, s));
    TRY(order_spans(c, s));
    c->spans += s->spans.len;
    c->open.len = 0;
    for (size_t i = 0; i < s->spans.len; i++) {
        TRY(cancel_step(i, c->err));
        TRY(nest(c, &s->spans.at[i]));
    }
    while (c->open.len) TRY(finish(c));
    vec_done(c->mem, &s->spans);
    return 0;
}

/* ---- parts ---- */

static int give(struct chrome *c, enum chrome_part_kind kind, size_t at, chrome_part_fn fn, void *arg)
{
    struct chrome_part part = { kind, (uint32_t)at };
    int rc = fn ? fn(arg, &part) : 0;
    for (size_t i = 0; i < c->cells.len; i++) c->slot.at[c->cells.at[i].node] = 0;
    c->cells.len = c->rows.len = 0;
    return rc;
}

static void count(struct chrome *c)
{
    c->contexts = kids_len(&c->nodes) ? kids_len(&c->nodes) - 1 : 0;
    for (size_t i = 1; i < c->funcs.len; i++) c->functions += c->funcs.at[i].is_used;
}

int chrome_settle(struct chrome *c, chrome_part_fn fn, void *arg)
{
    TRY(chrome_settle_frames(c));
    for (size_t i = 0; i < c->streams.len && c->sample_count; i++) {
        if (!c->streams.at[i].samples.len) continue;
        TRY(chrome_settle_samples(c, &c->streams.at[i]));
        TRY(give(c, CHROME_SAMPLES, i, fn, arg));
    }
    if (c->sample_count) count(c);
    for (size_t i = 0; i < c->streams.len; i++) {
        if (!c->streams.at[i].spans.len) continue;
        TRY(chrome_settle_spans(c, (uint32_t)i));
        TRY(give(c, CHROME_SPANS, i, fn, arg));
    }
    if (!c->sample_count) count(c);
    for (size_t i = 0; i < c->profiles.len; i++) {
        TRY(chrome_settle_profile(c, &c->profiles.at[i]));
        TRY(give(c, CHROME_PROFILE, i, fn, arg));
    }
    TRY(chrome_settle_async(c, fn, arg));
    return c->damage->failed ? error_memory(c->err) : 0;
}
