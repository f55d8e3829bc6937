/* What a chunked stream has no room for, counted on the profile. */
#include <inttypes.h>

#include "formats/nytprof-tlv/encode.h"
#include "formats/nytprof-tlv/plan.h"

static uint64_t count32(const uint32_t *column, uint32_t from, uint32_t to)
{
    uint64_t n = 0;
    for (uint32_t i = from; column && i < to; i++) n += column[i] != 0;
    return n;
}

static uint64_t count64(const uint64_t *column, uint32_t count)
{
    uint64_t n = 0;
    for (uint32_t i = 0; column && i < count; i++) n += column[i] != 0;
    return n;
}

static void add(const struct tlv_plan *plan, const char *kind, uint64_t count, const char *what)
{
    if (count) losses_add(plan->job->losses, kind, count, "%" PRIu64 " %s", count, what);
}

/* Metrics with values of their own that are written nowhere. */
static uint64_t count_metrics(const struct tlv_plan *plan)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    uint32_t graph = plan->g->block.metric_count ? plan->g->block.metrics[plan->graph_metric].v : 0;
    uint32_t lines = plan->l->block.metric_count ? plan->l->block.metrics[plan->line_metric].v : 0;
    uint64_t n = 0;
    for (uint32_t id = 1; id <= m->count; id++) n += id != graph && id != lines && !(m->formula && m->formula[id].v);
    return n;
}

static bool is_kept(assay_slice key)
{
    for (size_t i = 0; i < TLV_KEY_COUNT; i++) {
        const char *name = tlv_keys[i].name;
        if (slice_is(key, name[0] == ':' ? name + 1 : name)) return true;
    }
    return slice_is(key, "cmd") || slice_is(key, "generation");
}

static uint64_t count_headers(const struct tlv_plan *plan)
{
    const struct assay_attributes *a = assay_profile_attributes(plan->p);
    uint64_t n = 0;
    for (uint32_t i = 0; i < a->count; i++) n += !is_kept(assay_profile_string(plan->p, a->key[i]));
    return n;
}

static uint64_t count_levels(const struct assay_lines *l)
{
    uint64_t n = 0;
    for (uint32_t i = 0; l->level && i < l->count; i++) n += l->level[i] != ASSAY_LEVEL_LINE;
    return n;
}

static void add_names(const struct tlv_plan *plan)
{
    const struct assay_funcs *u = plan->funcs;
    const struct assay_files *f = plan->files;
    uint64_t places = 0, sources = 0, parents = 0;
    for (uint32_t i = 1; i <= u->count; i++) places += (u->file && u->file[i].v) || (u->first_line && u->first_line[i]);
    for (uint32_t i = 1; i <= f->count; i++) sources += f->source && f->source[i].v;
    for (uint32_t i = 1; i <= f->count; i++) parents += f->parent && f->parent[i].v;
    add(plan, "places", places, "subs lose the file and lines they are in");
    add(plan, "sources", sources, "source texts are left out");
    add(plan, "evals", parents, "evals lose the place that evaluated them");
    add(plan, "modules", assay_profile_modules(plan->p)->count, "modules are left out");
    add(plan, "attributes", count_headers(plan), "headers are left out");
}

static void add_graph(const struct tlv_plan *plan)
{
    const struct assay_graph *g = plan->g;
    uint32_t streams = assay_profile_streams(plan->p)->count;
    add(plan, "call_lines", count32(g->arc_line, 0, g->arc_count), "call sites lose their lines: calls are added up by caller and callee");
    add(plan, "recursion", count32(g->arc_depth, 0, g->arc_count), "recursive calls lose their depth, and their time is added to that of the others");
    add(plan, "jumps", g->jump_count, "jumps are left out");
    add(plan, "addresses", count64(g->cost_address, g->cost_count), "addresses are left out");
    if (streams > 1) add(plan, "streams", streams, "processes, runs or parts are added up");
    add(plan, "levels", count_levels(plan->l), "figures of blocks and subs are left out");
    add(plan, "metrics", count_metrics(plan), "metrics are left out");
}

static void add_shapes(const struct tlv_plan *plan)
{
    uint32_t shapes = assay_profile_shapes(plan->p);
    struct losses *l = plan->job->losses;
    if (shapes & ASSAY_SHAPE_TREE) losses_add(l, "tree", assay_profile_tree(plan->p)->count, "calling contexts are left out");
    if (shapes & ASSAY_SHAPE_COVERAGE) losses_add(l, "coverage", 1, "coverage is left out");
}

static void add_no_time(const struct tlv_plan *plan, assay_metric_id metric)
{
    assay_slice name = assay_profile_string(plan->p, assay_profile_metrics(plan->p)->name[metric.v]);
    losses_add(plan->job->losses, "units", 1, "'%.*s' is not a time: its figures are written as ticks of 100 ns", (int)(name.len < 80 ? name.len : 80),
               name.data);
}

void tlv_plan_losses(const struct tlv_plan *plan)
{
    if (plan->g->block.metric_count && !plan->graph_scale.is_time) add_no_time(plan, plan->g->block.metrics[plan->graph_metric]);
    if (plan->l->block.metric_count && !plan->line_scale.is_time) add_no_time(plan, plan->l->block.metrics[plan->line_metric]);
    add_graph(plan);
    add_names(plan);
    add_shapes(plan);
    add(plan, "shares", plan->shared, "subs have several callers: their own cost is divided among these calls in proportion to inclusive cost");
    add(plan, "fractions", plan->rounded, "figures are rounded to ticks of 100 ns");
    add(plan, "negative", plan->negative, "figures below 0 are written as 0");
    add(plan, "saturated", plan->saturated, "figures are too large and are written as the largest possible value");
}
