/* Ticks of several clocks: sums are kept for each clock and converted at the end to ticks of the finest one, so that each sum is rounded at most
 * once and the order of the inputs does not show. */
#include "analysis/merge/merge.h"
#include "base/number.h"
#include "base/wide.h"

/* 0 = not said, or no whole number. */
static uint64_t rate_of(const struct assay_merger *m, uint32_t clock)
{
    const double largest = 9007199254740992.0; /* 2^53: whole numbers are exact up to here */
    double rate = 0;
    if (!clock || number_double(intern_get(&m->strings, clock), &rate) != NUMBER_OK) return 0;
    return rate >= 1 && rate <= largest && (double)(uint64_t)rate == rate ? (uint64_t)rate : 0;
}

int merge_clock_put(struct merge_input *in, uint32_t clock)
{
    uint32_t *known = &in->m->cost.clock;
    if (!clock || clock == *known) return 0;
    if (*known && !(rate_of(in->m, clock) && rate_of(in->m, *known)))
        FAIL(in->err, ASSAY_ERR_UNSUPPORTED, "its clock has %.40s ticks in a second, that of the inputs before it %.40s: these cannot be converted",
             intern_get(&in->m->strings, clock).data, intern_get(&in->m->strings, *known).data);
    if (!*known) *known = clock;
    return 0;
}

int merge_clock_of(struct merge_input *in, uint32_t unit, uint32_t *clock)
{
    const struct assay_attributes *a = assay_profile_attributes(in->p);
    *clock = 0;
    if (!slice_is(intern_get(&in->m->strings, unit), "tick")) return 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (slice_is(assay_profile_string(in->p, a->key[i]), "ticks_per_sec")) *clock = merge_string(in, a->value[i].v);
    return merge_clock_put(in, *clock);
}

/* ---- from one clock to another ---- */

struct ratio {
    uint64_t to, from;
    uint64_t rounded; /* figures that are no whole number of ticks */
    bool saturated;
};

/* v * to / from, the nearest whole number, halves away from 0. */
static u128 scaled(struct ratio *r, uint64_t v)
{
    uint64_t rest;
    u128 whole = u128_quotient(u128_product(v, r->to), r->from, &rest);
    r->rounded += rest != 0;
    return u128_plus(whole, u128_of(rest >= r->from - rest));
}

static assay_value convert(struct ratio *r, enum assay_type type, assay_value v)
{
    if (type == ASSAY_F64) return (assay_value){ .d = v.d * ((double)r->to / (double)r->from) };
    bool is_negative = type == ASSAY_I64 && v.i < 0;
    uint64_t largest = type == ASSAY_I64 ? (uint64_t)INT64_MAX : UINT64_MAX;
    u128 size = scaled(r, is_negative ? 0 - v.u : v.u);
    bool is_larger = u128_compare(size, u128_of(largest)) > 0;
    r->saturated |= is_larger;
    uint64_t kept = is_larger ? largest : size.low;
    return (assay_value){ .u = is_negative ? 0 - kept : kept };
}

static bool join_column(struct assay_merger *m, enum merge_which which, size_t from, size_t to, struct ratio *r)
{
    struct merge_table *t = &m->cost.tables[which];
    if (from >= t->columns.len) return true;
    while (t->columns.len <= to) {
        struct merge_column *c = vec_push(&m->mem, &t->columns);
        if (!c) return false;
        *c = (struct merge_column){ .type = t->columns.at[from].type };
    }
    struct merge_column *source = &t->columns.at[from], *target = &t->columns.at[to];
    size_t rows = source->type == ASSAY_F64 ? source->real.len : source->whole.len;
    target->type = source->type;
    for (size_t i = 0; i < rows; i++)
        if (!merge_column_add(&m->mem, target, i, convert(r, source->type, merge_column_value(source, i)), &r->saturated)) return false;
    merge_column_free(&m->mem, source);
    *source = (struct merge_column){ .type = target->type };
    return true;
}

static bool join_scopes(struct assay_merger *m, uint32_t from, uint32_t to, struct ratio *r)
{
    size_t count = m->cost.scopes.len; /* those that are made here are of the other metric */
    for (size_t s = 0; s < count; s++) {
        struct merge_scope said = m->cost.scopes.at[s];
        if (said.metric != from + 1) continue;
        said.metric = to + 1;
        size_t place = merge_scope_place(m, &said);
        m->cost.scopes.at[s].is_joined = true;
        if (place == SIZE_MAX || !join_column(m, MERGE_NODES, s, place, r)) return false;
    }
    return true;
}

