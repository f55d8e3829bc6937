/* A tree -> folded stacks: one line for each distinct stack of names that has a cost, of one metric, sorted by bytes as some readers demand. */
#include <stdio.h>

#include "analysis/core/metric_columns.h"
#include "analysis/core/units.h"
#include "analysis/paths/estimate.h"
#include "analysis/paths/paths.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/folded/folded.h"
#include "formats/stacks/stacks.h"

/* What is to be written below an open node. */
struct entry {
    uint32_t node;
    bool is_line;   /* the stack that ends at the node; else what is below it */
    const char *by; /* its bytes from here to the end of the line, as far as they tell it from its neighbours */
};

struct writer {
    const struct write_job *job;
    struct output *out;
    struct paths paths;
    struct folded_tree tree; /* the rows by escaped name: functions that differ in file or module only become one */
    struct sums self;        /* by node of it */
    assay_slice unnamed;     /* what functions without a name are called */
    uint32_t *first, *next;  /* children, by node */
    struct arena text;
    VEC(struct entry) todo; /* the next one last */
    VEC(char) stack;        /* the open names, each with ';' behind it */
    VEC(size_t) depths;     /* where the name of each open node begins */
};

/* ---- the rows by name ---- */

static bool costs(enum assay_type type, assay_value v) { return type == ASSAY_U64 ? v.u > 0 : value_double(type, v) > 0; }

/* Readers drop empty names at the end of a stack, so there must be none: then they are called as stackcollapse-perf.pl calls them, wherever they are. */
static void name_unnamed(struct writer *w)
{
    for (uint32_t row = 1; row < w->paths.rows.len && !w->unnamed.len; row++)
        if (!paths_name(&w->paths, row).len && costs(w->paths.type, sums_value(&w->paths.self, row))) w->unnamed = SLICE("[unknown]");
}

/* A semicolon would begin a frame, a line end a line, and a NUL end the text. */
static uint32_t node_for(struct writer *w, uint32_t parent, assay_slice name)
{
    if (!name.len) name = w->unnamed;
    char *copy = arena_copy(&w->text, name);
    if (!copy) return 0;
    for (size_t i = 0; i < name.len; i++)
        if (copy[i] == ';' || copy[i] == '\n' || copy[i] == '\r' || copy[i] == '\0') copy[i] = copy[i] == ';' ? ':' : ' ';
    return folded_tree_child(&w->tree, parent, (assay_slice){ copy, name.len });
}

static bool join_rows(struct writer *w)
{
    size_t count = w->paths.rows.len;
    SCRATCH(uint32_t, node_of, w->job->mem, count);
    bool done = node_of != NULL;
    name_unnamed(w);
    for (uint32_t row = 1; done && row < count && (done = !cancel_at(row)); row++) {
        node_of[row] = node_for(w, node_of[w->paths.rows.at[row].parent], paths_name(&w->paths, row));
        done = node_of[row] != 0;
    }
    done = done && sums_init(&w->self, w->job->mem, w->paths.type, w->tree.nodes.len + 1);
    for (uint32_t row = 1; done && row < count && (done = !cancel_at(row)); row++) sums_add_sum(&w->self, node_of[row], &w->paths.self, row);
    return done;
}

static bool link_nodes(struct writer *w)
{
    size_t count = w->tree.nodes.len + 1;
    w->first = mem_zalloc(w->job->mem, count, sizeof *w->first);
    w->next = mem_zalloc(w->job->mem, count, sizeof *w->next);
    if (!w->first || !w->next) return false;
    for (uint32_t node = (uint32_t)w->tree.nodes.len; node-- > 1;) {
        uint32_t parent = w->tree.nodes.at[node].parent;
        w->next[node] = w->first[parent];
        w->first[parent] = node;
    }
    return true;
}

/* ---- lines ---- */

