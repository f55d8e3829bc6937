/* One merger into another, as if the inputs of the second had been added after those of the first: names, coverage and facts; join_cost.c has the cost.
 * Every row is folded by the functions that take those of an input. */
#include "analysis/merge/join.h"

#include "base/cancel.h"

/* ---- names ---- */

static int join_strings(struct join *j)
{
    uint32_t count = intern_count(&j->from->strings);
    for (uint32_t i = 1; i <= count; i++) {
        TRY(cancel_step(i, j->in.err));
        j->strings[i] = intern_put(&j->in.m->strings, intern_get(&j->from->strings, i));
        if (!j->strings[i]) return error_memory(j->in.err);
    }
    return 0;
}

static int join_modules(struct join *j)
{
    for (size_t i = 0; i < j->from->modules.len; i++) {
        const struct merge_module *row = &j->from->modules.at[i];
        j->modules[i + 1] = merge_module_put(j->in.m, &(struct merge_module){ SCHEMA_MODULES(JOIN_ROW, _) });
        if (!j->modules[i + 1]) return error_memory(j->in.err);
    }
    return 0;
}

static int join_files(struct join *j)
{
    size_t count = j->from->files.len;
    for (size_t i = 0; i < count; i++) {
        const struct merge_file *row = &j->from->files.at[i];
        struct merge_file said = { SCHEMA_FILES(JOIN_ROW, _).has_versions = row->has_versions };
        said.spelling = j->strings[row->spelling];
        TRY(cancel_step(i, j->in.err));
        TRY(merge_file_put(&j->in, &said, &j->files[i + 1]));
    }
    for (size_t i = 0; i < count; i++) {
        const struct merge_file *row = &j->from->files.at[i];
        merge_file_parent(j->in.m, j->files[i + 1], j->files[row->parent], row->parent_line);
    }
    return 0;
}

static int join_funcs(struct join *j)
{
    for (size_t i = 0; i < j->from->funcs.len; i++) {
        const struct merge_func *row = &j->from->funcs.at[i];
        TRY(cancel_step(i, j->in.err));
        j->funcs[i + 1] = merge_func_put(&j->in, &(struct merge_func){ SCHEMA_FUNCS(JOIN_ROW, _).seen = row->seen });
        if (!j->funcs[i + 1]) return error_memory(j->in.err);
    }
    return 0;
}

static int join_names(struct join *j)
{
    TRY(join_strings(j));
    TRY(join_modules(j));
    TRY(join_files(j));
    return join_funcs(j);
}

/* ---- lines and branches ---- */

static int join_keys(struct join *j)
{
#define JOIN_KEY_ROW(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(.name = JOIN_##type(row->name), )
    for (size_t i = 0; i < j->from->keys.len; i++) {
        const struct merge_branch_key *row = &j->from->keys.at[i];
        TRY(cancel_step(i, j->in.err));
        j->keys[i + 1] = merge_key_put(j->in.m, &(struct merge_branch_key){ SCHEMA_COVERAGE_BRANCHES(JOIN_KEY_ROW, _) });
        if (!j->keys[i + 1]) return error_memory(j->in.err);
    }
    return 0;
}

static int join_list(struct join *j, struct merge_list *to, const struct merge_list *from, const struct merge_kind *kind)
{
    j->rows.len = 0;
    if (!vec_reserve(&j->in.m->mem, &j->rows, from->count)) return error_memory(j->in.err);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t key = MERGE_AT(from->key, i), text = MERGE_AT(from->text, i);
        j->rows.at[i] = (struct merge_row){ merge_count(&from->hits, i), from->line[i], j->keys[key], j->strings[text], MERGE_AT(from->flags, i) };
    }
    TRY(merge_list_add(&j->in, to, kind, j->rows.at, from->count));
    to->has_versions |= from->has_versions;
    return 0;
}

static int join_units(struct join *j)
{
    for (size_t i = 0; i < j->from->units.len; i++) {
        const struct merge_unit *row = &j->from->units.at[i];
        uint32_t place = merge_unit_put(j->in.m, j->files[row->file], j->strings[row->test]);
        if (place == UINT32_MAX) return error_memory(j->in.err);
        struct merge_unit *to = &j->in.m->units.at[place];
        to->has_counts |= row->has_counts;
        to->has_only_hits |= row->has_only_hits;
        TRY(join_list(j, &to->lines, &row->lines, &merge_line_kind));
        TRY(join_list(j, &to->branches, &row->branches, &merge_branch_kind));
    }
    return 0;
}

/* ---- other rows of coverage ---- */

static int join_calls(struct join *j)
{
    for (size_t i = 0; i < j->from->calls.len; i++) {
        const struct merge_call *row = &j->from->calls.at[i];
        TRY(cancel_step(i, j->in.err));
        TRY(merge_call_put(&j->in, &(struct merge_call){ SCHEMA_COVERAGE_FUNCS(JOIN_ROW, _) }));
    }
    return 0;
}

