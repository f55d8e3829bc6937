/* A double is summed up as an expansion of a few parts whose sum is exact (Shewchuk); a cell that needs more of them, or is not finite, moves to a wide
 * accumulator (base/exact.h), which only few cells ever pay for. See values.h. */
#include "analysis/merge/values.h"

#include <math.h>
#include <string.h>

#include "model/value.h"

void merge_column_free(struct mem *mem, struct merge_column *c)
{
    for (size_t i = 0; i < c->real.len; i++) mem_free(mem, c->real.at[i].big, c->real.at[i].big ? sizeof *c->real.at[i].big : 0);
    vec_done(mem, &c->whole, &c->real);
}

static bool add_big(struct mem *mem, struct merge_double *d, double v)
{
    if (!d->big) {
        d->big = mem_zalloc(mem, 1, sizeof *d->big);
        if (!d->big) return false;
        for (int i = 0; i < d->count; i++) exact_add(d->big, d->part[i]);
        d->count = 0;
    }
    exact_add(d->big, v);
    return true;
}

/* Shewchuk's growing of an expansion: each step gives sum and error exactly. */
static bool add_double(struct mem *mem, struct merge_double *d, double v)
{
    double part[MERGE_PARTS + 1], sum = v;
    int n = 0;
    for (int i = 0; !d->big && i < d->count; i++) {
        double a = sum, b = d->part[i], s = a + b, t = s - a, error = (a - (s - t)) + (b - t);
        sum = s;
        if (error != 0) part[n++] = error;
    }
    if (!d->big && sum != 0) part[n++] = sum;
    if (d->big || n > MERGE_PARTS || !isfinite(sum)) return add_big(mem, d, v);
    memcpy(d->part, part, (size_t)n * sizeof *part);
    d->count = (uint8_t)n;
    return true;
}

/* The sum of a row of doubles, made when it is not there; NULL = no memory. */
static struct merge_double *real_at(struct mem *mem, struct merge_column *c, size_t row)
{
    if (row >= c->real.len) {
        if (!vec_reserve(mem, &c->real, row + 1 - c->real.len)) return NULL;
        memset(c->real.at + c->real.len, 0, (row + 1 - c->real.len) * sizeof *c->real.at);
        c->real.len = row + 1;
    }
    return &c->real.at[row];
}

bool merge_column_add(struct mem *mem, struct merge_column *c, size_t row, assay_value v, bool *saturated)
{
    if (value_is_zero(c->type, v)) return true;
    if (c->type != ASSAY_F64) {
        if (row >= c->whole.len) {
            if (!vec_reserve(mem, &c->whole, row + 1 - c->whole.len)) return false;
            memset(c->whole.at + c->whole.len, 0, (row + 1 - c->whole.len) * sizeof *c->whole.at);
            c->whole.len = row + 1;
        }
        if (!value_add(c->type, &c->whole.at[row], v)) *saturated = true;
        return true;
    }
    struct merge_double *real = real_at(mem, c, row);
    return real && add_double(mem, real, v.d);
}

bool merge_double_join(struct mem *mem, struct merge_double *to, const struct merge_double *from)
{
    bool done = !from->big || add_big(mem, to, 0);
    if (from->big && done) exact_merge(to->big, from->big);
    for (int i = 0; done && i < from->count; i++) done = add_double(mem, to, from->part[i]);
    return done;
}

bool merge_column_join(struct mem *mem, struct merge_column *to, size_t row, const struct merge_column *from, size_t i, bool *saturated)
{
    if (from->type != ASSAY_F64) return i >= from->whole.len || merge_column_add(mem, to, row, from->whole.at[i], saturated);
    if (i >= from->real.len || (!from->real.at[i].big && !from->real.at[i].count)) return true;
    struct merge_double *real = real_at(mem, to, row);
    return real && merge_double_join(mem, real, &from->real.at[i]);
}

assay_value merge_column_value(const struct merge_column *c, size_t row)
{
    if (c->type != ASSAY_F64) return row < c->whole.len ? c->whole.at[row] : (assay_value){ 0 };
    if (row >= c->real.len) return (assay_value){ .d = 0 };
    const struct merge_double *d = &c->real.at[row];
    if (d->big) return (assay_value){ .d = exact_value(d->big) };
    if (d->count < 2) return (assay_value){ .d = d->count ? d->part[0] : 0 };
    struct exact x = { .pending = 0 };
    for (int i = 0; i < d->count; i++) exact_add(&x, d->part[i]);
    return (assay_value){ .d = exact_value(&x) };
}
