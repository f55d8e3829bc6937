/* Records -> profile, as they come: a row with a number is there from its beginning and filled at its end, so that rows inside it can refer to it. What
 * refers to something later is filled in at the end. */
#include <stdio.h>

#include "base/number.h"
#include "base/wide.h"
#include "formats/assay-json/decode.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    assay_error *err;
    struct findings damage;
    struct assay_json_decoder d;
    VEC(uint32_t) strings;       /* by string of the decoder: the builder's; 0 = not needed so far */
    VEC(uint32_t) scopes, stats; /* by number: the builder's id; 0 = it could not be read */
};

static uint32_t string_of(struct reader *r, uint64_t name)
{
    size_t len = (size_t)intern_count(&r->d.names) + 1;
    if (!name) return 0;
    if (r->strings.len < len) {
        if (!vec_reserve(r->job->mem, &r->strings, len - r->strings.len)) return 0;
        memset(r->strings.at + r->strings.len, 0, (len - r->strings.len) * sizeof *r->strings.at);
        r->strings.len = len;
    }
    if (!r->strings.at[name]) {
        assay_slice s = intern_get(&r->d.names, (uint32_t)name);
        r->strings.at[name] = assay_build_string(r->b, s.data, s.len).v;
    }
    return r->strings.at[name];
}

/* ---- rows ---- */

static bool is_late(unsigned kind) { return kind == SCHEMA_T_SCOPES || kind == SCHEMA_T_STATS; }

/* An empty row that has the number; a metric is never without name and unit. */
static int begin(void *arg, unsigned kind)
{
    struct reader *r = arg;
    union schema_cell cells[SCHEMA_COLUMNS_MAX] = { { 0 } };
    if (kind == SCHEMA_T_METRICS)
        cells[assay_json_cell(SCHEMA_T_METRICS, "name")].u = cells[assay_json_cell(SCHEMA_T_METRICS, "unit")].u = assay_build_string(r->b, "", 0).v;
    if (!is_late(kind)) builder_append(r->b, (enum schema_number)kind, 0, cells);
    return assay_builder_failed(r->b);
}

static int take_late(struct reader *r, const struct assay_json_record *rec, const union schema_cell *cells)
{
    uint64_t id = rec->is_good ? builder_append(r->b, (enum schema_number)rec->kind, 0, cells) : 0;
    bool is_scope = rec->kind == SCHEMA_T_SCOPES, done = true;
    while (done && (is_scope ? r->scopes.len : r->stats.len) <= rec->number) {
        uint32_t *slot = is_scope ? vec_push(r->job->mem, &r->scopes) : vec_push(r->job->mem, &r->stats);
        done = slot != NULL;
        if (slot) *slot = 0;
    }
    if (!done) return error_memory(r->err);
    (is_scope ? r->scopes.at : r->stats.at)[rec->number] = (uint32_t)id;
    return assay_builder_failed(r->b);
}

static int take_value(struct reader *r, const struct assay_json_record *rec)
{
    uint64_t column = rec->cells[ASSAY_JSON_VALUE_COLUMN].u;
    assay_node_id node = { (uint32_t)rec->cells[ASSAY_JSON_VALUE_NODE].u };
    assay_value v = assay_json_value(&r->d, rec);
    if (rec->kind == ASSAY_JSON_VALUES)
        assay_build_value(r->b, (assay_stream_id){ (uint32_t)rec->cells[ASSAY_JSON_VALUE_STREAM].u }, node, (assay_scope_id){ r->scopes.at[column] }, v);
    else
        assay_build_summary(r->b, node, (assay_stat_id){ r->stats.at[column] }, v);
    return assay_builder_failed(r->b);
}

/* A whole number of up to 128 bits; what is larger is the largest. */
static assay_wide wide_of(assay_slice s)
{
    u128 v = { 0 };
    for (size_t i = 0; i < s.len && s.data[i] >= '0' && s.data[i] <= '9' && !(v.high >> 59); i++)
        v = u128_plus(u128_times(v, 10), u128_of((unsigned)(s.data[i] - '0')));
    return (assay_wide){ .low = v.low, .high = (int64_t)v.high };
}

static void state_total(struct reader *r, const struct assay_json_record *rec)
{
    assay_metric_id id = { rec->number };
    if (rec->cells[assay_json_cell(SCHEMA_T_METRICS, "type")].u == ASSAY_U64)
        assay_build_metric_total_wide(r->b, id, wide_of(slice_of(rec->text)));
    else
        assay_build_metric_total(r->b, id, assay_json_value(&r->d, rec));
}

