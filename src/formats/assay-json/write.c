/* Sealed profile -> JSON by the lists of fields.h: everything of the model, nothing that is 0. */
#include <math.h>

#include "base/cancel.h"
#include "base/json.h"
#include "base/number.h"
#include "formats/assay-json/decode.h"
#include "formats/coverage/order.h"
#include "model/entry.h"

struct writer {
    const assay_profile *p;
    struct mem *mem;
    struct json j;
    struct coverage_order orders[SCHEMA_T_COUNT]; /* of the tables whose rows stand in files or functions */
    assay_error *err;
};

/* ---- members ---- */

static void put_double(struct json *j, double v)
{
    if (isfinite(v))
        json_double(j, v);
    else
        json_text(j, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
}

static void put_value(struct json *j, enum assay_type type, assay_value v)
{
    if (type == ASSAY_F64)
        put_double(j, v.d);
    else
        json_value(j, type, v);
}

static void put_words(struct json *j, const char *const *words, uint64_t bits)
{
    json_array(j);
    for (unsigned i = 0; words[i]; i++)
        if (bits >> i & 1) json_text(j, words[i]);
    json_end(j);
}

static enum assay_type type_of(const struct writer *w, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    return m->type ? (enum assay_type)m->type[metric] : ASSAY_U64;
}

static bool has_value(const struct assay_block *block, const assay_value *values)
{
    for (uint32_t k = 0; values && k < block->metric_count; k++)
        if (values[k].u) return true;
    return false;
}

static void put_values(struct writer *w, const struct assay_block *block, const assay_value *values)
{
    json_array(&w->j);
    for (uint32_t k = 0; k < block->metric_count; k++) put_value(&w->j, type_of(w, block->metrics[k].v), values[k]);
    json_end(&w->j);
}

/* The total of a metric, where it is stated. */
static void put_total(struct writer *w, uint32_t metric)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    if (type_of(w, metric) == ASSAY_F64)
        put_double(&w->j, m->total_double[metric]);
    else
        json_wide(&w->j, m->total[metric]);
}

/* Metrics of coverage alone need not say so. */
static bool is_written(const struct writer *w, const struct schema_table *t, const struct schema_column *c, uint64_t row, union schema_cell cell)
{
    if (c->type == SCHEMA_VALUES) return has_value(schema_block(w->p, t), cell.values);
    if (c->type == SCHEMA_WIDE) return AT(assay_profile_metrics(w->p)->has_stated, row);
    if (c->type == SCHEMA_SHAPES) return cell.u && cell.u != ASSAY_SHAPE_COVERAGE;
    return cell.u || c->is_needed;
}

static void put_member(struct writer *w, const struct schema_table *t, const struct schema_column *c, uint64_t row, union schema_cell cell)
{
    struct json *j = &w->j;
    json_key(j, c->json);
    switch (c->type) {
    case SCHEMA_STRING: json_string(j, assay_profile_string(w->p, (assay_str_id){ (uint32_t)cell.u })); break;
    case SCHEMA_BOOL: json_bool(j, cell.u); break;
    case SCHEMA_WORD: json_text(j, schema_word(c, cell.u)); break;
    case SCHEMA_FLAGS:
    case SCHEMA_SHAPES: put_words(j, c->words, cell.u); break;
    case SCHEMA_I64: json_i64(j, cell.i); break;
    case SCHEMA_F64: put_double(j, cell.d); break;
    case SCHEMA_WIDE: put_total(w, (uint32_t)row); break;
    case SCHEMA_VALUES: put_values(w, schema_block(w->p, t), cell.values); break;
    default: json_u64(j, cell.u);
    }
}

/* Without the end of its object. */
static void put_row(struct writer *w, enum schema_number table, uint64_t row)
{
    const struct schema_table *t = &schema_tables[table];
    json_object(&w->j);
    for (unsigned i = 0; i < t->count; i++) {
        const struct schema_column *c = &t->columns[i];
        union schema_cell cell = c->json ? schema_cell(w->p, t, c, row) : (union schema_cell){ 0 };
        if (c->json && is_written(w, t, c, row, cell)) put_member(w, t, c, row, cell);
    }
}

static void begin_list(struct writer *w, const char *name)
{
    json_key(&w->j, name);
    json_array(&w->j);
}

/* ---- rows inside rows ---- */