/* Digits without an exponent, as every reader takes them. */
static void put_number(char buf[64], enum assay_type type, assay_value v)
{
    if (type == ASSAY_U64)
        number_put_u64(buf, v.u);
    else if (type == ASSAY_I64)
        number_put_i64(buf, v.i);
    else {
        snprintf(buf, 64, "%.9f", v.d < 1e30 ? v.d : 1e30);
        size_t len = strlen(buf);
        while (len && buf[len - 1] == '0') buf[--len] = '\0';
        if (len && buf[len - 1] == '.') buf[--len] = '\0';
    }
}

static bool add_entry(struct writer *w, uint32_t node, bool is_line)
{
    char number[64] = "";
    assay_slice name = intern_get(&w->tree.names, w->tree.nodes.at[node].name);
    if (is_line) put_number(number, w->paths.type, sums_value(&w->self, node));
    size_t tail = strlen(number);
    char *text = arena_text(&w->text, name.len + tail + 2);
    struct entry *e = text ? vec_push(w->job->mem, &w->todo) : NULL;
    if (!e) return false;
    memcpy(text, name.data, name.len);
    text[name.len] = is_line ? ' ' : ';';
    memcpy(text + name.len + 1, number, tail + 1);
    *e = (struct entry){ node, is_line, text };
    return true;
}

static int last_first(const void *x, const void *y) { return strcmp(((const struct entry *)y)->by, ((const struct entry *)x)->by); }

static bool has_cost(const struct writer *w, uint32_t node) { return costs(w->paths.type, sums_value(&w->self, node)); }

static bool open_children(struct writer *w, uint32_t parent)
{
    size_t from = w->todo.len;
    for (uint32_t node = w->first[parent]; node; node = w->next[node]) {
        if (has_cost(w, node) && !add_entry(w, node, true)) return false;
        if (w->first[node] && !add_entry(w, node, false)) return false;
    }
    if (w->todo.len > from) sort_by(w->todo.at + from, w->todo.len - from, sizeof *w->todo.at, last_first);
    return true;
}

/* Closes what the node is not in. */
static void close_to(struct writer *w, uint32_t depth)
{
    while (w->depths.len > depth) w->stack.len = w->depths.at[--w->depths.len];
}

static bool push_name(struct writer *w, const char *text)
{
    size_t len = strlen(text), *depth = vec_push(w->job->mem, &w->depths);
    if (!depth || !vec_reserve(w->job->mem, &w->stack, len)) return false;
    *depth = w->stack.len;
    memcpy(w->stack.at + w->stack.len, text, len);
    w->stack.len += len;
    return true;
}

static bool put_lines(struct writer *w)
{
    SCRATCH(uint32_t, depth_of, w->job->mem, w->tree.nodes.len + 1);
    bool done = depth_of && open_children(w, 0);
    while (done && w->todo.len) {
        struct entry e = w->todo.at[--w->todo.len];
        uint32_t depth = depth_of[w->tree.nodes.at[e.node].parent];
        close_to(w, depth);
        if (e.is_line) {
            output_bytes(w->out, w->stack.at ? w->stack.at : "", w->stack.len);
            output_text(w->out, e.by);
            output_char(w->out, '\n');
            continue;
        }
        depth_of[e.node] = depth + 1;
        done = push_name(w, e.by) && open_children(w, e.node);
    }
    return done;
}

/* ---- all of it ---- */

static int choose_metric(const assay_profile *p, const struct write_job *job, uint32_t shapes, assay_metric_id *out, assay_error *err)
{
    return metric_choose_one(&(struct metric_set){ .profile = p, .shapes = shapes }, job->options->metric, out, err);
}

struct left_out {
    const assay_profile *p;
    assay_metric_id metric;
    struct sums *outside; /* one: what no stack has */
    uint64_t below;       /* figures below 0 */
};

static int note_cell(void *arg, const assay_cell *cell)
{
    struct left_out *o = arg;
    const struct assay_scopes *scopes = assay_profile_scopes(o->p);
    if (scopes->metric[cell->column].v != o->metric.v) return 0;
    o->below += value_double(o->outside->type, cell->value) < 0;
    if (!cell->node && scopes->kind[cell->column] == ASSAY_SCOPE_POINT) sums_add(o->outside, 0, cell->value);
    return 0;
}

