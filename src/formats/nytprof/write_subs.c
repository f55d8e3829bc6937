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

/* How much more its arcs hold than the function has; 0 = no more than rounding explains. */
static double held_beyond(const struct nytprof_out_sub *s)
{
    double more = s->held - s->self;
    return fabs(more) > 1e-9 * fmax(s->held, s->self) ? more : 0;
}

/* Arcs that do not say what is the callee's own, or say more than there is (calls inside others of the same function), get a share by inclusive time. */
static bool is_shared(const struct nytprof_writer *w, const struct nytprof_out_sub *s)
{
    return !w->graph->arc_self || (!w->is_own && s->self > 0 && held_beyond(s) > 0);
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
    if (is_shared(w, s)) {
        double weight = s->weight > 0 ? call.incl / s->weight : s->calls ? (double)count / (double)s->calls : 0;
        call.excl = s->self * weight;
    }
    if (caller == callee && (!g->arc_self || (g->knows_nesting && !g->arc_recursive))) {
        call.reci = call.incl;
        call.incl = 0;
        if (!call.depth) call.depth = 1;
    }
    put_call(w, call, count);
}

static void put_outside(struct nytprof_writer *w, uint32_t f, double incl, double excl, uint64_t times)
{
    struct nytprof_call call = { .has_caller = true, .caller = plain(SLICE("main::RUNTIME")), .called = plain(w->subs[f].name), .incl = incl, .excl = excl };
    call.fid = w->fid[ID(w->funcs->file, f)];
    call.line = w->subs[f].first ? w->subs[f].first : 1;
    put_call(w, call, times);
}

/* What the arcs of a function do not hold. Only once, however many streams it is in: its arcs were added up over all of them. */
static void put_rest(struct nytprof_writer *w, uint32_t f, double total, uint64_t times)
{
    struct nytprof_out_sub *s = &w->subs[f];
    double rest = w->graph->arc_self ? -held_beyond(s) : 0;
    if (!(rest > 0)) return;
    put_outside(w, f, fmax(rest, total - s->weight), rest, times > s->calls ? times - s->calls : 0);
    s->held = s->self;
}

/* Functions that nobody calls are called by the program, and what is left of those whose arcs do not hold all of them. */
static void put_roots(struct nytprof_writer *w, assay_stream_id stream)
{
    const struct assay_graph *g = w->graph;
    for (uint32_t i = 0; i < g->sum_count; i++) {
        uint32_t f = g->sum_func[i].v;
        uint64_t times = nytprof_times_entered(g, i);
        if (ID(g->sum_stream, i) != stream.v) continue;
        double self = arc_value(w, g->sum_self, i), total = self + arc_value(w, g->sum_out, i);
        if (g->has_stated && g->has_stated[i]) total = arc_value(w, g->stated_total, i);
        if (AT(g->sum_calls, i) || nytprof_is_uncounted(&w->subs[f])) {
            put_rest(w, f, total, times);
            continue;
        }
        if (self == 0 && total == 0 && !times) continue;
        put_outside(w, f, total, self, times ? times : 1);
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
