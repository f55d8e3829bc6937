/* The lines of a timeline: which streams, in which order, under which label; see analysis/timeline/timeline.h. */
#include "analysis/timeline/timeline.h"

#include <stdio.h>

#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

/* ---- labels ---- */

struct tuple {
    const assay_profile *profile;
    const struct assay_streams *streams;
    uint32_t begin, end;
};

static struct tuple tuple_of(const assay_profile *p, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(p);
    struct tuple t = { .profile = p, .streams = s };
    if (!stream || stream > s->count || !s->tuple_begin || !s->tuple_kind) return t;
    t.begin = s->tuple_begin[stream];
    t.end = s->tuple_begin[stream + 1];
    return t;
}

static uint64_t logical_at(const struct tuple *t, uint32_t i) { return t->streams->tuple_logical ? t->streams->tuple_logical[i] : 0; }

static bool has_element(const struct tuple *t, uint32_t kind, uint64_t logical)
{
    for (uint32_t i = t->begin; i < t->end; i++)
        if (t->streams->tuple_kind[i].v == kind && logical_at(t, i) == logical) return true;
    return false;
}

/* Whether an element of the first line's tuple says nothing, because every line has it. */
static bool is_everywhere(const struct timeline *t, uint32_t kind, uint64_t logical)
{
    for (size_t i = 0; i < t->lines.len; i++) {
        struct tuple other = tuple_of(t->profile, t->lines.at[i].stream);
        if (!has_element(&other, kind, logical)) return false;
    }
    return true;
}

struct common {
    uint32_t kind;
    uint64_t logical;
};
enum { COMMON_MOST = 16 };

static bool is_common(const struct common *list, size_t count, uint32_t kind, uint64_t logical)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == kind && list[i].logical == logical) return true;
    return false;
}

/* The text of a tuple without what is common; of one that has nothing else, its last element. */
static size_t put_tuple(const struct tuple *t, const struct common *common, size_t count, char *buf, size_t room)
{
    size_t used = 0;
    buf[0] = '\0';
    for (uint32_t i = t->begin; i < t->end && used < room; i++) {
        uint64_t logical = logical_at(t, i);
        if (is_common(common, count, t->streams->tuple_kind[i].v, logical) && (used || i + 1 < t->end)) continue;
        assay_slice kind = assay_profile_string(t->profile, t->streams->tuple_kind[i]);
        int n = snprintf(buf + used, room - used, "%s%.*s %llu", used ? " " : "", (int)(kind.len < 40 ? kind.len : 40), kind.data ? kind.data : "",
                         (unsigned long long)logical);
        used += n > 0 ? (size_t)n : 0;
    }
    return used < room ? used : room - 1;
}

static size_t find_common(const struct timeline *t, struct common *list)
{
    size_t count = 0;
    if (!t->lines.len) return 0;
    struct tuple first = tuple_of(t->profile, t->lines.at[0].stream);
    for (uint32_t i = first.begin; i < first.end && count < COMMON_MOST; i++) {
        uint32_t kind = first.streams->tuple_kind[i].v;
        if (is_everywhere(t, kind, logical_at(&first, i))) list[count++] = (struct common){ kind, logical_at(&first, i) };
    }
    return count;
}

static bool put_labels(struct timeline *t)
{
    const struct assay_streams *s = assay_profile_streams(t->profile);
    struct common common[COMMON_MOST];
    size_t count = find_common(t, common);
    for (size_t i = 0; i < t->lines.len; i++) {
        struct timeline_line *line = &t->lines.at[i];
        char buf[400];
        struct tuple tuple = tuple_of(t->profile, line->stream);
        assay_slice label = s->label && line->stream ? assay_profile_string(t->profile, s->label[line->stream]) : SLICE("");
        if (tuple.begin < tuple.end) label = (assay_slice){ buf, put_tuple(&tuple, common, count, buf, sizeof buf) };
        if (!label.len && line->stream) label = (assay_slice){ buf, (size_t)snprintf(buf, sizeof buf, "stream %u", line->stream) };
        line->label = arena_copy(&t->text, label.len ? label : SLICE("all"));
        if (!line->label) return false;
    }
    return true;
}

/* Lines that are called alike stand together: they get numbers. */
static bool number_labels(struct timeline *t)
{
    char buf[440];
    for (size_t i = 1, alike = 1; i < t->lines.len; i++) {
        bool is_same = strcmp(t->lines.at[i].label, t->lines.at[i - alike].label) == 0;
        alike = is_same ? alike + 1 : 1;
        if (!is_same) continue;
        int len = snprintf(buf, sizeof buf, "%.400s (%zu)", t->lines.at[i].label, alike);
        t->lines.at[i].label = arena_copy(&t->text, (assay_slice){ buf, (size_t)len });
        if (!t->lines.at[i].label) return false;
    }
    return true;
}

