/* The list of tables, the profiles, and cells; see tables.h. */
#include "analysis/tables/tables.h"

#include <string.h>

#include "analysis/tables/parts.h"
#include "assay/paths.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "model/profile.h"

/* ---- the list ---- */

/* Those that are not made of the schema, in the order in which they are listed. */
static const struct tables_table *const declared[] = { &tables_profiles, &tables_top,        &tables_tree,         &tables_caller,       &tables_line,
                                                       &tables_spread,   &tables_stream_top, &tables_covered,      &tables_coverage,     &tables_diff,
                                                       &tables_finding,  &tables_docs,       &tables_values_table, &tables_summary_table };

static int make_list(struct tables *t, assay_error *err)
{
    t->tables = arena_alloc(&t->arena, TABLES_MOST * sizeof *t->tables);
    if (!t->tables) return error_memory(err);
    for (; t->count < sizeof declared / sizeof *declared; t->count++) t->tables[t->count] = *declared[t->count];
    int raw = tables_raw(t, t->tables + t->count, TABLES_MOST - t->count);
    if (raw < 0) return error_memory(err);
    t->count += (unsigned)raw;
    for (unsigned i = 0; i < t->count; i++) t->tables[i].number = i;
    return 0;
}

int tables_init(struct tables *t, struct mem *mem, const struct assay_filter *filter, assay_error *err)
{
    *t = (struct tables){ .mem = mem, .filter = filter };
    arena_init(&t->arena, mem);
    return make_list(t, err);
}

const struct tables_table *tables_find(const struct tables *t, const char *name)
{
    for (unsigned i = 0; i < t->count; i++)
        if (strcmp(t->tables[i].name, name) == 0) return &t->tables[i];
    return NULL;
}

