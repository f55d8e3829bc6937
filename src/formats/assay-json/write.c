/* Sealed profile -> records -> JSON, by the tables of fields.h: everything of the coverage model, nothing that is 0. */
#include "base/json.h"
#include "base/number.h"
#include "formats/assay-json/refer.h"
#include "formats/coverage/order.h"
#include "model/entry.h"

#define STR(column, row) ((column) ? (column)[row] : (assay_str_id){ 0 })
#define VALUE(column, row) ((column) ? (column)[row] : 0)

struct writer {
    const assay_profile *p;
    const struct assay_coverage *c;
    struct mem *mem;
    struct json j;
    struct coverage_order orders[ASSAY_JSON_KINDS]; /* of the tables that have files */
    struct coverage_order called;                   /* rows of functions, by function */
    char number[48];                                /* text of a total */
};

/* ---- fields ---- */

static void put_flags(struct json *j, const struct assay_json_field *f, uint8_t bits)
{
    json_array(j);
    for (unsigned i = 0; f->words[i]; i++)
        if (bits >> i & 1) json_text(j, f->words[i]);
    json_end(j);
}

static void put_field(struct writer *w, const struct assay_json_field *f, const void *at)
{
    struct json *j = &w->j;
    json_key(j, f->key.data);
    switch (f->type) {
    case ASSAY_JSON_U8: json_u64(j, *(const uint8_t *)at); break;
    case ASSAY_JSON_U32: json_u64(j, *(const uint32_t *)at); break;
    case ASSAY_JSON_U64: json_u64(j, *(const uint64_t *)at); break;
    case ASSAY_JSON_I64: json_i64(j, *(const int64_t *)at); break;
    case ASSAY_JSON_F64: json_double(j, *(const double *)at); break;
    case ASSAY_JSON_TEXT: json_string(j, assay_profile_string(w->p, (assay_str_id){ *(const uint32_t *)at })); break;
    case ASSAY_JSON_NUMBER: json_number(j, slice_of(w->number)); break;
    case ASSAY_JSON_BOOL: json_bool(j, *(const uint8_t *)at); break;
    case ASSAY_JSON_WORD: json_text(j, f->words[*(const uint8_t *)at]); break;
    case ASSAY_JSON_FLAGS: put_flags(j, f, *(const uint8_t *)at); break;
    }
}

/* Without the end of its object. */
static void put_row(struct writer *w, enum assay_json_kind kind, const union assay_json_row *row)
{
    const struct assay_json_table *t = &assay_json_tables[kind];
    json_object(&w->j);
    for (unsigned i = 0; i < t->count; i++)
        if (t->fields[i].is_needed || !assay_json_is_zero(&t->fields[i], row)) put_field(w, &t->fields[i], (const char *)row + t->fields[i].at);
}

static void begin_list(struct writer *w, enum assay_json_kind kind)
{
    json_key(&w->j, assay_json_tables[kind].list);
    json_array(&w->j);
}

/* ---- rows out of columns ---- */

static void line(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->line = (struct assay_coverage_line){ .test = STR(c->line_test, i),
                                              .line = c->line_number[i],
                                              .hits = VALUE(c->line_hits, i),
                                              .flags = VALUE(c->line_flags, i),
                                              .checksum = STR(c->line_checksum, i) };
}

static void branch(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->branch = (struct assay_coverage_branch){ .test = STR(c->branch_test, i),
                                                  .line = VALUE(c->branch_line, i),
                                                  .func = { ID(c->branch_func, i) },
                                                  .block = STR(c->branch_block, i),
                                                  .name = STR(c->branch_name, i),
                                                  .index = VALUE(c->branch_index, i),
                                                  .hits = VALUE(c->branch_hits, i),
                                                  .flags = VALUE(c->branch_flags, i),
                                                  .column = VALUE(c->branch_column, i),
                                                  .end_line = VALUE(c->branch_end_line, i),
                                                  .end_column = VALUE(c->branch_end_column, i),
                                                  .target = VALUE(c->branch_target, i) };
}

static void sum(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->sum = (struct assay_coverage_sum){ .test = STR(c->sum_test, i),
                                            .line = VALUE(c->sum_line, i),
                                            .hit = VALUE(c->sum_hit, i),
                                            .total = VALUE(c->sum_total, i),
                                            .kind = STR(c->sum_kind, i),
                                            .flags = VALUE(c->sum_flags, i) };
}

static void condition(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->condition = (struct assay_coverage_condition){ .line = VALUE(c->condition_line, i),
                                                        .group = VALUE(c->condition_group, i),
                                                        .index = VALUE(c->condition_index, i),
                                                        .sense = VALUE(c->condition_sense, i),
                                                        .hits = VALUE(c->condition_hits, i),
                                                        .text = STR(c->condition_text, i),
                                                        .test = STR(c->condition_test, i),
                                                        .flags = VALUE(c->condition_flags, i) };
}

