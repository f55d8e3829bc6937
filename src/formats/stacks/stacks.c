/* See stacks.h. */
#include "formats/stacks/stacks.h"

#include <math.h>

#include "analysis/core/metric_columns.h"
#include "analysis/core/units.h"
#include "analysis/paths/estimate.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "base/slice.h"

assay_slice stacks_name(const struct stacks *s, uint32_t func)
{
    assay_slice name = func ? assay_profile_string(s->p, assay_profile_funcs(s->p)->name[func]) : SLICE("<unknown>");
    return name.data ? name : SLICE("");
}

assay_slice stacks_file(const struct stacks *s, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(s->p);
    if (!func || !f->file || !f->file[func].v) return (assay_slice){ NULL, 0 };
    return assay_profile_string(s->p, assay_profile_files(s->p)->path[f->file[func].v]);
}

/* ---- figures ---- */

static int is_value(void *arg, const assay_cell *cell)
{
    bool *any = arg;
    *any |= cell->node != 0;
    return *any;
}

/* What functions cost themselves is the file's own where it says so, as in every report: a database may have left out the points that it adds up. */
static assay_scope_id column_of_self(const struct columns *c) { return c->function.v ? c->function : c->point; }

bool stacks_has_values(const struct stacks *s, assay_stream_id stream, assay_metric_id m)
{
    bool any = false;
    struct columns c = columns_of(s->p, m);
    if (!column_of_self(&c).v) return stream.v == 0;
    assay_tree_column(s->p, stream, column_of_self(&c), is_value, &any, NULL);
    return any;
}

struct of_stream {
    const assay_profile *p;
    assay_stream_id stream;
};

static int add_of_stream(const void *arg, assay_scope_id column, struct sums *values, assay_error *err)
{
    const struct of_stream *of = arg;
    return columns_add_stream(of->p, of->stream, column, values, err);
}

int stacks_self(const struct stacks *s, assay_stream_id stream, assay_metric_id m, struct sums *self, bool *any)
{
    struct columns c = columns_of(s->p, m);
    const struct of_stream of = { s->p, stream };
    const struct column_source from = { add_of_stream, &of };
    *any = false;
    if (column_of_self(&c).v)
        TRY(columns_self_of(&from, &s->frames, &c, self, s->err));
    else if (!stream.v)
        TRY(columns_self(s->p, &s->frames, &c, self, s->err));
    for (size_t node = s->frames.len; node-- > 1;) {
        uint32_t owner = s->frames.owner[node];
        double v = value_double(self->type, sums_value(self, node));
        TRY(cancel_step(node, s->err));
        *any |= v < 0 || v > 0;
        if (owner == node) continue;
        if (owner) sums_add_sum(self, owner, self, node);
        sums_set_zero(self, node);
    }
    return 0;
}

void stacks_put_number(struct json *j, double v)
{
    if (v == floor(v) && fabs(v) < 9007199254740992.0)
        json_i64(j, (int64_t)v);
    else
        json_double(j, v);
}

/* ---- losses ---- */

static bool are_alike(const struct stacks *s, assay_metric_id a, assay_metric_id b, bool has_times_alike)
{
    assay_slice x = slice_of(units_name(s->p, a)), y = slice_of(units_name(s->p, b));
    return slice_equal(x, y) || (units_is_count(x) && units_is_count(y)) || (has_times_alike && units_time(x) > 0 && units_time(y) > 0);
}

uint32_t stacks_metrics_alike(const struct stacks *s, bool has_times_alike)
{
    uint32_t alike = 0;
    for (uint32_t i = 0; i < s->metric_count; i++) {
        bool is = false;
        for (uint32_t k = 0; k < s->metric_count && !is; k++) is = k != i && are_alike(s, s->metrics[i], s->metrics[k], has_times_alike);
        alike += is;
    }
    return alike;
}

void stacks_note_losses(const struct stacks *s)
{
    if (s->is_estimated) losses_add(s->job->losses, "estimated", 1, "stacks are estimated from a call graph: only the sums of functions are exact");
}

/* ---- trees and estimates ---- */

static int choose_metrics(struct stacks *s)
{
    if (!s->job->options->metric) {
        s->metric_count = columns_metrics(s->p, s->metrics);
        return 0;
    }
    s->metric_count = 1;
    return metric_choose_one(&(struct metric_set){ .profile = s->p, .shapes = ASSAY_SHAPE_TREE }, s->job->options->metric, &s->metrics[0], s->err);
}

static int write_tree(struct stacks *s, stacks_fn write)
{
    SCRATCH(assay_metric_id, metrics, s->job->mem, (size_t)assay_profile_metrics(s->p)->count + 1);
    if (!metrics) return error_memory(s->err);
    s->metrics = metrics;
    TRY(choose_metrics(s));
    int rc = frames_init(&s->frames, assay_profile_tree(s->p), s->job->mem, s->err);
    if (rc == 0) rc = write(s);
    frames_done(&s->frames);
    return rc;
}

/* Without contexts, and unless an estimate is refused. */
static int write_estimate(struct stacks *s, stacks_fn write)
{
    assay_profile *made = NULL;
    struct estimate_options o = { .max_memory = s->job->mem->limit };
    s->is_estimated = true;
    TRY(metric_choose_one(&(struct metric_set){ .profile = s->p, .shapes = ASSAY_SHAPE_GRAPH }, s->job->options->metric, &o.metric, s->err));
    int rc = estimate_tree(s->p, &o, &made, s->err);
    s->p = made;
    if (rc == 0) rc = write_tree(s, write);
    assay_profile_release(made);
    return rc;
}

int stacks_write(const assay_profile *p, const struct write_job *job, struct output *out, const char *name, stacks_fn write, assay_error *err)
{
    struct stacks s = { .p = p, .job = job, .out = out, .err = err };
    if (assay_profile_tree(p)->count) return write_tree(&s, write);
    if (!job->options->no_estimate && assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) return write_estimate(&s, write);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "%s needs call stacks, and this file has none", name);
}

uint32_t stacks_wants(const struct assay_write_options *options, const char *version)
{
    (void)version;
    uint32_t graph = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS, tree = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE;
    if (options && options->estimate) return tree | graph;
    return options && options->no_estimate ? tree : tree | ASSAY_WANT_EITHER | graph;
}
