/* Formulas over metrics: "Ir + 10*L1m + 100*LLm". Numbers, names, + - * / ^ and parentheses; a number before a name or a parenthesis multiplies it, as in
 * Callgrind's files. A name that is no word of letters, digits, '_', '.' and ':' is quoted: 'CPUTIME (sec)' / 2. Functions: min and max of one value or more,
 * abs, sqrt, ln, log (of base 10), floor, ceil; $self(m), $total(m): the row's own cost and that with callees, whichever the column shows; $share(m): what the column
 * shows as a share of the whole.
 *
 * A formula is computed from sums, never summed itself, so that a quotient is one of sums. */
#ifndef ANALYSIS_CORE_FORMULA_H
#define ANALYSIS_CORE_FORMULA_H

#include "assay/model.h"

enum { FORMULA_OPS = 256, FORMULA_DEEPEST = 32 };

/* Which figure of a metric is meant. */
enum formula_of {
    FORMULA_HERE,  /* of the row and column at hand */
    FORMULA_SELF,  /* of the row: its self cost */
    FORMULA_TOTAL, /* of the row: its cost with callees */
    FORMULA_WHOLE  /* of the profile */
};

/* In reverse Polish notation. */
struct formula {
    struct {
        /* '+', '-', '*', '/', '^', '~' (minus one operand), '<' and '>' (the smaller, the larger of two), of one operand 'a'bs, s'q'rt, 'l'n, lo'g', 'f'loor, 'c'eil; 'n' (a
         * number), 'm', 's', 't', '%' (a metric: here, self, total, share) */
        char op;
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

/* NAN = not known. */
typedef double (*formula_value_fn)(void *arg, enum formula_of of, uint32_t metric);
/* NAN where it divides by 0, or has no value otherwise. */
double formula_value(const struct formula *f, formula_value_fn value, void *arg);

/* Whether it only adds metrics up, each times a number: then the values of parts add up to that of the whole, and a share of it makes sense. */
bool formula_is_sum(const struct formula *f);
/* Whether an operation has a metric as its operand. */
static inline bool formula_is_metric(char op) { return op == 'm' || op == 's' || op == 't' || op == '%'; }

/* Formulas that are ready: those that KCachegrind has for Callgrind's events (L1m, L2m, LLm, Bm, CEst), and rates over the events of Callgrind, PAPI, perf and GPUs (IPC,
 * miss rates, ...). NULL = `name` is none of them. */
const char *formula_ready(assay_slice name);

#endif
