/* Callgrind and cachegrind records -> builder: names, metrics, one stream for each part, self costs, calls and jumps. Rules of identity
 * are in docs/formats/callgrind.md. */
#include "formats/callgrind/read.h"
#include "formats/callgrind/blocks.h"
#include "formats/callgrind/callgrind.h"
#include "formats/callgrind/check.h"

#include <stdio.h>

#include "analysis/core/units.h"
#include "base/scoped.h"
#include "model/tables.h"

/* ---- names ---- */

static struct cg_known *known(struct cg_reader *r, struct cg_knowns *v, uint32_t i)
{
    if (i >= v->len) {
        if (!vec_reserve(r->job->mem, v, i + 1 - v->len)) return NULL;
        memset(v->at + v->len, 0, (i + 1 - v->len) * sizeof *v->at);
        v->len = i + 1;
    }
    return &v->at[i];
}

assay_file_id cg_reader_new_file(struct cg_reader *r, uint32_t handle, bool count)
{
    if (!handle) return (assay_file_id){ 0 };
    struct cg_known *k = known(r, &r->files, handle);
    if (!k) return (assay_file_id){ 0 };
    if (!k->id) k->id = assay_build_file_new(r->b, strings_take(r->b, handle), (assay_module_id){ 0 }).v;
    if (count && !k->is_counted) {
        k->is_counted = true;
        r->file_count++;
    }
    return (assay_file_id){ k->id };
}

static assay_module_id module_of(struct cg_reader *r, uint32_t handle, bool count)
{
    if (!handle) return (assay_module_id){ 0 };
    struct cg_known *k = known(r, &r->modules, handle);
    if (!k) return (assay_module_id){ 0 };
    if (!k->id) k->id = assay_build_module(r->b, strings_take(r->b, handle), (assay_str_id){ 0 }).v;
    if (count && !k->is_counted) {
        k->is_counted = true;
        r->module_count++;
    }
    return (assay_module_id){ k->id };
}

assay_func_id cg_reader_new_func(struct cg_reader *r, uint32_t func, bool count)
{
    struct cg_known *k = known(r, &r->funcs, func);
    if (!k) return (assay_func_id){ 0 };
    struct cg_func f = r->d.funcs.at[func];
    assay_file_id file = cg_reader_file(r, f.file, count);
    assay_module_id module = module_of(r, f.object, count);
    if (!k->id) {
        k->id = assay_build_func_new(r->b, strings_take(r->b, f.name), file, module, 0, 0).v;
        r->has_other_ids |= k->id != func;
        if (slice_starts(cg_string(&r->d, f.name), "php::")) assay_build_func_kind(r->b, (assay_func_id){ k->id }, ASSAY_FUNC_INTERNAL, 0);
    }
    if (count && !k->is_counted) {
        k->is_counted = true;
        r->func_count++;
    }
    return (assay_func_id){ k->id };
}

/* ---- metrics ---- */

static int add_slot(struct cg_reader *r, uint32_t event, assay_error *err)
{
    assay_slice name = cg_string(&r->d, event);
    uint32_t *slot = vec_push(r->job->mem, &r->slots);
    assay_metric_id *metric = slot ? vec_push(r->job->mem, &r->metrics) : NULL;
    if (!metric) return error_memory(err);
    *slot = event;
    char unit[UNITS_TEXT];
    units_of_event(name, unit);
    *metric = assay_build_metric(r->b, name.data, unit, ASSAY_I64, 0);
    return 0;
}

