/* Metrics and streams of the plan; see formats/hpcdb/plan.h. */
#include "formats/hpcdb/plan.h"

#include <stdio.h>

#include "analysis/core/units.h"
#include "base/slice.h"

enum { SCOPES = 4, MAX_ID = 32767 }; /* hpcviewer reads ids as signed 16 bits */

static const struct hpcdb_plan_scope standard[SCOPES] = { { ASSAY_SCOPE_POINT, 1, 255, SLICE("point") },
                                                          { ASSAY_SCOPE_FUNCTION, 3, 0, SLICE("function") },
                                                          { ASSAY_SCOPE_LEX_AWARE, 0, 255, SLICE("lex_aware") },
                                                          { ASSAY_SCOPE_EXECUTION, 2, 255, SLICE("execution") } };

void *hpcdb_plan_table(struct hpcdb_plan *plan, size_t count, size_t size)
{
    size_t len;
    if (!size_mul(&len, count ? count : 1, size)) return NULL;
    void *at = arena_alloc(&plan->arena, len);
    if (at) memset(at, 0, len);
    return at;
}

assay_slice hpcdb_plan_attribute(const struct hpcdb_plan *plan, assay_stream_id stream, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(plan->p);
    assay_str_id id = assay_profile_find_string(plan->p, key);
    for (uint32_t i = 0; id.v && i < a->count; i++)
        if (ID_AT(a->key, i) == id.v && ID_AT(a->stream, i) == stream.v) return assay_profile_string(plan->p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

bool hpcdb_plan_is_unknown(const struct hpcdb_plan *plan, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(plan->p);
    if (func == 0) return true;
    if (NUMBER_AT(f->kind, func) != ASSAY_FUNC_PLACEHOLDER || ID_AT(f->module, func) || ID_AT(f->file, func)) return false;
    return slice_is(assay_profile_string(plan->p, f->name[func]), "<unknown function>");
}

/* ---- metrics ---- */

static bool has_scope(const struct hpcdb_plan *plan, uint32_t metric, uint8_t kind)
{
    const struct assay_scopes *s = assay_profile_scopes(plan->p);
    for (uint32_t i = 1; i <= s->count; i++)
        if (s->metric[i].v == metric && NUMBER_AT(s->kind, i) == kind) return true;
    return false;
}

/* Whether a summary says more than what the costs of places add up to. */
static bool has_own_scopes(const assay_profile *p)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    for (uint32_t i = 1; i <= s->count; i++)
        if (NUMBER_AT(s->kind, i) != ASSAY_SCOPE_POINT && NUMBER_AT(s->kind, i) != ASSAY_SCOPE_EXECUTION) return true;
    return false;
}

/* Values that some metric has not by place cannot be spread; and a summary of such scopes is kept. What a filter left has points only: all else is
 * made of them. */
static bool is_stored(const struct hpcdb_plan *plan)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    const struct assay_scopes *s = assay_profile_scopes(plan->p);
    if (hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, "filtered").data) return false;
    if (plan->is_hpcdb || (assay_profile_stats(plan->p)->count && has_own_scopes(plan->p))) return true;
    for (uint32_t i = 1; i <= s->count; i++)
        if (!ID_AT(m->formula, s->metric[i].v) && !has_scope(plan, s->metric[i].v, ASSAY_SCOPE_POINT)) return true;
    return false;
}

/* The number of a scope of this kind and name; it is added when it is new. */
static uint32_t scope_number(struct hpcdb_plan *plan, uint8_t kind, assay_slice name, uint8_t index)
{
    struct hpcdb_plan_scope s = kind < SCOPES ? standard[kind] : (struct hpcdb_plan_scope){ kind, index < 16 ? 3 : 0, index, name };
    for (uint32_t i = 0; i < plan->scope_count; i++)
        if (plan->scopes[i].kind == s.kind && slice_equal(plan->scopes[i].name, s.name)) return i;
    plan->scopes[plan->scope_count] = s;
    return plan->scope_count++;
}

