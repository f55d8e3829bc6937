/* assay_view: the rows of a view (analysis/views) as columns. */
#include <stdlib.h>

#include "analysis/results/result.h"
#include "analysis/views/views.h"
#include "assay/tree.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scoped.h"
#include "base/slice.h"

struct view_result {
    assay_view pub; /* first, so that an assay_view * is a struct view_result * */
    struct result base;
};

/* The same as the columns of `pub`, to be written. */
struct rows {
    uint32_t *parent, *depth, *line, *site_line;
    uint8_t *kind;
    assay_slice *name;
    assay_func_id *func;
    assay_file_id *file, *site_file;
    assay_module_id *module;
    uint64_t *offset, *calls;
    bool *has_self;
    assay_value *self, *total;
};

static int make_rows(struct view_result *r, struct rows *w, size_t count, uint32_t width, assay_error *err)
{
    bool failed = false;
    size_t cells;
    assay_view *v = &r->pub;
    if (count >= UINT32_MAX || !size_mul(&cells, ++count, width)) return error_memory(err);
    v->parent = w->parent = result_array(&r->base, count, sizeof *w->parent, &failed);
    v->depth = w->depth = result_array(&r->base, count, sizeof *w->depth, &failed);
    v->line = w->line = result_array(&r->base, count, sizeof *w->line, &failed);
    v->site_line = w->site_line = result_array(&r->base, count, sizeof *w->site_line, &failed);
    v->kind = w->kind = result_array(&r->base, count, sizeof *w->kind, &failed);
    v->name = w->name = result_array(&r->base, count, sizeof *w->name, &failed);
    v->func = w->func = result_array(&r->base, count, sizeof *w->func, &failed);
    v->file = w->file = result_array(&r->base, count, sizeof *w->file, &failed);
    v->site_file = w->site_file = result_array(&r->base, count, sizeof *w->site_file, &failed);
    v->module = w->module = result_array(&r->base, count, sizeof *w->module, &failed);
    v->offset = w->offset = result_array(&r->base, count, sizeof *w->offset, &failed);
    v->calls = w->calls = result_array(&r->base, count, sizeof *w->calls, &failed);
    v->has_self = w->has_self = result_array(&r->base, count, sizeof *w->has_self, &failed);
    v->self = w->self = result_array(&r->base, cells, sizeof *w->self, &failed);
    v->total = w->total = result_array(&r->base, cells, sizeof *w->total, &failed);
    return failed ? error_memory(err) : 0;
}

static assay_slice name_of(const struct result *r, const struct view_row *row)
{
    bool is_function = row->func || row->kind == ASSAY_NODE_FUNCTION || row->kind == ASSAY_NODE_ENTRY || row->kind == VIEW_CALL;
    if (row->kind == VIEW_MODULE) return result_string(r, assay_profile_modules(r->profile)->path, row->module);
    if (row->kind == VIEW_FILE) return result_string(r, assay_profile_files(r->profile)->path, row->file);
    return is_function ? result_function(r, row->func) : SLICE("");
}

static void put_row(const struct view_result *r, const struct rows *w, size_t at, const struct view_row *row)
{
    w->depth[at] = row->depth;
    w->kind[at] = row->kind;
    w->name[at] = name_of(&r->base, row);
    w->func[at] = (assay_func_id){ row->func };
    w->file[at] = (assay_file_id){ row->file };
    w->line[at] = row->line;
    w->module[at] = (assay_module_id){ row->module };
    w->offset[at] = row->offset;
    w->site_file[at] = (assay_file_id){ row->site_file };
    w->site_line[at] = row->site_line;
    w->calls[at] = row->calls;
    w->has_self[at] = row->has_self;
}

