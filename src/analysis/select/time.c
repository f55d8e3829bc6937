/* A window of time as a profile: the contexts of the tree with the time that was spent in them while it was open, and the events that fall into it.
 * A sample lasts until the next one of its stream, the last one no time at all; a span is cut at the edges. Events with weights give these too,
 * when they begin inside. See select.h. */
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "base/time_window.h"
#include "model/entry.h"

/* ---- the window ---- */

struct window {
    struct select *s;
    assay_profile *p;
    const struct assay_timeline *t;
    const struct assay_tree *tree;
    assay_builder *b;
    struct mem mem;
    int64_t first, end;     /* of all events */
    int64_t from, to;       /* what is left: from <= time < to */
    assay_metric_id metric; /* time */
    assay_scope_id scope;
    VEC(assay_scope_id) weights; /* by metric of the block */
    uint64_t *spent;             /* by node, of the stream at hand */
    uint32_t *above;             /* by node: the nearest that has spans */
    uint8_t *is_touched;
    VEC(uint32_t) touched;
    assay_wide whole;
};

static bool is_time(const struct window *w, uint32_t stream)
{
    return w->t->begin[stream] < w->t->begin[stream + 1] && slice_is(assay_profile_string(w->p, (assay_str_id){ ID(w->t->unit, stream) }), "ns");
}

/* When an event ends: a sample with the next one. */
static int64_t end_of(const struct window *w, uint32_t stream, uint64_t i)
{
    const struct assay_timeline *t = w->t;
    int64_t end;
    if (AT(t->is_spans, stream)) {
        if (__builtin_add_overflow(t->time[i], AT(t->duration, i), &end)) end = INT64_MAX;
        return end > t->time[i] ? end : t->time[i];
    }
    return i + 1 < t->begin[stream + 1] ? t->time[i + 1] : t->time[i];
}

/* Events stand in the order of their times: of samples the last one ends last. */
static bool find_range(struct window *w)
{
    const struct assay_timeline *t = w->t;
    bool is_found = false;
    for (uint32_t s = 0; s <= t->stream_count; s++) {
        if (!is_time(w, s)) continue;
        if (!is_found || t->time[t->begin[s]] < w->first) w->first = t->time[t->begin[s]];
        for (uint64_t i = AT(t->is_spans, s) ? t->begin[s] : t->begin[s + 1] - 1; i < t->begin[s + 1]; i++) {
            int64_t end = end_of(w, s, i);
            if (!is_found || end > w->end) w->end = end;
            is_found = true;
        }
    }
    return is_found;
}

