/* Self and total time of functions over the stacks of a timeline; see analysis/timeline/chart.h. */
#include "analysis/core/walk.h"
#include "analysis/timeline/chart.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

struct totalling {
    const struct timeline *t;
    struct timeline_totals *s;
    uint32_t *row_of; /* by key: row + 1 */
    uint32_t *seen;   /* by node: the last line that had it on a stack, + 1 */
    VEC(uint32_t) key_lines;
    assay_wide *time; /* by node: with everything below */
    uint32_t *open;   /* by row: nodes of the function that the walk is in */
};

static uint32_t frame_of(const struct timeline *t, uint32_t node) { return t->frames.owner[node] ? t->frames.owner[node] : node; }

/* The row of a frame; 0 = no memory. */
static uint32_t row_for(struct totalling *h, uint32_t frame)
{
    uint32_t key = timeline_key(h->t, frame);
    if (h->row_of[key]) return h->row_of[key];
    struct timeline_total *row = vec_push(h->s->mem, &h->s->rows);
    if (!row) return 0;
    *row = (struct timeline_total){ .key = key };
    return h->row_of[key] = (uint32_t)h->s->rows.len;
}

/* On how many lines each function is: frames above one that was seen on this line were seen too. */
static bool count_line(struct totalling *h, uint32_t number, const struct timeline_line *line)
{
    const struct timeline *t = h->t;
    for (size_t i = line->part; i < line->part + line->part_count; i++)
        for (uint32_t frame = frame_of(t, t->parts.at[i].node); frame && h->seen[frame] != number; frame = t->frames.owner[frames_parent(&t->frames, frame)]) {
            uint32_t row = row_for(h, frame);
            if (!row) return false;
            h->seen[frame] = number;
            while (h->key_lines.len <= row) {
                uint32_t *slot = vec_push(t->mem, &h->key_lines);
                if (!slot) return false;
                *slot = 0;
            }
            h->s->rows.at[row - 1].lines += !t->totals.len && h->key_lines.at[row] != number;
            h->key_lines.at[row] = number;
        }
    h->s->recorded = wide_add_u64(h->s->recorded, line->recorded);
    h->s->idle = wide_add_u64(h->s->idle, line->idle);
    return true;
}

static void add_self(struct totalling *h)
{
    const struct timeline *t = h->t;
    for (size_t i = 0; i < t->parts.len; i++) {
        uint32_t frame = frame_of(t, t->parts.at[i].node);
        if (!frame) continue;
        struct timeline_total *row = &h->s->rows.at[h->row_of[timeline_key(t, frame)] - 1];
        row->self = wide_add_u64(row->self, t->parts.at[i].time);
        h->time[frame] = wide_add_u64(h->time[frame], t->parts.at[i].time);
    }
    for (uint32_t node = (uint32_t)t->frames.len - 1; node > 0; node--) {
        uint32_t above = t->frames.owner[frames_parent(&t->frames, node)];
        if (h->seen[node] && above) h->time[above] = wide_add(h->time[above], h->time[node]);
    }
}

/* Where functions were summed up by themselves. */
static bool take_totals(struct totalling *h)
{
    const struct timeline *t = h->t;
    for (size_t i = 0; i < t->totals.len; i++) {
        uint32_t row = row_for(h, t->totals.at[i].node);
        if (!row) return false;
        struct timeline_total *total = &h->s->rows.at[row - 1];
        total->total = wide_add_u64(total->total, t->totals.at[i].time);
        total->lines++;
    }
    return true;
}

/* A frame counts unless its function is on the stack above it. */
static int add_totals(struct totalling *h, assay_error *err)
{
    SCOPED(walk_done) struct walk w = { 0 };
    TRY(walk_init(&w, h->t->frames.tree, h->t->mem, err));
    while (walk_next(&w)) {
        if (!h->seen[w.node]) continue;
        uint32_t row = h->row_of[timeline_key(h->t, w.node)] - 1;
        struct timeline_total *total = &h->s->rows.at[row];
        if (w.is_leaving) {
            h->open[row]--;
        } else if (!h->open[row]++) {
            total->total = wide_add(total->total, h->time[w.node]);
        }
    }
    return 0;
}