/* The events of the part: each gets the slot of its name. A name given twice in a part gets a slot once: the columns add up. */
static int map_events(struct cg_reader *r, assay_error *err)
{
    size_t before = r->slots.len;
    r->is_mapped = false;
    for (uint32_t i = 0; i < r->d.event_count; i++) {
        uint32_t k = 0;
        while (k < r->slots.len && r->slots.at[k] != r->d.events[i]) k++;
        if (k == r->slots.len) {
            if (k == CG_MAX_EVENTS) return error_set(err, ASSAY_ERR_LIMIT, "more than %d different events", CG_MAX_EVENTS);
            TRY(add_slot(r, r->d.events[i], err));
        }
        r->map[i] = k;
        if (k != i) r->is_mapped = true;
    }
    r->aparts.is_unfit = r->is_mapped;
    if (r->slots.len > before) assay_build_graph_metrics(r->b, r->metrics.at, (uint32_t)r->metrics.len);
    return 0;
}

/* `event: NAME [= formula] [: long name]`. Events in use get their long name; others become formula metrics. */
static void define_event(struct cg_reader *r, const struct cg_record *rec)
{
    char name[256], formula[512], text[512];
    assay_slice v = rec->value;
    const char *colon = memchr(v.data, ':', v.len);
    assay_slice left = slice_trim(slice_from(v.data, colon ? colon : v.data + v.len));
    assay_slice long_name = colon ? slice_trim(slice_from(colon + 1, v.data + v.len)) : (assay_slice){ "", 0 };
    const char *equals = left.len ? memchr(left.data, '=', left.len) : NULL;
    assay_slice key = slice_trim(slice_from(left.data, equals ? equals : left.data + left.len));
    assay_slice sum = equals ? slice_trim(slice_from(equals + 1, left.data + left.len)) : (assay_slice){ "", 0 };
    if (!key.len || key.len >= sizeof name || sum.len >= sizeof formula || long_name.len >= sizeof text) return;
    snprintf(name, sizeof name, "%.*s", (int)key.len, key.data);
    snprintf(formula, sizeof formula, "%.*s", (int)sum.len, sum.data);
    snprintf(text, sizeof text, "%.*s", (int)long_name.len, long_name.data);
    char unit[UNITS_TEXT];
    units_of_event(key, unit);
    assay_metric_id m = assay_build_metric(r->b, name, unit, ASSAY_I64, 0);
    assay_build_metric_text(r->b, m, *text ? text : NULL, *formula ? formula : NULL, false);
}

/* ---- headers ---- */

static int begin_part(struct cg_reader *r, assay_error *err)
{
    char label[32];
    snprintf(label, sizeof label, "part %u", r->d.part);
    if (r->blocks && r->stream.v) TRY(cg_blocks_end(r, err));
    TRY(cg_reader_sums_end(r));
    r->stream = assay_build_stream(r->b, label);
    r->has_originals = false;
    return 0;
}

static void tuple(struct cg_reader *r, assay_slice key, assay_slice value)
{
    const char *kind = slice_is(key, "pid") ? "PROCESS" : slice_is(key, "part") ? "PART" : slice_is(key, "thread") ? "THREAD" : NULL;
    int64_t n[CG_MAX_EVENTS];
    if (!kind) return;
    if (cg_sums(value, n) == 1 && n[0] >= 0) assay_build_tuple(r->b, kind, (uint64_t)n[0], (uint64_t)n[0], 0);
}

/* `desc: Original header: KEY: VALUE`, which assay writes when it converts: the attribute is KEY with VALUE, as it was. */
static bool original_header(struct cg_reader *r, const struct cg_record *rec)
{
    static const char word[] = "Original header: ";
    if (!slice_is(rec->key, "desc") || !slice_starts(rec->value, word)) return false;
    assay_slice rest = { rec->value.data + sizeof word - 1, rec->value.len - (sizeof word - 1) };
    const char *colon = memchr(rest.data, ':', rest.len);
    if (!colon) return false;
    assay_slice value = slice_trim(slice_from(colon + 1, rest.data + rest.len));
    assay_build_attribute(r->b, r->stream, rest.data, (size_t)(colon - rest.data), value.data, value.len);
    tuple(r, slice_from(rest.data, colon), value);
    r->has_originals = true;
    return true;
}

