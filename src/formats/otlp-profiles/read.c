/* Messages -> tree. Samples are added up by stack, stream and set of labels; a stack of the table is taken apart once however often it comes, and nothing is
 * allocated for a sample. Times are kept where a timeline is wanted. */
#include "formats/otlp-profiles/read.h"

#include "base/cancel.h"
#include "base/scoped.h"

static int no_memory(struct otlp_reader *r) { return error_memory(r->err); }

/* ---- stacks ---- */

static int add_stack(struct otlp_reader *r, const uint32_t *rows, uint32_t count, uint32_t *out)
{
    uint32_t *last = vec_push(r->mem, &r->last_sum);
    if (!last || !grow_add(&r->grower, rows, count)) return no_memory(r);
    *last = 0;
    *out = (uint32_t)r->last_sum.len - 1;
    return 0;
}

/* Of old layouts, where slices that are equal are one stack. */
static int stack_by_rows(struct otlp_reader *r, const uint32_t *rows, uint32_t count, uint32_t *out)
{
    uint64_t hash = hash_bytes(rows, count * sizeof *rows);
    for (struct index_walk w = index_walk(&r->stack_index, hash); index_next(&r->stack_index, &w);) {
        uint32_t begin = r->begin.at[w.id - 1], len = r->begin.at[w.id] - begin;
        if (len != count || (count && memcmp(r->rows.at + begin, rows, count * sizeof *rows) != 0)) continue;
        *out = w.id - 1;
        return 0;
    }
    if (!vec_reserve(r->mem, &r->begin, 2) || !vec_reserve(r->mem, &r->rows, count)) return no_memory(r);
    if (!r->begin.len) r->begin.at[r->begin.len++] = 0;
    if (count) memcpy(r->rows.at + r->rows.len, rows, count * sizeof *rows);
    r->rows.len += count;
    r->begin.at[r->begin.len++] = (uint32_t)r->rows.len;
    TRY(add_stack(r, rows, count, out));
    return index_add(&r->stack_index, hash, *out + 1) ? 0 : no_memory(r);
}

/* Numbers of the grower: those of old layouts come through stack_by_rows alone, so that the index numbers them too. */
static int stack_of(struct otlp_reader *r, const struct otlp_fit *fit, uint32_t *out)
{
    if (fit->stack_row == GROW_NO_ROW) return stack_by_rows(r, fit->stack, fit->stack_count, out);
    uint32_t *number = &r->stack_of.at[fit->stack_row];
    if (!*number) {
        uint32_t made = 0;
        TRY(stack_by_rows(r, fit->stack, fit->stack_count, &made));
        *number = made + 1;
    }
    *out = *number - 1;
    return 0;
}

/* ---- adding up ---- */

static int sum_of(struct otlp_reader *r, struct otlp_sum key, uint32_t *out)
{
    uint32_t *last = &r->last_sum.at[key.stack];
    const struct otlp_sum *s = *last ? &r->sums.at[*last - 1] : NULL;
    *out = *last - 1;
    if (s && s->stream == key.stream && s->set == key.set) return 0;
    uint64_t hash = hash_mix(hash_mix(key.stack, key.stream), key.set);
    uint32_t found = 0;
    for (struct index_walk w = index_walk(&r->sum_index, hash); !found && index_next(&r->sum_index, &w);) {
        s = &r->sums.at[w.id - 1];
        if (s->stack == key.stack && s->stream == key.stream && s->set == key.set) found = w.id;
    }
    size_t width = r->metrics.len;
    if (!found) {
        if (r->sums.len >= UINT32_MAX / 2 || !vec_reserve(r->mem, &r->sums, 1) || !vec_reserve(r->mem, &r->values, width)) return no_memory(r);
        r->sums.at[r->sums.len++] = key;
        memset(r->values.at + r->values.len, 0, width * sizeof *r->values.at);
        r->values.len += width;
        found = (uint32_t)r->sums.len;
        if (!index_add(&r->sum_index, hash, found)) return no_memory(r);
    }
    *last = found;
    *out = found - 1;
    return 0;
}

