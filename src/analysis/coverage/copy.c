/* Coverage of one profile into the builder of another; see copy.h. */
#include "analysis/coverage/copy.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "model/entry.h"
#include "model/profile.h"
#include "model/schema.h"

assay_str_id coverage_copy_string(struct coverage_copy *k, uint32_t id)
{
    if (!id || id >= k->string_count) return (assay_str_id){ 0 };
    if (!k->string[id]) {
        assay_slice s = assay_profile_string(k->from, (assay_str_id){ id });
        k->string[id] = assay_build_string(k->to, s.data, s.len).v;
    }
    return (assay_str_id){ k->string[id] };
}

#define STRING(column, i) ((column) ? coverage_copy_string(k, (column)[i].v) : (assay_str_id){ 0 })

static bool is_dropped(const struct coverage_copy *k, uint32_t file) { return k->is_dropped && k->is_dropped[file]; }

static unsigned mark_of(const struct coverage_copy *k, uint32_t file, uint64_t line) { return k->marks ? line_marks_at(&k->marks[file], line) : 0; }

static void is_gone(struct coverage_copy *k, uint64_t hits) { k->hits_gone = wide_add_u64(k->hits_gone, hits); }

/* ---- functions ---- */

/* A row as columns have it, in ids of `to`; modules are those of `from`. */
#define COPY_STRING(id, at) coverage_copy_string(k, id)
#define COPY_MODULE(id, at)                                                                                                                                    \
    {                                                                                                                                                          \
        id                                                                                                                                                     \
    }
#define COPY_FILE(id, at) k->file[id]
#define COPY_FUNC(id, at) func_of(k, id)
#define COPY_BOOL(id, at) at
#define COPY_WORD(id, at) at
#define COPY_FLAGS(id, at) at
#define COPY_U32(id, at) at
#define COPY_U64(id, at) at
#define COPY_I64(id, at) at
#define COPY_F64(id, at) at
#define COPY(T, name, member, type, role, extent, ...) .name = COPY_##type(SCHEMA_ID_##extent(c->member, i), SCHEMA_AT_##extent(c->member, i)),

static void copy_func(struct coverage_copy *k, const struct assay_funcs *c, uint32_t i)
{
    struct schema_func row = { SCHEMA_FUNCS(COPY, _) };
    assay_func_id id = assay_build_func(k->to, row.name, row.file, row.module, row.offset, row.first_line);
    if (id.v) builder_fill_func(k->to, id, &row);
    k->func[i] = id.v;
}

static void copy_funcs(struct coverage_copy *k)
{
    const struct assay_funcs *f = assay_profile_funcs(k->from);
    for (uint32_t i = 1; i <= f->count; i++) {
        if (is_dropped(k, ID(f->file, i))) continue;
        if (k->root[i].region)
            k->func[i] = coverage_offsets_func(k, i).v;
        else
            copy_func(k, f, i);
    }
}

static assay_func_id func_of(const struct coverage_copy *k, uint32_t func) { return (assay_func_id){ k->func[func] }; }

static void copy_func_rows(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    const struct assay_funcs *f = assay_profile_funcs(k->from);
    for (uint32_t i = 0; i < c->func_count; i++) {
        uint32_t func = c->func[i].v, file = ID(f->file, func);
        uint32_t line = AT(f->first_line, func);
        if (is_dropped(k, file) || (func && !k->func[func])) continue;
        struct assay_coverage_func row = { SCHEMA_COVERAGE_FUNCS(COPY, _) };
        if (k->root[func].region) {
            struct offset_place place = coverage_offsets_place(k, k->root[func].region - 1);
            line = place.line;
            row.first_column = place.column;
            row.last_column = place.end_column;
        }
        bool is_marked = (mark_of(k, file, line) & MARK_LINE) != 0;
        if (is_marked) row.flags |= ASSAY_COVERAGE_EXCLUDED;
        assay_build_coverage_func(k->to, &row);
        k->rows_excluded += is_marked;
    }
}

/* ---- lines ---- */

static void judge_reached(struct coverage_copy *k, uint32_t file, uint32_t line, uint64_t hits)
{
    if (!k->found || !hits || !(mark_of(k, file, line) & MARK_UNREACHABLE)) return;
    findings_add(k->found, "M-4", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.200s:%u: marked as unreachable, but was executed",
                 assay_profile_string(k->from, assay_profile_files(k->from)->path[file]).data, line);
}

