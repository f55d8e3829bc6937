/* Functions, lines and contexts of two profiles, side by side; see profile.h. */
#include <string.h>

#include "analysis/core/function.h"
#include "analysis/core/line_cost.h"
#include "analysis/diff/paths.h"
#include "analysis/diff/profile.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

/* ---- functions ---- */

static bool make_key(struct differ *d, int side, uint32_t func, struct diff_key *out)
{
    const assay_profile *p = d->p[side];
    const struct assay_funcs *f = assay_profile_funcs(p);
    bool by_place = AT(f->flags, func) & ASSAY_FUNC_BY_PLACE;
    *out = (struct diff_key){ .name = diff_name(d, function_name_plain(assay_profile_string(p, f->name[func]))),
                              .file = d->files[side][ID(f->file, func)],
                              .module = d->modules[side][ID(f->module, func)],
                              .line = by_place ? AT(f->first_line, func) : 0,
                              .column = by_place ? AT(f->first_column, func) : 0 };
    return out->name != 0;
}

static bool name_function(struct differ *d, const assay_profile *p, uint32_t row, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    bool failed = false;
    assay_diff_func *at = diff_unnamed(d, row, &failed);
    if (!at) return !failed;
    *at = (assay_diff_func){ .name = diff_copy(d, p, f->name[func].v),
                             .file = diff_copy(d, p, ID(assay_profile_files(p)->path, ID(f->file, func))),
                             .module = diff_copy(d, p, ID(assay_profile_modules(p)->path, ID(f->module, func))),
                             .line = AT(f->first_line, func) };
    return at->name && at->file && at->module;
}

static int take_functions(struct differ *d, int side, const assay_top *t, uint32_t *rows)
{
    for (uint32_t i = 0; i < t->count; i++) {
        TRY(cancel_step(i, d->err));
        struct diff_key key;
        uint32_t row = rows[i] = make_key(d, side, t->func[i].v, &key) ? diff_row(d, &key) : UINT32_MAX;
        if (row == UINT32_MAX || !name_function(d, d->p[side], row, t->func[i].v)) return error_memory(d->err);
        diff_add_calls(d, side, row, t->calls[i]);
    }
    return 0;
}

/* Adds what one side has of a metric of the result. */
static void take_column(struct differ *d, int side, const assay_top *t, const uint32_t *rows, size_t column)
{
    const uint64_t *begin = t->begin;
    uint32_t count = t->count, width = t->metric_count;
    for (uint32_t k = 0; k < width; k++) {
        if (d->side[side].column[k] != column) continue;
        for (uint32_t i = 0; i < count; i++) {
            if (begin && k >= begin[i + 1] - begin[i]) continue;
            size_t at = (begin ? (size_t)begin[i] : (size_t)i * width) + k;
            /* what is 0 adds nothing, and is most of it */
            if (t->self[at].u) diff_add(d, side, rows[i], SELF, k, t->self[at]);
            if (t->total[at].u) diff_add(d, side, rows[i], TOTAL, k, t->total[at]);
        }
    }
}

static int take_columns(struct differ *d, assay_top **top, uint32_t *const *rows)
{
    for (size_t k = 0; k < d->metric_count; k++) {
        if (!diff_keeps(d, k)) TRY(diff_begin_metric(d, k));
        for (int side = AFTER; side >= BEFORE; side--) take_column(d, side, top[side], rows[side], k);
        if (!diff_keeps(d, k)) diff_end_metric(d, k);
    }
    return 0;
}

static int fill_functions(struct differ *d, assay_top **top, uint32_t **rows)
{
    for (int side = 0; side < SIDES; side++) {
        TRY(assay_top_new(d->p[side], &top[side], d->err));
        d->side[side] = (struct diff_side){ .profile = d->p[side], .metrics = top[side]->metrics, .count = top[side]->metric_count };
    }
    TRY(diff_take_metrics(d));
    TRY(diff_make_tables(d, (size_t)top[BEFORE]->count + top[AFTER]->count));
    for (int side = AFTER; side >= BEFORE; side--) {
        rows[side] = mem_zalloc(&d->out->mem, top[side]->count, sizeof **rows);
        if (!rows[side]) return error_memory(d->err);
        TRY(take_functions(d, side, top[side], rows[side]));
    }
    return take_columns(d, top, rows);
}