static void region(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->region = (struct assay_coverage_region){ .func = { ID(c->region_func, i) },
                                                  .kind = VALUE(c->region_kind, i),
                                                  .first = VALUE(c->region_first, i),
                                                  .last = VALUE(c->region_last, i),
                                                  .first_column = VALUE(c->region_first_column, i),
                                                  .last_column = VALUE(c->region_last_column, i),
                                                  .statements = VALUE(c->region_statements, i),
                                                  .hits = VALUE(c->region_hits, i) };
}

static void stated(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->stated = (struct assay_coverage_stated){
        .scope = STR(c->stated_scope, i), .kind = STR(c->stated_kind, i), .hit = VALUE(c->stated_hit, i), .total = VALUE(c->stated_total, i)
    };
}

static void called(const struct assay_coverage *c, uint32_t i, union assay_json_row *out)
{
    out->called = (struct assay_coverage_func){ .test = STR(c->func_test, i),
                                                .calls = VALUE(c->func_calls, i),
                                                .first_column = VALUE(c->func_first_column, i),
                                                .last_column = VALUE(c->func_last_column, i),
                                                .blocks = VALUE(c->func_blocks, i),
                                                .blocks_hit = VALUE(c->func_blocks_hit, i),
                                                .flags = VALUE(c->func_flags, i) };
}

/* ---- files ---- */

typedef void (*row_fn)(const struct assay_coverage *c, uint32_t i, union assay_json_row *out);
static const row_fn row_of[ASSAY_JSON_KINDS] = { [ASSAY_JSON_LINE] = line,           [ASSAY_JSON_BRANCH] = branch, [ASSAY_JSON_SUM] = sum,
                                                 [ASSAY_JSON_CONDITION] = condition, [ASSAY_JSON_REGION] = region, [ASSAY_JSON_STATED] = stated };

/* The rows of a file, or those of none (0). */
static void put_lists(struct writer *w, uint32_t file)
{
    for (enum assay_json_kind k = ASSAY_JSON_LINE; k < ASSAY_JSON_METRIC; k++) {
        const struct coverage_order *o = &w->orders[k];
        uint32_t i = coverage_order_first(o, file);
        if (!coverage_order_is_of(o, i, file)) continue;
        begin_list(w, k);
        for (; coverage_order_is_of(o, i, file); i++) {
            union assay_json_row row;
            row_of[k](w->c, o->row[i], &row);
            put_row(w, k, &row);
            json_end(&w->j);
        }
        json_end(&w->j);
    }
}

static void put_files(struct writer *w)
{
    const struct assay_files *f = assay_profile_files(w->p);
    begin_list(w, ASSAY_JSON_FILE);
    for (uint32_t i = 1; i <= f->count; i++) {
        union assay_json_row row = { .file = { .path = f->path[i],
                                               .origin = STR(f->origin, i),
                                               .source = STR(f->source, i),
                                               .module = ID(f->module, i),
                                               .parent = ID(f->parent, i),
                                               .parent_line = VALUE(f->parent_line, i),
                                               .flags = VALUE(f->flags, i) } };
        put_row(w, ASSAY_JSON_FILE, &row);
        put_lists(w, i);
        json_end(&w->j);
    }
    json_end(&w->j);
}

/* ---- functions ---- */

