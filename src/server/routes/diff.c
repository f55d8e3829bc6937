/* diff: functions, lines or contexts of two inputs that differ. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sort.h"
#include "server/routes.h"

static const char *const by_words[] = { "function", "line", "context", NULL };
static const char *const sort_words[] = { "change", "rise", "fall", "before", "after", "name", NULL };
enum { SORT_CHANGE, SORT_RISE, SORT_FALL, SORT_BEFORE, SORT_AFTER, SORT_NAME };
static const char *const which_words[] = { "all", "new", "gone", NULL };
static const uint32_t wants[] = { ASSAY_WANT_SUMS | ASSAY_WANT_ARCS, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES, ASSAY_WANT_TREE };

struct asked {
    unsigned by, sort, which;
    bool normalise, is_not;
    const char *match;
    struct window window;
};

struct making {
    assay_profile *before, *after;
    struct assay_profile_diff_options options;
};

static void free_diff(void *value) { assay_profile_diff_free(value); }

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    assay_profile_diff *d;
    TRY(assay_profile_diff_new(m->before, m->after, &m->options, &d, err));
    to->value = d;
    to->free = free_diff;
    to->bytes = d->count * (sizeof *d->funcs + 32 * d->metric_count) + d->context_count * sizeof *d->contexts;
    return 0;
}

int diff_get(struct request *r, unsigned by, bool normalise, const assay_profile_diff **out, assay_error *err)
{
    struct making m = { .options = { .size = sizeof m.options, .metric = r->state.metric, .by = (enum assay_diff_by)by, .normalise = normalise } };
    struct cached *c;
    if (!r->state.b) FAIL(err, ASSAY_ERR_USAGE, "there is nothing to compare with: the parameter 'b' is missing");
    TRY(request_want(r, r->state.a, r->state.a_count, wants[by], &m.before, err));
    TRY(request_want(r, &r->state.b, 1, wants[by], &m.after, err));
    TRY(request_cached(r, request_text(r, "diff/%u/%d", by, normalise), make, &m, &c, err));
    *out = c->value;
    return 0;
}

/* ---- which rows ---- */

struct ranking {
    const assay_profile_diff *diff;
    unsigned sort;
    bool normalise;
};

static double figure(const assay_profile_diff *d, const assay_value *v, uint32_t row)
{
    return value_double(d->metrics[d->metric].type, v[(size_t)row * d->metric_count + d->metric]);
}

/* What a row gained, as the order of the rows takes it. */
static double gain(const struct ranking *r, uint32_t row)
{
    const assay_profile_diff *d = r->diff;
    const assay_diff_metric *m = &d->metrics[d->metric];
    double before = figure(d, d->before_self, row), after = figure(d, d->after_self, row);
    if (!r->normalise) return after - before;
    return (m->after_total != 0 ? after / m->after_total : 0) - (m->before_total != 0 ? before / m->before_total : 0);
}

static double rank(const struct ranking *r, uint32_t row)
{
    switch (r->sort) {
    case SORT_RISE: return gain(r, row);
    case SORT_FALL: return -gain(r, row);
    case SORT_BEFORE: return figure(r->diff, r->diff->before_self, row);
    default: return figure(r->diff, r->diff->after_self, row);
    }
}

static int compare(const void *x, const void *y, void *arg)
{
    const struct ranking *r = arg;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int c = r->sort == SORT_NAME ? strcmp(r->diff->funcs[i].name, r->diff->funcs[j].name) : ORDER(rank(r, j), rank(r, i));
    return c ? c : ORDER(i, j);
}

static bool is_wanted(const struct asked *a, const assay_diff_func *f)
{
    return a->which == 0 || (a->which == 1 ? f->state == ASSAY_DIFF_NEW : f->state == ASSAY_DIFF_GONE);
}

static int choose(struct request *r, const struct asked *a, const assay_profile_diff *d, uint32_t *rows, uint32_t *count, assay_error *err)
{
    struct matcher *m;
    struct ranking by = { d, a->sort, a->normalise };
    int rc = matcher_new(&m, r, a->match, a->is_not, err);
    *count = 0;
    for (uint32_t i = 0; rc == 0 && i < d->count; i++) {
        rc = cancel_step(i, err);
        if (is_wanted(a, &d->funcs[i]) && matcher_fits(m, slice_of(d->funcs[i].name), slice_of(d->funcs[i].file))) rows[(*count)++] = i;
    }
    matcher_free(m);
    if (rc == 0 && a->sort != SORT_CHANGE) sort_with(rows, *count, sizeof *rows, compare, &by);
    return rc;
}

/* ---- the answer ---- */

