/* Calling contexts of two profiles, matched by name; see paths.h. */
#include "analysis/diff/paths.h"

#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/kids.h"
#include "base/scoped.h"
#include "base/slice.h"

struct matching {
    struct paths_diff *d;
    struct kids *kids; /* rows by parent and name */
    uint32_t *row_of;  /* by row of the side that is taken */
    const struct paths *of[PATHS_SIDES];
};

/* ---- rows of both ---- */

/* 0 = no memory */
static uint32_t row_for(struct matching *m, uint32_t parent, assay_slice name, uint8_t kind)
{
    struct paths *s = &m->d->shown;
    uint32_t handle = intern_put(&m->d->names, name), id = handle ? kids_put(m->kids, parent, handle) : 0;
    if (id < s->rows.len) return id;
    struct path_row *row = vec_push(s->mem, &s->rows);
    if (!row) return 0;
    *row = (struct path_row){ .parent = parent, .func = handle, .kind = kind, .depth = s->rows.at[parent].depth + 1 };
    if (row->depth > s->depth) s->depth = row->depth;
    return id;
}

static bool match_rows(struct matching *m, enum paths_side side, uint32_t *row_of)
{
    const struct paths *p = m->of[side];
    for (uint32_t row = 1; row < p->rows.len; row++) {
        if (cancel_at(row)) return false;
        row_of[row] = row_for(m, row_of[p->rows.at[row].parent], paths_name(p, row), p->rows.at[row].kind);
        if (!row_of[row]) return false;
    }
    return true;
}

/* ---- figures ---- */

static bool make_sums(struct paths_diff *d)
{
    bool done = true;
    d->len = d->shown.rows.len;
    for (int side = 0; side < PATHS_SIDES; side++) {
        done = sums_init(&d->self[side], d->mem, d->type, d->len) && done;
        done = sums_init(&d->total[side], d->mem, d->type, d->len) && done;
        d->calls[side] = mem_zalloc(d->mem, d->len, sizeof **d->calls);
        done = done && d->calls[side];
    }
    d->sides = mem_zalloc(d->mem, d->len, 1);
    return done && d->sides;
}

static void add(struct sums *to, size_t i, const struct sums *from, size_t j)
{
    if (from->type == to->type)
        sums_add_sum(to, i, from, j);
    else
        sums_add(to, i, (assay_value){ .d = value_double(from->type, sums_value(from, j)) });
}

static void add_figures(struct matching *m, enum paths_side side, const uint32_t *row_of)
{
    struct paths_diff *d = m->d;
    const struct paths *p = m->of[side];
    for (uint32_t row = 0; row < p->rows.len && !cancel_at(row); row++) {
        uint32_t to = row_of[row];
        uint64_t *calls = &d->calls[side][to], more = p->rows.at[row].calls;
        *calls = *calls > UINT64_MAX - more ? UINT64_MAX : *calls + more;
        d->sides[to] |= (uint8_t)(1 << side);
        add(&d->self[side], to, &p->self, row);
        add(&d->total[side], to, &p->total, row);
    }
}

static void sum_up(struct paths_diff *d)
{
    double before = value_double(d->type, sums_value(&d->total[PATHS_BEFORE], 0)), after = value_double(d->type, sums_value(&d->total[PATHS_AFTER], 0));
    d->scale = d->options.normalise && before > 0 && after > 0 ? after / before : 1;
    for (uint32_t row = 1; row < d->len && !cancel_at(row); row++) {
        d->largest = fmax(d->largest, fabs(paths_diff_self_change(d, row)));
        d->new_count += paths_diff_is_new(d, row);
        d->gone_count += paths_diff_is_gone(d, row);
        if (paths_diff_is_gone(d, row)) d->gone_self += paths_diff_self(d, PATHS_BEFORE, row);
        d->shown.rows.at[row].calls = d->calls[d->options.by][row];
    }
}

/* ---- all of it ---- */

static bool fill(struct matching *m, uint32_t *row_of[PATHS_SIDES])
{
    struct paths_diff *d = m->d;
    struct path_row *whole = vec_push(d->mem, &d->shown.rows);
    if (!whole || !row_of[PATHS_BEFORE] || !row_of[PATHS_AFTER]) return false;
    *whole = (struct path_row){ 0 };
    if (!match_rows(m, PATHS_AFTER, row_of[PATHS_AFTER]) || !match_rows(m, PATHS_BEFORE, row_of[PATHS_BEFORE]) || !make_sums(d)) return false;
    for (int side = 0; side < PATHS_SIDES; side++) add_figures(m, (enum paths_side)side, row_of[side]);
    sum_up(d);
    return paths_order(&d->shown, m->kids, &d->total[d->options.by]);
}

int paths_diff_init(struct paths_diff *d, struct mem *mem, const struct paths *before, const struct paths *after, const struct paths_diff_options *options,
                    assay_error *err)
{
    *d = (struct paths_diff){ .mem = mem, .options = *options, .type = before->type == after->type ? before->type : ASSAY_F64, .scale = 1 };
    d->shown = (struct paths){ .mem = mem, .profile = after->profile, .metric = after->metric, .type = d->type };
    intern_init(&d->names, mem);
    SCOPED(kids_done) struct kids kids;
    kids_init(&kids, mem);
    SCRATCH(uint32_t, from_before, mem, before->rows.len);
    SCRATCH(uint32_t, from_after, mem, after->rows.len);
    struct matching m = { .d = d, .of = { before, after }, .kids = &kids };
    return fill(&m, (uint32_t *[PATHS_SIDES]){ from_before, from_after }) ? 0 : error_memory(err);
}

void paths_diff_done(struct paths_diff *d)
{
    for (int side = 0; side < PATHS_SIDES; side++) {
        if (d->self[side].mem) sums_done(&d->self[side]);
        if (d->total[side].mem) sums_done(&d->total[side]);
        mem_free(d->mem, d->calls[side], d->calls[side] ? d->len * sizeof **d->calls : 0);
    }
    mem_free(d->mem, d->sides, d->sides ? d->len : 0);
    vec_done(d->mem, &d->shown.rows);
    intern_done(&d->names);
}

assay_slice paths_diff_name(const struct paths_diff *d, uint32_t row) { return row ? intern_get(&d->names, d->shown.rows.at[row].func) : SLICE(""); }

static double figure(const struct paths_diff *d, const struct sums *sums, enum paths_side side, uint32_t row)
{
    double v = value_double(d->type, sums_value(&sums[side], row));
    return side == PATHS_BEFORE ? v * d->scale : v;
}

double paths_diff_self(const struct paths_diff *d, enum paths_side side, uint32_t row) { return figure(d, d->self, side, row); }
double paths_diff_total(const struct paths_diff *d, enum paths_side side, uint32_t row) { return figure(d, d->total, side, row); }
