/* How long each line was in each context, and what that is by function at a depth; see analysis/timeline/timeline.h. */
#include <stdio.h>
#include <string.h>

#include "analysis/timeline/fill.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

enum { DEPTH_MOST = 64 /* that is looked at for a default */ };

/* ---- functions ---- */

static uint32_t func_count(const struct timeline *t) { return assay_profile_funcs(t->profile)->count; }

uint32_t timeline_key_count(const struct timeline *t) { return func_count(t) + 2 + t->frames.tree->count; }

uint32_t timeline_key(const struct timeline *t, uint32_t frame)
{
    const struct assay_tree *tree = t->frames.tree;
    uint32_t func = tree->func ? tree->func[frame].v : 0, unknown = func_count(t) + 1;
    if (!frame) return 0;
    if (func) return func;
    return tree->flags && tree->flags[frame] & ASSAY_NODE_NO_PLACE ? unknown + frame : unknown;
}

uint32_t timeline_func(const struct timeline *t, uint32_t key) { return key <= func_count(t) ? key : 0; }

assay_slice timeline_name(const struct timeline *t, uint32_t key, char *buf)
{
    const struct assay_tree *tree = t->frames.tree;
    uint32_t unknown = func_count(t) + 1;
    if (!key) return SLICE("<idle>");
    if (key < unknown) {
        const struct assay_funcs *f = assay_profile_funcs(t->profile);
        assay_slice name = assay_profile_string(t->profile, f->name ? f->name[key] : (assay_str_id){ 0 });
        return name.len ? name : SLICE("<unknown>");
    }
    if (key == unknown) return SLICE("<unknown>");
    uint64_t origin = tree->origin ? tree->origin[key - unknown] : key - unknown;
    return (assay_slice){ buf, (size_t)snprintf(buf, 48, "context %llu", (unsigned long long)origin) };
}

void timeline_show(const struct timeline *t, uint32_t depth, uint32_t *shown)
{
    const struct frames *f = &t->frames;
    shown[0] = 0;
    for (uint32_t node = 1; node < f->len; node++) {
        uint32_t frame = f->owner[node] ? f->owner[node] : node; /* what belongs to nothing stands for itself */
        shown[node] = t->level[node] <= depth ? frame : shown[frames_parent(f, node)];
    }
}

/* ---- times of contexts ---- */

/* What a thread adds up for one line. */
struct measuring {
    struct timeline_fill fill;
    uint32_t deepest;
};

struct all_lines {
    struct timeline *t;
    uint64_t *all;          /* by node, over all lines */
    struct measuring *each; /* by worker */
};

/* What a coarse tree left together is known apart for the window that it was read for. */
static void measure_exact(const struct timeline *t, struct measuring *m, const struct timeline_line *line)
{
    for (size_t i = timeline_event_at(line, t->from); i + 1 < line->count && line->time[i] < t->to; i++)
        if (line->time[i + 1] > t->from && t->level[line->node[i].v] > m->deepest) m->deepest = t->level[line->node[i].v];
    for (size_t i = 0; i < t->exact.len; i++)
        if (t->exact.at[i].stream == line->stream) timeline_fill_add(&m->fill, t->exact.at[i].node, t->exact.at[i].time);
    m->fill.events = line->count;
}

/* Every context of a damaged file lies in the tree: the builder saw to that. */
static int measure_line(void *arg, unsigned worker, uint64_t i, assay_error *err)
{
    const struct all_lines *a = arg;
    const struct timeline *t = a->t;
    const struct timeline_line *line = &t->lines.at[i];
    struct measuring *m = &a->each[worker];
    (void)err;
    if (t->is_coarse)
        measure_exact(t, m, line);
    else
        timeline_fill_line(&m->fill, line, timeline_event_at(line, t->from), t->from, t->to);
    return 0;
}

