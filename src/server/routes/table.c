/* table: functions, files, directories, modules, lines, as `assay top` lists
 * them; streams with what each cost. */
#include <stdlib.h>

#include "analysis/core/kinds.h"
#include "analysis/core/metric_columns.h"
#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sort.h"
#include "server/routes.h"

static const char *const by_words[] = { "function", "file", "directory", "module", "line", "class", "address", "stream", NULL }; /* enum assay_table_by */
enum { BY_STREAM = 7 };
static const char *const sort_words[] = { "self", "total", "calls", "name", NULL };

struct asked {
    unsigned by, sort, then;
    bool is_up, is_not, cycles, own;
    double share; /* 0 to 1; 0 = all */
    uint32_t depth;
    const char *metrics, *match, *by_metric;
    struct window window;
};

static int take(struct request *r, struct asked *a, assay_error *err)
{
    *a = (struct asked){ 0 };
    TRY(params_word(&r->params, "by", by_words, &a->by, err));
    TRY(params_word(&r->params, "sort", sort_words, &a->sort, err));
    a->then = a->sort;
    TRY(params_word(&r->params, "then", sort_words, &a->then, err));
    TRY(params_flag(&r->params, "up", &a->is_up, err));
    TRY(params_flag(&r->params, "not", &a->is_not, err));
    TRY(params_flag(&r->params, "cycles", &a->cycles, err));
    TRY(params_flag(&r->params, "own", &a->own, err));
    TRY(params_double(&r->params, "share", 0, 100, &a->share, err));
    a->share /= 100;
    TRY(params_u32(&r->params, "depth", &a->depth, err));
    TRY(params_text(&r->params, "metrics", &a->metrics, err));
    TRY(params_text(&r->params, "match", &a->match, err));
    TRY(params_text(&r->params, "by_metric", &a->by_metric, err));
    TRY(window_take(r, &a->window, err));
    return params_end(&r->params, err);
}

/* ---- the table ---- */

struct making {
    assay_profile *profile;
    struct assay_table_options options;
};

struct kept {
    assay_profile *profile; /* a reference: the table borrows it */
    assay_table *table;
};

static void free_kept(void *value)
{
    struct kept *k = value;
    assay_table_free(k->table);
    assay_profile_release(k->profile);
    free(k);
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct kept *k = calloc(1, sizeof *k);
    if (!k) return error_memory(err);
    k->profile = assay_profile_retain(m->profile);
    int rc = assay_table_new(m->profile, &m->options, &k->table, err);
    if (rc != 0) {
        free_kept(k);
        return rc;
    }
    const assay_table *t = k->table;
    to->value = k;
    to->free = free_kept;
    to->bytes = (size_t)t->count * (60 + 16 * (size_t)t->column_count);
    return 0;
}

/* All metrics, unless some are asked for or the one to sort by is a formula. */
static int get_table(struct request *r, const struct asked *a, assay_table **out, assay_error *err)
{
    struct making m = { .options = {
                            .size = sizeof m.options, .by = (enum assay_table_by)a->by, .depth = a->depth, .cycles = a->cycles, .metric = a->metrics } };
    const char *metric = r->state.metric;
    struct cached *c;
    bool by_place = a->by == ASSAY_TABLE_BY_LINE || a->by == ASSAY_TABLE_BY_ADDRESS;
    TRY(request_profile(r, by_place ? WANT_LINES : a->by ? WANT_TREE : WANT_GRAPH, &m.profile, err));
    struct metric_set set = { .profile = m.profile, .shapes = UINT32_MAX };
    if (!m.options.metric && metric && !metric_is_meant(&set, metric)) m.options.metric = metric;
    TRY(request_cached(r, request_text(r, "table/%u/%u/%d/%s", a->by, a->depth, a->cycles, m.options.metric ? m.options.metric : ""), make, &m, &c, err));
    *out = ((struct kept *)c->value)->table;
    return 0;
}

/* The column that the request sorts by; that of the table where it names none.
 */
static int find_key(struct request *r, const struct asked *a, const assay_table *t, uint32_t *key, assay_error *err)
{
    const char *name = a->by_metric ? a->by_metric : r->state.metric;
    struct metric_set set = { .profile = t->profile, .shapes = UINT32_MAX };
    assay_metric_id metric = { 0 };
    *key = t->key;
    if (!name) return 0;
    for (uint32_t k = 0; k < t->column_count; k++)
        if (slice_is(t->columns[k].name, name)) {
            *key = k;
            return 0;
        }
    TRY(metric_choose_key(&set, name, &metric, err));
    for (uint32_t k = 0; k < t->column_count; k++)
        if (metric.v && t->columns[k].metric.v == metric.v) *key = k;
    return 0;
}