static int header(struct cg_reader *r, const struct cg_record *rec, assay_error *err)
{
    if (original_header(r, rec)) return 0;
    if (!r->has_originals) assay_build_attribute(r->b, r->stream, rec->key.data, rec->key.len, rec->value.data, rec->value.len);
    r->has_xdebug |= r->d.is_xdebug;
    if (r->d.is_xdebug) assay_builder_has_tree(r->b);
    r->has_sums |= r->d.part_has_events && !r->d.is_xdebug;
    if (slice_is(rec->key, "events")) {
        TRY(cg_reader_sums_end(r));
        TRY(map_events(r, err));
        cg_reader_sums_begin(r);
        return 0;
    }
    if (slice_is(rec->key, "event")) define_event(r, rec);
    if (!r->has_originals) tuple(r, rec->key, rec->value);
    return 0;
}

/* ---- costs ---- */

static inline __attribute__((always_inline)) const assay_value *mapped(struct cg_reader *r, const struct cg_record *rec, uint32_t *count)
{
    *count = rec->cost_count;
    if (!r->is_mapped) return rec->costs;
    *count = (uint32_t)r->slots.len;
    memset(r->row, 0, *count * sizeof *r->row);
    for (uint32_t i = 0; i < rec->cost_count; i++) {
        int64_t *to = &r->row[r->map[i]].i;
        if (!__builtin_add_overflow(*to, rec->costs[i].i, to)) continue;
        *to = rec->costs[i].i < 0 ? INT64_MIN : INT64_MAX;
        cg_damage(&r->d, rec, "CG16", ASSAY_ERROR, "the columns of an event that is named twice add up to more than 64 bits");
    }
    return r->row;
}

static void jump(struct cg_reader *r, const struct cg_record *rec, const struct assay_place *at)
{
    struct assay_place to = { r->stream, at->func, cg_reader_file(r, rec->target_file, false), rec->target.line, rec->target.address };
    if (rec->callee) to.func = cg_reader_func(r, rec->callee, false);
    r->jumps++;
    assay_build_jump(r->b, at, &to, rec->calls, rec->followed, rec->conditional);
}

/* The line of the first self cost in the function's own file: as near to its beginning as the text tells. */
static void note_first_line(struct cg_reader *r, const struct cg_record *rec)
{
    struct cg_known *k = &r->funcs.at[rec->func];
    if (rec->file != r->d.funcs.at[rec->func].file) return;
    k->has_line = true;
    assay_build_func_lines(r->b, (assay_func_id){ k->id }, rec->at.line, 0);
}

static inline __attribute__((always_inline)) int book(struct cg_reader *r, const struct cg_record *rec, assay_error *err)
{
    uint32_t count;
    const assay_value *row = mapped(r, rec, &count);
    bool is_booked = true, is_block = r->blocks && r->d.is_xdebug;
    if (is_block) TRY(cg_blocks_enter(r, rec, err));
    struct assay_place at = { r->stream, cg_reader_func(r, rec->func, true), cg_reader_file(r, rec->file, rec->role == CG_SELF), rec->at.line,
                              rec->at.address };
    switch (rec->role) {
    case CG_SELF:
        r->cost_records += rec->cost_lines;
        assay_build_self(r->b, &at, row, count);
        if (rec->func < r->funcs.len && !r->funcs.at[rec->func].has_line) note_first_line(r, rec);
        if (is_block) cg_blocks_self(r, row, count);
        break;
    case CG_CALL:
        r->call_records++;
        r->calls += rec->calls;
        if (is_block) TRY(cg_blocks_call(r, rec, row, count, &is_booked, err));
        assay_func_id callee = cg_reader_func(r, rec->callee, true);
        if (is_booked) assay_build_call(r->b, &at, callee, rec->calls, row, count);
        if (is_block && !cg_blocks_arc(r, row, count)) return error_memory(err);
        break;
    case CG_JUMP_FROM: jump(r, rec, &at); break;
    }
    return 0;
}

/* ---- the whole ---- */

