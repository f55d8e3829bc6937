/* assay_table: functions, groups of them, or lines in their order, with the columns that were asked for. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/core/cycles.h"
#include "analysis/core/top.h"
#include "analysis/core/top_addresses.h"
#include "analysis/core/top_columns.h"
#include "analysis/results/result.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"
#include "base/slice.h"

struct table_result {
    assay_table pub; /* first, so that an assay_table * is a struct table_result * */
    struct result base;
    struct top_lines lines;   /* it may own the profile whose ids lines have */
    assay_profile *addresses; /* whose functions rows are, or NULL */
};

/* What a table is made of. */
struct making {
    struct table_result *r;
    const struct assay_table_options *o;
    const assay_profile *profile;
    assay_top *top, *collapsed;
    const assay_top *shown; /* one of the two */
    uint32_t functions;     /* rows after so many are cycles */
    bool has_groups, has_totals, has_cycles;
    struct top_groups groups;
    struct top_columns columns;
    struct result_columns figures;
    struct arcs arcs;
    struct cycles cycles;
    uint32_t *order;
};

struct rows {
    assay_slice *name;
    assay_func_id *func;
    assay_file_id *file;
    assay_module_id *module;
    uint32_t *line, *cycle, *members;
    uint64_t *calls;
    assay_value *self, *total;
};

/* ---- rows ---- */

static int make_rows(struct making *m, struct rows *w, size_t count, assay_error *err)
{
    bool failed = false;
    struct result *base = &m->r->base;
    assay_table *t = &m->r->pub;
    size_t cells;
    if (!size_mul(&cells, count, m->figures.count)) return error_memory(err);
    t->name = w->name = result_array(base, count, sizeof *w->name, &failed);
    t->func = w->func = result_array(base, count, sizeof *w->func, &failed);
    t->file = w->file = result_array(base, count, sizeof *w->file, &failed);
    t->module = w->module = result_array(base, count, sizeof *w->module, &failed);
    t->line = w->line = result_array(base, count, sizeof *w->line, &failed);
    t->cycle = w->cycle = result_array(base, count, sizeof *w->cycle, &failed);
    t->members = w->members = result_array(base, count, sizeof *w->members, &failed);
    t->calls = w->calls = result_array(base, count, sizeof *w->calls, &failed);
    t->self = w->self = result_array(base, cells, sizeof *w->self, &failed);
    w->total = m->has_totals ? result_array(base, cells, sizeof *w->total, &failed) : NULL;
    t->total = w->total;
    return failed ? error_memory(err) : 0;
}

static void put_function(const struct making *m, const struct rows *w, uint32_t at, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(m->profile);
    w->func[at] = (assay_func_id){ func };
    w->name[at] = assay_profile_string(m->profile, f->name[func]);
    if (f->file) w->file[at] = f->file[func];
    if (f->first_line) w->line[at] = f->first_line[func];
    if (f->module) w->module[at] = f->module[func];
}

static int put_cycle(const struct making *m, const struct rows *w, uint32_t at, uint32_t cycle, assay_error *err)
{
    char name[32];
    int len = snprintf(name, sizeof name, "<cycle %u>", cycle);
    w->cycle[at] = cycle;
    w->members[at] = m->cycles.members[cycle];
    w->name[at] = (assay_slice){ arena_copy(&m->r->base.arena, slice_of(name)), (size_t)len };
    return w->name[at].data ? 0 : error_memory(err);
}

static int put_row(const struct making *m, const struct rows *w, uint32_t at, uint32_t row, assay_error *err)
{
    const struct top_lines *lines = m->o->by == ASSAY_TABLE_BY_LINE ? &m->r->lines : NULL;
    uint32_t func = m->shown->func[row].v;
    w->calls[at] = m->shown->calls[row];
    struct metric_row self = top_columns_both(&m->columns, row, TOP_SELF), total = top_columns_both(&m->columns, row, TOP_TOTAL);
    if (m->figures.count) result_put_row(&m->figures, w->self, at, &self);
    if (m->figures.count && w->total) result_put_row(&m->figures, w->total, at, &total);
    if (row >= m->functions) return put_cycle(m, w, at, row - m->functions + 1, err);
    if (m->has_groups) {
        w->name[at] = m->groups.name[func];
        return 0;
    }
    if (func || !lines) put_function(m, w, at, func);
    if (lines) {
        w->file[at] = lines->file.at[row];
        w->line[at] = lines->line.at[row];
    }
    if (m->has_cycles) w->cycle[at] = m->cycles.of[func];
    return 0;
}

/* ---- what there is ---- */

static int choose_rows(struct making *m, assay_error *err)
{
    static const enum top_by kinds[] = { [ASSAY_TABLE_BY_FILE] = TOP_BY_FILE,
                                         [ASSAY_TABLE_BY_DIRECTORY] = TOP_BY_DIRECTORY,
                                         [ASSAY_TABLE_BY_MODULE] = TOP_BY_MODULE,
                                         [ASSAY_TABLE_BY_CLASS] = TOP_BY_CLASS };
    struct mem *mem = &m->r->base.mem;
    m->has_totals = true;
    if (m->o->by == ASSAY_TABLE_BY_FUNCTION) return top_groups_table(m->profile, NULL, &m->top, err);
    if (m->o->cycles) FAIL(err, ASSAY_ERR_USAGE, "cycles are of functions, not of groups or lines");
    if (m->o->by == ASSAY_TABLE_BY_LINE) {
        TRY(top_lines_init(&m->r->lines, m->profile, mem, &m->top, err));
        m->profile = line_costs_profile(&m->r->lines.costs);
        m->has_totals = m->r->lines.costs.has_totals;
    } else if (m->o->by == ASSAY_TABLE_BY_ADDRESS) {
        TRY(top_addresses_profile(m->profile, mem->limit, &m->r->addresses, err));
        m->profile = m->r->addresses;
        m->has_totals = false;
        TRY(top_groups_table(m->profile, NULL, &m->top, err));
    } else {
        TRY(top_groups_init(&m->groups, m->profile, kinds[m->o->by], m->o->depth, mem, err));
        m->has_groups = true;
        TRY(top_groups_table(m->profile, &m->groups, &m->top, err));
        m->has_totals = m->groups.has_totals;
    }
    if (m->o->sort == ASSAY_SORT_TOTAL && !m->has_totals) FAIL(err, ASSAY_ERR_USAGE, "the total of such a row is not known; sort by self");
    return 0;
}

