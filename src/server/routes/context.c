/* context: one box of a flame graph in full: its stack, all metrics, and what
 * its function costs everywhere. */
#include "analysis/core/units.h"
#include "base/error.h"
#include "server/routes.h"

static const char *const view_words[] = { "top-down", "bottom-up", NULL };
enum { METRICS_MOST = 12 };

static assay_slice text_of(const assay_profile *p, const assay_str_id *ids, uint32_t i)
{
    return i && ids ? assay_profile_string(p, ids[i]) : (assay_slice){ NULL, 0 };
}

static void put_place(struct json *j, const assay_paths *s, uint32_t row)
{
    const assay_profile *p = s->profile;
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint32_t func = s->func[row].v;
    json_key(j, "id");
    json_u64(j, row);
    json_key(j, "name");
    json_string(j, s->name[row]);
    json_key(j, "func");
    json_u64(j, func);
    json_key(j, "file");
    json_string(j, f->file ? text_of(p, assay_profile_files(p)->path, f->file[func].v) : (assay_slice){ NULL, 0 });
    json_key(j, "line");
    json_u64(j, f->first_line ? f->first_line[func] : 0);
    json_key(j, "module");
    json_string(j, f->module ? text_of(p, assay_profile_modules(p)->path, f->module[func].v) : (assay_slice){ NULL, 0 });
    json_key(j, "kind");
    json_u64(j, s->kind[row]);
    json_key(j, "calls");
    json_u64(j, s->calls[row]);
}

/* From the root to the row. */
static int list_stack(struct request *r, const assay_paths *s, uint32_t row, uint32_t **out, assay_error *err)
{
    uint32_t depth = s->depth[row], *stack = arena_alloc(&r->text, ((size_t)depth + 1) * sizeof *stack);
    if (!stack) return error_memory(err);
    for (uint32_t d = depth; d > 0; d--, row = s->parent[row]) stack[d - 1] = row;
    *out = stack;
    return 0;
}

/* The row of the same stack in another tree of the same profile; 0 = it has
 * none. */
static uint32_t same_row(const assay_paths *s, const uint32_t *stack, uint32_t depth, const assay_paths *in)
{
    uint32_t at = 0;
    for (uint32_t d = 0; d < depth; d++) {
        uint32_t end = at ? in->end[at] : in->count + 1, kid = at + 1;
        while (kid < end && (in->func[kid].v != s->func[stack[d]].v || in->kind[kid] != s->kind[stack[d]])) kid = in->end[kid];
        if (kid >= end) return 0;
        at = kid;
    }
    return at;
}

static void put_figures(struct json *j, const assay_paths *s, uint32_t row)
{
    const struct assay_metrics *m = assay_profile_metrics(s->profile);
    json_object(j);
    json_key(j, "metric");
    json_string(j, assay_profile_string(s->profile, m->name[s->metric.v]));
    json_key(j, "unit");
    json_text(j, units_name(s->profile, s->metric));
    json_key(j, "self");
    json_value(j, s->type, s->self[row]);
    json_key(j, "total");
    json_value(j, s->type, s->total[row]);
    json_end(j);
}

/* The metric shown, then the others. */
static int put_metrics(struct request *r, struct json *j, unsigned view, const assay_paths *s, const uint32_t *stack, uint32_t depth, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(s->profile);
    const char *shown = r->state.metric;
    int rc = 0;
    json_key(j, "figures");
    json_array(j);
    put_figures(j, s, stack[depth - 1]);
    for (uint32_t id = 1; rc == 0 && id <= m->count && id <= METRICS_MOST; id++) {
        const assay_paths *other;
        bool is_formula = m->formula && m->formula[id].v;
        if (id == s->metric.v || is_formula || (m->hidden && m->hidden[id])) continue;
        r->state.metric = assay_profile_string(s->profile, m->name[id]).data;
        rc = flame_paths(r, view, &other, NULL, err);
        uint32_t row = rc == 0 ? same_row(s, stack, depth, other) : 0;
        if (row) put_figures(j, other, row);
        if (rc == ASSAY_ERR_UNSUPPORTED || rc == ASSAY_ERR_USAGE) rc = 0; /* a metric that no context has */
    }
    r->state.metric = shown;
    json_end(j);
    return rc;
}

static int put_function(struct request *r, struct json *j, uint32_t func, assay_error *err)
{
    const assay_table *t;
    TRY(table_functions(r, &t, err));
    json_key(j, "function");
    for (uint32_t i = 0; i < t->count; i++) {
        if (!func || t->func[i].v != func) continue;
        json_object(j);
        json_key(j, "calls");
        json_u64(j, t->calls[i]);
        json_key(j, "figures");
        json_array(j);
        for (uint32_t k = 0; k < t->column_count; k++) {
            json_object(j);
            json_key(j, "metric");
            json_string(j, t->columns[k].name);
            json_key(j, "unit");
            json_text(j, t->columns[k].metric.v ? units_name(t->profile, t->columns[k].metric) : t->columns[k].unit);
            json_key(j, "self");
            json_value(j, t->columns[k].type, t->self[(size_t)i * t->column_count + k]);
            json_key(j, "total");
            if (t->total)
                json_value(j, t->columns[k].type, t->total[(size_t)i * t->column_count + k]);
            else
                json_null(j);
            json_end(j);
        }
        json_end(j);
        json_end(j);
        return 0;
    }
    json_null(j);
    return 0;
}

int route_context(struct request *r, assay_error *err)
{
    struct json j;
    const assay_paths *s;
    unsigned view = 0;
    uint32_t id = 0, *stack = NULL;
    bool is_estimated = false;
    TRY(params_word(&r->params, "view", view_words, &view, err));
    TRY(params_u32(&r->params, "id", &id, err));
    TRY(params_end(&r->params, err));
    TRY(flame_paths(r, view, &s, &is_estimated, err));
    if (!id || id > s->count) FAIL(err, ASSAY_ERR_USAGE, "there is no box %u", id);
    TRY(list_stack(r, s, id, &stack, err));
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    put_place(&j, s, id);
    json_key(&j, "estimated");
    json_bool(&j, is_estimated);
    json_key(&j, "stack");
    json_array(&j);
    for (uint32_t d = 0; d < s->depth[id]; d++) {
        json_object(&j);
        put_place(&j, s, stack[d]);
        json_key(&j, "total");
        json_value(&j, s->type, s->total[stack[d]]);
        json_end(&j);
    }
    json_end(&j);
    TRY(put_metrics(r, &j, view, s, stack, s->depth[id], err));
    TRY(put_function(r, &j, s->func[id].v, err));
    state_command(r, &j, "tree", "--functions");
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}
