/* A sealed profile with a tree -> a database: first what is lost, then the files, one after the other, each whole before the next begins. */
#include "formats/hpcdb/write.h"

#include "formats/hpcdb/open.h"

#include "base/cancel.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "base/slice.h"

/* ---- losses ---- */

static int lose_formulas(const struct hpcdb_plan *plan, struct losses *l, assay_error *err)
{
    uint64_t count;
    TRY(hpcdb_count_lost_formulas(plan, &count, err));
    if (count) losses_add(l, "formulas", count, "%llu formulas of computed metrics cannot be written", (unsigned long long)count);
    return 0;
}

/* What the tree says of its nodes that contexts do not have. */
static void lose_nodes(const struct hpcdb_plan *plan, struct losses *l)
{
    const struct assay_tree *t = assay_profile_tree(plan->p);
    uint64_t unknown = 0, other = 0;
    for (uint32_t i = 1; i <= t->count; i++) {
        uint8_t kind = NUMBER_AT(t->kind, i);
        unknown += NUMBER_AT(t->flags, i) & ASSAY_NODE_CALL_UNKNOWN && kind != ASSAY_NODE_ENTRY;
        other += kind == ASSAY_NODE_OTHER || NUMBER_AT(t->relation, i) == ASSAY_RELATION_OTHER;
    }
    if (unknown)
        losses_add(l, "paths", unknown, "%llu contexts with unknown callers are put below the known part of their call path", (unsigned long long)unknown);
    if (other)
        losses_add(l, "kinds", other, "%llu contexts of a kind or relation that hpcdb does not have are written as called functions",
                   (unsigned long long)other);
}

static void lose_scopes(const struct hpcdb_plan *plan, struct losses *l)
{
    const struct assay_scopes *s = assay_profile_scopes(plan->p);
    uint64_t count = 0;
    for (uint32_t i = 1; i <= s->count && !plan->is_stored; i++) count += NUMBER_AT(s->kind, i) == ASSAY_SCOPE_CUSTOM;
    if (count) losses_add(l, "scopes", count, "scopes are made of the costs of places; %llu custom ones are not written", (unsigned long long)count);
}

static void lose_timeline(const assay_profile *p, struct losses *l)
{
    const struct assay_timeline *t = assay_profile_timeline(p);
    uint64_t count = 0;
    for (uint32_t s = 0; t->begin && s <= t->stream_count; s++)
        if (NUMBER_AT(t->is_spans, s) || !slice_is(assay_profile_string(p, (assay_str_id){ ID_AT(t->unit, s) }), "ns")) count += t->begin[s + 1] - t->begin[s];
    if (count) losses_add(l, "timeline", count, "%llu event%s left out: only samples with times can be written", (unsigned long long)count, plural_is(count));
}

static void lose_sources(const struct hpcdb_plan *plan, struct losses *l)
{
    const struct assay_files *f = assay_profile_files(plan->p);
    uint64_t count = 0;
    for (uint32_t i = 1; i <= f->count; i++) {
        bool is_there = (NUMBER_AT(f->flags, i) & 1) || ID_AT(f->source, i);
        count += is_there && !(plan->own->copy_sources && hpcdb_has_source(plan, i));
    }
    if (count) losses_add(l, "sources", count, "%llu source text%s not copied", (unsigned long long)count, plural_is(count));
}

static int name_losses(const struct hpcdb_plan *plan, assay_error *err)
{
    struct losses *l = plan->job->losses;
    uint32_t others = assay_profile_shapes(plan->p) & ~(uint32_t)(ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    TRY(lose_formulas(plan, l, err));
    lose_nodes(plan, l);
    lose_scopes(plan, l);
    lose_timeline(plan->p, l);
    lose_sources(plan, l);
    if (others) losses_add(l, "shapes", 1, "only calling contexts and samples are written");
    return 0;
}

/* ---- files ---- */

int hpcdb_write_progress(const struct hpcdb_plan *plan, unsigned part, uint64_t done, uint64_t total, assay_error *err)
{
    const struct assay_write_options *o = plan->job->options;
    bool is_stopped = o->progress && o->progress(o->progress_arg, part * total + done, HPCDB_STEPS * total);
    return is_stopped || cancel_due() ? error_cancelled(err) : 0;
}

static int write_values(const struct hpcdb_plan *plan, struct output_dir *out, assay_error *err)
{
    SCOPED(hpcdb_write_profiles_done) struct hpcdb_profile_file f = { .plan = NULL };
    TRY(hpcdb_write_profiles(&f, plan, out, err));
    TRY(hpcdb_write_cct(&f, out, err));
    return hpcdb_plan_is_first(plan) ? hpcdb_write_profiles_end(&f, err) : 0;
}

/* In a team rank 0 writes what is written once. */
static int write_files(struct hpcdb_plan *plan, struct output_dir *out, assay_error *err)
{
    const struct team *t = hpcdb_plan_team(plan);
    bool is_first = hpcdb_plan_is_first(plan);
    TRY(hpcdb_plan_tree(plan, err));
    TRY(team_agree(t, is_first ? hpcdb_write_meta(plan, out, err) : 0, err));
    TRY(team_agree(t, write_values(plan, out, err), err));
    TRY(team_agree(t, hpcdb_write_traces(plan, out, err), err));
    return is_first ? hpcdb_write_yaml(plan, out, err) : 0;
}

static int begin(struct hpcdb_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err)
{
    TRY(hpcdb_plan_init(plan, p, job, err));
    if (!hpcdb_plan_is_first(plan)) return 0;
    TRY(name_losses(plan, err));
    return losses_settle(job, err);
}

int hpcdb_write(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err)
{
    SCOPED(hpcdb_plan_done) struct hpcdb_plan plan = { 0 };
    TRY(team_agree(job->team, begin(&plan, p, job, err), err));
    return write_files(&plan, out, err);
}
