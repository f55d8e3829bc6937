/* The rules of samples, which reader and check share. */
#include "formats/otlp-profiles/tables.h"

static void add(struct otlp_tables *t, const struct otlp_sample *s, const struct otlp_shape *shape, const struct otlp_profile *p, const char *rule,
                int severity, const char *what, long long index, unsigned long long count)
{
    unsigned long long sample = shape->number - 1, profile = (unsigned long long)(p - t->profiles.at);
    findings_add(t->d->damage, rule, severity, s->off, 0, "sample %llu of profile %llu %s %lld, but there are %llu", sample, profile, what, index, count);
}

/* Locations that stand in the sample itself, as 1.3 still allows. */
static bool own_stack_fits(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, const struct otlp_shape *shape,
                           struct otlp_fit *fit)
{
    const struct otlp_set *set = &t->sets.at[p->set];
    t->own.len = 0;
    if (!vec_reserve(t->mem, &t->own, s->index_count)) {
        t->d->damage->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < s->index_count; i++) {
        uint32_t row = otlp_row(set, OTLP_T_LOCATIONS, (int64_t)s->indices[i]);
        if (row == GROW_NO_ROW) add(t, s, shape, p, "OT07", ASSAY_ERROR, "refers to location", (long long)s->indices[i], set->count[OTLP_T_LOCATIONS]);
        if (row == GROW_NO_ROW) return false;
        t->own.at[t->own.len++] = row;
    }
    fit->stack = t->own.at;
    fit->stack_count = (uint32_t)t->own.len;
    return true;
}

static bool stack_fits(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, const struct otlp_shape *shape, struct otlp_fit *fit)
{
    const struct otlp_set *set = &t->sets.at[p->set];
    if (!otlp_is_new(&t->d->documents.at[p->document])) {
        if (s->index_count && !s->length) return own_stack_fits(t, p, s, shape, fit);
        bool is_outside = s->stack < 0 || s->length < 0 || s->stack > (int64_t)p->index_count || s->length > (int64_t)p->index_count - s->stack;
        if (is_outside)
            add(t, s, shape, p, "OT06", ASSAY_ERROR, "has a stack that ends at location index", (long long)((uint64_t)s->stack + (uint64_t)s->length),
                p->index_count);
        if (is_outside) return false;
        fit->stack = vec_from(&t->rows, p->first_index + s->stack);
        fit->stack_count = (uint32_t)s->length;
        for (uint32_t i = 0; i < fit->stack_count; i++)
            if (fit->stack[i] == GROW_NO_ROW) return false;
        return true;
    }
    fit->stack_row = otlp_row(set, OTLP_T_STACKS, s->stack);
    if (fit->stack_row == GROW_NO_ROW && s->stack) add(t, s, shape, p, "OT06", ASSAY_ERROR, "refers to stack", s->stack, set->count[OTLP_T_STACKS]);
    if (fit->stack_row == GROW_NO_ROW) return !s->stack;
    fit->stack = vec_from(&t->rows, t->stacks.at[fit->stack_row].first);
    fit->stack_count = t->stacks.at[fit->stack_row].count;
    return !t->stacks.at[fit->stack_row].is_bad;
}

static void check_references(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, const struct otlp_shape *shape)
{
    const struct otlp_set *set = &t->sets.at[p->set];
    for (uint32_t i = 0; i < s->attribute_count; i++)
        if (s->attributes[i] >= set->count[OTLP_T_ATTRIBUTES] && s->attributes[i])
            add(t, s, shape, p, "OT08", ASSAY_ERROR, "refers to attribute", (long long)s->attributes[i], set->count[OTLP_T_ATTRIBUTES]);
    bool is_none = !s->has_link || (!s->link && (otlp_is_new(&t->d->documents.at[p->document]) || !set->count[OTLP_T_LINKS]));
    if (!is_none && otlp_row(set, OTLP_T_LINKS, s->link) == GROW_NO_ROW)
        add(t, s, shape, p, "OT09", ASSAY_ERROR, "refers to link", s->link, set->count[OTLP_T_LINKS]);
}

