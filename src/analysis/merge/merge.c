/* Merging: see assay/merge.h for what it means, merge.h for how it is kept. This file has the three calls, and what is said of the whole. */
#include "analysis/merge/gather.h"

#include <stdlib.h>

#include "base/cancel.h"
#include "base/options.h"
#include "model/profile.h"

/* ---- begin and end ---- */

static struct index *const *indexes(struct assay_merger *m, struct index **list)
{
    struct index *all[] = { &m->module_index, &m->file_index, &m->func_index,      &m->unit_index,   &m->key_index,
                            &m->call_index,   &m->sum_index,  &m->condition_index, &m->region_index, &m->attribute_index };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) list[i] = all[i];
    return list;
}
enum { INDEXES = 10 };

assay_merger *assay_merger_new(const struct assay_merge_options *options, assay_error *err)
{
    assay_error local;
    struct index *list[INDEXES];
    err = error_enter(err, &local);
    struct assay_merger *m = calloc(1, sizeof *m);
    if (!m) {
        error_memory(err);
        return NULL;
    }
    if (OPTIONS_TAKE(struct assay_merge_options, max_memory, &m->options, options, err) != 0) {
        free(m);
        return NULL;
    }
    mem_init(&m->mem, (size_t)m->options.max_memory);
    intern_init(&m->strings, &m->mem);
    arena_init(&m->scratch, &m->mem);
    findings_init(&m->warnings, &m->mem);
    merge_cost_init(&m->cost, &m->mem);
    indexes(m, list);
    for (size_t i = 0; i < INDEXES; i++) index_init(list[i], &m->mem);
    return m;
}

void assay_merger_free(assay_merger *m)
{
    struct index *list[INDEXES];
    if (!m) return;
    for (size_t i = 0; i < m->units.len; i++) {
        merge_list_free(&m->mem, &m->units.at[i].lines);
        merge_list_free(&m->mem, &m->units.at[i].branches);
    }
    indexes(m, list);
    for (size_t i = 0; i < INDEXES; i++) index_done(list[i]);
    vec_done(&m->mem, &m->modules, &m->files, &m->funcs, &m->units, &m->keys, &m->calls, &m->sums, &m->conditions, &m->regions, &m->attributes);
    vec_done(&m->mem, &m->stated, &m->counts);
    merge_cost_free(&m->cost, &m->mem);
    findings_done(&m->warnings);
    arena_done(&m->scratch);
    intern_done(&m->strings);
    free(m);
}

/* ---- what is said of the whole ---- */

struct merge_attribute *merge_attribute_put(struct assay_merger *m, uint32_t key, uint32_t value)
{
    uint64_t hash = hash_mix(key, value);
    for (struct index_walk w = index_walk(&m->attribute_index, hash); index_next(&m->attribute_index, &w);) {
        struct merge_attribute *a = &m->attributes.at[w.id - 1];
        if (a->key == key && a->value == value) return a;
    }
    struct merge_attribute *a = vec_push(&m->mem, &m->attributes);
    if (!a) return NULL;
    *a = (struct merge_attribute){ .key = key, .value = value };
    return index_add(&m->attribute_index, hash, (uint32_t)m->attributes.len) ? a : NULL;
}

/* What is said of one stream among several says nothing of their sum. Names of tests that are folded say nothing any more. */
static int add_attributes(struct merge_input *in)
{
    const struct assay_attributes *t = assay_profile_attributes(in->p);
    uint32_t streams = assay_profile_streams(in->p)->count;
    for (uint32_t i = 0; i < t->count; i++) {
        if (!in->m->options.keep_tests && slice_is(assay_profile_string(in->p, t->key[i]), "test")) continue;
        struct merge_attribute *a = merge_attribute_put(in->m, merge_string(in, t->key[i].v), merge_string(in, t->value[i].v));
        if (!a) return error_memory(in->err);
        if (a->last != in->number) a->said = 0;
        a->last = in->number;
        a->said += MERGE_ID(t->stream, i) ? 1 : streams + 1;
    }
    for (size_t i = 0; i < in->m->attributes.len; i++) {
        struct merge_attribute *a = &in->m->attributes.at[i];
        a->seen += a->last == in->number && a->said >= streams;
    }
    return 0;
}

static int keep_counts(struct merge_input *in, const struct assay_counts *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        struct merge_number *k = vec_push(&in->m->mem, &in->m->counts);
        if (!k) return error_memory(in->err);
        *k = (struct merge_number){ SCHEMA_COUNTS(MERGE_TAKE, _) };
    }
    return 0;
}

