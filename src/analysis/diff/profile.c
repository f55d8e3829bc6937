/* How two profiles differ: the table of both, what changed, and the gate; see profile.h and assay/diff.h. */
#include "analysis/diff/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/core/units.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/options.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "model/entry.h"

/* ---- metrics ---- */

static double total_of(const assay_profile *p, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    return m->total_double ? m->total_double[metric] : 0;
}

static size_t find_metric(const struct diff *d, assay_slice name)
{
    size_t k = 0;
    while (k < d->metrics.len && !slice_is(name, d->metrics.at[k].name)) k++;
    return k;
}

/* ---- units ---- */

static assay_slice name_of(const struct diff_side *s, uint32_t number)
{
    return assay_profile_string(s->profile, assay_profile_metrics(s->profile)->name[s->metrics[number].v]);
}

/* "Time_(10ns)" and "CPUTIME (sec)" without the unit, for there may be the same metric in another. */
static assay_slice without_unit(assay_slice name)
{
    char unit[UNITS_TEXT];
    units_in_name(name, unit);
    size_t tail = strlen(unit) + 3;
    bool is_at_end = units_time(slice_of(unit)) > 0 && name.len > tail && name.data[name.len - 1] == ')';
    return is_at_end ? (assay_slice){ name.data, name.len - tail } : name;
}

/* The column of the second profile that has the same time in another unit; metrics.len = none. */
static size_t find_time(const struct differ *d, assay_slice name, bool is_time)
{
    const struct diff_side *after = &d->side[AFTER];
    for (uint32_t i = 0; is_time && i < after->count; i++)
        if (units_ns(after->profile, after->metrics[i]) > 0 && slice_equal(without_unit(name_of(after, i)), without_unit(name))) return after->column[i];
    return d->out->metrics.len;
}

/* How many of the second profile's unit of column k one of the first's is. */
static int find_scale(struct differ *d, uint32_t number, size_t k)
{
    const struct diff_side *before = &d->side[BEFORE], *after = &d->side[AFTER];
    uint32_t i = 0;
    while (i < after->count && after->column[i] != k) i++;
    if (i == after->count) return 0;
    double mine = units_ns(before->profile, before->metrics[number]), its = units_ns(after->profile, after->metrics[i]);
    assay_slice x = slice_of(units_name(before->profile, before->metrics[number])), y = slice_of(units_name(after->profile, after->metrics[i]));
    bool is_same = mine > 0 && its > 0 ? mine == its : slice_equal(x, y) || (units_is_count(x) && units_is_count(y));
    if (is_same) return 0;
    if (!(mine > 0 && its > 0) || d->options->by == ASSAY_DIFF_BY_CONTEXT)
        FAIL(d->err, ASSAY_ERR_UNSUPPORTED, "the metric '%.80s' is in %s in the first profile and in %s in the second", d->out->metrics.at[k].name,
             x.len ? x.data : "no unit", y.len ? y.data : "no unit");
    before->scale[number] = mine / its;
    d->out->metrics.at[k].type = ASSAY_F64;
    return 0;
}

/* "CPUTIME (sec), PAPI_TOT_INS" */
static const char *list_metrics(struct differ *d, int side)
{
    struct diff_side *s = &d->side[side];
    char list[200] = "";
    for (uint32_t i = 0; i < s->count; i++) {
        assay_slice name = name_of(s, i);
        size_t used = strlen(list);
        if (used + name.len + 8 < sizeof list)
            snprintf(list + used, sizeof list - used, "%s%.*s", used ? ", " : "", (int)name.len, name.data ? name.data : "");
        else {
            snprintf(list + used, sizeof list - used, ", ...");
            break;
        }
    }
    return arena_copy(&d->scratch, slice_of(list));
}

static int refuse_strangers(struct differ *d)
{
    bool is_any = !d->side[BEFORE].count || !d->side[AFTER].count;
    for (size_t k = 0; k < d->out->metrics.len; k++) is_any |= d->out->metrics.at[k].is_before && d->out->metrics.at[k].is_after;
    if (is_any) return 0;
    const char *before = list_metrics(d, BEFORE), *after = list_metrics(d, AFTER);
    if (!before || !after) return error_memory(d->err);
    FAIL(d->err, ASSAY_ERR_UNSUPPORTED, "the profiles have no metric in common: the first has %s, the second %s", before, after);
}

