/* Modules, files, functions and metrics of meta.db -> builder. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/units.h"
#include "base/cancel.h"
#include "formats/hpcdb/read.h"

static bool push(struct hpcdb_reader *r, struct hpcdb_numbers *v, uint32_t id)
{
    uint32_t *slot = vec_push(r->mem, v);
    if (slot) *slot = id;
    return slot != NULL;
}

static assay_str_id string(struct hpcdb_reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

static int read_modules(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb_path m;
    for (uint32_t i = 0; i < r->db->modules.count; i++) {
        hpcdb_module_at(r->db, i, &m);
        uint32_t id = m.path.data ? assay_build_module(r->b, string(r, m.path), (assay_str_id){ 0 }).v : 0;
        if (!push(r, &r->modules, id)) return error_memory(err);
        TRY(assay_builder_failed(r->b));
    }
    return 0;
}

/* A row for each entry; functions name the first one of a path. */
static int read_files(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb_path f;
    for (uint32_t i = 0; i < r->db->files.count; i++) {
        hpcdb_file_at(r->db, i, &f);
        uint32_t id = 0;
        if (f.path.data) {
            assay_str_id path = string(r, f.path);
            assay_file_id file = assay_build_file_new(r->b, path, (assay_module_id){ 0 });
            TRY(assay_builder_failed(r->b));
            if (f.flags & 1) assay_build_file_parent(r->b, file, (assay_file_id){ 0 }, 0, 1);
            while (r->file_of_path.len <= path.v)
                if (!push(r, &r->file_of_path, 0)) return error_memory(err);
            if (!r->file_of_path.at[path.v]) r->file_of_path.at[path.v] = file.v;
            id = r->file_of_path.at[path.v];
        }
        if (!push(r, &r->files, id)) return error_memory(err);
        TRY(assay_builder_failed(r->b));
    }
    return 0;
}

/* A function without a name is identified by where it is. */
static assay_str_id name_of(struct hpcdb_reader *r, const struct hpcdb_function *f)
{
    struct hpcdb_path place;
    char text[1200];
    if (f->name.data) return string(r, f->name);
    if (f->module != HPCDB_NONE) {
        hpcdb_module_at(r->db, f->module, &place);
        snprintf(text, sizeof text, "%.1000s+0x%" PRIx64, place.path.data ? place.path.data : "", f->offset);
    } else if (f->file != HPCDB_NONE) {
        hpcdb_file_at(r->db, f->file, &place);
        snprintf(text, sizeof text, "%.1000s:%u", place.path.data ? place.path.data : "", f->line);
    } else
        snprintf(text, sizeof text, "<unknown function>");
    return assay_build_string(r->b, text, strlen(text));
}

/* Entries that agree in name, module, file and line are one function: inlined clones have one each. */
static int read_functions(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb_function f;
    uint32_t last = 0;
    for (uint32_t i = 0; i < r->db->functions.count; i++) {
        TRY(cancel_step(i, err));
        hpcdb_function_at(r->db, i, &f);
        assay_module_id module = { f.module < r->modules.len ? r->modules.at[f.module] : 0 };
        assay_file_id file = { f.file < r->files.len ? r->files.at[f.file] : 0 };
        assay_func_id id = assay_build_func(r->b, name_of(r, &f), file, module, 0, f.line);
        if (id.v > last) {
            last = id.v;
            if (f.offset) assay_build_func_place(r->b, id, file, module, f.offset);
            if (!module.v && !file.v) assay_build_func_kind(r->b, id, ASSAY_FUNC_PLACEHOLDER, 0);
        }
        if (!push(r, &r->functions, id.v)) return error_memory(err);
        TRY(assay_builder_failed(r->b));
    }
    r->distinct_functions = last;
    return 0;
}

int hpcdb_read_names(struct hpcdb_reader *r, assay_error *err)
{
    TRY(read_modules(r, err));
    TRY(read_files(r, err));
    return read_functions(r, err);
}

