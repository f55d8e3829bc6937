/* tree: rows of calling contexts, opened one by one: top-down, bottom-up, flat;
 * and the hot path. */
#include <stdlib.h>

#include "analysis/core/cycles_profile.h"
#include "analysis/views/views.h"
#include "base/error.h"
#include "base/number.h"
#include "server/routes.h"

static const char *const view_words[] = { "top-down", "bottom-up", "flat", NULL };
static const char *const detail_words[] = { "sites", "contexts", "functions", NULL };
static const char *const sort_words[] = { "self", "total", "calls", "name", NULL };

enum {
    LOOK_AHEAD = 4096
}; /* members of a row that is opened to see whether there is something below it
    */

struct asked {
    unsigned view, detail, sort;
    bool is_hot, is_all, cycles;
    const char *path, *function, *metrics;
    double share;
    struct window window;
};

static int take(struct request *r, struct asked *a, assay_error *err)
{
    double percent = 50;
    *a = (struct asked){ .path = "" };
    TRY(params_word(&r->params, "view", view_words, &a->view, err));
    a->sort = a->view == VIEW_TOP_DOWN ? ASSAY_SORT_TOTAL : ASSAY_SORT_SELF;
    TRY(params_word(&r->params, "detail", detail_words, &a->detail, err));
    TRY(params_word(&r->params, "sort", sort_words, &a->sort, err));
    TRY(params_flag(&r->params, "hot", &a->is_hot, err));
    TRY(params_flag(&r->params, "all", &a->is_all, err));
    TRY(params_flag(&r->params, "cycles", &a->cycles, err));
    TRY(params_text(&r->params, "path", &a->path, err));
    TRY(params_text(&r->params, "function", &a->function, err));
    TRY(params_text(&r->params, "metrics", &a->metrics, err));
    TRY(params_double(&r->params, "threshold", 0, 100, &percent, err));
    a->share = percent / 100;
    TRY(window_take(r, &a->window, err));
    return params_end(&r->params, err);
}

/* ---- the view, which stays open ---- */

struct opened {
    struct mem mem;
    struct view view;
    assay_profile *profile; /* a reference */
    bool is_estimated;
};

struct making {
    assay_profile *profile;
    struct view_options options;
    bool is_estimated, cycles;
    uint64_t max_memory;
};

static void free_opened(void *value)
{
    struct opened *o = value;
    view_done(&o->view);
    assay_profile_release(o->profile);
    free(o);
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct opened *o = calloc(1, sizeof *o);
    if (!o) return error_memory(err);
    mem_init(&o->mem, 0);
    o->is_estimated = m->is_estimated;
    int rc = m->cycles ? cycles_profile(m->profile, m->max_memory, &o->profile, err) : 0;
    if (!m->cycles) o->profile = assay_profile_retain(m->profile);
    if (rc == 0) rc = view_begin(&o->view, &o->mem, o->profile, &m->options, err);
    if (rc == 0) rc = view_open(&o->view, 0, err);
    if (rc != 0) {
        free_opened(o);
        return rc;
    }
    to->value = o;
    to->free = free_opened;
    to->bytes = o->mem.used * 2; /* it grows */
    return 0;
}

static int get_view(struct request *r, const struct asked *a, struct cached **out, assay_error *err)
{
    struct making m = { .options = { .kind = (enum view_kind)a->view,
                                     .detail = (enum view_detail)a->detail,
                                     .columns = a->metrics ? a->metrics : r->state.metric,
                                     .all_metrics = a->metrics && !*a->metrics,
                                     .sort = (enum assay_sort)a->sort,
                                     .least = r->state.least,
                                     .function = a->function } };
    if (m.options.all_metrics) m.options.columns = r->state.metric;
    if (a->view == VIEW_TOP_DOWN)
        TRY(request_contexts(r, WANT_TREE, a->cycles, &m.profile, &m.is_estimated, err));
    else {
        m.cycles = a->cycles;
        m.max_memory = r->server->read.max_memory;
        TRY(request_profile(r, WANT_BOTH, &m.profile, err));
    }
    return request_cached(r,
                          request_text(r, "tree/%u/%u/%u/%d/%g/%s/%s", a->view, a->detail, a->sort, a->cycles, r->state.least, a->metrics ? a->metrics : "-",
                                       a->function ? a->function : ""),
                          make, &m, out, err);
}

/* ---- which rows ---- */

/* "3/0/12": the row in place 12 below the one in place 0 below the first row in
 * place 3. */
static int follow(struct view *v, const char *path, uint32_t *row, assay_error *err)
{
    *row = 0;
    for (const char *at = path; *at;) {
        uint64_t n;
        const char *end = at + strcspn(at, "/");
        TRY(view_open(v, *row, err));
        const struct view_row *above = &v->rows.at[*row];
        if (number_u64(slice_from(at, end), &n) != NUMBER_OK || n >= above->next - above->first) FAIL(err, ASSAY_ERR_USAGE, "there is no row '%.80s'", path);
        *row = above->first + (uint32_t)n;
        at = *end ? end + 1 : end;
    }
    return 0;
}

