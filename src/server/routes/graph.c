/* graph: functions and calls of a call graph, the whole of it or what is near
 * one function. */
#include <stdlib.h>

#include "analysis/core/metric_columns.h"
#include "analysis/core/picture.h"
#include "base/cancel.h"
#include "base/error.h"
#include "server/routes.h"
#include "server/routes/calls.h"

enum { LEVELS_MOST = 20, NODES_MOST = 500 };

struct kept {
    struct mem mem;
    assay_profile *profile;    /* a reference */
    const struct calls *calls; /* another */
    struct picture picture;
};

struct making {
    struct request *request;
    assay_profile *profile;
};

static void free_kept(void *value)
{
    struct kept *k = value;
    picture_done(&k->picture);
    calls_release(k->calls);
    assay_profile_release(k->profile);
    free(k);
}

/* Everything: what is left out is decided for each request. */
static int draw(struct request *r, struct kept *k, assay_error *err)
{
    const struct calls *calls;
    TRY(calls_get(r, k->profile, &calls, err));
    k->calls = calls_retain(calls);
    if (!calls->top->metric_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no function costs");
    struct metric_set set = { .profile = k->profile, .at = calls->top->metrics, .count = calls->top->metric_count };
    struct picture_options o = { .arcs = &calls->arcs };
    TRY(metric_choose_place(&set, r->state.metric, &o.k, err));
    return picture_init(&k->picture, &k->mem, k->profile, calls->top, &o, err);
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct kept *k = calloc(1, sizeof *k);
    if (!k) return error_memory(err);
    mem_init(&k->mem, 0);
    k->picture.mem = &k->mem;
    k->profile = assay_profile_retain(m->profile);
    int rc = draw(m->request, k, err);
    if (rc != 0) {
        free_kept(k);
        return rc;
    }
    to->value = k;
    to->free = free_kept;
    to->bytes = k->mem.used;
    return 0;
}

/* ---- which part ---- */

struct asked {
    uint32_t func, up, down, nodes;
    double node, edge; /* shares */
};

/* By node: how near it is, 1 = the function itself; 0 = not wanted. */
static int reach(const struct picture *x, const struct asked *a, uint8_t *near, assay_error *err)
{
    for (size_t i = 0; i < x->nodes.len; i++) near[i] = !a->func ? 1 : x->nodes.at[i].func == a->func;
    for (int side = 0; side < 2 && a->func; side++)
        for (uint32_t level = 1; level <= (side ? a->up : a->down); level++)
            for (size_t i = 0; i < x->edges.len; i++) {
                TRY(cancel_step(i, err));
                const struct picture_edge *e = &x->edges.at[i];
                uint32_t from = side ? e->to : e->from, to = side ? e->from : e->to;
                /* callers of callees are no neighbours: each side goes on from where it
         * came to */
                uint8_t mark = (uint8_t)((side ? 128 : 0) + level), next = (uint8_t)((side ? 128 : 0) + level + 1);
                bool is_here = near[from] == mark || (level == 1 && near[from] == 1);
                if (e->share >= a->edge && is_here && !near[to]) near[to] = next;
            }
    return 0;
}

/* By node: its number in the answer + 1; the largest that are wanted. Returns
 * how many. */
static uint32_t number_nodes(const struct picture *x, const struct asked *a, const uint8_t *near, uint32_t *number)
{
    uint32_t count = 0;
    for (size_t i = 0; i < x->nodes.len; i++) /* largest first, the function itself in any case */
        if (near[i] && (a->func ? near[i] == 1 || count < a->nodes : x->nodes.at[i].total_share >= a->node && count < a->nodes)) number[i] = ++count;
    return count;
}

/* ---- the answer ---- */

static assay_slice text_of(const assay_profile *p, const assay_str_id *ids, uint32_t i)
{
    return i && ids ? assay_profile_string(p, ids[i]) : (assay_slice){ NULL, 0 };
}

static void put_nodes(struct sheet *c, const struct kept *k, const assay_column *metric, const uint32_t *number, uint32_t n)
{
    const struct picture *x = &k->picture;
    const struct assay_funcs *f = assay_profile_funcs(k->profile);
    uint32_t *func = sheet_add(c, "func", COLUMN_U32, n), *name = sheet_add(c, "name", COLUMN_U32, n), *module = sheet_add(c, "module", COLUMN_U32, n);
    uint32_t *cycle = sheet_add(c, "cycle", COLUMN_U32, n);
    uint64_t *calls = sheet_add(c, "calls", COLUMN_U64, n);
    double *share = sheet_add(c, "share", COLUMN_F64, n);
    struct figures self = sheet_figures(c, "self", metric, 1, n), total = sheet_figures(c, "total", metric, 1, n);
    for (size_t i = 0; i < x->nodes.len && !c->failed; i++) {
        if (!number[i]) continue;
        const struct picture_node *node = &x->nodes.at[i];
        uint32_t at = number[i] - 1, id = node->func <= f->count ? node->func : 0;
        assay_slice own = text_of(k->profile, f->name, id);
        func[at] = id;
        name[at] = sheet_name(c, own.len ? own : SLICE("<unknown>"));
        module[at] = sheet_name(c, id && f->module ? text_of(k->profile, assay_profile_modules(k->profile)->path, f->module[id].v) : (assay_slice){ NULL, 0 });
        cycle[at] = node->cycle;
        calls[at] = node->calls;
        share[at] = node->total_share;
        figures_put(&self, at, 0, x->type, node->self);
        figures_put(&total, at, 0, x->type, node->total);
    }
}

static void put_edges(struct sheet *c, const struct picture *x, const struct asked *a, const assay_column *metric, const uint32_t *number)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < x->edges.len; i++) n += number[x->edges.at[i].from] && number[x->edges.at[i].to] && x->edges.at[i].share >= a->edge;
    uint32_t *from = sheet_add(c, "edge_from", COLUMN_U32, n), *to = sheet_add(c, "edge_to", COLUMN_U32, n);
    uint64_t *calls = sheet_add(c, "edge_calls", COLUMN_U64, n);
    double *share = sheet_add(c, "edge_share", COLUMN_F64, n);
    struct figures total = sheet_figures(c, "edge_total", metric, 1, n);
    for (size_t i = 0; i < x->edges.len && !c->failed; i++) {
        const struct picture_edge *e = &x->edges.at[i];
        if (!number[e->from] || !number[e->to] || e->share < a->edge) continue;
        from[at] = number[e->from] - 1;
        to[at] = number[e->to] - 1;
        calls[at] = e->calls;
        share[at] = e->share;
        figures_put(&total, at++, 0, x->type, e->total);
    }
}

