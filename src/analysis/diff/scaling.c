/* Scaling of runs; see scaling.h. */
#include "analysis/diff/scaling.h"

#include <math.h>

#include "analysis/streams/groups.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "model/value.h"

int scaling_ranks(const assay_profile *p, struct mem *mem, uint64_t *out, assay_error *err)
{
    static const enum stream_by kinds[] = { STREAM_BY_RANK, STREAM_BY_PROCESS, STREAM_BY_THREAD };
    *out = 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        SCOPED(stream_groups_done) struct stream_groups g = { .mem = NULL };
        assay_error cause = { 0 };
        int rc = stream_groups_init(&g, p, kinds[i], mem, &cause);
        if (rc == 0) return *out = g.count, 0;
        if (rc != ASSAY_ERR_UNSUPPORTED) return *err = cause, rc;
    }
    return 0;
}

static double quotient(double a, double b) { return b != 0 ? a / b : (double)NAN; }

static struct scaling_cost cost_of(double before, double after, double growth)
{
    struct scaling_cost c = { .before = before, .ideal = before * growth, .after = after };
    c.loss = c.after - c.ideal;
    c.efficiency = quotient(c.ideal, c.after);
    return c;
}

static int by_loss(const void *pa, const void *pb)
{
    const struct scaling_row *a = pa, *b = pb;
    if (a->self.loss != b->self.loss) return a->self.loss < b->self.loss ? 1 : -1;
    if (a->total.loss != b->total.loss) return a->total.loss < b->total.loss ? 1 : -1;
    return ORDER(a->row, b->row);
}

/* Those that cost nothing in either run are left out. */
static int fill_rows(struct scaling *s, struct scaling_run *run, double growth, assay_error *err)
{
    const assay_profile_diff *d = run->diff;
    enum assay_type type = d->metrics[d->metric].type;
    run->rows = mem_zalloc(s->mem, d->count + 1, sizeof *run->rows);
    if (!run->rows) return error_memory(err);
    for (size_t row = 0; row < d->count; row++) {
        TRY(cancel_step(row, err));
        size_t at = row * d->metric_count + d->metric;
        struct scaling_row *to = &run->rows[run->count];
        *to = (struct scaling_row){ .row = row };
        to->self = cost_of(value_double(type, d->before_self[at]), value_double(type, d->after_self[at]), growth);
        to->total = cost_of(value_double(type, d->before_total[at]), value_double(type, d->after_total[at]), growth);
        to->share = quotient(to->self.loss, run->cost.loss);
        run->count += to->self.before != 0 || to->self.after != 0 || to->total.before != 0 || to->total.after != 0;
    }
    sort_by(run->rows, run->count, sizeof *run->rows, by_loss);
    return 0;
}

static int compare(struct scaling *s, size_t i, const assay_profile *const *p, const struct assay_profile_diff_options *options, assay_error *err)
{
    struct scaling_run *run = &s->runs[i];
    struct assay_profile_diff_options o = *options;
    double more = (double)run->ranks / (double)s->runs[0].ranks, growth = s->kind == SCALING_WEAK ? more : 1;
    o.size = sizeof o;
    o.all = true;
    TRY(assay_profile_diff_new(p[0], p[i], &o, &run->diff, err));
    const assay_profile_diff *d = run->diff;
    if (!d->metric_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "the inputs have no metric to compare");
    const assay_diff_metric *m = &d->metrics[d->metric];
    if (d->metric >= d->first_formula) FAIL(err, ASSAY_ERR_USAGE, "a metric that adds up over functions is needed, not '%.60s'", m->name);
    run->cost = cost_of(m->before_total, m->after_total, growth);
    run->speedup = quotient(m->before_total * more, m->after_total);
    s->metric = m->name;
    s->unit = m->unit;
    s->runs[0].cost = cost_of(m->before_total, m->before_total, 1);
    return fill_rows(s, run, growth, err);
}

static int by_ranks(const void *a, const void *b) { return ORDER(((const struct scaling_run *)a)->ranks, ((const struct scaling_run *)b)->ranks); }

int scaling_init(struct scaling *s, enum scaling_kind kind, const assay_profile *const *p, const struct scaling_run *runs, size_t count,
                 const struct assay_profile_diff_options *options, struct mem *mem, assay_error *err)
{
    *s = (struct scaling){ .mem = mem, .kind = kind, .count = count };
    s->runs = mem_zalloc(mem, count, sizeof *s->runs);
    if (!s->runs) return error_memory(err);
    for (size_t i = 0; i < count; i++) s->runs[i] = (struct scaling_run){ .path = runs[i].path, .ranks = runs[i].ranks };
    s->runs[0].speedup = 1;
    for (size_t i = 1; i < count; i++) TRY(compare(s, i, p, options, err));
    sort_by(s->runs + 1, count - 1, sizeof *s->runs, by_ranks);
    return 0;
}

void scaling_done(struct scaling *s)
{
    for (size_t i = 0; s->runs && i < s->count; i++) {
        struct scaling_run *run = &s->runs[i];
        mem_free(s->mem, run->rows, run->rows ? (run->diff->count + 1) * sizeof *run->rows : 0);
        assay_profile_diff_free(run->diff);
    }
    if (s->mem) mem_free(s->mem, s->runs, s->runs ? s->count * sizeof *s->runs : 0);
    *s = (struct scaling){ .mem = NULL };
}