static int take_metric(struct differ *d, int side, uint32_t number)
{
    struct diff_side *from = &d->side[side];
    const struct assay_metrics *m = assay_profile_metrics(from->profile);
    uint32_t id = from->metrics[number].v;
    assay_slice name = assay_profile_string(from->profile, m->name[id]), unit = assay_profile_string(from->profile, (assay_str_id){ ID(m->unit, id) });
    size_t k = find_metric(d->out, name);
    if (side == BEFORE && k == d->out->metrics.len) k = find_time(d, name, units_ns(from->profile, from->metrics[number]) > 0);
    from->scale[number] = 1;
    enum assay_type type = (enum assay_type)AT(m->type, id);
    bool is_new = k == d->out->metrics.len;
    assay_diff_metric *at = is_new ? vec_push(&d->out->mem, &d->out->metrics) : &d->out->metrics.at[k];
    if (!at) return error_memory(d->err);
    if (is_new) *at = (assay_diff_metric){ arena_copy(&d->out->text, name), arena_copy(&d->out->text, unit.data ? unit : SLICE("")), type, false, false, 0, 0 };
    if (!at->name || !at->unit) return error_memory(d->err);
    if (at->type != type) at->type = ASSAY_F64;
    if (side == AFTER) {
        at->is_after = true;
        at->after_total = total_of(from->profile, id);
    } else {
        at->is_before = true;
        TRY(find_scale(d, number, k));
        at->before_total = total_of(from->profile, id) * from->scale[number];
    }
    from->column[number] = (uint32_t)k;
    return 0;
}

int diff_take_metrics(struct differ *d)
{
    for (int side = AFTER; side >= BEFORE; side--) {
        struct diff_side *from = &d->side[side];
        from->column = mem_zalloc(&d->out->mem, from->count, sizeof *from->column);
        from->scale = mem_zalloc(&d->out->mem, from->count, sizeof *from->scale);
        if (!from->column || !from->scale) return error_memory(d->err);
        for (uint32_t i = 0; i < from->count; i++) TRY(take_metric(d, side, i));
    }
    TRY(refuse_strangers(d));
    return diff_choose_columns(d);
}

/* ---- rows ---- */

uint32_t diff_name(struct differ *d, assay_slice s) { return intern_put(&d->names, s.data ? s : SLICE("")); }

static bool same_key(const struct diff_key *a, const struct diff_key *b)
{
    return a->name == b->name && a->file == b->file && a->module == b->module && a->line == b->line && a->column == b->column;
}

uint32_t diff_row(struct differ *d, const struct diff_key *key)
{
    uint64_t hash = hash_mix(hash_mix(key->name, key->file), hash_mix(key->module, (uint64_t)key->line << 32 | key->column));
    for (struct index_walk w = index_walk(&d->index, hash); index_next(&d->index, &w);)
        if (same_key(&d->keys.at[w.id - 1], key)) return w.id - 1;
    struct diff_key *slot = vec_push(&d->out->mem, &d->keys);
    if (!slot) return UINT32_MAX;
    *slot = *key;
    return index_add(&d->index, hash, (uint32_t)d->keys.len) ? (uint32_t)d->keys.len - 1 : UINT32_MAX;
}

const char *diff_copy(struct differ *d, const assay_profile *p, uint32_t string)
{
    assay_slice s = assay_profile_string(p, (assay_str_id){ string });
    return arena_copy(&d->out->text, s.data ? s : SLICE(""));
}

assay_diff_func *diff_unnamed(struct differ *d, uint32_t row, bool *failed)
{
    if (row == d->out->funcs.len) {
        assay_diff_func *made = vec_push(&d->out->mem, &d->out->funcs);
        *failed = !made;
        if (!made) return NULL;
    }
    return d->seen[row] ? NULL : &d->out->funcs.at[row];
}

void diff_add_calls(struct differ *d, int side, uint32_t row, uint64_t calls)
{
    d->seen[row] |= (uint8_t)(1 << side);
    if (__builtin_add_overflow(d->calls[side][row], calls, &d->calls[side][row])) d->calls[side][row] = UINT64_MAX;
}