struct rows {
    struct mem *mem;
    VEC(uint32_t) at;
    uint64_t children;
};

static int push(struct rows *rows, uint32_t row, assay_error *err)
{
    uint32_t *to = vec_push(rows->mem, &rows->at);
    if (!to) return error_memory(err);
    *to = row;
    return 0;
}

/* The rows below one, in their order. */
static int list_children(struct view *v, uint32_t row, struct rows *rows, assay_error *err)
{
    TRY(view_open(v, row, err));
    size_t begin = rows->at.len;
    for (uint32_t i = v->rows.at[row].first; i < v->rows.at[row].next; i++) TRY(push(rows, i, err));
    view_order(v, rows->at.at + begin, rows->at.len - begin);
    return 0;
}

static int list_window(struct view *v, uint32_t row, const struct window *asked, struct rows *rows, assay_error *err)
{
    struct window w = *asked;
    TRY(list_children(v, row, rows, err));
    rows->children = rows->at.len;
    window_cut(&w, rows->at.len);
    if (w.count) memmove(rows->at.at, rows->at.at + w.from, (size_t)w.count * sizeof *rows->at.at);
    rows->at.len = (size_t)w.count;
    return 0;
}

static int list_hot(struct view *v, uint32_t row, double share, struct rows *rows, assay_error *err)
{
    for (;;) {
        TRY(view_hottest(v, row, share, &row, err));
        if (!row) return 0;
        TRY(push(rows, row, err));
    }
}

/* All of them, those nearest to the top first. */
static int list_all(struct view *v, struct rows *rows, assay_error *err)
{
    TRY(list_children(v, 0, rows, err));
    for (size_t i = 0; i < rows->at.len && rows->at.len < SERVER_ALL; i++) TRY(list_children(v, rows->at.at[i], rows, err));
    if (rows->at.len > SERVER_ALL) rows->at.len = SERVER_ALL;
    rows->children = rows->at.len;
    return 0;
}

/* ---- the answer ---- */

static assay_slice text_of(const assay_profile *p, const assay_str_id *ids, uint32_t i)
{
    return i && ids ? assay_profile_string(p, ids[i]) : (assay_slice){ NULL, 0 };
}

static assay_slice name_of(struct request *r, const struct view *v, const struct view_row *row)
{
    const assay_profile *p = v->profile;
    bool is_function = row->func || row->kind == ASSAY_NODE_FUNCTION || row->kind == ASSAY_NODE_ENTRY || row->kind == VIEW_CALL;
    if (row->kind == VIEW_MODULE) return row->module ? text_of(p, assay_profile_modules(p)->path, row->module) : SLICE("<unknown module>");
    if (row->kind == VIEW_FILE) return row->file ? text_of(p, assay_profile_files(p)->path, row->file) : SLICE("<unknown file>");
    if (!is_function) return (assay_slice){ NULL, 0 };
    assay_slice name = text_of(p, assay_profile_funcs(p)->name, row->func);
    if (row->kind == ASSAY_NODE_ENTRY && name.len && name.data[0] != '<') return slice_of(request_text(r, "<%s>", name.data)); /* as `tree` has them */
    return name.len ? name : SLICE("<unknown>");
}

/* Whether something is below it; a large row is taken for one that has. */
static int has_more(struct view *v, uint32_t row, uint8_t *out, assay_error *err)
{
    *out = 1;
    if (!v->rows.at[row].is_shown && v->rows.at[row].end - v->rows.at[row].begin > LOOK_AHEAD) return 0;
    TRY(view_open(v, row, err));
    *out = v->rows.at[row].next > v->rows.at[row].first;
    return 0;
}

static int put_rows(struct request *r, struct sheet *c, struct view *v, const struct rows *rows, assay_error *err)
{
    const assay_profile *p = v->profile;
    size_t n = rows->at.len;
    uint32_t *position = sheet_add(c, "position", COLUMN_U32, n), *parent = sheet_add(c, "parent", COLUMN_U32, n);
    uint32_t *id = sheet_add(c, "id", COLUMN_U32, n), *depth = sheet_add(c, "depth", COLUMN_U32, n), *func = sheet_add(c, "func", COLUMN_U32, n);
    uint32_t *name = sheet_add(c, "name", COLUMN_U32, n), *file = sheet_add(c, "file", COLUMN_U32, n), *module = sheet_add(c, "module", COLUMN_U32, n);
    uint32_t *site_file = sheet_add(c, "site_file", COLUMN_U32, n), *line = sheet_add(c, "line", COLUMN_U32, n);
    uint32_t *site_line = sheet_add(c, "site_line", COLUMN_U32, n);
    uint64_t *calls = sheet_add(c, "calls", COLUMN_U64, n);
    uint8_t *more = sheet_add(c, "more", COLUMN_U8, n), *kind = sheet_add(c, "kind", COLUMN_U8, n), *has_self = sheet_add(c, "has_self", COLUMN_U8, n);
    if (c->failed) return error_memory(err);
    for (size_t i = 0; i < n; i++) {
        TRY(has_more(v, rows->at.at[i], &more[i], err));
        const struct view_row *row = &v->rows.at[rows->at.at[i]];
        position[i] = rows->at.at[i] - v->rows.at[row->parent].first;
        parent[i] = row->parent;
        id[i] = rows->at.at[i];
        depth[i] = row->depth;
        func[i] = row->func;
        name[i] = sheet_name(c, name_of(r, v, row));
        file[i] = sheet_name(c, text_of(p, assay_profile_files(p)->path, row->file));
        module[i] = sheet_name(c, text_of(p, assay_profile_modules(p)->path, row->module));
        site_file[i] = sheet_name(c, text_of(p, assay_profile_files(p)->path, row->site_file));
        line[i] = row->line;
        site_line[i] = row->site_line;
        calls[i] = row->calls;
        kind[i] = row->kind;
        has_self[i] = row->has_self;
    }
    return 0;
}