static void add_value(struct otlp_reader *r, uint32_t sum, uint32_t metric, int64_t v)
{
    assay_value *to = &r->values.at[(size_t)sum * r->metrics.len + metric];
    if (!__builtin_add_overflow(to->i, v, &to->i)) return;
    to->i = v < 0 ? INT64_MIN : INT64_MAX;
    r->is_saturated = true;
}

static int add_event(struct otlp_reader *r, struct otlp_sum at, uint32_t metric, uint64_t time, int64_t value)
{
    struct otlp_event *e = vec_push(r->mem, &r->events);
    if (!e) return no_memory(r);
    *e = (struct otlp_event){ time > INT64_MAX ? INT64_MAX : (int64_t)time, value, at.stack, at.stream, at.set, metric };
    return 0;
}

/* One sample type: values, times, or pairs of both. */
static int add_pairs(struct otlp_reader *r, const struct otlp_sample *s, struct otlp_sum at, uint32_t sum, uint32_t metric)
{
    bool is_paired = !s->value_count || s->value_count == s->time_count;
    for (uint32_t i = 0; i < s->value_count; i++) add_value(r, sum, metric, s->values[i]);
    if (!s->value_count) add_value(r, sum, metric, s->time_count);
    for (uint32_t i = 0; r->has_times && is_paired && i < s->time_count; i++) TRY(add_event(r, at, metric, s->times[i], s->value_count ? s->values[i] : 1));
    return 0;
}

/* Old layouts: a value for each type, and times that do not multiply them: where there are more the value stands at the first. */
static int add_typed(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_sum at, uint32_t sum)
{
    for (uint32_t k = 0; k < p->type_count; k++) {
        uint32_t metric = r->metric_of.at[p->first_type + k];
        bool is_each = s->values[k] == (int64_t)s->time_count;
        add_value(r, sum, metric, s->values[k]);
        for (uint32_t i = 0; r->has_times && i < s->time_count; i++) TRY(add_event(r, at, metric, s->times[i], is_each ? 1 : i ? 0 : s->values[k]));
    }
    return 0;
}

static int add_sample(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, const struct otlp_fit *fit)
{
    struct otlp_sum at = { 0, 0, 0 };
    uint32_t sum;
    TRY(stack_of(r, fit, &at.stack));
    TRY(otlp_stream_of(r, p, s, &at.stream));
    r->saw_labels |= s->attribute_count || s->has_link;
    if (r->has_labels) TRY(otlp_set_of(r, p, s, &at.set));
    TRY(sum_of(r, at, &sum));
    r->times += s->time_count;
    if (otlp_is_new(&r->d.documents.at[p->document]) || fit->is_summed) return add_pairs(r, s, at, sum, r->metric_of.at[p->first_type]);
    return add_typed(r, p, s, at, sum);
}

static int add_profile(struct otlp_reader *r, const struct otlp_profile *p)
{
    const struct otlp_document *doc = &r->d.documents.at[p->document];
    struct otlp_walk w = otlp_walk(&r->d, doc, OTLP_PROFILE, p->bytes);
    struct otlp_shape shape = { 0 };
    struct otlp_sample s;
    struct otlp_fit fit;
    struct otlp_item i;
    r->d.is_quiet = true; /* its own fields were looked at before */
    for (uint64_t steps = 0; otlp_next(&r->d, &w, &i); steps++) {
        if (i.name != OTLP_SAMPLES) continue;
        r->d.is_quiet = false;
        TRY(cancel_step(steps, r->err));
        TRY(otlp_sample(&r->d, doc, &i, &s));
        if (otlp_sample_fits(&r->t, p, &s, &shape, &fit)) TRY(add_sample(r, p, &s, &fit));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
        r->d.is_quiet = true;
    }
    r->d.is_quiet = false;
    otlp_shape_end(&r->t, p, &shape);
    return r->damage.failed ? no_memory(r) : 0;
}

/* ---- all of it ---- */

