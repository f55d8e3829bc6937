/* Self and total of functions, straight from the stack table: for those who want no more, such as `top`, a tree of millions of contexts need not be made.
 * Each stack that samples have is walked once, from its leaf to its root. A function that calls itself counts once, as in the tree. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/fetch.h"
#include "base/scoped.h"
#include "formats/firefox-profile/read.h"
#include "formats/stacks/sums.h"

enum { MOST_STEPS = 64 };

struct summing {
    struct firefox_reader *r;
    struct stack_sums sums;
    /* Of the tables at hand. */
    struct firefox_naming *names;
    uint32_t *func_of; /* by frame: the builder's function; 0 = it is not made so far */
};

/* ---- whether it can be done ---- */

/* How many steps the stacks of all samples of these tables take, with the depth of each row in f->slot. */
static double count_steps(const struct firefox *f, uint32_t at)
{
    const struct firefox_tables *t = &f->tables.at[at];
    const int32_t *prefix = t->column[FIREFOX_PREFIX - FIREFOX_FRAME].at;
    uint32_t rows = t->length[FIREFOX_STACKS];
    double all = 0;
    if (f->slot.len < rows) return 0; /* no samples */
    int32_t depth = 0;                /* of the row before, which most rows are called from */
    for (uint32_t row = 0; row < rows && !cancel_at(row); row++) {
        if (row + FIREFOX_AHEAD < rows && prefix[row + FIREFOX_AHEAD] >= 0) fetch_to_write(&f->slot.at[prefix[row + FIREFOX_AHEAD]]);
        if (prefix[row] < 0 || (uint32_t)prefix[row] + 1 != row) depth = prefix[row] < 0 ? 0 : f->slot.at[prefix[row]];
        f->slot.at[row] = ++depth;
    }
    for (size_t i = 0; i < f->threads.len; i++) {
        const struct firefox_thread *of = &f->threads.at[i];
        if (of->tables != at || !firefox_is_sound(f, of)) continue;
        for (unsigned k = 0; k < 3; k++)
            for (size_t c = of->samples[k].cells; of->samples[k].is_sound && c < of->samples[k].cells_end && !cancel_at(c); c++)
                all += f->slot.at[f->cells.at[c].row];
    }
    return all;
}

static bool is_usable(const struct firefox *f, uint32_t at) { return f->tables.at[at].is_sound && f->tables.at[at].has[FIREFOX_STACKS]; }

/* Stacks that are deeper than those of any program take too long one by one. */
static bool are_shallow(const struct firefox *f)
{
    for (uint32_t i = 0; i < f->tables.len; i++)
        if (is_usable(f, i) && count_steps(f, i) > MOST_STEPS * ((double)f->tables.at[i].length[FIREFOX_STACKS] + 4096)) return false;
    return true;
}

bool firefox_sums_will_do(const struct firefox_reader *r)
{
    double all = 0;
    if (!stack_sums_will_do(r->b)) return false;
    for (size_t i = 0; i < r->f->cells.len && !cancel_at(i); i++) all += fabs(r->f->cells.at[i].sum);
    for (unsigned m = 0; m < FIREFOX_METRICS; m++)
        if (r->metric[m].v && (m == FIREFOX_BY_TIME || r->f->has_fraction[m])) return false;
    return all < 9e15 && are_shallow(r->f);
}

/* ---- sums ---- */

static uint32_t function_of(struct summing *s, int32_t frame)
{
    if (!s->func_of[frame]) s->func_of[frame] = firefox_function(s->names, (uint32_t)s->names->t->column[FIREFOX_FUNC - FIREFOX_FRAME].at[frame]).v;
    return s->func_of[frame];
}

/* Several stacks are walked side by side, a step of each in turn: where one has to wait for its next row, the others need not. */
enum { LANES = 24, DEPTH = 256 };

struct lane {
    int32_t row; /* where its walk stands; below 0 = at the end */
    uint32_t depth;
    const struct firefox_cell *cell;
    int32_t path[DEPTH]; /* frames, the leaf first */
};

