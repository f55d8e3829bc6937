/* Collecting what a chunked stream is written from: lines from the profile's lines, or else from its costs by place; calls from its arcs,
 * summed over sites and streams (docs/formats/nytprof-tlv.md, "Writing"). */
#include "formats/nytprof-tlv/plan.h"

#include "analysis/core/metric_choice.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "base/wide.h"

uint32_t tlv_plan_fid(const struct tlv_plan *plan, uint32_t file)
{
    uint32_t first = strcmp(assay_profile_format(plan->p), "nytprof") == 0 ? 1 : 0;
    return (file ? file - 1 : plan->files->count) + first;
}

/* ---- rows ---- */

static void add(struct tlv_plan *plan, uint64_t *sum, uint64_t more)
{
    if (!__builtin_add_overflow(*sum, more, sum)) return;
    *sum = UINT64_MAX;
    plan->saturated++;
}

/* The row of a pair, made when it is not there yet; NULL = no memory. Valid until the next call. */
static struct tlv_row *row_of(struct tlv_plan *plan, struct tlv_rows *t, uint32_t first, uint32_t second)
{
    uint64_t hash = hash_mix(1, (uint64_t)first << 32 | second);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);) {
        struct tlv_row *row = &t->list.at[w.id - 1];
        if (row->first == first && row->second == second) return row;
    }
    struct tlv_row *row = t->list.len < UINT32_MAX ? vec_push(plan->mem, &t->list) : NULL;
    if (!row || !index_add(&t->index, hash, (uint32_t)t->list.len)) return NULL;
    *row = (struct tlv_row){ .first = first, .second = second };
    return row;
}

static assay_value value_at(const assay_value *column, uint32_t width, uint32_t row, uint32_t k)
{
    return column ? column[(size_t)row * width + k] : (assay_value){ .u = 0 };
}

/* ---- lines ---- */

static bool add_line(struct tlv_plan *plan, uint32_t file, uint32_t line, uint64_t calls, uint64_t self, uint64_t total)
{
    struct tlv_row *row = row_of(plan, &plan->lines, file, line);
    if (!row) return false;
    plan->has_unknown_file |= file == 0;
    add(plan, &row->calls, calls);
    add(plan, &row->self, self);
    add(plan, &row->total, total);
    return true;
}

static bool lines_from_lines(struct tlv_plan *plan)
{
    const struct assay_lines *l = plan->l;
    uint32_t width = l->block.metric_count;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->level && l->level[i] != ASSAY_LEVEL_LINE) continue;
        assay_value zero = { .u = 0 };
        uint64_t self = tlv_plan_ticks(plan, &plan->line_scale, width ? value_at(l->self, width, i, plan->line_metric) : zero);
        uint64_t total = l->total && width ? tlv_plan_ticks(plan, &plan->line_scale, value_at(l->total, width, i, plan->line_metric)) : self;
        if (!add_line(plan, l->file ? l->file[i].v : 0, l->line ? l->line[i] : 0, l->hits ? l->hits[i] : 0, self, total)) return false;
    }
    return true;
}

static bool lines_from_costs(struct tlv_plan *plan)
{
    const struct assay_graph *g = plan->g;
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->cost_count; i++) {
        uint64_t self = tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->cost_self, width, i, plan->graph_metric));
        if (!add_line(plan, g->cost_file ? g->cost_file[i].v : 0, g->cost_line ? g->cost_line[i] : 0, 0, self, self)) return false;
    }
    return true;
}

/* A format without places still knows where its functions begin. */
static bool lines_from_sums(struct tlv_plan *plan)
{
    const struct assay_graph *g = plan->g;
    const struct assay_funcs *u = plan->funcs;
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->sum_count; i++) {
        uint32_t f = g->sum_func[i].v;
        uint64_t self = tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->sum_self, width, i, plan->graph_metric));
        if (self && !add_line(plan, u->file ? u->file[f].v : 0, u->first_line ? u->first_line[f] : 0, 0, self, self)) return false;
    }
    return true;
}

/* The inclusive time of a line is its own and that of the calls it makes. */
static bool add_calls_to_lines(struct tlv_plan *plan)
{
    const struct assay_graph *g = plan->g;
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->arc_count; i++) {
        uint32_t file = g->arc_file ? g->arc_file[i].v : 0, line = g->arc_line ? g->arc_line[i] : 0;
        if (!file && !line) continue;
        uint64_t total = tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->arc_total, width, i, plan->graph_metric));
        if (!add_line(plan, file, line, 0, 0, total)) return false;
    }
    return true;
}

static bool collect_lines(struct tlv_plan *plan)
{
    if (plan->l->count) {
        if (!lines_from_lines(plan)) return false;
        return plan->l->total || add_calls_to_lines(plan);
    }
    if (!plan->g->block.metric_count) return true;
    return (plan->g->cost_count ? lines_from_costs(plan) : lines_from_sums(plan)) && add_calls_to_lines(plan);
}

