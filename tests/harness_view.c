/* Views of a profile that was read: trees, callers, timelines, sources, differences, and contexts that are guessed. See harness.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/annotate/annotate.h"
#include "analysis/callers/callers.h"
#include "analysis/diff/paths.h"
#include "analysis/paths/estimate.h"
#include "analysis/timeline/chart.h"
#include "analysis/views/views.h"
#include "assay/diff.h"
#include "harness.h"

static const uint64_t limit = HARNESS_MADE_MEMORY;

/* ---- trees and callers ---- */

static void view_tree(const assay_profile *p, enum view_kind kind, enum view_detail detail)
{
    struct mem mem;
    struct view v;
    assay_error err = { 0 };
    if (!assay_profile_metrics(p)->count) return;
    struct view_options o = { .kind = kind, .detail = detail, .metric = { 1 }, .all_metrics = true, .sort = ASSAY_SORT_TOTAL, .limit = 500 };
    mem_init(&mem, limit);
    int rc = view_init(&v, &mem, p, &o, &err);
    harness_code(rc, &err, "view_init");
    for (size_t i = 0; rc == 0 && i < v.order.len; i++) harness_promise(v.rows.at[v.order.at[i]].is_shown, "a row in order is not shown");
    view_done(&v);
    harness_promise(mem.used == 0, "a view of a tree keeps %zu bytes", (size_t)mem.used);
}

static void view_blocks(const struct callers *c)
{
    struct callers_found found = { 0 };
    assay_error err = { 0 };
    int rc = callers_find(c, ".", &found, &err);
    harness_code(rc, &err, "callers_find");
    for (size_t i = 0; rc == 0 && i < found.len && i < 10; i++) {
        struct callers_block b;
        rc = callers_block_init(&b, c, found.at[i], &err);
        harness_code(rc, &err, "callers_block_init");
        callers_block_done(&b, c);
    }
    vec_done(c->mem, &found);
}

static void view_callers(const assay_profile *p, uint32_t depth)
{
    struct mem mem;
    struct callers c;
    assay_top *top = NULL;
    assay_error err = { 0 };
    struct callers_options o = { .all_metrics = depth == 1, .sort = ASSAY_SORT_TOTAL, .by_site = depth > 1, .depth = depth, .limit = 20, .is_collapsed = true };
    if (assay_top_new(p, &top, &err) != 0 || !top->metric_count) {
        assay_top_free(top);
        return;
    }
    mem_init(&mem, limit);
    int rc = callers_init(&c, &mem, p, top, &o, &err);
    harness_code(rc, &err, "callers_init");
    if (rc == 0) view_blocks(&c);
    callers_done(&c);
    assay_top_free(top);
    harness_promise(mem.used == 0, "callers keep %zu bytes", (size_t)mem.used);
}

static void estimate(const assay_profile *p)
{
    assay_profile *tree = NULL;
    assay_error err = { 0 };
    struct estimate_options o = { .max_nodes = 500, .max_memory = limit };
    int rc = estimate_tree(p, &o, &tree, &err);
    harness_made(tree, rc, &err, "estimate_tree");
}

/* ---- time ---- */

static void draw(struct timeline *t)
{
    static const uint32_t depths[] = { 1, 3, TIMELINE_INNERMOST };
    struct timeline_shares shares;
    struct timeline_picture picture;
    assay_error err = { 0 };
    uint32_t depth = 0;
    int rc = timeline_choose_depth(t, &depth, &err);
    harness_code(rc, &err, "timeline_choose_depth");
    rc = timeline_shares_at(t, depth, &shares, &err);
    harness_code(rc, &err, "timeline_shares_at");
    timeline_shares_done(&shares);
    rc = timeline_draw(t, 80, 10, depths, 3, &picture, &err);
    harness_code(rc, &err, "timeline_draw");
    timeline_picture_done(&picture);
    struct timeline_chart chart;
    rc = timeline_chart_draw(t, 80, 4, 100, &chart, &err);
    harness_code(rc, &err, "timeline_chart_draw");
    timeline_chart_done(&chart);
    struct timeline_totals totals;
    rc = timeline_totals_new(t, &totals, &err);
    harness_code(rc, &err, "timeline_totals_new");
    timeline_totals_done(&totals);
}

