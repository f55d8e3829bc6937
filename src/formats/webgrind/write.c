/* A sealed profile -> a webgrind file of version 5, 6 or 7; version 4 is in write_v4.c. Call records are kept by caller, callee and line,
 * without the key faults of the original writers (docs/formats/webgrind.md). */
#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/webgrind/format.h"
#include "formats/webgrind/plan.h"

/* Calls sorted by one of their ends, in the order of first use. */
struct by_function {
    uint32_t *begin; /* by record, one more than there are */
    uint32_t *call;
};

struct writer {
    struct webgrind_plan *plan;
    struct webgrind_function *functions;
    struct webgrind_call *calls; /* `owner` is the caller, `function` the callee */
    struct by_function from, to; /* to = the calls it makes */
};

static int sort_calls(struct writer *w, struct by_function *list, bool by_caller, assay_error *err)
{
    size_t functions = w->plan->functions.len, calls = w->plan->calls.len;
    /* Counted two places ahead, so that filling the list leaves the begins where they belong. */
    uint32_t *next = list->begin + 1;
    for (size_t i = 0; i < calls && !cancel_at(i); i++) list->begin[(by_caller ? w->calls[i].owner : w->calls[i].function) + 2]++;
    for (size_t i = 2; i < functions + 2; i++) list->begin[i] += list->begin[i - 1];
    for (size_t i = 0; i < calls && !cancel_at(i); i++) list->call[next[by_caller ? w->calls[i].owner : w->calls[i].function]++] = (uint32_t)i;
    return cancel_end(0, err);
}

static uint32_t list_len(const struct by_function *list, size_t record) { return list->begin[record + 1] - list->begin[record]; }

static uint64_t invocations(const struct webgrind_plan_function *f)
{
    if (f->entered) return f->entered;
    if (f->is_stated) return f->stated;
    return f->incoming ? f->incoming : 1;
}

/* Rounds and cuts every figure; inclusive costs are sums of what is written, so that readers can check them. */
static int fill(struct writer *w, assay_error *err)
{
    struct webgrind_plan *plan = w->plan;
    SCRATCH(assay_wide, out, plan->mem, plan->functions.len);
    if (!out) return error_memory(err);
    for (size_t i = 0; i < plan->calls.len; i++) {
        const struct webgrind_plan_call *c = &plan->calls.at[i];
        assay_wide cost = webgrind_plan_whole(plan, c->total);
        out[c->caller] = wide_add(out[c->caller], cost);
        w->calls[i] = (struct webgrind_call){ .owner = c->caller,
                                              .function = c->callee,
                                              .line = c->line,
                                              .count = webgrind_plan_u32(plan, (assay_wide){ c->calls, 0 }, c->callee),
                                              .cost = webgrind_plan_u32(plan, cost, c->callee) };
    }
    for (uint32_t i = 0; i < plan->functions.len; i++) {
        const struct webgrind_plan_function *from = &plan->functions.at[i];
        struct webgrind_function *f = &w->functions[i];
        assay_wide self = webgrind_plan_whole(plan, from->self);
        f->file = from->file;
        f->name = from->name;
        f->fields[WEBGRIND_LINE] = from->line;
        f->fields[WEBGRIND_SELF] = webgrind_plan_u32(plan, self, i);
        f->fields[WEBGRIND_INCLUSIVE] = webgrind_plan_u32(plan, wide_add(self, out[i]), i);
        f->fields[WEBGRIND_INVOCATIONS] = webgrind_plan_u32(plan, (assay_wide){ invocations(from), 0 }, i);
    }
    return 0;
}

static void put_function(const struct writer *w, size_t i, struct output *out)
{
    const struct webgrind_function *f = &w->functions[i];
    webgrind_put_fields(out, w->plan->layout, f);
    for (uint32_t k = 0; k < f->fields[WEBGRIND_CALLED_FROM]; k++) {
        struct webgrind_call c = w->calls[w->from.call[w->from.begin[i] + k]];
        c.function = c.owner;
        webgrind_put_call(out, &c);
    }
    for (uint32_t k = 0; w->plan->layout->has_sub_calls && k < f->fields[WEBGRIND_SUB_CALLS]; k++)
        webgrind_put_call(out, &w->calls[w->to.call[w->to.begin[i] + k]]);
    webgrind_put_names(out, f);
}

static int write_file(struct writer *w, struct output *out, assay_error *err)
{
    struct webgrind_plan *plan = w->plan;
    struct webgrind_head head;
    TRY(fill(w, err));
    TRY(sort_calls(w, &w->from, false, err));
    TRY(sort_calls(w, &w->to, true, err));
    for (size_t i = 0; i < plan->functions.len; i++) {
        w->functions[i].fields[WEBGRIND_CALLED_FROM] = list_len(&w->from, i);
        w->functions[i].fields[WEBGRIND_SUB_CALLS] = list_len(&w->to, i);
    }
    TRY(webgrind_plan_sizes(plan, w->functions, 0, &head, err));
    webgrind_plan_losses(plan);
    TRY(losses_settle(plan->job, err));
    webgrind_plan_start(plan, w->functions, &head, out);
    for (size_t i = 0; i < plan->functions.len; i++) put_function(w, i, out);
    webgrind_plan_headers(plan, out);
    return 0;
}

static int write_graph(struct webgrind_plan *plan, struct output *out, assay_error *err)
{
    if (assay_profile_funcs(plan->p)->count && !(assay_profile_shapes(plan->p) & ASSAY_SHAPE_GRAPH))
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "webgrind holds functions and their calls, which this profile does not have");
    TRY(webgrind_plan_graph(plan, err));
    size_t function_count = plan->functions.len, call_count = plan->calls.len;
    SCRATCH(struct webgrind_function, functions, plan->mem, function_count);
    SCRATCH(struct webgrind_call, calls, plan->mem, call_count);
    SCRATCH(uint32_t, from_begin, plan->mem, function_count + 2);
    SCRATCH(uint32_t, from, plan->mem, call_count);
    SCRATCH(uint32_t, to_begin, plan->mem, function_count + 2);
    SCRATCH(uint32_t, to, plan->mem, call_count);
    struct writer w = { plan, functions, calls, { from_begin, from }, { to_begin, to } };
    return functions && calls && from_begin && from && to_begin && to ? write_file(&w, out, err) : error_memory(err);
}

int webgrind_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    SCOPED(webgrind_plan_done) struct webgrind_plan plan = { 0 };
    TRY(webgrind_plan_init(&plan, p, job, err));
    return plan.layout->has_invocations ? webgrind_write_v4(&plan, out, err) : write_graph(&plan, out, err);
}
