/* A tree -> cpuprofile: nodes in the order of the tree, and a sample for each visit of a stack, of one metric. */
#include <stdio.h>

#include "analysis/core/metric_choice.h"
#include "analysis/core/units.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "formats/v8-cpuprofile/cpuprofile.h"
#include "formats/v8-cpuprofile/visits.h"

enum { ROOT_ID = 1 };

struct writer {
    const struct stacks *s;
    const assay_profile *p;
    assay_metric_id metric;
    double factor; /* microseconds in one of it */
    bool is_time;
    struct cpuprofile_visits visits;
    struct json j;
    uint32_t root;          /* the node that is (root) itself; 0 = it is added */
    uint32_t *first, *next; /* children, by function node; first[0]: roots */
    uint32_t *id;           /* by function node; [0]: of the time without a stack */
    uint32_t *hits;         /* the same */
};

/* ---- the tree ---- */

static bool is_function_node(const struct writer *w, uint32_t node) { return w->s->frames.owner[node] == node; }

/* Chrome's profiles begin with one node called (root). */
static void find_root(struct writer *w)
{
    uint32_t only = w->first[0];
    if (only && !w->next[only] && slice_is(stacks_name(w->s, stacks_func(w->s, only)), "(root)")) w->root = only;
}

static int link_nodes(struct writer *w)
{
    uint32_t next_id = ROOT_ID;
    for (uint32_t node = (uint32_t)w->s->frames.len; node-- > 1;) {
        TRY(cancel_step(node, w->s->err));
        if (!is_function_node(w, node)) continue;
        uint32_t above = stacks_above(w->s, node);
        w->next[node] = w->first[above];
        w->first[above] = node;
    }
    find_root(w);
    for (uint32_t node = 1; node < w->s->frames.len; node++)
        if (is_function_node(w, node)) w->id[node] = node == w->root ? ROOT_ID : ++next_id;
    for (size_t i = 0; i < w->visits.list.len; i++) w->hits[w->visits.list.at[i].node]++;
    if (w->visits.list.len) w->hits[w->visits.list.at[w->visits.list.len - 1].node] += w->visits.again;
    if (w->hits[0]) w->id[0] = ++next_id;
    return 0;
}

/* ---- nodes ---- */

static void put_text(struct writer *w, const char *key, assay_slice text)
{
    json_key(&w->j, key);
    json_string(&w->j, text);
}

static void put_frame(struct writer *w, assay_slice name, uint32_t func)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    assay_slice file = func ? stacks_file(w->s, func) : SLICE("");
    uint32_t line = func && f->first_line ? f->first_line[func] : 0, column = func && f->first_column ? f->first_column[func] : 0;
    char script[24];
    number_put_u64(script, func && f->file ? f->file[func].v : 0);
    json_key(&w->j, "callFrame");
    json_object(&w->j);
    put_text(w, "functionName", name);
    json_key(&w->j, "scriptId");
    json_text(&w->j, script);
    put_text(w, "url", file.data ? file : SLICE(""));
    json_key(&w->j, "lineNumber");
    json_i64(&w->j, (int64_t)line - 1);
    json_key(&w->j, "columnNumber");
    json_i64(&w->j, (int64_t)column - 1);
    json_end(&w->j);
}

static void put_node(struct writer *w, uint32_t id, assay_slice name, uint32_t func, uint32_t hits)
{
    json_object(&w->j);
    json_key(&w->j, "id");
    json_u64(&w->j, id);
    put_frame(w, name, func);
    json_key(&w->j, "hitCount");
    json_u64(&w->j, hits);
}

/* The children of a function node, or of (root), which also has the time without a stack. */
static void put_children(struct writer *w, uint32_t node, bool is_root)
{
    json_key(&w->j, "children");
    json_array(&w->j);
    for (uint32_t child = w->first[node]; child; child = w->next[child]) json_u64(&w->j, w->id[child]);
    if (is_root && w->id[0]) json_u64(&w->j, w->id[0]);
    json_end(&w->j);
    json_end(&w->j);
}

static int put_nodes(struct writer *w)
{
    json_key(&w->j, "nodes");
    json_array(&w->j);
    if (!w->root) {
        put_node(w, ROOT_ID, SLICE("(root)"), 0, 0);
        put_children(w, 0, true);
    }
    for (uint32_t node = 1; node < w->s->frames.len; node++) {
        TRY(cancel_step(node, w->s->err));
        if (!is_function_node(w, node)) continue;
        uint32_t func = stacks_func(w->s, node);
        put_node(w, w->id[node], stacks_name(w->s, func), func, w->hits[node]);
        put_children(w, node, node == w->root);
    }
    if (w->id[0]) {
        put_node(w, w->id[0], SLICE("(idle)"), 0, w->hits[0]);
        json_end(&w->j);
    }
    json_end(&w->j);
    return output_failed(w->s->out);
}

/* ---- samples ---- */

static int put_samples(struct writer *w)
{
    const struct cpuprofile_visits *v = &w->visits;
    json_key(&w->j, "samples");
    json_array(&w->j);
    for (size_t i = 0; i < v->list.len + v->again; i++) {
        TRY(cancel_step(i, w->s->err));
        json_u64(&w->j, w->id[v->list.at[i < v->list.len ? i : v->list.len - 1].node]);
    }
    json_end(&w->j);
    return output_failed(w->s->out);
}