assay_slice hpcdb_plan_metric_name(const struct hpcdb_plan *plan, uint32_t metric)
{
    uint32_t number = plan->metric_of[metric];
    return number ? plan->metrics[number - 1].name : assay_profile_string(plan->p, assay_profile_metrics(plan->p)->name[metric]);
}

assay_slice hpcdb_plan_metric_fact(const struct hpcdb_plan *plan, uint32_t metric, const char *fact)
{
    char key[300];
    assay_slice name = assay_profile_string(plan->p, assay_profile_metrics(plan->p)->name[metric]);
    snprintf(key, sizeof key, "metric.%.*s.%s", (int)(name.len < 200 ? name.len : 200), name.data, fact);
    return hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, key);
}

uint32_t hpcdb_plan_show(const struct hpcdb_plan *plan, uint32_t metric)
{
    assay_slice value = hpcdb_plan_metric_fact(plan, metric, "show");
    return value.len == 1 && *value.data >= '0' && *value.data <= '4' ? (uint32_t)(*value.data - '0') : SHOW_USUAL;
}

bool hpcdb_shows_scope(uint32_t show, uint8_t kind)
{
    if (show == SHOW_INCLUSIVE) return kind == ASSAY_SCOPE_POINT || kind == ASSAY_SCOPE_EXECUTION;
    return show != SHOW_EXCLUSIVE || kind != ASSAY_SCOPE_EXECUTION;
}

static const struct {
    uint8_t combine;
    assay_slice formula;
    uint32_t statistic; /* enum assay_statistic that asks for it; 0 = always */
} partials[PARTIALS] = { [PARTIAL_COUNT] = { ASSAY_COMBINE_SUM, SLICE("1"), HPCDB_STATISTIC_NORMAL },
                         [PARTIAL_SUM] = { ASSAY_COMBINE_SUM, SLICE("$$"), 0 },
                         [PARTIAL_SQUARES] = { ASSAY_COMBINE_SUM, SLICE("($$^2)"), HPCDB_STATISTIC_NORMAL },
                         [PARTIAL_MIN] = { ASSAY_COMBINE_MIN, SLICE("$$"), HPCDB_STATISTIC_EXTREMA },
                         [PARTIAL_MAX] = { ASSAY_COMBINE_MAX, SLICE("$$"), HPCDB_STATISTIC_EXTREMA } };

/* The sum, and what is asked for; what is invisible has no more than the sum. */
static uint32_t derive_stats(struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, uint32_t base)
{
    uint32_t block = base;
    uint32_t wanted = m->show == SHOW_INVISIBLE ? 0 : hpcdb_statistics(plan->own);
    for (unsigned i = 0; i < PARTIALS; i++) {
        if (partials[i].statistic && !(wanted & partials[i].statistic)) continue;
        for (uint32_t c = m->first_column; c < plan->column_count; c++) {
            const struct hpcdb_plan_column *column = &plan->columns[c];
            uint16_t id = (uint16_t)(block + column->id - base);
            plan->stats[plan->stat_count++] = (struct hpcdb_plan_stat){ column->scope, id, column->id, i, partials[i].combine, partials[i].formula };
        }
        block += SCOPES;
    }
    return block;
}

/* Scopes that are made: each has its place in the four ids of the metric, whether or not the others are there. */
static uint32_t derive_metric(struct hpcdb_plan *plan, struct hpcdb_plan_metric *m, uint32_t base)
{
    m->show = hpcdb_plan_show(plan, m->metric);
    for (unsigned k = 0; k < SCOPES; k++) {
        if (!hpcdb_shows_scope(m->show, (uint8_t)k)) continue;
        uint32_t scope = scope_number(plan, (uint8_t)k, standard[k].name, 0);
        plan->columns[plan->column_count++] = (struct hpcdb_plan_column){ scope, (uint16_t)(base + k) };
    }
    return derive_stats(plan, m, base);
}