void diff_add(struct differ *d, int side, uint32_t row, int kind, uint32_t k, assay_value v)
{
    const struct diff_side *from = &d->side[side];
    const struct assay_metrics *m = assay_profile_metrics(from->profile);
    uint32_t column = from->column[k];
    enum assay_type type = (enum assay_type)AT(m->type, from->metrics[k].v), to = d->out->metrics.at[column].type;
    if (to == ASSAY_F64 && (type != to || from->scale[k] != 1)) v = (assay_value){ .d = value_double(type, v) * from->scale[k] };
    sums_add(&d->sums[side][kind][column], row, v);
}

bool diff_keeps(const struct differ *d, size_t k)
{
    bool is_one = d->out->shown_count == 1 && d->out->pub.metric < d->out->first_formula;
    return !d->options->only_metric || d->options->by != ASSAY_DIFF_BY_FUNCTION || !is_one || k == d->out->pub.metric;
}

int diff_begin_metric(struct differ *d, size_t k)
{
    bool done = true;
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < KINDS && done; kind++) done = sums_init(&d->sums[side][kind][k], &d->out->mem, d->out->metrics.at[k].type, d->room);
    return done ? 0 : error_memory(d->err);
}

int diff_make_tables(struct differ *d, size_t rows)
{
    struct mem *mem = &d->out->mem;
    size_t n = d->metric_count = d->out->metrics.len;
    bool done = true;
    d->room = rows;
    d->seen = mem_zalloc(mem, d->room, 1);
    d->differs = mem_zalloc(mem, d->room, 1);
    for (int side = 0; side < SIDES; side++) {
        d->calls[side] = mem_zalloc(mem, d->room, sizeof **d->calls);
        for (int kind = 0; kind < KINDS; kind++) {
            d->sums[side][kind] = mem_zalloc(mem, n, sizeof ***d->sums);
            done = done && d->sums[side][kind];
        }
        done = done && d->calls[side];
    }
    if (!done || !d->seen || !d->differs) return error_memory(d->err);
    for (size_t k = 0; k < n; k++)
        if (diff_keeps(d, k)) TRY(diff_begin_metric(d, k));
    return 0;
}

static void free_tables(struct differ *d)
{
    struct mem *mem = &d->out->mem;
    size_t n = d->metric_count;
    for (int side = 0; side < SIDES; side++) {
        mem_free(mem, d->calls[side], d->calls[side] ? d->room * sizeof **d->calls : 0);
        for (int kind = 0; kind < KINDS; kind++) {
            for (size_t k = 0; d->sums[side][kind] && k < n; k++)
                if (d->sums[side][kind][k].mem) sums_done(&d->sums[side][kind][k]);
            mem_free(mem, d->sums[side][kind], d->sums[side][kind] ? n * sizeof ***d->sums : 0);
        }
        mem_free(mem, d->side[side].column, d->side[side].column ? d->side[side].count * sizeof *d->side[side].column : 0);
        mem_free(mem, d->side[side].scale, d->side[side].scale ? d->side[side].count * sizeof *d->side[side].scale : 0);
    }
    mem_free(mem, d->seen, d->seen ? d->room : 0);
    metric_columns_done(&d->columns);
    mem_free(mem, d->differs, d->differs ? d->room : 0);
    diff_free_paths(d);
    intern_done(&d->names);
    arena_done(&d->scratch);
    vec_done(mem, &d->keys);
    index_done(&d->index);
}

/* ---- the result ---- */

static bool is_same_in(const struct differ *d, uint32_t row, size_t k)
{
    for (int kind = 0; kind < KINDS; kind++) {
        assay_value a = sums_value(&d->sums[BEFORE][kind][k], row), b = sums_value(&d->sums[AFTER][kind][k], row);
        bool is_equal = d->out->metrics.at[k].type == ASSAY_F64 ? a.d == b.d || (isnan(a.d) && isnan(b.d)) : a.u == b.u;
        if (!is_equal) return false;
    }
    return true;
}