static int open_window(struct window *w, const char *text, assay_error *err)
{
    struct time_window asked;
    TRY(time_window_parse(text, &asked, err));
    if (!w->t->count || !find_range(w)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no timestamps, so no time range can be selected");
    return time_window_apply(&asked, 1e9, w->first, w->end, &w->from, &w->to, err);
}

/* ---- figures ---- */

static bool spend(struct window *w, uint32_t node, uint64_t time)
{
    if (!w->is_touched[node]) {
        uint32_t *slot = vec_push(&w->mem, &w->touched);
        if (!slot) return false;
        *slot = node;
        w->is_touched[node] = 1;
    }
    w->spent[node] += time;
    return true;
}

/* Contexts in which a stream that is left was, if for no time at all. */
static void see(struct window *w, uint32_t stream)
{
    for (size_t i = 0; w->s->seen && w->s->stream[stream] != SELECT_NO_STREAM && i < w->touched.len; i++) w->s->seen[w->touched.at[i]] = 1;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return ORDER(a, b);
}

/* Spans have what is below them in them. */
static void take_apart(struct window *w)
{
    for (uint32_t id = 1; id <= w->tree->count; id++) {
        uint32_t parent = w->tree->parent[id].v;
        w->above[id] = w->is_touched[parent] && parent ? parent : w->above[parent];
    }
    for (size_t i = 0; i < w->touched.len; i++) {
        uint32_t id = w->touched.at[i], above = w->above[id];
        if (above) w->spent[above] = w->spent[above] > w->spent[id] ? w->spent[above] - w->spent[id] : 0;
    }
}

static void put_values(struct window *w, uint32_t stream, bool is_spans)
{
    if (!w->touched.len) return;
    /* parents first: each still has all of its own when it is taken from the one above it */
    sort_by(w->touched.at, w->touched.len, sizeof *w->touched.at, by_number);
    see(w, stream);
    if (is_spans) take_apart(w);
    for (size_t i = 0; i < w->touched.len; i++) {
        uint32_t id = w->touched.at[i];
        assay_build_value(w->b, (assay_stream_id){ stream }, (assay_node_id){ id }, w->scope, (assay_value){ .u = w->spent[id] });
        w->spent[id] = w->is_touched[id] = 0;
    }
    w->touched.len = 0;
}

static void put_weights(struct window *w, uint32_t stream, uint64_t i)
{
    const assay_value *weights = w->t->weight + i * w->weights.len;
    for (size_t k = 0; k < w->weights.len; k++) assay_build_value(w->b, (assay_stream_id){ stream }, w->t->node[i], w->weights.at[k], weights[k]);
}

/* One event; *closes is when the last one that was taken over ends. */
static bool put_event(struct window *w, uint32_t stream, uint64_t i, bool is_spans, int64_t *closes)
{
    const struct assay_timeline *t = w->t;
    int64_t begin = t->time[i], end = end_of(w, stream, i), from = begin > w->from ? begin : w->from, to = end < w->to ? end : w->to;
    uint32_t node = ID(t->node, i);
    bool is_inside = begin >= w->from && begin < w->to;
    /* of spans those on top, the others are in them */
    if (node && (!is_spans || !w->tree->parent[node].v)) w->whole = wide_add_u64(w->whole, (uint64_t)end - (uint64_t)begin);
    if (to <= from && !is_inside) return true;
    const assay_value *weights = t->weight && is_inside ? t->weight + i * w->weights.len : NULL;
    if (w->s->keeps_events) {
        assay_build_event(w->b, (assay_stream_id){ stream }, from, is_spans ? to - from : 0, (assay_node_id){ node }, weights);
        if (ID(t->set, i)) assay_build_event_set(w->b, t->set[i]);
    }
    *closes = end;
    if (node && weights) put_weights(w, stream, i);
    return !node || spend(w, node, to > from ? (uint64_t)(to - from) : 0);
}

/* What samples that are not idle had in all. Times ascend, so no sum is larger than the last less the first. */
static int add_samples(struct window *w, uint64_t begin, uint64_t end, assay_error *err)
{
    enum { BLOCK = 4096 };
    const struct assay_timeline *t = w->t;
    uint64_t sum = 0;
    for (uint64_t i = begin, stop; i + 1 < end; i = stop) {
        if (cancel_due()) return error_cancelled(err);
        stop = end - 1 - i > BLOCK ? i + BLOCK : end - 1;
        for (uint64_t k = i; k < stop; k++) sum += t->node[k].v ? (uint64_t)t->time[k + 1] - (uint64_t)t->time[k] : 0;
    }
    w->whole = wide_add_u64(w->whole, sum);
    return 0;
}

/* The first event that ends after the window opens, or that begins with it. */
static uint64_t first_inside(const struct window *w, uint64_t begin, uint64_t end)
{
    uint64_t low = begin, high = end;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        if (w->t->time[mid] < w->from)
            low = mid + 1;
        else
            high = mid;
    }
    return low > begin ? low - 1 : low;
}

/* Samples without weights, where events are not kept. */
static int spend_samples(struct window *w, uint32_t stream, assay_error *err)
{
    const struct assay_timeline *t = w->t;
    uint64_t begin = t->begin[stream], end = t->begin[stream + 1];
    TRY(add_samples(w, begin, end, err));
    for (uint64_t i = first_inside(w, begin, end); i < end && t->time[i] < w->to; i++) {
        int64_t opens = t->time[i], closes = i + 1 < end ? t->time[i + 1] : opens;
        TRY(cancel_step(i, err));
        opens = opens > w->from ? opens : w->from;
        closes = closes < w->to ? closes : w->to;
        bool is_inside = t->time[i] >= w->from;
        if (!t->node[i].v || (closes <= opens && !is_inside)) continue;
        if (!spend(w, t->node[i].v, closes > opens ? (uint64_t)(closes - opens) : 0)) return error_memory(err);
    }
    put_values(w, stream, false);
    return 0;
}

static int put_stream(struct window *w, uint32_t stream, assay_error *err)
{
    bool is_spans = AT(w->t->is_spans, stream);
    int64_t closes = INT64_MIN;
    if (!is_time(w, stream)) return 0;
    if (!w->s->keeps_events && !is_spans && !w->t->weight && w->t->node) return spend_samples(w, stream, err);
    if (w->s->keeps_events) assay_build_timeline_stream(w->b, (assay_stream_id){ stream }, "ns", is_spans);
    for (uint64_t i = w->t->begin[stream]; i < w->t->begin[stream + 1]; i++) {
        TRY(cancel_step(i, err));
        if (!put_event(w, stream, i, is_spans, &closes)) return error_memory(err);
    }
    /* the last sample ends with the window */
    if (w->s->keeps_events && !is_spans && closes > w->to) assay_build_event(w->b, (assay_stream_id){ stream }, w->to, 0, (assay_node_id){ 0 }, NULL);
    put_values(w, stream, is_spans);
    return 0;
}

