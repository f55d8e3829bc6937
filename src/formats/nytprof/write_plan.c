/* Before a NYTProf stream is written: which metric in which unit, numbers of the files, names and lines of the subs, what is lost. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/core/metric_choice.h"
#include "analysis/core/units.h"
#include "base/intern.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/nytprof/write.h"

assay_slice nytprof_attribute(const struct nytprof_writer *w, assay_stream_id stream, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    for (uint32_t i = a ? a->count : 0; i-- > 0;)
        if (ID(a->stream, i) == stream.v && slice_is(assay_profile_string(w->p, a->key[i]), key)) return assay_profile_string(w->p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

/* ---- metrics ---- */

/* Seconds of one of its unit; what is no time counts as ticks. */
static double unit_seconds(struct nytprof_writer *w, assay_metric_id metric)
{
    double ns = units_ns(w->p, metric);
    if (ns > 0) return ns / 1e9;
    if (!w->no_time.v) w->no_time = metric;
    return 1 / w->ticks_per_sec;
}

/* The column of a block that was asked for, else the default. */
static uint32_t index_in(const struct nytprof_writer *w, const struct assay_block *block, const char *name)
{
    struct metric_set set = { .profile = w->p, .at = block->metrics, .count = block->metric_count };
    assay_error none = { 0 };
    uint32_t k = 0;
    if (block->metric_count && metric_choose_place(&set, name, &k, &none) != 0) (void)metric_choose_place(&set, NULL, &k, &none);
    return k;
}

static void plan_metrics(struct nytprof_writer *w)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    const char *name = w->job->options->metric;
    double v = 0;
    assay_slice tps = nytprof_attribute(w, (assay_stream_id){ 0 }, "ticks_per_sec");
    w->ticks_per_sec = tps.len && number_double(tps, &v) == NUMBER_OK && v > 0 && isfinite(v) ? v : 1e7;
    if (w->has_graph) {
        w->graph_k = index_in(w, &w->graph->block, name);
        assay_metric_id id = w->graph->block.metrics[w->graph_k];
        w->graph_type = (enum assay_type)AT(m->type, id.v);
        w->to_seconds = unit_seconds(w, id);
    }
    w->line_type = w->graph_type;
    w->line_k = w->graph_k;
    w->to_ticks = w->to_seconds * w->ticks_per_sec;
    if (!w->has_lines) return;
    w->line_k = index_in(w, &w->lines->block, name);
    assay_metric_id id = w->lines->block.metrics[w->line_k];
    w->line_type = (enum assay_type)AT(m->type, id.v);
    w->to_ticks = unit_seconds(w, id) * w->ticks_per_sec;
}

/* ---- files ---- */

/* Parents come before their evals; a circle is cut where it is met. */
static void number_file(struct nytprof_writer *w, uint32_t file)
{
    while (!w->fid[file]) {
        uint32_t at = file, steps = 0;
        while (ID(w->files->parent, at) && !w->fid[w->files->parent[at].v] && steps++ < w->files->count) at = w->files->parent[at].v;
        w->fid[at] = ++w->fid_count;
        w->fid_file[w->fid_count] = at;
    }
}

static int plan_files(struct nytprof_writer *w)
{
    size_t count = (size_t)w->files->count + 2;
    w->fid = mem_zalloc(w->mem, count, sizeof *w->fid);
    w->fid_file = mem_zalloc(w->mem, count, sizeof *w->fid_file);
    if (!w->fid || !w->fid_file) return error_memory(w->err);
    for (uint32_t i = 1; i <= w->files->count; i++) number_file(w, i);
    if (!w->fid_count) w->fid_count = 1;
    w->fid[0] = 1;
    return 0;
}

/* ---- subs ---- */

static assay_slice text(struct nytprof_writer *w, const char *fmt, assay_slice a, assay_slice b)
{
    size_t room = a.len + b.len + 40;
    char *p = arena_text(&w->text, room);
    if (!p) return (assay_slice){ NULL, 0 };
    int len = snprintf(p, room, fmt, (int)a.len, a.data ? a.data : "", (int)b.len, b.data ? b.data : "");
    return (assay_slice){ p, len > 0 ? (size_t)len : 0 };
}

static assay_slice base_name(assay_slice path)
{
    for (size_t i = path.len; i-- > 0;)
        if (path.data[i] == '/') return (assay_slice){ path.data + i + 1, path.len - i - 1 };
    return path;
}