/* ---- calls ---- */

static bool collect_calls(struct tlv_plan *plan)
{
    const struct assay_graph *g = plan->g;
    uint32_t width = g->block.metric_count, k = plan->graph_metric;
    for (uint32_t i = 0; width && i < g->arc_count; i++) {
        struct tlv_row *row = row_of(plan, &plan->calls, g->arc_caller[i].v, g->arc_callee[i].v);
        if (!row) return false;
        plan->has_outside |= g->arc_caller[i].v == 0 || g->arc_callee[i].v == 0;
        add(plan, &row->calls, g->arc_calls ? g->arc_calls[i] : 0);
        add(plan, &row->total, tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->arc_total, width, i, k)));
        add(plan, &row->total, tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->arc_recursive, width, i, k)));
        add(plan, &row->self, tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->arc_self, width, i, k)));
    }
    return true;
}

/* What is known of a function, to tell whether its incoming rows hold what is its own. */
struct share {
    uint64_t self, weight, left; /* weight: inclusive ticks of its incoming rows; left: of self, not given away yet */
    uint64_t held;               /* exclusive ticks of its incoming rows */
    uint64_t out, stated;        /* stated: its inclusive ticks, as the profile has them */
    uint64_t entries, calls;     /* calls: of its incoming rows */
    uint32_t rows;               /* incoming */
    bool is_held;                /* these say what is its own; calls inside others of the same function may say more than there is */
};

static void sum_shares(struct tlv_plan *plan, struct share *shares)
{
    const struct assay_graph *g = plan->g;
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->sum_count; i++) {
        struct share *s = &shares[g->sum_func[i].v];
        add(plan, &s->self, tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->sum_self, width, i, plan->graph_metric)));
        add(plan, &s->out, tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->sum_out, width, i, plan->graph_metric)));
        if (g->has_stated && g->has_stated[i]) {
            add(plan, &s->entries, g->stated_calls[i]);
            add(plan, &s->stated, tlv_plan_ticks(plan, &plan->graph_scale, value_at(g->stated_total, width, i, plan->graph_metric)));
        } else if (g->sum_entered)
            add(plan, &s->entries, g->sum_entered[i]);
    }
    for (size_t i = 0; i < plan->calls.list.len; i++) {
        const struct tlv_row *row = &plan->calls.list.at[i];
        struct share *s = &shares[row->second];
        add(plan, &s->weight, row->total);
        add(plan, &s->held, row->self);
        add(plan, &s->calls, row->calls);
        s->rows++;
    }
    /* Each figure may be rounded; a function without figures of its own has what its calls say. */
    for (uint32_t f = 0; g->arc_self && f <= plan->funcs->count; f++)
        shares[f].is_held = !shares[f].self || shares[f].held <= shares[f].self || shares[f].held - shares[f].self <= shares[f].rows;
}

/* A function's own cost goes to the calls that led to it, by their inclusive cost; the last one takes what rounding left. So its sum
 * stays exact. */
static void share_out(struct tlv_plan *plan, struct share *shares, const uint32_t *incoming)
{
    for (uint32_t f = 0; f <= plan->funcs->count; f++) {
        shares[f].left = shares[f].self;
        plan->shared += incoming[f] > 1 && shares[f].self && !shares[f].is_held;
    }
    for (size_t i = 0; i < plan->calls.list.len; i++) {
        struct tlv_row *row = &plan->calls.list.at[i];
        struct share *s = &shares[row->second];
        if (s->is_held) continue;
        uint64_t part = s->weight ? u128_quotient(u128_product(s->self, row->total), s->weight, NULL).low : 0;
        if (part > s->left || --s->rows == 0) part = s->left;
        row->self = part;
        s->left -= part;
    }
}

/* A function that nobody calls was entered from outside, and so was what the rows into a function do not hold. */
static bool add_roots(struct tlv_plan *plan, const struct share *shares, const uint32_t *incoming)
{
    for (uint32_t f = 1; f <= plan->funcs->count; f++) {
        const struct share *s = &shares[f];
        uint64_t total = s->self, self = s->self, calls = s->entries ? s->entries : 1;
        add(plan, &total, s->out);
        if (incoming[f]) {
            if (!s->is_held || s->self <= s->held + incoming[f]) continue;
            self -= s->held;
            if (s->stated) total = s->stated;
            total = total > s->weight && total - s->weight > self ? total - s->weight : self;
            calls = s->entries > s->calls ? s->entries - s->calls : 0;
        }
        if (!self && (plan->g->arc_self || !total)) continue;
        struct tlv_row *row = row_of(plan, &plan->calls, 0, f);
        if (!row) return false;
        add(plan, &row->calls, calls);
        add(plan, &row->total, total);
        add(plan, &row->self, self);
        plan->has_outside = true;
    }
    return true;
}

