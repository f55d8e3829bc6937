/* A sealed profile -> the functions and calls of a webgrind file.
 *
 * Identity: both original writers know a function of Xdebug's text by its name alone; the file and line are those of its first block.
 * Elsewhere equal names may be different functions, so each function of the profile gets a record. */
#include "formats/webgrind/plan.h"

#include "analysis/core/metric_columns.h"
#include "base/cancel.h"
#include "base/number.h"
#include "model/entry.h"

#define ID_AT(column, i) ((column) ? (column)[i].v : 0)

/* ---- options ---- */

static bool comes_from_xdebug(const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    if (slice_starts(assay_profile_producer(p), "xdebug")) return true;
    for (uint32_t i = 0; a && i < a->count; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]), value = assay_profile_string(p, a->value[i]);
        if (slice_is(key, "creator") && slice_starts(value, "xdebug")) return true;
        if (slice_is(key, "version") && slice_is(value, "0.9.6")) return true; /* Xdebug 2.0 to 2.2 name no creator */
    }
    return false;
}

/* An event whose name tells its unit keeps its figures. Other times become what webgrind shows: microseconds. */
static void choose_unit(struct webgrind_plan *plan)
{
    char told[UNITS_TEXT];
    double ns = plan->metric.v ? units_ns(plan->p, plan->metric) : 0;
    plan->scale = 1;
    if (!plan->metric.v) return;
    units_of_event(webgrind_plan_metric(plan), told);
    units_to_tell(plan->p, plan->metric, told, plan->unit);
    plan->is_time = *plan->unit && ns > 0;
    if (plan->is_time) plan->scale = ns / 1000;
}

static int choose_metric(struct webgrind_plan *plan, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    const struct assay_graph *g = assay_profile_graph(plan->p);
    const char *name = plan->job->options->metric;
    struct metric_set set = { .profile = plan->p, .shapes = UINT32_MAX };
    if (g && g->block.metric_count) set = (struct metric_set){ .profile = plan->p, .at = g->block.metrics, .count = g->block.metric_count };
    if (name || m->count) TRY(metric_choose_one(&set, name, &plan->metric, err));
    plan->is_real = plan->metric.v && AT(m->type, plan->metric.v) == ASSAY_F64;
    choose_unit(plan);
    return 0;
}

int webgrind_plan_init(struct webgrind_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err)
{
    memset(plan, 0, sizeof *plan);
    plan->p = p;
    plan->job = job;
    plan->mem = job->mem;
    plan->layout = webgrind_layout((uint32_t)(job->version[0] - '0'));
    index_init(&plan->names, job->mem);
    index_init(&plan->places, job->mem);
    if (!plan->layout || job->version[1]) FAIL(err, ASSAY_ERR_USAGE, "unknown webgrind version '%s'", job->version);
    plan->keeps_numbers = slice_is(slice_of(assay_profile_format(p)), "webgrind");
    plan->by_name = !plan->keeps_numbers && comes_from_xdebug(p);
    plan->keeps_headers = plan->keeps_numbers || plan->by_name;
    plan->record_of = mem_zalloc(job->mem, (size_t)assay_profile_funcs(p)->count + 1, sizeof *plan->record_of);
    if (!plan->record_of) return error_memory(err);
    return choose_metric(plan, err);
}

void webgrind_plan_done(struct webgrind_plan *plan)
{
    if (plan->record_of) mem_free(plan->mem, plan->record_of, ((size_t)assay_profile_funcs(plan->p)->count + 1) * sizeof *plan->record_of);
    index_done(&plan->names);
    index_done(&plan->places);
    vec_done(plan->mem, &plan->functions, &plan->calls);
}

/* ---- functions ---- */

static assay_slice or_text(assay_slice s, const char *text) { return s.data ? s : slice_of(text); }

static void name_record(struct webgrind_plan *plan, struct webgrind_plan_function *f, uint32_t func)
{
    const struct assay_funcs *funcs = assay_profile_funcs(plan->p);
    const struct assay_files *files = assay_profile_files(plan->p);
    uint32_t file = ID_AT(funcs->file, func);
    memset(f, 0, sizeof *f);
    f->func = func;
    f->line = AT(funcs->first_line, func);
    f->has_line = f->line != 0;
    if (files->path) f->file = assay_profile_string(plan->p, files->path[file]);
    if (funcs->name) f->name = assay_profile_string(plan->p, funcs->name[func]);
    f->file = or_text(f->file, "");
    f->name = or_text(f->name, "???");
    plan->names_changed += webgrind_text_changes(f->file) || webgrind_text_changes(f->name);
}

