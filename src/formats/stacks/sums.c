/* See sums.h. */
#include "formats/stacks/sums.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

bool stack_sums_will_do(const assay_builder *b)
{
    uint32_t enough = ASSAY_WANT_SUMS | ASSAY_WANT_SPARSE | ASSAY_WANT_PAIRS | ASSAY_WANT_COVERAGE, want = assay_builder_want(b);
    return want & ASSAY_WANT_SUMS && !(want & ~enough);
}

int stack_sums_init(struct stack_sums *s, struct mem *mem, assay_builder *b, const assay_metric_id *metrics, unsigned width, uint32_t functions, bool is_real,
                    assay_error *err)
{
    *s = (struct stack_sums){ .mem = mem, .b = b, .width = width, .functions = functions, .is_real = is_real };
    s->stride = 1 + 2 * (size_t)width;
    s->at = mem_zalloc(mem, (size_t)functions + 1, s->stride * sizeof *s->at);
    if (!s->at) return error_memory(err);
    assay_build_graph_metrics(b, metrics, width);
    return assay_builder_failed(b);
}

void stack_sums_done(struct stack_sums *s)
{
    if (s->mem) mem_free(s->mem, s->at, s->at ? ((size_t)s->functions + 1) * s->stride * sizeof *s->at : 0);
}

/* From figures to values, and back to zeros. */
static void take(struct stack_sums *s, int64_t *from, assay_value *to)
{
    for (unsigned k = 0; k < s->width; k++) {
        if (s->is_real)
            to[k].d = (double)from[k];
        else
            to[k].i = from[k];
        from[k] = 0;
    }
}

int stack_sums_book(struct stack_sums *s, assay_stream_id stream, assay_error *err)
{
    SCRATCH(assay_value, values, s->mem, (size_t)s->width + 1);
    if (!values) return error_memory(err);
    for (uint32_t id = 0; id <= s->functions; id++) {
        TRY(cancel_step(id, err));
        int64_t *of = s->at + id * s->stride;
        if (of[0] <= s->booked) continue;
        take(s, of + 1 + s->width, values);
        assay_build_self(s->b, &(struct assay_place){ .stream = stream, .func = { id } }, values, s->width);
        take(s, of + 1, values);
        assay_build_stated(s->b, stream, (assay_func_id){ id }, 0, values, s->width);
    }
    s->booked = s->stack;
    return assay_builder_failed(s->b);
}
