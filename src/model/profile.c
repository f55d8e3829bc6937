/* The sealed profile: references and tables. */
#include "model/profile.h"

#include "model/share.h"

void profile_free(assay_profile *p)
{
    struct mem *m = &p->mem;
    if (p->has_backing && p->backing.drop) p->backing.drop(p->backing_self);
    for (size_t i = 0; i < p->blocks.len; i++) mem_free(m, p->blocks.at[i].at, p->blocks.at[i].len);
    vec_done(m, &p->blocks);
    if (p->base) findings_init(&p->warnings, m);
    for (size_t i = 0; i < p->runs.len; i++) run_done(m, &p->runs.at[i]);
    vec_done(m, &p->runs);
    run_done(m, &p->summary);
    findings_done(&p->warnings);
    intern_done(&p->strings);
    share_free(p->share);
    assay_profile_release(p->base);
    mem_end(m);
    mem_free(m, p, sizeof *p);
}

assay_profile *assay_profile_retain(assay_profile *p)
{
    atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
    return p;
}

void assay_profile_release(assay_profile *p)
{
    if (p && atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) == 1) profile_free(p);
}

assay_slice assay_profile_string(const assay_profile *p, assay_str_id id) { return intern_get(&p->strings, id.v); }

const assay_slice *assay_profile_strings(const assay_profile *p, uint32_t *count)
{
    static const assay_slice none;
    *count = intern_count(&p->strings);
    return *count ? p->strings.strings.at : &none;
}

assay_str_id assay_profile_find_string(const assay_profile *p, const char *text) { return (assay_str_id){ intern_find(&p->strings, slice_of(text)) }; }

static const char *text_of(const assay_profile *p, uint32_t id)
{
    const char *text = intern_get(&p->strings, id).data;
    return text ? text : "";
}

const char *assay_profile_format(const assay_profile *p) { return text_of(p, p->format); }
const char *assay_profile_version(const assay_profile *p) { return text_of(p, p->version); }
assay_slice assay_profile_producer(const assay_profile *p) { return intern_get(&p->strings, p->producer); }
uint32_t assay_profile_shapes(const assay_profile *p) { return p->shapes; }
uint32_t assay_profile_offers(const assay_profile *p) { return p->offers; }

const struct assay_modules *assay_profile_modules(const assay_profile *p) { return &p->modules; }
const struct assay_files *assay_profile_files(const assay_profile *p) { return &p->files; }
const struct assay_funcs *assay_profile_funcs(const assay_profile *p) { return &p->funcs; }
const struct assay_metrics *assay_profile_metrics(const assay_profile *p) { return &p->metrics; }
const struct assay_scopes *assay_profile_scopes(const assay_profile *p) { return &p->scopes; }
const struct assay_stats *assay_profile_stats(const assay_profile *p) { return &p->stats; }
const struct assay_streams *assay_profile_streams(const assay_profile *p) { return &p->streams; }
const struct assay_tree *assay_profile_tree(const assay_profile *p) { return &p->tree; }
const struct assay_graph *assay_profile_graph(const assay_profile *p) { return &p->graph; }
const struct assay_lines *assay_profile_lines(const assay_profile *p) { return &p->lines; }
const struct assay_timeline *assay_profile_timeline(const assay_profile *p) { return &p->timeline; }
const struct assay_labels *assay_profile_labels(const assay_profile *p) { return &p->labels; }
const struct assay_markers *assay_profile_markers(const assay_profile *p) { return &p->markers; }
const struct assay_counters *assay_profile_counters(const assay_profile *p) { return &p->counters; }
const struct assay_coverage *assay_profile_coverage(const assay_profile *p) { return &p->coverage; }
const struct assay_attributes *assay_profile_attributes(const assay_profile *p) { return &p->attributes; }
const struct assay_counts *assay_profile_counts(const assay_profile *p) { return &p->counts; }

const assay_finding *assay_profile_warnings(const assay_profile *p, size_t *count)
{
    *count = p->warnings.list.len;
    return p->warnings.list.at;
}

uint64_t assay_profile_damage(const assay_profile *p, const assay_finding **first)
{
    size_t count;
    uint64_t errors = 0;
    const assay_finding *w = assay_profile_warnings(p, &count), *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (w[i].severity != ASSAY_ERROR) continue;
        errors += 1 + w[i].repeats;
        if (!found) found = &w[i];
    }
    if (first) *first = found;
    return errors;
}
