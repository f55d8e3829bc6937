/* One function over streams; see course.h. */
#include "report/verbs/course.h"

#include "analysis/core/top.h"
#include "analysis/streams/figures.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "report/verbs/over.h"

const char *const course_plots[] = { "line", "sorted", "histogram", NULL };

struct work {
    struct stream_groups groups;
    struct stream_rows rows;
};

static void work_done(struct work *w)
{
    stream_rows_done(&w->rows);
    stream_groups_done(&w->groups);
}

int course_show(assay_reporter *r, const char *path, const assay_profile *p, const assay_top *top, const struct metric_columns *columns, const uint32_t *rows,
                size_t count, enum stream_by by, assay_error *err)
{
    SCOPED(work_done) struct work w = { .groups = { 0 } };
    struct report_course x = { .verb = r->verb->about.name, .path = path, .groups = &w.groups };
    bool is_plot = r->set.has_plot;
    TRY(over_metric(columns, "--by", &x.metric, err));
    TRY(stream_groups_init(&w.groups, p, by, &r->mem, err));
    TRY(stream_rows_functions(&w.rows, p, top, NULL, &r->mem, err));
    if (is_plot && count > 1) report_say(r, "%s: %zu functions match; the most expensive one is drawn", path, count);
    if (!is_plot) report_course_begin_input(&r->report, &x);
    for (size_t i = 0; i < (is_plot && count ? 1 : count); i++) {
        SCOPED(stream_course_done) struct stream_course c = { .mem = NULL };
        TRY(stream_course_init(&c, &w.rows, rows[i], &w.groups, x.metric, true, &r->mem, err));
        if (is_plot)
            report_course_svg(&r->report, &x, top->func[rows[i]].v, &c, (enum course_plot)r->set.plot);
        else
            report_course(&r->report, &x, top->func[rows[i]].v, &c);
    }
    if (!is_plot) report_course_end_input(&r->report, &x);
    return 0;
}

int course_show_named(assay_reporter *r, const char *path, const assay_profile *p, const char *name, enum stream_by by, assay_error *err)
{
    SCOPED(top_drop) assay_top *top = NULL;
    SCOPED(metric_columns_done) struct metric_columns columns = { 0 };
    size_t count = 0;
    TRY(assay_top_new(p, &top, err));
    struct metric_set set = { .profile = p, .at = top->metrics, .count = top->metric_count };
    TRY(metric_columns_init(&columns, &r->mem, &set, r->set.metric, err));
    SCRATCH(uint32_t, rows, &r->mem, (size_t)top->count + 1);
    if (!rows) return error_memory(err);
    assay_top_order(p, top, ASSAY_SORT_TOTAL, metric_columns_key(&columns), rows);
    for (uint32_t i = 0; i < top->count; i++)
        if (slice_is(assay_profile_string(p, assay_profile_funcs(p)->name[top->func[rows[i]].v]), name)) rows[count++] = rows[i];
    if (!count) return error_hint(err, error_set(err, ASSAY_ERR_USAGE, "no function named '%.200s'", name), ASSAY_HINT_FUNCTION);
    return course_show(r, path, p, top, &columns, rows, count, by, err);
}

int course_check(const assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    if (s->has_plot && !s->has_over) FAIL(err, ASSAY_ERR_USAGE, "--plot needs --by");
    if (s->has_plot && (s->json || report_is_csv(s) || s->markdown))
        FAIL(err, ASSAY_ERR_USAGE, "--plot draws an SVG; it cannot be combined with --json, --csv or --markdown");
    if (s->has_plot && r->inputs > 1) FAIL(err, ASSAY_ERR_USAGE, "--plot draws one input");
    if (s->has_over && s->per_call) FAIL(err, ASSAY_ERR_USAGE, "--by and --per-call cannot be combined");
    return 0;
}
