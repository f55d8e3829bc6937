/* What is left of samples by labels, markers and counters: those of the streams and contexts that are left; see select.h. */
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/scoped.h"
#include "model/entry.h"

int select_samples(struct select *s, const uint32_t *to, assay_error *err)
{
    const struct assay_labels *t = assay_profile_labels(s->p);
    const struct schema_table *table = &schema_tables[SCHEMA_T_SAMPLES];
    uint32_t count = t->block.metric_count;
    SCRATCH(assay_metric_id, metrics, &s->mem, (size_t)count + 1);
    if (!metrics) return error_memory(err);
    for (uint32_t k = 0; k < count; k++) metrics[k].v = s->metric[t->block.metrics[k].v];
    if (t->sample_count) builder_sample_metrics(s->b, metrics, count);
    for (uint32_t i = 0; i < t->sample_count; i++) {
        union schema_cell cells[SCHEMA_COLUMNS_MAX];
        uint32_t node = to[t->sample_node[i].v];
        TRY(cancel_step(i, err));
        schema_row(s->p, table, i, cells);
        for (unsigned c = 0; c < table->count; c++) {
            if (table->columns[c].type == SCHEMA_NODE) cells[c].u = node;
            if (table->columns[c].type == SCHEMA_STREAM) cells[c].u = s->stream[cells[c].u];
            if (table->columns[c].type == SCHEMA_STREAM && cells[c].u == SELECT_NO_STREAM) node = 0;
        }
        if (node) builder_append(s->b, SCHEMA_T_SAMPLES, 0, cells);
    }
    return assay_builder_failed(s->b);
}

static void copy_marker(struct select *s, const uint32_t *to, uint32_t i)
{
    const struct schema_table *table = &schema_tables[SCHEMA_T_MARKERS];
    union schema_cell cells[SCHEMA_COLUMNS_MAX];
    profile_copy_load(s->p, s->b, SCHEMA_T_MARKERS, i, cells);
    for (unsigned c = 0; c < table->count; c++) {
        if (table->columns[c].type == SCHEMA_NODE) cells[c].u = to ? to[cells[c].u] : 0;
        if (table->columns[c].type != SCHEMA_STREAM) continue;
        cells[c].u = s->stream[cells[c].u];
        if (cells[c].u == SELECT_NO_STREAM) return;
    }
    builder_append(s->b, SCHEMA_T_MARKERS, 0, cells);
}

/* All counters stay, so that readings keep their ids; those of streams that are left out have no readings. */
int select_moments(struct select *s, const uint32_t *to, assay_error *err)
{
    const struct assay_counters *t = assay_profile_counters(s->p);
    for (uint32_t i = 0; i < assay_profile_markers(s->p)->count; i++) {
        TRY(cancel_step(i, err));
        copy_marker(s, to, i);
    }
    for (uint32_t i = 1; i <= t->count; i++) {
        uint32_t stream = s->stream[ID(t->stream, i)];
        struct assay_counter counter = { .stream = { stream == SELECT_NO_STREAM ? 0 : stream },
                                         .name = profile_copy_string(s->p, s->b, t->name[i].v),
                                         .series = profile_copy_string(s->p, s->b, ID(t->series, i)),
                                         .category = profile_copy_string(s->p, s->b, ID(t->category, i)),
                                         .unit = profile_copy_string(s->p, s->b, ID(t->unit, i)),
                                         .kind = AT(t->kind, i) };
        assay_build_counter(s->b, &counter);
    }
    for (uint32_t i = 0; i < t->reading_count; i++) {
        TRY(cancel_step(i, err));
        if (s->stream[ID(t->stream, t->reading_counter[i].v)] != SELECT_NO_STREAM)
            assay_build_reading(s->b, t->reading_counter[i], t->reading_time[i], t->reading_value[i]);
    }
    return assay_builder_failed(s->b);
}