int diff_by_function(struct differ *d)
{
    assay_top *top[SIDES] = { NULL, NULL };
    uint32_t *rows[SIDES] = { NULL, NULL };
    int rc = fill_functions(d, top, rows);
    for (int side = 0; side < SIDES; side++) {
        mem_free(&d->out->mem, rows[side], rows[side] ? top[side]->count * sizeof **rows : 0);
        assay_top_free(top[side]);
    }
    return rc;
}

/* ---- lines ---- */

static bool name_line(struct differ *d, const assay_profile *p, uint32_t row, const char **path, uint32_t file, uint32_t line)
{
    bool failed = false;
    assay_diff_func *at = diff_unnamed(d, row, &failed);
    if (!at) return !failed;
    if (!*path) *path = diff_copy(d, p, ID(assay_profile_files(p)->path, file));
    *at = (assay_diff_func){ .name = "", .file = *path, .module = "", .line = line };
    return *path != NULL;
}

static int take_file(struct differ *d, int side, struct line_costs *t, uint32_t file)
{
    const char *path = NULL;
    struct diff_key key = { .file = d->files[side][file] };
    TRY(line_costs_file(t, file, d->err));
    for (size_t i = 0; i < t->rows.len; i++) {
        TRY(cancel_step(i, d->err));
        key.line = t->rows.at[i].line;
        uint32_t row = diff_row(d, &key);
        if (row == UINT32_MAX || !name_line(d, d->p[side], row, &path, file, key.line)) return error_memory(d->err);
        diff_add_calls(d, side, row, t->rows.at[i].calls);
        for (uint32_t k = 0; k < t->self.len; k++) {
            diff_add(d, side, row, SELF, k, line_value(&t->self, k, i));
            diff_add(d, side, row, TOTAL, k, line_value(t->has_totals ? &t->total : &t->self, k, i));
        }
    }
    return 0;
}

static int take_lines(struct differ *d, int side, struct line_costs *t)
{
    for (uint32_t file = 0; file <= t->files; file++)
        if (line_costs_has(t, file)) TRY(take_file(d, side, t, file));
    return 0;
}

static int fill_lines(struct differ *d, struct line_costs *t)
{
    size_t rows = 0;
    for (int side = 0; side < SIDES; side++) {
        TRY(line_costs_init(&t[side], d->p[side], &d->out->mem, d->err));
        if (!t[side].block) FAIL(d->err, ASSAY_ERR_UNSUPPORTED, "the %s profile has no data about source lines", side == BEFORE ? "first" : "second");
        d->side[side] = (struct diff_side){ .profile = line_costs_profile(&t[side]), .metrics = t[side].block->metrics, .count = t[side].block->metric_count };
        rows += (size_t)t[side].line_table.places.count + t[side].cost_table.places.count + t[side].arc_table.places.count;
    }
    TRY(diff_take_metrics(d));
    TRY(diff_make_tables(d, rows));
    TRY(take_lines(d, AFTER, &t[AFTER]));
    return take_lines(d, BEFORE, &t[BEFORE]);
}

int diff_by_line(struct differ *d)
{
    struct line_costs t[SIDES] = { 0 };
    int rc = fill_lines(d, t);
    for (int side = 0; side < SIDES; side++) line_costs_done(&t[side]);
    return rc;
}

/* ---- contexts ---- */

struct contexts {
    VEC(assay_metric_id) metrics[SIDES]; /* that the trees carry */
    struct paths paths[SIDES];
    struct paths_diff both;
};

static int list_metrics(struct differ *d, struct contexts *c, int side)
{
    const struct assay_metrics *m = assay_profile_metrics(d->p[side]);
    for (uint32_t id = 1; id <= m->count; id++) {
        TRY(cancel_step(id, d->err));
        if ((m->shapes && !(m->shapes[id] & ASSAY_SHAPE_TREE)) || ID(m->formula, id)) continue;
        assay_metric_id *slot = vec_push(&d->out->mem, &c->metrics[side]);
        if (!slot) return error_memory(d->err);
        slot->v = id;
    }
    d->side[side] = (struct diff_side){ .profile = d->p[side], .metrics = c->metrics[side].at, .count = (uint32_t)c->metrics[side].len };
    return 0;
}

/* The number of a metric of the result on one side; UINT32_MAX = the side does not have it. */
static uint32_t number_of(const struct diff_side *s, size_t column)
{
    uint32_t k = 0;
    while (k < s->count && s->column[k] != column) k++;
    return k < s->count ? k : UINT32_MAX;
}

