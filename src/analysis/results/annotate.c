/* assay_annotate: sources and what was measured of their lines (analysis/annotate) as columns, one file after another. */
#include "analysis/results/annotate_calls.h"

#include <stdlib.h>

#include "analysis/annotate/annotate.h"
#include "analysis/results/result.h"
#include "assay/annotate.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"

struct assay_annotate {
    assay_annotate_source pub; /* the source at hand */
    struct result base;        /* what lasts as long as this */
    struct annotate a;
    bool has_annotate;
    struct assay_filter filter; /* where none was given */
    struct metric_columns lines, calls;
    struct result_columns line_columns, call_columns;
    uint32_t *order;
    uint32_t count;
    struct result file; /* what lasts until the next source */
    assay_value *values;
    size_t value_len;
};

/* ---- which figures ---- */

static struct metric_set metrics_of(const struct annotate *a, const struct assay_block *block)
{
    return (struct metric_set){ .profile = line_costs_profile(&a->cost), .at = block->metrics, .count = block->metric_count };
}

/* What `metric` means of one block; where the other block has it, all of this one's default. */
static int choose(assay_annotate *n, const struct assay_block *block, struct metric_columns *columns, struct result_columns *shown, assay_error *err)
{
    if (!block || !block->metric_count) return ASSAY_ERR_USAGE;
    struct metric_set set = metrics_of(&n->a, block);
    TRY(metric_columns_init(columns, &n->base.mem, &set, n->base.metric, err));
    return result_columns_init(shown, &n->base, columns, err);
}

static int choose_default(assay_annotate *n, const struct assay_block *block, struct metric_columns *columns, struct result_columns *shown, assay_error *err)
{
    if (!block || !block->metric_count) return 0;
    const char *metric = n->base.metric;
    metric_columns_done(columns);
    n->base.metric = NULL;
    int rc = choose(n, block, columns, shown, err);
    n->base.metric = metric;
    return rc;
}

static int choose_columns(assay_annotate *n, assay_error *err)
{
    const struct line_costs *t = &n->a.cost;
    assay_error none = { 0 };
    bool has_any = (t->block && t->block->metric_count) || (t->calls_block && t->calls_block->metric_count);
    int lines = choose(n, t->block, &n->lines, &n->line_columns, err);
    int calls = choose(n, t->calls_block, &n->calls, &n->call_columns, &none);
    if (lines == ASSAY_ERR_MEMORY || calls == ASSAY_ERR_MEMORY) return error_memory(err);
    if (n->base.metric && lines && calls) {
        if (!has_any) FAIL(err, ASSAY_ERR_USAGE, "no line has a metric '%.60s'", n->base.metric);
        if (!t->block || !t->block->metric_count) *err = none;
        return ASSAY_ERR_USAGE;
    }
    if (lines) TRY(choose_default(n, t->block, &n->lines, &n->line_columns, err));
    if (calls) TRY(choose_default(n, t->calls_block, &n->calls, &n->call_columns, err));
    n->value_len = (size_t)n->lines.metric_count + n->calls.metric_count + 1;
    n->values = mem_zalloc(&n->base.mem, n->value_len, sizeof *n->values);
    return n->values ? 0 : error_memory(err);
}

/* ---- rows ---- */

struct rows {
    uint32_t *line, *branches, *branches_hit, *callee_begin;
    uint8_t *state;
    bool *has_hits, *has_cost;
    uint64_t *hits, *calls;
    assay_value *self, *total, *in_calls;
    assay_slice *text;
};
struct callees {
    assay_func_id *func;
    assay_slice *name;
    uint64_t *calls;
    assay_value *total, *recursive;
};

static int make_costs(assay_annotate *n, struct rows *w, size_t count, assay_error *err)
{
    bool failed = false;
    struct result *f = &n->file;
    size_t cells, call_cells;
    if (!size_mul(&cells, count, n->line_columns.count) || !size_mul(&call_cells, count, n->call_columns.count)) return error_memory(err);
    w->self = n->line_columns.count ? result_array(f, cells, sizeof *w->self, &failed) : NULL;
    w->total = n->line_columns.count && n->a.has_totals ? result_array(f, cells, sizeof *w->total, &failed) : NULL;
    w->in_calls = n->call_columns.count ? result_array(f, call_cells, sizeof *w->in_calls, &failed) : NULL;
    n->pub.self = w->self;
    n->pub.total = w->total;
    n->pub.in_calls = w->in_calls;
    return failed ? error_memory(err) : 0;
}

