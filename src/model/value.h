/* Arithmetic on a value of a metric's type: sums saturate, never wrap. */
#ifndef MODEL_VALUE_H
#define MODEL_VALUE_H

#include "assay/model.h"
#include "base/order.h"

/* *to + more; false = it saturated. */
static inline bool value_add(enum assay_type type, assay_value *to, assay_value more)
{
    if (type == ASSAY_F64) {
        to->d += more.d;
        return true;
    }
    if (type == ASSAY_I64) {
        if (!__builtin_add_overflow(to->i, more.i, &to->i)) return true;
        to->i = more.i < 0 ? INT64_MIN : INT64_MAX;
        return false;
    }
    if (!__builtin_add_overflow(to->u, more.u, &to->u)) return true;
    to->u = UINT64_MAX;
    return false;
}

/* a - b; integers wrap, because sums that are taken apart may be negative in between. */
static inline assay_value value_minus(enum assay_type type, assay_value a, assay_value b)
{
    return type == ASSAY_F64 ? (assay_value){ .d = a.d - b.d } : (assay_value){ .u = a.u - b.u };
}

/* < 0, 0, > 0; a NaN is equal to everything. */
static inline int value_compare(enum assay_type type, assay_value a, assay_value b)
{
    switch (type) {
    case ASSAY_U64: return ORDER(a.u, b.u);
    case ASSAY_I64: return ORDER(a.i, b.i);
    default: return ORDER(a.d, b.d);
    }
}

static inline double value_double(enum assay_type type, assay_value v) { return type == ASSAY_U64 ? (double)v.u : type == ASSAY_I64 ? (double)v.i : v.d; }

static inline bool value_is_zero(enum assay_type type, assay_value v) { return type == ASSAY_F64 ? !(v.d < 0 || v.d > 0 || v.d != v.d) : v.u == 0; }

#endif