static void add_stack(struct summing *s, const struct lane *l, unsigned place)
{
    const int32_t *frame = s->names->t->column[0].at, *prefix = s->names->t->column[FIREFOX_PREFIX - FIREFOX_FRAME].at;
    int64_t values[FIREFOX_METRICS] = { 0 };
    uint32_t funcs[DEPTH];
    values[place] = (int64_t)l->cell->sum + (int64_t)l->cell->rest;
    for (uint32_t k = 0; k < l->depth; k++) funcs[k] = function_of(s, l->path[k]);
    stack_sums_leaf(&s->sums, function_of(s, l->path[0]), values);
    stack_sums_frames(&s->sums, funcs, l->depth, values);
    for (int32_t row = l->row; row >= 0; row = prefix[row]) stack_sums_frame(&s->sums, function_of(s, frame[row]), values);
}

/* What the next step of a lane reads. */
static inline void fetch_row(const int32_t *frame, const int32_t *prefix, int32_t row)
{
    if (row < 0) return;
    fetch(&frame[row]);
    fetch(&prefix[row]);
}

/* One more step for each lane; one that is done gets the next cell. Returns how many still walk. */
static unsigned step_lanes(struct summing *s, struct lane *lanes, unsigned count, const struct firefox_cell **next, const struct firefox_cell *end,
                           unsigned place)
{
    const int32_t *frame = s->names->t->column[0].at, *prefix = s->names->t->column[FIREFOX_PREFIX - FIREFOX_FRAME].at;
    for (unsigned i = 0; i < count; i++) {
        struct lane *l = &lanes[i];
        if (l->row >= 0 && l->depth < DEPTH) {
            l->path[l->depth++] = frame[l->row];
            l->row = prefix[l->row];
            fetch_row(frame, prefix, l->row);
            continue;
        }
        add_stack(s, l, place);
        if (*next == end) {
            if (i < --count) *l = lanes[count];
            i--;
            continue;
        }
        l->cell = (*next)++;
        l->row = (int32_t)l->cell->row;
        l->depth = 0;
        fetch_row(frame, prefix, l->row);
    }
    return count;
}

static int sum_samples(struct summing *s, const struct firefox_samples *of, assay_stream_id stream)
{
    struct lane lanes[LANES];
    const struct firefox_cell *next = vec_from(&s->r->f->cells, of->cells), *end = vec_from(&s->r->f->cells, of->cells_end);
    unsigned count = 0;
    for (; count < LANES && next < end; count++, next++) {
        lanes[count].cell = next;
        lanes[count].row = (int32_t)next->row;
        lanes[count].depth = 0;
    }
    for (size_t i = 0; count; i++) {
        TRY(cancel_step(i, s->r->err));
        count = step_lanes(s, lanes, count, &next, end, s->r->place[of->metric]);
    }
    return stack_sums_book(&s->sums, stream, s->r->err);
}

static int sum_tables(struct summing *s)
{
    const struct firefox *f = s->r->f;
    SCRATCH(uint32_t, func_of, s->r->mem, (size_t)s->names->t->length[FIREFOX_FRAMES] + 1);
    if (!func_of) return error_memory(s->r->err);
    s->func_of = func_of;
    for (size_t i = 0; i < f->threads.len; i++) {
        const struct firefox_thread *of = &f->threads.at[i];
        if (of->tables != s->names->at || !s->r->streams[i].v) continue;
        for (unsigned k = 0; k < 3; k++)
            if (of->samples[k].is_sound) TRY(sum_samples(s, &of->samples[k], s->r->streams[i]));
    }
    return 0;
}

static int sum_all(struct summing *s)
{
    struct firefox_reader *r = s->r;
    for (uint32_t i = 0; i < r->f->tables.len; i++) {
        SCOPED(firefox_naming_done) struct firefox_naming names = { 0 };
        s->names = &names;
        if (!is_usable(r->f, i)) continue;
        TRY(firefox_naming_init(&names, r, i));
        TRY(sum_tables(s));
    }
    return assay_builder_failed(r->b);
}

int firefox_build_sums(struct firefox_reader *r)
{
    uint64_t most = 0;
    unsigned metrics = 0;
    assay_metric_id list[FIREFOX_METRICS];
    for (unsigned m = 0; m < FIREFOX_METRICS; m++)
        if (r->metric[m].v) list[metrics++] = r->metric[m];
    for (size_t i = 0; i < r->f->tables.len; i++) most += r->f->tables.at[i].length[FIREFOX_FUNCS];
    if (most >= UINT32_MAX) return error_memory(r->err);
    struct summing s = { .r = r };
    int rc = stack_sums_init(&s.sums, r->mem, r->b, list, metrics, (uint32_t)most, false, r->err);
    if (rc == 0) rc = sum_all(&s);
    stack_sums_done(&s.sums);
    return rc;
}
