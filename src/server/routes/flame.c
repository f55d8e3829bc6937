/* flame: the boxes of a flame graph that a screen can show. */
#include "server/routes/boxes.h"

#include <stdlib.h>

#include "analysis/core/value.h"
#include "base/error.h"
#include "server/routes.h"
#include "server/routes/flame_rows.h"

static const char *const view_words[] = { "top-down", "bottom-up", NULL };
static const char *const order_words[] = { "heavy", "name", "time", NULL };
enum { ORDER_TIME = 2 };

/* Callers of callers grow with the square of the contexts: of large profiles, what no screen can show is left out from the start. */
enum { CONTEXTS_LARGE = 200000, ROWS_LARGE = 1000000 };
#define LEAST_OF_LARGE 5e-4

struct asked {
    unsigned view, order;
    uint32_t id, function;
    struct boxes_options boxes;
};

static int take(struct request *r, struct asked *a, assay_error *err)
{
    uint64_t width = 1280;
    *a = (struct asked){ .boxes = { .from = 0, .to = 1, .levels = 200, .most = SERVER_BOXES } };
    TRY(params_word(&r->params, "view", view_words, &a->view, err));
    TRY(params_word(&r->params, "order", order_words, &a->order, err));
    TRY(params_u32(&r->params, "id", &a->id, err));
    TRY(params_u32(&r->params, "function", &a->function, err));
    TRY(params_number(&r->params, "width", 32768, &width, err));
    TRY(params_double(&r->params, "from", 0, 1, &a->boxes.from, err));
    TRY(params_double(&r->params, "to", 0, 1, &a->boxes.to, err));
    TRY(params_u32(&r->params, "depth", &a->boxes.depth, err));
    TRY(params_u32(&r->params, "levels", &a->boxes.levels, err));
    if (a->boxes.to <= a->boxes.from) FAIL(err, ASSAY_ERR_USAGE, "the parameter 'to' must be larger than 'from'");
    a->boxes.width = (double)width;
    a->boxes.is_by_name = a->order == 1;
    if (!width) a->boxes.most = SERVER_ALL, a->boxes.levels = UINT32_MAX;
    return params_end(&r->params, err);
}

/* ---- the rows ---- */

struct kept {
    assay_profile *profile; /* a reference: the paths borrow it */
    assay_paths *paths;
    struct flame_rows *rows; /* of two inputs, or around a function */
    const assay_paths *shown;
    bool is_estimated;
};

struct making {
    assay_profile *profile, *other;
    struct assay_paths_options options;
    uint32_t function;
    bool is_estimated;
};

static void free_kept(void *value)
{
    struct kept *k = value;
    assay_paths_free(k->paths);
    flame_rows_free(k->rows);
    assay_profile_release(k->profile);
    free(k);
}

static int make_rows(struct kept *k, const struct making *m, assay_error *err)
{
    if (!m->other && !m->function) {
        TRY(assay_paths_new(m->profile, &m->options, &k->paths, err));
        k->shown = k->paths;
        return 0;
    }
    if (!(k->rows = flame_rows_new())) return error_memory(err);
    k->rows->profile = assay_profile_retain(m->profile);
    k->shown = &k->rows->pub;
    if (!m->other) return flame_rows_around(k->rows, m->options.callers, m->function, m->options.metric, m->options.least, err);
    k->rows->other = assay_profile_retain(m->other);
    return flame_rows_merge(k->rows, &m->options, err);
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct kept *k = calloc(1, sizeof *k);
    if (!k) return error_memory(err);
    k->profile = assay_profile_retain(m->profile);
    k->is_estimated = m->is_estimated;
    int rc = make_rows(k, m, err);
    if (rc != 0) {
        free_kept(k);
        return rc;
    }
    to->value = k;
    to->free = free_kept;
    to->bytes = (size_t)k->shown->count * 60 + (k->rows ? k->rows->mem.used : 0);
    return 0;
}