static uint64_t add_up(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static int keep_parts(void *arg, unsigned worker, uint64_t number, assay_error *err)
{
    const struct all_lines *a = arg;
    struct timeline *t = a->t;
    struct timeline_line *line = &t->lines.at[number];
    struct measuring *m = &a->each[worker];
    const struct timeline_fill *f = &m->fill;
    line->part = t->parts.len;
    line->part_count = f->touched_count;
    line->recorded = f->recorded;
    line->idle = f->time[0];
    if (!vec_reserve(t->mem, &t->parts, f->touched_count)) return error_memory(err);
    for (size_t i = 0; i < f->touched_count; i++) {
        uint32_t node = f->touched[i];
        t->parts.at[t->parts.len++] = (struct timeline_part){ node, f->time[node] };
        a->all[node] = add_up(a->all[node], f->time[node]);
        if (t->level[node] > m->deepest) m->deepest = t->level[node];
    }
    if (m->deepest > t->deepest) t->deepest = m->deepest;
    t->events_inside += f->events;
    timeline_fill_clear(&m->fill);
    return 0;
}

static int measure(struct all_lines *a, assay_error *err)
{
    struct timeline *t = a->t;
    SCOPED(arena_done) struct arena scratch;
    arena_init(&scratch, t->mem);
    unsigned workers = timeline_workers(t, t->lines.len);
    a->each = arena_zalloc(&scratch, workers, sizeof *a->each);
    for (unsigned i = 0; a->each && i < workers; i++)
        if (!timeline_fill_init(&a->each[i].fill, &scratch, t->frames.len)) return error_memory(err);
    if (!a->each) return error_memory(err);
    TRY(parallel_run(&(struct parallel){ .count = t->lines.len, .workers = workers, .arg = a, .make = measure_line, .take = keep_parts }, err));
    for (uint32_t node = 0; node < t->frames.len; node++) {
        struct timeline_part *part = a->all[node] ? vec_push(t->mem, &t->used) : NULL;
        if (a->all[node] && !part) return error_memory(err);
        if (part) *part = (struct timeline_part){ node, a->all[node] };
    }
    return 0;
}

int timeline_measure(struct timeline *t, const struct time_window *window, assay_error *err)
{
    t->from = t->first;
    t->to = t->last;
    if (window) TRY(time_window_apply(window, strcmp(t->unit, "ns") == 0 ? 1e9 : 1, t->begin, t->end, &t->from, &t->to, err));
    if (window && t->is_coarse) time_window_snap(t->tick, t->last, &t->from, &t->to);
    SCRATCH(uint64_t, all, t->mem, t->frames.len);
    if (!all) return error_memory(err);
    t->parts.len = t->used.len = 0;
    t->events_inside = t->deepest = 0;
    return measure(&(struct all_lines){ .t = t, .all = all }, err);
}

/* ---- shares ---- */

struct sharing {
    const struct timeline *t;
    struct timeline_shares *s;
    uint32_t *shown;  /* by node */
    uint32_t *row_of; /* by key: row + 1 */
    uint64_t *time;   /* by row, of one line */
};

static int by_time(const void *x, const void *y)
{
    const struct timeline_part *a = x, *b = y;
    ORDER_BY(b->time, a->time);
    return ORDER(a->node, b->node);
}

/* The rows of everything that occurs. */
static bool find_rows(struct sharing *h)
{
    for (size_t i = 0; i < h->t->used.len; i++) {
        uint32_t key = timeline_key(h->t, h->shown[h->t->used.at[i].node]);
        if (!key || h->row_of[key]) continue;
        struct timeline_share *row = vec_push(h->s->mem, &h->s->rows);
        if (!row) return false;
        *row = (struct timeline_share){ .key = key };
        h->row_of[key] = (uint32_t)h->s->rows.len;
    }
    return true;
}

static bool share_line(struct sharing *h, const struct timeline_line *line)
{
    struct timeline_shares *s = h->s;
    size_t first = s->parts.len;
    for (size_t i = line->part; i < line->part + line->part_count; i++) {
        const struct timeline_part *part = &h->t->parts.at[i];
        uint32_t key = timeline_key(h->t, h->shown[part->node]);
        if (!key) continue;
        uint32_t row = h->row_of[key] - 1;
        if (!h->time[row]) {
            struct timeline_part *slot = vec_push(s->mem, &s->parts);
            if (!slot) return false;
            slot->node = row;
        }
        h->time[row] += part->time;
    }
    for (size_t i = first; i < s->parts.len; i++) {
        struct timeline_share *row = &s->rows.at[s->parts.at[i].node];
        s->parts.at[i].time = h->time[s->parts.at[i].node];
        h->time[s->parts.at[i].node] = 0;
        row->time = wide_add_u64(row->time, s->parts.at[i].time);
        row->lines++;
    }
    if (s->parts.len > first) sort_by(s->parts.at + first, s->parts.len - first, sizeof *s->parts.at, by_time);
    s->recorded = wide_add_u64(s->recorded, line->recorded);
    s->idle = wide_add_u64(s->idle, line->idle);
    return true;
}

/* ---- order of rows ---- */

struct ordering {
    const struct timeline *t;
    struct timeline_share row;
    uint32_t was;
};

static int by_share(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    char one[48], other[48];
    int c = wide_compare(b->row.time, a->row.time);
    if (!c) c = slice_compare(timeline_name(a->t, a->row.key, one), timeline_name(b->t, b->row.key, other));
    return c ? c : ORDER(a->row.key, b->row.key);
}

static int by_lines(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    return a->row.lines != b->row.lines ? ORDER(b->row.lines, a->row.lines) : by_share(x, y);
}

static int by_name(const void *x, const void *y)
{
    const struct ordering *a = x, *b = y;
    char one[48], other[48];
    int c = slice_compare(timeline_name(a->t, a->row.key, one), timeline_name(b->t, b->row.key, other));
    return c ? c : by_share(x, y);
}

int timeline_shares_order(const struct timeline *t, const struct timeline_shares *s, enum timeline_sort sort, uint32_t *order, assay_error *err)
{
    static int (*const compare[])(const void *, const void *) = { by_share, by_lines, by_name };
    size_t count = s->rows.len;
    SCRATCH(struct ordering, list, s->mem, count + 1);
    if (!list) return error_memory(err);
    for (uint32_t i = 0; i < count; i++) list[i] = (struct ordering){ t, s->rows.at[i], i };
    if (count) sort_by(list, count, sizeof *list, compare[sort]);
    for (uint32_t i = 0; i < count; i++) order[i] = list[i].was;
    return 0;
}

static bool sort_rows(struct sharing *h)
{
    struct timeline_shares *s = h->s;
    size_t count = s->rows.len;
    SCRATCH(struct ordering, list, s->mem, count + 1);
    SCRATCH(uint32_t, place, s->mem, count + 1);
    bool done = list && place;
    for (uint32_t i = 0; done && i < count && (done = !cancel_at(i)); i++) list[i] = (struct ordering){ h->t, s->rows.at[i], i };
    if (done && count) sort_by(list, count, sizeof *list, by_share);
    for (uint32_t i = 0; done && i < count && (done = !cancel_at(i)); i++) {
        s->rows.at[i] = list[i].row;
        place[list[i].was] = i;
    }
    for (size_t i = 0; done && i < s->parts.len && (done = !cancel_at(i)); i++) s->parts.at[i].node = place[s->parts.at[i].node];
    return done;
}

static bool share(struct sharing *h)
{
    const struct timeline *t = h->t;
    timeline_show(t, h->s->depth, h->shown);
    if (!find_rows(h)) return false;
    SCRATCH(uint64_t, time, t->mem, h->s->rows.len + 1);
    if (!time) return false;
    h->time = time;
    for (size_t i = 0; i < t->lines.len; i++) {
        h->s->first[i] = h->s->parts.len;
        if (cancel_at(i) || !share_line(h, &t->lines.at[i])) return false;
    }
    h->s->first[t->lines.len] = h->s->parts.len;
    return sort_rows(h);
}

int timeline_shares_at(const struct timeline *t, uint32_t depth, struct timeline_shares *out, assay_error *err)
{
    *out = (struct timeline_shares){ .mem = t->mem, .depth = depth, .line_count = t->lines.len };
    SCRATCH(uint32_t, shown, t->mem, t->frames.len);
    SCRATCH(uint32_t, row_of, t->mem, timeline_key_count(t));
    struct sharing h = { .t = t, .s = out, .shown = shown, .row_of = row_of };
    out->first = mem_zalloc(t->mem, t->lines.len + 1, sizeof *out->first);
    return out->first && shown && row_of && share(&h) ? 0 : error_memory(err);
}

void timeline_shares_done(struct timeline_shares *s)
{
    if (!s->mem) return;
    vec_done(s->mem, &s->rows, &s->parts);
    mem_free(s->mem, s->first, s->first ? (s->line_count + 1) * sizeof *s->first : 0);
    *s = (struct timeline_shares){ 0 };
}

/* ---- a depth worth a look ---- */

/* Where stacks begin is all alike to somebody who asks for functions. */
static uint32_t key_for_choice(const struct timeline *t, uint32_t frame)
{
    return frame && frames_kind(&t->frames, frame) == ASSAY_NODE_ENTRY ? func_count(t) + 1 : timeline_key(t, frame);
}

/* The largest share of a function at this depth, of what is not idle. `time` is by key. */
static double largest(const struct timeline *t, uint32_t depth, uint32_t *shown, double *time)
{
    double most = 0, busy = 0;
    timeline_show(t, depth, shown);
    for (size_t i = 0; i < t->used.len; i++) time[key_for_choice(t, shown[t->used.at[i].node])] = 0;
    for (size_t i = 0; i < t->used.len; i++) {
        uint32_t key = key_for_choice(t, shown[t->used.at[i].node]);
        if (!key) continue;
        time[key] += (double)t->used.at[i].time;
        busy += (double)t->used.at[i].time;
        if (time[key] > most) most = time[key];
    }
    return busy > 0 ? most / busy : 0;
}

int timeline_choose_depth(const struct timeline *t, uint32_t *depth, assay_error *err)
{
    size_t keys = timeline_key_count(t);
    SCRATCH(uint32_t, shown, t->mem, t->frames.len);
    SCRATCH(double, time, t->mem, keys);
    double best = 2;
    if (!shown || !time) return error_memory(err);
    *depth = 1;
    for (uint32_t d = 1; best > 0.5 && d <= t->deepest && d <= DEPTH_MOST; d++) {
        double share = largest(t, d, shown, time);
        if (share > best || (share == best && share < 1)) continue;
        best = share;
        *depth = d;
    }
    return 0;
}
