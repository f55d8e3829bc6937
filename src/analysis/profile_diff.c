/* How two profiles differ, function by function: the figures of assay_top of both, side by side. */
#include <math.h>
#include <stdlib.h>

#include "analysis/value.h"
#include "assay/change.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/number.h"
#include "base/path.h"
#include "base/vec.h"

enum { BEFORE, AFTER, SIDES };

struct diff {
    assay_profile_diff pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct arena text;
    VEC(assay_diff_metric) metrics;
    VEC(assay_diff_func) funcs;
    assay_value *value[SIDES][2]; /* self, total */
    size_t rows;                  /* that the values have room for */
};

struct key {
    uint32_t name, file, module, line, column;
};

struct differ {
    struct diff *out;
    const struct assay_profile_diff_options *options;
    const assay_profile *p[SIDES];
    assay_top *top[SIDES];
    uint32_t *column[SIDES]; /* metric of the top -> of the result */
    struct intern names;
    struct arena scratch;
    VEC(struct key) keys; /* by row */
    struct index index;
    struct sums *sums[SIDES][2]; /* by metric */
    uint64_t *calls[SIDES];
    uint8_t *seen; /* bit for each side */
    size_t room;
    assay_error *err;
};

#define ID(column, i) ((column) ? (column)[i].v : 0)
#define AT(column, i) ((column) ? (column)[i] : 0)

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

static int take_metric(struct differ *d, int side, uint32_t number)
{
    const struct assay_metrics *m = assay_profile_metrics(d->p[side]);
    uint32_t id = d->top[side]->metrics[number].v;
    assay_slice name = assay_profile_string(d->p[side], m->name[id]), unit = assay_profile_string(d->p[side], (assay_str_id){ ID(m->unit, id) });
    size_t k = find_metric(d->out, name);
    enum assay_type type = (enum assay_type)AT(m->type, id);
    bool is_new = k == d->out->metrics.len;
    assay_diff_metric *at = is_new ? vec_push(&d->out->mem, &d->out->metrics) : &d->out->metrics.at[k];
    if (!at) return error_memory(d->err);
    if (is_new) *at = (assay_diff_metric){ arena_copy(&d->out->text, name), arena_copy(&d->out->text, unit.data ? unit : SLICE("")), type, false, false, 0, 0 };
    if (!at->name || !at->unit) return error_memory(d->err);
    if (at->type != type) at->type = ASSAY_F64;
    if (side == AFTER) {
        at->is_after = true;
        at->after_total = total_of(d->p[side], id);
    } else {
        at->is_before = true;
        at->before_total = total_of(d->p[side], id);
    }
    d->column[side][number] = (uint32_t)k;
    return 0;
}

static int take_metrics(struct differ *d)
{
    for (int side = AFTER; side >= BEFORE; side--) {
        size_t count = d->top[side]->metric_count;
        d->column[side] = mem_zalloc(&d->out->mem, count, sizeof *d->column[side]);
        if (!d->column[side]) return error_memory(d->err);
        for (uint32_t i = 0; i < count; i++) TRY(take_metric(d, side, i));
    }
    return 0;
}

/* ---- functions ---- */

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/* "..17h0123456789abcdefE": the hash of a Rust build is no part of the name. */
static assay_slice without_hash(assay_slice s)
{
    enum { TAIL = 20 };
    if (s.len <= TAIL || s.data[s.len - 1] != 'E' || memcmp(s.data + s.len - TAIL, "17h", 3) != 0) return s;
    for (size_t i = s.len - TAIL + 3; i < s.len - 1; i++)
        if (!is_hex(s.data[i])) return s;
    return (assay_slice){ s.data, s.len - TAIL };
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->name == b->name && a->file == b->file && a->module == b->module && a->line == b->line && a->column == b->column;
}

/* 0 = no memory; an empty text has an id too. */
static uint32_t name_id(struct differ *d, assay_slice s) { return intern_put(&d->names, s.data ? s : SLICE("")); }

