/* Merging: see assay/analysis.h for what it means, merge.h for how it is kept. This file has the three calls, and what is said of the whole. */
#include "analysis/merge.h"

#include <stdlib.h>

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
    struct index *list[INDEXES];
    struct assay_merger *m = calloc(1, sizeof *m);
    if (!m) {
        error_memory(err);
        return NULL;
    }
    if (options) m->options = *options;
    mem_init(&m->mem, (size_t)m->options.max_memory);
    m->mem.fail_at = m->options.fail_at;
    intern_init(&m->strings, &m->mem);
    arena_init(&m->scratch, &m->mem);
    findings_init(&m->warnings, &m->mem);
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
    vec_done(&m->mem, &m->modules);
    vec_done(&m->mem, &m->files);
    vec_done(&m->mem, &m->funcs);
    vec_done(&m->mem, &m->units);
    vec_done(&m->mem, &m->keys);
    vec_done(&m->mem, &m->calls);
    vec_done(&m->mem, &m->sums);
    vec_done(&m->mem, &m->conditions);
    vec_done(&m->mem, &m->regions);
    vec_done(&m->mem, &m->attributes);
    vec_done(&m->mem, &m->stated);
    vec_done(&m->mem, &m->counts);
    findings_done(&m->warnings);
    arena_done(&m->scratch);
    intern_done(&m->strings);
    free(m);
}

/* ---- what is said of the whole ---- */

static int add_attribute(struct merge_input *in, uint32_t key, uint32_t value)
{
    struct assay_merger *m = in->m;
    uint64_t hash = hash_mix(key, value);
    for (struct index_walk w = index_walk(&m->attribute_index, hash); index_next(&m->attribute_index, &w);)
        if (m->attributes.at[w.id - 1].key == key && m->attributes.at[w.id - 1].value == value) return 0;
    struct merge_attribute *a = vec_push(&m->mem, &m->attributes);
    if (!a) return error_memory(in->err);
    *a = (struct merge_attribute){ key, value };
    return index_add(&m->attribute_index, hash, (uint32_t)m->attributes.len) ? 0 : error_memory(in->err);
}

/* Names of tests that are folded say nothing any more. */
static int add_attributes(struct merge_input *in)
{
    const struct assay_attributes *a = assay_profile_attributes(in->p);
    for (uint32_t i = 0; i < a->count; i++) {
        bool is_test = slice_is(assay_profile_string(in->p, a->key[i]), "test");
        if (MERGE_ID(a->stream, i) || (is_test && !in->m->options.keep_tests)) continue;
        TRY(add_attribute(in, merge_string(in, a->key[i].v), merge_string(in, a->value[i].v)));
    }
    return 0;
}

static int keep_stated(struct merge_input *in)
{
    struct assay_merger *m = in->m;
    const struct assay_coverage *c = assay_profile_coverage(in->p);
    const struct assay_counts *n = assay_profile_counts(in->p);
    for (uint32_t i = 0; i < c->stated_count; i++) {
        struct merge_stated *s = vec_push(&m->mem, &m->stated);
        if (!s) return error_memory(in->err);
        *s = (struct merge_stated){ c->stated_hit[i], c->stated_total[i], in->files[MERGE_ID(c->stated_file, i)],
                                    merge_string(in, MERGE_ID(c->stated_scope, i)), merge_string(in, MERGE_ID(c->stated_kind, i)) };
    }
    for (uint32_t i = 0; i < n->count; i++) {
        struct merge_number *k = vec_push(&m->mem, &m->counts);
        if (!k) return error_memory(in->err);
        *k = (struct merge_number){ n->value[i], merge_string(in, n->name[i].v) };
    }
    return 0;
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
    struct merge_input in = { .m = m, .p = p, .number = m->inputs + 1, .err = err ? err : &local };
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_COVERAGE)) FAIL(in.err, ASSAY_ERR_UNSUPPORTED, "it holds no coverage to merge");
    int rc = merge_names_begin(&in);
    if (rc == 0) rc = add_coverage(&in);
    if (rc == 0) rc = add_attributes(&in);
    if (rc == 0) rc = add_source(&in);
    if (rc == 0 && in.number == 1) rc = keep_stated(&in);
    if (rc == 0 && m->no_memory) rc = error_memory(in.err);
    merge_names_end(&in);
    m->inputs++;
    return rc;
}

/* ---- the result ---- */

assay_profile *assay_merger_finish(assay_merger *m, assay_error *err)
{
    assay_error local;
    if (!err) err = &local;
    struct assay_build_options o = { ASSAY_WANT_ALL & ~(uint32_t)(ASSAY_WANT_TREE | ASSAY_WANT_WHOLE), m->options.max_memory, m->options.fail_at };
    assay_builder *b = NULL;
    assay_profile *p = NULL;
    int rc = m->inputs ? 0 : error_set(err, ASSAY_ERR_USAGE, "there is nothing to merge");
    if (rc == 0 && !(b = assay_builder_new(&o, err))) rc = ASSAY_ERR_MEMORY;
    if (rc == 0) rc = merge_emit(m, b, err);
    assay_merger_free(m);
    if (rc == 0 || (b && assay_builder_failed(b)))
        p = assay_builder_seal(b, err); /* which tells its own error */
    else
        assay_builder_free(b);
    return p;
}