/* From the bottom up a context has as many rows as it is deep. */
static int is_large(struct request *r, const assay_profile *p, bool *out, assay_error *err)
{
    const struct assay_tree *t = assay_profile_tree(p);
    uint64_t rows = 0;
    *out = t->count > CONTEXTS_LARGE;
    if (*out) return 0;
    uint32_t *depth = arena_alloc(&r->text, ((size_t)t->count + 1) * sizeof *depth);
    if (!depth) return error_memory(err);
    depth[0] = 0;
    for (uint32_t i = 1; i <= t->count; i++) rows += depth[i] = depth[t->parent[i].v] + 1;
    *out = rows > ROWS_LARGE;
    return 0;
}

static int get_paths(struct request *r, const struct asked *a, const struct kept **out, assay_error *err)
{
    struct making m = { .options = { .size = sizeof m.options, .metric = r->state.metric, .callers = a->view == 1, .least = r->state.least },
                        .function = a->function };
    struct cached *c;
    bool is_many, needs_stacks = a->view == 0 || !a->function; /* of a call graph, one level of callers is known */
    if (a->view == 0) m.options.recursion = (enum assay_recursion)r->state.recursion;
    if (needs_stacks)
        TRY(request_contexts(r, WANT_TREE, false, &m.profile, &m.is_estimated, err));
    else
        TRY(request_profile(r, WANT_BOTH, &m.profile, err));
    if (a->view == 1 && m.options.least <= 0) {
        TRY(is_large(r, m.profile, &is_many, err));
        if (is_many) m.options.least = LEAST_OF_LARGE;
    }
    if (r->state.b && !a->function) TRY(request_other_contexts(r, &m.other, &m.is_estimated, err));
    TRY(request_cached(r, request_text(r, "paths/%u/%g/%u/%u", a->view, r->state.least, r->state.recursion, a->function), make, &m, &c, err));
    *out = c->value;
    return 0;
}

int flame_paths(struct request *r, unsigned view, const assay_paths **out, bool *is_estimated, assay_error *err)
{
    const struct kept *k;
    TRY(get_paths(r, &(struct asked){ .view = view }, &k, err));
    *out = k->shown;
    if (is_estimated) *is_estimated = k->is_estimated;
    return 0;
}

/* ---- the answer ---- */

static assay_slice module_of(const assay_paths *s, uint32_t row)
{
    const struct assay_funcs *f = assay_profile_funcs(s->profile);
    const struct assay_modules *m = assay_profile_modules(s->profile);
    uint32_t func = s->func[row].v, module = func && f->module ? f->module[func].v : 0;
    return module && m->path ? assay_profile_string(s->profile, m->path[module]) : (assay_slice){ NULL, 0 };
}

static assay_column column_of(const assay_paths *s)
{
    const struct assay_metrics *m = assay_profile_metrics(s->profile);
    assay_column c = { .metric = s->metric, .type = s->type, .is_sum = true, .unit = "" };
    c.name = assay_profile_string(s->profile, m->name[s->metric.v]);
    c.whole = m->total_double ? m->total_double[s->metric.v] : 0;
    if (m->unit && m->unit[s->metric.v].v) c.unit = assay_profile_string(s->profile, m->unit[s->metric.v]).data;
    return c;
}

static void put_ancestors(struct json *j, const assay_paths *s, uint32_t id)
{
    uint32_t depth = id ? s->depth[id] : 0;
    json_key(j, "ancestors");
    json_array(j);
    for (uint32_t d = 1; d < depth; d++) { /* paths are as deep as stacks: a walk for each is cheap beside
                 drawing them */
        uint32_t row = id;
        while (s->depth[row] > d) row = s->parent[row];
        json_object(j);
        json_key(j, "id");
        json_u64(j, row);
        json_key(j, "name");
        json_string(j, s->name[row]);
        json_key(j, "total");
        json_value(j, s->type, s->total[row]);
        json_end(j);
    }
    json_end(j);
}