/* ---- order ---- */

/* HPCToolkit's order of kinds; others come after them, by name. */
static unsigned rank_of(assay_slice kind)
{
    static const char *const kinds[] = { "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE" };
    unsigned i = 0;
    while (i < sizeof kinds / sizeof *kinds && !slice_is(kind, kinds[i])) i++;
    return i;
}

struct ordering {
    const assay_profile *profile;
    struct timeline_line line;
};

static int compare_elements(const struct tuple *a, uint32_t i, const struct tuple *b, uint32_t j)
{
    assay_slice x = assay_profile_string(a->profile, a->streams->tuple_kind[i]), y = assay_profile_string(b->profile, b->streams->tuple_kind[j]);
    unsigned r = rank_of(x), s = rank_of(y);
    ORDER_BY(r, s);
    int c = slice_compare(x, y);
    if (c) return c;
    return (logical_at(a, i) > logical_at(b, j)) - (logical_at(a, i) < logical_at(b, j));
}

static int by_tuple(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    struct tuple s = tuple_of(a->profile, a->line.stream), t = tuple_of(b->profile, b->line.stream);
    uint32_t i = s.begin, j = t.begin;
    for (; i < s.end && j < t.end; i++, j++) {
        int c = compare_elements(&s, i, &t, j);
        if (c) return c;
    }
    if ((i < s.end) != (j < t.end)) return i < s.end ? 1 : -1;
    return ORDER(a->line.stream, b->line.stream);
}

static bool sort_lines(struct timeline *t)
{
    size_t count = t->lines.len;
    SCRATCH(struct ordering, list, t->mem, count + 1);
    if (!list) return false;
    for (size_t i = 0; i < count; i++) list[i] = (struct ordering){ t->profile, t->lines.at[i] };
    if (count) sort_by(list, count, sizeof *list, by_tuple);
    for (size_t i = 0; i < count; i++) t->lines.at[i] = list[i].line;
    return true;
}

/* ---- lines ---- */

static assay_slice unit_of(const struct assay_timeline *m, const assay_profile *p, uint32_t stream)
{
    assay_slice s = assay_profile_string(p, m->unit ? m->unit[stream] : (assay_str_id){ 0 });
    return s.data ? s : SLICE("ns");
}

static uint64_t event_count(const struct assay_timeline *m, uint32_t stream) { return m->begin[stream + 1] - m->begin[stream]; }

/* Time, if any stream has it; else the unit of the first. */
static const char *choose_unit(const assay_profile *p)
{
    const struct assay_timeline *m = assay_profile_timeline(p);
    const char *first = NULL;
    for (uint32_t s = 0; s <= m->stream_count; s++) {
        if (!event_count(m, s)) continue;
        assay_slice unit = unit_of(m, p, s);
        if (slice_is(unit, "ns")) return "ns";
        if (!first) first = unit.data;
    }
    return first ? first : "ns";
}

static int add_line(struct timeline *t, uint32_t stream, assay_error *err)
{
    const struct assay_timeline *m = assay_profile_timeline(t->profile);
    size_t first = (size_t)m->begin[stream], count = (size_t)event_count(m, stream);
    struct timeline_line *line = vec_push(t->mem, &t->lines);
    if (!line) return error_memory(err);
    *line = (struct timeline_line){ .stream = stream, .time = m->time + first, .node = m->node + first, .count = count, .events = count };
    if (!m->is_spans || !m->is_spans[stream]) return 0;
    size_t before = t->own_time.len;
    TRY(timeline_add_spans(t, m->time + first, m->duration ? m->duration + first : NULL, m->node + first, count, err));
    line->time = NULL;
    line->count = t->own_time.len - before;
    t->is_spans = true;
    return 0;
}

/* Events that were made lie where the vectors ended up. */
static void settle_lines(struct timeline *t)
{
    size_t at = 0;
    for (size_t i = 0; i < t->lines.len; i++) {
        struct timeline_line *line = &t->lines.at[i];
        if (line->time || !line->count) continue;
        line->time = t->own_time.at + at;
        line->node = t->own_node.at + at;
        at += line->count;
    }
}

