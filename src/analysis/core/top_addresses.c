/* See top_addresses.h. */
#include "analysis/core/top_addresses.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/core/profile_copy.h"
#include "assay/analysis.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "model/entry.h"
#include "model/graph_row.h"

enum { NAME = 4096 };

struct addressing {
    const assay_profile *p;
    const struct assay_graph *g;
    assay_builder *b;
    struct mem mem;
};

static bool has_addresses(const struct assay_graph *g)
{
    for (uint32_t i = 0; g->cost_address && i < g->cost_count; i++)
        if (g->cost_address[i]) return true;
    return false;
}

/* Modules and files keep their numbers: all of them are copied. */
static assay_func_id func_of(const struct addressing *t, uint32_t i)
{
    char name[NAME];
    const struct assay_funcs *f = assay_profile_funcs(t->p);
    uint32_t func = t->g->cost_func[i].v;
    uint64_t address = AT(t->g->cost_address, i);
    assay_slice of = func ? assay_profile_string(t->p, f->name[func]) : (assay_slice){ NULL, 0 };
    int len = address ? snprintf(name, sizeof name, "0x%" PRIx64, address) : snprintf(name, sizeof name, "<unknown address>");
    if (of.len && of.len < NAME / 2) len += snprintf(name + len, sizeof name - (size_t)len, " %.*s", (int)of.len, of.data);
    assay_file_id file = { address ? ID(t->g->cost_file, i) : 0 };
    uint32_t line = file.v ? AT(t->g->cost_line, i) : 0;
    assay_str_id text = assay_build_string(t->b, name, (size_t)len);
    assay_func_id made = assay_build_func(t->b, text, file, (assay_module_id){ ID(f->module, func) }, address, line);
    assay_build_func_kind(t->b, made, ASSAY_FUNC_PLAIN, line ? ASSAY_FUNC_BY_PLACE : 0);
    return made;
}

static int fill(struct addressing *t, assay_error *err)
{
    const struct assay_block *block = &t->g->block;
    size_t streams = (size_t)assay_profile_streams(t->p)->count + 1;
    SCRATCH(uint32_t, none, &t->mem, streams);
    SCRATCH(assay_metric_id, metrics, &t->mem, (size_t)block->metric_count + 1);
    if (!none || !metrics) return error_memory(err);
    for (size_t i = 1; i < streams; i++) none[i] = PROFILE_COPY_NONE;
    profile_copy_facts(t->p, t->b, none);
    profile_copy_metrics(t->p, t->b, block, ASSAY_SHAPE_GRAPH, metrics);
    assay_build_graph_metrics(t->b, metrics, block->metric_count);
    builder_copy_names(t->b, SCHEMA_T_MODULES, t->p);
    builder_copy_names(t->b, SCHEMA_T_FILES, t->p);
    for (uint32_t i = 0; i < t->g->cost_count; i++) {
        TRY(cancel_step(i, err));
        struct graph_row row = graph_cost_row(t->g, i);
        struct assay_place at = { .func = func_of(t, i) };
        if (row.len) assay_build_self(t->b, &at, t->g->cost_self + row.at, row.len);
    }
    return assay_builder_failed(t->b);
}

static int build(struct addressing *t, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    if (!has_addresses(t->g)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no cost by address");
    t->b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_SUMS, .max_memory = max_memory }, err);
    if (!t->b) return err->code;
    int rc = fill(t, err);
    if (rc != 0 && !assay_builder_failed(t->b)) {
        assay_builder_free(t->b);
        return rc;
    }
    *out = assay_builder_seal(t->b, err);
    return *out ? 0 : err->code;
}

int top_addresses_profile(const assay_profile *p, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    assay_profile *made = NULL;
    struct addressing t = { .p = p };
    mem_init(&t.mem, (size_t)max_memory);
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH) && assay_profile_shapes(p) & ASSAY_SHAPE_TREE) {
        TRY(assay_graph_new(p, NULL, &made, NULL, err));
        t.p = made;
    }
    t.g = assay_profile_graph(t.p);
    int rc = build(&t, max_memory, out, err);
    assay_profile_release(made);
    return rc;
}
