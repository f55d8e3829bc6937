/* search: functions by text, and the share of the whole that their stacks have.
 */
#include "base/error.h"
#include "report/report.h"
#include "server/routes.h"

enum { SHOWN = 1000, LARGE = 100000 };

/* What `top --focus` says of the same: an expression that finds the text
 * literally. */
static const char *expression(struct request *r, const char *text)
{
    size_t len = strlen(text), n = 0;
    if (len > 2 && text[0] == '/' && text[len - 1] == '/') return request_text(r, "%.*s", (int)(len - 2), text + 1);
    char *to = arena_alloc(&r->text, 2 * len + 8);
    if (!to) return NULL;
    n = (size_t)(stpcpy(to, "(?i)") - to);
    for (const char *c = text; *c; c++) {
        if (strchr("\\^$.[]|()?*+{}", *c)) to[n++] = '\\';
        to[n++] = *c;
    }
    to[n] = '\0';
    return to;
}

static assay_metric_id find_metric(const assay_profile *p, assay_slice name)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    uint32_t id = m->count;
    while (id && !slice_equal(assay_profile_string(p, m->name[id]), name)) id--;
    return (assay_metric_id){ id };
}

/* What the filters leave of the metric. A formula has no total but that of a table. */
static int put_left(struct request *r, struct json *j, const assay_column *key, assay_error *err)
{
    assay_profile *part;
    const assay_table *t;
    TRY(request_totals(r, &part, err));
    assay_metric_id metric = key->metric.v ? find_metric(part, key->name) : key->metric;
    if (metric.v) {
        report_total_json(j, part, metric.v);
        return 0;
    }
    TRY(table_functions(r, &t, err));
    if (t->column_count && t->columns[t->key].metric.v)
        report_total_json(j, t->profile, t->columns[t->key].metric.v);
    else
        json_u64(j, 0); /* nothing is left, not even the metric */
    return 0;
}

/* What the stacks with a match have: the total of the profile that they leave. */
static int put_matched(struct request *r, struct json *j, const assay_column *key, const char *focus, assay_error *err)
{
    const struct state before = r->state;
    json_key(j, "matched");
    if (r->state.filter.focus_count) { /* one entry of a list has to match: both cannot be said at once */
        json_null(j);
        return 0;
    }
    r->state.filter.focus = &focus;
    r->state.filter.focus_count = 1;
    int rc = state_key(r, err);
    if (rc == 0) rc = put_left(r, j, key, err);
    r->state = before;
    if (rc != ASSAY_ERR_UNSUPPORTED) return rc;
    json_u64(j, 0);
    return 0;
}

/* Which stacks have a match is a guess from a call graph, and of a large one it takes seconds. */
static bool is_slow(const assay_profile *p) { return !assay_profile_tree(p)->count && assay_profile_graph(p)->arc_count > LARGE; }

static int put_functions(struct request *r, struct sheet *c, const assay_table *t, struct matcher *m)
{
    uint32_t *rows = arena_alloc(&r->text, SHOWN * sizeof *rows), count = 0, matching = 0;
    struct json *j = sheet_header(c);
    if (!rows) return -1;
    for (uint32_t i = 0; i < t->count; i++)
        if (matcher_fits(m, t->name[i], (assay_slice){ NULL, 0 })) {
            if (count < SHOWN) rows[count++] = i;
            matching++;
        }
    json_key(j, "matching");
    json_u64(j, matching);
    json_key(j, "rows");
    json_u64(j, count);
    uint32_t *func = sheet_add(c, "func", COLUMN_U32, count), *name = sheet_add(c, "name", COLUMN_U32, count);
    struct figures self = sheet_figures(c, "self", t->columns + t->key, t->column_count ? 1 : 0, count);
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        func[i] = t->func[rows[i]].v;
        name[i] = sheet_name(c, t->name[rows[i]]);
        if (t->column_count) figures_put(&self, i, 0, t->columns[t->key].type, t->self[(size_t)rows[i] * t->column_count + t->key]);
    }
    return 0;
}

int route_search(struct request *r, assay_error *err)
{
    const char *q = NULL;
    bool names = false;
    struct sheet c;
    struct matcher *m = NULL;
    const assay_table *t;
    TRY(params_text(&r->params, "q", &q, err));
    TRY(params_flag(&r->params, "names", &names, err));
    TRY(params_end(&r->params, err));
    if (!q || !*q) FAIL(err, ASSAY_ERR_USAGE, "what is looked for? 'q' is missing");
    const char *focus = expression(r, q);
    if (!focus) return error_memory(err);
    TRY(table_functions(r, &t, err));
    int rc = matcher_new(&m, r, q, false, err);
    if (rc == 0) {
        rc = sheet_begin(&c, &r->mem, "search", err);
        if (rc == 0) {
            header_metrics(&c, t->profile, t->columns, t->column_count, t->key, false);
            rc = put_functions(r, &c, t, m) == 0 ? 0 : error_memory(err);
        }
        if (rc == 0 && t->column_count && !names && !is_slow(t->profile)) rc = put_matched(r, sheet_header(&c), t->columns + t->key, focus, err);
        if (rc == 0) state_command(r, sheet_header(&c), "top", request_text(r, "--focus '%s'", focus));
        if (rc == 0) rc = answer_sheet(r, &c, err);
        sheet_done(&c);
    }
    matcher_free(m);
    return rc;
}
