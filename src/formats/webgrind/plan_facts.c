/* The header lines of a webgrind file, and the list of what it cannot hold. */
#include <inttypes.h>

#include "assay/assay.h"
#include "base/number.h"
#include "base/plural.h"
#include "formats/webgrind/plan.h"
#include "model/entry.h"

#define ID_AT(column, i) ((column) ? (column)[i].v : 0)

/* ---- header lines ---- */

assay_slice webgrind_plan_metric(const struct webgrind_plan *plan)
{
    if (!plan->metric.v) return SLICE("Time");
    return assay_profile_string(plan->p, assay_profile_metrics(plan->p)->name[plan->metric.v]);
}

static assay_slice attribute(const assay_profile *p, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; a && i < a->count; i++)
        if (slice_is(assay_profile_string(p, a->key[i]), key)) return assay_profile_string(p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

/* Word `index` of s, empty when there is none. */
static assay_slice word_at(assay_slice s, uint32_t index)
{
    for (;;) {
        s = slice_trim(s);
        size_t len = 0;
        while (len < s.len && s.data[len] != ' ' && s.data[len] != '\t') len++;
        if (index-- == 0 || !len) return (assay_slice){ s.data, len };
        s.data += len;
        s.len -= len;
    }
}

/* Which of the events is written; readers take the first for granted. */
static uint32_t event_index(const struct webgrind_plan *plan)
{
    assay_slice events = attribute(plan->p, "events"), word;
    for (uint32_t i = 0; (word = word_at(events, i)).len; i++)
        if (slice_equal(word, webgrind_plan_metric(plan))) return i;
    return 0;
}

static void put_line(struct output *out, assay_slice key, assay_slice value)
{
    if (key.len) output_slice(out, key);
    output_text(out, ": ");
    webgrind_put_text(out, value);
}

static void put_attributes(const struct webgrind_plan *plan, struct output *out)
{
    const struct assay_attributes *a = assay_profile_attributes(plan->p);
    uint32_t event = event_index(plan);
    for (uint32_t i = 0; a && i < a->count; i++) {
        assay_slice key = assay_profile_string(plan->p, a->key[i]), value = assay_profile_string(plan->p, a->value[i]);
        if (slice_starts(key, "assay.") || webgrind_text_changes(key)) continue;
        if (event && (slice_is(key, "events") || slice_is(key, "summary"))) value = word_at(value, event);
        put_line(out, key, value);
    }
}

static size_t total_text(const struct webgrind_plan *plan, char *buf)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    if (plan->is_real || plan->scale != 1) {
        double v = (m->total_double ? m->total_double[plan->metric.v] : 0) * plan->scale;
        return number_put_u64(buf, v > 0 && v < 18446744073709549568.0 ? (uint64_t)(v + 0.5) : 0);
    }
    assay_wide total = plan->metric.v && m->total ? m->total[plan->metric.v] : (assay_wide){ 0, 0 };
    return number_put_wide(buf, total);
}

/* One word, for readers end it at the first blank. */
static void put_event(const struct webgrind_plan *plan, struct output *out)
{
    assay_slice name = webgrind_plan_metric(plan);
    if (plan->is_time) {
        put_line(out, SLICE("events"), SLICE("Time"));
        return;
    }
    output_text(out, "events: ");
    for (size_t i = 0; i < name.len; i++) output_char(out, (unsigned char)name.data[i] <= ' ' ? '_' : name.data[i]);
    output_printf(out, *plan->unit ? "_(%s)\n" : "%s\n", plan->unit);
}

static void put_synthetic(const struct webgrind_plan *plan, struct output *out)
{
    char total[64];
    assay_slice creator = attribute(plan->p, "creator");
    if (!creator.len) creator = assay_profile_producer(plan->p);
    put_line(out, SLICE("version"), SLICE("1"));
    if (creator.len)
        put_line(out, SLICE("creator"), creator);
    else
        output_printf(out, "creator: assay %s\n", assay_version());
    put_line(out, SLICE("cmd"), attribute(plan->p, "cmd"));
    put_line(out, SLICE("part"), SLICE("1"));
    put_event(plan, out);
    put_line(out, SLICE("summary"), (assay_slice){ total, total_text(plan, total) });
}

void webgrind_plan_headers(const struct webgrind_plan *plan, struct output *out)
{
    if (plan->keeps_headers)
        put_attributes(plan, out);
    else
        put_synthetic(plan, out);
}

/* ---- losses ---- */

static uint64_t count_addresses(const struct assay_graph *g)
{
    uint64_t count = 0;
    for (uint32_t i = 0; g->cost_address && i < g->cost_count; i++) count += g->cost_address[i] != 0;
    for (uint32_t i = 0; g->arc_address && i < g->arc_count; i++) count += g->arc_address[i] != 0;
    return count;
}

