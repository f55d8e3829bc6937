/* Points in GPU code -> contexts; see rebuild.h. */
#include "formats/hpcrun/hpcrun-measurements/rebuild.h"

#include "base/order.h"
#include "base/sort.h"

void rebuild_init(struct rebuild *r, struct mem *mem, struct expand *expand, bool compat)
{
    *r = (struct rebuild){ .mem = mem, .expand = expand, .compat = compat };
}

void rebuild_done(struct rebuild *r)
{
    if (!r->mem) return;
    for (size_t i = 0; i < r->graphs.len; i++)
        if (r->graphs.at[i]) {
            callpaths_done(r->graphs.at[i]);
            mem_free(r->mem, r->graphs.at[i], sizeof *r->graphs.at[i]);
        }
    vec_done(r->mem, &r->graphs, &r->points, &r->values, &r->order, &r->launches, &r->weights, &r->by_steps, &r->contexts);
}

void rebuild_begin(struct rebuild *r)
{
    r->points.len = 0;
    r->values.len = 0;
}

/* ---- noting ---- */

static int graph_of(struct rebuild *r, uint32_t module, struct callpaths **out, assay_error *err)
{
    const struct expand *x = r->expand;
    if (r->graphs.len < module) {
        size_t more = module - r->graphs.len;
        if (!vec_reserve(r->mem, &r->graphs, more)) return error_memory(err);
        memset(r->graphs.at + r->graphs.len, 0, more * sizeof *r->graphs.at);
        r->graphs.len += more;
    }
    *out = r->graphs.at[module - 1];
    if (*out) return 0;
    *out = r->graphs.at[module - 1] = mem_zalloc(r->mem, 1, sizeof **out);
    if (!*out) return error_memory(err);
    return callpaths_init(*out, x->symbols, x->modules.at[module - 1].number, r->compat, r->mem, err);
}

int rebuild_has_calls(struct rebuild *r, uint32_t module, bool *out, assay_error *err)
{
    struct callpaths *graph = NULL;
    *out = false;
    if (!r->expand->symbols) return 0;
    TRY(graph_of(r, module, &graph, err));
    *out = graph->is_usable;
    return 0;
}

int rebuild_point(struct rebuild *r, assay_node_id parent, uint32_t module, uint64_t address, bool is_lost, uint32_t *number, assay_error *err)
{
    const struct expand *x = r->expand;
    struct symbols_chain chain;
    TRY(symbols_lookup(x->symbols, x->modules.at[module - 1].number, address, &chain, err));
    struct rebuild_point *p = vec_push(r->mem, &r->points);
    if (!p) return error_memory(err);
    *p = (struct rebuild_point){ .parent = parent, .module = module, .address = address, .is_lost = is_lost };
    if (chain.count && chain.at[0].function <= r->graphs.at[module - 1]->function_count) p->function = chain.at[0].function;
    *number = (uint32_t)r->points.len;
    return 0;
}

static double number_of(const struct hpcrun_table_row *row, assay_value value) { return row->is_real_metric ? value.d : (double)value.u; }

bool rebuild_value(struct rebuild *r, const struct hpcrun_metrics *metrics, uint32_t number, uint32_t row, assay_value value)
{
    struct rebuild_point *p = &r->points.at[number - 1];
    const struct hpcrun_table_row *metric = &metrics->table.at[row];
    double amount = number_of(metric, value);
    if (metric->role == HPCRUN_LAUNCHES) p->launched += amount;
    if (metric->role == HPCRUN_SAMPLED_LAUNCHES) p->sampled += amount;
    if (metric->role == HPCRUN_GPU_INSTRUCTIONS) p->executed += amount;
    if (!p->is_lost) return true;
    struct rebuild_value *v = vec_push(r->mem, &r->values);
    if (!v) return false;
    *v = (struct rebuild_value){ row, value, p->last_value };
    p->last_value = (uint32_t)r->values.len;
    return true;
}

/* ---- finding points ---- */

/* By parent, module, function and address. */
static int compare(const struct rebuild_point *a, const struct rebuild_point *b)
{
    ORDER_BY(a->parent.v, b->parent.v);
    ORDER_BY(a->module, b->module);
    ORDER_BY(a->function, b->function);
    return ORDER(a->address, b->address);
}

static int by_place(const void *a, const void *b, void *arg)
{
    const struct rebuild *r = arg;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare(&r->points.at[x], &r->points.at[y]);
    return order ? order : ORDER(x, y);
}

/* The first of the sorted points that is not before `key`. */
static size_t find(const struct rebuild *r, const uint32_t *order, size_t count, const struct rebuild_point *key)
{
    size_t begin = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool is_before = compare(&r->points.at[order[begin + half]], key) < 0;
        begin = is_before ? begin + half + 1 : begin;
        count = is_before ? count - half - 1 : half;
    }
    return begin;
}