/* What the metric says, in ticks of the other clock. A stated total of more than 64 bits is dropped: the sum of the values takes its place. */
static bool join_metric(struct assay_merger *m, struct merge_metric *to, const struct merge_metric *from, struct ratio *r)
{
    struct merge_metric said = *from;
    struct merge_column source = { .type = ASSAY_F64, .real = { &said.stated_double, 1, 1 } },
                        target = { .type = ASSAY_F64, .real = { &to->stated_double, 1, 1 } };
    enum assay_type type = (enum assay_type)from->type;
    if (type == ASSAY_F64) {
        merge_metric_fold(m, to, &said);
        return !said.has_stated || merge_column_add(&m->mem, &target, 0, convert(r, type, merge_column_value(&source, 0)), &r->saturated);
    }
    said.has_stated &= from->total.high == 0 || (type == ASSAY_I64 && from->total.high == -1);
    assay_value v = said.has_stated ? convert(r, type, (assay_value){ .u = from->total.low }) : (assay_value){ 0 };
    said.total = type == ASSAY_I64 ? wide_add_i64((assay_wide){ 0 }, v.i) : wide_add_u64((assay_wide){ 0 }, v.u);
    merge_metric_fold(m, to, &said);
    return true;
}

/* Metric number `from`, counted by another clock, into number `to`. */
static bool join(struct assay_merger *m, uint32_t from, uint32_t to, struct ratio *r)
{
    bool done = join_scopes(m, from, to, r) && join_column(m, MERGE_SAMPLES, from, to, r);
    for (int which = 0; which < MERGE_NODES; which++)
        for (size_t kind = 0; done && kind < MERGE_SUMS; kind++)
            done = join_column(m, (enum merge_which)which, (size_t)from * MERGE_SUMS + kind, (size_t)to * MERGE_SUMS + kind, r);
    struct merge_metric *f = &m->cost.metrics.at[from];
    uint64_t rounded = r->rounded;
    done = done && join_metric(m, &m->cost.metrics.at[to], f, r);
    r->rounded = rounded; /* of a total nothing is lost that its values have not lost already */
    f->is_joined = true;
    return done;
}

/* ---- the whole ---- */

/* The metric of the same name that is counted by the chosen clock; UINT32_MAX = no memory. */
static uint32_t target_of(struct assay_merger *m, uint32_t metric)
{
    struct merge_cost *c = &m->cost;
    uint32_t k = 0;
    while (k < c->metrics.len && (c->metrics.at[k].name != c->metrics.at[metric].name || c->metrics.at[k].clock != c->clock)) k++;
    if (k < c->metrics.len) return k;
    struct merge_metric *slot = vec_push(&m->mem, &c->metrics);
    if (!slot) return UINT32_MAX;
    *slot = c->metrics.at[metric];
    slot->clock = c->clock;
    slot->total = (assay_wide){ 0 }; /* nothing yet, and that is stated */
    slot->stated_double = (struct merge_double){ 0 };
    slot->has_stated = true;
    return k;
}

static bool is_ticks(const struct assay_merger *m, const struct merge_metric *metric) { return slice_is(intern_get(&m->strings, metric->unit), "tick"); }

/* The finest clock. Ticks of an unknown one are taken for those of the others where these agree. */
static int choose(struct assay_merger *m, assay_error *err)
{
    struct merge_cost *c = &m->cost;
    bool has_unknown = false;
    for (size_t k = 0; k < c->metrics.len; k++) {
        uint32_t clock = c->metrics.at[k].clock;
        has_unknown |= !clock && is_ticks(m, &c->metrics.at[k]);
        if (!clock || clock == c->clock) continue;
        c->has_clocks = true;
        uint64_t a = rate_of(m, clock), b = rate_of(m, c->clock);
        if (a > b || (a == b && merge_smaller(m, clock, c->clock) == clock)) c->clock = clock;
    }
    if (has_unknown && c->has_clocks)
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "the inputs have ticks of different clocks, and one of them does not say how many there are in a second");
    return 0;
}

int merge_clocks_join(struct assay_merger *m, assay_error *err)
{
    struct merge_cost *c = &m->cost;
    uint64_t rounded = 0;
    size_t count = c->metrics.len;
    TRY(choose(m, err));
    for (uint32_t k = 0; c->clock && k < count; k++) {
        uint32_t clock = c->metrics.at[k].clock;
        if (clock == c->clock || !is_ticks(m, &c->metrics.at[k])) continue;
        struct ratio r = { .to = clock ? rate_of(m, c->clock) : 1, .from = clock ? rate_of(m, clock) : 1 };
        uint32_t to = target_of(m, k);
        if (to == UINT32_MAX || !join(m, k, to, &r)) return error_memory(err);
        rounded += r.rounded;
        m->is_saturated |= r.saturated;
    }
    if (rounded) merge_note(m, MERGE_CLOCK, "%llu figures", (unsigned long long)rounded);
    return 0;
}