/* ---- which rows, in what order ---- */

struct ranking {
    const assay_table *table;
    uint32_t key;
    unsigned sort, then; /* rows that are equal by the first, by the second */
    bool is_up;
};

static int compare_by(const struct ranking *r, unsigned sort, uint32_t i, uint32_t j)
{
    const assay_table *t = r->table;
    size_t a = (size_t)i * t->column_count + r->key, b = (size_t)j * t->column_count + r->key;
    const assay_value *v = sort == ASSAY_SORT_TOTAL && t->total ? t->total : t->self;
    if (sort == ASSAY_SORT_NAME) return slice_compare(t->name[i], t->name[j]);
    if (sort == ASSAY_SORT_CALLS || !t->column_count) return ORDER(t->calls[j], t->calls[i]);
    return value_compare(t->columns[r->key].type, v[b], v[a]);
}

static int compare(const void *x, const void *y, void *arg)
{
    const struct ranking *r = arg;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int c = compare_by(r, r->sort, i, j);
    if (r->is_up) c = -c;
    if (!c && r->then != r->sort) c = compare_by(r, r->then, i, j);
    return c ? c : ORDER(i, j); /* as the table has them */
}

static assay_slice path_of(const assay_table *t, uint32_t row)
{
    const struct assay_files *f = assay_profile_files(t->profile);
    return t->file[row].v && f->path ? assay_profile_string(t->profile, f->path[t->file[row].v]) : (assay_slice){ NULL, 0 };
}

static assay_slice module_of(const assay_table *t, uint32_t row)
{
    const struct assay_modules *m = assay_profile_modules(t->profile);
    return t->module[row].v && m->path ? assay_profile_string(t->profile, m->path[t->module[row].v]) : (assay_slice){ NULL, 0 };
}

struct chosen {
    uint32_t *rows;
    uint32_t count, left_out;
};

static bool is_small(const struct request *r, const struct ranking *k, uint32_t row)
{
    const assay_table *t = k->table;
    if (!t->column_count || !(r->state.least > 0)) return false;
    const assay_value *v = k->sort == ASSAY_SORT_TOTAL && t->total ? t->total : t->self;
    return value_double(t->columns[k->key].type, v[(size_t)row * t->column_count + k->key]) < r->state.least * t->columns[k->key].whole;
}

/* Only the fewest rows that make up the share that was asked for. */
static void cut_share(const struct asked *a, const struct ranking *k, struct chosen *rows)
{
    struct ranking by_self = { .table = k->table, .key = k->key };
    if (!(a->share > 0) || !k->table->column_count || !k->table->columns[k->key].is_sum) return;
    sort_with(rows->rows, rows->count, sizeof *rows->rows, compare, &by_self);
    rows->count = table_rows_of_share(k->table, k->key, rows->rows, rows->count, a->share);
}

static int choose(struct request *r, const struct asked *a, const struct ranking *k, struct chosen *out, assay_error *err)
{
    struct matcher *m;
    const assay_table *t = k->table;
    bool by_name = func_sorts_by_name(t->profile);
    *out = (struct chosen){ .rows = arena_alloc(&r->text, ((size_t)t->count + 1) * sizeof *out->rows) };
    if (!out->rows) return error_memory(err);
    int rc = matcher_new(&m, r, a->match, a->is_not, err);
    for (uint32_t i = 0; rc == 0 && i < t->count; i++) {
        rc = cancel_step(i, err);
        if (is_small(r, k, i))
            out->left_out++;
        else if ((!a->own || func_sort_is_own(func_sort_of(t->profile, t->func[i], by_name))) && matcher_fits(m, t->name[i], path_of(t, i)))
            out->rows[out->count++] = i;
    }
    matcher_free(m);
    if (rc == 0) cut_share(a, k, out);
    bool is_in_order = k->key == t->key && k->sort == ASSAY_SORT_SELF && k->then == k->sort && !k->is_up;
    if (rc == 0 && !is_in_order) sort_with(out->rows, out->count, sizeof *out->rows, compare, (void *)(uintptr_t)k);
    return rc;
}

