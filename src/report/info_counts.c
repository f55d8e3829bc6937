/* The counts that `info` lists: what the reader stated, and what the analysis counts of coverage, each name once. */
#include "report/info.h"

#include "analysis/core/metric_choice.h"
#include "assay/analysis.h"

enum { COVERAGE_COUNTS = 15 };

/* A reader that was asked for totals only may have counted what the analysis would: its figure stands. */
static uint64_t stated_or(const assay_profile *p, const char *name, uint64_t counted)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (slice_is(assay_profile_string(p, c->name[i]), name)) return c->value[i];
    return counted;
}

static bool is_listed(const struct info_counts *list, assay_slice name)
{
    for (size_t i = 0; i < list->count; i++)
        if (slice_equal(list->at[i].name, name)) return true;
    return false;
}

/* The first `always` are shown as zeros too: every coverage format has them. */
static void add_coverage(const assay_profile *p, const assay_coverage_counts *n, struct info_counts *out)
{
    const struct {
        const char *name;
        uint64_t value;
    } all[COVERAGE_COUNTS] = {
        { "files", n->files },
        { "lines", n->lines },
        { "lines_hit", n->lines_hit },
        { "functions", n->functions },
        { "functions_hit", n->functions_hit },
        { "function_groups", n->groups },
        { "function_groups_hit", n->groups_hit },
        { "branches", n->branches },
        { "branches_hit", n->branches_hit },
        { "conditions", n->conditions },
        { "conditions_hit", n->conditions_hit },
        { "blocks", n->blocks },
        { "blocks_hit", n->blocks_hit },
        { "statements", n->statements },
        { "statements_hit", n->statements_hit },
    };
    const size_t always = 9;
    for (size_t i = 0; i < COVERAGE_COUNTS; i++) {
        bool is_shown = i < always || all[always + (i - always) / 2 * 2].value;
        if (is_shown) out->at[out->count++] = (struct info_count){ slice_of(all[i].name), stated_or(p, all[i].name, all[i].value) };
    }
}

void info_counts_make(struct report *r, const assay_profile *p, struct info_counts *out)
{
    const struct assay_counts *c = assay_profile_counts(p);
    assay_coverage_counts n;
    *out = (struct info_counts){ NULL, 0, (size_t)c->count + COVERAGE_COUNTS };
    out->at = mem_zalloc(r->mem, out->room, sizeof *out->at);
    bool done = out->at != NULL;
    if (done && assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE) {
        done = assay_coverage_count(p, &n, NULL, NULL) == 0;
        if (done) add_coverage(p, &n, out);
    }
    for (uint32_t i = 0; done && i < c->count; i++) {
        assay_slice name = assay_profile_string(p, c->name[i]);
        if (!is_listed(out, name)) out->at[out->count++] = (struct info_count){ name, c->value[i] };
    }
    if (!done) r->out_of_memory = true;
}

void info_counts_done(struct report *r, struct info_counts *c) { mem_free(r->mem, c->at, c->room * sizeof *c->at); }

bool info_is_internal(assay_slice name)
{
    static const char *const names[] = { "deflate_tag_offset", "inflated_bytes", "bytes_after_zlib_end", "null_runs",      "stored_bytes",
                                         "ctxinfos",           "cct_values",     "summary_values",       "default_metric", NULL };
    static const char *const prefixes[] = { "events.", "column.", "id-kind.", "scope.", "metric.", "metrics/", NULL };
    for (size_t i = 0; names[i]; i++)
        if (slice_is(name, names[i])) return true;
    for (size_t i = 0; prefixes[i]; i++)
        if (slice_starts(name, prefixes[i])) return true;
    return false;
}

assay_metric_id info_default(const assay_profile *p)
{
    assay_metric_id best = metric_default(&(struct metric_set){ .profile = p, .shapes = ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE });
    return best.v ? best : metric_default(&(struct metric_set){ .profile = p, .shapes = UINT32_MAX });
}