static bool is_same(const struct differ *d, uint32_t row)
{
    if (d->calls[BEFORE][row] != d->calls[AFTER][row] || d->differs[row]) return false;
    for (size_t k = 0; k < d->metric_count; k++)
        if (diff_keeps(d, k) && !is_same_in(d, row, k)) return false;
    return true;
}

void diff_end_metric(struct differ *d, size_t k)
{
    for (uint32_t row = 0; row < d->out->funcs.len; row++) d->differs[row] |= !is_same_in(d, row, k);
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < KINDS; kind++) sums_done(&d->sums[side][kind][k]);
}

/* From here on the result has the chosen metric alone. */
static void drop_metrics(struct differ *d)
{
    struct diff *out = d->out;
    if (!out->metrics.len || diff_keeps(d, out->pub.metric == 0)) return; /* there is no other, or it is kept */
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < KINDS; kind++) {
            struct sums *s = d->sums[side][kind], chosen = s[out->pub.metric];
            s[out->pub.metric] = (struct sums){ 0 };
            s[0] = chosen;
        }
    out->metrics.at[0] = out->metrics.at[out->pub.metric];
    out->metrics.len = out->first_formula = 1;
    out->pub.metric = out->shown[0] = 0;
}

struct sorter {
    const struct differ *d;
    size_t k;
};

static double share(double value, double whole) { return whole > 0 ? value / whole : 0; }

static double change(const struct sorter *s, uint32_t row, int kind)
{
    if (!s->d->out->metrics.len) return fabs((double)s->d->calls[AFTER][row] - (double)s->d->calls[BEFORE][row]);
    const assay_diff_metric *m = &s->d->out->metrics.at[s->k];
    double after = value_double(m->type, sums_value(&s->d->sums[AFTER][kind][s->k], row));
    double before = value_double(m->type, sums_value(&s->d->sums[BEFORE][kind][s->k], row));
    bool is_sum = s->k < s->d->out->first_formula;
    if (isnan(after) || isnan(before)) return 0;
    return s->d->options->normalise && is_sum ? fabs(share(after, m->after_total) - share(before, m->before_total)) : fabs(after - before);
}

static int by_change(const void *x, const void *y, void *arg)
{
    const uint32_t *a = x, *b = y;
    const struct sorter *s = arg;
    for (int kind = 0; kind < KINDS; kind++) {
        double p = change(s, *a, kind), q = change(s, *b, kind);
        ORDER_BY(q, p);
    }
    const assay_diff_func *f = s->d->out->funcs.at;
    int c = strcmp(f[*a].name, f[*b].name);
    if (c == 0) c = strcmp(f[*a].file, f[*b].file);
    if (c == 0) c = ORDER(f[*a].line, f[*b].line);
    return c ? c : ORDER(*a, *b);
}

static int put_rows(struct differ *d, const uint32_t *order, size_t count)
{
    struct diff *out = d->out;
    size_t n = out->metrics.len;
    SCRATCH(assay_diff_func, funcs, &out->mem, out->funcs.len);
    if (!funcs) return error_memory(d->err);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = order[i];
        funcs[i] = out->funcs.at[row];
        funcs[i].state = d->seen[row] == 1 << AFTER ? ASSAY_DIFF_NEW : d->seen[row] == 1 << BEFORE ? ASSAY_DIFF_GONE : ASSAY_DIFF_CHANGED;
        funcs[i].before_calls = d->calls[BEFORE][row];
        funcs[i].after_calls = d->calls[AFTER][row];
        for (int side = 0; side < SIDES; side++)
            for (int kind = 0; kind < KINDS; kind++)
                for (size_t k = 0; k < n; k++) out->value[side][kind][i * n + k] = sums_value(&d->sums[side][kind][k], row);
    }
    if (count) memcpy(out->funcs.at, funcs, count * sizeof *funcs);
    out->pub.same = out->funcs.len - count;
    out->pub.count = count;
    return 0;
}

