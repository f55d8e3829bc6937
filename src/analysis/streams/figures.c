/* Rows, and the cost of a call graph by row; see figures.h. Trees are in figures_tree.c. */
#include "analysis/streams/figures.h"

#include "analysis/core/outermost.h"
#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

/* ---- rows ---- */

static int sort_members(struct stream_rows *r, const struct stream_member *members, size_t count, assay_error *err)
{
    size_t nodes = r->frames.len;
    r->begin = mem_zalloc(r->mem, nodes + 1, sizeof *r->begin);
    r->member = mem_zalloc(r->mem, count + 1, sizeof *r->member);
    r->members = count + 1;
    if (!r->begin || !r->member || count >= UINT32_MAX) return error_memory(err);
    for (size_t i = 0; i < count; i++) r->begin[members[i].node + 1]++;
    for (size_t node = 0; node < nodes; node++) r->begin[node + 1] += r->begin[node];
    for (size_t i = count; i > 0; i--) r->member[--r->begin[members[i - 1].node + 1]] = members[i - 1];
    /* each begin now is at the first member of the node before */
    for (size_t node = 0; node < nodes; node++) r->begin[node] = r->begin[node + 1];
    r->begin[nodes] = (uint32_t)count;
    return 0;
}

int stream_rows_nodes(struct stream_rows *r, const assay_profile *p, const struct stream_member *members, size_t count, uint32_t rows, struct mem *mem,
                      assay_error *err)
{
    *r = (struct stream_rows){ .mem = mem, .profile = p, .count = rows, .has_totals = true };
    TRY(frames_init(&r->frames, assay_profile_tree(p), mem, err));
    return sort_members(r, members, count, err);
}

/* Every function node has the self cost of its function; the outermost ones of a row have its total. */
static int rows_of_tree(struct stream_rows *r, const struct top_groups *groups, assay_error *err)
{
    const struct assay_tree *tree = assay_profile_tree(r->profile);
    TRY(frames_init(&r->frames, tree, r->mem, err));
    SCRATCH(uint8_t, marks, r->mem, r->frames.len);
    SCRATCH(struct stream_member, members, r->mem, r->frames.len);
    if (!marks || !members) return error_memory(err);
    TRY(outermost_mark(&r->frames, groups ? groups->of : NULL, r->funcs, marks, STREAM_TOTAL, err));
    size_t count = 0;
    for (uint32_t node = 1; node <= tree->count; node++) {
        TRY(cancel_step(node, err));
        uint32_t func = r->frames.owner[node] == node ? frames_func(&r->frames, node) : 0;
        uint32_t row = func ? r->row_of[groups ? groups->of[func] : func] : 0;
        if (row) members[count++] = (struct stream_member){ node, row - 1, (uint8_t)(STREAM_SELF | marks[node]) };
    }
    return sort_members(r, members, count, err);
}

int stream_rows_functions(struct stream_rows *r, const assay_profile *p, const assay_top *top, const struct top_groups *groups, struct mem *mem,
                          assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(p);
    *r = (struct stream_rows){ .mem = mem, .profile = p, .count = top->count, .funcs = (size_t)assay_profile_funcs(p)->count + 1 };
    r->is_graph = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH && g->sum_stream;
    r->has_totals = !r->is_graph || !groups || groups->has_totals;
    if (!r->is_graph && !assay_profile_tree(p)->count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "does not tell threads, processes or ranks apart by function");
    r->row_of = mem_zalloc(mem, r->funcs, sizeof *r->row_of);
    if (!r->row_of) return error_memory(err);
    for (uint32_t row = 0; row < top->count; row++)
        if (top->func[row].v < r->funcs) r->row_of[top->func[row].v] = row + 1;
    if (!r->is_graph) return rows_of_tree(r, groups, err);
    for (uint32_t func = 1; groups && func < r->funcs; func++) r->row_of[func] = r->row_of[groups->of[func]];
    return 0;
}

void stream_rows_done(struct stream_rows *r)
{
    if (!r->mem) return;
    mem_free(r->mem, r->begin, r->begin ? (r->frames.len + 1) * sizeof *r->begin : 0);
    mem_free(r->mem, r->member, r->member ? r->members * sizeof *r->member : 0);
    mem_free(r->mem, r->row_of, r->row_of ? r->funcs * sizeof *r->row_of : 0);
    frames_done(&r->frames);
    *r = (struct stream_rows){ .mem = NULL };
}

/* ---- one group ---- */

