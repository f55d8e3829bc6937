/* A timeline in columns and rows: what fills most of each; see analysis/timeline/timeline.h. One pass over the events serves all depths. Each thread draws rows. */
#include <math.h>
#include <string.h>

#include "analysis/timeline/fill.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "base/wide.h"

/* What is shown of a context. */
struct seen_as {
    uint32_t frame, key;
};

/* A thread draws one row. */
struct drawing {
    const struct plan *plan;
    struct timeline_fill fill; /* one column: times of contexts, or of frames where there is one depth */
    size_t *cursor;            /* by line of a row: the event that fills the beginning of the column */
    uint64_t *frame_time;      /* by node; zero in between */
    uint64_t *key_time;        /* by key; zero in between */
    struct timeline_run *runs; /* [layer * columns + number] */
    uint32_t *run_count;       /* by layer */
};

struct plan {
    const struct timeline *t;
    struct timeline_picture *p;
    const int64_t *edge;  /* by column; one more for the end */
    struct seen_as *seen; /* [layer * nodes + node] */
    struct drawing *each; /* by worker */
};

/* ---- one column ---- */

/* The function with the most time, and of its frames the one with the most; of equal ones those with the smaller number. */
static uint32_t choose_frame(struct drawing *d, const struct seen_as *seen)
{
    const struct timeline_fill *f = &d->fill;
    uint32_t best_key = 0, best = 0;
    uint64_t most = 0, frame_most = 0;
    for (size_t i = 0; i < f->touched_count; i++) {
        uint32_t node = f->touched[i];
        struct seen_as as = seen[node];
        if (!as.key) continue;
        uint64_t time = d->key_time[as.key] += f->time[node];
        d->frame_time[as.frame] += f->time[node];
        if (time < most || (time == most && as.key > best_key)) continue;
        most = time;
        best_key = as.key;
    }
    for (size_t i = 0; i < f->touched_count; i++) {
        struct seen_as as = seen[f->touched[i]];
        uint64_t time = d->frame_time[as.frame];
        if (as.key == best_key && (time > frame_most || (time == frame_most && as.frame < best))) {
            frame_most = time;
            best = as.frame;
        }
        d->frame_time[as.frame] = d->key_time[as.key] = 0;
    }
    return best;
}

static void add_run(struct drawing *d, uint32_t layer, struct timeline_run run)
{
    struct timeline_run *next = d->runs + (size_t)layer * d->plan->p->columns + d->run_count[layer];
    const struct timeline_run *last = d->run_count[layer] ? next - 1 : NULL;
    if (last && last->frame == run.frame && last->quarters == run.quarters && last->is_empty == run.is_empty) return;
    *next = run;
    d->run_count[layer]++;
}

static void end_column(struct drawing *d, uint32_t column)
{
    struct timeline_fill *f = &d->fill;
    uint64_t busy = f->recorded - f->time[0];
    struct timeline_run run = { .column = column, .is_empty = !f->recorded };
    if (busy) run.quarters = (uint8_t)ceil((double)busy / (double)f->recorded * TIMELINE_QUARTERS);
    for (uint32_t k = 0; k < d->plan->p->layer_count; k++) {
        run.frame = busy ? choose_frame(d, d->plan->seen + k * d->plan->t->frames.len) : 0;
        add_run(d, k, run);
    }
    timeline_fill_clear(f);
}

/* ---- rows ---- */

int64_t timeline_edge(const struct timeline *t, const struct timeline_picture *p, uint32_t column)
{
    uint64_t span = (uint64_t)t->to - (uint64_t)t->from;
    return (int64_t)((uint64_t)t->from + u128_quotient(u128_product(span, column), p->columns, NULL).low);
}

static int draw_row(void *arg, unsigned worker, uint64_t row, assay_error *err)
{
    const struct plan *plan = arg;
    const struct timeline_picture *p = plan->p;
    struct drawing *d = &plan->each[worker];
    size_t first = (size_t)row * p->lines_each, count = plan->t->lines.len - first;
    const struct timeline_line *lines = plan->t->lines.at + first;
    (void)err;
    if (count > p->lines_each) count = p->lines_each;
    for (size_t i = 0; i < count; i++) d->cursor[i] = timeline_event_at(&lines[i], plan->t->from);
    for (uint32_t k = 0; k < p->layer_count; k++) d->run_count[k] = 0;
    for (uint32_t column = 0; column < p->columns; column++) {
        for (size_t i = 0; i < count; i++) d->cursor[i] = timeline_fill_line(&d->fill, &lines[i], d->cursor[i], plan->edge[column], plan->edge[column + 1]);
        end_column(d, column);
    }
    return 0;
}

