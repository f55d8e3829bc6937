/* Sums of functions (sums.h) -> builder: what is used gets its rows in the order of the text, figures come when a part ends. */
#include "base/error.h"
#include "formats/callgrind/read.h"
#include "model/tables.h"

/* ---- what is used ---- */

/* A row without figures: rows are in the order of first use. */
static void reach_row(struct cg_reader *r, uint32_t func)
{
    struct assay_place at = { .stream = r->stream, .func = cg_reader_func(r, func, true) };
    assay_build_self(r->b, &at, NULL, 0);
}

static void note_line(struct cg_reader *r, uint32_t func)
{
    struct cg_known *k = &r->funcs.at[func];
    if (func < r->funcs.len && !k->has_line) assay_build_func_lines(r->b, (assay_func_id){ k->id }, r->sums.own.at[r->sums.funcs.at[func].own].first_line, 0);
    if (func < r->funcs.len) k->has_line = true;
}

/* Tells the builder what is used for the first time. */
static int tell(struct cg_reader *r)
{
    struct cg_sums *s = &r->sums;
    if (s->told == s->uses.len) return 0;
    for (; s->told < s->uses.len; s->told++) {
        const struct cg_use *use = &s->uses.at[s->told];
        switch (use->kind) {
        case CG_USE_FUNC: reach_row(r, use->id); break;
        case CG_USE_FILE: cg_reader_file(r, use->id, true); break;
        case CG_USE_SITE: cg_reader_file(r, use->id, false); break;
        case CG_USE_LINE: note_line(r, use->id); break;
        case CG_USE_ITEM: break;
        }
    }
    return assay_builder_failed(r->b);
}

int cg_reader_sum_lines(struct cg_reader *r)
{
    TRY(cg_sum_lines(&r->d, &r->sums));
    return tell(r);
}

/* ---- figures ---- */

static void book_called(struct cg_reader *r, uint32_t func, struct cg_called *called)
{
    const struct assay_place outside = { .stream = r->stream };
    const assay_value cost = { .i = called->cost };
    if (called->calls) assay_build_call(r->b, &outside, cg_reader_func(r, func, true), called->calls, &cost, 1);
    *called = (struct cg_called){ 0 };
}

static void book_own(struct cg_reader *r, uint32_t func, struct cg_own *own)
{
    assay_func_id id = cg_reader_func(r, func, true);
    const struct assay_place at = { .stream = r->stream, .func = id };
    const assay_value self = { .i = own->self }, out = { .i = own->out }, recursive = { .i = own->recursive };
    if (own->self) assay_build_self(r->b, &at, &self, 1);
    if (own->out) assay_build_call(r->b, &at, (assay_func_id){ 0 }, 0, &out, 1);
    if (own->calls_recursive) assay_build_call(r->b, &at, id, own->calls_recursive, &recursive, 1);
    own->self = own->out = own->recursive = 0;
    own->calls_recursive = 0;
}

static void book_targets(struct cg_reader *r)
{
    struct cg_sums *s = &r->sums;
    for (size_t i = 0; i < s->aimed.len; i++) {
        struct cg_target *t = &s->targets.at[s->aimed.at[i]];
        if (!cg_sums_add_called(s, t->func, &t->called)) book_called(r, t->func, &t->called);
        t->called = (struct cg_called){ 0 };
    }
}

/* Books all that is summed up. */
static int book_all(struct cg_reader *r)
{
    struct cg_sums *s = &r->sums;
    TRY(tell(r));
    book_targets(r);
    for (size_t i = 0; i < s->uses.len; i++) {
        if (i % 4096 == 0) TRY(assay_builder_failed(r->b));
        if (s->uses.at[i].kind != CG_USE_FUNC) continue;
        uint32_t func = s->uses.at[i].id;
        struct cg_summed *f = &s->funcs.at[func];
        if (f->own) book_own(r, func, &s->own.at[f->own]);
        book_called(r, func, &f->called);
    }
    r->calls += s->calls;
    r->call_records += s->call_records;
    r->cost_records += s->cost_records;
    s->calls = s->call_records = s->cost_records = 0;
    return assay_builder_failed(r->b);
}

/* Pairs of functions come from the edges then, and not from the builder. */
void cg_reader_sums_begin(struct cg_reader *r)
{
    const struct cg_decoder *d = &r->d;
    uint32_t want = assay_builder_want(r->b);
    bool is_summed = (want & ASSAY_WANT_GRAPH) == ASSAY_WANT_SUMS && !r->strict && !r->is_mapped && !d->is_xdebug && !d->has_bare_calls && d->event_count == 1;
    r->sums.is_on = is_summed;
    r->sums.wants_edges = want & ASSAY_WANT_COUNTS || (is_summed && want & ASSAY_WANT_PAIRS);
    assay_build_pairs(r->b, !cg_blocks_know_nesting(r) && !is_summed);
}