static bool sort_points(struct rebuild *r)
{
    r->order.len = r->launches.len = 0;
    for (size_t i = 0; i < r->points.len; i++) {
        const struct rebuild_point *p = &r->points.at[i];
        uint32_t *at = NULL;
        if (p->is_lost)
            at = vec_push(r->mem, &r->order);
        else if (p->launched != 0 || p->sampled != 0)
            at = vec_push(r->mem, &r->launches);
        else
            continue;
        if (!at) return false;
        *at = (uint32_t)i;
    }
    if (r->order.len) sort_with(r->order.at, r->order.len, sizeof *r->order.at, by_place, r);
    return sort_with(r->launches.at, r->launches.len, sizeof *r->launches.at, by_place, r);
}

/* ---- weights ---- */

/* How many launches of the kernel each sampled one stands for; 0 = it was not launched here. */
static double scale_of(const struct rebuild *r, const struct rebuild_point *at, uint32_t entry)
{
    const struct rebuild_point key = { .parent = at->parent, .module = at->module, .function = entry }, *p;
    double launched = 0, sampled = 0;
    for (size_t i = find(r, r->launches.at, r->launches.len, &key); i < r->launches.len; i++) {
        p = &r->points.at[r->launches.at[i]];
        if (p->parent.v != key.parent.v || p->module != key.module || p->function != entry) break;
        launched += p->launched;
        sampled += p->sampled;
    }
    if (launched != 0 && sampled != 0) return launched / sampled;
    return launched != 0 || sampled != 0;
}

/* How often the call instruction itself was sampled. */
static double executed_at(const struct rebuild *r, const struct rebuild_point *at, const struct symbols_call *call)
{
    const struct rebuild_point key = { .parent = at->parent, .module = at->module, .function = call->caller, .address = call->address };
    double sum = 0;
    for (size_t i = find(r, r->order.at, r->order.len, &key); i < r->order.len && compare(&r->points.at[r->order.at[i]], &key) == 0; i++)
        sum += r->points.at[r->order.at[i]].executed;
    return sum;
}

/* Call number `level` of a path, from the sample outwards; NULL = it has no more. */
static const struct symbols_call *step_at(const struct callpaths *c, const struct callpath *path, uint32_t level)
{
    return level < path->count ? &c->steps.at[path->first + path->count - 1 - level] : NULL;
}

struct by_steps {
    const struct callpaths *graph;
    const struct callpath *paths;
};

static int by_step(const struct by_steps *s, uint32_t x, uint32_t y, uint32_t level)
{
    const struct symbols_call *a = step_at(s->graph, &s->paths[x], level), *b = step_at(s->graph, &s->paths[y], level);
    if (!a || !b) return (a != NULL) - (b != NULL);
    return ORDER(a->address, b->address);
}

static int by_all_steps(const void *a, const void *b, void *arg)
{
    const struct by_steps *s = arg;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = 0;
    for (uint32_t level = 0; !order && (level < s->paths[x].count || level < s->paths[y].count); level++) order = by_step(s, x, y, level);
    return order ? order : ORDER(x, y);
}

/* The end of those of `from` .. `to` that go on like the first of them. */
static size_t end_of_branch(const struct rebuild *r, const struct by_steps *s, size_t from, size_t to, uint32_t level)
{
    size_t end = from + 1;
    while (end < to && by_step(s, r->by_steps.at[from], r->by_steps.at[end], level) == 0) end++;
    return end;
}

/* Divides what the paths `from` .. `to` have among its branches at this level, by how often their calls were sampled. */
static void divide(struct rebuild *r, const struct by_steps *s, const struct rebuild_point *at, size_t from, size_t to, uint32_t level)
{
    double sum = 0, share = r->weights.at[r->by_steps.at[from]];
    size_t branches = 0;
    for (size_t i = from; i < to; i = end_of_branch(r, s, i, to, level), branches++) {
        const struct symbols_call *call = step_at(s->graph, &s->paths[r->by_steps.at[i]], level);
        sum += call ? executed_at(r, at, call) : 0;
    }
    for (size_t i = from, end; i < to; i = end) {
        const struct symbols_call *call = step_at(s->graph, &s->paths[r->by_steps.at[i]], level);
        double part = sum != 0 ? (call ? executed_at(r, at, call) / sum : 0) : 1.0 / (double)branches;
        end = end_of_branch(r, s, i, to, level);
        for (size_t k = i; k < end; k++) r->weights.at[r->by_steps.at[k]] = share * part;
    }
}

/* Level by level outwards; paths that agree so far stand side by side and have the same weight. */
static void share_out(struct rebuild *r, const struct by_steps *s, const struct rebuild_point *at)
{
    size_t count = r->by_steps.len;
    bool is_alone = count < 2;
    for (size_t i = 0; i < count; i++) r->weights.at[r->by_steps.at[i]] = 1;
    for (uint32_t level = 0; !is_alone && level < CALLPATHS_DEPTH; level++) {
        is_alone = true;
        for (size_t from = 0, to; from < count; from = to) {
            for (to = from + 1; to < count; to++) {
                uint32_t same = 0;
                while (same < level && by_step(s, r->by_steps.at[from], r->by_steps.at[to], same) == 0) same++;
                if (same < level) break;
            }
            if (to - from > 1) divide(r, s, at, from, to, level);
            is_alone &= to - from == 1;
        }
    }
}

