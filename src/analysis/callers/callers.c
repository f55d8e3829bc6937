/* Callers and callees of functions; see callers.h. */
#include "analysis/callers/callers.h"

#include <stdio.h>
#include <string.h>

#include "analysis/callers/side.h"
#include "analysis/core/top.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/pattern.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/text.h"

int callers_init(struct callers *c, struct mem *mem, const assay_profile *p, const assay_top *top, const struct callers_options *options, assay_error *err)
{
    *c = (struct callers){ .mem = mem, .profile = p, .top = top, .options = *options };
    if (!top->metric_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no metric for calls");
    if (options->arcs)
        c->arcs = arcs_borrow(options->arcs);
    else {
        TRY(arcs_init(&c->arcs, mem, p, top, options->all_metrics ? ARCS_ALL : options->k, err));
        TRY(arcs_list_callees(&c->arcs, err));
    }
    TRY(cycles_init(&c->cycles, mem, &c->arcs, top, options->is_collapsed ? CYCLES_MEMBERS : CYCLES_OWN, err));
    for (int i = 0; top->begin && i < 2; i++)
        if (!(c->whole[i] = mem_zalloc(mem, top->metric_count, sizeof **c->whole))) return error_memory(err);
    if (options->depth <= 1) return 0;
    if (!c->arcs.is_tree) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no call stacks, so callers of callers are unknown");
    return levels_new(&c->levels, c, err);
}

void callers_done(struct callers *c)
{
    levels_free(c->levels, c);
    c->levels = NULL;
    cycles_done(&c->cycles);
    arcs_done(&c->arcs);
    for (int i = 0; i < 2; i++) mem_free(c->mem, c->whole[i], c->whole[i] ? c->top->metric_count * sizeof **c->whole : 0);
}

/* ---- finding ---- */

static assay_slice name_of(const struct callers *c, uint32_t row) { return arcs_name(&c->arcs, c->top->func[row].v); }

static assay_slice second_name(const struct callers *c, uint32_t row)
{
    const struct assay_funcs *f = assay_profile_funcs(c->profile);
    return f->link_name ? assay_profile_string(c->profile, f->link_name[c->top->func[row].v]) : (assay_slice){ NULL, 0 };
}

static bool is_named(const struct callers *c, uint32_t row, const char *text) { return slice_is(name_of(c, row), text) || slice_is(second_name(c, row), text); }

static bool put_found(const struct callers *c, struct callers_found *found, uint32_t row, uint32_t cycle)
{
    struct callers_subject *s = vec_push(c->mem, found);
    if (s) *s = (struct callers_subject){ row, cycle };
    return s != NULL;
}

static bool find_cycles(const struct callers *c, const char *text, struct pattern *pattern, struct callers_found *found)
{
    char name[32];
    for (uint32_t n = 1; c->options.is_collapsed && n <= c->cycles.count; n++) {
        snprintf(name, sizeof name, "<cycle %u>", n);
        bool matches = pattern ? pattern_matches(pattern, slice_of(name)) : strcmp(name, text) == 0;
        if (matches && !put_found(c, found, 0, n)) return false;
    }
    return true;
}

static bool find_rows(const struct callers *c, const char *text, struct pattern *pattern, const uint32_t *order, struct callers_found *found)
{
    for (uint32_t i = 0; i < c->top->count; i++) {
        bool matches = pattern ? pattern_matches(pattern, name_of(c, order[i])) : is_named(c, order[i], text);
        if (matches && !put_found(c, found, order[i], 0)) return false;
    }
    return true;
}

static int find_fitting(const struct callers *c, const char *text, const uint32_t *order, struct callers_found *found, assay_error *err)
{
    struct pattern *pattern;
    TRY(pattern_new(&pattern, text, c->mem, err));
    bool has_room = find_cycles(c, text, pattern, found) && find_rows(c, text, pattern, order, found) && !pattern_lacked_memory(pattern);
    pattern_free(pattern);
    return has_room ? 0 : error_memory(err);
}

int callers_find(const struct callers *c, const char *text, struct callers_found *found, assay_error *err)
{
    SCRATCH(uint32_t, order, c->mem, (size_t)c->top->count + 1);
    if (!order) return error_memory(err);
    assay_top_order(c->profile, c->top, ASSAY_SORT_TOTAL, c->options.k, order);
    if (!find_cycles(c, text, NULL, found) || !find_rows(c, text, NULL, order, found)) return error_memory(err);
    return found->len ? 0 : find_fitting(c, text, order, found, err);
}

assay_slice callers_nearest(const struct callers *c, const char *text)
{
    size_t len = strlen(text);
    unsigned limit = len < 4 ? 1 : len < 8 ? 2 : 3, best = limit + 1;
    assay_slice nearest = { NULL, 0 };
    for (uint32_t row = 0; row < c->top->count && best; row++) {
        assay_slice name = name_of(c, row);
        if (!name.len || memchr(name.data, 0, name.len)) continue;
        unsigned distance = text_distance(text, name.data, limit);
        if (distance >= best) continue;
        best = distance;
        nearest = name;
    }
    return nearest;
}

/* ---- one block ---- */

static uint32_t cycle_of(const struct callers *c, uint32_t func) { return c->cycles.of[func]; }

static int add_arc(struct side *s, uint32_t arc, bool is_caller, assay_error *err)
{
    const struct arcs *a = &s->c->arcs;
    uint32_t caller = arcs_caller(a, arc), callee = arcs_callee(a, arc);
    struct side_call call = { .func = is_caller ? caller : callee, .calls = arcs_calls(a, arc), .source = arc, .is_counted = true };
    call.file = a->file ? a->file[arc].v : 0;
    call.line = a->line ? a->line[arc] : 0;
    call.contexts = a->contexts ? a->contexts[arc] : 0;
    call.is_recursion = caller == callee;
    call.is_inside = cycle_of(s->c, caller) && cycle_of(s->c, caller) == cycle_of(s->c, callee);
    return side_add(s, &call) ? 0 : error_memory(err);
}

static int add_arcs(struct side *s, uint32_t func, bool is_caller, bool outside_only, assay_error *err)
{
    const struct arcs *a = &s->c->arcs;
    const struct arc_list *l = is_caller ? &a->by_callee : &a->by_caller;
    for (uint32_t i = l->start[func]; i < l->start[func + 1]; i++) {
        TRY(cancel_step(i, err));
        uint32_t arc = l->arc[i];
        if (outside_only && cycle_of(s->c, arcs_caller(a, arc)) == cycle_of(s->c, arcs_callee(a, arc))) continue;
        TRY(add_arc(s, arc, is_caller, err));
    }
    return 0;
}

static int gather(struct side *s, struct callers_subject subject, bool is_caller, assay_error *err)
{
    const struct callers *c = s->c;
    if (subject.cycle) {
        for (uint32_t func = 1; func < c->arcs.funcs; func++) {
            TRY(cancel_step(func, err));
            if (c->cycles.of[func] == subject.cycle) TRY(add_arcs(s, func, is_caller, true, err));
        }
        return 0;
    }
    uint32_t func = c->top->func[subject.row].v;
    if (!c->levels) return add_arcs(s, func, is_caller, false, err);
    return is_caller ? levels_callers(c->levels, func, s, err) : levels_callees(c->levels, func, s, err);
}

static int make_side(struct callers_side *out, const struct callers *c, struct callers_subject subject, bool is_caller, assay_error *err)
{
    SCOPED(side_done) struct side s;
    side_init(&s, c);
    TRY(gather(&s, subject, is_caller, err));
    return side_finish(&s, out, err);
}

int callers_block_init(struct callers_block *b, const struct callers *c, struct callers_subject subject, assay_error *err)
{
    *b = (struct callers_block){ .subject = subject };
    TRY(make_side(&b->callers, c, subject, true, err));
    return make_side(&b->callees, c, subject, false, err);
}

static void side_free(struct callers_side *s, const struct callers *c)
{
    size_t cells = s->len * c->top->metric_count;
    mem_free(c->mem, s->rows, s->len * sizeof *s->rows);
    mem_free(c->mem, s->total, cells * sizeof *s->total);
    mem_free(c->mem, s->recursive, cells * sizeof *s->recursive);
    mem_free(c->mem, s->rest, s->rest ? ((size_t)c->top->metric_count + 1) * sizeof *s->rest : 0);
    *s = (struct callers_side){ 0 };
}

void callers_block_done(struct callers_block *b, const struct callers *c)
{
    side_free(&b->callers, c);
    side_free(&b->callees, c);
}

/* ---- figures ---- */

/* A row of `top`, whole. */
static const assay_value *row_of(const struct callers *c, const assay_value *column, uint32_t row, assay_value *whole)
{
    if (!whole) return column + (size_t)row * c->top->metric_count;
    for (uint32_t k = 0; k < c->top->metric_count; k++) whole[k] = top_cell(c->top, column, row, k);
    return whole;
}

const assay_value *callers_self(const struct callers *c, struct callers_subject s)
{
    return s.cycle ? c->cycles.self + (size_t)s.cycle * c->top->metric_count : row_of(c, c->top->self, s.row, c->whole[0]);
}

const assay_value *callers_total(const struct callers *c, struct callers_subject s)
{
    size_t width = c->top->metric_count;
    if (s.cycle) return c->cycles.total + s.cycle * width;
    return c->cycles.member_total ? c->cycles.member_total + s.row * width : row_of(c, c->top->total, s.row, c->whole[1]);
}

uint64_t callers_calls(const struct callers *c, struct callers_subject s) { return s.cycle ? c->cycles.calls[s.cycle] : c->top->calls[s.row]; }