static void counts(struct cg_reader *r)
{
    assay_build_count(r->b, "functions", r->func_count);
    assay_build_count(r->b, "files", r->file_count);
    if (r->module_count) assay_build_count(r->b, "modules", r->module_count);
    assay_build_count(r->b, "calls", r->calls);
    assay_build_count(r->b, "call_records", r->call_records);
    if (r->d.seen) assay_build_count(r->b, "edges", r->sums.edges.callees.len);
    if (r->d.seen) assay_build_count(r->b, "lines", cg_seen_lines(&r->seen));
    assay_build_count(r->b, "cost_records", r->cost_records);
    if (r->jumps) assay_build_count(r->b, "jumps", r->jumps);
    assay_build_count(r->b, "parts", r->d.part);
}

/* ---- strict reading ---- */

/* What `check` would say of the same records: a total that is not the sum is damage too. */
struct cg_strict {
    struct cg_checker checker;
    struct findings found;
};

static int strict_new(struct cg_reader *r, bool is_cachegrind, assay_error *err)
{
    if (!r->job->options->strict) return 0;
    r->strict = mem_alloc(r->job->mem, sizeof *r->strict);
    if (!r->strict) return error_memory(err);
    findings_init(&r->strict->found, r->job->mem);
    cg_check_init(&r->strict->checker, &r->d, &r->strict->found, r->job->mem, is_cachegrind, err);
    return 0;
}

static void strict_free(struct cg_reader *r)
{
    if (!r->strict) return;
    cg_check_done(&r->strict->checker);
    findings_done(&r->strict->found);
    mem_free(r->job->mem, r->strict, sizeof *r->strict);
}

static int strict_record(struct cg_reader *r, const struct cg_record *rec, assay_error *err)
{
    TRY(cg_check_record(&r->strict->checker, rec));
    TRY(findings_refuse(&r->damage, err));
    return findings_refuse(&r->strict->found, err);
}

/* A record of the text itself. */
static int cost(struct cg_reader *r, const struct cg_record *rec, assay_error *err)
{
    /* where sums saturate, the order of numbers with different signs matters */
    if (r->sums.is_on && cg_has_negative(rec->costs, rec->cost_count)) TRY(cg_reader_sums_end(r));
    TRY(book(r, rec, err));
    bool is_edge = rec->role == CG_CALL && r->sums.wants_edges;
    return !is_edge || cg_edges_add(&r->sums.edges, rec->func, rec->callee, r->d.funcs.len) ? 0 : error_memory(err);
}

int cg_reader_take_item(struct cg_reader *r, struct cg_apart *p, size_t i, assay_error *err)
{
    struct cg_record rec = { .kind = CG_COST };
    if (!cg_apart_record(&r->aparts, p, i, &rec)) return error_memory(err);
    return book(r, &rec, err);
}

static int take_items(struct cg_reader *r, struct cg_apart *p, assay_error *err)
{
    struct cg_record rec = { .kind = CG_COST };
    for (size_t i = 0; i < p->items.len; i++) {
        if (!cg_apart_record(&r->aparts, p, i, &rec)) return error_memory(err);
        TRY(book(r, &rec, err));
        if (i % 4096 == 0) TRY(assay_builder_failed(r->b));
    }
    return 0;
}

/* A piece that was decoded ahead. */
static int take_apart(struct cg_reader *r, assay_error *err)
{
    struct cg_apart *p = cg_apart_take(&r->aparts);
    if (!p) return r->d.failed;
    TRY(p->sums.is_on ? cg_reader_take_sums(r, p, err) : take_items(r, p, err));
    if (r->sums.wants_edges && !cg_edges_join(&r->sums.edges, &p->sums.edges, p->funcs.at, r->d.funcs.len)) return error_memory(err);
    return cg_apart_end(&r->aparts, p) ? assay_builder_failed(r->b) : error_memory(err);
}