static int add_lines(struct timeline *t, assay_error *err)
{
    const struct assay_timeline *m = assay_profile_timeline(t->profile);
    t->unit = choose_unit(t->profile);
    for (uint32_t s = 0; s <= m->stream_count; s++) {
        if (!event_count(m, s)) continue;
        if (slice_is(unit_of(m, t->profile, s), t->unit))
            TRY(add_line(t, s, err));
        else
            t->other_units++;
    }
    return 0;
}

/* A line of instants alone has nothing to show, but its events are there. */
static void find_extent(struct timeline *t)
{
    bool is_first = true;
    for (size_t i = 0; i < t->lines.len; i++) {
        const struct timeline_line *line = &t->lines.at[i];
        t->events += line->events;
        if (!line->count) continue;
        if (is_first || line->time[0] < t->first) t->first = line->time[0];
        if (is_first || line->time[line->count - 1] > t->last) t->last = line->time[line->count - 1];
        is_first = false;
    }
}

/* ---- stacks ---- */

static bool find_levels(struct timeline *t)
{
    const struct frames *f = &t->frames;
    t->level = mem_zalloc(t->mem, f->len, sizeof *t->level);
    if (!t->level) return false;
    for (uint32_t node = 1; node < f->len; node++) t->level[node] = t->level[frames_parent(f, node)] + (f->owner[node] == node);
    return true;
}

size_t timeline_event_at(const struct timeline_line *line, int64_t time)
{
    size_t low = 0, high = line->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (line->time[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

static bool has_traces(const assay_profile *p)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->value[i] && slice_is(assay_profile_string(p, c->name[i]), "traces")) return true;
    return false;
}

static int refuse(const assay_profile *p, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p) | assay_profile_offers(p);
    if (shapes & ASSAY_SHAPE_TIMELINE || has_traces(p)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no samples, so there is nothing to show over time");
    if (shapes & ASSAY_SHAPE_COVERAGE) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has coverage, not timestamps");
    FAIL(err, ASSAY_ERR_UNSUPPORTED,
         "has cost, not timestamps or an order of calls; use an HPCToolkit trace, Xdebug, webgrind 4 or NYTProf with calls ('assay top' shows the functions)");
}

static int collect(struct timeline *t, assay_error *err)
{
    if (assay_profile_timeline(t->profile)->count) return add_lines(t, err);
    if (!assay_profile_tree(t->profile)->is_whole || !assay_profile_tree(t->profile)->count) return refuse(t->profile, err);
    t->is_laid_out = true;
    return timeline_lay_out(t, err);
}

/* The ends of the events of another profile, where they are in the same unit. */
static void widen(struct timeline *t, const assay_profile *whole)
{
    const struct assay_timeline *m = assay_profile_timeline(whole);
    for (uint32_t s = 0; m->count && s <= m->stream_count; s++) {
        uint64_t count = event_count(m, s);
        if (!count || !slice_is(unit_of(m, whole, s), t->unit)) continue;
        const int64_t *time = m->time + m->begin[s];
        if (time[0] < t->begin) t->begin = time[0];
        for (uint64_t i = m->is_spans && m->is_spans[s] && m->duration ? 0 : count - 1; i < count; i++) {
            int64_t end = time[i], length = m->duration ? m->duration[m->begin[s] + i] : 0;
            if (__builtin_add_overflow(end, length > 0 ? length : 0, &end)) end = INT64_MAX;
            if (end > t->end) t->end = end;
        }
    }
}

int timeline_init(struct timeline *t, struct mem *mem, const assay_profile *p, const assay_profile *whole, assay_error *err)
{
    *t = (struct timeline){ .mem = mem, .profile = p, .unit = "ns", .stream_count = assay_profile_streams(whole)->count };
    arena_init(&t->text, mem);
    TRY(frames_init(&t->frames, assay_profile_tree(p), mem, err));
    TRY(collect(t, err));
    settle_lines(t);
    if (!t->lines.len) return refuse(p, err);
    if (!find_levels(t) || !sort_lines(t) || !put_labels(t) || !number_labels(t)) return error_memory(err);
    find_extent(t);
    t->begin = t->first;
    t->end = t->last;
    if (whole != p) widen(t, whole);
    return 0;
}

void timeline_done(struct timeline *t)
{
    if (!t->mem) return;
    mem_free(t->mem, t->level, t->level ? t->frames.len * sizeof *t->level : 0);
    vec_done(t->mem, &t->lines, &t->own_time, &t->own_node, &t->exact, &t->totals, &t->parts, &t->used);
    frames_done(&t->frames);
    arena_done(&t->text);
    *t = (struct timeline){ 0 };
}