static int make_rows(assay_annotate *n, struct rows *w, size_t count, assay_error *err)
{
    bool failed = false;
    struct result *f = &n->file;
    assay_annotate_source *s = &n->pub;
    s->line = w->line = result_array(f, count, sizeof *w->line, &failed);
    s->state = w->state = result_array(f, count, sizeof *w->state, &failed);
    s->has_hits = w->has_hits = result_array(f, count, sizeof *w->has_hits, &failed);
    s->hits = w->hits = result_array(f, count, sizeof *w->hits, &failed);
    s->branches = w->branches = result_array(f, count, sizeof *w->branches, &failed);
    s->branches_hit = w->branches_hit = result_array(f, count, sizeof *w->branches_hit, &failed);
    s->has_cost = w->has_cost = result_array(f, count, sizeof *w->has_cost, &failed);
    s->calls = w->calls = result_array(f, count, sizeof *w->calls, &failed);
    s->callee_begin = w->callee_begin = result_array(f, count + 1, sizeof *w->callee_begin, &failed);
    s->text = w->text = result_array(f, count, sizeof *w->text, &failed);
    return failed ? error_memory(err) : make_costs(n, w, count, err);
}

static int make_callees(assay_annotate *n, struct callees *w, size_t count, assay_error *err)
{
    bool failed = false;
    struct result *f = &n->file;
    assay_annotate_callees *c = &n->pub.callees;
    size_t cells;
    if (!size_mul(&cells, count, n->call_columns.count)) return error_memory(err);
    c->func = w->func = result_array(f, count, sizeof *w->func, &failed);
    c->name = w->name = result_array(f, count, sizeof *w->name, &failed);
    c->calls = w->calls = result_array(f, count, sizeof *w->calls, &failed);
    c->total = w->total = result_array(f, cells, sizeof *w->total, &failed);
    c->recursive = w->recursive = result_array(f, cells, sizeof *w->recursive, &failed);
    return failed ? error_memory(err) : 0;
}

/* Sums by metric at one place, as values. */
static void put_sums(const assay_annotate *n, const struct result_columns *c, assay_value *to, size_t row, const line_sums *sums, size_t at)
{
    if (!to || sums->len < c->set->metric_count) return;
    for (uint32_t k = 0; k < c->set->metric_count; k++) n->values[k] = line_value(sums, k, at);
    result_put(c, to, row, n->values);
}

static void put_callees(assay_annotate *n, const struct callees *w, const struct line_cost *cost)
{
    const struct line_costs *t = &n->a.cost;
    for (uint32_t i = cost->callee; i < cost->callee + cost->callee_count; i++) {
        const struct line_callee *c = &t->callees.at[i];
        uint32_t to = n->pub.callees.count++;
        w->func[to] = (assay_func_id){ c->func };
        w->name[to] = result_function(&n->file, c->func);
        w->calls[to] = c->calls;
        put_sums(n, &n->call_columns, w->total, to, &t->callee_total, c->sum);
        put_sums(n, &n->call_columns, w->recursive, to, &t->callee_recursive, c->sum);
    }
}

static void put_cost(assay_annotate *n, const struct rows *w, const struct callees *callees, size_t i, const struct line_cost *cost)
{
    const struct line_costs *t = &n->a.cost;
    size_t at = n->a.rows.at[i].cost - 1;
    w->has_cost[i] = true;
    w->calls[i] = cost->calls;
    put_sums(n, &n->line_columns, w->self, i, &t->self, at);
    put_sums(n, &n->line_columns, w->total, i, &t->total, at);
    if (cost->callee_count) put_sums(n, &n->call_columns, w->in_calls, i, &t->within, at);
    put_callees(n, callees, cost);
}

static void put_row(assay_annotate *n, const struct rows *w, const struct callees *callees, size_t i)
{
    const struct annotate_row *row = &n->a.rows.at[i];
    const struct view_line *view = row->view ? &n->a.view.lines.at[row->view - 1] : NULL;
    const struct line_cost *cost = n->a.has_cost ? annotate_cost(&n->a, row) : NULL;
    w->line[i] = row->line;
    w->state[i] = row->state;
    w->has_hits[i] = row->has_hits;
    w->hits[i] = row->hits;
    if (view) {
        w->branches[i] = view->branches;
        w->branches_hit[i] = view->branches_hit;
    }
    if (cost) put_cost(n, w, callees, i, cost);
    w->callee_begin[i + 1] = n->pub.callees.count;
    if (row->has_text) w->text[i] = row->text.data ? row->text : (assay_slice){ "", 0 };
}

