/* Metric tables -> metrics of the model. Epochs may have tables of their own: metrics are matched by name. */
#include <stdio.h>

#include "base/number.h"
#include "base/scoped.h"
#include "formats/hpcrun/read.h"

void hpcrun_metrics_init(struct hpcrun_metrics *t, struct mem *m, assay_builder *b)
{
    memset(t, 0, sizeof *t);
    t->mem = m;
    t->b = b;
    t->totals_only = (assay_builder_want(b) & ASSAY_WANT_TOTALS) != 0;
    intern_init(&t->names, m);
}

void hpcrun_metrics_done(struct hpcrun_metrics *t)
{
    intern_done(&t->names);
    vec_done(t->mem, &t->declared, &t->table);
}

/* ---- declaring ---- */

/* NULL = no memory. */
static struct hpcrun_declared *declared_by_name(struct hpcrun_metrics *t, assay_slice name)
{
    uint32_t id = intern_put(&t->names, name);
    if (id == 0) return NULL;
    if (id <= t->declared.len) return &t->declared.at[id - 1];
    struct hpcrun_declared *d = vec_push(t->mem, &t->declared);
    if (d) *d = (struct hpcrun_declared){ .is_real = false };
    return d;
}

static struct hpcrun_declared *declared_of(struct hpcrun_metrics *t, const struct hpcrun_metric *m) { return declared_by_name(t, m->name.text); }

bool hpcrun_metrics_known(struct hpcrun_metrics *t, assay_slice name, bool is_real)
{
    struct hpcrun_declared *known = declared_by_name(t, name);
    if (known) known->is_real |= is_real;
    return known != NULL;
}

int hpcrun_metrics_note(struct hpcrun_metrics *t, const struct hpcrun_decoder *d, assay_error *err)
{
    struct hpcrun_decoder ahead = *d;
    struct hpcrun_record r;
    ahead.skip_items = true;
    while (hpcrun_next(&ahead, &r)) {
        if (r.kind != HPCRUN_RECORD_METRIC) continue;
        struct hpcrun_declared *known = declared_of(t, &r.metric);
        if (!known) return error_memory(err);
        known->is_real |= r.metric.value_format == 2;
    }
    return 0;
}

bool hpcrun_metrics_divide(struct hpcrun_metrics *t, const struct hpcrun_metric *m)
{
    struct hpcrun_declared *known = declared_of(t, m);
    if (known) known->is_real = true;
    return known != NULL;
}

static void put_fact(struct hpcrun_metrics *t, const char *metric, const char *fact, const char *value, size_t value_len)
{
    char key[256];
    int len = snprintf(key, sizeof key, "metric.%.200s.%s", metric, fact);
    assay_build_attribute(t->b, (assay_stream_id){ 0 }, key, (size_t)len, value, value_len);
}

static void put_number(struct hpcrun_metrics *t, const char *metric, const char *fact, uint64_t value)
{
    char text[48];
    put_fact(t, metric, fact, text, number_put_u64(text, value));
}

/* What the model has no column for; what says nothing is left out. */
static void put_facts(struct hpcrun_metrics *t, const char *name, const struct hpcrun_metric *m)
{
    char text[48];
    put_number(t, name, "period", m->period);
    if (m->show != 1) put_number(t, name, "show", m->show);
    if (m->show_percent != 1) put_number(t, name, "show-percent", m->show_percent);
    if (m->type != 1) put_number(t, name, "type", m->type);
    if (m->value_type) put_number(t, name, "value-type", m->value_type);
    if (m->partner) put_number(t, name, "partner", m->partner);
    if (m->to_procedure) put_number(t, name, "relation", m->to_procedure);
    if (m->format.text.len) put_fact(t, name, "format", m->format.text.data, m->format.text.len);
    if (m->is_frequency) put_number(t, name, "frequency", m->is_frequency);
    if (m->is_multiplexed) put_number(t, name, "multiplexed", m->is_multiplexed);
    if (m->threshold_mean) put_fact(t, name, "threshold-mean", text, number_put_double(text, hpcrun_double(m->threshold_mean)));
    if (m->samples) put_number(t, name, "samples", m->samples);
}

static int declare(struct hpcrun_metrics *t, const struct hpcrun_metric *m, assay_error *err)
{
    struct hpcrun_declared *known = declared_of(t, m);
    SCOPED(arena_done) struct arena text = { 0 };
    if (!known) return error_memory(err);
    if (known->metric.v) return 0;
    arena_init(&text, t->mem);
    const char *name = intern_get(&t->names, intern_find(&t->names, m->name.text)).data;
    const char *unit = arena_copy(&text, hpcrun_unit(m->name.text));
    const char *description = arena_copy(&text, m->description.text), *formula = arena_copy(&text, m->formula.text);
    if (!unit || !description || !formula) return error_memory(err);
    known->metric = assay_build_metric(t->b, name, unit, known->is_real ? ASSAY_F64 : ASSAY_U64, ASSAY_SHAPE_TREE);
    known->scope = assay_build_scope(t->b, known->metric, ASSAY_SCOPE_POINT, NULL, 0);
    assay_build_metric_text(t->b, known->metric, description, m->formula.text.len ? formula : NULL, m->show == 0 || m->show == 4);
    known->is_formula = m->formula.text.len > 0;
    put_facts(t, name, m);
    /* formulas name metrics by their places in this table */
    if (known->is_formula && m->index + 1 != known->metric.v) put_number(t, name, "index", m->index);
    return 0;
}

