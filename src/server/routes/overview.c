/* overview: what a file is, what it costs, and which screens have something to
 * show. */
#include "analysis/core/kinds.h"
#include "analysis/core/metric_columns.h"
#include "analysis/core/value.h"
#include "base/error.h"
#include "report/report.h"
#include "server/routes.h"

static int put_text(void *arg, const char *data, size_t len)
{
    output_bytes(arg, data, len);
    return 0;
}

/* A report of one profile as JSON, as a member. */
static int put_report(struct request *r, struct json *j, const char *key, const char *verb, assay_profile *p, assay_error *err)
{
    struct output *text;
    const struct viewed *in = inputs_find(&r->server->inputs, r->state.a[0]);
    TRY(output_open_memory(&text, &r->mem, err));
    struct assay_report_sink sink = { .size = sizeof sink, .write = put_text, .arg = text };
    struct assay_option options[] = { { "json", NULL }, { "FILE", in->path } };
    int rc = assay_report(p, verb, options, 2, &sink, NULL, err);
    if (rc == 0) {
        json_key(j, key);
        json_number(j, output_memory(text));
    }
    output_abort(text);
    return rc;
}

/* ---- screens ---- */

static void put_screen(struct json *j, const char *name, const char *why)
{
    json_object(j);
    json_key(j, "name");
    json_text(j, name);
    json_key(j, "ok");
    json_bool(j, !why);
    json_key(j, "why");
    json_text(j, why ? why : "");
    json_end(j);
}

static void put_screens(struct json *j, const assay_profile *p, bool has_other)
{
    const char *no_cost = "this file has coverage, not cost", *no_coverage = "this file has no coverage";
    uint32_t shapes = assay_profile_shapes(p) | assay_profile_offers(p);
    bool has_cost = assay_profile_metrics(p)->count > 0, has_calls = has_cost && shapes & (ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH);
    bool has_lines = has_calls || shapes & (ASSAY_SHAPE_LINES | ASSAY_SHAPE_COVERAGE);
    /* Formats that have both a tree and a graph record every call in its order, which lays out a timeline. */
    bool has_time = shapes & ASSAY_SHAPE_TIMELINE || (has_cost && shapes & ASSAY_SHAPE_TREE && shapes & ASSAY_SHAPE_GRAPH);
    const char *no_calls = has_calls ? NULL : has_cost ? "this file has no calls" : no_cost;
    if (!has_cost && !(shapes & ASSAY_SHAPE_COVERAGE)) no_cost = "this file has no cost";
    json_key(j, "screens");
    json_array(j);
    put_screen(j, "overview", NULL);
    put_screen(j, "flame", no_calls);
    put_screen(j, "table", has_cost || shapes & ASSAY_SHAPE_COVERAGE ? NULL : no_cost);
    put_screen(j, "tree", no_calls);
    put_screen(j, "callers", no_calls);
    put_screen(j, "source", has_lines ? NULL : "nothing was measured of source lines");
    put_screen(j, "timeline", has_time ? NULL : has_cost ? "the format does not record when something happened" : no_cost);
    put_screen(j, "streams", assay_profile_streams(p)->count > 0 ? NULL : "this file does not tell threads, processes or parts apart");
    put_screen(j, "compare", has_other ? NULL : "there is no second file: open one to compare");
    put_screen(j, "coverage", shapes & ASSAY_SHAPE_COVERAGE ? NULL : no_coverage);
    put_screen(j, "problems", NULL);
    json_end(j);
}

static void put_problems(struct json *j, const assay_profile *p)
{
    size_t count;
    uint64_t warnings = 0;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++) warnings += f[i].severity == ASSAY_WARNING ? 1 + f[i].repeats : 0;
    json_key(j, "problems");
    json_object(j);
    json_key(j, "errors");
    json_u64(j, assay_profile_damage(p, NULL));
    json_key(j, "warnings");
    json_u64(j, warnings);
    json_end(j);
}

/* Self cost by kind of function, where there are several. */
static int put_kinds(struct json *j, const assay_table *t, assay_error *err)
{
    double sums[FUNC_SORTS];
    bool by_name = func_sorts_by_name(t->profile);
    if (!t->column_count || !t->columns[t->key].is_sum) return 0;
    TRY(func_sort_sums(t, t->key, sums, err));
    json_key(j, "kinds");
    json_array(j);
    for (unsigned k = 0; k < FUNC_SORTS; k++) {
        if (!(sums[k] > 0)) continue;
        json_object(j);
        json_key(j, "name");
        json_text(j, func_sort_name((enum func_sort)k, by_name));
        json_key(j, "self");
        json_double(j, sums[k]);
        json_end(j);
    }
    json_end(j);
    return 0;
}

/* Functions whose self cost is at least the share that the state asks for. */
static uint64_t count_shown(const struct request *r, const assay_table *t)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        size_t at = (size_t)i * t->column_count + t->key;
        if (!t->column_count || value_double(t->columns[t->key].type, t->self[at]) >= r->state.least * t->columns[t->key].whole) n++;
    }
    return n;
}

/* That of the table of functions; of a file that has none, its default. */
static int put_metric(struct request *r, struct json *j, const assay_profile *p, assay_error *err)
{
    const assay_table *t;
    assay_metric_id metric;
    struct metric_set set = { .profile = p, .shapes = UINT32_MAX };
    int rc = table_functions(r, &t, err);
    json_key(j, "metric");
    if (rc == 0 && t->column_count)
        json_string(j, t->columns[t->key].name);
    else if (assay_profile_metrics(p)->count && metric_choose_key(&set, NULL, &metric, NULL) == 0)
        json_string(j, assay_profile_string(p, assay_profile_metrics(p)->name[metric.v]));
    else
        json_null(j);
    if (rc == 0) {
        json_key(j, "shown");
        json_u64(j, count_shown(r, t));
        json_key(j, "listed");
        json_u64(j, t->count);
        rc = put_kinds(j, t, err);
    }
    return rc == ASSAY_ERR_UNSUPPORTED ? 0 : rc;
}

int route_overview(struct request *r, assay_error *err)
{
    assay_profile *p;
    struct json j;
    TRY(params_end(&r->params, err));
    TRY(request_profile(r, WANT_GRAPH, &p, err));
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    TRY(put_report(r, &j, "info", "info", p, err));
    TRY(put_metric(r, &j, p, err));
    json_key(&j, "functions");
    json_u64(&j, assay_profile_funcs(p)->count);
    put_screens(&j, p, inputs_count(&r->server->inputs) > 1);
    put_problems(&j, p);
    state_command(r, &j, "info", "");
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}
