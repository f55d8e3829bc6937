/* What is left of a call graph. It has functions and calls but no stacks, so filters look at functions by themselves; see select.h.
 * A hidden function is taken out where that is exact: it has one caller, and all it costs is that caller's. */
#include "analysis/select/select.h"
#include "base/error.h"
#include "base/scoped.h"
#include "model/entry.h"

/* Of a function. */
enum { MATCHES = 1, OUT = 2 };

struct thinning {
    struct select *s;
    const struct assay_graph *g;
    uint8_t *state;    /* by function */
    uint32_t *host;    /* by function: who has its cost; itself unless it is hidden */
    assay_value *zero; /* as many as there are metrics */
};

/* ---- which functions ---- */

static bool is_in_place(const struct select *s, uint32_t func, uint32_t file)
{
    const struct assay_funcs *f = assay_profile_funcs(s->p);
    return (!s->file || s->file[file ? file : ID(f->file, func)]) && (!s->module || s->module[ID(f->module, func)]);
}

static bool is_meant(const struct select *s, uint32_t func)
{
    return (!s->filter->focus_count || s->func[func] & SELECT_FOCUS) && (!s->filter->focus_self_count || s->func[func] & SELECT_SELF);
}

/* A function also matches when code of other files or modules is in it that does. */
static void judge_funcs(struct thinning *t)
{
    const struct select *s = t->s;
    for (uint32_t f = 1; f < s->funcs; f++) {
        bool matches = is_meant(s, f);
        if (s->func[f] & SELECT_IGNORE) t->state[f] = OUT;
        if (matches && !t->state[f] && is_in_place(s, f, 0)) t->state[f] = MATCHES;
    }
    for (uint32_t i = 0; i < t->g->cost_count; i++) {
        uint32_t f = t->g->cost_func[i].v;
        bool matches = is_meant(s, f);
        if (matches && !t->state[f] && is_in_place(s, f, ID(t->g->cost_file, i))) t->state[f] = MATCHES;
    }
}

/* ---- hiding ---- */

/* The only caller of each hidden function; more than one is an error. */
static int find_callers(struct thinning *t, assay_error *err)
{
    const struct select *s = t->s;
    for (uint32_t f = 1; f < s->funcs; f++) t->host[f] = s->func[f] & SELECT_HIDE ? 0 : f;
    for (uint32_t i = 0; i < t->g->arc_count; i++) {
        uint32_t caller = ID(t->g->arc_caller, i), callee = t->g->arc_callee[i].v;
        if (!caller || caller == callee || !(s->func[callee] & SELECT_HIDE)) continue;
        if (t->host[callee] && t->host[callee] != caller)
            FAIL(err, ASSAY_ERR_UNSUPPORTED, "'%.80s' cannot be hidden: it has several callers, and a call graph does not record its cost for each of them",
                 assay_profile_string(s->p, assay_profile_funcs(s->p)->name[callee]).data);
        t->host[callee] = caller;
    }
    return 0;
}

/* From the caller to the nearest one that is not hidden. Each round doubles the steps that are taken at once; hidden functions that only call each
 * other have none. */
static void follow_callers(struct thinning *t)
{
    const struct select *s = t->s;
    bool is_hidden = true;
    for (int round = 0; is_hidden && round < 32; round++) {
        is_hidden = false;
        for (uint32_t f = 1; f < s->funcs; f++)
            if (s->func[t->host[f]] & SELECT_HIDE && t->host[f]) {
                t->host[f] = t->host[t->host[f]];
                is_hidden = true;
            }
    }
    for (uint32_t f = 1; f < s->funcs; f++)
        if (s->func[t->host[f]] & SELECT_HIDE) t->host[f] = 0;
}

/* ---- rows ---- */

static const assay_value *values_at(const struct thinning *t, const assay_value *column, uint32_t row)
{
    return column ? column + (size_t)row * t->g->block.metric_count : NULL;
}

static bool has_stream(const struct thinning *t, uint32_t stream) { return t->s->stream[stream] != SELECT_NO_STREAM; }

static void copy_costs(struct thinning *t)
{
    const struct assay_graph *g = t->g;
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->cost_count; i++) {
        uint32_t func = g->cost_func[i].v, stream = ID(g->cost_stream, i), file = ID(g->cost_file, i);
        if (!has_stream(t, stream) || !(t->state[func] & MATCHES) || !is_in_place(t->s, func, file) || !t->host[func]) continue;
        struct assay_place at = { { t->s->stream[stream] }, { t->host[func] }, { file }, AT(g->cost_line, i), AT(g->cost_address, i) };
        assay_build_self(t->s->b, &at, values_at(t, g->cost_self, i), width);
    }
}

static void copy_arcs(struct thinning *t)
{
    const struct assay_graph *g = t->g;
    for (uint32_t i = 0; i < g->arc_count; i++) {
        uint32_t caller = ID(g->arc_caller, i), callee = g->arc_callee[i].v, stream = ID(g->arc_stream, i);
        uint8_t ends = t->state[caller] | t->state[callee];
        if (!has_stream(t, stream) || !(ends & MATCHES) || ends & OUT || t->s->func[callee] & SELECT_HIDE) continue;
        struct assay_place at = { { t->s->stream[stream] }, { t->host[caller] }, { ID(g->arc_file, i) }, AT(g->arc_line, i), AT(g->arc_address, i) };
        assay_build_call(t->s->b, &at, (assay_func_id){ callee }, AT(g->arc_calls, i), values_at(t, g->arc_total, i), g->block.metric_count);
        if (g->arc_self || g->arc_recursive || AT(g->arc_depth, i))
            assay_build_call_more(t->s->b, values_at(t, g->arc_self, i), values_at(t, g->arc_recursive, i), AT(g->arc_depth, i));
    }
}

