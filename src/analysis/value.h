/* Arithmetic on values of a metric's type: sums saturate, never wrap. */
#ifndef ANALYSIS_VALUE_H
#define ANALYSIS_VALUE_H

#include "assay/model.h"

static inline assay_value value_add(enum assay_type type, assay_value a, assay_value b)
{
    assay_value r;
    switch (type) {
    case ASSAY_U64:
        if (__builtin_add_overflow(a.u, b.u, &r.u)) r.u = UINT64_MAX;
        return r;
    case ASSAY_I64:
        if (__builtin_add_overflow(a.i, b.i, &r.i)) r.i = b.i < 0 ? INT64_MIN : INT64_MAX;
        return r;
    default: r.d = a.d + b.d; return r;
    }
}

static inline double value_double(enum assay_type type, assay_value v)
{
    return type == ASSAY_U64 ? (double)v.u : type == ASSAY_I64 ? (double)v.i : v.d;
}

static inline int value_compare(enum assay_type type, assay_value a, assay_value b)
{
    switch (type) {
    case ASSAY_U64: return (a.u > b.u) - (a.u < b.u);
    case ASSAY_I64: return (a.i > b.i) - (a.i < b.i);
    default: return (a.d > b.d) - (a.d < b.d);
    }
}

#endif