void coverage_copy_line(struct coverage_copy *k, uint32_t file, const struct assay_coverage_line *row)
{
    struct assay_coverage_line line = *row;
    if (mark_of(k, file, row->line) & MARK_LINE && !(row->flags & ASSAY_COVERAGE_EXCLUDED)) {
        line.flags |= ASSAY_COVERAGE_EXCLUDED;
        k->rows_excluded++;
        is_gone(k, row->hits);
        judge_reached(k, file, row->line, row->hits);
    }
    assay_build_coverage_line(k->to, &line);
}

static void copy_lines(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    for (uint32_t i = 0; i < c->line_count; i++) {
        uint32_t file = c->line_file[i].v;
        if (is_dropped(k, file)) {
            k->rows_dropped++;
            is_gone(k, c->line_hits[i]);
            continue;
        }
        coverage_copy_line(k, file, &(struct assay_coverage_line){ SCHEMA_COVERAGE_LINES(COPY, _) });
    }
}

/* ---- branches and the like ---- */

static bool is_excluded(struct coverage_copy *k, uint32_t file, uint32_t line, unsigned flags)
{
    unsigned mark = mark_of(k, file, line);
    bool is_marked = mark & (MARK_LINE | MARK_BRANCHES) || ((k->throw_branches || mark & MARK_EXCEPTIONS) && flags & ASSAY_COVERAGE_BRANCH_EXCEPTION);
    k->rows_excluded += is_marked;
    return is_marked;
}

void coverage_copy_branch(struct coverage_copy *k, uint32_t file, const struct assay_coverage_branch *row)
{
    struct assay_coverage_branch branch = *row;
    if (is_excluded(k, file, row->line, row->flags)) branch.flags |= ASSAY_COVERAGE_BRANCH_EXCLUDED;
    assay_build_coverage_branch(k->to, &branch);
}

static void copy_branches(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    for (uint32_t i = 0; i < c->branch_count; i++) {
        uint32_t file = c->branch_file[i].v;
        if (is_dropped(k, file)) continue;
        coverage_copy_branch(k, file, &(struct assay_coverage_branch){ SCHEMA_COVERAGE_BRANCHES(COPY, _) });
    }
}

/* Sums cannot be marked as excluded: what is not to be counted is left out. */
static void copy_sums(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    for (uint32_t i = 0; i < c->sum_count; i++) {
        uint32_t file = ID(c->sum_file, i), line = AT(c->sum_line, i);
        if (is_dropped(k, file) || is_excluded(k, file, line, 0)) continue;
        assay_build_coverage_sum(k->to, &(struct assay_coverage_sum){ SCHEMA_COVERAGE_SUMS(COPY, _) });
    }
}

static void copy_conditions(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    for (uint32_t i = 0; i < c->condition_count; i++) {
        uint32_t file = ID(c->condition_file, i);
        if (is_dropped(k, file)) continue;
        struct assay_coverage_condition row = { SCHEMA_COVERAGE_CONDITIONS(COPY, _) };
        if (is_excluded(k, file, row.line, row.flags)) row.flags |= ASSAY_COVERAGE_BRANCH_EXCLUDED;
        assay_build_coverage_condition(k->to, &row);
    }
}

/* A statement stands where it begins; other regions are gone when each of their lines is. */
static bool is_region_excluded(const struct coverage_copy *k, uint32_t file, uint8_t kind, uint64_t first, uint64_t last)
{
    if (!k->marks || !k->marks[file].count) return false;
    if (kind == ASSAY_REGION_STATEMENT) last = first;
    for (; first <= last; first++)
        if (!(line_marks_at(&k->marks[file], first) & MARK_LINE)) return false;
    return true;
}

static void copy_regions(struct coverage_copy *k)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    bool has_lines = c->region_first_column || c->region_last_column;
    for (uint32_t i = 0; i < c->region_count; i++) {
        uint32_t file = ID(c->region_file, i);
        if (is_dropped(k, file) || coverage_offsets_are(k, i)) continue;
        struct assay_coverage_region row = { SCHEMA_COVERAGE_REGIONS(COPY, _) };
        if (has_lines && is_region_excluded(k, file, row.kind, row.first, row.last)) {
            k->rows_excluded++;
            continue;
        }
        assay_build_coverage_region(k->to, &row);
    }
}

