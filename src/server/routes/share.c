/* What routes share: the list of them, headers, windows, and rows by text. */
#include "analysis/core/units.h"
#include "base/error.h"
#include "base/pattern.h"
#include "report/report.h"
#include "server/mask.h"
#include "server/routes.h"

static const struct route routes[] = {
    { "session", route_session, false },   { "rescan", route_rescan, true },
    { "reload", route_reload, true },      { "open", route_open, true },
    { "overview", route_overview, false }, { "table", route_table, false },
    { "tree", route_tree, false },         { "flame", route_flame, false },
    { "context", route_context, false },   { "search", route_search, false },
    { "callers", route_callers, false },   { "graph", route_graph, false },
    { "sources", route_sources, false },   { "source", route_source, false },
    { "timeline", route_timeline, false }, { "stack", route_stack, false },
    { "streams", route_streams, false },   { "diff", route_diff, false },
    { "coverage", route_coverage, false }, { "coverage-diff", route_coverage_diff, false },
    { "problems", route_problems, false }, { "bytes", route_bytes, false },
    { "report", route_report, false },     { "convert", route_convert, false },
    { "change", route_change, true },      { "history", route_history, false },
};

const struct route *route_find(const char *name)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (strcmp(routes[i].name, name) == 0) return &routes[i];
    return NULL;
}

/* ---- headers ---- */

static void put_metric(struct json *j, const assay_profile *p, const assay_column *c)
{
    static const char *const types[] = { "u64", "i64", "f64" };
    json_object(j);
    json_key(j, "name");
    json_string(j, c->name);
    json_key(j, "unit");
    json_text(j, c->metric.v ? units_name(p, c->metric) : c->unit);
    json_key(j, "type");
    json_text(j, types[c->type]);
    json_key(j, "total");
    if (c->metric.v)
        report_total_json(j, p, c->metric.v);
    else
        json_double(j, c->whole);
    json_key(j, "is_sum");
    json_bool(j, c->is_sum);
    json_end(j);
}

void header_metrics(struct sheet *c, const assay_profile *p, const assay_column *columns, uint32_t count, uint32_t key, bool is_estimated)
{
    struct json *j = sheet_header(c);
    json_key(j, "metric");
    json_string(j, count ? columns[key].name : (assay_slice){ NULL, 0 });
    json_key(j, "metrics");
    json_array(j);
    for (uint32_t k = 0; k < count; k++) put_metric(j, p, &columns[k]);
    json_end(j);
    report_filtered_json(j, p, count ? columns[key].metric.v : 0);
    json_key(j, "estimated");
    json_bool(j, is_estimated);
    json_key(j, "damaged");
    json_u64(j, assay_profile_damage(p, NULL));
}

int answer_sheet(struct request *r, struct sheet *c, assay_error *err)
{
    r->type = "application/vnd.assay.columns";
    if (r->server->no_paths) mask_sheet(c);
    return sheet_end(c, r->out, err);
}

/* ---- windows ---- */

int window_take(struct request *r, struct window *w, assay_error *err)
{
    *w = (struct window){ 0, 200 };
    TRY(params_number(&r->params, "from", UINT64_MAX, &w->from, err));
    TRY(params_number(&r->params, "count", SERVER_ROWS, &w->count, err));
    if (!w->count) w->count = SERVER_ALL;
    return 0;
}

void window_cut(struct window *w, uint64_t rows)
{
    if (w->from > rows) w->from = rows;
    if (w->count > rows - w->from) w->count = rows - w->from;
}

/* ---- rows by text ---- */

struct matcher {
    struct mem *mem;
    struct pattern *pattern; /* NULL = text */
    const char *text;        /* NULL = all */
    bool is_not;
};

int matcher_new(struct matcher **out, struct request *r, const char *text, bool is_not, assay_error *err)
{
    size_t len = text ? strlen(text) : 0;
    struct matcher *m = *out = mem_zalloc(&r->mem, 1, sizeof *m);
    if (!m) return error_memory(err);
    *m = (struct matcher){ .mem = &r->mem, .text = len ? text : NULL, .is_not = is_not && len };
    if (len < 2 || text[0] != '/' || text[len - 1] != '/') return 0;
    char *inside = request_text(r, "%.*s", (int)(len - 2), text + 1);
    if (!inside) return error_memory(err);
    if (!*inside)
        m->text = NULL;
    else
        TRY(pattern_new(&m->pattern, inside, &r->mem, err));
    return 0;
}

static bool is_in(struct matcher *m, assay_slice text) { return m->pattern ? pattern_matches(m->pattern, text) : slice_contains_nocase(text, m->text); }

bool matcher_fits(struct matcher *m, assay_slice name, assay_slice file)
{
    if (!m->text) return true;
    return (is_in(m, name) || (file.len && is_in(m, file))) != m->is_not;
}

void matcher_free(struct matcher *m)
{
    if (!m) return;
    if (m->pattern) pattern_free(m->pattern);
    mem_free(m->mem, m, sizeof *m);
}
