/* Records -> tree, or sums of functions where these will do; adding.c has added samples up by stack before. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/pprof/read.h"

static int no_memory(struct pprof_reader *r) { return error_memory(r->err); }

/* ---- contexts ---- */

static int add_stacks(struct pprof_reader *r)
{
    VEC(uint32_t) rows = { 0 };
    vec_scoped(r->mem, &rows);
    for (size_t i = 1; i < r->stacks.len; i++) {
        const struct pprof_stack *s = &r->stacks.at[i];
        struct cursor c = cursor_of(s->bytes.data, s->bytes.len);
        uint64_t id;
        TRY(cancel_step(i, r->err));
        rows.len = 0;
        if (!vec_reserve(r->mem, &rows, s->bytes.len)) return no_memory(r); /* every location has a byte at least */
        while (!s->is_bad && pprof_stack_next(&c, &id)) rows.at[rows.len++] = pprof_row(&r->t.location_ids, id);
        if (!(s->is_bad ? grow_skip(&r->grower) : grow_add(&r->grower, rows.at, rows.len))) return no_memory(r);
    }
    return 0;
}

static int build_tree(struct pprof_reader *r)
{
    TRY(grow_tree(&r->grower, r->err));
    if (r->grower.is_counting) assay_build_count(r->b, "stacks", r->grower.stacks);
    if (r->grower.is_counting) assay_build_count(r->b, "contexts", r->grower.function_paths.len);
    assay_build_count(r->b, "distinct_functions", r->grower.functions);
    return 0;
}

/* In the order of contexts, so that values are where they belong at once. */
static int add_rows(struct pprof_reader *r)
{
    const struct grower *c = &r->grower;
    size_t width = r->t.types.len;
    for (size_t i = 0; r->has_labels && i < r->rows.len; i++) {
        TRY(cancel_step(i, r->err));
        assay_build_sample(r->b, (assay_stream_id){ 0 }, c->node.at[r->rows.at[i].stack - 1], (assay_set_id){ r->rows.at[i].set }, r->values.at + i * width);
    }
    for (size_t i = 0; !r->has_labels && i < c->order.len; i++) {
        uint32_t stack = c->order.at[i], row = r->stacks.at[stack + 1].row;
        TRY(cancel_step(i, r->err));
        if (row) assay_build_sample(r->b, (assay_stream_id){ 0 }, c->node.at[stack], (assay_set_id){ 0 }, r->values.at + (size_t)(row - 1) * width);
    }
    return assay_builder_failed(r->b);
}

/* ---- sums ---- */

/* What stacks without frames have is part of the whole, and of no function. */
static int state_totals(struct pprof_reader *r)
{
    size_t width = r->t.types.len;
    bool has_outside = false;
    for (size_t i = 1; i < r->stacks.len && !has_outside; i++) has_outside = r->stacks.at[i].row && !r->stacks.at[i].bytes.len;
    for (size_t k = 0; has_outside && k < width; k++) {
        assay_value all = { .i = 0 };
        for (size_t i = 0; i < r->rows.len; i++) {
            TRY(cancel_step(i, r->err));
            all.i += r->values.at[i * width + k].i;
        }
        assay_build_metric_total(r->b, r->metrics.at[k], all);
    }
    return 0;
}

static int add_sums(struct pprof_reader *r, struct stack_sums *sums)
{
    size_t width = r->t.types.len;
    SCRATCH(int64_t, values, r->mem, width + 1);
    if (!values) return no_memory(r);
    for (size_t i = 1; i < r->stacks.len; i++) {
        uint32_t row = r->stacks.at[i].row; /* 0 = none of its samples is sound */
        TRY(cancel_step(i, r->err));
        for (size_t k = 0; k < width; k++) values[k] = row ? r->values.at[(size_t)(row - 1) * width + k].i : 0;
        grow_sum(&r->grower, i - 1, sums, values);
    }
    return stack_sums_book(sums, (assay_stream_id){ 0 }, r->err);
}