/* Contexts of a side with nothing in them: it does not have the metric. */
static bool empty(struct paths *p, enum assay_type type)
{
    size_t len = p->rows.len;
    sums_done(&p->self);
    sums_done(&p->total);
    p->type = type;
    return sums_init(&p->self, p->mem, type, len) && sums_init(&p->total, p->mem, type, len);
}

static int load_paths(struct differ *d, struct contexts *c, size_t column)
{
    uint32_t k[SIDES];
    for (int side = 0; side < SIDES; side++) {
        k[side] = number_of(&d->side[side], column);
        assay_metric_id metric = k[side] == UINT32_MAX ? (assay_metric_id){ 0 } : d->side[side].metrics[k[side]];
        TRY(paths_init(&c->paths[side], &d->out->mem, d->p[side], metric, d->err));
    }
    for (int side = 0; side < SIDES; side++)
        if (k[side] == UINT32_MAX && !empty(&c->paths[side], c->paths[1 - side].type)) return error_memory(d->err);
    return paths_diff_init(&c->both, &d->out->mem, &c->paths[BEFORE], &c->paths[AFTER], &(struct paths_diff_options){ .by = PATHS_AFTER }, d->err);
}

/* Rows are numbered alike for every metric: names and order of contexts decide. */
static int name_contexts(struct differ *d, struct paths_diff *both)
{
    struct diff *out = d->out;
    TRY(diff_make_tables(d, both->len));
    for (uint32_t row = 0; row < both->len; row++) {
        TRY(cancel_step(row, d->err));
        assay_diff_context *c = vec_push(&out->mem, &out->contexts);
        assay_diff_func *f = row ? vec_push(&out->mem, &out->funcs) : NULL;
        if (!c || (row && !f)) return error_memory(d->err);
        *c = (assay_diff_context){ paths_diff_name(both, row).data, both->shown.rows.at[row].parent };
        if (!row) continue;
        *f = (assay_diff_func){ .name = c->name, .file = "", .module = "", .context = row };
        d->seen[row - 1] = both->sides[row];
        d->calls[BEFORE][row - 1] = both->calls[PATHS_BEFORE][row];
        d->calls[AFTER][row - 1] = both->calls[PATHS_AFTER][row];
    }
    /* The names stay with the result. */
    intern_done(&out->context_names);
    out->context_names = both->names;
    intern_init(&both->names, &out->mem);
    return 0;
}

static int take_metric(struct differ *d, struct contexts *c, size_t column)
{
    TRY(load_paths(d, c, column));
    if (!d->out->contexts.len) TRY(name_contexts(d, &c->both));
    for (uint32_t row = 1; row < c->both.len; row++)
        for (int side = 0; side < SIDES; side++) {
            sums_add_sum(&d->sums[side][SELF][column], row - 1, &c->both.self[side], row);
            sums_add_sum(&d->sums[side][TOTAL][column], row - 1, &c->both.total[side], row);
        }
    return 0;
}

static void drop_paths(struct contexts *c)
{
    if (c->both.mem) paths_diff_done(&c->both);
    for (int side = 0; side < SIDES; side++)
        if (c->paths[side].mem) paths_done(&c->paths[side]);
    c->both = (struct paths_diff){ 0 };
    memset(c->paths, 0, sizeof c->paths);
}

int diff_by_context(struct differ *d)
{
    SCOPED(drop_paths) struct contexts c = { 0 };
    vec_scoped(&d->out->mem, &c.metrics[BEFORE]);
    vec_scoped(&d->out->mem, &c.metrics[AFTER]);
    for (int side = 0; side < SIDES; side++) {
        TRY(list_metrics(d, &c, side));
        if (!assay_profile_tree(d->p[side])->count)
            FAIL(d->err, ASSAY_ERR_UNSUPPORTED, "the %s profile has no call stacks", side == BEFORE ? "first" : "second");
    }
    TRY(diff_take_metrics(d));
    if (!d->out->metrics.len) FAIL(d->err, ASSAY_ERR_UNSUPPORTED, "the profiles have no metric for call stacks");
    for (size_t column = 0; column < d->out->first_formula; column++) {
        TRY(take_metric(d, &c, column));
        drop_paths(&c);
    }
    return 0;
}
