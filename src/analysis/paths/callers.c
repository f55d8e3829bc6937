/* Calling contexts from their ends: functions by what they cost themselves, and on each those that called it; see paths.h. The rows are those of a
 * bottom-up view. */
#include "analysis/paths/paths.h"
#include "analysis/views/views.h"
#include "base/error.h"
#include "base/scoped.h"

static int copy_rows(struct paths *s, const struct view *v, assay_error *err)
{
    size_t count = v->rows.len;
    if (!vec_reserve(s->mem, &s->rows, count) || !sums_init(&s->self, s->mem, s->type, count) || !sums_init(&s->total, s->mem, s->type, count))
        return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        const struct view_row *row = &v->rows.at[i];
        s->rows.at[i] =
            (struct path_row){ .parent = row->parent, .func = row->func, .depth = row->depth, .first = row->first, .next = row->next, .calls = row->calls };
        s->rows.len++;
        if (row->depth > s->depth && row->is_shown) s->depth = row->depth;
        if (i) sums_add(&s->total, i, row->self);
        if (i && !row->parent) sums_add(&s->total, 0, row->self);
    }
    s->rows.at[0].depth = 0;
    return 0;
}

int paths_init_callers(struct paths *s, struct mem *mem, const assay_profile *p, assay_metric_id metric, double least, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    SCOPED(view_done) struct view v = { 0 };
    struct view_options o = { .kind = VIEW_BOTTOM_UP, .detail = VIEW_FUNCTIONS, .metric = metric, .sort = ASSAY_SORT_SELF, .least = least };
    *s = (struct paths){ .mem = mem, .profile = p, .metric = metric, .type = m->type ? (enum assay_type)m->type[metric.v] : ASSAY_U64 };
    TRY(view_init(&v, mem, p, &o, err));
    return copy_rows(s, &v, err);
}