static bool sums_will_do(const struct pprof_reader *r) { return stack_sums_will_do(r->b) && r->grower.rows.len && r->t.types.len && r->magnitude < INT64_MAX; }

static int build_sums(struct pprof_reader *r)
{
    SCOPED(stack_sums_done) struct stack_sums sums = { 0 };
    TRY(grow_functions(&r->grower, r->err));
    assay_build_count(r->b, "distinct_functions", r->grower.functions);
    TRY(stack_sums_init(&sums, r->mem, r->b, r->metrics.at, (unsigned)r->t.types.len, (uint32_t)r->grower.file_of.len, false, r->err));
    TRY(add_sums(r, &sums));
    return state_totals(r);
}

/* ---- metrics and facts ---- */

/* Two types may have one name: then the unit tells them apart, or else their number. */
static void metric_name(struct pprof_reader *r, size_t k, char *buf, size_t len)
{
    assay_slice type = pprof_text(&r->t, r->t.types.at[k].type), unit = pprof_text(&r->t, r->t.types.at[k].unit);
    unsigned same = 0, equal = 0;
    for (size_t i = 0; i < r->t.types.len; i++) {
        bool is_same = i != k && slice_equal(pprof_text(&r->t, r->t.types.at[i].type), type);
        same += is_same;
        equal += is_same && slice_equal(pprof_text(&r->t, r->t.types.at[i].unit), unit);
    }
    int type_len = (int)(type.len < 200 ? type.len : 200), unit_len = (int)(unit.len < 40 ? unit.len : 40);
    if (!same)
        snprintf(buf, len, "%.*s", type_len, type.data);
    else if (!equal)
        snprintf(buf, len, "%.*s/%.*s", type_len, type.data, unit_len, unit.data);
    else
        snprintf(buf, len, "%.*s/%.*s#%zu", type_len, type.data, unit_len, unit.data, k + 1);
}

static int build_metrics(struct pprof_reader *r)
{
    const struct pprof_tables *t = &r->t;
    assay_slice named = pprof_text(t, t->scalar[PPROF_DEFAULT_SAMPLE_TYPE]);
    assay_metric_id best = { 0 };
    char unit[200], type[200], period_unit[200];
    snprintf(type, sizeof type, "%.*s", (int)(pprof_text(t, t->period_type.type).len % 199), pprof_text(t, t->period_type.type).data);
    snprintf(period_unit, sizeof period_unit, "%.*s", (int)(pprof_text(t, t->period_type.unit).len % 199), pprof_text(t, t->period_type.unit).data);
    for (size_t k = 0; k < t->types.len; k++) {
        char name[260];
        metric_name(r, k, name, sizeof name);
        assay_slice text = pprof_text(t, t->types.at[k].unit);
        snprintf(unit, sizeof unit, "%.*s", (int)(text.len < 199 ? text.len : 199), text.data);
        assay_metric_id m = assay_build_metric(r->b, name, unit, ASSAY_I64, ASSAY_SHAPE_TREE);
        assay_metric_id *slot = vec_push(r->mem, &r->metrics);
        if (!slot) return no_memory(r);
        *slot = m;
        if (grow_is_level(slice_of(name))) assay_build_metric_kind(r->b, m, ASSAY_METRIC_LEVEL);
        if (t->scalar[PPROF_PERIOD] || type[0] || period_unit[0])
            assay_build_metric_period(r->b, m, (int64_t)t->scalar[PPROF_PERIOD], type[0] ? type : NULL, period_unit[0] ? period_unit : NULL);
        bool is_named = named.len && slice_equal(named, pprof_text(t, t->types.at[k].type));
        if (k + 1 == t->types.len && !best.v) best = m;
        if (is_named) best = m;
    }
    if (best.v) assay_build_metric_default(r->b, best);
    assay_build_sample_metrics(r->b, NULL, 0);
    return assay_builder_failed(r->b);
}