int cg_reader_sums_end(struct cg_reader *r)
{
    TRY(book_all(r));
    cg_sums_begin(&r->sums);
    r->sums.is_on = false;
    return 0;
}

/* What a run has, without what calls itself; numbers of functions become ids. Returns how many there are. */
static uint32_t ids_of_run(struct cg_reader *r, size_t run)
{
    const struct cg_edges *e = &r->sums.edges;
    uint32_t caller = e->runs.at[run].caller, *to = e->callees.at + e->runs.at[run].begin, count = 0;
    for (size_t i = e->runs.at[run].begin; i < cg_run_end(e, run); i++) {
        uint32_t callee = e->callees.at[i];
        if (callee != caller) to[count++] = r->has_other_ids ? cg_reader_func(r, callee, true).v : callee;
    }
    return count;
}

int cg_reader_put_pairs(struct cg_reader *r)
{
    const struct cg_edges *e = &r->sums.edges;
    bool is_alone = pairs_are_none(r->b);
    cg_edges_tidy(&r->sums.edges);
    if (!(assay_builder_want(r->b) & ASSAY_WANT_PAIRS) || cg_blocks_know_nesting(r)) return 0;
    for (size_t run = 0; run < e->runs.len; run++) {
        uint32_t count = ids_of_run(r, run);
        pairs_put(r->b, cg_reader_func(r, e->runs.at[run].caller, true), e->callees.at + e->runs.at[run].begin, count, is_alone);
        if (run % 4096 == 0) TRY(assay_builder_failed(r->b));
    }
    return assay_builder_failed(r->b);
}

/* ---- pieces ---- */

static int take_func(struct cg_reader *r, struct cg_apart *p, uint32_t func, assay_error *err)
{
    struct cg_sums *s = &r->sums;
    uint32_t id = cg_apart_func(&r->aparts, p, func);
    if (id && id < s->funcs.len && s->funcs.at[id].is_used) return 0;
    return id && cg_sums_use(s, CG_USE_FUNC, id, r->d.funcs.len) ? 0 : error_memory(err);
}

static int take_file(struct cg_reader *r, const struct cg_apart *p, enum cg_use_kind kind, uint32_t name, assay_error *err)
{
    uint32_t file = p->names.at[name];
    return cg_sums_used_file(&r->sums, kind, file) || cg_sums_use(&r->sums, kind, file, 0) ? 0 : error_memory(err);
}

/* The first line of a function, as the piece has it. */
static int take_line(struct cg_reader *r, const struct cg_apart *p, uint32_t func, assay_error *err)
{
    struct cg_sums *s = &r->sums;
    uint32_t id = p->funcs.at[func];
    if (id < r->funcs.len && r->funcs.at[id].has_line) return 0;
    uint32_t own = cg_sums_own(s, id);
    if (!own) return error_memory(err);
    if (s->own.at[own].has_line) return 0;
    s->own.at[own].has_line = true;
    s->own.at[own].first_line = p->sums.own.at[p->sums.funcs.at[func].own].first_line;
    return cg_sums_use(s, CG_USE_LINE, id, 0) ? 0 : error_memory(err);
}

static inline int take_use(struct cg_reader *r, struct cg_apart *p, const struct cg_use *use, assay_error *err)
{
    switch (use->kind) {
    case CG_USE_FUNC: return take_func(r, p, use->id, err);
    case CG_USE_FILE:
    case CG_USE_SITE: return take_file(r, p, use->kind, use->id, err);
    case CG_USE_LINE: return take_line(r, p, use->id, err);
    case CG_USE_ITEM: break;
    }
    TRY(tell(r));
    return cg_reader_take_item(r, p, use->id, err);
}

/* Adds the sums of a function of the piece; false = no memory */
static inline bool add_func(struct cg_reader *r, struct cg_apart *p, uint32_t func)
{
    struct cg_summed *from = &p->sums.funcs.at[func];
    uint32_t id = p->funcs.at[func], own = from->own ? cg_sums_own(&r->sums, id) : 0;
    if (from->own && !own) return false;
    if (from->called.calls && !cg_sums_add_called(&r->sums, id, &from->called)) book_called(r, id, &from->called);
    if (own && !cg_sums_add_own(&r->sums.own.at[own], &p->sums.own.at[from->own])) book_own(r, id, &p->sums.own.at[from->own]);
    return true;
}

int cg_reader_take_sums(struct cg_reader *r, struct cg_apart *p, assay_error *err)
{
    for (size_t i = 0; i < p->sums.uses.len; i++) {
        TRY(take_use(r, p, &p->sums.uses.at[i], err));
        if (i % 4096 == 0) TRY(assay_builder_failed(r->b));
    }
    TRY(tell(r));
    for (uint32_t func = 1; func < p->sums.funcs.len; func++)
        if (p->sums.funcs.at[func].is_used && !add_func(r, p, func)) return error_memory(err);
    r->sums.calls += p->sums.calls;
    r->sums.call_records += p->sums.call_records;
    r->sums.cost_records += p->sums.cost_records;
    return 0;
}