static int build_sums(struct otlp_reader *r)
{
    size_t width = r->metrics.len;
    for (size_t i = 0; i < r->sums.len; i++) {
        const struct otlp_sum *s = &r->sums.at[i];
        TRY(cancel_step(i, r->err));
        assay_build_sample(r->b, (assay_stream_id){ s->stream }, r->grower.node.at[s->stack], (assay_set_id){ s->set }, r->values.at + i * width);
    }
    if (!r->events.len) return assay_builder_failed(r->b);
    SCRATCH(assay_metric_id, metrics, r->mem, width + 1);
    SCRATCH(assay_value, weights, r->mem, width + 1);
    if (!metrics || !weights) return no_memory(r);
    for (size_t k = 0; k < width; k++) metrics[k] = r->metrics.at[k].id;
    assay_build_timeline(r->b, metrics, (uint32_t)width);
    for (size_t i = 0; i < r->events.len; i++) {
        const struct otlp_event *e = &r->events.at[i];
        TRY(cancel_step(i, r->err));
        weights[e->metric].i = e->value;
        assay_build_event(r->b, (assay_stream_id){ e->stream }, e->time, 0, r->grower.node.at[e->stack], weights);
        if (e->set) assay_build_event_set(r->b, (assay_set_id){ e->set });
        weights[e->metric].i = 0;
    }
    for (uint32_t s = 0; s <= r->streams.len; s++) assay_build_timeline_stream(r->b, s ? r->streams.at[s - 1].id : (assay_stream_id){ 0 }, "ns", false);
    return assay_builder_failed(r->b);
}

static int fill(struct otlp_reader *r)
{
    TRY(otlp_tables_load(&r->t, &r->d, r->err));
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    if (!r->t.profiles.len && r->damage.errors) return findings_refuse(&r->damage, r->err);
    struct grow_tables tables = { .strings = r->t.strings.at, .string_count = r->t.strings.len, .functions = r->t.functions.at, .lines = r->t.lines.at };
    tables.mappings = r->t.mappings.at, tables.mapping_count = r->t.mappings.len;
    tables.locations = r->t.locations.at, tables.location_count = r->t.locations.len;
    grow_init(&r->grower, r->mem, r->b, &tables);
    if (!vec_reserve(r->mem, &r->stack_of, r->t.stacks.len + 1)) return no_memory(r);
    memset(r->stack_of.at, 0, (r->t.stacks.len + 1) * sizeof *r->stack_of.at);
    TRY(otlp_build_metrics(r));
    for (size_t i = 0; i < r->t.profiles.len; i++) TRY(add_profile(r, &r->t.profiles.at[i]));
    TRY(grow_tree(&r->grower, r->err));
    TRY(build_sums(r));
    TRY(otlp_build_facts(r));
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    return r->damage.failed ? no_memory(r) : assay_builder_failed(r->b);
}

int otlp_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    uint32_t want = assay_builder_want(b);
    struct otlp_reader r = { .job = job, .b = b, .err = err, .mem = job->mem, .has_labels = want & ASSAY_WANT_LABELS, .has_times = want & ASSAY_WANT_TIMELINE };
    findings_init(&r.damage, job->mem);
    index_init(&r.stack_index, job->mem);
    index_init(&r.sum_index, job->mem);
    index_init(&r.scope_index, job->mem);
    index_init(&r.thread_index, job->mem);
    index_init(&r.stream_index, job->mem);
    int rc = otlp_open(&r.d, job, &r.damage, err);
    if (rc == 0) rc = fill(&r);
    grow_done(&r.grower);
    otlp_tables_done(&r.t);
    otlp_done(&r.d);
    vec_done(job->mem, &r.metrics, &r.metric_of, &r.stack_of, &r.last_sum, &r.begin, &r.rows, &r.sums, &r.values, &r.events);
    vec_done(job->mem, &r.scope_of, &r.resource_used, &r.streams, &r.kind_of, &r.same_as, &r.label_of, &r.last, &r.labels);
    index_done(&r.stack_index);
    index_done(&r.sum_index);
    index_done(&r.scope_index);
    index_done(&r.thread_index);
    index_done(&r.stream_index);
    findings_done(&r.damage);
    return rc;
}