static bool make_key(struct differ *d, int side, uint32_t func, struct key *out)
{
    const assay_profile *p = d->p[side];
    const struct assay_funcs *f = assay_profile_funcs(p);
    bool by_place = AT(f->flags, func) & ASSAY_FUNC_BY_PLACE;
    uint32_t path = ID(assay_profile_files(p)->path, ID(f->file, func));
    const char *spelling = path_normal(&d->scratch, assay_profile_string(p, (assay_str_id){ path }));
    if (!spelling) return false;
    *out = (struct key){ .name = name_id(d, without_hash(assay_profile_string(p, f->name[func]))),
                         .file = name_id(d, slice_of(spelling)),
                         .module = name_id(d, assay_profile_string(p, (assay_str_id){ ID(assay_profile_modules(p)->path, ID(f->module, func)) })),
                         .line = by_place ? AT(f->first_line, func) : 0,
                         .column = by_place ? AT(f->first_column, func) : 0 };
    return out->name && out->file && out->module;
}

/* The row of a function; UINT32_MAX = no memory. */
static uint32_t row_of(struct differ *d, int side, uint32_t func)
{
    struct key key;
    if (!make_key(d, side, func, &key)) return UINT32_MAX;
    uint64_t hash = hash_mix(hash_mix(key.name, key.file), hash_mix(key.module, (uint64_t)key.line << 32 | key.column));
    for (struct index_walk w = index_walk(&d->index, hash); index_next(&d->index, &w);)
        if (same_key(&d->keys.at[w.id - 1], &key)) return w.id - 1;
    struct key *slot = vec_push(&d->out->mem, &d->keys);
    if (!slot) return UINT32_MAX;
    *slot = key;
    return index_add(&d->index, hash, (uint32_t)d->keys.len) ? (uint32_t)d->keys.len - 1 : UINT32_MAX;
}

static const char *copy(struct differ *d, const assay_profile *p, uint32_t string)
{
    assay_slice s = assay_profile_string(p, (assay_str_id){ string });
    return arena_copy(&d->out->text, s.data ? s : SLICE(""));
}

/* The second profile's names stand where it has the function. */
static bool take_names(struct differ *d, int side, uint32_t row, uint32_t func)
{
    const assay_profile *p = d->p[side];
    const struct assay_funcs *f = assay_profile_funcs(p);
    if (row == d->out->funcs.len) {
        assay_diff_func *made = vec_push(&d->out->mem, &d->out->funcs);
        if (!made) return false;
    }
    if (d->seen[row]) return true;
    assay_diff_func *at = &d->out->funcs.at[row];
    *at = (assay_diff_func){ .name = copy(d, p, f->name[func].v),
                             .file = copy(d, p, ID(assay_profile_files(p)->path, ID(f->file, func))),
                             .module = copy(d, p, ID(assay_profile_modules(p)->path, ID(f->module, func))),
                             .line = AT(f->first_line, func) };
    return at->name && at->file && at->module;
}

static assay_value as_double(enum assay_type from, enum assay_type to, assay_value v)
{
    if (from == to || to != ASSAY_F64) return v;
    return (assay_value){ .d = from == ASSAY_U64 ? (double)v.u : (double)v.i };
}

static int take_side(struct differ *d, int side)
{
    const assay_top *t = d->top[side];
    const struct assay_metrics *m = assay_profile_metrics(d->p[side]);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t row = row_of(d, side, t->func[i].v);
        if (row == UINT32_MAX || !take_names(d, side, row, t->func[i].v)) return error_memory(d->err);
        d->seen[row] |= (uint8_t)(1 << side);
        if (__builtin_add_overflow(d->calls[side][row], t->calls[i], &d->calls[side][row])) d->calls[side][row] = UINT64_MAX;
        for (uint32_t k = 0; k < t->metric_count; k++) {
            uint32_t column = d->column[side][k];
            enum assay_type type = (enum assay_type)AT(m->type, t->metrics[k].v), to = d->out->metrics.at[column].type;
            size_t at = (size_t)i * t->metric_count + k;
            sums_add(&d->sums[side][0][column], row, as_double(type, to, t->self[at]));
            sums_add(&d->sums[side][1][column], row, as_double(type, to, t->total[at]));
        }
    }
    return 0;
}

