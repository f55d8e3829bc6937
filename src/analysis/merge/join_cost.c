/* The cost of one merger into another; see join.h. Rows find their places by their keys, sums of doubles are added as they are kept, without rounding. */
#include "analysis/merge/join.h"
#include "base/cancel.h"
#include "base/scoped.h"

/* ---- metrics and labels ---- */

static int join_metric(struct join *j, size_t i)
{
    struct assay_merger *m = j->in.m;
    const struct merge_metric *row = &j->from->cost.metrics.at[i];
    struct merge_metric said = { SCHEMA_METRICS(JOIN_ROW, _).clock = j->strings[row->clock] };
    TRY(merge_clock_put(&j->in, said.clock));
    TRY(merge_metric_put(&j->in, &said, &j->metrics[i + 1]));
    struct merge_metric *to = &m->cost.metrics.at[j->metrics[i + 1] - 1];
    return merge_double_join(&m->mem, &to->stated_double, &row->stated_double) ? 0 : error_memory(j->in.err);
}

static int join_metrics(struct join *j)
{
    struct merge_cost *c = &j->in.m->cost;
    const struct merge_cost *from = &j->from->cost;
    size_t had = c->metrics.len;
    bool is_same = true;
    for (size_t i = 0; i < from->metrics.len; i++) {
        TRY(join_metric(j, i));
        is_same &= j->metrics[i + 1] == i + 1;
    }
    c->has_same_metrics = from->has_same_metrics && (j->in.m->inputs == 0 || (c->has_same_metrics && is_same && from->metrics.len == had));
    for (size_t i = 0; i < from->scopes.len; i++) {
        const struct merge_scope *row = &from->scopes.at[i];
        size_t place = merge_scope_place(j->in.m, &(struct merge_scope){ SCHEMA_SCOPES(JOIN_ROW, _) });
        if (place == SIZE_MAX) return error_memory(j->in.err);
        j->scopes[i] = (uint32_t)place;
    }
    return 0;
}

static int join_labels(struct join *j)
{
    const struct merge_cost *from = &j->from->cost;
    bool done = true;
    for (size_t i = 0; done && i < from->labels.len && (done = !cancel_at(i)); i++) {
        const struct merge_label *row = &from->labels.at[i];
        done = (j->labels[i + 1] = merge_label_put(j->in.m, &(struct merge_label){ SCHEMA_LABELS(JOIN_ROW, _) })) != 0;
    }
    for (size_t i = 0; done && i < from->sets.len && (done = !cancel_at(i)); i++) {
        const struct merge_set *row = &from->sets.at[i];
        done = (j->sets[i + 1] = merge_set_put(j->in.m, &(struct merge_set){ SCHEMA_LABEL_SETS(JOIN_ROW, _) })) != 0;
    }
    return done ? 0 : error_memory(j->in.err);
}

/* ---- rows ---- */

#define JOIN_KEY(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(key.T.name = JOIN_##type(row->T.name);)

/* A row's place in the merger; UINT32_MAX = no memory. */
static uint32_t place_of(struct join *j, enum merge_which which, const union merge_key *row)
{
    union merge_key key = { 0 };
    switch (which) {
    case MERGE_COSTS: SCHEMA_COSTS(JOIN_KEY, cost) break;
    case MERGE_ARCS: SCHEMA_ARCS(JOIN_KEY, arc) break;
    case MERGE_STATED:
        SCHEMA_SUMS(JOIN_KEY, sum)
        key.sum.is_stated = row->sum.is_stated;
        break;
    case MERGE_LINES: SCHEMA_LINES(JOIN_KEY, line) break;
    case MERGE_NODES: SCHEMA_NODES(JOIN_KEY, node) break;
    default: SCHEMA_SAMPLES(JOIN_KEY, sample) break;
    }
    return merge_row(j->in.m, which, &key);
}

/* Where the sums of a column of `from` are in the merger, and which metric they are of. */
static size_t column_of(const struct join *j, enum merge_which which, size_t column, uint32_t *metric)
{
    if (which == MERGE_NODES) {
        *metric = j->from->cost.scopes.at[column].metric;
        return j->scopes[column];
    }
    size_t sums = which == MERGE_SAMPLES ? 1 : MERGE_SUMS;
    *metric = (uint32_t)(column / sums) + 1;
    return (j->metrics[*metric] - 1) * sums + column % sums;
}

static int join_columns(struct join *j, enum merge_which which, const uint32_t *rows)
{
    struct assay_merger *m = j->in.m;
    const struct merge_table *t = &j->from->cost.tables[which];
    for (size_t k = 0; k < t->columns.len; k++) {
        const struct merge_column *from = &t->columns.at[k];
        size_t count = from->type == ASSAY_F64 ? from->real.len : from->whole.len;
        uint32_t metric;
        size_t at = column_of(j, which, k, &metric);
        if (!count) continue;
        struct merge_column *to = merge_column_at(m, which, at, from->type);
        if (!to) return error_memory(j->in.err);
        for (size_t i = 0; i < count; i++) {
            TRY(cancel_step(i, j->in.err));
            if (!merge_column_join(&m->mem, to, rows[i], from, i, &m->is_saturated)) return error_memory(j->in.err);
        }
    }
    return 0;
}

/* Of an arc the second count is the depth, all others add up. */
static bool join_counts(struct join *j, enum merge_which which, const uint32_t *rows)
{
    struct assay_merger *m = j->in.m;
    const struct merge_table *t = &j->from->cost.tables[which];
    bool done = true;
    for (int k = 0; k < MERGE_COUNTS; k++) {
        enum merge_count count = (enum merge_count)k;
        bool is_largest = which == MERGE_ARCS && count == MERGE_COUNT_depth;
        for (uint32_t i = 0; done && i < t->count[k].len && (done = !cancel_at(i)); i++)
            done = is_largest ? merge_largest(m, which, count, rows[i], t->count[k].at[i]) : merge_counted(m, which, count, rows[i], t->count[k].at[i]);
    }
    return done;
}

static int join_table(struct join *j, enum merge_which which)
{
    const struct merge_table *t = &j->from->cost.tables[which];
    SCRATCH(uint32_t, rows, &j->in.m->mem, t->keys.len + 1);
    if (!rows) return error_memory(j->in.err);
    for (size_t i = 0; i < t->keys.len; i++) {
        TRY(cancel_step(i, j->in.err));
        rows[i] = place_of(j, which, &t->keys.at[i]);
        if (rows[i] == UINT32_MAX) return error_memory(j->in.err);
        if (which == MERGE_NODES) j->nodes[i + 1] = rows[i] + 1;
    }
    return join_counts(j, which, rows) ? join_columns(j, which, rows) : error_memory(j->in.err);
}

/* ---- the whole ---- */

int join_cost(struct join *j)
{
    struct merge_cost *c = &j->in.m->cost;
    const struct merge_cost *from = &j->from->cost;
    TRY(join_metrics(j));
    TRY(join_labels(j));
    for (int which = 0; which < MERGE_TABLES; which++) TRY(join_table(j, (enum merge_which)which));
    c->left_out += from->left_out;
    c->shapes |= from->shapes;
    c->has_unknown_nesting |= from->has_unknown_nesting;
    c->has_unlabelled |= from->has_unlabelled;
    return 0;
}
