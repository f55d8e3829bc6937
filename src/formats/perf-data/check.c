/* The rules of perf.data beyond those of the decoder. Read warns of the same. */
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/perf-data/findings.h"

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

static void say_lost(struct pd_walk *w)
{
    if (w->lost_samples)
        findings_add(w->damage, "PD18", ASSAY_WARNING, w->lost_off, 0, "the kernel lost %llu samples, %.1f%% of all: its buffer was full",
                     (unsigned long long)w->lost_samples, percent(w->lost_samples, w->types[PD_SAMPLE] + w->lost_samples));
    else if (w->lost)
        findings_add(w->damage, "PD18", ASSAY_WARNING, w->lost_off, 0, "the kernel lost %llu records: its buffer was full", (unsigned long long)w->lost);
    if (w->throttles)
        findings_add(w->damage, "PD23", ASSAY_WARNING, w->throttle_off, 0, "the kernel slowed sampling down %s", w->throttles == 1 ? "once" : "several times");
}

static void say_mapping(struct pd_walk *w)
{
    const struct pd_stacks *s = &w->stacks;
    const struct pd_facts *f = &w->d.facts;
    if (s->unmapped * 20 > s->samples)
        findings_add(w->damage, "PD20", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu of %llu samples are at addresses where nothing is mapped",
                     (unsigned long long)s->unmapped, (unsigned long long)s->samples);
    if (f->has_times && s->has_times && (s->first_time < f->first_time || s->last_time > f->last_time))
        findings_add(w->damage, "PD20", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "samples are from %llu to %llu ns, but the file says from %llu to %llu",
                     (unsigned long long)s->first_time, (unsigned long long)s->last_time, (unsigned long long)f->first_time, (unsigned long long)f->last_time);
    if (w->late)
        findings_add(w->damage, "PD19", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                     "%llu sample%s older than what an earlier round had written: the recording was out of order", (unsigned long long)w->late,
                     plural_is(w->late));
}

static void say_stacks(struct pd_walk *w)
{
    const struct pd_stacks *s = &w->stacks;
    if (s->dumps > s->unwound)
        findings_add(w->damage, "PD22", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu of %llu stack dumps are not unwound: only the innermost function is shown",
                     (unsigned long long)(s->dumps - s->unwound), (unsigned long long)s->dumps);
    if (s->full)
        findings_add(w->damage, "PD32", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu call chain%s as long as it may be: outer functions may be missing",
                     (unsigned long long)s->full, plural_is(s->full));
    if (w->aux) findings_add(w->damage, "PD26", ASSAY_WARNING, w->aux_off, 0, "trace data of the processor (Intel PT, Arm SPE, CoreSight) is not decoded");
    if (!w->types[PD_SAMPLE]) findings_add(w->damage, "PD33", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "there are no samples");
    if (s->is_saturated)
        findings_add(w->damage, "PD35", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the sum of a stack is too large: %llu is used", (unsigned long long)UINT64_MAX);
}

/* Modules of which nothing is known, with their share of the first event. */
static void say_modules(struct pd_walk *w)
{
    const struct pd_frames *f = &w->frames;
    uint64_t all = 0;
    SCRATCH(uint64_t, unknown, w->job->mem, w->tracks.dsos.len + 1);
    if (!unknown) {
        w->damage->failed = true;
        return;
    }
    for (size_t i = 0; i < w->stacks.cells.len; i++) {
        const struct pd_cell *c = &w->stacks.cells.at[i];
        const struct pd_func *func = c->node ? &f->funcs.at[w->stacks.nodes.at[c->node - 1].func - 1] : NULL;
        if (c->event) continue;
        all += c->value;
        if (func && func->is_unknown) unknown[func->dso] += c->value;
    }
    for (size_t i = 1; i <= w->tracks.dsos.len; i++) {
        const struct pd_dso *dso = &w->tracks.dsos.at[i - 1];
        if (!unknown[i] || w->job->options->no_symbols) continue;
        findings_add(w->damage, "PD21", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%s: %.1f%% of %s is in functions whose names are not known%s", dso->name.data,
                     percent(unknown[i], all), w->d.attrs.at[0].name.data,
                     dso->kind == PD_DSO_KERNEL && !f->kernel ? "; a copy of its kallsyms would give them" : "");
    }
}

void pd_findings(struct pd_walk *w)
{
    say_lost(w);
    say_mapping(w);
    say_stacks(w);
    say_modules(w);
}

int pd_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct pd_walk w;
    int rc = pd_walk(&w, job, out, false, err);
    if (rc == 0 && !w.d.is_dead) {
        if (!w.d.attrs.len && !w.unfit) findings_add(out, "PD14", ASSAY_ERROR, w.d.is_pipe ? w.d.data_off : 32, 0, "there is no attribute");
        pd_findings(&w);
    }
    pd_walk_done(&w);
    return rc == 0 && out->failed ? error_memory(err) : rc;
}
