/* A timeline in columns and rows: what fills most of each; see analysis/timeline/timeline.h. One pass over the events serves all depths. */
#include <math.h>

#include "analysis/timeline/timeline.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/wide.h"

/* What is shown of a context. */
struct seen_as {
    uint32_t frame, key;
};

struct drawing {
    const struct timeline *t;
    struct timeline_picture *p;
    uint32_t row;
    struct seen_as *seen; /* [layer * nodes + node] */
    size_t *cursor;       /* by line of a row: the event that fills the beginning of the column */
    /* one column */
    uint64_t *time; /* by node; zero but for those of `touched` */
    VEC(uint32_t) touched;
    uint64_t recorded;
    /* of its contexts at one depth */
    uint64_t *frame_time; /* by node; zero in between */
    uint64_t *key_time;   /* by key; zero in between */
};

/* ---- one column ---- */

static bool add_time(struct drawing *d, uint32_t node, uint64_t time)
{
    if (!d->time[node]) {
        uint32_t *slot = vec_push(d->t->mem, &d->touched);
        if (!slot) return false;
        *slot = node;
    }
    d->time[node] += time;
    d->recorded += time;
    return true;
}

/* Adds what `line` did between low and high, and moves its cursor to the event that fills high. */
static bool add_line(struct drawing *d, const struct timeline_line *line, size_t *cursor, int64_t low, int64_t high)
{
    size_t i = *cursor;
    for (; i + 1 < line->count && line->time[i] < high; i++) {
        int64_t begin = line->time[i] > low ? line->time[i] : low, end = line->time[i + 1] < high ? line->time[i + 1] : high;
        if (end > begin && !add_time(d, line->node[i].v, (uint64_t)end - (uint64_t)begin)) return false;
        if (line->time[i + 1] > high) break;
    }
    *cursor = i;
    return true;
}

/* The function with the most time, and of its frames the one with the most; of equal ones those with the smaller number. */
static uint32_t choose_frame(struct drawing *d, const struct seen_as *seen)
{
    uint32_t best_key = 0, best = 0;
    uint64_t most = 0, frame_most = 0;
    for (size_t i = 0; i < d->touched.len; i++) {
        uint32_t node = d->touched.at[i];
        struct seen_as as = seen[node];
        if (!as.key) continue;
        uint64_t time = d->key_time[as.key] += d->time[node];
        d->frame_time[as.frame] += d->time[node];
        if (time < most || (time == most && as.key > best_key)) continue;
        most = time;
        best_key = as.key;
    }
    for (size_t i = 0; i < d->touched.len; i++) {
        struct seen_as as = seen[d->touched.at[i]];
        uint64_t time = d->frame_time[as.frame];
        if (as.key == best_key && (time > frame_most || (time == frame_most && as.frame < best))) {
            frame_most = time;
            best = as.frame;
        }
        d->frame_time[as.frame] = d->key_time[as.key] = 0;
    }
    return best;
}

static bool add_run(struct drawing *d, struct timeline_layer *layer, struct timeline_run run)
{
    const struct timeline_run *last = layer->runs.len > layer->first[d->row] ? &layer->runs.at[layer->runs.len - 1] : NULL;
    if (last && last->frame == run.frame && last->quarters == run.quarters && last->is_empty == run.is_empty) return true;
    struct timeline_run *slot = vec_push(d->t->mem, &layer->runs);
    if (slot) *slot = run;
    return slot;
}

static bool end_column(struct drawing *d, uint32_t column)
{
    uint64_t busy = d->recorded - d->time[0];
    struct timeline_run run = { .column = column, .is_empty = !d->recorded };
    if (busy) run.quarters = (uint8_t)ceil((double)busy / (double)d->recorded * TIMELINE_QUARTERS);
    for (uint32_t k = 0; k < d->p->layer_count; k++) {
        run.frame = busy ? choose_frame(d, d->seen + k * d->t->frames.len) : 0;
        if (!add_run(d, &d->p->layers[k], run)) return false;
    }
    for (size_t i = 0; i < d->touched.len; i++) d->time[d->touched.at[i]] = 0;
    d->touched.len = 0;
    d->recorded = 0;
    return true;
}

/* ---- rows ---- */