/* The time of a sample is that of the one before it and how long that one lasts. */
static int put_deltas(struct writer *w)
{
    const struct cpuprofile_visits *v = &w->visits;
    json_key(&w->j, "timeDeltas");
    json_array(&w->j);
    for (size_t i = 0; i < v->list.len + v->again; i++) {
        TRY(cancel_step(i, w->s->err));
        double us = i && i <= v->list.len ? v->list.at[i - 1].us : 0;
        stacks_put_number(&w->j, v->again && i == v->list.len ? us - v->rest : us);
    }
    json_end(&w->j);
    return output_failed(w->s->out);
}

static int write_document(struct writer *w)
{
    json_init_line(&w->j, w->s->out);
    json_object(&w->j);
    TRY(put_nodes(w));
    json_key(&w->j, "startTime");
    stacks_put_number(&w->j, w->visits.start);
    json_key(&w->j, "endTime");
    stacks_put_number(&w->j, w->visits.start + w->visits.us);
    TRY(put_samples(w));
    TRY(put_deltas(w));
    json_end(&w->j);
    return output_failed(w->s->out);
}

/* ---- losses ---- */

/* Lines with ticks, which reading for this target leaves out. */
static uint64_t ticks(const assay_profile *p)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (slice_is(assay_profile_string(p, c->name[i]), "position_ticks")) return c->value[i];
    return 0;
}

/* How many samples there are is told by the samples. */
static uint32_t other_metrics(const struct writer *w)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    uint32_t count = 0;
    for (uint32_t i = 1; i <= m->count; i++) {
        bool is_told = w->visits.is_timed && !w->visits.again && slice_is(assay_profile_string(w->p, m->name[i]), "hits");
        count += i != w->metric.v && !is_told;
    }
    return count;
}

static void note_losses(const struct writer *w)
{
    struct losses *l = w->s->job->losses;
    const struct cpuprofile_visits *v = &w->visits;
    uint32_t metrics = other_metrics(w);
    stacks_note_losses(w->s);
    if (metrics) losses_add(l, "metrics", metrics, "%u other metric%s not written", metrics, plural_is(metrics));
    if (!w->is_time) {
        assay_slice name = assay_profile_string(w->p, assay_profile_metrics(w->p)->name[w->metric.v]);
        losses_add(l, "units", 1, "'%.*s' is written as if it were microseconds", (int)(name.len < 80 ? name.len : 80), name.data);
    }
    if (v->streams > 1)
        losses_add(l, "streams", v->streams, v->is_timed ? "%u streams are written one after the other" : "%u streams are added up", v->streams);
    if (v->untimed) losses_add(l, "times", v->untimed, "times of %llu events are not written", (unsigned long long)v->untimed);
    if (v->moved) losses_add(l, "gaps", v->moved, "%llu samples begin where the one before them ends", (unsigned long long)v->moved);
    if (v->negative) losses_add(l, "negative", v->negative, "%llu figures below 0 are left out", (unsigned long long)v->negative);
    double off = v->start + v->us - v->start - v->us; /* what the end cannot hold */
    if (off < 0 || off > 0) losses_add(l, "fractions", 1, "the end is rounded, and with it the last sample: the start is too far from 0");
    if (v->wrong_end) losses_add(l, "end", 1, "the last sample lasts as long as the others do on average");
    if (ticks(w->p)) losses_add(l, "lines", ticks(w->p), "hits of lines are not written");
}

/* ---- all of it ---- */

static int choose_metric(struct writer *w)
{
    struct metric_set set = { .profile = w->p, .at = w->s->metrics, .count = w->s->metric_count };
    w->metric = metric_default(&set);
    if (!w->metric.v) FAIL(w->s->err, ASSAY_ERR_UNSUPPORTED, "v8-cpuprofile needs figures, and this file has none");
    double ns = units_ns(w->p, w->metric);
    w->is_time = ns > 0;
    w->factor = w->is_time ? ns / 1000 : 1;
    return 0;
}

static int write_tree(struct writer *w)
{
    struct mem *mem = w->s->job->mem;
    SCRATCH(uint32_t, first, mem, w->s->frames.len);
    SCRATCH(uint32_t, next, mem, w->s->frames.len);
    SCRATCH(uint32_t, id, mem, w->s->frames.len);
    SCRATCH(uint32_t, hits, mem, w->s->frames.len);
    if (!first || !next || !id || !hits) return error_memory(w->s->err);
    w->first = first;
    w->next = next;
    w->id = id;
    w->hits = hits;
    TRY(cpuprofile_visits_take(&w->visits, w->s, w->metric, w->factor));
    note_losses(w);
    TRY(losses_settle(w->s->job, w->s->err));
    TRY(link_nodes(w));
    return write_document(w);
}

static int write_all(struct stacks *s)
{
    struct writer w = { .s = s, .p = s->p, .visits = { .mem = s->job->mem } };
    TRY(choose_metric(&w));
    int rc = write_tree(&w);
    cpuprofile_visits_done(&w.visits);
    return rc;
}

int cpuprofile_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    return stacks_write(p, job, out, "v8-cpuprofile", write_all, err);
}
