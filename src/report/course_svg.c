/* One function over streams as a plot: in the order of ids, sorted, or as a histogram. Outliers are named. */
#include <stdio.h>

#include "analysis/core/function.h"
#include "analysis/core/units.h"
#include "base/number.h"
#include "base/slice.h"
#include "report/course.h"
#include "report/plot.h"

enum { NAMED = 6, POINTS = 300, TICKS = 8 };

struct series {
    const struct stream_course *c;
    const uint32_t *order; /* NULL = in the order of ids */
};

static uint32_t group_at(const struct series *s, uint32_t i) { return s->order ? s->order[i] : i + 1; }

static double x_of(const void *arg, uint32_t i)
{
    (void)arg;
    return i;
}

static double y_of(const void *arg, uint32_t i) { return stream_course_value(((const struct series *)arg)->c, group_at(arg, i)); }

static assay_slice tip_of(const struct report_course *x, const struct stream_course *c, uint32_t group, char buf[2 * STREAM_NAME])
{
    char name[STREAM_NAME], value[48];
    assay_slice s = stream_group_name(x->groups, group, name);
    value_text(value, false, ASSAY_F64, (assay_value){ .d = stream_course_value(c, group) }, units_name(x->groups->profile, x->metric));
    int len = snprintf(buf, 2 * STREAM_NAME, "%.*s: %s", (int)s.len, s.data, value);
    return (assay_slice){ buf, len > 0 ? (size_t)len : 0 };
}

static void put_ticks(struct plot *p, const struct report_course *x, const struct series *s)
{
    char buf[STREAM_NAME];
    uint32_t count = x->groups->count, step = count > TICKS ? (count - 1) / (TICKS - 1) : 1;
    for (uint32_t i = 0; i < count; i += step)
        plot_tick(p, i, s->order ? (assay_slice){ buf, number_put_u64(buf, i + 1) } : stream_group_name(x->groups, group_at(s, i), buf));
}

static void put_series(struct plot *p, const struct report_course *x, const struct series *s)
{
    char buf[2 * STREAM_NAME];
    const struct stream_course *c = s->c;
    uint32_t count = x->groups->count, named = 0;
    plot_line(p, count, x_of, y_of, s, 0);
    for (uint32_t i = 0; count <= POINTS && i < count; i++) plot_point(p, i, y_of(s, i), tip_of(x, c, group_at(s, i), buf), 0);
    plot_level(p, c->stat.mean, SLICE("mean"));
    for (uint32_t i = 0; i < count && named < NAMED; i++) {
        bool is_near = false; /* the farthest are named, wherever they stand */
        for (uint32_t k = 0; k < c->outlier_count && k < NAMED; k++) is_near |= c->outliers[k] == group_at(s, i);
        if (!is_near) continue;
        plot_mark(p, i, y_of(s, i), stream_group_name(x->groups, group_at(s, i), buf));
        named++;
    }
}

static void put_bins(struct plot *p, const struct report_course *x, const struct stream_course *c)
{
    const char *unit = units_name(x->groups->profile, x->metric);
    char from[48], to[48], buf[STREAM_NAME];
    for (uint32_t i = 0; i < c->bins; i++) {
        double left = c->bin_from + i * c->bin_width;
        value_text(from, false, ASSAY_F64, (assay_value){ .d = left }, unit);
        value_text(to, false, ASSAY_F64, (assay_value){ .d = left + c->bin_width }, unit);
        snprintf(buf, sizeof buf, "%u from %s to %s", c->bin[i], from, to);
        plot_bar(p, i, 1, c->bin[i], slice_of(buf));
        if (i % (c->bins / TICKS + 1) == 0) plot_tick(p, i, slice_of(from));
    }
    for (uint32_t i = 0; i < c->outlier_count && i < NAMED; i++) {
        double at = c->bin_width > 0 ? (stream_course_value(c, c->outliers[i]) - c->bin_from) / c->bin_width : 0;
        uint32_t bin = at < c->bins ? (uint32_t)at : c->bins - 1;
        double above = c->bin[bin] + p->y_to * (i + 1) / (2 * NAMED);
        plot_mark(p, at, above < p->y_to ? above : p->y_to, stream_group_name(x->groups, c->outliers[i], buf));
    }
}

static uint32_t fullest(const struct stream_course *c)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < c->bins; i++)
        if (c->bin[i] > most) most = c->bin[i];
    return most;
}

void report_course_svg(struct report *r, const struct report_course *x, uint32_t func, const struct stream_course *c, enum course_plot plot)
{
    struct function_info f = function_info_of(x->groups->profile, func);
    struct series s = { c, plot == COURSE_SORTED ? c->sorted : NULL };
    bool is_histogram = plot == COURSE_HISTOGRAM;
    assay_slice metric = metric_name(x->groups->profile, x->metric);
    char said[256], y_name[160], imbalance[48], lost[48];
    struct plot p = { .o = r->out,
                      .x_to = x->groups->count > 1 ? x->groups->count - 1 : 1,
                      .y_to = value_double(c->type, c->stat.max),
                      .unit = units_name(x->groups->profile, x->metric) };
    if (is_histogram) p = (struct plot){ .o = r->out, .x_to = c->bins, .y_to = fullest(c), .unit = "count" };
    number_percent(imbalance, c->stat.imbalance, 1);
    value_text(lost, false, ASSAY_F64, (assay_value){ .d = c->stat.lost }, units_name(x->groups->profile, x->metric));
    snprintf(said, sizeof said, "%u %s, imbalance %s, lost %s, %u outlier%s", x->groups->count,
             x->groups->count == 1 ? stream_by_words[x->groups->by] : stream_by_several[x->groups->by], imbalance, lost, c->outlier_count,
             c->outlier_count == 1 ? "" : "s");
    snprintf(y_name, sizeof y_name, "%.*s, %s", (int)(metric.len < 100 ? metric.len : 100), metric.data, c->by_total ? "total" : "self");
    plot_begin(&p, f.name, said,
               is_histogram            ? y_name
               : plot == COURSE_SORTED ? "largest first"
                                       : stream_by_words[x->groups->by],
               is_histogram ? stream_by_several[x->groups->by] : y_name);
    if (is_histogram)
        put_bins(&p, x, c);
    else {
        put_ticks(&p, x, &s);
        put_series(&p, x, &s);
    }
    plot_end(&p);
    r->shown++;
}