/* Statistics as stored, or the sum of every scope where there are none. */
static uint32_t store_stats(struct hpcdb_plan *plan, const struct hpcdb_plan_metric *m, uint32_t base)
{
    const struct assay_scopes *s = assay_profile_scopes(plan->p);
    const struct assay_stats *t = assay_profile_stats(plan->p);
    uint32_t at = base;
    for (uint32_t i = 1; i <= t->count; i++) {
        uint32_t scope = t->scope[i].v;
        if (!scope || s->metric[scope].v != m->metric || at > MAX_ID) continue;
        uint32_t number = scope_number(plan, NUMBER_AT(s->kind, scope), assay_profile_string(plan->p, (assay_str_id){ ID_AT(s->name, scope) }),
                                       NUMBER_AT(s->propagation, scope));
        plan->stat_id[i] = (uint16_t)at;
        plan->stats[plan->stat_count++] =
            (struct hpcdb_plan_stat){ number,      (uint16_t)at++,           0,
                                      PARTIAL_SUM, NUMBER_AT(t->combine, i), assay_profile_string(plan->p, (assay_str_id){ ID_AT(t->formula, i) }) };
    }
    for (uint32_t i = m->first_column; !t->count && i < plan->column_count; i++, at++)
        plan->stats[plan->stat_count++] =
            (struct hpcdb_plan_stat){ plan->columns[i].scope, plan->columns[i].id, plan->columns[i].id, PARTIAL_SUM, ASSAY_COMBINE_SUM, SLICE("$$") };
    return at;
}

static uint32_t store_metric(struct hpcdb_plan *plan, struct hpcdb_plan_metric *m, uint32_t base)
{
    const struct assay_scopes *s = assay_profile_scopes(plan->p);
    uint32_t at = base;
    m->show = SHOW_USUAL;
    for (uint32_t i = 1; i <= s->count && at <= MAX_ID; i++) {
        if (s->metric[i].v != m->metric) continue;
        uint32_t number =
            scope_number(plan, NUMBER_AT(s->kind, i), assay_profile_string(plan->p, (assay_str_id){ ID_AT(s->name, i) }), NUMBER_AT(s->propagation, i));
        plan->column_id[i] = (uint16_t)at;
        plan->columns[plan->column_count++] = (struct hpcdb_plan_column){ number, (uint16_t)at++ };
    }
    uint32_t end = store_stats(plan, m, base);
    at = at > end ? at : end;
    return at > base ? at : base + 1;
}

static bool make_metric_tables(struct hpcdb_plan *plan)
{
    size_t metrics = assay_profile_metrics(plan->p)->count, scopes = assay_profile_scopes(plan->p)->count, stats = assay_profile_stats(plan->p)->count;
    size_t columns = metrics * SCOPES + scopes;
    plan->metrics = hpcdb_plan_table(plan, metrics, sizeof *plan->metrics);
    plan->metric_of = hpcdb_plan_table(plan, metrics + 1, sizeof *plan->metric_of);
    plan->scopes = hpcdb_plan_table(plan, scopes + SCOPES, sizeof *plan->scopes);
    plan->columns = hpcdb_plan_table(plan, columns, sizeof *plan->columns);
    plan->stats = hpcdb_plan_table(plan, columns * PARTIALS + stats, sizeof *plan->stats);
    plan->column_id = hpcdb_plan_table(plan, scopes + 1, sizeof *plan->column_id);
    plan->stat_id = hpcdb_plan_table(plan, stats + 1, sizeof *plan->stat_id);
    if (!plan->metrics || !plan->metric_of || !plan->scopes || !plan->columns || !plan->stats || !plan->column_id || !plan->stat_id) return false;
    memset(plan->column_id, 0xff, (scopes + 1) * sizeof *plan->column_id);
    memset(plan->stat_id, 0xff, (stats + 1) * sizeof *plan->stat_id);
    return true;
}