/* ---- the answer ---- */

static void put_figures(struct sheet *c, const assay_table *t, const uint32_t *rows, size_t count)
{
    struct figures self = sheet_figures(c, "self", t->columns, t->column_count, count), total = { 0 };
    if (t->total) total = sheet_figures(c, "total", t->columns, t->column_count, count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < t->column_count; k++) {
            size_t at = (size_t)rows[i] * t->column_count + k;
            figures_put(&self, i, k, t->columns[k].type, t->self[at]);
            if (t->total) figures_put(&total, i, k, t->columns[k].type, t->total[at]);
        }
}

static void put_rows(struct sheet *c, const assay_table *t, const uint32_t *rows, size_t count)
{
    bool by_name = func_sorts_by_name(t->profile);
    uint32_t *name = sheet_add(c, "name", COLUMN_U32, count), *file = sheet_add(c, "file", COLUMN_U32, count);
    uint32_t *module = sheet_add(c, "module", COLUMN_U32, count), *line = sheet_add(c, "line", COLUMN_U32, count);
    uint32_t *func = sheet_add(c, "func", COLUMN_U32, count), *cycle = sheet_add(c, "cycle", COLUMN_U32, count);
    uint64_t *calls = sheet_add(c, "calls", COLUMN_U64, count);
    uint8_t *kind = sheet_add(c, "kind", COLUMN_U8, count);
    if (c->failed) return;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows[i];
        name[i] = sheet_name(c, t->name[row]);
        file[i] = sheet_name(c, path_of(t, row));
        module[i] = sheet_name(c, module_of(t, row));
        line[i] = t->line[row];
        func[i] = t->func[row].v;
        cycle[i] = t->cycle[row];
        calls[i] = t->calls[row];
        kind[i] = (uint8_t)func_sort_of(t->profile, t->func[row], by_name);
    }
}

static void put_number(struct json *j, const char *key, uint64_t n)
{
    json_key(j, key);
    json_u64(j, n);
}

static int answer(struct request *r, const struct asked *a, const assay_table *t, uint32_t key, const struct chosen *rows, assay_error *err)
{
    struct sheet c;
    struct window w = a->window;
    /* Coverage has counts of calls and no other figure of functions. */
    const char *sort = t->column_count ? request_text(r, "--sort %s -n 0%s%s%s", sort_words[a->sort], a->by ? " --by " : "", a->by ? by_words[a->by] : "",
                                                      a->cycles ? " --cycles" : "")
                                       : "--metric calls -n 0";
    if (!sort) return error_memory(err);
    window_cut(&w, rows->count);
    int rc = sheet_begin(&c, &r->mem, "table", err);
    if (rc == 0) {
        struct json *j = sheet_header(&c);
        header_metrics(&c, t->profile, t->columns, t->column_count, key, false);
        put_number(j, "rows", w.count);
        put_number(j, "from", w.from);
        put_number(j, "matching", rows->count);
        put_number(j, "all", t->count);
        put_number(j, "left_out", rows->left_out);
        put_number(j, "key", key);
        if (t->column_count && t->columns[key].is_sum) {
            json_key(j, "self_sum");
            json_double(j, table_self_sum(t, key, rows->rows, rows->count));
        }
        state_command(r, j, "top", sort);
        put_rows(&c, t, rows->rows + w.from, (size_t)w.count);
        put_figures(&c, t, rows->rows + w.from, (size_t)w.count);
        rc = answer_sheet(r, &c, err);
    }
    sheet_done(&c);
    return rc;
}

int route_table(struct request *r, assay_error *err)
{
    struct asked a;
    struct chosen rows;
    assay_table *t;
    TRY(take(r, &a, err));
    if (a.by == BY_STREAM) return table_streams(r, &a.window, a.match, a.is_not, err);
    TRY(get_table(r, &a, &t, err));
    struct ranking k = { .table = t, .sort = a.sort, .then = a.then, .is_up = a.is_up };
    TRY(find_key(r, &a, t, &k.key, err));
    TRY(choose(r, &a, &k, &rows, err));
    return answer(r, &a, t, k.key, &rows, err);
}

int table_functions(struct request *r, const assay_table **out, assay_error *err)
{
    struct asked a = { 0 };
    assay_table *t;
    TRY(get_table(r, &a, &t, err));
    *out = t;
    return 0;
}
