/* Formulas over metrics: "Ir + 10*L1m + 100*LLm". Numbers, names, + - * / and parentheses; a number before a name or a parenthesis multiplies it, as in
 * Callgrind's files. A name that is no word of letters, digits, '_', '.' and ':' is quoted: 'CPUTIME (sec)' / 2.
 *
 * A formula is computed from sums, never summed itself, so that a quotient is one of sums. */
#ifndef ANALYSIS_CORE_FORMULA_H
#define ANALYSIS_CORE_FORMULA_H

#include "assay/model.h"

enum { FORMULA_OPS = 256, FORMULA_DEEPEST = 32 };

/* In reverse Polish notation. */
struct formula {
    struct {
        char op; /* '+', '-', '*', '/', '~' (minus one operand), 'n' (a number), 'm' (a metric) */
        double number;
        uint32_t metric;
    } ops[FORMULA_OPS];
    uint32_t count;
};

/* What a name stands for: metric number `metric`; or, where `text` is set, a formula. */
struct formula_name {
    uint32_t metric;
    const char *text;
};
/* `is_nested`: within a formula that stands for a name. Errors: those of the names. */
typedef int (*formula_name_fn)(void *arg, assay_slice name, bool is_nested, struct formula_name *out, assay_error *err);

/* Errors: USAGE (the sentence says what is wrong and where), those of `names`. Formulas that stand for names may use others, to a small depth. */
int formula_parse(struct formula *f, assay_slice text, formula_name_fn names, void *arg, assay_error *err);

typedef double (*formula_value_fn)(void *arg, uint32_t metric);
/* NAN where it divides by 0. */
double formula_value(const struct formula *f, formula_value_fn value, void *arg);

/* Whether it only adds metrics up, each times a number: then the values of parts add up to that of the whole, and a share of it makes sense. */
bool formula_is_sum(const struct formula *f);

/* The formulas that KCachegrind has ready for Callgrind's events: L1m, L2m, LLm, Bm, CEst. NULL = `name` is none of them. */
const char *formula_ready(assay_slice name);

#endif
