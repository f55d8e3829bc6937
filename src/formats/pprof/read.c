/* Records -> tree. Samples are added up by the bytes of their stack, so that a stack is taken apart once however often it comes, and with labels by stack and
 * set; nothing is allocated for a sample. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/pprof/read.h"

static int no_memory(struct pprof_reader *r) { return error_memory(r->err); }

/* ---- adding up ---- */

/* The stack's number, from 1; 0 = no memory. Bytes of the file are kept where they are. */
static uint32_t stack_of(struct pprof_reader *r, const struct pprof_record *rec, uint64_t number)
{
    assay_slice bytes = rec->sample.stack;
    uint64_t hash = hash_bytes(bytes.data, bytes.len);
    for (struct index_walk w = index_walk(&r->stack_index, hash); index_next(&r->stack_index, &w);)
        if (slice_equal(r->stacks.at[w.id].bytes, bytes)) return w.id;
    if (r->stacks.len > UINT32_MAX / 2 || !vec_reserve(r->mem, &r->stacks, 2)) return 0;
    if (!r->stacks.len) r->stacks.at[r->stacks.len++] = (struct pprof_stack){ .row = 0 };
    if (bytes.data == (const char *)r->d.stack.at && bytes.len) bytes.data = arena_copy(&r->copies, bytes);
    if (bytes.len && !bytes.data) return 0;
    uint32_t id = (uint32_t)r->stacks.len;
    bool is_bad = !pprof_stack_fits(&r->t, rec, number, &r->damage);
    r->stacks.at[r->stacks.len++] = (struct pprof_stack){ .bytes = bytes, .is_bad = is_bad };
    return index_add(&r->stack_index, hash, id) ? id : 0;
}

/* Where the values of (stack, set) stand, from 1; 0 = no memory. */
static uint32_t row_of(struct pprof_reader *r, uint32_t stack, uint32_t set)
{
    struct pprof_stack *s = &r->stacks.at[stack];
    if (!set && s->row) return s->row;
    uint64_t hash = hash_mix(stack, set);
    for (struct index_walk w = index_walk(&r->row_index, hash); set && index_next(&r->row_index, &w);)
        if (r->rows.at[w.id - 1].stack == stack && r->rows.at[w.id - 1].set == set) return w.id;
    size_t width = r->t.types.len;
    if (r->rows.len > UINT32_MAX / 2 || !vec_reserve(r->mem, &r->rows, 1) || !vec_reserve(r->mem, &r->values, width)) return 0;
    memset(r->values.at + r->values.len, 0, width * sizeof *r->values.at);
    r->values.len += width;
    r->rows.at[r->rows.len++] = (struct pprof_row_key){ stack, set };
    uint32_t id = (uint32_t)r->rows.len;
    if (!set) s->row = id;
    return !set || index_add(&r->row_index, hash, id) ? id : 0;
}

static assay_label_id label_of(struct pprof_reader *r, const struct pprof_label *l)
{
    struct assay_label label = { .key = grow_string(&r->grower, l->key), .kind = l->str ? ASSAY_LABEL_TEXT : ASSAY_LABEL_INTEGER };
    if (l->str) label.text = grow_string(&r->grower, l->str);
    if (!l->str) label.number = l->num;
    if (!l->str && l->num_unit) label.unit = grow_string(&r->grower, l->num_unit);
    return assay_build_label(r->b, &label);
}

/* Samples that follow each other mostly have the same labels. */
static bool is_last(const struct pprof_reader *r, const struct pprof_sample *s)
{
    return r->last.len == s->label_count && (!s->label_count || memcmp(r->last.at, s->labels, s->label_count * sizeof *s->labels) == 0);
}

static int set_of(struct pprof_reader *r, const struct pprof_record *rec, uint64_t number, uint32_t *out)
{
    const struct pprof_sample *s = &rec->sample;
    *out = 0;
    if (!s->label_count) return 0;
    for (uint32_t i = 0; !is_last(r, s) && i <= s->label_count; i++) {
        if (i == 0) r->labels.len = r->last.len = 0;
        if (i == 0 && (!vec_reserve(r->mem, &r->labels, s->label_count) || !vec_reserve(r->mem, &r->last, s->label_count))) return no_memory(r);
        if (i < s->label_count && pprof_label_fits(&r->t, &s->labels[i], rec->off, number, &r->damage))
            r->labels.at[r->labels.len++] = label_of(r, &s->labels[i]);
        if (i < s->label_count) continue;
        r->last_set = assay_build_label_set(r->b, r->labels.at, (uint32_t)r->labels.len);
        memcpy(r->last.at, s->labels, s->label_count * sizeof *s->labels);
        r->last.len = s->label_count;
        break;
    }
    *out = r->last_set.v;
    return assay_builder_failed(r->b);
}

static int add_sample(struct pprof_reader *r, const struct pprof_record *rec, uint64_t number)
{
    uint32_t set = 0, stack = stack_of(r, rec, number);
    if (!stack) return no_memory(r);
    if (r->stacks.at[stack].is_bad || !pprof_values_fit(&r->t, rec, number, &r->damage)) return 0;
    if (r->has_labels) TRY(set_of(r, rec, number, &set));
    uint32_t row = row_of(r, stack, set);
    if (!row) return no_memory(r);
    size_t width = r->t.types.len;
    assay_value *to = r->values.at + (size_t)(row - 1) * width;
    for (size_t k = 0; k < width; k++)
        if (__builtin_add_overflow(to[k].i, rec->sample.values[k], &to[k].i)) {
            to[k].i = rec->sample.values[k] < 0 ? INT64_MIN : INT64_MAX;
            r->is_saturated = true;
        }
    return 0;
}

static int add_samples(struct pprof_reader *r)
{
    struct pprof_record rec;
    pprof_rewind(&r->d, PPROF_SAMPLES);
    r->d.skips_labels = !r->has_labels;
    for (uint64_t number = 1;; number++) {
        TRY(pprof_next(&r->d, &rec));
        if (!rec.field) return r->damage.failed ? no_memory(r) : 0;
        TRY(add_sample(r, &rec, number));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    }
}

/* ---- contexts ---- */

static int build_tree(struct pprof_reader *r)
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
    TRY(add_samples(r));
    TRY(build_tree(r));
    TRY(add_rows(r));
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
    vec_done(job->mem, &r.stacks);
    vec_done(job->mem, &r.rows);
    vec_done(job->mem, &r.values);
    vec_done(job->mem, &r.labels);
    vec_done(job->mem, &r.last);
    grow_done(&r.grower);
    index_done(&r.stack_index);
    index_done(&r.row_index);
    arena_done(&r.copies);
    findings_done(&r.damage);
    return rc;
}
