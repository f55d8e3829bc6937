/* Self and total of functions straight from stacks: for those who want no more, such as `top`, a tree of millions of contexts need not be made. A function that
 * calls itself counts once for each stack, as in a tree.
 *
 *     if (stack_sums_will_do(b) && ...) stack_sums_init(&s, mem, b, metrics, width, functions, err);
 *     for each stack: stack_sums_leaf(&s, leaf, values); for each of its frames, the leaf included: stack_sums_frame(&s, func, values);
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
    unsigned width;         /* figures of a stack */
    uint32_t functions;     /* the largest number of one */
    uint64_t *stack_of;     /* by function: number of the last stack that has it */
    int64_t *self, *total;  /* by function, `width` each */
    uint64_t stack, booked; /* the number at hand, and the last one that is booked */
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
    s->stack++;
    for (unsigned k = 0; k < s->width; k++) s->self[(size_t)func * s->width + k] += values[k];
}

static inline void stack_sums_frame(struct stack_sums *s, uint32_t func, const int64_t *values)
{
    if (s->stack_of[func] == s->stack) return;
    s->stack_of[func] = s->stack;
    for (unsigned k = 0; k < s->width; k++) s->total[(size_t)func * s->width + k] += values[k];
}

#endif
