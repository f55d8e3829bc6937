/* Records -> tree. Profiles of this kind are added up already, a sample for each stack, so that samples are kept until the memory map and the symbols at the end are known. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "formats/pprof-legacy/locations.h"

struct sample {
    size_t first; /* of its locations */
    uint32_t depth;
    int64_t values[LEGACY_VALUES], block;
    bool has_block;
};
struct place { /* by location */
    bool is_used;
    uint32_t symbol;
    assay_func_id func;
    assay_module_id module;
};

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct mem *mem;
    struct findings damage;
    struct legacy_decoder d;
    struct legacy_locations l;
    bool uses_comments;
    VEC(struct sample) samples;
    VEC(uint32_t) stacks; /* locations, the leaf first */
    VEC(struct place) places;
    uint64_t locations; /* that are in stacks */
    bool has_labels;    /* sizes of blocks, wanted or not */
    struct legacy_metric metrics[LEGACY_VALUES];
    uint32_t metric_count;
};

/* ---- taking in ---- */

static bool add_sample(struct reader *r, const struct legacy_record *rec)
{
    struct sample *s = vec_push(r->mem, &r->samples);
    if (!s || !vec_reserve(r->mem, &r->stacks, rec->address_count)) return false;
    *s = (struct sample){ .first = r->stacks.len, .depth = rec->address_count, .block = rec->block, .has_block = rec->has_block };
    r->has_labels |= rec->has_block;
    memcpy(s->values, rec->values, sizeof s->values);
    for (uint32_t i = 0; i < rec->address_count; i++) {
        uint32_t location = legacy_location(&r->l, rec->addresses[i]);
        if (!location) return false;
        r->stacks.at[r->stacks.len++] = location;
    }
    return true;
}

static bool add_record(struct reader *r, const struct legacy_record *rec)
{
    switch (rec->kind) {
    case LEGACY_SAMPLE: return add_sample(r, rec);
    case LEGACY_SAME:
        if (r->samples.len) r->samples.at[r->samples.len - 1].values[0]++;
        return true;
    case LEGACY_SYMBOL: return !(r->uses_comments || r->d.is_java) || legacy_add_symbol(&r->l, rec, r->d.samples);
    case LEGACY_MAPPING: return legacy_add_mapping(&r->l, rec);
    case LEGACY_FIELD: return r->d.part != LEGACY_AT_MAP || legacy_add_variable(&r->l, rec);
    case LEGACY_END:
    case LEGACY_HEADER:
    case LEGACY_TRAILER:
    case LEGACY_TEXT: break;
    }
    return true;
}

static int add_records(struct reader *r)
{
    struct legacy_record rec = { .kind = LEGACY_TEXT };
    for (uint64_t i = 0; rec.kind != LEGACY_END; i++) {
        TRY(cancel_step(i, r->err));
        TRY(legacy_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
        if (!add_record(r, &rec)) return error_memory(r->err);
    }
    return 0;
}

/* ---- frames of the profiler itself ---- */

static void drop_second(struct reader *r, struct sample *s)
{
    s->depth--;
    r->stacks.at[s->first + 1] = r->stacks.at[s->first];
    s->first++;
}

/* The second frame that nearly all samples have is that of the signal handler. The first that so many share, and no second can: found by pairing off. */
static bool drop_common(struct reader *r)
{
    size_t count = r->samples.len, margin = count / 32, votes = 0, found = 0;
    uint32_t common = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *s = &r->samples.at[i];
        uint32_t second = s->depth > 1 ? r->stacks.at[s->first + 1] : 0;
        if (votes && second == common)
            votes++;
        else if (votes)
            votes--;
        else {
            common = second;
            votes = 1;
        }
    }
    for (size_t i = 0; i < count; i++) found += r->samples.at[i].depth > 1 && r->stacks.at[r->samples.at[i].first + 1] == common;
    if (!count || !common || found < count - margin) return false;
    for (size_t i = 0; i < count; i++)
        if (r->samples.at[i].depth > 1 && r->stacks.at[r->samples.at[i].first + 1] == common) drop_second(r, &r->samples.at[i]);
    return true;
}

/* The leaf comes from the signal, and again from the stack, one byte before. */
static void drop_repeated(struct reader *r)
{
    for (size_t i = 0; i < r->samples.len; i++) {
        struct sample *s = &r->samples.at[i];
        if (s->depth < 2) continue;
        uint64_t leaf = r->l.addresses.at[r->stacks.at[s->first] - 1], next = r->l.addresses.at[r->stacks.at[s->first + 1] - 1];
        if (next != UINT64_MAX && leaf == next + 1) drop_second(r, s);
    }
}

/* ---- functions ---- */

static assay_str_id string_of(struct reader *r, assay_slice s) { return assay_build_string(r->b, s.data, s.len); }