static int finish(struct differ *d)
{
    struct diff *out = d->out;
    struct sorter s = { d, 0 };
    size_t rows = out->funcs.len, count = 0;
    SCRATCH(uint32_t, order, &out->mem, rows);
    if (!order) return error_memory(d->err);
    for (uint32_t i = 0; i < rows; i++)
        if (d->options->all || !is_same(d, i)) order[count++] = i;
    drop_metrics(d);
    s.k = out->pub.metric;
    if (count) sort_with(order, count, sizeof *order, by_change, &s);
    bool done = true;
    out->rows = count;
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < KINDS; kind++) {
            out->value[side][kind] = mem_zalloc(&out->mem, count * out->metrics.len, sizeof ***out->value);
            done = done && out->value[side][kind];
        }
    int rc = done ? put_rows(d, order, count) : error_memory(d->err);
    out->pub.metrics = out->metrics.at;
    out->pub.metric_count = out->metrics.len;
    out->pub.shown = out->shown;
    out->pub.shown_count = out->shown_count;
    out->pub.first_formula = out->first_formula;
    out->pub.funcs = out->funcs.at;
    out->pub.by = d->options->by;
    out->pub.contexts = out->contexts.at;
    out->pub.context_count = out->contexts.len ? out->contexts.len - 1 : 0;
    out->pub.before_self = out->value[BEFORE][SELF];
    out->pub.before_total = out->value[BEFORE][TOTAL];
    out->pub.after_self = out->value[AFTER][SELF];
    out->pub.after_total = out->value[AFTER][TOTAL];
    return rc;
}

void assay_profile_diff_free(assay_profile_diff *diff)
{
    if (!diff) return;
    struct diff *d = (struct diff *)diff;
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < KINDS; kind++)
            mem_free(&d->mem, d->value[side][kind], d->value[side][kind] ? d->rows * d->metrics.len * sizeof ***d->value : 0);
    vec_done(&d->mem, &d->metrics, &d->funcs, &d->contexts);
    intern_done(&d->context_names);
    arena_done(&d->text);
    free(d);
}

static int compare(struct differ *d)
{
    enum assay_diff_by by = d->options->by;
    TRY(diff_match_paths(d));
    TRY(by == ASSAY_DIFF_BY_CONTEXT ? diff_by_context(d) : by == ASSAY_DIFF_BY_LINE ? diff_by_line(d) : diff_by_function(d));
    diff_compute_columns(d);
    return finish(d);
}

int assay_profile_diff_new(const assay_profile *before, const assay_profile *after, const struct assay_profile_diff_options *options, assay_profile_diff **out,
                           assay_error *err)
{
    struct assay_profile_diff_options o;
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_profile_diff_options, only_metric, &o, options, err));
    struct differ d = { .out = calloc(1, sizeof *d.out), .options = &o, .p = { before, after }, .err = err };
    if (!d.out) return error_memory(d.err);
    mem_init(&d.out->mem, (size_t)d.options->max_memory);
    arena_init(&d.out->text, &d.out->mem);
    intern_init(&d.out->context_names, &d.out->mem);
    intern_init(&d.names, &d.out->mem);
    arena_init(&d.scratch, &d.out->mem);
    index_init(&d.index, &d.out->mem);
    int rc = compare(&d);
    free_tables(&d);
    rc = cancel_end(rc, d.err);
    if (rc != 0)
        assay_profile_diff_free(&d.out->pub);
    else
        *out = &d.out->pub;
    return rc;
}

/* ---- gates ---- */

static double growth(double before, double after) { return before > 0 ? 100 * (after - before) / before : after > 0 ? INFINITY : 0; }

double assay_diff_growth(const assay_profile_diff *diff, size_t row, const struct assay_diff_gate *gate)
{
    const assay_diff_metric *m = &diff->metrics[gate->k];
    if (row == SIZE_MAX) return gate->normalise ? 0 : growth(m->before_total, m->after_total);
    size_t at = row * diff->metric_count + gate->k;
    double before = value_double(m->type, diff->before_self[at]), after = value_double(m->type, diff->after_self[at]);
    double before_share = m->before_total > 0 ? 100 * before / m->before_total : 0, after_share = m->after_total > 0 ? 100 * after / m->after_total : 0;
    if (fmax(before_share, after_share) < gate->min_cost) return 0;
    if (diff->funcs[row].state == ASSAY_DIFF_NEW) return gate->normalise ? after_share : m->before_total > 0 ? 100 * after / m->before_total : INFINITY;
    return gate->normalise ? growth(before_share, after_share) : growth(before, after);
}