/* Metrics of the tree, but for those that have a formula instead of values. */
static int plan_metrics(struct hpcdb_plan *plan, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    uint32_t base = 0;
    if (!make_metric_tables(plan)) return error_memory(err);
    for (uint8_t k = 0; k < SCOPES && !plan->is_stored; k++) scope_number(plan, k, standard[k].name, 0);
    for (uint32_t i = 1; i <= m->count; i++) {
        if (ID_AT(m->formula, i) || !(NUMBER_AT(m->shapes, i) & ASSAY_SHAPE_TREE)) continue;
        struct hpcdb_plan_metric *to = &plan->metrics[plan->metric_count++];
        *to = (struct hpcdb_plan_metric){ .metric = i, .first_column = plan->column_count, .first_stat = plan->stat_count };
        plan->metric_of[i] = plan->metric_count;
        if (!units_full_name(plan->p, (assay_metric_id){ i }, &plan->arena, &to->name)) return error_memory(err);
        base = plan->is_stored ? store_metric(plan, to, base) : derive_metric(plan, to, base);
        to->column_count = plan->column_count - to->first_column;
        to->stat_count = plan->stat_count - to->first_stat;
        if (base > MAX_ID) FAIL(err, ASSAY_ERR_UNSUPPORTED, "hpcdb holds at most %d columns of metrics", MAX_ID);
    }
    return 0;
}

/* ---- streams ---- */

static int stop_at_first(void *arg, const assay_cell *cell)
{
    (void)cell;
    *(bool *)arg = true;
    return 1;
}

/* Costs that belong to no stream make a profile of their own. */
static int plan_streams(struct hpcdb_plan *plan, assay_error *err)
{
    uint32_t count = assay_profile_streams(plan->p)->count;
    bool has_other = count == 0 && !plan->share;
    plan->streams = hpcdb_plan_table(plan, (size_t)count + 1, sizeof *plan->streams);
    if (!plan->streams) return error_memory(err);
    if (count && !plan->share && !plan->is_hpcdb &&
        assay_tree_column(plan->p, (assay_stream_id){ 0 }, (assay_scope_id){ 0 }, stop_at_first, &has_other, err) < 0)
        return err->code;
    for (uint32_t i = 1; i <= count; i++) plan->streams[plan->stream_count++] = (assay_stream_id){ i };
    if (has_other) plan->streams[plan->stream_count++] = (assay_stream_id){ 0 };
    plan->own_first = plan->share ? plan->share->first_stream : 0;
    plan->own_count = plan->share ? plan->share->stream_count : plan->stream_count;
    if (plan->share) plan->stream_count = plan->share->stream_total;
    return 0;
}

int hpcdb_plan_init(struct hpcdb_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err)
{
    static const struct hpcdb_options none;
    *plan = (struct hpcdb_plan){ .p = p, .job = job, .own = job->own ? job->own : &none, .mem = job->mem };
    arena_init(&plan->arena, job->mem);
    plan->share = share_of(p);
    if (hpcdb_plan_is_first(plan) && (!(assay_profile_shapes(p) & ASSAY_SHAPE_TREE) || assay_profile_tree(p)->count == 0))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "hpcdb needs call stacks, and the input has none");
    plan->is_hpcdb = strcmp(assay_profile_format(p), "hpcdb") == 0;
    plan->has_copies = plan->is_hpcdb || strcmp(assay_profile_format(p), "hpcdb-xml") == 0;
    plan->is_stored = is_stored(plan);
    TRY(plan_metrics(plan, err));
    return plan_streams(plan, err);
}

bool hpcdb_plan_has_summary(const struct hpcdb_plan *plan) { return plan->is_stored && assay_profile_stats(plan->p)->count; }

void hpcdb_plan_done(struct hpcdb_plan *plan) { arena_done(&plan->arena); }