/* The columns of a view, as results have them. */
static int put_figures(struct request *r, struct sheet *c, struct view *v, const struct rows *rows, const assay_column *metrics, assay_error *err)
{
    size_t n = rows->at.len, cells;
    if (!size_mul(&cells, n, v->metric_count)) return error_memory(err);
    assay_value *self = arena_alloc(&r->text, (cells + 1) * sizeof *self), *total = arena_alloc(&r->text, (cells + 1) * sizeof *total);
    if (!self || !total) return error_memory(err);
    TRY(view_row_figures(v, rows->at.at, n, self, total, err));
    struct figures f = sheet_figures(c, "self", metrics, v->columns.count, n), g = sheet_figures(c, "total", metrics, v->columns.count, n);
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < v->columns.count; k++) {
            struct metric_row row = { self + i * v->metric_count, self + i * v->metric_count, total + i * v->metric_count };
            figures_put(&f, i, k, metrics[k].type, metric_columns_value_of(&v->columns, k, &row));
            row.here = row.total;
            figures_put(&g, i, k, metrics[k].type, metric_columns_value_of(&v->columns, k, &row));
        }
    return 0;
}

static void describe(const struct view *v, assay_column *to)
{
    for (uint32_t k = 0; k < v->columns.count; k++) {
        const struct metric_column *from = &v->columns.at[k];
        to[k] = (assay_column){ .name = from->name,
                                .unit = from->unit,
                                .metric = from->k >= 0 ? v->metrics[from->k] : (assay_metric_id){ 0 },
                                .type = from->type,
                                .whole = from->whole,
                                .is_sum = from->is_sum };
    }
}

static int answer(struct request *r, const struct asked *a, struct opened *o, const struct rows *rows, struct sheet *c, assay_error *err)
{
    assay_column metrics[METRIC_COLUMNS_MOST];
    static const char *const options[] = { "", "--bottom-up", "--flat" };
    struct json *j = sheet_header(c);
    const char *more = request_text(r, "%s%s%s%s", a->is_hot ? "--hot-path" : options[a->view], a->detail == VIEW_FUNCTIONS ? " --functions" : "",
                                    a->detail == VIEW_CONTEXTS ? " --contexts" : "", a->cycles ? " --cycles" : "");
    if (!more) return error_memory(err);
    describe(&o->view, metrics);
    header_metrics(c, o->view.profile, metrics, o->view.columns.count, 0, o->is_estimated);
    json_key(j, "rows");
    json_u64(j, rows->at.len);
    json_key(j, "from");
    json_u64(j, a->window.from);
    json_key(j, "children");
    json_u64(j, rows->children);
    state_command(r, j, "tree", more);
    TRY(put_rows(r, c, &o->view, rows, err));
    TRY(put_figures(r, c, &o->view, rows, metrics, err));
    return answer_sheet(r, c, err);
}

static int look(struct request *r, const struct asked *a, struct opened *o, struct rows *rows, assay_error *err)
{
    struct sheet c;
    uint32_t row;
    TRY(follow(&o->view, a->path, &row, err));
    if (a->is_all)
        TRY(list_all(&o->view, rows, err));
    else if (a->is_hot)
        TRY(list_hot(&o->view, row, a->share, rows, err));
    else
        TRY(list_window(&o->view, row, &a->window, rows, err));
    int rc = sheet_begin(&c, &r->mem, "tree", err);
    if (rc == 0) rc = answer(r, a, o, rows, &c, err);
    sheet_done(&c);
    return rc;
}

int route_tree(struct request *r, assay_error *err)
{
    struct asked a;
    struct cached *c;
    struct rows rows = { .mem = &r->mem };
    TRY(take(r, &a, err));
    do { /* another request may have given the view up while this one waited for
          it */
        TRY(get_view(r, &a, &c, err));
        pthread_mutex_lock(&c->use);
        if (c->is_dropped) pthread_mutex_unlock(&c->use);
    } while (c->is_dropped);
    int rc = look(r, &a, c->value, &rows, err);
    if (rc != 0 && rc != ASSAY_ERR_USAGE) cache_drop(&r->server->cache, c); /* a row may be half open */
    pthread_mutex_unlock(&c->use);
    vec_done(&r->mem, &rows.at);
    return rc;
}