int hpcrun_metrics_declare(struct hpcrun_metrics *t, const struct hpcrun_decoder *d, assay_error *err)
{
    struct hpcrun_decoder again = *d;
    struct hpcrun_record r;
    again.skip_items = true;
    while (hpcrun_next(&again, &r))
        if (r.kind == HPCRUN_RECORD_METRIC) TRY(declare(t, &r.metric, err));
    return assay_builder_failed(t->b);
}

/* ---- values ---- */

static uint8_t role_of(assay_slice name)
{
    if (slice_is(name, "GKER:COUNT")) return HPCRUN_LAUNCHES;
    if (slice_is(name, "GKER:SAMPLED_COUNT")) return HPCRUN_SAMPLED_LAUNCHES;
    return slice_is(name, "GINS") ? HPCRUN_GPU_INSTRUCTIONS : HPCRUN_NO_ROLE;
}

bool hpcrun_metrics_row(struct hpcrun_metrics *t, const struct hpcrun_metric *m)
{
    const struct hpcrun_declared *known = declared_of(t, m);
    struct hpcrun_table_row *row = known ? vec_push(t->mem, &t->table) : NULL;
    if (!row) return false;
    *row = (struct hpcrun_table_row){ .scope = known->scope,
                                      .period = m->period,
                                      .is_real = m->value_format == 2,
                                      .to_procedure = m->to_procedure != 0,
                                      .is_real_metric = known->is_real,
                                      .is_formula = known->is_formula,
                                      .role = role_of(m->name.text),
                                      .place = (uint32_t)(known - t->declared.at) };
    return true;
}

/* What a stream has in all stands at node 0, once it is known: sums of doubles must not depend on their order. */
static void end_stream(struct hpcrun_metrics *t)
{
    for (size_t i = 0; i < t->declared.len; i++) {
        struct hpcrun_declared *known = &t->declared.at[i];
        if (known->is_in_stream) assay_build_value(t->b, t->stream, (assay_node_id){ 0 }, known->scope, (assay_value){ .d = exact_value(&known->in_stream) });
        known->in_stream = (struct exact){ .pending = 0 };
        known->is_in_stream = false;
    }
}

static void add_to_stream(struct hpcrun_metrics *t, const struct hpcrun_table_row *row, assay_stream_id stream, assay_value v)
{
    struct hpcrun_declared *known = &t->declared.at[row->place];
    if (!row->is_real_metric) {
        assay_build_value(t->b, stream, (assay_node_id){ 0 }, row->scope, v);
        return;
    }
    if (t->stream.v != stream.v) end_stream(t);
    t->stream = stream;
    known->is_in_stream = true;
    exact_add(&known->in_stream, v.d);
}

static void add_total(struct hpcrun_metrics *t, const struct hpcrun_table_row *row, assay_stream_id stream, assay_value v)
{
    struct hpcrun_declared *known = &t->declared.at[row->place];
    if (row->is_real_metric)
        exact_add(&known->real, v.d);
    else
        known->whole = wide_add_u64(known->whole, v.u);
    if (!row->is_formula) add_to_stream(t, row, stream, v);
}

void hpcrun_metrics_state(struct hpcrun_metrics *t)
{
    end_stream(t);
    for (size_t i = 0; i < t->declared.len; i++) {
        const struct hpcrun_declared *known = &t->declared.at[i];
        if (!t->totals_only && !known->is_formula) continue;
        if (known->is_real)
            assay_build_metric_total(t->b, known->metric, (assay_value){ .d = exact_value(&known->real) });
        else
            assay_build_metric_total_wide(t->b, known->metric, known->whole);
    }
}

bool hpcrun_metrics_value(struct hpcrun_metrics *t, const struct hpcrun_table_row *row, assay_stream_id stream, uint64_t bits, assay_value *out)
{
    if (bits == 0 || row->period == 0) return false;
    if (row->is_real_metric) {
        double v = row->is_real ? hpcrun_double(bits) : (double)bits;
        out->d = row->period == 1 ? v : v * (double)row->period;
    } else if (__builtin_mul_overflow(bits, row->period, &out->u)) {
        out->u = UINT64_MAX;
        t->saturated++;
    }
    if (!hpcrun_metrics_builds(t, row)) add_total(t, row, stream, *out);
    return !row->is_real_metric || out->d != 0;
}