/* Perl's subs are known by name alone, and each has a package. Functions of one name get their file with it, then a number. */
static int name_sub(struct nytprof_writer *w, uint32_t f, struct intern *taken)
{
    assay_slice name = assay_profile_string(w->p, w->funcs->name[f]), first = name;
    if (!w->is_own && !slice_contains(name, "::")) name = text(w, "main::%.*s%.*s", name, (assay_slice){ NULL, 0 });
    if (name.data && intern_find(taken, name)) {
        uint32_t file = ID(w->funcs->file, f);
        assay_slice path = file ? base_name(assay_profile_string(w->p, w->files->path[file])) : SLICE("?");
        assay_slice with_file = text(w, "%.*s[%.*s]", name, path);
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, f);
        name = with_file.data && intern_find(taken, with_file) ? text(w, "%.*s#%.*s", with_file, slice_of(number)) : with_file;
    }
    if (!name.data || !intern_put(taken, name)) return error_memory(w->err);
    w->lost.names += !slice_equal(name, first);
    w->subs[f].name = name;
    return 0;
}

/* Where the profile does not know the lines of a function, its cost tells. */
static void widen_lines(struct nytprof_writer *w)
{
    const struct assay_graph *g = w->graph;
    for (uint32_t i = 0; i < g->cost_count; i++) {
        uint32_t f = g->cost_func[i].v, line = AT(g->cost_line, i);
        struct nytprof_out_sub *s = &w->subs[f];
        if (!line || AT(w->funcs->first_line, f) || ID(g->cost_file, i) != ID(w->funcs->file, f)) continue;
        if (!s->first || line < s->first) s->first = line;
        if (line > s->last) s->last = line;
    }
}

static void plan_lines(struct nytprof_writer *w)
{
    for (uint32_t f = 1; f <= w->funcs->count; f++) {
        struct nytprof_out_sub *s = &w->subs[f];
        s->first = AT(w->funcs->first_line, f);
        s->last = AT(w->funcs->last_line, f);
        if (s->last < s->first) s->last = s->first;
    }
    if (!w->is_own) widen_lines(w);
    for (uint32_t f = 1; f <= w->funcs->count && !w->is_own; f++) {
        struct nytprof_out_sub *s = &w->subs[f];
        bool is_plain = AT(w->funcs->kind, f) == ASSAY_FUNC_PLAIN;
        if (is_plain && !s->first) s->first = s->last = 1;
        if (!is_plain) s->first = s->last = 0;
    }
}

static int plan_subs(struct nytprof_writer *w)
{
    const struct assay_graph *g = w->graph;
    w->subs = mem_zalloc(w->mem, (size_t)w->funcs->count + 1, sizeof *w->subs);
    if (!w->subs) return error_memory(w->err);
    SCOPED(intern_done) struct intern taken;
    intern_init(&taken, w->mem);
    for (uint32_t f = 1; f <= w->funcs->count; f++) TRY(name_sub(w, f, &taken));
    plan_lines(w);
    uint32_t width = g->block.metric_count;
    for (uint32_t i = 0; i < g->arc_count; i++) {
        struct nytprof_out_sub *s = &w->subs[g->arc_callee[i].v];
        s->calls += g->arc_calls[i];
        if (g->arc_total && width) s->weight += nytprof_number(w->graph_type, g->arc_total[(size_t)i * width + w->graph_k]) * w->to_seconds;
        if (g->arc_self && width) s->held += nytprof_number(w->graph_type, g->arc_self[(size_t)i * width + w->graph_k]) * w->to_seconds;
    }
    for (uint32_t i = 0; i < g->sum_count && g->sum_self && width; i++) {
        double self = nytprof_number(w->graph_type, g->sum_self[(size_t)i * width + w->graph_k]) * w->to_seconds;
        struct nytprof_out_sub *s = &w->subs[g->sum_func[i].v];
        if (AT(g->sum_calls, i) || nytprof_is_uncounted(s)) s->self += self; /* else it is called by the program, in this stream */
        w->sub_seconds += self;
    }
    return 0;
}

/* ---- all ---- */

int64_t nytprof_ticks(const struct nytprof_writer *w, assay_value v)
{
    if (w->line_type == ASSAY_I64 && w->to_ticks == 1) return v.i;
    if (w->line_type == ASSAY_U64 && w->to_ticks == 1) return v.u > INT64_MAX ? INT64_MAX : (int64_t)v.u;
    double t = nytprof_number(w->line_type, v) * w->to_ticks;
    if (isnan(t)) return 0;
    return t >= 9e18 ? INT64_MAX : t <= -9e18 ? -INT64_MAX : (int64_t)llround(t);
}

