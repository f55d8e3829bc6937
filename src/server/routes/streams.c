/* Streams: threads, processes, ranks, parts of a file, and what each cost. */
#include "analysis/core/metric_columns.h"
#include "analysis/streams/spread.h"
#include "analysis/streams/totals.h"
#include "base/error.h"
#include "base/number.h"
#include "server/routes.h"

/* A stream's total as a figure of the metric: wide ones stay at the nearest
 * value. */
static assay_value value_of(const struct stream_totals *t, size_t i)
{
    if (t->type == ASSAY_F64) return sums_value(&t->real, i);
    assay_wide w = t->whole[i];
    if (t->type == ASSAY_I64) return (assay_value){ .i = (int64_t)w.low };
    return (assay_value){ .u = w.high ? UINT64_MAX : w.low };
}

static assay_slice label_of(const assay_profile *p, size_t i)
{
    const struct assay_streams *s = assay_profile_streams(p);
    return i && s->label ? assay_profile_string(p, s->label[i]) : (assay_slice){ NULL, 0 };
}

/* The metric that the state names, or the default. */
static int describe_metric(struct request *r, const assay_profile *p, assay_column *to, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    struct metric_set set = { .profile = p, .shapes = UINT32_MAX };
    *to = (assay_column){ .is_sum = true, .unit = "" };
    TRY(metric_choose_key(&set, r->state.metric, &to->metric, err));
    to->name = assay_profile_string(p, m->name[to->metric.v]);
    to->type = m->type ? (enum assay_type)m->type[to->metric.v] : ASSAY_U64;
    to->whole = m->total_double ? m->total_double[to->metric.v] : 0;
    if (m->unit && m->unit[to->metric.v].v) to->unit = assay_profile_string(p, m->unit[to->metric.v]).data;
    return 0;
}

static int put_streams(struct request *r, struct sheet *c, const assay_profile *p, const struct stream_totals *t, const struct window *asked, struct matcher *m,
                       const assay_column *metric, assay_error *err)
{
    struct window w = *asked;
    uint32_t *rows = arena_alloc(&r->text, (t->len + 1) * sizeof *rows), count = 0;
    if (!rows) return error_memory(err);
    for (uint32_t i = 1; i < t->len; i++)
        if (matcher_fits(m, label_of(p, i), t->command[i])) rows[count++] = i;
    window_cut(&w, count);
    struct json *j = sheet_header(c);
    json_key(j, "rows");
    json_u64(j, w.count);
    json_key(j, "from");
    json_u64(j, w.from);
    json_key(j, "matching");
    json_u64(j, count);
    json_key(j, "all");
    json_u64(j, t->len ? t->len - 1 : 0);
    state_command(r, j, "info", "");
    uint32_t *stream = sheet_add(c, "stream", COLUMN_U32, (size_t)w.count), *name = sheet_add(c, "name", COLUMN_U32, (size_t)w.count);
    uint32_t *command = sheet_add(c, "command_name", COLUMN_U32, (size_t)w.count);
    struct figures self = sheet_figures(c, "self", metric, t->is_known ? 1 : 0, (size_t)w.count);
    for (size_t i = 0; i < w.count && !c->failed; i++) {
        uint32_t row = rows[w.from + i];
        stream[i] = row;
        name[i] = sheet_name(c, label_of(p, row));
        command[i] = sheet_name(c, t->command[row]);
        if (t->is_known) figures_put(&self, i, 0, t->type, value_of(t, row));
    }
    return answer_sheet(r, c, err);
}

int table_streams(struct request *r, const struct window *w, const char *match, bool is_not, assay_error *err)
{
    assay_profile *p;
    struct sheet c;
    struct stream_totals t;
    struct matcher *m = NULL;
    TRY(request_profile(r, WANT_GRAPH, &p, err));
    assay_column column = { .unit = "" };
    if (assay_profile_metrics(p)->count) TRY(describe_metric(r, p, &column, err));
    assay_metric_id metric = column.metric;
    int rc = stream_totals_init(&t, p, metric, &r->mem, err);
    if (rc == 0) rc = matcher_new(&m, r, match, is_not, err);
    if (rc == 0) {
        rc = sheet_begin(&c, &r->mem, "table", err);
        if (rc == 0) {
            header_metrics(&c, p, &column, metric.v ? 1 : 0, 0, false);
            rc = put_streams(r, &c, p, &t, w, m, &column, err);
        }
        sheet_done(&c);
    }
    matcher_free(m);
    stream_totals_done(&t);
    return rc;
}

/* ---- streams: one function over all of them ---- */

static void put_spread(struct json *j, const struct stream_spread *s)
{
    const struct {
        const char *name;
        double value;
    } figures[] = { { "min", s->least }, { "mean", s->mean }, { "max", s->most }, { "deviation", s->deviation }, { "imbalance", s->imbalance } };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        json_key(j, figures[i].name);
        json_double(j, figures[i].value);
    }
    json_key(j, "smallest");
    json_u64(j, s->smallest);
    json_key(j, "outlier");
    json_u64(j, s->largest);
    json_key(j, "rows");
    json_u64(j, s->len - 1);
}

static int answer_spread(struct request *r, const assay_profile *p, const assay_column *metric, const struct stream_spread *s, assay_error *err)
{
    struct sheet c;
    size_t n = s->len - 1;
    int rc = sheet_begin(&c, &r->mem, "streams", err);
    if (rc == 0) {
        header_metrics(&c, p, metric, 1, 0, false);
        put_spread(sheet_header(&c), s);
        state_command(r, sheet_header(&c), "info", "");
        uint32_t *stream = sheet_add(&c, "stream", COLUMN_U32, n), *name = sheet_add(&c, "name", COLUMN_U32, n);
        struct figures self = sheet_figures(&c, "self", metric, 1, n), total = { 0 };
        if (s->has_total) total = sheet_figures(&c, "total", metric, 1, n);
        for (uint32_t i = 0; i < n && !c.failed; i++) {
            stream[i] = i + 1;
            name[i] = sheet_name(&c, label_of(p, i + 1));
            figures_put(&self, i, 0, s->type, sums_value(&s->self, i + 1));
            if (s->has_total) figures_put(&total, i, 0, s->type, sums_value(&s->total, i + 1));
        }
        rc = answer_sheet(r, &c, err);
    }
    sheet_done(&c);
    return rc;
}

int route_streams(struct request *r, assay_error *err)
{
    assay_profile *p;
    assay_column metric;
    struct stream_spread s = { 0 };
    uint32_t func = 0;
    TRY(params_u32(&r->params, "func", &func, err));
    TRY(params_end(&r->params, err));
    TRY(request_profile(r, WANT_GRAPH, &p, err));
    TRY(describe_metric(r, p, &metric, err));
    int rc = stream_spread_init(&s, p, metric.metric, (assay_func_id){ func }, &r->mem, err);
    if (rc == 0) rc = answer_spread(r, p, &metric, &s, err);
    stream_spread_done(&s);
    return rc;
}