/* The weight of each path to the function of `at`. false = no memory. */
static bool weigh(struct rebuild *r, const struct callpaths *graph, struct callpath_range range, const struct rebuild_point *at)
{
    struct by_steps s = { graph, graph->paths.at + range.first };
    r->weights.len = r->by_steps.len = 0;
    if (!vec_reserve(r->mem, &r->weights, range.count) || !vec_reserve(r->mem, &r->by_steps, range.count)) return false;
    r->weights.len = range.count;
    for (uint32_t i = 0; i < range.count; i++) {
        r->weights.at[i] = 0;
        if (scale_of(r, at, s.paths[i].entry) != 0) r->by_steps.at[r->by_steps.len++] = i;
    }
    if (r->by_steps.len) sort_with(r->by_steps.at, r->by_steps.len, sizeof *r->by_steps.at, by_all_steps, &s);
    share_out(r, &s, at);
    for (size_t i = 0; i < r->by_steps.len; i++) r->weights.at[r->by_steps.at[i]] *= scale_of(r, at, s.paths[r->by_steps.at[i]].entry);
    return true;
}

/* ---- building ---- */

static void book(struct rebuild *r, const struct hpcrun_metrics *metrics, assay_stream_id stream, const struct rebuild_point *p,
                 const struct expand_context *context, double weight)
{
    for (uint32_t i = p->last_value; i; i = r->values.at[i - 1].before) {
        const struct rebuild_value *v = &r->values.at[i - 1];
        const struct hpcrun_table_row *row = &metrics->table.at[v->row];
        assay_value value = v->value;
        if (weight != 1 && row->is_real_metric) value.d *= weight;
        assay_build_value(r->expand->b, stream, row->to_procedure ? context->called : context->full, row->scope, value);
    }
}

/* The contexts of the calls of a path, below the kernel's placeholder. */
static int build_path(struct rebuild *r, const struct callpaths *graph, const struct callpath *path, const struct rebuild_point *at, struct expand_context *out,
                      assay_error *err)
{
    *out = (struct expand_context){ at->parent, at->parent };
    for (uint32_t i = 0; i < path->count; i++) TRY(expand_address(r->expand, out->full, at->module, graph->steps.at[path->first + i].address, true, out, err));
    return 0;
}

/* Points `from` .. `to` are of one function below one parent. */
static int build_lost(struct rebuild *r, const struct hpcrun_metrics *metrics, assay_stream_id stream, size_t from, size_t to, assay_error *err)
{
    const struct rebuild_point *at = &r->points.at[r->order.at[from]];
    struct expand_context unknown = { .full = expand_called(r->expand, at->parent, EXPAND_UNKNOWN, 0) }, context;
    for (size_t i = from; i < to; i++) {
        const struct rebuild_point *p = &r->points.at[r->order.at[i]];
        TRY(expand_address(r->expand, unknown.full, p->module, p->address, false, &context, err));
        book(r, metrics, stream, p, &context, 1);
    }
    return 0;
}

static int build_function(struct rebuild *r, const struct hpcrun_metrics *metrics, assay_stream_id stream, size_t from, size_t to, assay_error *err)
{
    const struct rebuild_point *at = &r->points.at[r->order.at[from]];
    struct callpaths *graph = r->graphs.at[at->module - 1];
    struct callpath_range range = { .count = 0 };
    struct expand_context above, context;
    if (at->function) TRY(callpaths_of(graph, at->function, &range, err));
    if (!weigh(r, graph, range, at)) return error_memory(err);
    if (!r->by_steps.len) return r->compat && range.count ? 0 : build_lost(r, metrics, stream, from, to, err);
    for (size_t k = 0; k < r->by_steps.len; k++) {
        double weight = r->weights.at[r->by_steps.at[k]];
        if (weight == 0) continue;
        TRY(build_path(r, graph, &graph->paths.at[range.first + r->by_steps.at[k]], at, &above, err));
        for (size_t i = from; i < to; i++) {
            const struct rebuild_point *p = &r->points.at[r->order.at[i]];
            TRY(expand_address(r->expand, above.full, p->module, p->address, true, &context, err));
            book(r, metrics, stream, p, &context, weight);
        }
    }
    return 0;
}

int rebuild_finish(struct rebuild *r, const struct hpcrun_metrics *metrics, assay_stream_id stream, assay_error *err)
{
    if (!sort_points(r)) return error_memory(err);
    for (size_t from = 0, to; from < r->order.len; from = to) {
        const struct rebuild_point *at = &r->points.at[r->order.at[from]];
        for (to = from + 1; to < r->order.len; to++) {
            const struct rebuild_point *p = &r->points.at[r->order.at[to]];
            if (p->parent.v != at->parent.v || p->module != at->module || p->function != at->function) break;
        }
        TRY(build_function(r, metrics, stream, from, to, err));
    }
    return 0;
}