/* ---- metrics ---- */

static enum assay_scope_kind kind_of(const struct hpcdb_scope *s)
{
    if (s->type == 1) return ASSAY_SCOPE_POINT;
    if (s->type == 2) return ASSAY_SCOPE_EXECUTION;
    if (s->type == 3 && slice_is(s->name, "function")) return ASSAY_SCOPE_FUNCTION;
    if (s->type == 0 && slice_is(s->name, "lex_aware")) return ASSAY_SCOPE_LEX_AWARE;
    return ASSAY_SCOPE_CUSTOM;
}

/* The column of a metric seen in this scope; scopes that are the model's own need no name. */
static assay_scope_id scope_of(struct hpcdb_reader *r, assay_metric_id m, uint32_t number)
{
    struct hpcdb_scope s;
    if (number == HPCDB_NONE) return (assay_scope_id){ 0 };
    hpcdb_scope_at(r->db, number, &s);
    enum assay_scope_kind kind = kind_of(&s);
    bool is_custom = kind == ASSAY_SCOPE_CUSTOM;
    return assay_build_scope(r->b, m, kind, is_custom ? (s.name.data ? s.name.data : "") : NULL, is_custom ? s.index : 0);
}

/* Column `id` of the model has this metric id in the file; the first to claim an id keeps it. */
static int map_column(struct hpcdb_reader *r, uint16_t *columns, struct hpcdb_metric_ids *v, uint32_t column, uint16_t metric, assay_error *err)
{
    if (column == 0) return assay_builder_failed(r->b);
    while (v->len <= column) {
        uint16_t *slot = vec_push(&r->store->mem, v);
        if (!slot) return error_memory(err);
        *slot = metric;
    }
    v->at[column] = metric;
    if (columns[metric] == 0) columns[metric] = (uint16_t)column;
    return 0;
}

/* The total: inclusive cost of the whole, which stands at context 0 of the summary; where no sum was stored it is added up. */
static double total_of(const struct hpcdb_reader *r, const struct hpcdb_inst *execution, const struct hpcdb_summary *sum)
{
    struct hpcdb_profile p;
    double total = 0;
    if (r->db->profiles.count == 0) return 0;
    hpcdb_profile_at(r->db, 0, &p);
    uint32_t at = hpcdb_find_ctx(&p, 0);
    if (sum) return at == HPCDB_NONE ? 0 : hpcdb_find_value(&p, hpcdb_ctx_run(&p, at), sum->id);
    for (uint32_t i = 1; i < r->db->profiles.count; i++) {
        hpcdb_profile_at(r->db, i, &p);
        at = hpcdb_find_ctx(&p, 0);
        if (at != HPCDB_NONE) total += hpcdb_find_value(&p, hpcdb_ctx_run(&p, at), execution->id);
    }
    return total;
}

static bool is_execution(const struct hpcdb_reader *r, uint32_t scope)
{
    struct hpcdb_scope s;
    if (scope == HPCDB_NONE) return false;
    hpcdb_scope_at(r->db, scope, &s);
    return s.type == 2;
}

static int shown_len(assay_slice s, int most) { return s.len < (size_t)most ? (int)s.len : most; }

/* "NAME: DESCRIPTION" of a column, as far as these say more than the metric's name. */
static void title_of(const struct hpcdb_column_root *c, assay_slice metric, char *out, size_t size)
{
    const assay_slice none = { "", 0 };
    assay_slice name = slice_equal(c->name, metric) || !c->name.len ? none : c->name;
    assay_slice more = slice_equal(c->description, metric) || slice_equal(c->description, c->name) || !c->description.len ? none : c->description;
    snprintf(out, size, "%.*s%s%.*s", shown_len(name, 500), name.data, name.len && more.len ? ": " : "", shown_len(more, 600), more.data);
}