static bool make_tables(struct differ *d)
{
    struct mem *mem = &d->out->mem;
    size_t n = d->out->metrics.len;
    bool done = true;
    d->room = (size_t)d->top[BEFORE]->count + d->top[AFTER]->count;
    d->seen = mem_zalloc(mem, d->room, 1);
    for (int side = 0; side < SIDES; side++) {
        d->calls[side] = mem_zalloc(mem, d->room, sizeof **d->calls);
        for (int kind = 0; kind < 2; kind++) {
            d->sums[side][kind] = mem_zalloc(mem, n, sizeof ***d->sums);
            for (size_t k = 0; d->sums[side][kind] && k < n && done; k++) done = sums_init(&d->sums[side][kind][k], mem, d->out->metrics.at[k].type, d->room);
            done = done && d->sums[side][kind];
        }
        done = done && d->calls[side];
    }
    return done && d->seen;
}

static void free_tables(struct differ *d)
{
    struct mem *mem = &d->out->mem;
    size_t n = d->out->metrics.len;
    for (int side = 0; side < SIDES; side++) {
        mem_free(mem, d->calls[side], d->calls[side] ? d->room * sizeof **d->calls : 0);
        for (int kind = 0; kind < 2; kind++) {
            for (size_t k = 0; d->sums[side][kind] && k < n; k++)
                if (d->sums[side][kind][k].mem) sums_done(&d->sums[side][kind][k]);
            mem_free(mem, d->sums[side][kind], d->sums[side][kind] ? n * sizeof ***d->sums : 0);
        }
        mem_free(mem, d->column[side], d->column[side] ? d->top[side]->metric_count * sizeof **d->column : 0);
    }
    mem_free(mem, d->seen, d->seen ? d->room : 0);
    intern_done(&d->names);
    arena_done(&d->scratch);
    vec_done(mem, &d->keys);
    index_done(&d->index);
}

/* ---- the result ---- */

static double number(enum assay_type type, assay_value v) { return type == ASSAY_F64 ? v.d : type == ASSAY_U64 ? (double)v.u : (double)v.i; }

static bool is_same(const struct differ *d, uint32_t row)
{
    if (d->calls[BEFORE][row] != d->calls[AFTER][row]) return false;
    for (size_t k = 0; k < d->out->metrics.len; k++)
        for (int kind = 0; kind < 2; kind++) {
            assay_value a = sums_value(&d->sums[BEFORE][kind][k], row), b = sums_value(&d->sums[AFTER][kind][k], row);
            bool is_equal = d->out->metrics.at[k].type == ASSAY_F64 ? a.d == b.d || (isnan(a.d) && isnan(b.d)) : a.u == b.u;
            if (!is_equal) return false;
        }
    return true;
}

struct sorter {
    const struct differ *d;
    size_t k;
};

static double change(const struct sorter *s, uint32_t row)
{
    if (!s->d->out->metrics.len) return fabs((double)s->d->calls[AFTER][row] - (double)s->d->calls[BEFORE][row]);
    enum assay_type type = s->d->out->metrics.at[s->k].type;
    return fabs(number(type, sums_value(&s->d->sums[AFTER][0][s->k], row)) - number(type, sums_value(&s->d->sums[BEFORE][0][s->k], row)));
}

static int by_change(const void *x, const void *y, void *arg)
{
    const uint32_t *a = x, *b = y;
    const struct sorter *s = arg;
    double p = change(s, *a), q = change(s, *b);
    if (p != q) return p > q ? -1 : 1;
    const assay_diff_func *f = s->d->out->funcs.at;
    int c = strcmp(f[*a].name, f[*b].name);
    if (c == 0) c = strcmp(f[*a].file, f[*b].file);
    return c ? c : (*a > *b) - (*a < *b);
}

static int put_rows(struct differ *d, const uint32_t *order, size_t count)
{
    struct diff *out = d->out;
    size_t n = out->metrics.len;
    assay_diff_func *funcs = mem_zalloc(&out->mem, out->funcs.len, sizeof *funcs);
    if (!funcs) return error_memory(d->err);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = order[i];
        funcs[i] = out->funcs.at[row];
        funcs[i].state = d->seen[row] == 1 << AFTER ? ASSAY_DIFF_NEW : d->seen[row] == 1 << BEFORE ? ASSAY_DIFF_GONE : ASSAY_DIFF_CHANGED;
        funcs[i].before_calls = d->calls[BEFORE][row];
        funcs[i].after_calls = d->calls[AFTER][row];
        for (int side = 0; side < SIDES; side++)
            for (int kind = 0; kind < 2; kind++)
                for (size_t k = 0; k < n; k++) out->value[side][kind][i * n + k] = sums_value(&d->sums[side][kind][k], row);
    }
    if (count) memcpy(out->funcs.at, funcs, count * sizeof *funcs);
    mem_free(&out->mem, funcs, out->funcs.len * sizeof *funcs);
    out->pub.same = out->funcs.len - count;
    out->pub.count = count;
    return 0;
}