/* The cost of row `i` of what becomes statements. */
static int64_t row_ticks(const struct nytprof_writer *w, uint32_t i)
{
    if (w->has_lines) return w->lines->self ? nytprof_ticks(w, w->lines->self[(size_t)i * w->lines->block.metric_count + w->line_k]) : 0;
    return nytprof_ticks(w, w->graph->cost_self[(size_t)i * w->graph->block.metric_count + w->graph_k]);
}

static uint64_t size_of(int64_t ticks) { return ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks; }

/* What one row may have where `splits` of all `rows` would be too many: `unit` for each record that it gets. */
static uint64_t most_of_one(uint64_t splits, uint64_t rows, uint64_t unit, uint64_t otherwise)
{
    uint64_t limit = NYTPROF_MAX_SPLITS + NYTPROF_MAX_SPLITS_EACH * rows;
    return splits > limit ? (limit / rows + 1) * unit : otherwise;
}

/* Whether the hits can be written, one event for each; a stream that may be compressed is where they are many. */
static void plan_hits(struct nytprof_writer *w, uint64_t hits, uint64_t rows)
{
    uint64_t plain = NYTPROF_PLAIN_EVENTS + NYTPROF_PLAIN_EVENTS_EACH * rows;
    bool may_pack = nytprof_is_packed(w->job->version) || !w->job->is_version_chosen;
    w->packs = nytprof_is_packed(w->job->version) || (may_pack && hits > plain && hits <= NYTPROF_MAX_EVENTS);
    w->most_hits = w->packs ? NYTPROF_MAX_EVENTS : plain;
    w->one_event = hits > w->most_hits;
    if (w->one_event) w->lost.hits = hits;
}

static void plan_calls(struct nytprof_writer *w)
{
    const struct assay_graph *g = w->graph;
    uint64_t splits = 0;
    for (uint32_t i = 0; i < g->arc_count; i++) splits += g->arc_calls[i] / UINT32_MAX;
    for (uint32_t i = 0; i < g->sum_count; i++) splits += nytprof_times_entered(g, i) / UINT32_MAX;
    w->most_calls = most_of_one(splits, (uint64_t)g->arc_count + g->sum_count, UINT32_MAX, UINT64_MAX);
    for (uint32_t i = 0; i < g->arc_count; i++) w->lost.calls += g->arc_calls[i] > w->most_calls;
}

/* How many events it takes, and what has to be cut where that is too much. */
static void plan_events(struct nytprof_writer *w)
{
    uint64_t hits = 0, splits = 0;
    uint32_t rows = w->has_lines ? w->lines->count : w->has_costs ? w->graph->cost_count : 0;
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t h = w->has_lines ? AT(w->lines->hits, i) : 1;
        int64_t ticks = row_ticks(w, i);
        hits = h > UINT64_MAX - hits ? UINT64_MAX : hits + h;
        splits += size_of(ticks) / INT32_MAX;
        if (!w->has_lines || AT(w->lines->level, i) == ASSAY_LEVEL_LINE) w->line_seconds += (double)ticks / w->ticks_per_sec;
    }
    plan_hits(w, hits, rows);
    w->most_ticks = most_of_one(splits, rows, INT32_MAX, INT64_MAX);
    for (uint32_t i = 0; w->most_ticks < INT64_MAX && i < rows; i++) w->lost.saturated += size_of(row_ticks(w, i)) > w->most_ticks;
    plan_calls(w);
}

int nytprof_plan(struct nytprof_writer *w)
{
    w->graph = assay_profile_graph(w->p);
    w->lines = assay_profile_lines(w->p);
    w->funcs = assay_profile_funcs(w->p);
    w->files = assay_profile_files(w->p);
    w->is_own = slice_is(slice_of(assay_profile_format(w->p)), "nytprof");
    w->has_graph = w->graph->block.metric_count && (w->graph->sum_count || w->graph->arc_count);
    w->has_lines = w->lines->block.metric_count && w->lines->count;
    w->has_costs = !w->has_lines && !w->is_own && w->has_graph && w->graph->cost_count;
    arena_init(&w->text, w->mem);
    if (!w->has_graph && !w->has_lines && !w->is_own)
        return error_set(w->err, ASSAY_ERR_UNSUPPORTED, "the profile has neither calls nor lines, which is all that nytprof can hold");
    plan_metrics(w);
    TRY(plan_files(w));
    TRY(plan_subs(w));
    plan_events(w);
    return 0;
}