/* ---- order ---- */

struct ordering {
    const struct timeline *t;
    struct timeline_total row;
    uint32_t was;
};

static int compare_names(const struct ordering *a, const struct ordering *b)
{
    char one[48], other[48];
    int c = slice_compare(timeline_name(a->t, a->row.key, one), timeline_name(b->t, b->row.key, other));
    return c ? c : ORDER(a->row.key, b->row.key);
}

static int by_self(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    int c = wide_compare(b->row.self, a->row.self);
    if (!c) c = wide_compare(b->row.total, a->row.total);
    return c ? c : compare_names(a, b);
}

static int by_lines(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    return a->row.lines != b->row.lines ? ORDER(b->row.lines, a->row.lines) : by_self(x, y);
}

static int by_name(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    char one[48], other[48];
    int c = slice_compare(timeline_name(a->t, a->row.key, one), timeline_name(b->t, b->row.key, other));
    return c ? c : by_self(x, y);
}

static void fill_sorted(const struct timeline *t, const struct timeline_totals *s, enum timeline_sort sort, struct ordering *list)
{
    static int (*const compare[])(const void *, const void *) = { by_self, by_lines, by_name };
    for (uint32_t i = 0; i < s->rows.len; i++) list[i] = (struct ordering){ t, s->rows.at[i], i };
    if (s->rows.len) sort_by(list, s->rows.len, sizeof *list, compare[sort]);
}

int timeline_totals_order(const struct timeline *t, const struct timeline_totals *s, enum timeline_sort sort, uint32_t *order, assay_error *err)
{
    SCRATCH(struct ordering, list, s->mem, s->rows.len + 1);
    if (!list) return error_memory(err);
    fill_sorted(t, s, sort, list);
    for (uint32_t i = 0; i < s->rows.len; i++) order[i] = list[i].was;
    return 0;
}

static bool sort_rows(struct totalling *h)
{
    SCRATCH(struct ordering, list, h->s->mem, h->s->rows.len + 1);
    if (!list) return false;
    fill_sorted(h->t, h->s, TIMELINE_SORT_TIME, list);
    for (size_t i = 0; i < h->s->rows.len; i++) h->s->rows.at[i] = list[i].row;
    return true;
}

/* ---- all of it ---- */

static int add_all(struct totalling *h, assay_error *err)
{
    for (size_t i = 0; i < h->t->lines.len; i++)
        if (!count_line(h, (uint32_t)i + 1, &h->t->lines.at[i])) return error_memory(err);
    SCRATCH(uint32_t, open, h->t->mem, h->s->rows.len + 1);
    if (!open) return error_memory(err);
    h->open = open;
    add_self(h);
    if (!h->t->totals.len)
        TRY(add_totals(h, err));
    else if (!take_totals(h))
        return error_memory(err);
    return sort_rows(h) ? 0 : error_memory(err);
}

int timeline_totals_new(const struct timeline *t, struct timeline_totals *out, assay_error *err)
{
    *out = (struct timeline_totals){ .mem = t->mem };
    SCRATCH(uint32_t, row_of, t->mem, timeline_key_count(t));
    SCRATCH(uint32_t, seen, t->mem, t->frames.len);
    SCRATCH(assay_wide, time, t->mem, t->frames.len);
    struct totalling h = { .t = t, .s = out, .row_of = row_of, .seen = seen, .time = time };
    vec_scoped(t->mem, &h.key_lines);
    return row_of && seen && time ? add_all(&h, err) : error_memory(err);
}

void timeline_totals_done(struct timeline_totals *s)
{
    if (s->mem) vec_done(s->mem, &s->rows);
    *s = (struct timeline_totals){ 0 };
}