static int finish(struct differ *d, size_t k)
{
    struct diff *out = d->out;
    struct sorter s = { d, k };
    size_t rows = out->funcs.len, count = 0;
    uint32_t *order = mem_zalloc(&out->mem, rows, sizeof *order);
    if (!order) return error_memory(d->err);
    for (uint32_t i = 0; i < rows; i++)
        if (!is_same(d, i)) order[count++] = i;
    if (count) qsort_r(order, count, sizeof *order, by_change, &s);
    bool done = true;
    out->rows = count;
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < 2; kind++) {
            out->value[side][kind] = mem_zalloc(&out->mem, count * out->metrics.len, sizeof ***out->value);
            done = done && out->value[side][kind];
        }
    int rc = done ? put_rows(d, order, count) : error_memory(d->err);
    mem_free(&out->mem, order, rows * sizeof *order);
    out->pub.metrics = out->metrics.at;
    out->pub.metric_count = out->metrics.len;
    out->pub.funcs = out->funcs.at;
    out->pub.before_self = out->value[BEFORE][0];
    out->pub.before_total = out->value[BEFORE][1];
    out->pub.after_self = out->value[AFTER][0];
    out->pub.after_total = out->value[AFTER][1];
    return rc;
}

void assay_profile_diff_free(assay_profile_diff *diff)
{
    if (!diff) return;
    struct diff *d = (struct diff *)diff;
    for (int side = 0; side < SIDES; side++)
        for (int kind = 0; kind < 2; kind++) mem_free(&d->mem, d->value[side][kind], d->value[side][kind] ? d->rows * d->metrics.len * sizeof ***d->value : 0);
    vec_done(&d->mem, &d->metrics);
    vec_done(&d->mem, &d->funcs);
    arena_done(&d->text);
    free(d);
}

static int compare(struct differ *d)
{
    for (int side = 0; side < SIDES; side++) TRY(assay_top_new(d->p[side], &d->top[side], d->err));
    TRY(take_metrics(d));
    const char *name = d->options->metric;
    size_t k = name ? find_metric(d->out, slice_of(name)) : 0;
    if (name && k == d->out->metrics.len) FAIL(d->err, ASSAY_ERR_USAGE, "there is no metric '%.60s' in either profile", name);
    if (!make_tables(d)) return error_memory(d->err);
    TRY(take_side(d, AFTER));
    TRY(take_side(d, BEFORE));
    return finish(d, k);
}

int assay_profile_diff_new(const assay_profile *before, const assay_profile *after, const struct assay_profile_diff_options *options, assay_profile_diff **out,
                           assay_error *err)
{
    static const struct assay_profile_diff_options defaults;
    assay_error local;
    struct differ d = { .out = calloc(1, sizeof *d.out), .options = options ? options : &defaults, .p = { before, after }, .err = err ? err : &local };
    *out = NULL;
    if (!d.out) return error_memory(d.err);
    mem_init(&d.out->mem, (size_t)d.options->max_memory);
    d.out->mem.fail_at = d.options->fail_at;
    arena_init(&d.out->text, &d.out->mem);
    intern_init(&d.names, &d.out->mem);
    arena_init(&d.scratch, &d.out->mem);
    index_init(&d.index, &d.out->mem);
    int rc = compare(&d);
    free_tables(&d);
    for (int side = 0; side < SIDES; side++) assay_top_free(d.top[side]);
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
    double before = number(m->type, diff->before_self[at]), after = number(m->type, diff->after_self[at]);
    double before_share = m->before_total > 0 ? 100 * before / m->before_total : 0, after_share = m->after_total > 0 ? 100 * after / m->after_total : 0;
    if (fmax(before_share, after_share) < gate->min_cost) return 0;
    if (diff->funcs[row].state == ASSAY_DIFF_NEW) return gate->normalise ? after_share : m->before_total > 0 ? 100 * after / m->before_total : INFINITY;
    return gate->normalise ? growth(before_share, after_share) : growth(before, after);
}
