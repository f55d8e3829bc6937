/* Subs and call sites of a profile -> SUB_INFO and SUB_CALLERS; see write.h. A sub's exclusive time lives at its call sites: where the profile
 * has it by function only, each site gets its share by inclusive time; functions that nobody calls are called from the top of the program. */
#include <math.h>

#include "formats/nytprof/write.h"

static struct nytprof_text plain(assay_slice s) { return (struct nytprof_text){ s, false }; }

static bool is_internal(const struct nytprof_writer *w, uint32_t f)
{
    uint8_t kind = AT(w->funcs->kind, f);
    return kind == ASSAY_FUNC_INTERNAL || kind == ASSAY_FUNC_OPCODE;
}

/* ---- SUB_INFO ---- */

void nytprof_put_subs(struct nytprof_writer *w)
{
    for (uint32_t f = 1; f <= w->funcs->count; f++) {
        uint32_t file = ID(w->funcs->file, f);
        const struct nytprof_out_sub *s = &w->subs[f];
        if (AT(w->funcs->kind, f) == ASSAY_FUNC_PLACEHOLDER && !s->calls) continue;
        if (!file && (w->is_own || is_internal(w, f))) continue;
        struct nytprof_record r = { .tag = NYTPROF_SUB_INFO, .sub = { w->fid[file], s->first, s->last, plain(s->name) } };
        nytprof_encode(w->e, &r);
    }
}

/* ---- SUB_CALLERS ---- */

/* The first record of an xsub or operation says that it is one. */
static void put_mark(struct nytprof_writer *w, uint32_t f)
{
    struct nytprof_record r = { .tag = NYTPROF_SUB_CALLERS, .call = { .has_caller = true, .caller = plain(SLICE("")), .called = plain(w->subs[f].name) } };
    nytprof_encode(w->e, &r);
}

/* Counts of more than 32 bits take several records: they add up. */
static void put_call(struct nytprof_writer *w, struct nytprof_call call, uint64_t count)
{
    struct nytprof_record r = { .tag = NYTPROF_SUB_CALLERS };
    if (count > w->most_calls) count = w->most_calls;
    do {
        call.count = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
        count -= call.count;
        r.call = call;
        nytprof_encode(w->e, &r);
        call.incl = call.excl = call.reci = 0;
    } while (count);
}

static double arc_value(const struct nytprof_writer *w, const assay_value *column, uint32_t i)
{
    return column ? nytprof_number(w->graph_type, column[(size_t)i * w->graph->block.metric_count + w->graph_k]) * w->to_seconds : 0;
}

/* A site that is not known stands at the first line of its caller, or of the program. */
static void place(const struct nytprof_writer *w, uint32_t i, struct nytprof_call *call)
{
    const struct assay_graph *g = w->graph;
    uint32_t file = ID(g->arc_file, i), line = AT(g->arc_line, i), caller = ID(g->arc_caller, i);
    if (!file && caller) file = ID(w->funcs->file, caller);
    if (!line && caller) line = w->subs[caller].first;
    call->fid = w->fid[file];
    call->line = line ? line : 1;
}

static void put_arc(struct nytprof_writer *w, uint32_t i)
{
    const struct assay_graph *g = w->graph;
    uint32_t callee = g->arc_callee[i].v, caller = ID(g->arc_caller, i);
    uint64_t count = g->arc_calls[i];
    struct nytprof_out_sub *s = &w->subs[callee];
    struct nytprof_call call = { .has_caller = true, .called = plain(s->name), .depth = AT(g->arc_depth, i) };
    call.caller = plain(caller ? w->subs[caller].name : SLICE("main::RUNTIME"));
    place(w, i, &call);
    call.incl = arc_value(w, g->arc_total, i);
    call.excl = arc_value(w, g->arc_self, i);
    call.reci = arc_value(w, g->arc_recursive, i);
    if (!g->arc_self) {
        double weight = s->weight > 0 ? call.incl / s->weight : s->calls ? (double)count / (double)s->calls : 0;
        call.excl = s->self * weight;
        if (caller == callee) {
            call.reci = call.incl;
            call.incl = 0;
            if (!call.depth) call.depth = 1;
        }
    }
    put_call(w, call, count);
}

/* Functions that nobody calls are called by the program. */
static void put_roots(struct nytprof_writer *w, assay_stream_id stream)
{
    const struct assay_graph *g = w->graph;
    for (uint32_t i = 0; i < g->sum_count; i++) {
        uint32_t f = g->sum_func[i].v;
        uint64_t times = nytprof_times_entered(g, i);
        if (AT(g->sum_calls, i) || nytprof_is_uncounted(&w->subs[f]) || ID(g->sum_stream, i) != stream.v) continue;
        double self = arc_value(w, g->sum_self, i), total = self + arc_value(w, g->sum_out, i);
        if (g->has_stated && g->has_stated[i]) total = arc_value(w, g->stated_total, i);
        if (self == 0 && total == 0 && !times) continue;
        struct nytprof_call call = {
            .has_caller = true, .caller = plain(SLICE("main::RUNTIME")), .called = plain(w->subs[f].name), .incl = total, .excl = self
        };
        call.fid = w->fid[ID(w->funcs->file, f)];
        call.line = w->subs[f].first ? w->subs[f].first : 1;
        put_call(w, call, times ? times : 1);
    }
}

void nytprof_put_marks(struct nytprof_writer *w)
{
    for (uint32_t f = 1; f <= w->funcs->count; f++)
        if (is_internal(w, f)) put_mark(w, f);
}

void nytprof_put_calls(struct nytprof_writer *w, assay_stream_id stream, bool all)
{
    const struct assay_graph *g = w->graph;
    for (uint32_t i = 0; i < g->arc_count; i++)
        if (all || ID(g->arc_stream, i) == stream.v) put_arc(w, i);
    if (!w->is_own) put_roots(w, stream);
}