int64_t timeline_edge(const struct timeline *t, const struct timeline_picture *p, uint32_t column)
{
    uint64_t span = (uint64_t)t->to - (uint64_t)t->from;
    return (int64_t)((uint64_t)t->from + u128_quotient(u128_product(span, column), p->columns, NULL).low);
}

static bool draw_row(struct drawing *d, const struct timeline_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) d->cursor[i] = timeline_event_at(&lines[i], d->t->from);
    int64_t low = d->t->from;
    for (uint32_t column = 0; column < d->p->columns; column++) {
        int64_t high = timeline_edge(d->t, d->p, column + 1);
        for (size_t i = 0; i < count; i++)
            if (!add_line(d, &lines[i], &d->cursor[i], low, high)) return false;
        if (!end_column(d, column)) return false;
        low = high;
    }
    return true;
}

static bool draw_rows(struct drawing *d)
{
    struct timeline_picture *p = d->p;
    for (uint32_t row = d->row = 0; row < p->rows; row = ++d->row) {
        size_t begin = (size_t)row * p->lines_each, end = begin + p->lines_each;
        for (uint32_t k = 0; k < p->layer_count; k++) p->layers[k].first[row] = p->layers[k].runs.len;
        if (end > d->t->lines.len) end = d->t->lines.len;
        if (!draw_row(d, d->t->lines.at + begin, end - begin)) return false;
    }
    for (uint32_t k = 0; k < p->layer_count; k++) p->layers[k].first[p->rows] = p->layers[k].runs.len;
    return true;
}

/* ---- all of it ---- */

static bool begin_layers(struct timeline_picture *p, const uint32_t *depths, uint32_t count)
{
    p->layers = mem_zalloc(p->mem, count, sizeof *p->layers);
    if (!p->layers) return false;
    p->layer_count = count;
    for (uint32_t k = 0; k < count; k++) {
        p->layers[k].depth = depths[k];
        p->layers[k].first = mem_zalloc(p->mem, (size_t)p->rows + 1, sizeof *p->layers[k].first);
        if (!p->layers[k].first) return false;
    }
    return true;
}

int timeline_draw(const struct timeline *t, uint32_t columns, uint32_t most_rows, const uint32_t *depths, uint32_t depth_count, struct timeline_picture *out,
                  assay_error *err)
{
    size_t lines = t->lines.len, nodes = t->frames.len;
    uint64_t span = (uint64_t)t->to - (uint64_t)t->from;
    *out = (struct timeline_picture){ .mem = t->mem, .columns = columns < span ? columns : span ? (uint32_t)span : 1 };
    out->lines_each = (uint32_t)((lines + most_rows - 1) / most_rows);
    out->rows = (uint32_t)((lines + out->lines_each - 1) / out->lines_each);
    SCRATCH(uint32_t, shown, t->mem, nodes);
    SCRATCH(struct seen_as, seen, t->mem, nodes * depth_count);
    SCRATCH(size_t, cursor, t->mem, out->lines_each);
    SCRATCH(uint64_t, time, t->mem, nodes);
    SCRATCH(uint64_t, frame_time, t->mem, nodes);
    SCRATCH(uint64_t, key_time, t->mem, timeline_key_count(t));
    if (!shown || !seen || !cursor || !time || !frame_time || !key_time || !begin_layers(out, depths, depth_count)) return error_memory(err);
    for (uint32_t k = 0; k < depth_count; k++) {
        timeline_show(t, depths[k], shown);
        for (size_t node = 0; node < nodes; node++) seen[k * nodes + node] = (struct seen_as){ shown[node], timeline_key(t, shown[node]) };
    }
    struct drawing d = { .t = t, .p = out, .seen = seen, .cursor = cursor, .time = time, .frame_time = frame_time, .key_time = key_time };
    vec_scoped(t->mem, &d.touched);
    return draw_rows(&d) ? 0 : error_memory(err);
}

void timeline_picture_done(struct timeline_picture *p)
{
    if (!p->mem) return;
    for (uint32_t k = 0; k < p->layer_count; k++) {
        vec_done(p->mem, &p->layers[k].runs);
        mem_free(p->mem, p->layers[k].first, ((size_t)p->rows + 1) * sizeof *p->layers[k].first);
    }
    mem_free(p->mem, p->layers, p->layer_count * sizeof *p->layers);
    *p = (struct timeline_picture){ 0 };
}
