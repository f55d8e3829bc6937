/* See located.h. */
#include "formats/stacks/located.h"

#include <math.h>

#include "analysis/core/metric_choice.h"
#include "analysis/core/metric_columns.h"
#include "analysis/core/units.h"
#include "analysis/core/value.h"
#include "analysis/paths/estimate.h"
#include "base/cancel.h"
#include "base/error.h"
#include "formats/stacks/stacks.h"
#include "model/entry.h"

/* ---- metrics ---- */

/* Units that pprof's tools know stay what they are; other units of time become nanoseconds, without fractions. */
static void plan_metric(struct located *w, struct located_metric *m, assay_metric_id id)
{
    static const char *const known[] = { "nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours", NULL };
    const struct assay_metrics *t = assay_profile_metrics(w->p);
    const char *unit = assay_profile_string(w->p, (assay_str_id){ ID(t->unit, id.v) }).data;
    double ns = units_ns(w->p, id);
    *m = (struct located_metric){ .id = id, .type = (enum assay_type)AT(t->type, id.v), .unit = unit && *unit ? unit : "count" };
    for (int i = 0; known[i] && m->type != ASSAY_F64; i++)
        if (strcmp(m->unit, known[i]) == 0) return;
    if (!(ns > 0)) return;
    m->unit = "nanoseconds";
    m->scale = ns;
}

/* As a whole number of the written unit. */
int64_t located_figure(struct located *w, const struct located_metric *m, assay_value v)
{
    bool is_plain = m->type != ASSAY_F64 && !(m->scale > 0 && m->scale != 1);
    if (is_plain && m->type == ASSAY_I64) return v.i;
    if (is_plain) {
        w->saturated += v.u > INT64_MAX;
        return v.u > INT64_MAX ? INT64_MAX : (int64_t)v.u;
    }
    long double exact = m->type == ASSAY_F64 ? (long double)v.d : m->type == ASSAY_I64 ? (long double)v.i : (long double)v.u;
    long double scaled = m->scale > 0 ? exact * (long double)m->scale : exact, whole = roundl(scaled);
    if (!(fabsl(whole) < 9.2e18L)) {
        w->saturated++;
        return whole > 0 ? INT64_MAX : whole < 0 ? INT64_MIN : 0;
    }
    w->rounded += m->type == ASSAY_F64 && fabsl(whole - scaled) > 1e-6L * (1 + fabsl(scaled) * 1e-9L);
    return (int64_t)whole;
}

static int plan_metrics(struct located *w, assay_error *err)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    size_t room = (size_t)assay_profile_metrics(w->p)->count + 1;
    assay_metric_id *list = mem_zalloc(w->mem, room, sizeof *list);
    if (!list || !vec_reserve(w->mem, &w->metrics, room)) {
        mem_free(w->mem, list, list ? room * sizeof *list : 0);
        return error_memory(err);
    }
    uint32_t count = l->sample_count ? l->block.metric_count : columns_metrics(w->p, list);
    for (uint32_t k = 0; k < count; k++) plan_metric(w, &w->metrics.at[w->metrics.len++], l->sample_count ? l->block.metrics[k] : list[k]);
    mem_free(w->mem, list, room * sizeof *list);
    return 0;
}

int located_init(struct located *w, const assay_profile *p, struct mem *mem, assay_error *err)
{
    *w = (struct located){ .p = p, .mem = mem };
    index_init(&w->place_index, mem);
    TRY(plan_metrics(w, err));
    if (!vec_reserve(mem, &w->figures, w->metrics.len + 1)) return error_memory(err);
    return frames_init(&w->frames, assay_profile_tree(p), mem, err);
}

void located_done(struct located *w)
{
    if (!w->mem) return;
    frames_done(&w->frames);
    vec_done(w->mem, &w->metrics, &w->figures, &w->places, &w->lines, &w->stack, &w->func_number, &w->funcs);
    index_done(&w->place_index);
}

/* ---- stacks ---- */