static int answer(struct request *r, const struct asked *a, const struct kept *k, assay_error *err)
{
    struct sheet c;
    const struct picture *x = &k->picture;
    uint8_t *near = arena_alloc(&r->text, x->nodes.len + 1);
    uint32_t *number = arena_alloc(&r->text, (x->nodes.len + 1) * sizeof *number);
    if (!near || !number) return error_memory(err);
    memset(number, 0, (x->nodes.len + 1) * sizeof *number);
    TRY(reach(x, a, near, err));
    uint32_t count = number_nodes(x, a, near, number);
    const struct assay_metrics *m = assay_profile_metrics(k->profile);
    assay_metric_id id = k->calls->top->metrics[x->options.k];
    assay_column metric = {
        .name = assay_profile_string(k->profile, m->name[id.v]), .unit = "", .metric = id, .type = x->type, .whole = x->whole, .is_sum = true
    };
    if (m->unit && m->unit[id.v].v) metric.unit = assay_profile_string(k->profile, m->unit[id.v]).data;
    int rc = sheet_begin(&c, &r->mem, "graph", err);
    if (rc == 0) {
        struct json *j = sheet_header(&c);
        header_metrics(&c, k->profile, &metric, 1, 0, false);
        json_key(j, "rows");
        json_u64(j, count);
        json_key(j, "functions");
        json_u64(j, x->nodes.len);
        json_key(j, "edges");
        json_u64(j, x->edges.len);
        state_command(r, j, "convert", "--to dot -o graph.dot");
        put_nodes(&c, k, &metric, number, count);
        put_edges(&c, x, a, &metric, number);
        rc = answer_sheet(r, &c, err);
    }
    sheet_done(&c);
    return rc;
}

int route_graph(struct request *r, assay_error *err)
{
    struct asked a = { .up = 1, .down = 1, .nodes = 80 };
    struct making m = { .request = r };
    struct cached *c;
    double node = 0.5, edge = 0.1;
    TRY(params_u32(&r->params, "func", &a.func, err));
    TRY(params_u32(&r->params, "up", &a.up, err));
    TRY(params_u32(&r->params, "down", &a.down, err));
    TRY(params_u32(&r->params, "nodes", &a.nodes, err));
    TRY(params_double(&r->params, "node", 0, 100, &node, err));
    TRY(params_double(&r->params, "edge", 0, 100, &edge, err));
    TRY(params_end(&r->params, err));
    if (a.up > LEVELS_MOST || a.down > LEVELS_MOST || a.nodes > NODES_MOST)
        FAIL(err, ASSAY_ERR_USAGE, "at most %d levels and %d nodes", LEVELS_MOST, NODES_MOST);
    a.node = node / 100;
    a.edge = edge / 100;
    TRY(request_profile(r, WANT_GRAPH, &m.profile, err));
    TRY(request_cached(r, "graph", make, &m, &c, err));
    return answer(r, &a, c->value, err);
}