/* A count that the reader stated; 0 = it did not. */
static uint64_t stated_count(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (slice_is(assay_profile_string(p, c->name[i]), name)) return c->value[i];
    return 0;
}

/* Places with self cost that are not the line of their record. Where places were not asked for, the reader's count of cost records tells
 * whether there were more than one for each function or, where those were counted, for each entry. */
static uint64_t count_lines(const struct webgrind_plan *plan, const struct assay_graph *g)
{
    bool has_line = plan->layout->version == 7;
    uint64_t count = 0, records = stated_count(plan->p, "cost_records"), known = 0;
    for (uint32_t i = 0; has_line && !g->cost_count && i < g->sum_count; i++) known += g->sum_entered ? g->sum_entered[i] : 1;
    if (!g->cost_count) return records > known ? records - known : 0;
    for (uint32_t i = 0; g->cost_line && i < g->cost_count; i++) {
        uint32_t record = plan->record_of[ID_AT(g->cost_func, i)];
        count += g->cost_line[i] != (has_line && record ? plan->functions.at[record - 1].line : 0);
    }
    return count;
}

static void graph_losses(struct webgrind_plan *plan, struct losses *l)
{
    const struct assay_graph *g = assay_profile_graph(plan->p);
    if (!g) return;
    uint64_t lines = count_lines(plan, g), addresses = count_addresses(g);
    if (lines) losses_add(l, "lines", lines, "self cost of %" PRIu64 " places is put on the first line of their functions", lines);
    if (addresses) losses_add(l, "addresses", addresses, "%" PRIu64 " address%s left out", addresses, addresses == 1 ? " is" : "es are");
    uint64_t jumps = g->jump_count ? g->jump_count : stated_count(plan->p, "jumps");
    if (jumps) losses_add(l, "jumps", jumps, "%" PRIu64 " jump%s left out", jumps, plural_is(jumps));
}

static void shape_losses(struct webgrind_plan *plan, struct losses *l)
{
    const struct {
        uint32_t shape;
        const char *kind, *message;
    } shapes[] = {
        { ASSAY_SHAPE_LINES, "lines", "costs of source lines are left out" },
        { ASSAY_SHAPE_TIMELINE, "timeline", "the timeline is left out" },
        { ASSAY_SHAPE_COVERAGE, "coverage", "coverage is left out" },
        { ASSAY_SHAPE_TREE, "tree", "single invocations are added up: only version 4 keeps them" },
    };
    uint32_t has = assay_profile_shapes(plan->p);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (has & shapes[i].shape && !(shapes[i].shape == ASSAY_SHAPE_TREE && plan->layout->has_invocations))
            losses_add(l, shapes[i].kind, 1, "%s", shapes[i].message);
}

static void figure_losses(struct webgrind_plan *plan, struct losses *l)
{
    bool wrap = webgrind_wraps(plan->job);
    if (plan->too_large)
        losses_add(l, wrap ? "wrapped" : "saturated", plan->too_large, "%" PRIu64 " figures do not fit in 32 bits and are %s, the first in '%.*s'",
                   plan->too_large, wrap ? "written modulo 2^32" : "written as 4294967295",
                   (int)(plan->first_too_large.len > 200 ? 200 : plan->first_too_large.len), plan->first_too_large.data);
    if (plan->negative) losses_add(l, "negative", plan->negative, "%" PRIu64 " figures below 0 are written as 0", plan->negative);
    if (plan->scale != 1) {
        assay_slice name = webgrind_plan_metric(plan);
        losses_add(l, "units", 1, "'%.*s' becomes the event Time, in whole microseconds", (int)(name.len < 80 ? name.len : 80), name.data);
    }
    if (plan->fractions)
        losses_add(l, "fractions", plan->fractions, "%" PRIu64 " figure%s rounded to whole numbers", plan->fractions, plural_is(plan->fractions));
    if (plan->names_changed)
        losses_add(l, "names", plan->names_changed, "%" PRIu64 " name%s changed: newlines and NUL bytes become spaces", plan->names_changed,
                   plural_is(plan->names_changed));
}

void webgrind_plan_losses(struct webgrind_plan *plan)
{
    struct losses *l = plan->job->losses;
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    uint32_t streams = assay_profile_streams(plan->p)->count;
    if (m->count > 1) losses_add(l, "metrics", m->count - 1, "%" PRIu32 " of %" PRIu32 " metrics left out", m->count - 1, m->count);
    if (streams > 1) losses_add(l, "streams", streams, "%" PRIu32 " runs or parts are added up", streams);
    graph_losses(plan, l);
    shape_losses(plan, l);
    figure_losses(plan, l);
}