static void attribute(struct pprof_reader *r, enum pprof_field field, assay_slice value)
{
    const char *key = pprof_field_name(field);
    if (value.len) assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value.data, value.len);
}

static void build_facts(struct pprof_reader *r)
{
    static const uint8_t texts[] = { PPROF_DROP_FRAMES, PPROF_KEEP_FRAMES, PPROF_DEFAULT_SAMPLE_TYPE, PPROF_DOC_URL };
    static const uint8_t numbers[] = { PPROF_TIME_NANOS, PPROF_DURATION_NANOS };
    const struct pprof_tables *t = &r->t;
    char number[32];
    for (size_t i = 0; i < sizeof numbers; i++)
        if (t->scalar[numbers[i]]) attribute(r, numbers[i], (assay_slice){ number, number_put_i64(number, (int64_t)t->scalar[numbers[i]]) });
    for (size_t i = 0; i < sizeof texts; i++) attribute(r, texts[i], pprof_text(t, t->scalar[texts[i]]));
    for (size_t i = 0; i < t->comments.len; i++) attribute(r, PPROF_COMMENT, pprof_text(t, t->comments.at[i]));
    assay_build_source(r->b, "pprof", "profile.proto", "");
    assay_build_count(r->b, "samples", t->samples);
    assay_build_count(r->b, "locations", t->locations.len);
    assay_build_count(r->b, "functions", t->functions.len);
    assay_build_count(r->b, "modules", t->mappings.len);
    assay_build_count(r->b, "strings", t->strings.len);
    assay_build_count(r->b, "locations_with_inlines", t->inlined);
    assay_build_offers(r->b, r->d.has_labels ? ASSAY_SHAPE_TREE | ASSAY_SHAPE_LABELS : ASSAY_SHAPE_TREE);
    if (r->is_saturated) findings_add(&r->damage, "PP15", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the sum of a stack is too large: the largest value is used");
}

/* ---- all of it ---- */

static int fill(struct pprof_reader *r)
{
    TRY(pprof_tables_load(&r->t, &r->d, r->err));
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    if (!r->t.types.len && !r->t.strings.len) FAIL(r->err, ASSAY_ERR_DAMAGED, "there is no profile: neither sample types nor strings could be read");
    struct grow_tables tables = { .strings = r->t.strings.at, .string_count = r->t.strings.len, .functions = r->t.functions.at, .lines = r->t.lines.at };
    tables.mappings = r->t.modules.at, tables.mapping_count = r->t.modules.len;
    tables.locations = r->t.locations.at, tables.location_count = r->t.locations.len;
    grow_init(&r->grower, r->mem, r->b, &tables);
    TRY(build_metrics(r));
    TRY(pprof_add_samples(r));
    TRY(add_stacks(r));
    if (sums_will_do(r))
        TRY(build_sums(r));
    else {
        TRY(build_tree(r));
        TRY(add_rows(r));
    }
    build_facts(r);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    return r->damage.failed ? no_memory(r) : assay_builder_failed(r->b);
}

int pprof_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct pprof_reader r = { .job = job, .b = b, .err = err, .mem = job->mem, .has_labels = assay_builder_want(b) & ASSAY_WANT_LABELS };
    findings_init(&r.damage, job->mem);
    arena_init(&r.copies, job->mem);
    index_init(&r.stack_index, job->mem);
    index_init(&r.row_index, job->mem);
    int rc = pprof_open(&r.d, job, &r.damage, err);
    if (rc == 0) rc = fill(&r);
    pprof_tables_done(&r.t);
    if (r.d.mem) pprof_done(&r.d);
    vec_done(job->mem, &r.stacks, &r.rows, &r.values, &r.labels, &r.last, &r.ahead_values, &r.metrics);
    grow_done(&r.grower);
    index_done(&r.stack_index);
    index_done(&r.row_index);
    arena_done(&r.copies);
    findings_done(&r.damage);
    return rc;
}