static void put_header(struct request *r, struct sheet *c, const struct kept *k, const struct asked *a, const struct boxes *b)
{
    struct json *j = sheet_header(c);
    const assay_paths *s = k->shown;
    assay_column column = column_of(s);
    header_metrics(c, s->profile, &column, 1, 0, k->is_estimated);
    json_key(j, "root_total");
    json_value(j, s->type, b->total);
    json_key(j, "rows");
    json_u64(j, b->at.len);
    json_key(j, "deepest");
    json_u64(j, s->deepest);
    json_key(j, "all");
    json_u64(j, s->count);
    json_key(j, "least");
    json_double(j, b->least);
    put_ancestors(j, s, a->id);
    state_command(r, j, r->state.b ? "diff" : "flame", r->state.b ? "--by context" : a->view == 1 ? "--callers" : "");
}

/* What each input has of a row; the width is another figure. */
static void put_pair(struct sheet *c, const struct flame_rows *f, const struct boxes *b)
{
    double *before = sheet_add(c, "before", COLUMN_F64, b->at.len), *after = sheet_add(c, "after", COLUMN_F64, b->at.len);
    for (size_t i = 0; i < b->at.len && !c->failed; i++) {
        before[i] = b->at.at[i].more ? 0 : f->before_total[b->at.at[i].row];
        after[i] = b->at.at[i].more ? 0 : f->after_total[b->at.at[i].row];
    }
}

static void put_boxes(struct sheet *c, const assay_paths *s, const struct boxes *b)
{
    size_t n = b->at.len;
    assay_column column = column_of(s);
    uint32_t *id = sheet_add(c, "id", COLUMN_U32, n), *parent = sheet_add(c, "parent", COLUMN_U32, n), *more = sheet_add(c, "more", COLUMN_U32, n);
    uint32_t *first = sheet_add(c, "first", COLUMN_U32, n), *name = sheet_add(c, "name", COLUMN_U32, n), *module = sheet_add(c, "module", COLUMN_U32, n);
    uint32_t *func = sheet_add(c, "func", COLUMN_U32, n);
    double *x = sheet_add(c, "x", COLUMN_F64, n), *w = sheet_add(c, "w", COLUMN_F64, n);
    uint16_t *level = sheet_add(c, "level", COLUMN_U16, n);
    uint8_t *kind = sheet_add(c, "kind", COLUMN_U8, n);
    uint64_t *calls = sheet_add(c, "calls", COLUMN_U64, n);
    struct figures self = sheet_figures(c, "self", &column, 1, n), total = sheet_figures(c, "total", &column, 1, n);
    for (size_t i = 0; i < n && !c->failed; i++) {
        const struct box *box = &b->at.at[i];
        bool is_merged = box->more > 0;
        id[i] = is_merged ? 0 : box->row;
        first[i] = is_merged ? box->row : 0;
        parent[i] = box->parent;
        more[i] = box->more;
        x[i] = box->x;
        w[i] = box->w;
        level[i] = (uint16_t)(box->level < UINT16_MAX ? box->level : UINT16_MAX);
        figures_put(&total, i, 0, s->type, box->total);
        if (is_merged) continue;
        kind[i] = s->kind[box->row];
        name[i] = sheet_name(c, s->name[box->row]);
        module[i] = sheet_name(c, module_of(s, box->row));
        func[i] = s->func[box->row].v;
        calls[i] = s->calls[box->row];
        figures_put(&self, i, 0, s->type, s->self[box->row]);
    }
}

int route_flame(struct request *r, assay_error *err)
{
    struct asked a;
    const struct kept *k;
    struct sheet c;
    struct boxes b = { .mem = &r->mem };
    TRY(take(r, &a, err));
    if (a.order == ORDER_TIME) return flame_over_time(r, (uint32_t)a.boxes.width, err);
    TRY(get_paths(r, &a, &k, err));
    if (a.id > k->shown->count) FAIL(err, ASSAY_ERR_USAGE, "there is no box %u", a.id);
    int rc = boxes_lay_out(&b, k->shown, a.id, &a.boxes, err);
    if (rc == 0) {
        rc = sheet_begin(&c, &r->mem, "flame", err);
        if (rc == 0) {
            put_header(r, &c, k, &a, &b);
            put_boxes(&c, k->shown, &b);
            if (k->rows && k->rows->before_total) put_pair(&c, k->rows, &b);
            rc = answer_sheet(r, &c, err);
        }
        sheet_done(&c);
    }
    boxes_done(&b);
    return rc;
}