/* Lines have a stack and a count above 0. */
static int note_left_out(const assay_profile *p, const struct write_job *job, assay_metric_id metric, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    assay_slice name = assay_profile_string(p, m->name[metric.v]);
    char number[64];
    SCOPED(sums_done) struct sums outside = { 0 };
    struct left_out o = { .p = p, .metric = metric, .outside = &outside };
    if (!sums_init(&outside, job->mem, (enum assay_type)m->type[metric.v], 1)) return error_memory(err);
    for (uint32_t s = 0; s <= assay_profile_streams(p)->count; s++)
        TRY(assay_tree_column(p, (assay_stream_id){ s }, (assay_scope_id){ 0 }, note_cell, &o, err));
    if (o.below) losses_add(job->losses, "negative", o.below, "%llu figures below 0 are left out", (unsigned long long)o.below);
    if (value_is_zero(outside.type, sums_value(&outside, 0))) return 0;
    put_number(number, outside.type, sums_value(&outside, 0));
    losses_add(job->losses, "outside", 1, "%s of '%.*s' has no stack and is left out", number, (int)(name.len < 80 ? name.len : 80), name.data);
    return 0;
}

static void note_losses(const assay_profile *p, assay_metric_id metric, struct losses *l)
{
    const char *unit = units_name(p, metric);
    assay_slice name = assay_profile_string(p, assay_profile_metrics(p)->name[metric.v]);
    if (!units_is_count(slice_of(unit)))
        losses_add(l, "units", 1, "the unit of '%.*s' (%s) is not written", (int)(name.len < 80 ? name.len : 80), name.data, unit);
    uint32_t metrics = assay_profile_metrics(p)->count, streams = assay_profile_streams(p)->count;
    if (metrics > 1) losses_add(l, "metrics", metrics - 1, "%u other metrics are not written", metrics - 1);
    if (streams > 1) losses_add(l, "streams", streams, "%u stream%s added up", streams, plural_is(streams));
}

static int write_stacks(struct writer *w, const assay_profile *p, assay_metric_id metric, assay_error *err)
{
    arena_init(&w->text, w->job->mem);
    folded_tree_init(&w->tree, w->job->mem);
    int rc = paths_init(&w->paths, w->job->mem, p, metric, err);
    size_t count = 0;
    if (rc == 0) {
        bool done = join_rows(w) && link_nodes(w) && put_lines(w);
        count = w->tree.nodes.len + 1;
        if (!done) rc = error_memory(err);
    }
    mem_free(w->job->mem, w->first, w->first ? count * sizeof *w->first : 0);
    mem_free(w->job->mem, w->next, w->next ? count * sizeof *w->next : 0);
    vec_done(w->job->mem, &w->todo, &w->stack, &w->depths);
    sums_done(&w->self);
    folded_tree_done(&w->tree);
    paths_done(&w->paths);
    arena_done(&w->text);
    return rc;
}

static int write_tree(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct writer w = { .job = job, .out = out };
    assay_metric_id metric;
    TRY(choose_metric(p, job, ASSAY_SHAPE_TREE, &metric, err));
    note_losses(p, metric, job->losses);
    TRY(note_left_out(p, job, metric, err));
    TRY(losses_settle(job, err));
    return write_stacks(&w, p, metric, err);
}

/* Without contexts, and unless an estimate is refused. */
static int write_estimate(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    assay_profile *made = NULL;
    struct estimate_options o = { .max_memory = job->mem->limit };
    TRY(choose_metric(p, job, ASSAY_SHAPE_GRAPH, &o.metric, err));
    int rc = estimate_tree(p, &o, &made, err);
    if (rc == 0) losses_add(job->losses, "estimated", 1, "stacks are estimated from a call graph: only the sums of functions are exact");
    if (rc == 0) rc = write_tree(made, job, out, err);
    assay_profile_release(made);
    return rc;
}

int folded_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (assay_profile_tree(p)->count) return write_tree(p, job, out, err);
    if (!job->options->no_estimate && assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) return write_estimate(p, job, out, err);
    FAIL(err, ASSAY_ERR_UNSUPPORTED, "folded stacks need call stacks, and this file has none");
}