static int put_file(assay_annotate *n, uint32_t source, assay_error *err)
{
    struct annotate *a = &n->a;
    struct rows w = { 0 };
    struct callees callees = { 0 };
    TRY(annotate_file(a, source, err));
    TRY(make_rows(n, &w, a->rows.len, err));
    TRY(make_callees(n, &callees, a->cost.callees.len, err));
    for (size_t i = 0; i < a->rows.len; i++) {
        TRY(cancel_step(i, err));
        put_row(n, &w, &callees, i);
    }
    n->pub.path = annotate_path(a, source);
    n->pub.found = a->text.path;
    n->pub.tried_count = a->tried.len;
    n->pub.tried = a->tried.at;
    n->pub.count = (uint32_t)a->rows.len;
    return 0;
}

static void file_done(assay_annotate *n)
{
    if (n->file.profile) result_done(&n->file);
    n->file = (struct result){ .profile = NULL };
    n->pub = (assay_annotate_source){ .profile = line_costs_profile(&n->a.cost),
                                      .column_count = n->line_columns.count,
                                      .columns = n->line_columns.at,
                                      .key = n->line_columns.key,
                                      .call_column_count = n->call_columns.count,
                                      .call_columns = n->call_columns.at };
}

int assay_annotate_file(assay_annotate *annotate, uint32_t source, const assay_annotate_source **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    if (source >= annotate->count) FAIL(err, ASSAY_ERR_USAGE, "no source has the number %u", source);
    file_done(annotate);
    int rc = result_init(&annotate->file, annotate->pub.profile, NULL, err);
    if (rc == 0) rc = put_file(annotate, annotate->order[source], err);
    rc = cancel_end(rc, err);
    if (rc == 0) *out = &annotate->pub;
    return rc;
}

/* ---- all of it ---- */

static int fill(assay_annotate *n, const struct assay_annotate_options *o, bool calls_only, assay_error *err)
{
    bool failed = false;
    n->has_annotate = true;
    TRY((calls_only ? annotate_init_calls : annotate_init)(&n->a, n->base.profile, o->coverage, o->filter ? o->filter : &n->filter, o->folder, &n->base.mem,
                                                           err));
    TRY(choose_columns(n, err));
    n->order = result_array(&n->base, (size_t)n->a.count + 1, sizeof *n->order, &failed);
    if (failed) return error_memory(err);
    return annotate_order(&n->a, n->lines.count ? metric_columns_key(&n->lines) : 0, n->order, &n->count, err);
}

static int make(const assay_profile *p, const struct assay_annotate_options *options, bool calls_only, assay_annotate **out, assay_error *err)
{
    assay_error local;
    struct assay_annotate_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    assay_annotate *n = calloc(1, sizeof *n);
    if (!n) return error_memory(err);
    int rc = result_init(&n->base, p, o.metric, err);
    if (rc == 0) rc = fill(n, &o, calls_only, err);
    rc = cancel_end(rc, err);
    if (rc == 0)
        *out = n;
    else
        assay_annotate_free(n);
    return rc;
}

int assay_annotate_new(const assay_profile *p, const struct assay_annotate_options *options, assay_annotate **out, assay_error *err)
{
    return make(p, options, false, out, err);
}

int annotate_calls_new(const assay_profile *p, const struct assay_annotate_options *options, assay_annotate **out, assay_error *err)
{
    return make(p, options, true, out, err);
}

void assay_annotate_free(assay_annotate *annotate)
{
    if (!annotate) return;
    file_done(annotate);
    metric_columns_done(&annotate->lines);
    metric_columns_done(&annotate->calls);
    mem_free(&annotate->base.mem, annotate->values, annotate->value_len * sizeof *annotate->values);
    if (annotate->has_annotate) annotate_done(&annotate->a);
    result_done(&annotate->base);
    free(annotate);
}

uint32_t assay_annotate_count(const assay_annotate *annotate) { return annotate->count; }

assay_slice assay_annotate_path(const assay_annotate *annotate, uint32_t source)
{
    return source < annotate->count ? annotate_path(&annotate->a, annotate->order[source]) : (assay_slice){ NULL, 0 };
}