/* From 1.8 on: values, times, or both in the same number. */
static bool new_values_fit(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_shape *shape)
{
    shape->plain += s->value_count && !s->time_count;
    shape->timed += !s->value_count && s->time_count;
    shape->both += s->value_count && s->time_count;
    if (!s->value_count && !s->time_count) add(t, s, shape, p, "OT10", ASSAY_ERROR, "has neither values nor times: expected at least", 1, 0);
    if (s->value_count && s->time_count && s->value_count != s->time_count)
        findings_add(t->d->damage, "OT11", ASSAY_ERROR, s->off, 0, "sample %llu of profile %llu has %u values and %u times: the times are left out",
                     (unsigned long long)shape->number - 1, (unsigned long long)(p - t->profiles.at), s->value_count, s->time_count);
    return s->value_count || s->time_count;
}

/* Before: a value for each sample type, and times besides. */
static bool old_values_fit(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_shape *shape, struct otlp_fit *fit)
{
    fit->is_summed = p->type_count == 1 && s->value_count > 1 && s->value_count == s->time_count;
    if (fit->is_summed)
        findings_add(t->d->damage, "OT10", ASSAY_WARNING, s->off, 0,
                     "sample %llu of profile %llu has %u values for one sample type, one for each time: added up", (unsigned long long)shape->number - 1,
                     (unsigned long long)(p - t->profiles.at), s->value_count);
    bool has_more = p->type_count == 1 && s->value_count == 1 && s->time_count > 1 && s->values[0] >= 0 && s->time_count > (uint64_t)s->values[0];
    if (has_more && !shape->more++) shape->more_off = s->off;
    if (fit->is_summed || s->value_count == p->type_count) return true;
    add(t, s, shape, p, "OT10", ASSAY_ERROR, "has another number of values:", s->value_count, p->type_count);
    return false;
}

static void check_times(const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_shape *shape)
{
    uint64_t end = p->time + p->duration;
    for (uint32_t i = 0; i < s->time_count; i++) {
        bool is_outside = !p->time || s->times[i] < p->time || (p->duration && s->times[i] >= end && end >= p->time);
        if (is_outside && !shape->outside++) shape->early_off = s->off;
    }
}

bool otlp_sample_fits(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_shape *shape, struct otlp_fit *fit)
{
    bool is_new = otlp_is_new(&t->d->documents.at[p->document]);
    *fit = (struct otlp_fit){ .stack_row = GROW_NO_ROW };
    shape->number++;
    bool fits = stack_fits(t, p, s, shape, fit);
    fits &= is_new ? new_values_fit(t, p, s, shape) : old_values_fit(t, p, s, shape, fit);
    if (s->attribute_count || s->has_link) check_references(t, p, s, shape);
    if (s->time_count) check_times(p, s, shape);
    return fits && p->type_count;
}

void otlp_shape_end(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_shape *shape)
{
    unsigned long long number = (unsigned long long)(p - t->profiles.at);
    if ((shape->plain != 0) + (shape->timed != 0) + (shape->both != 0) > 1)
        findings_add(t->d->damage, "OT12", ASSAY_WARNING, p->off, 0,
                     "profile %llu has samples with values, with times, and with both: %llu, %llu and %llu of them", number, (unsigned long long)shape->plain,
                     (unsigned long long)shape->timed, (unsigned long long)shape->both);
    if (shape->more)
        findings_add(t->d->damage, "OT12", ASSAY_WARNING, shape->more_off, 0,
                     "profile %llu has %llu samples with more times than their value says: the value counts", number, (unsigned long long)shape->more);
    if (shape->outside && p->time)
        findings_add(t->d->damage, "OT14", ASSAY_WARNING, shape->early_off, 0, "profile %llu has %llu times outside of its own", number,
                     (unsigned long long)shape->outside);
    if (shape->outside && !p->time)
        findings_add(t->d->damage, "OT14", ASSAY_WARNING, p->off, 0, "profile %llu has samples with times, but does not say when it began", number);
    if (p->duration > 315576000000000000u) findings_add(t->d->damage, "OT14", ASSAY_WARNING, p->off, 0, "profile %llu lasts more than ten years", number);
}