/* Those of a file or function, or of none (0). */
static void put_inner(struct writer *w, enum schema_number table, uint32_t owner)
{
    const struct coverage_order *o = &w->orders[table];
    uint32_t i = coverage_order_first(o, owner);
    if (!coverage_order_is_of(o, i, owner)) return;
    begin_list(w, schema_tables[table].json);
    for (; coverage_order_is_of(o, i, owner); i++) {
        put_row(w, table, o->row[i]);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static void put_tuple(struct writer *w, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    if (s->tuple_begin[stream] == s->tuple_begin[stream + 1]) return;
    begin_list(w, schema_tables[SCHEMA_T_TUPLES].json);
    for (uint32_t k = s->tuple_begin[stream]; k < s->tuple_begin[stream + 1]; k++) {
        put_row(w, SCHEMA_T_TUPLES, k);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static int put_table(struct writer *w, enum schema_number table)
{
    const struct schema_table *t = &schema_tables[table];
    unsigned first, end;
    assay_json_inner_of(table, &first, &end);
    begin_list(w, t->json);
    for (uint64_t row = schema_begin(t); row < schema_end(w->p, t); row++) {
        TRY(cancel_step(row, w->err));
        put_row(w, table, row);
        for (unsigned k = first; k < end; k++) {
            if (assay_json_inner[k] == SCHEMA_T_TUPLES)
                put_tuple(w, (uint32_t)row);
            else
                put_inner(w, assay_json_inner[k], (uint32_t)row);
        }
        json_end(&w->j);
    }
    json_end(&w->j);
    return 0;
}

static int put_some(struct writer *w, enum schema_number table) { return schema_count(w->p, &schema_tables[table]) ? put_table(w, table) : 0; }

/* ---- what is said of the whole ---- */

static void put_properties(struct writer *w)
{
    const struct assay_graph *g = assay_profile_graph(w->p);
    uint64_t bits = (uint64_t)g->keeps_recursion << ASSAY_JSON_KEEPS_RECURSION | (uint64_t)g->knows_nesting << ASSAY_JSON_KNOWS_NESTING |
                    (uint64_t)assay_profile_tree(w->p)->is_whole << ASSAY_JSON_WHOLE_TREE;
    if (!bits) return;
    json_key(&w->j, "properties");
    put_words(&w->j, assay_json_properties, bits);
}

static void put_blocks(struct writer *w)
{
    const struct assay_block *blocks[ASSAY_JSON_BLOCKS] = { &assay_profile_graph(w->p)->block, &assay_profile_lines(w->p)->block,
                                                            &assay_profile_timeline(w->p)->block, &assay_profile_labels(w->p)->block };
    bool is_any = false;
    for (int i = 0; i < ASSAY_JSON_BLOCKS; i++) is_any |= blocks[i]->metric_count != 0;
    if (!is_any) return;
    json_key(&w->j, "metrics_of");
    json_object(&w->j);
    for (int i = 0; i < ASSAY_JSON_BLOCKS; i++) {
        if (!blocks[i]->metric_count) continue;
        begin_list(w, assay_json_shapes[i]);
        for (uint32_t k = 0; k < blocks[i]->metric_count; k++) json_u64(&w->j, blocks[i]->metrics[k].v);
        json_end(&w->j);
    }
    json_end(&w->j);
}

/* ---- values of the tree ---- */

struct values {
    struct writer *w;
    uint32_t stream;
    bool is_summary, has_list;
};

static int put_cell(void *arg, const assay_cell *cell)
{
    struct values *v = arg;
    struct json *j = &v->w->j;
    const assay_profile *p = v->w->p;
    const struct assay_scopes *s = assay_profile_scopes(p);
    const struct assay_stats *t = assay_profile_stats(p);
    if (!cell->column || cell->column > (v->is_summary ? t->count : s->count)) return 0; /* a backing may answer anything */
    uint32_t scope = v->is_summary ? t->scope[cell->column].v : cell->column;
    if (!v->has_list) begin_list(v->w, v->is_summary ? "summary" : "values");
    v->has_list = true;
    json_object(j);
    if (v->stream) json_key(j, "stream");
    if (v->stream) json_u64(j, v->stream);
    if (cell->node) json_key(j, "context");
    if (cell->node) json_u64(j, cell->node);
    json_key(j, v->is_summary ? "statistic" : "scope");
    json_u64(j, cell->column);
    json_key(j, "value");
    put_value(j, type_of(v->w, s->metric[scope].v), cell->value);
    json_end(j);
    return 0;
}

static int put_tree_values(struct writer *w)
{
    struct values v = { .w = w };
    for (; v.stream <= assay_profile_streams(w->p)->count; v.stream++)
        TRY(assay_tree_column(w->p, (assay_stream_id){ v.stream }, (assay_scope_id){ 0 }, put_cell, &v, w->err));
    if (v.has_list) json_end(&w->j);
    struct values sums = { .w = w, .is_summary = true };
    TRY(assay_tree_summary(w->p, (assay_stat_id){ 0 }, put_cell, &sums, w->err));
    if (sums.has_list) json_end(&w->j);
    return 0;
}

/* ---- events ---- */

/* A row of a stream: its stream first. */
static void put_of_stream(struct writer *w, enum schema_number table, uint32_t stream, uint64_t row)
{
    const struct schema_table *t = &schema_tables[table];
    json_object(&w->j);
    if (stream) json_key(&w->j, "stream");
    if (stream) json_u64(&w->j, stream);
    for (unsigned i = 0; i < t->count; i++) {
        union schema_cell cell = schema_cell(w->p, t, &t->columns[i], row);
        if (t->columns[i].json && is_written(w, t, &t->columns[i], row, cell)) put_member(w, t, &t->columns[i], row, cell);
    }
    json_end(&w->j);
}

static int put_timeline(struct writer *w)
{
    const struct assay_timeline *t = assay_profile_timeline(w->p);
    bool is_said = t->count;
    for (uint32_t s = 0; s <= t->stream_count; s++) is_said |= ID(t->unit, s) || AT(t->is_spans, s);
    if (is_said) begin_list(w, schema_tables[SCHEMA_T_TIMELINES].json);
    for (uint32_t s = 0; is_said && s <= t->stream_count; s++) put_of_stream(w, SCHEMA_T_TIMELINES, s, s);
    if (is_said) json_end(&w->j);
    if (!t->count) return 0;
    begin_list(w, schema_tables[SCHEMA_T_EVENTS].json);
    for (uint32_t s = 0; s <= t->stream_count; s++)
        for (uint64_t i = t->begin[s]; i < t->begin[s + 1]; i++) {
            TRY(cancel_step(i, w->err));
            put_of_stream(w, SCHEMA_T_EVENTS, s, i);
        }
    json_end(&w->j);
    return 0;
}

/* ---- the whole ---- */

static bool orders(struct writer *w)
{
    const struct assay_coverage *c = assay_profile_coverage(w->p);
    struct coverage_order *o = w->orders;
    return coverage_order_make(&o[SCHEMA_T_COVERAGE_LINES], w->mem, c->line_file, NULL, c->line_count) &&
           coverage_order_make(&o[SCHEMA_T_COVERAGE_BRANCHES], w->mem, c->branch_file, NULL, c->branch_count) &&
           coverage_order_make(&o[SCHEMA_T_COVERAGE_SUMS], w->mem, c->sum_file, NULL, c->sum_count) &&
           coverage_order_make(&o[SCHEMA_T_COVERAGE_CONDITIONS], w->mem, c->condition_file, NULL, c->condition_count) &&
           coverage_order_make(&o[SCHEMA_T_COVERAGE_REGIONS], w->mem, c->region_file, NULL, c->region_count) &&
           coverage_order_make(&o[SCHEMA_T_COVERAGE_STATED], w->mem, c->stated_file, NULL, c->stated_count) &&
           coverage_order_called(&o[SCHEMA_T_COVERAGE_FUNCS], w->mem, c);
}

/* What others refer to comes before them. */
static int put_document(struct writer *w)
{
    static const enum schema_number cost[] = { SCHEMA_T_NODES, SCHEMA_T_SUMS, SCHEMA_T_COSTS, SCHEMA_T_ARCS, SCHEMA_T_PAIRS, SCHEMA_T_JUMPS, SCHEMA_T_LINES };
    static const enum schema_number beside[] = { SCHEMA_T_SAMPLES, SCHEMA_T_MARKERS, SCHEMA_T_COUNTERS, SCHEMA_T_READINGS };
    assay_slice producer = assay_profile_producer(w->p);
    unsigned first, end;
    json_object(&w->j);
    json_key(&w->j, "assay-json");
    json_u64(&w->j, ASSAY_JSON_VERSION);
    json_key(&w->j, "producer");
    json_string(&w->j, producer.len ? producer : slice_of(assay_profile_format(w->p)));
    TRY(put_some(w, SCHEMA_T_STREAMS));
    TRY(put_table(w, SCHEMA_T_METRICS));
    put_properties(w);
    put_blocks(w);
    TRY(put_some(w, SCHEMA_T_SCOPES));
    TRY(put_some(w, SCHEMA_T_STATS));
    TRY(put_some(w, SCHEMA_T_LABELS));
    TRY(put_some(w, SCHEMA_T_LABEL_SETS));
    TRY(put_table(w, SCHEMA_T_ATTRIBUTES));
    TRY(put_table(w, SCHEMA_T_COUNTS));
    TRY(put_some(w, SCHEMA_T_MODULES));
    TRY(put_table(w, SCHEMA_T_FILES));
    TRY(put_table(w, SCHEMA_T_FUNCS));
    assay_json_inner_of(SCHEMA_T_FILES, &first, &end);
    for (unsigned k = first; k < end; k++) put_inner(w, assay_json_inner[k], 0);
    for (size_t i = 0; i < sizeof cost / sizeof *cost; i++) TRY(put_some(w, cost[i]));
    TRY(put_tree_values(w));
    TRY(put_timeline(w));
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) TRY(put_some(w, beside[i]));
    json_end(&w->j);
    return 0;
}

int assay_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct writer w = { .p = p, .mem = job->mem, .err = err };
    json_init(&w.j, out);
    int rc = orders(&w) ? put_document(&w) : error_memory(err);
    for (int k = 0; k < SCHEMA_T_COUNT; k++) coverage_order_free(&w.orders[k], job->mem);
    return rc;
}