static void view_time(const assay_profile *p)
{
    struct mem mem;
    struct timeline t;
    struct time_window window;
    assay_error err = { 0 };
    harness_promise(time_window_parse("20%..60%", &window, &err) == 0, "a window in percent is none");
    mem_init(&mem, limit);
    int rc = timeline_init(&t, &mem, p, p, &err);
    harness_code(rc, &err, "timeline_init");
    for (int i = 0; rc == 0 && i < 2; i++) {
        rc = timeline_measure(&t, i ? &window : NULL, &err);
        harness_code(rc, &err, "timeline_measure");
        if (rc == 0) draw(&t);
    }
    timeline_done(&t);
    harness_promise(mem.used == 0, "a timeline keeps %zu bytes", (size_t)mem.used);
}

/* ---- sources and differences ---- */

static void annotate(const assay_profile *p)
{
    struct mem mem;
    struct annotate a;
    struct assay_filter none = { 0 };
    assay_error err = { 0 };
    mem_init(&mem, limit);
    int rc = annotate_init(&a, p, NULL, &none, NULL, &mem, &err);
    harness_code(rc, &err, "annotate_init");
    for (uint32_t i = 1; rc == 0 && i <= a.count && i <= 8; i++) {
        if (!annotate_has(&a, i)) continue;
        rc = annotate_file(&a, i, &err);
        harness_code(rc, &err, "annotate_file");
        if (rc == 0)
            annotate_select(&a, 1, 0, &(struct annotate_fold){ .only = a.cost.block ? ANNOTATE_ONLY_HOT : ANNOTATE_ONLY_MISSED, .context = 3, .least = 0.1 });
    }
    annotate_done(&a);
    harness_promise(mem.used == 0, "annotating keeps %zu bytes", (size_t)mem.used);
}

/* Contexts of the first metric, and their difference to themselves: none. */
static void compare_paths(const assay_profile *p)
{
    struct mem mem;
    struct paths paths;
    struct paths_diff diff;
    struct paths_diff_options o = { .by = PATHS_AFTER };
    assay_error err = { 0 };
    if (!assay_profile_metrics(p)->count) return;
    mem_init(&mem, limit);
    int rc = paths_init(&paths, &mem, p, (assay_metric_id){ 1 }, &err);
    harness_code(rc, &err, "paths_init");
    if (rc == 0) {
        rc = paths_diff_init(&diff, &mem, &paths, &paths, &o, &err);
        harness_code(rc, &err, "paths_diff_init");
        if (rc == 0) harness_promise(diff.new_count == 0 && diff.gone_count == 0, "contexts of a profile are not those of the same profile");
        paths_diff_done(&diff);
    }
    paths_done(&paths);
    harness_promise(mem.used == 0, "comparing contexts keeps %zu bytes", (size_t)mem.used);
}

static void compare_functions(const assay_profile *p)
{
    assay_profile_diff *diff = NULL;
    assay_error err = { 0 };
    struct assay_profile_diff_options o = { .max_memory = limit };
    harness_code(assay_profile_diff_new(p, p, &o, &diff, &err), &err, "assay_profile_diff_new");
    for (size_t i = 0; diff && i < diff->count; i++) harness_promise(diff->funcs[i].state == ASSAY_DIFF_CHANGED, "a function is new in the same profile");
    assay_profile_diff_free(diff);
}

static void compare_coverage(const assay_profile *p)
{
    assay_coverage_diff *diff = NULL;
    assay_error err = { 0 };
    struct assay_patch_options o = { .max_memory = limit };
    harness_code(assay_coverage_diff_new(p, p, NULL, &o, &diff, &err), &err, "assay_coverage_diff_new");
    if (diff) harness_promise(diff->before == diff->after && diff->before_hit == diff->after_hit, "coverage differs from itself");
    assay_coverage_diff_free(diff);
}

/* ---- everything ---- */

void harness_view(const assay_profile *p, struct choice *choice)
{
    for (int kind = VIEW_TOP_DOWN; kind <= VIEW_HOT_PATH; kind++)
        for (int detail = VIEW_CALL_SITES; detail <= VIEW_FUNCTIONS; detail++)
            if (harness_chosen(choice, 12)) view_tree(p, (enum view_kind)kind, (enum view_detail)detail);
    if (harness_chosen(choice, 6)) view_callers(p, 1);
    if (harness_chosen(choice, 6)) view_callers(p, 3);
    if (harness_chosen(choice, 4)) estimate(p);
    if (harness_chosen(choice, 3)) view_time(p);
    if (harness_chosen(choice, 6)) annotate(p);
    if (harness_chosen(choice, 6)) compare_paths(p);
    if (harness_chosen(choice, 6)) compare_functions(p);
    if (harness_chosen(choice, 6)) compare_coverage(p);
}