/* Numbers and strings of the document as ids of the builder. */
static void translate(struct reader *r, const struct assay_json_record *rec, union schema_cell *cells)
{
    const struct schema_table *t = &schema_tables[rec->kind];
    for (unsigned c = 0; c < t->count; c++) {
        cells[c] = rec->cells[c];
        if (t->columns[c].type == SCHEMA_STRING) cells[c].u = string_of(r, cells[c].u);
        if (t->columns[c].type == SCHEMA_SCOPE) cells[c].u = cells[c].u < r->scopes.len ? r->scopes.at[cells[c].u] : 0;
        /* the file or function in which it stands is no member */
        if (!t->columns[c].json && (t->columns[c].type == SCHEMA_FILE || t->columns[c].type == SCHEMA_FUNC)) cells[c].u = rec->owner;
    }
    union schema_cell *shapes = rec->kind == SCHEMA_T_METRICS ? &cells[assay_json_cell(SCHEMA_T_METRICS, "shapes")] : NULL;
    if (shapes && !shapes->u) shapes->u = ASSAY_SHAPE_COVERAGE;
}

static int take(void *arg, const struct assay_json_record *rec)
{
    struct reader *r = arg;
    union schema_cell cells[SCHEMA_COLUMNS_MAX];
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    if (rec->kind >= SCHEMA_T_COUNT) return take_value(r, rec);
    translate(r, rec, cells);
    if (is_late(rec->kind)) return take_late(r, rec, cells);
    bool is_by_stream = rec->kind == SCHEMA_T_TIMELINES || rec->kind == SCHEMA_T_EVENTS;
    if (rec->number)
        builder_fill(r->b, (enum schema_number)rec->kind, rec->number, cells);
    else
        builder_append(r->b, (enum schema_number)rec->kind, is_by_stream ? rec->owner : 0, cells);
    if (rec->kind == SCHEMA_T_METRICS && rec->text[0]) state_total(r, rec);
    return assay_builder_failed(r->b);
}

static int take_block(void *arg, unsigned shape, const assay_metric_id *metrics, uint32_t count)
{
    static const assay_metric_id none = { 0 };
    struct reader *r = arg;
    if (shape == ASSAY_JSON_GRAPH) assay_build_graph_metrics(r->b, count ? metrics : &none, count);
    if (shape == ASSAY_JSON_LINES) assay_build_line_metrics(r->b, count ? metrics : &none, count);
    if (shape == ASSAY_JSON_EVENTS) assay_build_timeline(r->b, metrics, count);
    if (shape == ASSAY_JSON_SAMPLES) builder_sample_metrics(r->b, metrics, count);
    return assay_builder_failed(r->b);
}

/* ---- the end ---- */

static void put_late(void *arg, const struct assay_json_later *l)
{
    struct reader *r = arg;
    builder_refer(r->b, (enum schema_number)l->kind, l->row, l->cell, l->to);
}

static int finish(struct reader *r)
{
    char version[16];
    assay_slice producer = intern_get(&r->d.names, r->d.producer);
    TRY(assay_json_settle(&r->d, put_late));
    if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    builder_settle_graph(r->b);
    if (r->d.properties >> ASSAY_JSON_KEEPS_RECURSION & 1) builder_keeps_recursion(r->b);
    if (r->d.properties >> ASSAY_JSON_KNOWS_NESTING & 1) assay_build_nesting_known(r->b);
    if (r->d.properties >> ASSAY_JSON_WHOLE_TREE & 1) assay_build_tree_whole(r->b);
    for (size_t i = 0; i < r->damage.list.len; i++)
        if (r->damage.list.at[i].severity > ASSAY_INFO) assay_build_warning(r->b, &r->damage.list.at[i]);
    snprintf(version, sizeof version, "%d", ASSAY_JSON_VERSION);
    assay_build_source(r->b, "assay-json", version, producer.data ? producer.data : "");
    bool has_cost = r->d.counts[SCHEMA_T_NODES] || r->d.counts[SCHEMA_T_SUMS] || r->d.counts[SCHEMA_T_COSTS] || r->d.counts[SCHEMA_T_LINES];
    if (!has_cost) assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
    return assay_builder_failed(r->b);
}

int assay_json_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b, .err = err };
    findings_init(&r.damage, job->mem);
    r.d = (struct assay_json_decoder){ .begin = begin, .take = take, .block = take_block, .arg = &r, .damage = &r.damage };
    int rc = assay_json_decode(&r.d, job, err);
    if (rc == 0) rc = finish(&r);
    assay_json_done(&r.d);
    vec_done(job->mem, &r.strings, &r.scopes, &r.stats);
    findings_done(&r.damage);
    return rc;
}