/* What default.yaml says of the metric: its column's name and description, which scopes it shows, and whether people see it at first. */
static void describe(struct hpcdb_reader *r, assay_metric_id id, assay_slice metric)
{
    const struct hpcdb_column_root *c = hpcdb_taxonomy_column(&r->taxonomy, metric);
    const assay_slice none = SLICE("none"), nothing = { "", 0 };
    char title[1200], key[300], text[2000];
    if (!c) return;
    title_of(c, metric, title, sizeof title);
    if (title[0] || c->is_hidden) assay_build_metric_text(r->b, id, title[0] ? title : NULL, NULL, c->is_hidden);
    assay_slice inclusive = c->inclusive.len ? c->inclusive : none, exclusive = c->exclusive.len ? c->exclusive : c->custom.len ? nothing : none;
    assay_slice custom = c->custom.len && !slice_equal(c->custom, c->exclusive) ? c->custom : nothing;
    snprintf(key, sizeof key, "column.%.*s", shown_len(metric, 250), metric.len ? metric.data : "");
    snprintf(text, sizeof text, "%s%sinclusive %.*s, exclusive %.*s%s%.*s%s", title, title[0] ? "; " : "", shown_len(inclusive, 200), inclusive.data,
             shown_len(custom, 200), custom.data, custom.len && exclusive.len ? " or " : "", shown_len(exclusive, 200), exclusive.data,
             c->is_hidden ? "; hidden at first" : "");
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), text, strlen(text));
}

/* Of the metrics with a value, the one that stands first in default.yaml: the column that a viewer sorts by. */
static void prefer(struct hpcdb_reader *r, assay_slice metric)
{
    const struct hpcdb_column_root *c = hpcdb_taxonomy_column(&r->taxonomy, metric);
    if (c && !c->is_hidden && (!r->preferred || c < r->preferred)) r->preferred = c;
}

static int read_metric(struct hpcdb_reader *r, const struct hpcdb_metric *m, assay_error *err)
{
    char unit[UNITS_TEXT];
    struct hpcdb_inst inst, execution = { .off = 0 };
    struct hpcdb_summary stat, sum = { .off = 0 };
    units_in_name(m->name, unit);
    assay_metric_id id = assay_build_metric(r->b, m->name.data ? m->name.data : "", unit, ASSAY_F64, ASSAY_SHAPE_TREE);
    for (uint32_t i = 0; i < m->insts.count; i++) {
        hpcdb_inst_at(r->db, m, i, &inst);
        TRY(map_column(r, r->store->scope_of, &r->store->prop_ids, scope_of(r, id, inst.scope).v, inst.id, err));
        if (is_execution(r, inst.scope)) execution = inst;
    }
    for (uint32_t i = 0; i < m->summaries.count; i++) {
        hpcdb_summary_at(r->db, m, i, &stat);
        assay_scope_id scope = scope_of(r, id, stat.scope);
        assay_stat_id column = assay_build_stat(r->b, scope, stat.formula.data ? stat.formula.data : "", (enum assay_combine)stat.combine);
        TRY(map_column(r, r->store->stat_of, &r->store->stat_ids, column.v, stat.id, err));
        if (is_execution(r, stat.scope) && stat.combine == 0 && slice_is(stat.formula, "$$")) sum = stat;
    }
    /* what has no inclusive cost has no total, by the definition of these databases */
    double total = execution.off || sum.off ? total_of(r, &execution, sum.off ? &sum : NULL) : 0;
    assay_build_metric_total(r->b, id, (assay_value){ .d = total });
    describe(r, id, m->name);
    if (total != 0) prefer(r, m->name);
    return assay_builder_failed(r->b);
}

int hpcdb_read_metrics(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb_metric m;
    for (uint32_t i = 0; i < r->db->metrics.count; i++) {
        hpcdb_metric_at(r->db, i, &m);
        TRY(read_metric(r, &m, err));
    }
    if (r->preferred)
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, "default_metric", strlen("default_metric"), r->preferred->metric.data, r->preferred->metric.len);
    return assay_builder_failed(r->b);
}
