/* Formulas of computed metrics, "100*#2/#1", as default.yaml has them: {"/": [{"*": [100, *A]}, *B]}. */
#ifndef FORMATS_HPCDB_FORMULA_H
#define FORMATS_HPCDB_FORMULA_H

#include "base/arena.h"
#include "base/error.h"

/* The text that stands for metric k (from 0); {NULL, 0} = it has none here, or no memory. */
typedef assay_slice (*formula_metric_fn)(void *arg, uint64_t k);

/* Numbers, #k, + - * / ^, unary minus, min(), max(), sqrt(), parentheses. *out is from the arena; {NULL, 0} = it makes no sense, names a metric that has no
 * text, or is longer than anybody writes. Errors: MEMORY. */
int hpcdb_formula(struct arena *arena, assay_slice formula, formula_metric_fn metric, void *arg, assay_slice *out, assay_error *err);

#endif