static void put_metrics(struct json *j, const assay_profile_diff *d)
{
    static const char *const types[] = { "u64", "i64", "f64" };
    json_key(j, "metric");
    json_text(j, d->metrics[d->metric].name);
    json_key(j, "metrics");
    json_array(j);
    for (size_t k = 0; k < d->metric_count; k++) {
        const assay_diff_metric *m = &d->metrics[k];
        json_object(j);
        json_key(j, "name");
        json_text(j, m->name);
        json_key(j, "unit");
        json_text(j, m->unit);
        json_key(j, "type");
        json_text(j, types[m->type]);
        json_key(j, "before_total");
        json_double(j, m->before_total);
        json_key(j, "after_total");
        json_double(j, m->after_total);
        json_key(j, "is_sum");
        json_bool(j, k < d->first_formula);
        json_end(j);
    }
    json_end(j);
}

static void put_figures(struct request *r, struct sheet *c, const char *name, const assay_profile_diff *d, const assay_value *from, const uint32_t *rows,
                        size_t count)
{
    assay_column *types = arena_alloc(&r->text, (d->metric_count + 1) * sizeof *types);
    if (!types) {
        c->failed = true;
        return;
    }
    for (size_t k = 0; k < d->metric_count; k++) types[k] = (assay_column){ .type = d->metrics[k].type };
    struct figures f = sheet_figures(c, name, types, (uint32_t)d->metric_count, count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < d->metric_count; k++) figures_put(&f, i, k, types[k].type, from[(size_t)rows[i] * d->metric_count + k]);
}

static void put_rows(struct sheet *c, const assay_profile_diff *d, const uint32_t *rows, size_t n)
{
    uint32_t *name = sheet_add(c, "name", COLUMN_U32, n), *file = sheet_add(c, "file", COLUMN_U32, n), *module = sheet_add(c, "module", COLUMN_U32, n);
    uint32_t *line = sheet_add(c, "line", COLUMN_U32, n), *context = sheet_add(c, "context", COLUMN_U32, n);
    uint8_t *state = sheet_add(c, "state", COLUMN_U8, n);
    uint64_t *before = sheet_add(c, "before_calls", COLUMN_U64, n), *after = sheet_add(c, "after_calls", COLUMN_U64, n);
    for (size_t i = 0; i < n && !c->failed; i++) {
        const assay_diff_func *f = &d->funcs[rows[i]];
        name[i] = sheet_name(c, slice_of(f->name));
        file[i] = sheet_name(c, slice_of(f->file));
        module[i] = sheet_name(c, slice_of(f->module));
        line[i] = f->line;
        context[i] = f->context;
        state[i] = f->state;
        before[i] = f->before_calls;
        after[i] = f->after_calls;
    }
}

static int answer(struct request *r, const struct asked *a, const assay_profile_diff *d, const uint32_t *rows, uint32_t count, assay_error *err)
{
    struct sheet c;
    struct window w = a->window;
    const char *more = request_text(r, "--by %s%s -n 0", by_words[a->by], a->normalise ? " --normalise" : "");
    if (!more) return error_memory(err);
    window_cut(&w, count);
    int rc = sheet_begin(&c, &r->mem, "diff", err);
    if (rc == 0) {
        struct json *j = sheet_header(&c);
        put_metrics(j, d);
        json_key(j, "rows");
        json_u64(j, w.count);
        json_key(j, "from");
        json_u64(j, w.from);
        json_key(j, "matching");
        json_u64(j, count);
        json_key(j, "all");
        json_u64(j, d->count);
        json_key(j, "same");
        json_u64(j, d->same);
        state_command(r, j, "diff", more);
        put_rows(&c, d, rows + w.from, (size_t)w.count);
        put_figures(r, &c, "before_self", d, d->before_self, rows + w.from, (size_t)w.count);
        put_figures(r, &c, "after_self", d, d->after_self, rows + w.from, (size_t)w.count);
        put_figures(r, &c, "before_total", d, d->before_total, rows + w.from, (size_t)w.count);
        put_figures(r, &c, "after_total", d, d->after_total, rows + w.from, (size_t)w.count);
        rc = answer_sheet(r, &c, err);
    }
    sheet_done(&c);
    return rc;
}

int route_diff(struct request *r, assay_error *err)
{
    struct asked a = { 0 };
    const assay_profile_diff *d;
    uint32_t count;
    TRY(params_word(&r->params, "by", by_words, &a.by, err));
    TRY(params_word(&r->params, "sort", sort_words, &a.sort, err));
    TRY(params_word(&r->params, "which", which_words, &a.which, err));
    TRY(params_flag(&r->params, "normalise", &a.normalise, err));
    TRY(params_flag(&r->params, "not", &a.is_not, err));
    TRY(params_text(&r->params, "match", &a.match, err));
    TRY(window_take(r, &a.window, err));
    TRY(params_end(&r->params, err));
    TRY(diff_get(r, a.by, a.normalise, &d, err));
    uint32_t *rows = arena_alloc(&r->text, (d->count + 1) * sizeof *rows);
    if (!rows) return error_memory(err);
    TRY(choose(r, &a, d, rows, &count, err));
    return answer(r, &a, d, rows, count, err);
}
