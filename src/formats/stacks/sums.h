/* Self and total of functions straight from stacks: for those who want no more, such as `top`, a tree of millions of contexts need not be made. A function that
 * calls itself counts once for each stack, as in a tree.
 *
 *     if (stack_sums_will_do(b) && ...) stack_sums_init(&s, mem, b, metrics, width, functions, err);
 *     for each stack: stack_sums_leaf(&s, leaf, values), and for its frames, the leaf included, stack_sums_frame or stack_sums_frames
 *     stack_sums_book(&s, stream, err);
 *
 * Figures are whole numbers, of which the caller has made sure that they do not add up to 2^63, or 2^53 where the metric is of doubles: otherwise the tree
 * has to say what they come to. */
#ifndef FORMATS_STACKS_SUMS_H
#define FORMATS_STACKS_SUMS_H

#include "assay/build.h"
#include "base/mem.h"

struct stack_sums {
    struct mem *mem;
    assay_builder *b;
    unsigned width;        /* figures of a stack */
    uint32_t functions;    /* the largest number of one */
    size_t stride;         /* of a function in `at` */
    int64_t *at;           /* by function: number of the last stack that has it, totals, selves */
    int64_t stack, booked; /* the number at hand, and the last one that is booked */
    bool is_real;
};

/* Is nothing wanted that needs contexts? */
bool stack_sums_will_do(const assay_builder *b);
/* The metrics are those of the figures; `is_real`: they are of doubles. Functions have the builder's numbers, up to `functions`. 0 or MEMORY;
 * stack_sums_done is due in either case. */
int stack_sums_init(struct stack_sums *s, struct mem *mem, assay_builder *b, const assay_metric_id *metrics, unsigned width, uint32_t functions, bool is_real,
                    assay_error *err);
void stack_sums_done(struct stack_sums *s);
/* Gives the builder what the stacks since the last call add up to, for one stream. */
int stack_sums_book(struct stack_sums *s, assay_stream_id stream, assay_error *err);

/* Begins a stack with its leaf. */
static inline void stack_sums_leaf(struct stack_sums *s, uint32_t func, const int64_t *values)
{
    int64_t *self = s->at + func * s->stride + 1 + s->width;
    s->stack++;
    for (unsigned k = 0; k < s->width; k++) self[k] += values[k];
}

static inline void stack_sums_frame(struct stack_sums *s, uint32_t func, const int64_t *values)
{
    int64_t *of = s->at + func * s->stride;
    if (of[0] == s->stack) return;
    of[0] = s->stack;
    of[1] += values[0];
    for (unsigned k = 1; k < s->width; k++) of[1 + k] += values[k];
}

/* The same for many at once; most profiles have one figure. */
static inline void stack_sums_frames(struct stack_sums *s, const uint32_t *funcs, size_t count, const int64_t *values)
{
    int64_t *at = s->at, stack = s->stack, value = values[0];
    for (size_t i = 0; i < count && s->width != 1; i++) stack_sums_frame(s, funcs[i], values);
    if (s->width != 1) return;
    for (size_t i = 0; i < count; i++) {
        int64_t *of = at + (size_t)funcs[i] * 3;
        of[1] += of[0] == stack ? 0 : value;
        of[0] = stack;
    }
}

#endif
