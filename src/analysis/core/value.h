/* Many sums of one metric at once. Integers saturate; doubles carry the error of each addition along, which doubles the digits, so that
 * the order of the additions does not show in the result. */
#ifndef ANALYSIS_CORE_VALUE_H
#define ANALYSIS_CORE_VALUE_H

#include <math.h>

#include "base/mem.h"
#include "model/value.h"

struct sums {
    struct mem *mem;
    size_t len;
    enum assay_type type;
    assay_value *at;
    double *error; /* doubles only */
};

static inline void sums_done(struct sums *s)
{
    mem_free(s->mem, s->at, s->at ? s->len * sizeof *s->at : 0);
    mem_free(s->mem, s->error, s->error ? s->len * sizeof *s->error : 0);
    *s = (struct sums){ 0 };
}

/* false = no memory: nothing is kept, and sums_done may be called or not. */
static inline bool sums_init(struct sums *s, struct mem *mem, enum assay_type type, size_t len)
{
    *s = (struct sums){ .mem = mem, .len = len, .type = type };
    s->at = mem_zalloc(mem, len, sizeof *s->at);
    if (s->at && type == ASSAY_F64) s->error = mem_zalloc(mem, len, sizeof *s->error);
    if (s->at && (type != ASSAY_F64 || s->error)) return true;
    sums_done(s);
    return false;
}

static inline void sums_set_zero(struct sums *s, size_t i)
{
    s->at[i] = (assay_value){ 0 };
    if (s->error && s->error[i] != 0) s->error[i] = 0;
}

static inline void sums_clear(struct sums *s)
{
    for (size_t i = 0; i < s->len; i++) sums_set_zero(s, i);
}

static inline void sums_add(struct sums *s, size_t i, assay_value v)
{
    if (s->type != ASSAY_F64) {
        value_add(s->type, &s->at[i], v);
        return;
    }
    /* Knuth's two-sum: a + b = sum + error, exactly */
    double a = s->at[i].d, b = v.d, sum = a + b, part = sum - a;
    s->at[i].d = sum;
    double lost = (a - (sum - part)) + (b - part);
    if (lost != 0) s->error[i] += lost; /* mostly nothing is: large tables then stay untouched */
}

/* Nothing that could be added; a double that is -0 is not. */
static inline bool sums_is_zero(const struct sums *s, size_t i) { return s->at[i].u == 0 && !(s->error && s->error[i] != 0); }

/* Adds another sum, its error included. */
static inline void sums_add_sum(struct sums *s, size_t i, const struct sums *from, size_t j)
{
    double error = from->error ? from->error[j] : 0;
    sums_add(s, i, from->at[j]);
    if (error != 0) s->error[i] += error; /* doubles only, and mostly nothing */
}

static inline assay_value sums_value(const struct sums *s, size_t i)
{
    assay_value v = s->at[i];
    /* an infinite sum has no error that means anything */
    if (s->type == ASSAY_F64 && isfinite(v.d)) v.d += s->error[i];
    return v;
}

#endif
