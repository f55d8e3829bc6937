/* What a target cannot hold, collected while a writer looks at a profile; see formats/format.h. */
#include <stdarg.h>
#include <stdio.h>

#include "analysis/coverage/copy.h"
#include "formats/format.h"

void losses_init(struct losses *l, struct mem *m)
{
    *l = (struct losses){ 0 };
    arena_init(&l->text, m);
}

void losses_done(struct losses *l)
{
    vec_done(l->text.mem, &l->list);
    arena_done(&l->text);
}

void losses_add(struct losses *l, const char *kind, uint64_t count, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    char *copy = arena_copy(&l->text, slice_of(text));
    assay_loss *loss = copy ? vec_push(l->text.mem, &l->list) : NULL;
    if (loss)
        *loss = (assay_loss){ kind, count, copy };
    else
        l->failed = true;
}

/* ---- what every format without room for it loses ---- */

static bool is_named(const struct losses *l, const char *kind)
{
    for (size_t i = 0; i < l->list.len; i++)
        if (strcmp(l->list.at[i].kind, kind) == 0) return true;
    return false;
}

/* A writer that said it in its own words, or knew that it has room after all, is not corrected. */
static void add_unnamed(const struct write_job *job, const char *kind, uint64_t count, const char *what)
{
    struct losses *l = job->losses;
    if (count && !is_named(l, kind)) losses_add(l, kind, count, "%s are not written", what);
}

static uint64_t count_named(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (slice_is(assay_profile_string(p, c->name[i]), name)) return c->value[i];
    return 0;
}

static uint64_t count_calls(const assay_profile *p)
{
    const struct assay_tree *t = assay_profile_tree(p);
    uint64_t contexts = 0, named = count_named(p, "calls");
    for (uint32_t i = 1; t->calls && i <= t->count; i++) contexts += t->calls[i] != 0;
    return named ? named : contexts;
}

static bool is_call(const struct assay_tree *t, uint32_t node)
{
    uint8_t relation = t->relation ? t->relation[node] : ASSAY_RELATION_LEXICAL;
    return relation == ASSAY_RELATION_CALL || relation == ASSAY_RELATION_INLINED_CALL;
}

/* Lines that are neither the first of a function nor that of a call. Columns that no row fills are NULL. */
static uint64_t count_lines(const assay_profile *p)
{
    const struct assay_graph *g = assay_profile_graph(p);
    const struct assay_tree *t = assay_profile_tree(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint64_t lines = 0;
    for (uint32_t i = 0; g->cost_line && i < g->cost_count; i++)
        lines += g->cost_line[i] && !(f->first_line && g->cost_line[i] == f->first_line[g->cost_func[i].v]);
    for (uint32_t i = 1; t->line && i <= t->count; i++) lines += t->line[i] && !is_call(t, i);
    return lines;
}

/* Lines alone have those of NYTProf's statements. */
static void count_metrics(struct losses_source *s, const assay_profile *p)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t i = 1; i <= m->count; i++) {
        bool is_of_lines = m->shapes && m->shapes[i] == ASSAY_SHAPE_LINES;
        if (m->total_double[i] != 0) *(is_of_lines ? &s->line_metrics : &s->metrics) += 1;
    }
}

/* Calls of functions in a file that does not say who calls. */
static uint64_t count_entries(const assay_profile *p)
{
    const struct assay_graph *g = assay_profile_graph(p);
    uint64_t count = 0;
    for (uint32_t i = 0; !g->arc_count && i < g->sum_count; i++)
        count += (g->sum_calls && g->sum_calls[i]) || (g->has_stated && g->has_stated[i] && g->stated_calls[i]);
    return count;
}

void losses_survey(struct losses *l, const assay_profile *p)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    struct losses_source *s = &l->source;
    *s = (struct losses_source){ .is_known = true, .shapes = assay_profile_offers(p) | assay_profile_shapes(p) };
    for (uint32_t i = 1; i <= f->count; i++) {
        s->modules += f->module && f->module[i].v != 0;
        s->files += f->file && f->file[i].v != 0;
    }
    s->lines = count_lines(p);
    count_metrics(s, p);
    s->entries = count_entries(p);
    s->streams = assay_profile_streams(p)->count;
    s->calls = count_calls(p);
    s->markers = count_named(p, "markers") + count_named(p, "instants") + count_named(p, "async_spans");
    s->counters = count_named(p, "counters");
}

/* By what the format says of itself (format.info): a format of costs, not of coverage or pictures, which select. */
static void complete(const struct write_job *job)
{
    const struct losses_source *had = &job->losses->source;
    uint32_t lacks = ~job->info->features, holds = job->info->holds;
    if (!(job->info->can & ASSAY_CAN_READ) || !(holds & (ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH))) return;
    if (had->line_metrics && !(holds & ASSAY_SHAPE_LINES) && !job->options->metric)
        losses_add(job->losses, "lines", had->line_metrics, "%u metrics of lines are not written", had->line_metrics);
    if (lacks & ASSAY_HAS_MODULES) add_unnamed(job, "modules", had->modules, "modules of functions");
    if (lacks & ASSAY_HAS_FILES) add_unnamed(job, "files", had->files, "files of functions");
    if (lacks & ASSAY_HAS_COST_LINES) add_unnamed(job, "lines", had->lines, "lines within functions");
    if ((lacks & ASSAY_HAS_STREAMS || is_named(job->losses, "estimated")) && had->streams > 1) add_unnamed(job, "streams", had->streams, "streams");
    if (had->shapes & ~holds & ASSAY_SHAPE_LABELS) add_unnamed(job, "labels", 1, "labels of samples");
    if (had->shapes & ~holds & ASSAY_SHAPE_TIMELINE) add_unnamed(job, "times", 1, "times");
    if (lacks & ASSAY_HAS_MARKERS) add_unnamed(job, "markers", had->markers, "markers");
    if (lacks & ASSAY_HAS_MARKERS) add_unnamed(job, "counters", had->counters, "counters");
    if (lacks & ASSAY_HAS_ENTRIES) add_unnamed(job, "calls", had->entries, "numbers of calls without callers");
    if (is_named(job->losses, "estimated") && had->metrics > 1 && !job->options->metric) add_unnamed(job, "metrics", had->metrics - 1, "other metrics");
    if (!(holds & ASSAY_SHAPE_GRAPH)) add_unnamed(job, "calls", had->calls, "numbers of calls");
}

int losses_settle(const struct write_job *job, assay_error *err)
{
    const struct losses *l = job->losses;
    if (l->source.is_known) complete(job);
    if (l->failed) return error_memory(err);
    if (!job->options->strict || !l->list.len) return 0;
    return error_set(err, ASSAY_ERR_LOSS, "%s%s%s cannot hold everything: %s", job->info->name, job->is_version_chosen ? " " : "",
                     job->is_version_chosen ? job->version : "", l->list.at[0].message);
}

void losses_add_regions(struct losses *l, const assay_profile *p)
{
    uint64_t count = assay_profile_coverage(p)->region_count;
    if (count && coverage_offsets_lack_lines(p))
        losses_add(l, "ranges", count, "ranges of text have no lines without the sources");
    else if (count)
        losses_add(l, "regions", count, "regions, blocks and statements with columns are not written");
}