static assay_file_id file_of(struct reader *r, assay_slice path)
{
    return path.len ? assay_build_file(r->b, string_of(r, path), (assay_module_id){ 0 }) : (assay_file_id){ 0 };
}

/* Java says where code is, and nothing of its function but the name: so the place is part of what it is. */
static assay_func_id func_of(struct reader *r, const struct legacy_symbol_row *s, assay_module_id module)
{
    bool is_java = r->d.is_java;
    assay_func_id f = assay_build_func(r->b, string_of(r, s->name), file_of(r, s->file), module, 0, is_java ? s->line : 0);
    if (is_java && s->line) assay_build_func_kind(r->b, f, ASSAY_FUNC_PLAIN, ASSAY_FUNC_BY_PLACE);
    return f;
}

static assay_func_id address_of(struct reader *r, uint64_t address, assay_module_id module)
{
    char text[24];
    int len = snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    return assay_build_func(r->b, assay_build_string(r->b, text, (size_t)len), (assay_file_id){ 0 }, module, address, 0);
}

/* Frames of the profiler are in no stack any more. */
static bool mark_places(struct reader *r)
{
    size_t count = r->l.addresses.len;
    if (!vec_reserve(r->mem, &r->places, count + 1)) return false;
    memset(r->places.at, 0, count * sizeof *r->places.at);
    r->places.len = count;
    for (size_t i = 0; i < r->samples.len && !cancel_at(i); i++)
        for (uint32_t k = 0; k < r->samples.at[i].depth; k++) r->places.at[r->stacks.at[r->samples.at[i].first + k] - 1].is_used = true;
    for (size_t i = 0; i < count; i++) r->locations += r->places.at[i].is_used;
    return true;
}

static void build_place(struct reader *r, struct place *p, uint64_t address)
{
    uint32_t mapping = legacy_mapping_of(&r->l, address);
    const struct legacy_mapping_row *m = mapping ? &r->l.mappings.at[mapping - 1] : NULL;
    p->symbol = legacy_symbol_of(&r->l, address);
    r->l.has_outside |= !mapping && address;
    r->l.without_symbol += r->d.is_java && !p->symbol;
    if (m && m->path.len) p->module = assay_build_module(r->b, string_of(r, m->path), m->build_id.len ? string_of(r, m->build_id) : (assay_str_id){ 0 });
    if (!p->symbol) p->func = address_of(r, address, p->module);
}

static int build_places(struct reader *r)
{
    if (!mark_places(r)) return error_memory(r->err);
    for (size_t i = 0; i < r->places.len; i++) {
        TRY(cancel_step(i, r->err));
        if (r->places.at[i].is_used) build_place(r, &r->places.at[i], r->l.addresses.at[i]);
    }
    return assay_builder_failed(r->b);
}

/* ---- contexts ---- */

/* What the next frame inwards is below. */
struct outer {
    assay_node_id node;
    assay_file_id file;
    uint32_t line;
};

static void enter(struct reader *r, struct outer *o, assay_func_id func, bool is_inlined)
{
    struct assay_node n = { .parent = o->node, .func = func, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .file = o->file, .line = o->line };
    if (is_inlined) n.kind = ASSAY_NODE_INLINED;
    if (is_inlined) n.relation = ASSAY_RELATION_INLINED_CALL;
    *o = (struct outer){ .node = assay_build_node(r->b, &n) };
}

/* Functions that are inlined into each other stand with the innermost first. */
static void enter_symbols(struct reader *r, struct outer *o, const struct place *p)
{
    uint32_t chain[LEGACY_INLINED], count = 0;
    for (uint32_t s = p->symbol; s && count < LEGACY_INLINED; s = r->l.symbols.at[s - 1].next) chain[count++] = s;
    for (uint32_t i = count; i-- > 0;) {
        const struct legacy_symbol_row *s = &r->l.symbols.at[chain[i] - 1];
        enter(r, o, func_of(r, s, p->module), i + 1 < count);
        if (r->d.is_java || !s->line) continue;
        o->file = file_of(r, s->file);
        o->line = s->line;
    }
}

static assay_node_id context_of(struct reader *r, const struct sample *s)
{
    struct outer o = { .line = 0 };
    for (uint32_t i = s->depth; i-- > 0;) {
        const struct place *p = &r->places.at[r->stacks.at[s->first + i] - 1];
        if (p->symbol)
            enter_symbols(r, &o, p);
        else
            enter(r, &o, p->func, false);
    }
    if (!s->depth) /* nobody knows where */
        enter(r, &o, assay_build_func(r->b, assay_build_string(r->b, "", 0), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0), false);
    struct assay_node leaf = { .parent = o.node, .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .file = o.file, .line = o.line };
    return o.line ? assay_build_node(r->b, &leaf) : o.node;
}

