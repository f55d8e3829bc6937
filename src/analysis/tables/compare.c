/* diff: inputs compared, as `assay diff` does. */
#include "analysis/tables/parts.h"

#include "assay/diff.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

/* ---- diff ---- */

enum {
    DIFF_PROFILE,
    DIFF_BEFORE,
    DIFF_METRIC,
    DIFF_NAME,
    DIFF_FILE,
    DIFF_LINE,
    DIFF_MODULE,
    DIFF_STATE,
    DIFF_SELF_BEFORE,
    DIFF_SELF,
    DIFF_SELF_CHANGE,
    DIFF_TOTAL_BEFORE,
    DIFF_TOTAL,
    DIFF_TOTAL_CHANGE,
    DIFF_CALLS_BEFORE,
    DIFF_CALLS,
    DIFF_COLUMNS
};

static const struct tables_column diff_columns[DIFF_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the later input", "2" },
    { "before", TABLES_INTEGER, "number of the input that it is compared with: the first one, and the one just before it", "1" },
    { "metric", TABLES_TEXT, "metric of the figures in this row", "Ir" },
    { "name", TABLES_TEXT, "name of the function", "work" },
    { "path", TABLES_TEXT, "file that defines it, as the later input has it", "src/main.c" },
    { "line", TABLES_INTEGER, "its first line", "42" },
    { "module", TABLES_TEXT, "program or library that it is in", "/usr/bin/app" },
    { "state", TABLES_TEXT, "changed, new or gone", "changed" },
    { "self_before", TABLES_NUMBER, "own cost before", "1205" },
    { "self", TABLES_NUMBER, "own cost now", "1405" },
    { "self_change", TABLES_NUMBER, "now less before", "200" },
    { "total_before", TABLES_NUMBER, "cost with everything that it calls, before", "20413" },
    { "total", TABLES_NUMBER, "the same now", "20613" },
    { "total_change", TABLES_NUMBER, "now less before", "200" },
    { "calls_before", TABLES_UNSIGNED, "calls before", "10" },
    { "calls", TABLES_UNSIGNED, "calls now", "10" },
};

struct diff_part {
    unsigned before;
    uint64_t begin; /* its first row */
    assay_profile_diff *diff;
};

struct diff_data {
    unsigned count;
    uint64_t rows;
    struct diff_part parts[2]; /* with the first input, and with the one before */
};

static void diff_drop(void *data)
{
    struct diff_data *d = data;
    for (unsigned i = 0; i < d->count; i++) assay_profile_diff_free(d->parts[i].diff);
}

static int add_part(struct diff_data *d, const struct tables_profile *before, const struct tables_profile *after, assay_error *err)
{
    struct assay_profile_diff_options o = { .size = sizeof o };
    struct diff_part *part = &d->parts[d->count];
    if (!before->p) return 0;
    int rc = assay_profile_diff_new(before->p, after->p, &o, &part->diff, err);
    if (rc == ASSAY_ERR_UNSUPPORTED) return 0; /* they have nothing in common */
    if (rc != 0) return rc;
    part->before = before->number;
    part->begin = d->rows;
    d->rows += (uint64_t)part->diff->count * part->diff->metric_count;
    d->count++;
    return 0;
}

static int diff_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    struct diff_data *d = arena_alloc(&cache->arena, sizeof *d);
    (void)table;
    if (!d) return error_memory(err);
    *d = (struct diff_data){ 0 };
    cache->data = d;
    if (p->number == 1) return 0;
    TRY(add_part(d, t->profiles.at[0], p, err));
    return p->number > 2 ? add_part(d, t->profiles.at[p->number - 2], p, err) : 0;
}

static uint64_t diff_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)table;
    return data ? ((const struct diff_data *)data)->rows : (uint64_t)p->p->funcs.count * p->p->metrics.count;
}

static const struct diff_part *part_of(const struct tables_place *at)
{
    const struct diff_data *d = at->data;
    return &d->parts[d->count > 1 && at->row >= d->parts[1].begin];
}

static void diff_move(struct tables_place *at)
{
    const struct diff_part *part = part_of(at);
    uint64_t row = at->row - part->begin;
    at->base = row % part->diff->count;
    at->k = (uint32_t)(row / part->diff->count);
    /* the metric that the differences are sorted by first */
    uint32_t key = (uint32_t)part->diff->metric;
    at->k = at->k == 0 ? key : at->k <= key ? at->k - 1 : at->k;
}

static struct tables_cell change_cell(enum assay_type type, assay_value before, assay_value after)
{
    if (type == ASSAY_F64) return cell_f64(after.d - before.d);
    if (type == ASSAY_U64 && after.u < before.u) {
        uint64_t less = before.u - after.u;
        return less <= INT64_MAX ? cell_i64(-(int64_t)less) : cell_f64(-(double)less);
    }
    if (type == ASSAY_U64) return cell_u64(after.u - before.u);
    int64_t change;
    return __builtin_sub_overflow(after.i, before.i, &change) ? cell_f64((double)after.i - (double)before.i) : cell_i64(change);
}

static struct tables_cell diff_text(const char *text) { return text[0] ? cell_text(slice_of(text)) : cell_null(); }

static void diff_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    static const char *const states[] = { "changed", "new", "gone" };
    const struct diff_part *part = part_of(at);
    const assay_profile_diff *d = part->diff;
    const assay_diff_func *f = &d->funcs[at->base];
    const assay_diff_metric *m = &d->metrics[at->k];
    size_t i = (size_t)at->base * d->metric_count + at->k;
    switch (column) {
    case DIFF_PROFILE: *out = cell_u64(at->p->number); break;
    case DIFF_BEFORE: *out = cell_u64(part->before); break;
    case DIFF_METRIC: *out = cell_text(slice_of(m->name)); break;
    case DIFF_NAME: *out = cell_text(slice_of(f->name)); break;
    case DIFF_FILE: *out = diff_text(f->file); break;
    case DIFF_LINE: *out = cell_id(f->line); break;
    case DIFF_MODULE: *out = diff_text(f->module); break;
    case DIFF_STATE: *out = cell_text(slice_of(states[f->state])); break;
    case DIFF_SELF_BEFORE: *out = cell_value(m->type, d->before_self[i]); break;
    case DIFF_SELF: *out = cell_value(m->type, d->after_self[i]); break;
    case DIFF_SELF_CHANGE: *out = change_cell(m->type, d->before_self[i], d->after_self[i]); break;
    case DIFF_TOTAL_BEFORE: *out = cell_value(m->type, d->before_total[i]); break;
    case DIFF_TOTAL: *out = cell_value(m->type, d->after_total[i]); break;
    case DIFF_TOTAL_CHANGE: *out = change_cell(m->type, d->before_total[i], d->after_total[i]); break;
    case DIFF_CALLS_BEFORE: *out = cell_u64(f->before_calls); break;
    default: *out = cell_u64(f->after_calls);
    }
}

static const struct tables_ops diff_ops = { .load = diff_load, .drop = diff_drop, .rows = diff_rows, .move = diff_move, .cell = diff_cell };

const struct tables_table tables_diff = {
    .name = "diff",
    .what = "functions whose cost changed between inputs, by metric, the largest change first: what `assay diff` shows",
    .example = "select name, self_before, self, self_change from diff where metric = 'Ir' order by self_change desc limit 10",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_SUMS | ASSAY_WANT_COVERAGE,
    .count = DIFF_COLUMNS,
    .columns = diff_columns,
    .ops = &diff_ops,
};