static int keep_stated(struct merge_input *in)
{
    struct assay_merger *m = in->m;
    const struct assay_coverage *t = assay_profile_coverage(in->p);
    for (uint32_t i = 0; i < t->stated_count; i++) {
        struct merge_stated *s = vec_push(&m->mem, &m->stated);
        if (!s) return error_memory(in->err);
        *s = (struct merge_stated){ SCHEMA_COVERAGE_STATED(MERGE_TAKE, _) };
    }
    return keep_counts(in, assay_profile_counts(in->p));
}

static uint32_t put_text(struct merge_input *in, const char *text)
{
    if (!text || !*text) return 0;
    uint32_t id = intern_put(&in->m->strings, slice_of(text));
    in->m->no_memory |= !id;
    return id;
}

/* Format, version and producer are those of all inputs, or none. */
static int add_source(struct merge_input *in)
{
    struct assay_merger *m = in->m;
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(in->p, &count);
    uint32_t format = put_text(in, assay_profile_format(in->p)), version = put_text(in, assay_profile_version(in->p));
    uint32_t producer = put_text(in, assay_profile_producer(in->p).data);
    bool is_first = in->number == 1;
    m->format = is_first || m->format == format ? format : 0;
    m->version = is_first || (m->format && m->version == version) ? version : 0;
    m->producer = is_first || m->producer == producer ? producer : 0;
    m->shapes |= assay_profile_shapes(in->p);
    m->offers |= assay_profile_offers(in->p);
    for (size_t i = 0; i < count; i++) findings_copy(&m->warnings, &warnings[i]);
    return m->warnings.failed ? error_memory(in->err) : 0;
}

static int add_coverage(struct merge_input *in)
{
    TRY(merge_lines_add(in));
    TRY(merge_calls_add(in));
    TRY(merge_branches_add(in));
    TRY(merge_sums_add(in));
    TRY(merge_conditions_add(in));
    return merge_regions_add(in);
}

int assay_merger_add(assay_merger *m, const assay_profile *p, assay_error *err)
{
    assay_error local;
    struct merge_input in = { .m = m, .p = p, .number = m->inputs + 1, .err = error_enter(err, &local) };
    const uint32_t merged = ASSAY_SHAPE_COVERAGE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_LINES;
    if (!(assay_profile_shapes(p) & merged)) FAIL(in.err, ASSAY_ERR_UNSUPPORTED, "no coverage or cost data left after filtering");
    int rc = merge_names_begin(&in);
    if (rc == 0) rc = add_coverage(&in);
    if (rc == 0) rc = merge_cost_add(&in);
    if (rc == 0) rc = add_attributes(&in);
    if (rc == 0) rc = add_source(&in);
    if (rc == 0 && in.number == 1) rc = keep_stated(&in);
    if (rc == 0 && m->no_memory) rc = error_memory(in.err);
    merge_names_end(&in);
    m->inputs++;
    return cancel_end(rc, in.err);
}

/* ---- the result ---- */

assay_profile *assay_merger_finish(assay_merger *m, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct assay_build_options o = { .want = ASSAY_WANT_ALL & ~(uint32_t)ASSAY_WANT_WHOLE, .max_memory = m->options.max_memory };
    assay_builder *b = NULL;
    assay_profile *p = NULL;
    const struct team *team = m->options.together ? team_mine() : NULL;
    int rc = team ? merge_gather(m, team, err) : 0;
    if (rc != 0 || team_rank(team)) {
        assay_merger_free(m);
        cancel_end(rc, err);
        return NULL;
    }
    if (m->cost.left_out) merge_note(m, MERGE_LEFT_OUT, "%llu of them", (unsigned long long)m->cost.left_out);
    rc = m->inputs ? 0 : error_set(err, ASSAY_ERR_USAGE, "nothing to merge");
    if (rc == 0 && !(b = assay_builder_new(&o, err))) rc = ASSAY_ERR_MEMORY;
    if (rc == 0) rc = merge_emit(m, b, err);
    assay_merger_free(m);
    if (rc == 0 || (b && assay_builder_failed(b)))
        p = assay_builder_seal(b, err); /* which sets its own error */
    else
        assay_builder_free(b);
    if (!p) cancel_end(rc, err);
    return p;
}