/* `place`: by row of the view its number here, 0 = not shown; the limit of a hot path leaves out rows that others are below. */
static int put_rows(struct view_result *r, const struct view *v, uint32_t *place, assay_error *err)
{
    struct rows w = { 0 };
    struct result_columns columns;
    TRY(result_columns_init(&columns, &r->base, &v->columns, err));
    TRY(make_rows(r, &w, v->order.len, columns.count, err));
    for (size_t i = 0; i < v->order.len; i++) {
        TRY(cancel_step(i, err));
        const struct view_row *row = &v->rows.at[v->order.at[i]];
        uint32_t above = row->parent;
        while (above && !place[above]) above = v->rows.at[above].parent;
        w.parent[i + 1] = place[above];
        place[v->order.at[i]] = (uint32_t)i + 1;
        put_row(r, &w, i + 1, row);
        struct metric_row figures = { view_self(v, i), view_self(v, i), view_total(v, i) };
        result_put_row(&columns, w.self, i + 1, &figures);
        figures.here = figures.total;
        result_put_row(&columns, w.total, i + 1, &figures);
    }
    r->pub.count = (uint32_t)v->order.len;
    r->pub.left_out = v->below_least + v->beyond_limit;
    r->pub.column_count = columns.count;
    r->pub.columns = columns.at;
    r->pub.key = columns.key;
    return 0;
}

static struct view_options options_of(const struct view_result *r, const struct assay_view_options *o)
{
    bool is_by_self = o->kind == ASSAY_VIEW_BOTTOM_UP || o->kind == ASSAY_VIEW_FLAT;
    return (struct view_options){ .kind = (enum view_kind)o->kind,
                                  .detail = (enum view_detail)o->detail,
                                  .columns = r->base.metric,
                                  .all_metrics = !r->base.metric,
                                  .sort = o->sort      ? (enum assay_sort)(o->sort - 1)
                                          : is_by_self ? ASSAY_SORT_SELF
                                                       : ASSAY_SORT_TOTAL,
                                  .least = o->least,
                                  .limit = o->limit,
                                  .depth = o->depth,
                                  .function = o->function };
}

static int fill(struct view_result *r, const struct assay_view_options *o, assay_error *err)
{
    SCOPED(view_done) struct view v = { 0 };
    struct view_options options = options_of(r, o);
    TRY(view_init(&v, &r->base.mem, r->base.profile, &options, err));
    SCRATCH(uint32_t, place, &r->base.mem, v.rows.len + 1);
    if (!place) return error_memory(err);
    r->pub.profile = r->base.profile;
    r->pub.is_estimated = r->base.is_estimated;
    return put_rows(r, &v, place, err);
}

static int check(const struct assay_view_options *o, assay_error *err)
{
    if (o->kind > ASSAY_VIEW_HOT_PATH || o->detail > ASSAY_VIEW_FUNCTIONS || o->sort > ASSAY_VIEW_SORT_NAME)
        FAIL(err, ASSAY_ERR_USAGE, "no such kind, detail or order of a view");
    return 0;
}

int assay_view_new(const assay_profile *p, const struct assay_view_options *options, assay_view **out, assay_error *err)
{
    assay_error local;
    struct assay_view_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(options_take(&o, sizeof o, options, err));
    TRY(check(&o, err));
    struct view_result *r = calloc(1, sizeof *r);
    if (!r) return error_memory(err);
    bool needs_contexts = o.kind == ASSAY_VIEW_TOP_DOWN || o.kind == ASSAY_VIEW_HOT_PATH; /* the others make do with a graph */
    int rc = result_init(&r->base, p, o.metric, err);
    if (rc == 0 && o.estimate && needs_contexts) rc = result_estimate(&r->base, err);
    if (rc == 0) rc = fill(r, &o, err);
    rc = cancel_end(rc, err);
    if (rc == 0)
        *out = &r->pub;
    else
        assay_view_free(&r->pub);
    return rc;
}

void assay_view_free(assay_view *view)
{
    struct view_result *r = (struct view_result *)view;
    if (!r) return;
    result_done(&r->base);
    free(r);
}