/* The number of the location whose lines are the last ones, from `first` on; they go when it is there already. 0 = no memory. */
static uint32_t place_of(struct located *w, uint32_t first)
{
    uint32_t count = (uint32_t)w->lines.len - first;
    uint64_t hash = hash_bytes(w->lines.at + first, count * sizeof *w->lines.at);
    for (struct index_walk i = index_walk(&w->place_index, hash); index_next(&w->place_index, &i);) {
        const struct located_place *p = &w->places.at[i.id - 1];
        if (p->count != count || memcmp(w->lines.at + p->first, w->lines.at + first, count * sizeof *w->lines.at) != 0) continue;
        w->lines.len = first;
        return i.id;
    }
    struct located_place *p = vec_push(w->mem, &w->places);
    if (!p) return 0;
    *p = (struct located_place){ first, count };
    return index_add(&w->place_index, hash, (uint32_t)w->places.len) ? (uint32_t)w->places.len : 0;
}

static bool push_place(struct located *w, uint32_t first)
{
    uint32_t place = place_of(w, first);
    uint64_t *slot = place ? vec_push(w->mem, &w->stack) : NULL;
    if (slot) *slot = place;
    return slot != NULL;
}

/* The line of a node, unless it is in another file than its function, which is all that has one here. */
static uint32_t line_at(const struct located *w, uint32_t node, uint32_t func)
{
    const struct assay_tree *t = w->frames.tree;
    uint32_t file = ID(t->file, node);
    return !file || file == ID(assay_profile_funcs(w->p)->file, func) ? AT(t->line, node) : 0;
}

/* Where a node stands in its function: the line of the nearest of it and those above it that has one. */
static uint32_t line_inside(const struct located *w, uint32_t node)
{
    const struct frames *f = &w->frames;
    uint32_t owner = f->owner[node];
    while (node != owner && !AT(f->tree->line, node)) node = frames_parent(f, node);
    return node != owner ? line_at(w, node, ID(f->tree->func, owner)) : 0;
}

/* Where a function node was called from. */
static uint32_t line_of_call(const struct located *w, uint32_t node)
{
    const struct frames *f = &w->frames;
    uint32_t parent = frames_parent(f, node);
    return AT(f->tree->line, node) ? line_at(w, node, ID(f->tree->func, f->owner[parent])) : line_inside(w, parent);
}

/* From the leaf to the root. Functions that are inlined share the location of the one that they are in. */
bool located_stack(struct located *w, uint32_t node)
{
    const struct frames *f = &w->frames;
    const struct assay_tree *t = f->tree;
    uint32_t line = line_inside(w, node), first = (uint32_t)w->lines.len;
    w->stack.len = 0;
    for (uint32_t at = f->owner[node]; at; at = f->owner[frames_parent(f, at)]) {
        struct located_line *l = vec_push(w->mem, &w->lines);
        if (!l) return false;
        *l = (struct located_line){ ID(t->func, at), line };
        line = line_of_call(w, at);
        if (frames_kind(f, at) == ASSAY_NODE_INLINED && f->owner[frames_parent(f, at)]) continue;
        if (!push_place(w, first)) return false;
        first = (uint32_t)w->lines.len;
    }
    return true;
}

bool located_number_funcs(struct located *w)
{
    size_t room = (size_t)assay_profile_funcs(w->p)->count + 1;
    if (!vec_reserve(w->mem, &w->func_number, room)) return false;
    memset(w->func_number.at, 0, room * sizeof *w->func_number.at);
    for (size_t i = 0; i < w->lines.len; i++) {
        uint32_t func = w->lines.at[i].func;
        if (w->func_number.at[func]) continue;
        uint32_t *slot = vec_push(w->mem, &w->funcs);
        if (!slot) return false;
        *slot = func;
        w->func_number.at[func] = (uint32_t)w->funcs.len;
    }
    return true;
}

bool located_is_address(const struct located *w, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    return AT(f->offset, func) && slice_starts(assay_profile_string(w->p, f->name[func]), "0x");
}

/* ---- samples ---- */

static int each_labelled(struct located *w, located_fn put, void *arg, assay_error *err)
{
    const struct assay_labels *l = assay_profile_labels(w->p);
    for (uint32_t i = 0; i < l->sample_count; i++) {
        TRY(cancel_step(i, err));
        bool has_some = false;
        for (size_t k = 0; k < w->metrics.len; k++) {
            w->figures.at[k] = (uint64_t)located_figure(w, &w->metrics.at[k], l->sample_self[(size_t)i * w->metrics.len + k]);
            has_some |= w->figures.at[k] != 0;
        }
        if (has_some) TRY(put(arg, l->sample_node[i].v, l->sample_set[i].v, err));
    }
    return 0;
}