static bool find_self(struct tlv_plan *plan)
{
    size_t count = (size_t)plan->funcs->count + 1;
    if (!plan->g->sum_count || !plan->g->block.metric_count) return true;
    SCRATCH(struct share, shares, plan->mem, count);
    SCRATCH(uint32_t, incoming, plan->mem, count);
    bool ok = shares && incoming;
    if (ok) {
        sum_shares(plan, shares);
        for (size_t f = 0; f < count; f++) incoming[f] = shares[f].rows;
        share_out(plan, shares, incoming);
        ok = add_roots(plan, shares, incoming);
    }
    return ok;
}

/* ---- numbers of subs ---- */

static assay_slice name_of(const struct tlv_plan *plan, uint32_t func) { return assay_profile_string(plan->p, plan->funcs->name[func]); }

static int by_name(const void *pa, const void *pb, void *arg)
{
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int c = slice_compare(name_of(arg, a), name_of(arg, b));
    return c ? c : ORDER(a, b);
}

/* Chunked streams keep their numbers; others are numbered by name, as Pynytprof does. The outside comes last. */
static bool number_subs(struct tlv_plan *plan)
{
    const struct assay_funcs *u = plan->funcs;
    uint32_t last = 0;
    plan->sid = mem_zalloc(plan->mem, (size_t)u->count + 1, sizeof *plan->sid);
    plan->order = mem_zalloc(plan->mem, (size_t)u->count + 1, sizeof *plan->order);
    if (!plan->sid || !plan->order) return false;
    plan->keeps_sids = strcmp(assay_profile_format(plan->p), "nytprof-tlv") == 0;
    for (uint32_t f = 1; f <= u->count; f++) {
        uint64_t number = u->offset ? u->offset[f] : 0;
        plan->order[f - 1] = f;
        plan->keeps_sids &= number < UINT32_MAX;
        if (number > last) last = (uint32_t)number;
    }
    if (!plan->keeps_sids && u->count) sort_with(plan->order, u->count, sizeof *plan->order, by_name, plan);
    for (uint32_t i = 0; i < u->count; i++) {
        uint32_t f = plan->order[i];
        plan->sid[f] = plan->keeps_sids ? (u->offset ? (uint32_t)u->offset[f] : 0) : i;
    }
    plan->sid[0] = plan->keeps_sids ? (u->count ? last + 1 : 0) : u->count;
    return true;
}

/* ---- the whole ---- */

/* Which column of a block: the one that was asked for, else the default. */
static bool choose(const struct tlv_plan *plan, const struct assay_block *block, uint32_t *k)
{
    struct metric_set set = { .profile = plan->p, .at = block->metrics, .count = block->metric_count };
    assay_error none = { 0 };
    *k = 0;
    if (!block->metric_count) return !plan->job->options->metric;
    return metric_choose_place(&set, plan->job->options->metric, k, &none) == 0 || !plan->job->options->metric;
}

static int choose_metrics(struct tlv_plan *plan, assay_error *err)
{
    bool in_graph = choose(plan, &plan->g->block, &plan->graph_metric), in_lines = choose(plan, &plan->l->block, &plan->line_metric);
    if (!in_graph && !in_lines) FAIL(err, ASSAY_ERR_USAGE, "the profile has no metric '%s' of functions or lines", plan->job->options->metric);
    if (plan->g->block.metric_count) plan->graph_scale = tlv_scale_of(plan->p, plan->g->block.metrics[plan->graph_metric]);
    if (plan->l->block.metric_count) plan->line_scale = tlv_scale_of(plan->p, plan->l->block.metrics[plan->line_metric]);
    return 0;
}

int tlv_plan_make(struct tlv_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err)
{
    *plan = (struct tlv_plan){ .p = p,
                               .g = assay_profile_graph(p),
                               .l = assay_profile_lines(p),
                               .funcs = assay_profile_funcs(p),
                               .files = assay_profile_files(p),
                               .job = job,
                               .mem = job->mem };
    index_init(&plan->lines.index, job->mem);
    index_init(&plan->calls.index, job->mem);
    if (!(assay_profile_shapes(p) & (ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES)) && (assay_profile_shapes(p) || !assay_profile_metrics(p)->count))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "nytprof-tlv needs costs of lines or of functions and calls, which this profile does not have");
    TRY(choose_metrics(plan, err));
    return number_subs(plan) && collect_lines(plan) && collect_calls(plan) && find_self(plan) ? 0 : error_memory(err);
}

void tlv_plan_done(struct tlv_plan *plan)
{
    size_t count = (size_t)plan->funcs->count + 1;
    vec_done(plan->mem, &plan->lines.list, &plan->calls.list);
    index_done(&plan->lines.index);
    index_done(&plan->calls.index);
    mem_free(plan->mem, plan->sid, count * sizeof *plan->sid);
    mem_free(plan->mem, plan->order, count * sizeof *plan->order);
}