/* Markers that are there while the window is open, and readings that were taken then. */
static int put_moments(struct window *w, assay_error *err)
{
    const struct assay_markers *m = assay_profile_markers(w->p);
    const struct assay_counters *c = assay_profile_counters(w->p);
    union schema_cell cells[SCHEMA_COLUMNS_MAX];
    for (uint32_t i = 0; i < m->count; i++) {
        int64_t end;
        TRY(cancel_step(i, err));
        if (__builtin_add_overflow(m->time[i], AT(m->duration, i), &end)) end = INT64_MAX;
        if (m->time[i] >= w->to || (m->time[i] < w->from && end <= w->from)) continue;
        profile_copy_load(w->p, w->b, SCHEMA_T_MARKERS, i, cells);
        builder_append(w->b, SCHEMA_T_MARKERS, 0, cells);
    }
    profile_copy_table(w->p, w->b, SCHEMA_T_COUNTERS);
    for (uint32_t i = 0; i < c->reading_count; i++) {
        TRY(cancel_step(i, err));
        if (c->reading_time[i] >= w->from && c->reading_time[i] < w->to)
            assay_build_reading(w->b, c->reading_counter[i], c->reading_time[i], c->reading_value[i]);
    }
    return 0;
}

/* ---- the profile ---- */

static int copy_weights(struct window *w, assay_error *err)
{
    const struct assay_block *block = &w->t->block;
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    size_t room = (size_t)block->metric_count + 1;
    SCRATCH(assay_metric_id, list, &w->mem, room);
    if (!list) return error_memory(err);
    for (uint32_t k = 0; k < block->metric_count; k++) {
        uint32_t id = block->metrics[k].v;
        assay_slice name = assay_profile_string(w->p, m->name[id]);
        list[k] = assay_build_metric(w->b, name.data, assay_profile_string(w->p, (assay_str_id){ ID(m->unit, id) }).data, (enum assay_type)AT(m->type, id),
                                     ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
        builder_copy_metric(w->b, list[k], w->p, id);
        select_state_whole(w->b, name, (enum assay_type)AT(m->type, id), m->total ? m->total[id] : (assay_wide){ 0, 0 }, AT(m->total_double, id));
        assay_scope_id *scope = vec_push(&w->mem, &w->weights);
        if (scope) *scope = assay_build_scope(w->b, list[k], ASSAY_SCOPE_POINT, NULL, 0);
    }
    if (w->s->keeps_events) assay_build_timeline(w->b, list, block->metric_count);
    return w->weights.len == block->metric_count ? 0 : error_memory(err);
}

static int fill(struct window *w, const struct assay_filter *filter, assay_error *err)
{
    size_t nodes = (size_t)w->tree->count + 1, streams = assay_profile_streams(w->p)->count;
    TRY(open_window(w, filter->time, err));
    SCRATCH(uint64_t, spent, &w->mem, nodes);
    SCRATCH(uint32_t, above, &w->mem, nodes);
    SCRATCH(uint8_t, is_touched, &w->mem, nodes);
    SCRATCH(uint32_t, itself, &w->mem, streams + 1);
    vec_scoped(&w->mem, &w->touched);
    vec_scoped(&w->mem, &w->weights);
    if (!itself || !spent || !above || !is_touched) return error_memory(err);
    if (!w->s->keeps_events) {
        w->s->seen = mem_zalloc(&w->s->mem, nodes, 1);
        w->s->nodes = nodes;
        if (!w->s->seen) return error_memory(err);
    }
    w->spent = spent;
    w->above = above;
    w->is_touched = is_touched;
    profile_copy_names(w->p, w->b);
    for (uint32_t i = 1; i <= streams; i++) {
        profile_copy_stream(w->p, w->b, i);
        itself[i] = i;
    }
    w->metric = assay_build_metric(w->b, "time", "ns", ASSAY_U64, ASSAY_SHAPE_TREE);
    w->scope = assay_build_scope(w->b, w->metric, ASSAY_SCOPE_POINT, NULL, 0);
    profile_copy_facts(w->p, w->b, itself);
    TRY(copy_weights(w, err));
    profile_copy_table(w->p, w->b, SCHEMA_T_LABELS);
    profile_copy_table(w->p, w->b, SCHEMA_T_LABEL_SETS);
    for (uint32_t i = 1; i < nodes; i++) {
        struct assay_node n = profile_copy_node(w->tree, i);
        assay_build_node_new(w->b, &n);
    }
    if (w->tree->is_whole) assay_build_tree_whole(w->b);
    for (uint32_t s = 0; s <= w->t->stream_count; s++) TRY(put_stream(w, s, err));
    TRY(put_moments(w, err));
    select_state_whole(w->b, SLICE("time"), ASSAY_U64, w->whole, 0);
    return assay_builder_failed(w->b);
}

int select_time(struct select *s, assay_profile **out, assay_error *err)
{
    const struct assay_filter *filter = s->filter;
    struct window w = { .s = s, .p = s->p, .t = assay_profile_timeline(s->p), .tree = assay_profile_tree(s->p) };
    mem_init(&w.mem, (size_t)filter->max_memory);
    w.b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL, .max_memory = filter->max_memory }, err);
    if (!w.b) return err->code;
    int rc = fill(&w, filter, err);
    if (rc == 0 || assay_builder_failed(w.b)) {
        *out = assay_builder_seal(w.b, err);
        return *out ? 0 : err->code;
    }
    assay_builder_free(w.b);
    return rc;
}