void nytprof_plan_done(struct nytprof_writer *w)
{
    size_t files = (size_t)w->files->count + 2;
    if (w->fid) mem_free(w->mem, w->fid, files * sizeof *w->fid);
    if (w->fid_file) mem_free(w->mem, w->fid_file, files * sizeof *w->fid_file);
    if (w->subs) mem_free(w->mem, w->subs, ((size_t)w->funcs->count + 1) * sizeof *w->subs);
    arena_done(&w->text);
}

/* ---- losses ---- */

static uint64_t count_sites(const struct nytprof_writer *w)
{
    uint64_t lost = 0;
    for (uint32_t i = 0; i < w->graph->arc_count; i++) lost += !ID(w->graph->arc_file, i) || !AT(w->graph->arc_line, i);
    return lost;
}

static void lose_tables(const struct nytprof_writer *w, struct losses *l)
{
    const struct assay_graph *g = w->graph;
    uint64_t levels = 0;
    for (uint32_t i = 0; w->lines->level && i < w->lines->count; i++) levels += w->lines->level[i] != ASSAY_LEVEL_LINE;
    if (levels) losses_add(l, "blocks", levels, "%" PRIu64 " sums of blocks and subs are left out: they cannot be broken down by statement", levels);
    if (w->lines->total && w->has_lines) losses_add(l, "inclusive", w->lines->count, "inclusive costs of lines are left out");
    if (w->has_costs) losses_add(l, "hits", g->cost_count, "how often a line was executed is not known: each counts once");
    if (g->jump_count) losses_add(l, "jumps", g->jump_count, "%" PRIu32 " jump%s left out", g->jump_count, plural_is(g->jump_count));
    uint32_t others = assay_profile_shapes(w->p) & (uint32_t)(ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_COVERAGE);
    if (others & ASSAY_SHAPE_TREE) losses_add(l, "tree", assay_profile_tree(w->p)->count, "calling contexts are left out");
    if (others & ASSAY_SHAPE_COVERAGE) losses_add(l, "coverage", 1, "coverage is left out");
}

void nytprof_plan_losses(struct nytprof_writer *w)
{
    struct losses *l = w->job->losses;
    uint32_t extra = w->graph->block.metric_count > 1 ? w->graph->block.metric_count - 1 : 0;
    uint64_t sites = count_sites(w);
    if (w->no_time.v) {
        const struct assay_metrics *m = assay_profile_metrics(w->p);
        assay_slice name = assay_profile_string(w->p, m->name[w->no_time.v]);
        bool is_tick = slice_is(assay_profile_string(w->p, (assay_str_id){ ID(m->unit, w->no_time.v) }), "tick");
        losses_add(l, "units", 1, is_tick ? "'%.*s' has ticks of unknown length: 100 ns is assumed" : "'%.*s' is not a time: its figures are written as ticks",
                   (int)(name.len < 80 ? name.len : 80), name.data);
    }
    if (extra) losses_add(l, "metrics", extra, "%" PRIu32 " of %" PRIu32 " metrics left out", extra, extra + 1);
    if (w->is_own && assay_profile_offers(w->p) & ASSAY_SHAPE_TREE) losses_add(l, "events", 1, "single events and returns become sums");
    if (w->lost.names)
        losses_add(l, "names", w->lost.names, "%" PRIu64 " function%s renamed: names need a package and must be unique", w->lost.names,
                   plural_is(w->lost.names));
    if (sites) losses_add(l, "sites", sites, "%" PRIu64 " unknown call site%s put on the caller's first line", sites, plural_is(sites));
    if (w->lost.hits)
        losses_add(l, "hits", w->lost.hits, "%" PRIu64 " statements are more than the %" PRIu64 " that are written one by one%s: each line counts once",
                   w->lost.hits, w->most_hits, !w->packs && w->lost.hits <= NYTPROF_MAX_EVENTS ? " (nytprof:5.0z keeps them)" : "");
    if (w->lost.saturated)
        losses_add(l, "saturated", w->lost.saturated, "%" PRIu64 " line%s capped at %" PRIu64 " ticks", w->lost.saturated, plural_is(w->lost.saturated),
                   w->most_ticks);
    if (w->lost.calls)
        losses_add(l, "saturated", w->lost.calls, "%" PRIu64 " call site%s capped at %" PRIu64 " calls", w->lost.calls, plural_is(w->lost.calls),
                   w->most_calls);
    if (w->has_graph && w->graph->arc_count && !w->graph->arc_self)
        losses_add(l, "exclusive", w->graph->arc_count, "exclusive times of call sites are not known: each gets its share by inclusive time");
    lose_tables(w, l);
}