static void put_called(struct writer *w, uint32_t func, uint32_t *at)
{
    const struct coverage_order *o = &w->called;
    if (*at >= o->count || o->key[*at] >> 32 != func) return;
    begin_list(w, ASSAY_JSON_CALLED);
    for (; coverage_order_is_of(o, *at, func); ++*at) {
        union assay_json_row row;
        called(w->c, o->row[*at], &row);
        put_row(w, ASSAY_JSON_CALLED, &row);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static void put_functions(struct writer *w)
{
    const struct assay_funcs *f = assay_profile_funcs(w->p);
    uint32_t at = 0;
    begin_list(w, ASSAY_JSON_FUNCTION);
    for (uint32_t i = 1; i <= f->count; i++) {
        union assay_json_row row = { .function = { .name = f->name[i],
                                                   .link_name = STR(f->link_name, i),
                                                   .file = ID(f->file, i),
                                                   .module = ID(f->module, i),
                                                   .line = VALUE(f->first_line, i),
                                                   .last_line = VALUE(f->last_line, i),
                                                   .column = VALUE(f->first_column, i),
                                                   .flags = VALUE(f->flags, i),
                                                   .kind = VALUE(f->kind, i),
                                                   .offset = VALUE(f->offset, i) } };
        put_row(w, ASSAY_JSON_FUNCTION, &row);
        put_called(w, i, &at);
        json_end(&w->j);
    }
    json_end(&w->j);
}

/* ---- the rest ---- */

static void put_modules(struct writer *w)
{
    const struct assay_modules *m = assay_profile_modules(w->p);
    if (!m->count) return;
    begin_list(w, ASSAY_JSON_MODULE);
    for (uint32_t i = 1; i <= m->count; i++) {
        put_row(w, ASSAY_JSON_MODULE, &(union assay_json_row){ .module = { .path = m->path[i], .build_id = STR(m->build_id, i) } });
        json_end(&w->j);
    }
    json_end(&w->j);
}

static bool is_coverage(const struct assay_metrics *m, uint32_t i) { return !m->shapes || !m->shapes[i] || m->shapes[i] & ASSAY_SHAPE_COVERAGE; }

static void put_metrics(struct writer *w)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    begin_list(w, ASSAY_JSON_METRIC);
    for (uint32_t i = 1; i <= m->count; i++) {
        if (!is_coverage(m, i)) continue;
        union assay_json_row row = { .metric = { .name = m->name[i],
                                                 .unit = STR(m->unit, i),
                                                 .description = STR(m->description, i),
                                                 .formula = STR(m->formula, i),
                                                 .type = VALUE(m->type, i),
                                                 .hidden = VALUE(m->hidden, i) } };
        if (VALUE(m->has_stated, i)) row.metric.total.v = 1; /* any id: the text is w->number */
        size_t len = row.metric.type == ASSAY_F64 ? number_put_double(w->number, m->total_double[i]) : number_put_wide(w->number, m->total[i]);
        w->number[len] = '\0';
        put_row(w, ASSAY_JSON_METRIC, &row);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static void put_facts(struct writer *w)
{
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    const struct assay_counts *n = assay_profile_counts(w->p);
    begin_list(w, ASSAY_JSON_ATTRIBUTE);
    for (uint32_t i = 0; i < a->count; i++) {
        if (ID(a->stream, i)) continue;
        put_row(w, ASSAY_JSON_ATTRIBUTE, &(union assay_json_row){ .attribute = { .key = a->key[i], .value = STR(a->value, i) } });
        json_end(&w->j);
    }
    json_end(&w->j);
    begin_list(w, ASSAY_JSON_COUNT);
    for (uint32_t i = 0; i < n->count; i++) {
        put_row(w, ASSAY_JSON_COUNT, &(union assay_json_row){ .count = { .name = n->name[i], .value = VALUE(n->value, i) } });
        json_end(&w->j);
    }
    json_end(&w->j);
}

/* ---- the whole ---- */

static bool orders(struct writer *w)
{
    const struct assay_coverage *c = w->c;
    struct coverage_order *o = w->orders;
    return coverage_order_make(&o[ASSAY_JSON_LINE], w->mem, c->line_file, NULL, c->line_count) &&
           coverage_order_make(&o[ASSAY_JSON_BRANCH], w->mem, c->branch_file, NULL, c->branch_count) &&
           coverage_order_make(&o[ASSAY_JSON_SUM], w->mem, c->sum_file, NULL, c->sum_count) &&
           coverage_order_make(&o[ASSAY_JSON_CONDITION], w->mem, c->condition_file, NULL, c->condition_count) &&
           coverage_order_make(&o[ASSAY_JSON_REGION], w->mem, c->region_file, NULL, c->region_count) &&
           coverage_order_make(&o[ASSAY_JSON_STATED], w->mem, c->stated_file, NULL, c->stated_count) && coverage_order_called(&w->called, w->mem, c);
}

static void put_document(struct writer *w)
{
    assay_slice producer = assay_profile_producer(w->p);
    json_object(&w->j);
    json_key(&w->j, "assay-json");
    json_u64(&w->j, ASSAY_JSON_VERSION);
    json_key(&w->j, "producer");
    json_string(&w->j, producer.len ? producer : slice_of(assay_profile_format(w->p)));
    put_metrics(w);
    put_facts(w);
    put_modules(w);
    put_files(w);
    put_functions(w);
    put_lists(w, 0);
    json_end(&w->j);
}

static int put(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct writer w = { .p = p, .c = assay_profile_coverage(p), .mem = job->mem };
    bool done = orders(&w);
    json_init(&w.j, out);
    if (done) put_document(&w);
    for (int k = 0; k < ASSAY_JSON_KINDS; k++) coverage_order_free(&w.orders[k], job->mem);
    coverage_order_free(&w.called, job->mem);
    return done ? 0 : error_memory(err);
}

int assay_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that assay-json can hold");
    if (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE)
        losses_add(job->losses, "cost", 1, "assay-json holds only coverage; other measurements are not written");
    if (assay_profile_streams(p)->count) losses_add(job->losses, "streams", assay_profile_streams(p)->count, "parts, runs and threads are not written");
    TRY(losses_settle(job, err));
    return put(p, job, out, err);
}