int tables_column(const struct tables_table *table, const char *name)
{
    for (unsigned i = 0; i < table->count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return (int)i;
    return -1;
}

const char *tables_type_name(enum tables_type type)
{
    static const char *const names[] = { "integer", "real", "text", "number", "integer" }; /* by enum tables_type */
    return names[type];
}

const char *tables_type_sql(enum tables_type type) { return type == TABLES_NUMBER ? "" : tables_type_name(type); }

/* ---- the profiles ---- */

static void drop_cache(struct tables *t, struct tables_cache *cache, const struct tables_ops *ops)
{
    if (ops->drop && cache->data) ops->drop(cache->data);
    for (size_t i = 0; i < cache->indexes.len; i++) {
        struct tables_index *x = &cache->indexes.at[i];
        mem_free(t->mem, x->head, x->head ? ((size_t)x->mask + 1) * sizeof *x->head : 0);
        mem_free(t->mem, x->next, x->next ? x->rows * sizeof *x->next : 0);
    }
    vec_done(t->mem, &cache->indexes);
    if (cache->arena.mem) arena_done(&cache->arena);
    *cache = (struct tables_cache){ 0 };
}

static void drop_profile(struct tables *t, struct tables_profile *p)
{
    for (unsigned i = 0; i < t->count; i++) drop_cache(t, &p->caches[i], t->tables[i].ops);
    assay_profile_release(p->contexts);
    assay_profile_release(p->input.profile);
    p->contexts = p->input.profile = NULL;
    p->has_contexts = false;
}

void tables_done(struct tables *t)
{
    for (size_t i = 0; i < t->profiles.len; i++) {
        drop_profile(t, t->profiles.at[i]);
        mem_free(t->mem, t->profiles.at[i], sizeof(struct tables_profile));
    }
    tables_same_done(t);
    vec_done(t->mem, &t->profiles);
    arena_done(&t->arena);
}

/* Texts are copied; a profile that was not read has no rows, and stands for nothing. */
static int take(struct tables *t, struct tables_profile *p, const struct tables_input *input, assay_error *err)
{
    p->input = *input;
    p->input.profile = input->profile ? assay_profile_retain(input->profile) : NULL;
    p->p = p->input.profile;
    p->input.name = input->name ? arena_copy(&t->arena, slice_of(input->name)) : NULL;
    p->input.path = arena_copy(&t->arena, slice_of(input->path ? input->path : ""));
    return p->input.path && (p->input.name || !input->name) ? 0 : error_memory(err);
}

int tables_add(struct tables *t, const struct tables_input *input, assay_error *err)
{
    struct tables_profile *p = mem_zalloc(t->mem, 1, sizeof *p), **to = p ? vec_push(t->mem, &t->profiles) : NULL;
    if (!to) {
        mem_free(t->mem, p, p ? sizeof *p : 0);
        return error_memory(err);
    }
    *to = p;
    p->number = (unsigned)t->profiles.len;
    tables_same_done(t);
    return take(t, p, input, err);
}

int tables_replace(struct tables *t, size_t number, const struct tables_input *input, assay_error *err)
{
    struct tables_profile *p = t->profiles.at[number - 1];
    drop_profile(t, p);
    tables_same_done(t);
    /* what compares profiles is computed again too */
    for (size_t i = 0; i < t->profiles.len; i++)
        for (unsigned k = 0; k < t->count; k++) drop_cache(t, &t->profiles.at[i]->caches[k], t->tables[k].ops);
    return take(t, p, input, err);
}

const assay_profile *tables_profile(const struct tables *t, size_t number) { return t->profiles.at[number - 1]->p; }

void tables_findings(struct tables *t, size_t number, const assay_finding *findings, size_t count)
{
    struct tables_input *in = &t->profiles.at[number - 1]->input;
    in->findings = findings;
    in->finding_count = count;
}

int tables_load(struct tables *t, struct tables_profile *p, const struct tables_table *table, assay_error *err)
{
    struct tables_cache *cache = &p->caches[table->number];
    if (cache->is_loaded) return 0;
    arena_init(&cache->arena, t->mem);
    int rc = p->p && table->ops->load ? table->ops->load(t, p, table, cache, err) : 0;
    cache->has_rows = rc == 0 && p->p;
    if (rc == 0 || rc == ASSAY_ERR_UNSUPPORTED) {
        cache->is_loaded = true;
        return 0;
    }
    drop_cache(t, cache, table->ops);
    return rc;
}

int tables_contexts(struct tables *t, struct tables_profile *p, const assay_profile **out, assay_error *err)
{
    struct assay_estimate_options o = { .size = sizeof o, .max_memory = t->mem->limit };
    *out = NULL;
    if (!p->has_contexts && !p->p->tree.count && p->p->shapes & ASSAY_SHAPE_GRAPH) {
        int rc = assay_estimate_new(p->p, &o, &p->contexts, err);
        if (rc != 0 && rc != ASSAY_ERR_UNSUPPORTED) return rc;
    }
    p->has_contexts = true;
    *out = p->p->tree.count ? p->p : p->contexts;
    return 0;
}

/* ---- cells ---- */

struct tables_cell cell_scratch(struct tables_place *at, const char *data, size_t len)
{
    at->scratch.len = 0;
    if (!vec_reserve(at->t->mem, &at->scratch, len + 1)) return cell_null();
    memcpy(at->scratch.at, data, len);
    return (struct tables_cell){ .kind = TABLES_STRING, .is_scratch = true, .s = { at->scratch.at, len } };
}

struct tables_cell cell_wide(assay_wide v)
{
    if (v.high == 0) return cell_u64(v.low);
    if (v.high == -1 && v.low > INT64_MAX) return cell_i64((int64_t)v.low);
    return cell_f64(wide_double(v));
}

struct tables_cell cell_share(enum assay_type type, assay_value v, double whole)
{
    double part = type == ASSAY_F64 ? v.d : type == ASSAY_I64 ? (double)v.i : (double)v.u;
    return whole != 0 ? cell_f64(part / whole) : cell_null();
}

assay_slice metric_name_of(const assay_profile *p, assay_metric_id m)
{
    return m.v && m.v <= p->metrics.count ? assay_profile_string(p, p->metrics.name[m.v]) : (assay_slice){ NULL, 0 };
}
