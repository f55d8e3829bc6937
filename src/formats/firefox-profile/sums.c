/* Self and total of functions, straight from the stack table: for those who want no more, such as `top`, a tree of millions of contexts need not be made.
 * Each stack that samples have is walked once, from its leaf to its root. A function that calls itself counts once, as in the tree. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "formats/firefox-profile/read.h"

enum { MOST_STEPS = 64 };

/* What a walk needs of a row of stackTable, in one place. */
struct step {
    int32_t prefix;
    uint32_t func; /* row of funcTable */
};

struct function {
    int64_t self, total;
    uint32_t stack;  /* number of the last stack that has it */
    uint32_t thread; /* number of the thread, and kind of samples, that the sums are of */
};

struct summing {
    struct firefox_reader *r;
    struct function *funcs; /* by function */
    uint32_t stack, thread;
    /* Of the tables at hand. */
    struct firefox_naming *names;
    struct step *steps;
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
    for (uint32_t row = 0; row < rows && !cancel_at(row); row++) f->slot.at[row] = prefix[row] < 0 ? 1 : f->slot.at[prefix[row]] + 1;
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
    uint32_t enough = ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE | ASSAY_WANT_PAIRS | ASSAY_WANT_COVERAGE, want = assay_builder_want(r->b);
    double all = 0;
    if (!(want & ASSAY_WANT_SUMS) || (want & ~enough)) return false;
    for (size_t i = 0; i < r->f->cells.len && !cancel_at(i); i++) all += fabs(r->f->cells.at[i].sum);
    for (unsigned m = 0; m < FIREFOX_METRICS; m++)
        if (r->metric[m].v && (m == FIREFOX_BY_TIME || r->f->has_fraction[m])) return false;
    return all < 9e15 && are_shallow(r->f);
}

/* ---- sums ---- */

static int book(struct summing *s, assay_stream_id stream, unsigned place, unsigned metrics)
{
    assay_value values[FIREFOX_METRICS] = { { 0 } };
    for (uint32_t id = 1; id <= s->r->functions; id++) {
        struct function *f = &s->funcs[id];
        TRY(cancel_step(id, s->r->err));
        if (f->thread != s->thread) continue;
        values[place].i = f->self;
        assay_build_self(s->r->b, &(struct assay_place){ .stream = stream, .func = { id } }, values, metrics);
        values[place].i = f->total;
        assay_build_stated(s->r->b, stream, (assay_func_id){ id }, 0, values, metrics);
        f->self = f->total = 0;
    }
    return assay_builder_failed(s->r->b);
}

static struct function *function_of(struct summing *s, uint32_t row)
{
    assay_func_id id = s->names->funcs[row];
    return &s->funcs[id.v ? id.v : firefox_function(s->names, row).v];
}

static void add_stack(struct summing *s, int32_t row, int64_t value)
{
    s->stack++;
    function_of(s, s->steps[row].func)->self += value;
    for (; row >= 0; row = s->steps[row].prefix) {
        struct function *f = function_of(s, s->steps[row].func);
        if (f->stack == s->stack) continue;
        f->stack = s->stack;
        f->thread = s->thread;
        f->total += value;
    }
}

static int sum_samples(struct summing *s, const struct firefox_samples *of, assay_stream_id stream, unsigned metrics)
{
    s->thread++;
    for (size_t c = of->cells; c < of->cells_end; c++) {
        const struct firefox_cell *cell = &s->r->f->cells.at[c];
        TRY(cancel_step(c, s->r->err));
        add_stack(s, (int32_t)cell->row, (int64_t)cell->sum + (int64_t)cell->rest);
    }
    return book(s, stream, s->r->place[of->metric], metrics);
}

static int sum_tables(struct summing *s, unsigned metrics)
{
    const struct firefox *f = s->r->f;
    const struct firefox_tables *t = s->names->t;
    uint32_t rows = t->length[FIREFOX_STACKS];
    SCRATCH(struct step, steps, s->r->mem, (size_t)rows + 1);
    if (!steps) return error_memory(s->r->err);
    s->steps = steps;
    for (uint32_t row = 0; row < rows; row++) {
        TRY(cancel_step(row, s->r->err));
        steps[row].prefix = t->column[FIREFOX_PREFIX - FIREFOX_FRAME].at[row];
        steps[row].func = (uint32_t)t->column[FIREFOX_FUNC - FIREFOX_FRAME].at[t->column[0].at[row]];
    }
    for (size_t i = 0; i < f->threads.len; i++) {
        const struct firefox_thread *of = &f->threads.at[i];
        if (of->tables != s->names->at || !s->r->streams[i].v) continue;
        for (unsigned k = 0; k < 3; k++)
            if (of->samples[k].is_sound) TRY(sum_samples(s, &of->samples[k], s->r->streams[i], metrics));
    }
    return 0;
}

int firefox_build_sums(struct firefox_reader *r)
{
    size_t most = 1;
    unsigned metrics = 0;
    assay_metric_id list[FIREFOX_METRICS];
    for (unsigned m = 0; m < FIREFOX_METRICS; m++)
        if (r->metric[m].v) list[metrics++] = r->metric[m];
    for (size_t i = 0; i < r->f->tables.len; i++) most += r->f->tables.at[i].length[FIREFOX_FUNCS];
    SCRATCH(struct function, funcs, r->mem, most);
    if (!funcs) return error_memory(r->err);
    assay_build_graph_metrics(r->b, list, metrics);
    struct summing s = { .r = r, .funcs = funcs };
    for (uint32_t i = 0; i < r->f->tables.len; i++) {
        SCOPED(firefox_naming_done) struct firefox_naming names = { 0 };
        s.names = &names;
        if (!is_usable(r->f, i)) continue;
        TRY(firefox_naming_init(&names, r, i));
        TRY(sum_tables(&s, metrics));
    }
    return assay_builder_failed(r->b);
}