static int keep_row(void *arg, unsigned worker, uint64_t row, assay_error *err)
{
    const struct plan *plan = arg;
    const struct timeline_picture *p = plan->p;
    const struct drawing *d = &plan->each[worker];
    for (uint32_t k = 0; k < p->layer_count; k++) {
        struct timeline_layer *layer = &p->layers[k];
        if (!vec_reserve(p->mem, &layer->runs, d->run_count[k])) return error_memory(err);
        memcpy(layer->runs.at + layer->runs.len, d->runs + (size_t)k * p->columns, d->run_count[k] * sizeof *d->runs);
        layer->runs.len += d->run_count[k];
        layer->first[row + 1] = layer->runs.len;
    }
    return 0;
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

static bool begin_drawing(struct drawing *d, const struct plan *plan, const uint32_t *as, struct arena *scratch)
{
    const struct timeline_picture *p = plan->p;
    size_t nodes = plan->t->frames.len, runs;
    *d = (struct drawing){ .plan = plan, .fill = { .as = as } };
    if (!size_mul(&runs, p->layer_count, p->columns)) return false;
    d->cursor = arena_zalloc(scratch, p->lines_each, sizeof *d->cursor);
    d->frame_time = arena_zalloc(scratch, nodes, sizeof *d->frame_time);
    d->key_time = arena_zalloc(scratch, timeline_key_count(plan->t), sizeof *d->key_time);
    d->runs = arena_zalloc(scratch, runs, sizeof *d->runs);
    d->run_count = arena_zalloc(scratch, p->layer_count, sizeof *d->run_count);
    return d->cursor && d->frame_time && d->key_time && d->runs && d->run_count && timeline_fill_init(&d->fill, scratch, nodes);
}

/* By layer and node. What stands for a context at the only depth that is asked for is found once for each event: columns then have few frames. */
static struct seen_as *see(const struct timeline *t, const struct timeline_picture *p, uint32_t *shown, struct arena *scratch)
{
    size_t nodes = t->frames.len, count;
    struct seen_as *seen = size_mul(&count, nodes, p->layer_count) ? arena_zalloc(scratch, count, sizeof *seen) : NULL;
    for (uint32_t k = 0; seen && k < p->layer_count; k++) {
        timeline_show(t, p->layers[k].depth, shown);
        for (size_t node = 0; node < nodes; node++) {
            struct seen_as as = { shown[node], timeline_key(t, shown[node]) };
            seen[k * nodes + (p->layer_count == 1 ? as.frame : node)] = as;
        }
    }
    return seen;
}

static int draw_rows(struct plan *plan, struct arena *scratch, assay_error *err)
{
    const struct timeline *t = plan->t;
    struct timeline_picture *p = plan->p;
    unsigned workers = timeline_workers(t, p->rows);
    uint32_t *shown = arena_zalloc(scratch, t->frames.len, sizeof *shown);
    int64_t *edge = arena_zalloc(scratch, (size_t)p->columns + 1, sizeof *edge);
    plan->each = arena_zalloc(scratch, workers, sizeof *plan->each);
    if (!shown || !edge || !plan->each) return error_memory(err);
    for (uint32_t column = 0; column <= p->columns; column++) edge[column] = timeline_edge(t, p, column);
    plan->edge = edge;
    plan->seen = see(t, p, shown, scratch);
    if (!plan->seen) return error_memory(err);
    for (unsigned i = 0; i < workers; i++)
        if (!begin_drawing(&plan->each[i], plan, p->layer_count == 1 ? shown : NULL, scratch)) return error_memory(err);
    return parallel_run(&(struct parallel){ .count = p->rows, .workers = workers, .arg = plan, .make = draw_row, .take = keep_row }, err);
}

int timeline_draw(const struct timeline *t, uint32_t columns, uint32_t most_rows, const uint32_t *depths, uint32_t depth_count, struct timeline_picture *out,
                  assay_error *err)
{
    size_t lines = t->lines.len;
    uint64_t span = (uint64_t)t->to - (uint64_t)t->from;
    *out = (struct timeline_picture){ .mem = t->mem, .columns = columns < span ? columns : span ? (uint32_t)span : 1 };
    out->lines_each = (uint32_t)((lines + most_rows - 1) / most_rows);
    out->rows = (uint32_t)((lines + out->lines_each - 1) / out->lines_each);
    SCOPED(arena_done) struct arena scratch;
    arena_init(&scratch, t->mem);
    if (!begin_layers(out, depths, depth_count)) return error_memory(err);
    return draw_rows(&(struct plan){ .t = t, .p = out }, &scratch, err);
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