static int begin_sums(struct stream_sums *s, const struct stream_rows *r, enum assay_type type, assay_error *err)
{
    s->mem = r->mem;
    s->rows = (size_t)r->count + 1;
    bool has_self = sums_init(&s->self, r->mem, type, s->rows), has_total = sums_init(&s->total, r->mem, type, s->rows);
    s->is_touched = mem_zalloc(r->mem, s->rows, 1);
    s->touched = mem_zalloc(r->mem, s->rows, sizeof *s->touched);
    s->out = mem_zalloc(r->mem, s->rows, sizeof *s->out);
    return has_self && has_total && s->is_touched && s->touched && s->out ? 0 : error_memory(err);
}

static void sums_drop(struct stream_sums *s)
{
    if (!s->mem) return;
    sums_done(&s->self);
    sums_done(&s->total);
    mem_free(s->mem, s->is_touched, s->is_touched ? s->rows : 0);
    mem_free(s->mem, s->touched, s->touched ? s->rows * sizeof *s->touched : 0);
    mem_free(s->mem, s->out, s->out ? s->rows * sizeof *s->out : 0);
}

void stream_sums_touch(struct stream_sums *s, uint32_t row)
{
    if (s->is_touched[row]) return;
    s->is_touched[row] = 1;
    s->touched[s->count++] = row;
}

int stream_sums_end(struct stream_sums *s, uint32_t group, stream_figures_fn *fn, void *arg, assay_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint32_t row = s->touched[i];
        struct stream_figure f = { row, sums_value(&s->self, row), sums_value(&s->total, row) };
        if (!value_is_zero(s->self.type, f.self) || !value_is_zero(s->self.type, f.total)) s->out[count++] = f;
        sums_set_zero(&s->self, row);
        sums_set_zero(&s->total, row);
        s->is_touched[row] = 0;
    }
    struct stream_figures f = { s->out, count, s->is_measured };
    s->count = 0;
    s->is_measured = false;
    return fn(arg, group, &f, err);
}

/* ---- graphs ---- */

/* Rows of the graph by group: they are in the order of first use, and streams may be mixed. */
static void sort_sums(const struct assay_graph *graph, const struct stream_groups *g, uint32_t *begin, uint32_t *order)
{
    for (uint32_t i = 0; i < graph->sum_count; i++) begin[g->group_of[graph->sum_stream[i].v] + 1]++;
    for (uint32_t group = 0; group <= g->count; group++) begin[group + 1] += begin[group];
    for (uint32_t i = graph->sum_count; i > 0; i--) order[--begin[g->group_of[graph->sum_stream[i - 1].v] + 1]] = i - 1;
}

static int figures_graph(const struct stream_rows *r, const struct stream_groups *g, assay_metric_id metric, struct stream_sums *s, stream_figures_fn *fn,
                         void *arg, assay_error *err)
{
    const struct assay_graph *graph = assay_profile_graph(r->profile);
    uint32_t k = 0, width = graph->block.metric_count;
    while (k < width && graph->block.metrics[k].v != metric.v) k++;
    if (k == width) FAIL(err, ASSAY_ERR_UNSUPPORTED, "this metric is not known by function");
    SCRATCH(uint32_t, begin, r->mem, (size_t)g->count + 3);
    SCRATCH(uint32_t, order, r->mem, (size_t)graph->sum_count + 1);
    if (!begin || !order) return error_memory(err);
    sort_sums(graph, g, begin, order); /* begin[group + 1]: where the group begins */
    for (uint32_t group = 1; group <= g->count; group++) {
        uint32_t end = group == g->count ? graph->sum_count : begin[group + 2];
        for (uint32_t n = begin[group + 1]; n < end; n++) {
            TRY(cancel_step(n, err));
            uint32_t i = order[n], row = r->row_of[graph->sum_func[i].v];
            if (graph->sum_len && k >= graph->sum_len[i]) continue;
            size_t at = graph->sum_begin ? (size_t)graph->sum_begin[i] + k : (size_t)i * width + k;
            s->is_measured |= !value_is_zero(s->self.type, graph->sum_self[at]);
            if (!row) continue;
            sums_add(&s->self, row - 1, graph->sum_self[at]);
            if (r->has_totals) top_graph_total(graph, i, at, &s->total, row - 1);
            stream_sums_touch(s, row - 1);
        }
        TRY(stream_sums_end(s, group, fn, arg, err));
    }
    return 0;
}

int stream_figures_each(const struct stream_rows *r, const struct stream_groups *g, assay_metric_id metric, stream_figures_fn *fn, void *arg, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(r->profile);
    SCOPED(sums_drop) struct stream_sums s = { .mem = NULL };
    TRY(begin_sums(&s, r, m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64, err));
    return r->is_graph ? figures_graph(r, g, metric, &s, fn, arg, err) : stream_figures_tree(r, g, metric, &s, fn, arg, err);
}