static assay_set_id labels_of(struct reader *r, const struct sample *s)
{
    if (!s->has_block || !(assay_builder_want(r->b) & ASSAY_WANT_LABELS)) return (assay_set_id){ 0 };
    struct assay_label bytes = { .key = assay_build_string(r->b, "bytes", strlen("bytes")), .kind = ASSAY_LABEL_INTEGER, .number = s->block };
    assay_label_id label = assay_build_label(r->b, &bytes);
    return assay_build_label_set(r->b, &label, 1);
}

static int build_samples(struct reader *r)
{
    for (size_t i = 0; i < r->samples.len; i++) {
        const struct sample *s = &r->samples.at[i];
        assay_value values[LEGACY_VALUES];
        for (uint32_t k = 0; k < LEGACY_VALUES; k++) values[k].i = s->values[k];
        TRY(cancel_step(i, r->err));
        assay_build_sample(r->b, (assay_stream_id){ 0 }, context_of(r, s), labels_of(r, s), values);
    }
    return assay_builder_failed(r->b);
}

/* ---- metrics and facts ---- */

static const char *period_type(const struct reader *r, const char **unit)
{
    *unit = "count";
    switch (r->d.type) {
    case LEGACY_CPU: *unit = "nanoseconds"; return "cpu";
    case LEGACY_HEAP:
    case LEGACY_GROWTH: *unit = "bytes"; return "space";
    default: return r->metrics[0].name;
    }
}

static int build_metrics(struct reader *r)
{
    const char *period_unit, *type = period_type(r, &period_unit);
    assay_metric_id m = { 0 };
    for (uint32_t k = 0; k < r->metric_count; k++) {
        const struct legacy_metric *of = &r->metrics[k];
        char unit[80];
        snprintf(unit, sizeof unit, "%.*s", (int)(of->unit_text.len < 79 ? of->unit_text.len : 79), of->unit_text.data);
        m = assay_build_metric(r->b, of->name, unit, ASSAY_I64, ASSAY_SHAPE_TREE);
        if (slice_starts(slice_of(of->name), "inuse_") || r->d.type == LEGACY_THREAD || r->d.type == LEGACY_COUNT)
            assay_build_metric_kind(r->b, m, ASSAY_METRIC_LEVEL);
        if (r->d.period > 0) assay_build_metric_period(r->b, m, r->d.period, type, period_unit);
    }
    if (m.v) assay_build_metric_default(r->b, m);
    assay_build_sample_metrics(r->b, NULL, 0);
    return assay_builder_failed(r->b);
}

static void build_facts(struct reader *r)
{
    char text[48];
    bool has_fake = r->l.has_outside && !r->d.is_java;
    assay_build_source(r->b, "pprof-legacy", r->d.version, "");
    assay_build_offers(r->b, r->has_labels ? ASSAY_SHAPE_TREE | ASSAY_SHAPE_LABELS : ASSAY_SHAPE_TREE);
    assay_build_count(r->b, "samples", r->d.samples);
    assay_build_count(r->b, "locations", r->locations);
    assay_build_count(r->b, "modules", r->l.mappings.len + has_fake);
    if (r->d.duration)
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, "duration_nanos", strlen("duration_nanos"), text, number_put_i64(text, r->d.duration));
    if (r->d.is_saturated) findings_add(&r->damage, "PL10", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "a value is too large: the largest value is used");
    if (r->l.without_symbol)
        findings_add(&r->damage, "PL11", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu of %llu locations have no function",
                     (unsigned long long)r->l.without_symbol, (unsigned long long)r->locations);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
}

static int read_file(struct reader *r)
{
    TRY(legacy_open(&r->d, r->job, &r->damage, r->err));
    TRY(add_records(r));
    if (!r->d.type) return findings_refuse(&r->damage, r->err);
    if (!legacy_settle_mappings(&r->l)) return error_memory(r->err);
    if (r->d.type == LEGACY_CPU && !r->d.is_java) {
        if (drop_common(r)) drop_common(r);
        drop_repeated(r);
    }
    r->metric_count = legacy_metrics(&r->d, r->metrics);
    TRY(build_metrics(r));
    TRY(build_places(r));
    TRY(build_samples(r));
    build_facts(r);
    return r->damage.failed ? error_memory(r->err) : assay_builder_failed(r->b);
}

int legacy_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    const struct legacy_options *own = job->own;
    struct reader r = { .job = job, .b = b, .err = err, .mem = job->mem, .uses_comments = own && own->comments, .d.mem = job->mem };
    findings_init(&r.damage, job->mem);
    legacy_locations_init(&r.l, job->mem);
    int rc = read_file(&r);
    legacy_done(&r.d);
    legacy_locations_done(&r.l);
    vec_done(job->mem, &r.samples, &r.stacks, &r.places);
    findings_done(&r.damage);
    return rc;
}