/* The end of the text. */
static int end(struct cg_reader *r, assay_error *err)
{
    TRY(cg_reader_sums_end(r));
    if (r->blocks) TRY(cg_blocks_build(r, err));
    return cg_reader_put_pairs(r);
}

static int records(struct cg_reader *r, char *version, size_t version_len, char *producer, size_t producer_len, assay_error *err)
{
    uint32_t want = assay_builder_want(r->b);
    struct cg_record rec;
    uint32_t count = 0;
    r->d.joins_costs = !r->strict && !(want & ASSAY_WANT_COSTS);
    r->d.seen = want & ASSAY_WANT_COUNTS ? &r->seen : NULL;
    r->d.mask = r->strict ? CG_ALL : CG_PART | CG_HEADER | CG_COST;
    r->sums.wants_edges = r->d.seen != NULL;
    r->aparts.sums = &r->sums;
    if (!r->strict) TRY(cg_aparts_open(&r->aparts, &r->d, r->job, err));
    for (;;) {
        if (r->sums.is_on) TRY(cg_reader_sum_lines(r));
        TRY(cg_next(&r->d, &rec));
        if (r->strict) TRY(strict_record(r, &rec, err));
        switch (rec.kind) {
        case CG_END: return end(r, err);
        case CG_PART: TRY(begin_part(r, err)); break;
        case CG_HEADER:
            if (!*version && slice_is(rec.key, "version")) snprintf(version, version_len, "%.*s", (int)rec.value.len, rec.value.data);
            if (!*producer && slice_is(rec.key, "creator")) snprintf(producer, producer_len, "%.*s", (int)rec.value.len, rec.value.data);
            TRY(header(r, &rec, err));
            break;
        case CG_COST: TRY(cost(r, &rec, err)); break;
        case CG_AHEAD: TRY(take_apart(r, err)); break;
        default: break;
        }
        if (++count % 4096 == 0 && assay_builder_failed(r->b)) return assay_builder_failed(r->b);
    }
}

static void reader_done(struct cg_reader *r)
{
    struct mem *m = r->job->mem;
    cg_aparts_close(&r->aparts);
    cg_blocks_free(r);
    strict_free(r);
    vec_done(m, &r->funcs, &r->files, &r->modules, &r->slots, &r->metrics);
    cg_seen_done(&r->seen);
    cg_sums_done(&r->sums);
    cg_done(&r->d);
    findings_done(&r->damage);
}

static int read_text(const struct read_job *job, assay_builder *b, const char *format, assay_error *err)
{
    SCRATCH(struct cg_reader, r, job->mem, 1);
    char version[64] = "", producer[256] = "";
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    findings_init(&r->damage, job->mem);
    cg_init(&r->d, job->in, job->mem, &r->damage, err);
    r->d.names = strings_of_builder(b); /* so that no name is kept, and looked up, twice */
    cg_seen_init(&r->seen, job->mem);
    cg_sums_init(&r->sums, job->mem);
    int rc = cg_blocks_new(r, err);
    if (rc == 0) rc = strict_new(r, strcmp(format, "cachegrind") == 0, err);
    if (rc == 0) rc = records(r, version, sizeof version, producer, sizeof producer, err);
    if (rc == 0 && assay_builder_saturated(b))
        findings_add(&r->damage, "CG16", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "a sum does not fit in 64 bits; the nearest value is used");
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r->damage, err);
    if (rc == 0) {
        for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(b, &r->damage.list.at[i]);
        counts(r);
        assay_build_source(b, format, version, producer);
        if (r->has_xdebug) assay_build_offers(b, ASSAY_SHAPE_TREE);
        if (cg_blocks_know_nesting(r)) assay_build_nesting_known(b);
    }
    reader_done(r);
    return rc;
}

int callgrind_read(const struct read_job *job, assay_builder *b, assay_error *err) { return read_text(job, b, "callgrind", err); }
int cachegrind_read(const struct read_job *job, assay_builder *b, assay_error *err) { return read_text(job, b, "cachegrind", err); }