static int join_sums(struct join *j)
{
    for (size_t i = 0; i < j->from->sums.len; i++) {
        const struct merge_sum *row = &j->from->sums.at[i];
        struct merge_sum said = { SCHEMA_COVERAGE_SUMS(JOIN_ROW, _).is_at_least = row->is_at_least };
        said.hit_in = row->hit_in ? row->hit_in + j->in.m->inputs : 0;
        TRY(cancel_step(i, j->in.err));
        TRY(merge_sum_put(&j->in, &said));
    }
    return 0;
}

static int join_conditions(struct join *j)
{
    for (size_t i = 0; i < j->from->conditions.len; i++) {
        const struct merge_condition *row = &j->from->conditions.at[i];
        TRY(cancel_step(i, j->in.err));
        TRY(merge_condition_put(&j->in, &(struct merge_condition){ SCHEMA_COVERAGE_CONDITIONS(JOIN_ROW, _) }));
    }
    return 0;
}

static int join_regions(struct join *j)
{
    for (size_t i = 0; i < j->from->regions.len; i++) {
        const struct merge_region *row = &j->from->regions.at[i];
        TRY(cancel_step(i, j->in.err));
        TRY(merge_region_put(&j->in, &(struct merge_region){ SCHEMA_COVERAGE_REGIONS(JOIN_ROW, _).is_uneven = row->is_uneven }));
    }
    return 0;
}

static int join_coverage(struct join *j)
{
    TRY(join_keys(j));
    TRY(join_units(j));
    TRY(join_calls(j));
    TRY(join_sums(j));
    TRY(join_conditions(j));
    return join_regions(j);
}

/* ---- facts ---- */

static int join_attributes(struct join *j)
{
    for (size_t i = 0; i < j->from->attributes.len; i++) {
        const struct merge_attribute *row = &j->from->attributes.at[i];
        struct merge_attribute *a = merge_attribute_put(j->in.m, j->strings[row->key], j->strings[row->value]);
        if (!a) return error_memory(j->in.err);
        a->seen += row->seen;
    }
    return 0;
}

/* Figures of one file are of use as long as there is no other. */
static int join_stated(struct join *j)
{
    struct assay_merger *m = j->in.m;
    for (size_t i = 0; i < j->from->stated.len; i++) {
        const struct merge_stated *row = &j->from->stated.at[i];
        struct merge_stated *to = vec_push(&m->mem, &m->stated);
        if (!to) return error_memory(j->in.err);
        *to = (struct merge_stated){ SCHEMA_COVERAGE_STATED(JOIN_ROW, _) };
    }
    for (size_t i = 0; i < j->from->counts.len; i++) {
        const struct merge_number *row = &j->from->counts.at[i];
        struct merge_number *to = vec_push(&m->mem, &m->counts);
        if (!to) return error_memory(j->in.err);
        *to = (struct merge_number){ SCHEMA_COUNTS(JOIN_ROW, _) };
    }
    return 0;
}

static int join_facts(struct join *j)
{
    struct assay_merger *m = j->in.m;
    const struct assay_merger *from = j->from;
    uint32_t format = j->strings[from->format], version = j->strings[from->version], producer = j->strings[from->producer];
    bool is_first = m->inputs == 0;
    TRY(join_attributes(j));
    if (is_first) TRY(join_stated(j));
    for (size_t i = 0; i < from->warnings.list.len; i++) findings_copy(&m->warnings, &from->warnings.list.at[i]);
    if (m->warnings.failed) return error_memory(j->in.err);
    m->format = is_first || m->format == format ? format : 0;
    m->version = is_first || (m->format && m->version == version) ? version : 0;
    m->producer = is_first || m->producer == producer ? producer : 0;
    m->shapes |= from->shapes;
    m->offers |= from->offers;
    m->is_saturated |= from->is_saturated;
    m->inputs += from->inputs;
    return 0;
}

/* ---- the whole ---- */

static int join_all(struct join *j)
{
    TRY(join_names(j));
    TRY(join_coverage(j));
    TRY(join_cost(j));
    return join_facts(j);
}

static bool make_maps(struct join *j, struct arena *maps)
{
    const struct assay_merger *from = j->from;
    struct {
        uint32_t **map;
        size_t count;
    } all[] = { { &j->strings, intern_count(&from->strings) },
                { &j->modules, from->modules.len },
                { &j->files, from->files.len },
                { &j->funcs, from->funcs.len },
                { &j->keys, from->keys.len },
                { &j->metrics, from->cost.metrics.len },
                { &j->scopes, from->cost.scopes.len },
                { &j->labels, from->cost.labels.len },
                { &j->sets, from->cost.sets.len },
                { &j->nodes, from->cost.tables[MERGE_NODES].keys.len } };
    bool done = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) done = (*all[i].map = arena_zalloc(maps, all[i].count + 1, sizeof **all[i].map)) && done;
    return done;
}

int merge_join(struct assay_merger *m, const struct assay_merger *from, assay_error *err)
{
    struct join j = { .in = { .m = m, .err = err }, .from = from };
    struct arena maps;
    if (!from->inputs) return 0;
    arena_init(&maps, &m->mem);
    int rc = make_maps(&j, &maps) ? join_all(&j) : error_memory(err);
    vec_done(&m->mem, &j.rows);
    arena_done(&maps);
    return rc;
}
