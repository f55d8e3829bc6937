/* The table entry of `csv`: functions with cost and calls, as 'assay top --csv' prints them. Only written. */
#include "analysis/core/function.h"
#include "analysis/core/metric_text.h"
#include "analysis/core/top.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/table.h"
#include "formats/callgraph/functions.h"

/* ---- rows ---- */

struct rows {
    const assay_profile *profile;
    const assay_top *top;
    uint32_t k; /* the metric */
    struct table *table;
};

/* A figure, and its share of the whole. */
static void put_cost(const struct rows *r, uint32_t row, const assay_value *from)
{
    char buf[METRIC_TEXT_LEN];
    if (!r->top->metric_count) {
        table_text(r->table, "");
        table_text(r->table, "");
        return;
    }
    assay_metric_id metric = r->top->metrics[r->k];
    enum assay_type type = metric_type(r->profile, metric);
    assay_value v = top_cell(r->top, from, row, r->k);
    table_text(r->table, value_text(buf, true, type, v, ""));
    number_percent_exact(buf, value_double(type, v), metric_total(r->profile, metric));
    table_text(r->table, buf);
}

static void put_number(struct table *t, uint64_t v)
{
    char buf[METRIC_TEXT_LEN];
    number_put_u64(buf, v);
    table_text(t, buf);
}

static void put_row(const struct rows *r, uint32_t row)
{
    struct function_info f = function_info_of(r->profile, r->top->func[row].v);
    put_cost(r, row, r->top->self);
    put_cost(r, row, r->top->total);
    put_number(r->table, r->top->calls[row]);
    table_cell(r->table, f.name);
    table_cell(r->table, f.file);
    if (f.line)
        put_number(r->table, f.line);
    else
        table_text(r->table, "");
    table_cell(r->table, f.module);
}

static int put_rows(const struct rows *r, struct mem *mem, struct output *out, assay_error *err)
{
    size_t n = (size_t)r->top->count + 1;
    SCRATCH(uint32_t, order, mem, n);
    if (!order) return error_memory(err);
    assay_top_order(r->profile, r->top, ASSAY_SORT_SELF, r->k, order);
    for (uint32_t i = 0; i < r->top->count && !cancel_at(i); i++) put_row(r, order[i]);
    return table_print(r->table, TABLE_CSV, out, err);
}

static int put_table(const assay_profile *p, const assay_top *top, const struct write_job *job, struct output *out, assay_error *err)
{
    static const char *const heads[] = { "self", "self%", "total", "total%", "calls", "function", "file", "line", "module", NULL };
    struct rows r = { .profile = p, .top = top };
    TRY(callgraph_metric(p, top, job->options->metric, &r.k, err));
    r.table = table_new(job->mem, 0, false);
    if (!r.table) return error_memory(err);
    for (size_t i = 0; heads[i]; i++) table_column(r.table, heads[i], TABLE_LEFT);
    int rc = put_rows(&r, job->mem, out, err);
    table_free(r.table);
    return rc;
}

/* ---- the entry ---- */

static int write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    assay_top *top;
    TRY(callgraph_functions(p, &top, err));
    callgraph_losses(p, top, job);
    int rc = losses_settle(job, err);
    if (rc == 0) rc = put_table(p, top, job, out, err);
    assay_top_free(top);
    return rc;
}

static uint32_t want(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_SUMS;
}

static const char *const extensions[] = { ".csv", NULL };
static const char *const versions[] = { "1", NULL };
enum { FEATURES = ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS | ASSAY_HAS_MODULES | ASSAY_HAS_FILES };

const struct format csv_format = {
    .info = { "csv", "table of functions with cost and calls", extensions, versions, "", ASSAY_SHAPE_GRAPH, ASSAY_CAN_WRITE, FEATURES },
    .probe = callgraph_probe,
    .write = write,
    .write_wants = want,
    .takes_trees = true,
};