int webgrind_plan_record(struct webgrind_plan *plan, uint32_t func, uint32_t *out, assay_error *err)
{
    if (plan->record_of[func]) {
        *out = plan->record_of[func] - 1;
        return 0;
    }
    uint32_t name = ID_AT(assay_profile_funcs(plan->p)->name, func);
    uint64_t hash = hash_mix(1, name);
    if (plan->by_name)
        for (struct index_walk w = index_walk(&plan->names, hash); index_next(&plan->names, &w);) {
            if (ID_AT(assay_profile_funcs(plan->p)->name, plan->functions.at[w.id - 1].func) != name) continue;
            plan->record_of[func] = w.id;
            *out = w.id - 1;
            return 0;
        }
    struct webgrind_plan_function *f = vec_push(plan->mem, &plan->functions);
    if (!f) return error_memory(err);
    name_record(plan, f, func);
    *out = (uint32_t)plan->functions.len - 1;
    plan->record_of[func] = *out + 1;
    return plan->by_name && !index_add(&plan->names, hash, *out + 1) ? error_memory(err) : 0;
}

/* ---- figures ---- */

union webgrind_sum webgrind_sum_add(union webgrind_sum sum, assay_value v, uint8_t type)
{
    if (type == ASSAY_F64)
        sum.real += v.d;
    else
        sum.wide = type == ASSAY_I64 ? wide_add_i64(sum.wide, v.i) : wide_add_u64(sum.wide, v.u);
    return sum;
}

/* What seconds times 1e6 may be off a whole number without having a fraction. */
#define NOISE 1e-6

static assay_wide round_real(struct webgrind_plan *plan, double v)
{
    assay_wide out = { 0, 0 };
    if (v < 0) plan->negative++;
    if (!(v > 0)) return out; /* NaN too */
    if (v >= 18446744073709549568.0) return (assay_wide){ UINT64_MAX, 0 };
    out.low = (uint64_t)v;
    double rest = v - (double)out.low;
    plan->fractions += rest > NOISE && rest < 1 - NOISE;
    if (rest >= 0.5) out.low++;
    return out;
}

assay_wide webgrind_plan_whole(struct webgrind_plan *plan, union webgrind_sum sum)
{
    if (plan->is_real || plan->scale != 1) return round_real(plan, (plan->is_real ? sum.real : wide_double(sum.wide)) * plan->scale);
    if (sum.wide.high >= 0) return sum.wide;
    plan->negative++;
    return (assay_wide){ 0, 0 };
}

uint32_t webgrind_plan_u32(struct webgrind_plan *plan, assay_wide v, uint32_t record)
{
    if (v.high == 0 && v.low <= UINT32_MAX) return (uint32_t)v.low;
    if (plan->too_large++ == 0) plan->first_too_large = plan->functions.at[record].name;
    return webgrind_wraps(plan->job) ? (uint32_t)v.low : UINT32_MAX;
}

/* ---- the graph ---- */

/* Where the metric stands in the graph's rows; metric_count = it is not there. */
static uint32_t column_of(const struct webgrind_plan *plan, const struct assay_graph *g)
{
    uint32_t k = 0;
    while (k < g->block.metric_count && g->block.metrics[k].v != plan->metric.v) k++;
    return k;
}

static int add_sums(struct webgrind_plan *plan, const struct assay_graph *g, uint32_t column, assay_error *err)
{
    uint32_t width = g->block.metric_count, record;
    uint8_t type = AT(assay_profile_metrics(plan->p)->type, plan->metric.v);
    for (uint32_t i = 0; i < g->sum_count; i++) {
        TRY(cancel_step(i, err));
        TRY(webgrind_plan_record(plan, ID_AT(g->sum_func, i), &record, err));
        struct webgrind_plan_function *f = &plan->functions.at[record];
        if (column < width && g->sum_self) f->self = webgrind_sum_add(f->self, g->sum_self[(size_t)i * width + column], type);
        f->incoming += AT(g->sum_calls, i);
        f->entered += AT(g->sum_entered, i);
        if (!AT(g->has_stated, i)) continue;
        f->is_stated = true;
        f->stated += AT(g->stated_calls, i);
    }
    return 0;
}