int coverage_copy_rows(struct coverage_copy *k, assay_error *err)
{
    k->string_count = (size_t)intern_count(&k->from->strings) + 1;
    k->func_count = (size_t)assay_profile_funcs(k->from)->count + 1;
    k->string = mem_zalloc(k->mem, k->string_count, sizeof *k->string);
    k->func = mem_zalloc(k->mem, k->func_count, sizeof *k->func);
    k->root = mem_zalloc(k->mem, k->func_count, sizeof *k->root);
    if (!k->string || !k->func || !k->root) return error_memory(err);
    coverage_offsets_find(k);
    copy_funcs(k);
    copy_lines(k);
    copy_func_rows(k);
    copy_branches(k);
    copy_sums(k);
    copy_conditions(k);
    copy_regions(k);
    TRY(coverage_offsets_copy(k, err));
    return assay_builder_failed(k->to);
}

void coverage_copy_done(struct coverage_copy *k)
{
    mem_free(k->mem, k->string, k->string_count * sizeof *k->string);
    mem_free(k->mem, k->func, k->func_count * sizeof *k->func);
    mem_free(k->mem, k->root, k->func_count * sizeof *k->root);
}

/* ---- facts ---- */

static bool is_whole(const struct coverage_copy *k)
{
    const struct assay_files *f = assay_profile_files(k->from);
    bool is_some_dropped = false;
    for (uint32_t i = 1; i <= f->count; i++) is_some_dropped |= is_dropped(k, i);
    return !is_some_dropped && !k->rows_excluded;
}

static assay_wide wide_less(assay_wide a, assay_wide b)
{
    assay_wide d = { a.low - b.low, a.high - b.high - (a.low < b.low) };
    return d.high < 0 ? (assay_wide){ 0, 0 } : d;
}

static void copy_metric(struct coverage_copy *k, uint32_t i)
{
    const struct assay_metrics *m = assay_profile_metrics(k->from);
    assay_slice name = assay_profile_string(k->from, m->name[i]);
    enum assay_type type = (enum assay_type)AT(m->type, i);
    const char *texts[3];
    const assay_str_id *columns[3] = { m->unit, m->description, m->formula };
    for (int t = 0; t < 3; t++) texts[t] = assay_profile_string(k->from, (assay_str_id){ ID(columns[t], i) }).data;
    assay_metric_id id = assay_build_metric(k->to, name.data ? name.data : "", texts[0], type, m->shapes ? m->shapes[i] : ASSAY_SHAPE_COVERAGE);
    if (texts[1] || texts[2] || AT(m->hidden, i)) assay_build_metric_text(k->to, id, texts[1], texts[2], AT(m->hidden, i));
    builder_copy_metric(k->to, id, k->from, i);
    if (!AT(m->has_stated, i)) return;
    if (type == ASSAY_F64)
        assay_build_metric_total(k->to, id, (assay_value){ .d = m->total_double[i] });
    else
        assay_build_metric_total_wide(k->to, id, slice_is(name, "hits") ? wide_less(wide_add(m->total[i], k->hits_made), k->hits_gone) : m->total[i]);
}

/* What a file states of itself holds no longer when some of its lines are not to be counted, or when it is one of several that were joined. */
static void copy_stated(struct coverage_copy *k, bool whole)
{
    const struct assay_coverage *c = assay_profile_coverage(k->from);
    for (uint32_t i = 0; i < c->stated_count; i++) {
        uint32_t file = ID(c->stated_file, i);
        if (file ? is_dropped(k, file) || ((k->throw_branches || (k->marks && k->marks[file].count)) && !whole) : !whole) continue;
        assay_build_coverage_stated(k->to, &(struct assay_coverage_stated){ SCHEMA_COVERAGE_STATED(COPY, _) });
    }
}

int coverage_copy_facts(struct coverage_copy *k)
{
    const struct assay_attributes *a = assay_profile_attributes(k->from);
    const struct assay_counts *n = assay_profile_counts(k->from);
    bool whole = is_whole(k);
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(k->from, &count);
    for (uint32_t i = 1; i <= assay_profile_metrics(k->from)->count; i++) copy_metric(k, i);
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(k->from, a->key[i]), value = assay_profile_string(k->from, a->value[i]);
        assay_build_attribute(k->to, (assay_stream_id){ 0 }, key.data, key.len, value.data, value.len);
    }
    for (uint32_t i = 0; whole && i < n->count; i++) assay_build_count(k->to, assay_profile_string(k->from, n->name[i]).data, n->value[i]);
    copy_stated(k, whole);
    for (size_t i = 0; i < count; i++) assay_build_warning(k->to, &warnings[i]);
    assay_build_source(k->to, assay_profile_format(k->from), assay_profile_version(k->from), assay_profile_producer(k->from).data);
    assay_build_offers(k->to, ASSAY_SHAPE_COVERAGE);
    return assay_builder_failed(k->to);
}