/* Who is in which cycle, where recursion does not count once. */
static int find_cycles(struct making *m, assay_error *err)
{
    const struct assay_graph *g = assay_profile_graph(m->profile);
    struct mem *mem = &m->r->base.mem;
    bool is_exact = !(assay_profile_shapes(m->profile) & ASSAY_SHAPE_GRAPH) || g->keeps_recursion || g->knows_nesting;
    m->functions = m->top->count;
    if (m->o->by != ASSAY_TABLE_BY_FUNCTION || is_exact) return 0;
    m->has_cycles = true;
    TRY(arcs_init(&m->arcs, mem, m->profile, m->top, m->columns.set.count ? metric_columns_key(&m->columns.set) : 0, err));
    TRY(cycles_init(&m->cycles, mem, &m->arcs, m->top, m->o->cycles ? CYCLES_MEMBERS : CYCLES_NONE, err));
    if (!m->o->cycles || !m->cycles.count) return 0;
    TRY(cycles_collapse(&m->cycles, m->top, &m->collapsed, err));
    m->shown = m->collapsed;
    return 0;
}

static int choose_columns(struct making *m, assay_error *err)
{
    struct result *base = &m->r->base;
    m->columns = (struct top_columns){ .set = { .profile = m->profile, .mem = &base->mem }, .top = m->top };
    if (!m->top->metric_count && !base->metric) return 0;
    TRY(top_columns_init(&m->columns, &base->mem, m->profile, m->top, base->metric, err));
    TRY(result_columns_init(&m->figures, base, &m->columns.set, err));
    if (base->metric) m->figures.key = 0; /* a table can be sorted by a formula */
    return 0;
}

static int put_table(struct making *m, assay_error *err)
{
    struct rows w = { 0 };
    assay_table *t = &m->r->pub;
    enum assay_sort sort = m->figures.count || m->o->sort == ASSAY_SORT_NAME ? m->o->sort : ASSAY_SORT_CALLS;
    uint32_t count = m->shown->count;
    TRY(top_columns_compute(&m->columns, m->shown, err));
    bool is_short = m->o->limit && !(m->o->least > 0 && m->figures.count);
    TRY(top_columns_order(&m->columns, sort, is_short ? (size_t)m->o->limit : count, m->order, err));
    if (m->o->least > 0 && m->figures.count) count = top_columns_keep(&m->columns, sort, m->o->least, m->order);
    if (m->o->limit && count > m->o->limit) count = (uint32_t)m->o->limit;
    TRY(make_rows(m, &w, count, err));
    for (uint32_t i = 0; i < count; i++) {
        TRY(cancel_step(i, err));
        TRY(put_row(m, &w, i, m->order[i], err));
    }
    t->profile = m->profile;
    t->count = count;
    t->left_out = m->shown->count - count;
    t->column_count = m->figures.count;
    t->columns = m->figures.at;
    t->key = m->figures.key;
    return 0;
}

static int fill(struct making *m, assay_error *err)
{
    TRY(choose_rows(m, err));
    m->shown = m->top;
    TRY(choose_columns(m, err));
    TRY(find_cycles(m, err));
    SCRATCH(uint32_t, order, &m->r->base.mem, (size_t)m->shown->count + 1);
    m->order = order;
    return order ? put_table(m, err) : error_memory(err);
}

static void making_done(struct making *m)
{
    top_columns_done(&m->columns);
    assay_top_free(m->collapsed);
    cycles_done(&m->cycles);
    arcs_done(&m->arcs);
    assay_top_free(m->top);
    top_groups_done(&m->groups);
}

int assay_table_new(const assay_profile *p, const struct assay_table_options *options, assay_table **out, assay_error *err)
{
    assay_error local;
    struct assay_table_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    if (o.by > ASSAY_TABLE_BY_ADDRESS || o.sort > ASSAY_SORT_NAME) FAIL(err, ASSAY_ERR_USAGE, "no such rows or order of a table");
    struct table_result *r = calloc(1, sizeof *r);
    if (!r) return error_memory(err);
    struct making m = { .r = r, .o = &o };
    int rc = result_init(&r->base, p, o.metric, err);
    m.profile = r->base.profile;
    if (rc == 0) rc = fill(&m, err);
    making_done(&m);
    rc = cancel_end(rc, err);
    if (rc == 0)
        *out = &r->pub;
    else
        assay_table_free(&r->pub);
    return rc;
}

void assay_table_free(assay_table *table)
{
    struct table_result *r = (struct table_result *)table;
    if (!r) return;
    top_lines_done(&r->lines);
    assay_profile_release(r->addresses);
    result_done(&r->base);
    free(r);
}