static void add_lines(struct webgrind_plan *plan, const struct assay_graph *g)
{
    for (uint32_t i = 0; i < g->cost_count; i++) {
        uint32_t func = ID_AT(g->cost_func, i), record = plan->record_of[func];
        if (!record || plan->functions.at[record - 1].func != func || plan->functions.at[record - 1].has_line) continue;
        plan->functions.at[record - 1].line = AT(g->cost_line, i);
        plan->functions.at[record - 1].has_line = true;
    }
}

static int find_call(struct webgrind_plan *plan, const struct webgrind_plan_call *key, uint32_t *out, assay_error *err)
{
    uint64_t hash = hash_mix(hash_mix(hash_mix(1, key->caller), key->callee), key->line);
    for (struct index_walk w = index_walk(&plan->places, hash); index_next(&plan->places, &w);) {
        const struct webgrind_plan_call *c = &plan->calls.at[w.id - 1];
        if (c->caller != key->caller || c->callee != key->callee || c->line != key->line) continue;
        *out = w.id - 1;
        return 0;
    }
    struct webgrind_plan_call *c = vec_push(plan->mem, &plan->calls);
    if (!c || !index_add(&plan->places, hash, (uint32_t)plan->calls.len)) return error_memory(err);
    *c = *key;
    *out = (uint32_t)plan->calls.len - 1;
    return 0;
}

static int add_calls(struct webgrind_plan *plan, const struct assay_graph *g, uint32_t column, assay_error *err)
{
    uint32_t width = g->block.metric_count, at = 0;
    uint8_t type = AT(assay_profile_metrics(plan->p)->type, plan->metric.v);
    for (uint32_t i = 0; i < g->arc_count; i++) {
        TRY(cancel_step(i, err));
        struct webgrind_plan_call key = { .line = AT(g->arc_line, i) };
        TRY(webgrind_plan_record(plan, ID_AT(g->arc_caller, i), &key.caller, err));
        TRY(webgrind_plan_record(plan, ID_AT(g->arc_callee, i), &key.callee, err));
        TRY(find_call(plan, &key, &at, err));
        struct webgrind_plan_call *c = &plan->calls.at[at];
        c->calls += AT(g->arc_calls, i);
        if (column < width && g->arc_total) c->total = webgrind_sum_add(c->total, g->arc_total[(size_t)i * width + column], type);
    }
    return 0;
}

int webgrind_plan_graph(struct webgrind_plan *plan, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(plan->p);
    uint32_t record, funcs = assay_profile_funcs(plan->p)->count;
    for (uint32_t i = 1; plan->keeps_numbers && i <= funcs; i++) {
        TRY(cancel_step(i, err));
        TRY(webgrind_plan_record(plan, i, &record, err));
    }
    if (!g) return 0;
    uint32_t column = column_of(plan, g);
    TRY(add_sums(plan, g, column, err));
    add_lines(plan, g);
    return add_calls(plan, g, column, err);
}

/* ---- the start of the file ---- */

int webgrind_plan_sizes(const struct webgrind_plan *plan, const struct webgrind_function *f, uint64_t end_len, struct webgrind_head *head, assay_error *err)
{
    uint64_t end = WEBGRIND_HEAD_LEN + 4 * (uint64_t)plan->functions.len + end_len;
    for (size_t i = 0; i < plan->functions.len; i++) end += webgrind_record_len(plan->layout, &f[i]);
    if (end > UINT32_MAX) FAIL(err, ASSAY_ERR_LIMIT, "webgrind files are limited to 4 GiB, but this one would need %llu bytes", (unsigned long long)end);
    *head = (struct webgrind_head){ 3, plan->layout->version, (uint32_t)end, (uint32_t)plan->functions.len };
    return 0;
}

void webgrind_plan_start(const struct webgrind_plan *plan, const struct webgrind_function *f, const struct webgrind_head *head, struct output *out)
{
    uint64_t at = WEBGRIND_HEAD_LEN + 4 * (uint64_t)head->function_count;
    webgrind_put_head(out, head);
    for (uint32_t i = 0; i < head->function_count; i++) {
        output_u32le(out, (uint32_t)at);
        at += webgrind_record_len(plan->layout, &f[i]);
    }
}
