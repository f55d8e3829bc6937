/* The names, metrics and attributes of a profile into the builder of its graph; see analysis/core/graph.h. Ids stay what they were. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/graph.h"
#include "analysis/core/profile_copy.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

assay_func_id graph_func(struct grapher *g, uint32_t func)
{
    static const char *const names[GRAPH_STAND_INS] = { "<program root>", "<unknown>" };
    uint32_t which = UINT32_MAX - func;
    if (which >= GRAPH_STAND_INS) return (assay_func_id){ func };
    if (!g->stand_in[which]) {
        assay_str_id name = assay_build_string(g->b, names[which], strlen(names[which]));
        assay_func_id id = assay_build_func_new(g->b, name, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_build_func_kind(g->b, id, ASSAY_FUNC_PLACEHOLDER, 0);
        g->stand_in[which] = id.v;
    }
    return (assay_func_id){ g->stand_in[which] };
}

/* ---- metrics ---- */

enum { NAME_MAX_LEN = 256 };

/* "CPUTIME (sec)" in nanoseconds is "CPUTIME (ns)". false = there is such a metric already, or the name is too long. */
static bool rename_metric(const struct grapher *g, assay_slice name, assay_slice unit, const char *to, char *out)
{
    char old[NAME_MAX_LEN];
    int len = snprintf(old, sizeof old, " (%.*s)", (int)(unit.len < 32 ? unit.len : 32), unit.data);
    size_t tail = (size_t)len, keep = name.len;
    if (name.len > tail && memcmp(name.data + name.len - tail, old, tail) == 0) keep -= tail;
    int n = snprintf(out, NAME_MAX_LEN, "%.*s (%s)", (int)(keep < NAME_MAX_LEN ? keep : NAME_MAX_LEN), name.data, to);
    return n > 0 && n < NAME_MAX_LEN && !assay_profile_find_string(g->p, out).v;
}

static bool is_seconds(assay_slice unit) { return slice_is(unit, "sec") || slice_is(unit, "s"); }

static assay_metric_id copy_metric(struct grapher *g, uint32_t i, uint32_t per_second, double *scale)
{
    const struct assay_metrics *m = assay_profile_metrics(g->p);
    assay_slice name = assay_profile_string(g->p, m->name[i]), unit = assay_profile_string(g->p, (assay_str_id){ ID(m->unit, i) });
    assay_slice text = assay_profile_string(g->p, (assay_str_id){ ID(m->description, i) });
    assay_slice formula = assay_profile_string(g->p, (assay_str_id){ ID(m->formula, i) });
    const char *to = per_second == 1000000 ? "us" : "ns";
    char renamed[NAME_MAX_LEN];
    enum assay_type type = (enum assay_type)AT(m->type, i);
    bool is_scaled = per_second && type == ASSAY_F64 && !formula.len && is_seconds(unit) && rename_metric(g, name, unit, to, renamed);
    *scale = is_scaled ? per_second : 0;
    g->lost->scaled_metrics += is_scaled;
    assay_metric_id id = assay_build_metric(g->b,
                                            is_scaled   ? renamed
                                            : name.data ? name.data
                                                        : "",
                                            is_scaled ? to : unit.data, is_scaled ? ASSAY_I64 : type, formula.len ? 0 : ASSAY_SHAPE_GRAPH);
    assay_build_metric_text(g->b, id, text.data, formula.data, AT(m->hidden, i));
    builder_copy_metric(g->b, id, g->p, i);
    return id;
}

/* Those with values are the graph's; formulas stay as texts. */
static int copy_metrics(struct grapher *g, uint32_t per_second, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(g->p);
    for (uint32_t i = 1; i <= m->count; i++) {
        double scale;
        struct columns c = columns_of(g->p, (assay_metric_id){ i });
        assay_metric_id to = copy_metric(g, i, per_second, &scale);
        if (to.v && to.v != i) FAIL(err, ASSAY_ERR_UNSUPPORTED, "two metrics would have the name of metric %u in another unit", i);
        if (!c.point.v && !c.function.v && !c.execution.v) continue;
        struct graph_metric *row = vec_push(g->mem, &g->metrics);
        if (!row) return error_memory(err);
        *row = (struct graph_metric){ { i }, to, (enum assay_type)AT(m->type, i), scale };
    }
    size_t n = g->metrics.len + 1;
    SCRATCH(assay_metric_id, list, g->mem, n);
    g->row = list ? mem_zalloc(g->mem, n, sizeof *g->row) : NULL;
    for (size_t k = 0; list && k < g->metrics.len; k++) list[k] = g->metrics.at[k].to;
    if (g->row) assay_build_graph_metrics(g->b, list, (uint32_t)g->metrics.len);
    return g->row ? 0 : error_memory(err);
}

/* ---- facts ---- */

/* What is said of one stream among several says nothing of their sum. */
void graph_copy_facts(const assay_profile *p, assay_builder *b)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    bool is_one = assay_profile_streams(p)->count <= 1;
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(p, &count);
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]), value = assay_profile_string(p, a->value[i]);
        if (is_one || !ID(a->stream, i)) assay_build_attribute(b, (assay_stream_id){ 0 }, key.data, key.len, value.data, value.len);
    }
    for (size_t i = 0; i < count; i++) assay_build_warning(b, &warnings[i]);
    assay_slice producer = assay_profile_producer(p);
    assay_build_source(b, assay_profile_format(p), assay_profile_version(p), producer.data);
}

int graph_copy(struct grapher *g, uint32_t per_second, assay_error *err)
{
    profile_copy_names(g->p, g->b);
    TRY(copy_metrics(g, per_second, err));
    graph_copy_facts(g->p, g->b);
    return 0;
}