/* What is said of functions as a whole; and their cost, where the reader only summed it up. */
static void copy_sums(struct thinning *t)
{
    const struct assay_graph *g = t->g;
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->sum_count; i++) {
        uint32_t func = g->sum_func[i].v, stream = ID(g->sum_stream, i);
        bool is_hidden = t->s->func[func] & SELECT_HIDE;
        if (!has_stream(t, stream) || !(t->state[func] & MATCHES)) continue;
        struct assay_place at = { .stream = { t->s->stream[stream] }, .func = { t->host[func] } };
        if (t->host[func]) assay_build_self(t->s->b, &at, g->cost_count ? t->zero : values_at(t, g->sum_self, i), g->cost_count ? 0 : width);
        if (is_hidden) continue;
        if (AT(g->has_stated, i)) assay_build_stated(t->s->b, at.stream, at.func, AT(g->stated_calls, i), values_at(t, g->stated_total, i), width);
        if (AT(g->sum_entered, i)) assay_build_entered(t->s->b, at.stream, at.func, g->sum_entered[i]);
    }
}

static void copy_jumps(struct thinning *t)
{
    const struct assay_graph *g = t->g;
    for (uint32_t i = 0; i < g->jump_count; i++) {
        uint32_t func = ID(g->jump_func, i), to = ID(g->jump_to_func, i), stream = ID(g->jump_stream, i);
        bool matches = t->state[func] & MATCHES && t->state[to] & MATCHES && t->host[func] && t->host[to];
        if (!has_stream(t, stream) || !matches) continue;
        struct assay_place from = { { t->s->stream[stream] }, { t->host[func] }, { ID(g->jump_file, i) }, AT(g->jump_line, i), AT(g->jump_address, i) };
        struct assay_place end = { from.stream, { t->host[to] }, { ID(g->jump_to_file, i) }, AT(g->jump_to_line, i), AT(g->jump_to_address, i) };
        assay_build_jump(t->s->b, &from, &end, AT(g->jump_executed, i), AT(g->jump_followed, i), AT(g->jump_conditional, i));
    }
}

/* ---- all of it ---- */

/* Inclusive cost is still that of the whole, and so are shares. */
static void keep_whole(struct thinning *t)
{
    const struct assay_filter *f = t->s->filter;
    const struct assay_metrics *m = assay_profile_metrics(t->s->p);
    if (!f->focus_count && !f->focus_self_count && !f->ignore_count && !f->file_count && !f->module_count) return;
    findings_add(&t->s->found, "FI-5", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                 "has functions and calls, but no call stacks: the filter selects functions; totals and shares are those of the whole");
    for (uint32_t k = 0; k < t->g->block.metric_count; k++) {
        uint32_t id = t->g->block.metrics[k].v;
        assay_metric_id to = { t->s->metric[id] };
        enum assay_type type = (enum assay_type)AT(m->type, id);
        if (type == ASSAY_F64)
            assay_build_metric_total(t->s->b, to, (assay_value){ .d = AT(m->total_double, id) });
        else if (type == ASSAY_U64)
            assay_build_metric_total_wide(t->s->b, to, m->total[id]);
        else
            assay_build_metric_total(t->s->b, to, (assay_value){ .i = (int64_t)m->total[id].low });
    }
}

/* Only streams are chosen: rows of the others are left out, all else stays as it is. */
static void keep_streams(struct thinning *t)
{
    static const enum schema_number tables[] = { SCHEMA_T_SUMS, SCHEMA_T_COSTS, SCHEMA_T_ARCS, SCHEMA_T_JUMPS };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) profile_copy_streams(t->s->p, t->s->b, tables[i], t->s->stream);
    if (t->g->knows_nesting) assay_build_nesting_known(t->s->b);
    if (t->g->keeps_recursion) builder_keeps_recursion(t->s->b);
}

static int thin(struct thinning *t, assay_error *err)
{
    if (t->s->filter->show_from_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has functions and calls, but no call stacks, so they cannot begin with a function");
    if (t->s->filter->collapse_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has functions and calls, but no call stacks, so they cannot end with a function");
    if (t->s->filter->hide_path_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has functions and calls, but no call stacks, so there are no places in them");
    struct select *s = t->s;
    uint32_t width = t->g->block.metric_count;
    SCRATCH(assay_metric_id, metrics, &s->mem, (size_t)width + 1);
    if (!metrics) return error_memory(err);
    for (uint32_t k = 0; k < width; k++) metrics[k].v = s->metric[t->g->block.metrics[k].v];
    assay_build_graph_metrics(s->b, metrics, width);
    if (!select_has_frames(s->filter)) {
        keep_streams(t);
        return assay_builder_failed(s->b);
    }
    judge_funcs(t);
    TRY(find_callers(t, err));
    follow_callers(t);
    copy_sums(t);
    copy_costs(t);
    copy_arcs(t);
    copy_jumps(t);
    keep_whole(t);
    return assay_builder_failed(s->b);
}

int select_graph(struct select *s, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(s->p);
    SCRATCH(uint8_t, state, &s->mem, s->funcs);
    SCRATCH(uint32_t, host, &s->mem, s->funcs);
    SCRATCH(assay_value, zero, &s->mem, (size_t)g->block.metric_count + 1);
    struct thinning t = { s, g, state, host, zero };
    return state && host && zero ? thin(&t, err) : error_memory(err);
}