static int each_node(struct located *w, const struct sums *own, located_fn put, void *arg, assay_error *err)
{
    for (uint32_t node = 0; node < w->frames.len; node++) {
        TRY(cancel_step(node, err));
        bool has_some = false;
        for (size_t k = 0; k < w->metrics.len; k++) {
            /* of no context: samples without a stack, unless it is what is stored of the whole */
            bool is_none = !node && (columns_of(w->p, w->metrics.at[k].id).function.v || !columns_of(w->p, w->metrics.at[k].id).point.v);
            w->figures.at[k] = is_none ? 0 : (uint64_t)located_figure(w, &w->metrics.at[k], sums_value(&own[k], node));
            has_some |= w->figures.at[k] != 0;
        }
        if (has_some) TRY(put(arg, node, 0, err));
    }
    return 0;
}

/* What is stored of functions as a whole, taken apart, so that each node has what it adds; it has what the leaves cost that a database leaves out, too. */
static int add_own(struct located *w, assay_metric_id m, struct sums *own, assay_error *err)
{
    struct columns c = columns_of(w->p, m);
    TRY(columns_add(w->p, c.function.v ? c.function : c.point, own, err));
    if (!c.function.v) return 0;
    columns_take_apart(&w->frames, ASSAY_SCOPE_FUNCTION, own);
    for (uint32_t node = 1; node < w->frames.len; node++)
        if (!w->frames.owner[node]) sums_set_zero(own, node);
    return 0;
}

static int each_own(struct located *w, located_fn put, void *arg, assay_error *err)
{
    size_t count = w->metrics.len, made = 0;
    struct sums *own = mem_zalloc(w->mem, count + 1, sizeof *own);
    int rc = own ? 0 : error_memory(err);
    for (; rc == 0 && made < count; made++) {
        rc = sums_init(&own[made], w->mem, w->metrics.at[made].type, w->frames.len) ? 0 : error_memory(err);
        if (rc == 0) rc = add_own(w, w->metrics.at[made].id, &own[made], err);
    }
    if (rc == 0) rc = each_node(w, own, put, arg, err);
    for (size_t k = 0; k < made; k++) sums_done(&own[k]);
    mem_free(w->mem, own, own ? (count + 1) * sizeof *own : 0);
    return rc;
}

int located_each(struct located *w, located_fn put, void *arg, assay_error *err)
{
    return assay_profile_labels(w->p)->sample_count ? each_labelled(w, put, arg, err) : each_own(w, put, arg, err);
}

/* ---- losses, estimates ---- */

/* Inlined code and lines that are in another file than the function, which is all that has one here. */
static uint64_t other_files(const struct located *w)
{
    const struct assay_tree *t = assay_profile_tree(w->p);
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    uint64_t count = 0;
    for (uint32_t node = 1; t->file && node <= t->count; node++) {
        uint32_t func = ID(t->func, w->frames.owner[node]);
        count += t->file[node].v && t->file[node].v != (func ? ID(f->file, func) : 0);
    }
    return count;
}

void located_note_losses(const struct located *w, struct losses *l)
{
    uint64_t files = other_files(w);
    if (files) losses_add(l, "files", files, "%llu places in other files than their functions have no line", (unsigned long long)files);
    if (w->rounded) losses_add(l, "fractions", w->rounded, "%llu figures are rounded to whole numbers", (unsigned long long)w->rounded);
    if (w->saturated) losses_add(l, "overflow", w->saturated, "%llu figures do not fit into 64 bits with a sign", (unsigned long long)w->saturated);
}

static int write_estimate(const assay_profile *p, const struct write_job *job, struct output *out, located_write_fn write, assay_error *err)
{
    assay_profile *made = NULL;
    struct estimate_options o = { .max_memory = job->mem->limit };
    TRY(metric_choose_one(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_GRAPH }, job->options->metric, &o.metric, err));
    int rc = estimate_tree(p, &o, &made, err);
    if (rc == 0) losses_add(job->losses, "estimated", 1, "stacks are estimated from a call graph: only the sums of functions are exact");
    if (rc == 0) rc = write(made, job, out, err);
    assay_profile_release(made);
    return rc;
}

int located_write(const assay_profile *p, const struct write_job *job, struct output *out, const char *name, located_write_fn write, assay_error *err)
{
    if (assay_profile_tree(p)->count) return write(p, job, out, err);
    if (!job->options->no_estimate && assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) return write_estimate(p, job, out, write, err);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "%s needs call stacks, and this file has none", name);
}
