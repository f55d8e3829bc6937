/* See decode.h. */
#include "formats/assay-json/decode.h"

#include <math.h>

#include "base/number.h"

enum { BAD_TYPE = 255 };

static void wrong(struct assay_json_decoder *d, const char *what, const char *why)
{
    coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "J-2", ASSAY_ERROR, "%s %s", what, why);
}

/* ---- plain values ---- */

/* `*out`: the place of the word, or -1. */
static void find_word(struct assay_json_decoder *d, const char *const *words, const char *what, int *out)
{
    int at = 0;
    while (words[at] && !slice_is(d->j.e.text, words[at])) at++;
    *out = words[at] ? at : -1;
    if (!words[at]) wrong(d, what, "has an unknown value");
}

static int take_word(struct assay_json_decoder *d, const char *const *words, const char *what, uint64_t *out)
{
    bool is;
    int at = -1;
    TRY(coverage_json_expect(&d->j, JSON_STRING, what, &is));
    if (is) find_word(d, words, what, &at);
    if (at >= 0) *out = (uint64_t)at;
    return 0;
}

static int take_flags(struct assay_json_decoder *d, const char *const *words, const char *what, uint64_t *out)
{
    bool is, has;
    *out = 0;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, what, &is));
    while (is) {
        int at = -1;
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(&d->j, JSON_STRING, what, &has));
        if (has) find_word(d, words, what, &at);
        if (at >= 0) *out |= (uint64_t)1 << at;
    }
    return 0;
}

static int take_whole(struct assay_json_decoder *d, const char *what, uint64_t most, uint64_t *out, bool *is)
{
    uint64_t v = 0;
    TRY(coverage_json_expect(&d->j, JSON_NUMBER, what, is));
    if (!*is) return 0;
    *is = number_u64(d->j.e.text, &v) == NUMBER_OK && v <= most;
    if (*is)
        *out = v;
    else
        wrong(d, what, "is not a whole number in range");
    return 0;
}

/* Doubles that no number of JSON can be are words. */
static bool odd_double(assay_slice s, double *out)
{
    *out = slice_is(s, "nan") ? NAN : slice_is(s, "inf") ? INFINITY : -INFINITY;
    return slice_is(s, "nan") || slice_is(s, "inf") || slice_is(s, "-inf");
}

static int take_value(struct assay_json_decoder *d, enum assay_type type, const char *what, assay_value *out, bool *is)
{
    if (type == ASSAY_F64 && d->j.e.kind == JSON_STRING && odd_double(d->j.e.text, &out->d)) return 0;
    TRY(coverage_json_expect(&d->j, JSON_NUMBER, what, is));
    if (!*is) return 0;
    if (type == ASSAY_F64)
        number_double(d->j.e.text, &out->d);
    else
        *is = (type == ASSAY_I64 ? number_i64(d->j.e.text, &out->i) : number_u64(d->j.e.text, &out->u)) == NUMBER_OK;
    if (!*is) wrong(d, what, "is not a whole number in range");
    return 0;
}

/* A number as text, until its type is known. */
static int take_text(struct assay_json_decoder *d, const char *what, struct assay_json_record *r, bool *is)
{
    double odd;
    bool is_odd = d->j.e.kind == JSON_STRING && odd_double(d->j.e.text, &odd);
    if (!is_odd) TRY(coverage_json_expect(&d->j, JSON_NUMBER, what, is));
    if (!*is) return 0;
    *is = d->j.e.text.len < sizeof r->text;
    if (!*is)
        wrong(d, what, "is too long");
    else {
        memcpy(r->text, d->j.e.text.data, d->j.e.text.len);
        r->text[d->j.e.text.len] = '\0';
    }
    return 0;
}

/* ---- values of a block ---- */

/* Which of the columns of values of a row it is. */
static size_t slot_of(const struct assay_json_record *r, unsigned cell)
{
    const struct schema_table *t = &schema_tables[r->kind];
    size_t slot = 0;
    for (unsigned c = 0; c < cell; c++) slot += t->columns[c].type == SCHEMA_VALUES;
    return slot;
}

static int take_values(struct assay_json_decoder *d, const struct assay_json_member *m, struct assay_json_record *r)
{
    unsigned block = assay_json_block(r->kind);
    size_t width = d->blocks[block].len, n = 0;
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, m->key.data, &is));
    if (is && !d->has_block[block]) {
        coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "AJ-4", ASSAY_ERROR, "%s before metrics_of says what they are of", m->key.data);
        return json_read_skip(&d->j.r, &d->j.e);
    }
    size_t need = (size_t)SCHEMA_COLUMNS_MAX * width;
    if (d->values.len < need) {
        if (!vec_reserve(d->mem, &d->values, need - d->values.len)) return error_memory(d->err);
        d->values.len = need;
    }
    assay_value *values = width ? d->values.at + slot_of(r, m->cell) * width : NULL;
    if (width) memset(values, 0, width * sizeof *values);
    for (; is; n++) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        if (n == width) wrong(d, m->key.data, "has more values than metrics");
        if (n >= width) TRY(json_read_skip(&d->j.r, &d->j.e));
        if (n >= width) continue;
        bool is_value = true;
        TRY(take_value(d, (enum assay_type)d->metric_types.at[d->blocks[block].at[n].v], m->key.data, &values[n], &is_value));
    }
    r->cells[m->cell].values = is ? values : NULL;
    return 0;
}

/* ---- a member of a row ---- */

static int member(struct assay_json_decoder *d, const struct assay_json_member *m, struct assay_json_record *r, bool *is)
{
    const struct schema_column *c = m->column;
    const char *what = m->key.data;
    uint64_t *cell = &r->cells[m->cell].u;
    *is = true;
    if (!c) return take_whole(d, what, UINT32_MAX, cell, is);
    switch (c->type) {
    case SCHEMA_STRING:
        if (d->j.e.kind == JSON_NULL && r->number && r->kind != SCHEMA_T_METRICS) return 0; /* a function without a name */
        TRY(coverage_json_expect(&d->j, JSON_STRING, what, is));
        if (*is && !(*cell = intern_put(&d->names, d->j.e.text))) return error_memory(d->err);
        return 0;
    case SCHEMA_WIDE: return take_text(d, what, r, is);
    case SCHEMA_VALUES: return take_values(d, m, r);
    case SCHEMA_WORD: return take_word(d, c->words, what, cell);
    case SCHEMA_FLAGS:
    case SCHEMA_SHAPES: return take_flags(d, c->words, what, cell);
    case SCHEMA_BOOL: *cell = d->j.e.kind == JSON_TRUE; return d->j.e.kind == JSON_FALSE ? 0 : coverage_json_expect(&d->j, JSON_TRUE, what, is);
    case SCHEMA_I64:
    case SCHEMA_F64: {
        assay_value v = { .u = 0 };
        TRY(take_value(d, c->type == SCHEMA_I64 ? ASSAY_I64 : ASSAY_F64, what, &v, is));
        *cell = v.u;
        return 0;
    }
    default: return take_whole(d, what, c->type == SCHEMA_U64 ? UINT64_MAX : c->type == SCHEMA_U8 ? UINT8_MAX : UINT32_MAX, cell, is);
    }
}

/* ---- what rows refer to ---- */

static const unsigned table_of[] = {
    [SCHEMA_MODULE] = SCHEMA_T_MODULES, [SCHEMA_FILE] = SCHEMA_T_FILES,      [SCHEMA_FUNC] = SCHEMA_T_FUNCS, [SCHEMA_METRIC] = SCHEMA_T_METRICS,
    [SCHEMA_SCOPE] = SCHEMA_T_SCOPES,   [SCHEMA_STREAM] = SCHEMA_T_STREAMS,  [SCHEMA_NODE] = SCHEMA_T_NODES, [SCHEMA_LABEL] = SCHEMA_T_LABELS,
    [SCHEMA_SET] = SCHEMA_T_LABEL_SETS, [SCHEMA_COUNTER] = SCHEMA_T_COUNTERS
};

static void found_none(struct assay_json_decoder *d, uint64_t off, uint64_t line, unsigned to_kind, uint64_t to)
{
    findings_add(d->damage, "AJ-2", ASSAY_ERROR, off, line, "%s %llu: there are only %llu", schema_tables[to_kind].item, (unsigned long long)to,
                 (unsigned long long)d->counts[to_kind]);
}

/* Files may refer to functions that come later, and so on; metrics, scopes and contexts come first. */
static int refer(struct assay_json_decoder *d, struct assay_json_record *r, unsigned cell, enum schema_type type)
{
    unsigned to_kind = table_of[type];
    uint64_t to = r->cells[cell].u;
    bool is_parent = (r->kind == SCHEMA_T_NODES && type == SCHEMA_NODE) || (r->kind == SCHEMA_T_LABEL_SETS && type == SCHEMA_SET);
    if (to <= d->counts[to_kind] && !(is_parent && to >= r->number)) return 0;
    r->cells[cell].u = 0;
    if (is_parent || r->kind >= SCHEMA_T_COUNT || type == SCHEMA_METRIC || type == SCHEMA_SCOPE) {
        found_none(d, r->off, r->line, to_kind, to);
        return 0;
    }
    struct assay_json_later *l = vec_push(d->mem, &d->later);
    if (!l) return error_memory(d->err);
    *l = (struct assay_json_later){ r->off, r->line, r->number ? r->number : d->counts[r->kind] + 1, (uint32_t)to, (uint8_t)r->kind, (uint8_t)cell };
    return 0;
}

/* A row whose function, say, is not there is none. */
static void refer_needed(struct assay_json_decoder *d, const struct assay_json_list *list, struct assay_json_record *r)
{
    for (unsigned i = 0; i < list->count; i++) {
        const struct schema_column *c = list->members[i].column;
        if (!c || !c->is_needed || !schema_is_id(c->type) || c->type == SCHEMA_STRING) continue;
        uint64_t to = r->cells[list->members[i].cell].u;
        if (to && to <= d->counts[table_of[c->type]]) continue;
        if (r->is_good) found_none(d, r->off, r->line, table_of[c->type], to);
        r->cells[list->members[i].cell].u = 0;
        r->is_good = false;
    }
}

static int refer_all(struct assay_json_decoder *d, const struct assay_json_list *list, struct assay_json_record *r)
{
    for (unsigned i = 0; i < list->count; i++) {
        const struct schema_column *c = list->members[i].column;
        enum schema_type type = c ? c->type : SCHEMA_STREAM;
        if (schema_is_id(type) && type != SCHEMA_STRING && r->cells[list->members[i].cell].u) TRY(refer(d, r, list->members[i].cell, type));
    }
    return 0;
}

int assay_json_settle(struct assay_json_decoder *d, void (*put)(void *arg, const struct assay_json_later *l))
{
    for (size_t i = 0; i < d->later.len; i++) {
        const struct assay_json_later *l = &d->later.at[i];
        bool is_stream = l->cell >= schema_tables[l->kind].count;
        unsigned to_kind = table_of[is_stream ? SCHEMA_STREAM : schema_tables[l->kind].columns[l->cell].type];
        if (l->to > d->counts[to_kind] || is_stream)
            found_none(d, l->off, l->line, to_kind, l->to);
        else if (put)
            put(d->arg, l);
    }
    return d->damage->failed ? error_memory(d->err) : 0;
}

/* ---- rows with types ---- */

static enum assay_type type_of(const struct assay_json_decoder *d, const struct assay_json_record *r)
{
    uint64_t column = r->cells[ASSAY_JSON_VALUE_COLUMN].u;
    if (r->kind == ASSAY_JSON_VALUES) return column < d->scope_types.len ? (enum assay_type)d->scope_types.at[column] : ASSAY_U64;
    if (r->kind == ASSAY_JSON_SUMMARY) return column < d->stat_types.len ? (enum assay_type)d->stat_types.at[column] : ASSAY_U64;
    return (enum assay_type)r->cells[assay_json_cell(SCHEMA_T_METRICS, "type")].u;
}

assay_value assay_json_value(const struct assay_json_decoder *d, const struct assay_json_record *r)
{
    assay_value v = { .u = 0 };
    assay_slice text = slice_of(r->text);
    switch (type_of(d, r)) {
    case ASSAY_U64: number_u64(text, &v.u); break;
    case ASSAY_I64: number_i64(text, &v.i); break;
    default:
        if (!odd_double(text, &v.d)) number_double(text, &v.d);
    }
    return v;
}

/* Types by number: those of metrics, of scopes by their metric, of statistics by their scope. BAD_TYPE = it refers to none, and is none. */
static int note_type(struct assay_json_decoder *d, struct assay_json_record *r)
{
    uint64_t to = r->cells[0].u;
    if (r->kind == SCHEMA_T_METRICS) d->metric_types.at[r->number] = (uint8_t)r->cells[assay_json_cell(SCHEMA_T_METRICS, "type")].u;
    if (r->kind == SCHEMA_T_SCOPES) d->scope_types.at[r->number] = r->is_good && to ? d->metric_types.at[to] : BAD_TYPE;
    if (r->kind == SCHEMA_T_STATS) d->stat_types.at[r->number] = r->is_good && to ? d->scope_types.at[to] : BAD_TYPE;
    if (r->kind == SCHEMA_T_SCOPES) r->is_good = d->scope_types.at[r->number] != BAD_TYPE;
    if (r->kind == SCHEMA_T_STATS) r->is_good = d->stat_types.at[r->number] != BAD_TYPE;
    if (r->kind == ASSAY_JSON_VALUES || r->kind == ASSAY_JSON_SUMMARY) {
        uint64_t column = r->cells[ASSAY_JSON_VALUE_COLUMN].u;
        const uint8_t *types = r->kind == ASSAY_JSON_VALUES ? d->scope_types.at : d->stat_types.at;
        size_t len = r->kind == ASSAY_JSON_VALUES ? d->scope_types.len : d->stat_types.len;
        if (r->kind == ASSAY_JSON_SUMMARY && column >= len) found_none(d, r->off, r->line, SCHEMA_T_STATS, column);
        r->is_good = r->is_good && column && column < len && types[column] != BAD_TYPE;
    }
    return 0;
}

static int new_type(struct assay_json_decoder *d, unsigned kind)
{
    bool done = true;
#define NEW(list)                                                                                                                                              \
    do {                                                                                                                                                       \
        while (done && (list).len <= d->counts[kind]) {                                                                                                        \
            uint8_t *slot = vec_push(d->mem, &(list));                                                                                                         \
            done = slot != NULL;                                                                                                                               \
            if (slot) *slot = kind == SCHEMA_T_METRICS ? ASSAY_U64 : BAD_TYPE;                                                                                 \
        }                                                                                                                                                      \
    } while (0)
    if (kind == SCHEMA_T_METRICS) NEW(d->metric_types);
    if (kind == SCHEMA_T_SCOPES) NEW(d->scope_types);
    if (kind == SCHEMA_T_STATS) NEW(d->stat_types);
#undef NEW
    return done ? 0 : error_memory(d->err);
}

/* ---- rows ---- */

static int rows(struct assay_json_decoder *d, unsigned kind, uint32_t owner);

static bool has_number(unsigned kind) { return kind < SCHEMA_T_COUNT && schema_tables[kind].numbering == SCHEMA_IDS; }

static void check_needs(struct assay_json_decoder *d, const struct assay_json_list *list, struct assay_json_record *r, uint32_t seen, uint32_t good)
{
    r->is_good = !d->j.r.is_damaged;
    for (unsigned i = 0; i < list->count; i++) {
        if (!list->members[i].column || !list->members[i].column->is_needed || good >> i & 1) continue;
        if (!d->j.r.is_damaged && !(seen >> i & 1))
            coverage_json_found(&d->j, r->off, r->line, "J-3", ASSAY_ERROR, "a %s without %s", list->item, list->members[i].key.data);
        r->is_good = false;
    }
}

/* Rows of sums that make no sense. */
static void check_sum(struct assay_json_decoder *d, struct assay_json_record *r)
{
    union schema_cell *hit = &r->cells[assay_json_cell(SCHEMA_T_COVERAGE_SUMS, "hit")], *total = &r->cells[assay_json_cell(SCHEMA_T_COVERAGE_SUMS, "total")];
    if (hit->u <= total->u) return;
    coverage_json_found(&d->j, r->off, r->line, "AJ-3", ASSAY_WARNING, "%llu of %llu hit: read as all", (unsigned long long)hit->u,
                        (unsigned long long)total->u);
    hit->u = total->u;
}

static int settle_row(struct assay_json_decoder *d, const struct assay_json_list *list, struct assay_json_record *r)
{
    refer_needed(d, list, r);
    if (!r->is_good && !has_number(r->kind)) return 0;
    if (r->kind == SCHEMA_T_COVERAGE_SUMS) check_sum(d, r);
    TRY(refer_all(d, list, r));
    if (!r->number) d->counts[r->kind]++;
    if (r->kind == SCHEMA_T_TIMELINES || r->kind == SCHEMA_T_EVENTS) r->owner = (uint32_t)r->cells[schema_tables[r->kind].count].u;
    TRY(note_type(d, r));
    if (!r->is_good && r->kind >= SCHEMA_T_COUNT) return 0;
    return d->take(d->arg, r);
}

/* The object of a row, which has begun. Rows inside rows are one level deep by construction. */
static int row(struct assay_json_decoder *d, unsigned kind, uint32_t owner)
{
    struct assay_json_list list = assay_json_list(kind);
    struct assay_json_record r = {
        .kind = kind, .off = d->j.e.off, .line = d->j.e.line, .owner = owner, .number = has_number(kind) ? (uint32_t)d->counts[kind] : 0
    };
    assay_slice keys[32];
    unsigned first, end, count = list.count;
    uint32_t seen = 0, good = 0;
    bool is;
    int at;
    assay_json_inner_of(kind, &first, &end);
    for (unsigned i = 0; i < list.count; i++) keys[i] = list.members[i].key;
    for (unsigned k = first; k < end; k++) keys[count++] = slice_of(schema_tables[assay_json_inner[k]].json);
    for (;;) {
        TRY(coverage_json_key(&d->j, keys, count, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if ((unsigned)at >= list.count) {
            TRY(rows(d, assay_json_inner[first + (unsigned)at - list.count], r.number));
            continue;
        }
        TRY(member(d, &list.members[at], &r, &is));
        good |= (uint32_t)is << at;
    }
    check_needs(d, &list, &r, seen, good);
    return settle_row(d, &list, &r);
}

static int rows(struct assay_json_decoder *d, unsigned kind, uint32_t owner)
{
    struct assay_json_list list = assay_json_list(kind);
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, list.list, &is));
    while (is) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        if (has_number(kind)) {
            if (++d->counts[kind] >= UINT32_MAX - 2) FAIL(d->err, ASSAY_ERR_LIMIT, "too many rows in '%s'", list.list);
            TRY(new_type(d, kind));
            if (d->begin) TRY(d->begin(d->arg, kind));
        }
        TRY(coverage_json_expect(&d->j, JSON_OBJECT, list.item, &has));
        if (has) TRY(row(d, kind, owner));
    }
    return 0;
}

/* ---- the document ---- */

static int version(struct assay_json_decoder *d)
{
    uint32_t v;
    bool is;
    TRY(coverage_json_small(&d->j, "assay-json", &v, &is));
    if (is && v != ASSAY_JSON_VERSION)
        coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "AJ-1", ASSAY_ERROR, "version %u of assay-json: expected %d", v, ASSAY_JSON_VERSION);
    return 0;
}

static bool has_rows(const struct assay_json_decoder *d, unsigned shape)
{
    bool has = false;
    for (unsigned t = 0; t < SCHEMA_T_COUNT; t++) has |= schema_tables[t].has_block && assay_json_block(t) == shape && d->counts[t];
    return has;
}

/* The metrics of a shape, each once. */
static int block(struct assay_json_decoder *d, unsigned shape)
{
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, "metrics_of", &is));
    while (is) {
        uint64_t metric = 0;
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(take_whole(d, "metrics_of", UINT32_MAX, &metric, &has));
        if (!has) continue;
        bool is_known = metric && metric <= d->counts[SCHEMA_T_METRICS];
        for (size_t i = 0; i < d->blocks[shape].len; i++) is_known &= d->blocks[shape].at[i].v != metric;
        if (!is_known || d->has_block[shape]) wrong(d, "metrics_of", "names a metric that is not there, or twice");
        if (!is_known || d->has_block[shape]) continue;
        assay_metric_id *slot = vec_push(d->mem, &d->blocks[shape]);
        if (!slot) return error_memory(d->err);
        slot->v = (uint32_t)metric;
    }
    if (d->has_block[shape] || !is) return 0;
    if (has_rows(d, shape)) {
        wrong(d, "metrics_of", "comes after rows that need it");
        d->blocks[shape].len = 0;
        return 0;
    }
    d->has_block[shape] = true;
    return d->block ? d->block(d->arg, shape, d->blocks[shape].at, (uint32_t)d->blocks[shape].len) : 0;
}

static int metrics_of(struct assay_json_decoder *d)
{
    assay_slice keys[ASSAY_JSON_BLOCKS];
    uint32_t seen = 0;
    bool is;
    int at;
    for (unsigned i = 0; i < ASSAY_JSON_BLOCKS; i++) keys[i] = slice_of(assay_json_shapes[i]);
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "metrics_of", &is));
    while (is) {
        TRY(coverage_json_key(&d->j, keys, ASSAY_JSON_BLOCKS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        TRY(block(d, (unsigned)at));
    }
    return 0;
}

static int part(struct assay_json_decoder *d, unsigned at)
{
    enum { VERSION = ASSAY_JSON_KINDS, PRODUCER, METRICS_OF };
    uint64_t bits = 0;
    bool is;
    if (at < ASSAY_JSON_KINDS) return rows(d, at, 0);
    if (at == VERSION) return version(d);
    if (at == METRICS_OF) return metrics_of(d);
    if (at != PRODUCER) {
        TRY(take_flags(d, assay_json_properties, "properties", &bits));
        d->properties |= (uint32_t)bits;
        return 0;
    }
    TRY(coverage_json_expect(&d->j, JSON_STRING, "producer", &is));
    if (is && !(d->producer = intern_put(&d->names, d->j.e.text))) return error_memory(d->err);
    return 0;
}

static int document(struct assay_json_decoder *d)
{
    enum { KEYS = ASSAY_JSON_KINDS + 4 };
    static const char *const others[] = { "assay-json", "producer", "metrics_of", "properties" };
    _Static_assert(KEYS <= 64, "coverage_json_keys has a bit for each key");
    assay_slice keys[KEYS];
    uint64_t seen = 0;
    bool is;
    int at;
    for (unsigned k = 0; k < KEYS; k++)
        keys[k] = k >= ASSAY_JSON_KINDS ? slice_of(others[k - ASSAY_JSON_KINDS]) : assay_json_is_top(k) ? slice_of(assay_json_list(k).list) : SLICE("");
    TRY(json_read_next(&d->j.r, &d->j.e));
    struct json_event begin = d->j.e;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "the document", &is));
    while (is) {
        TRY(coverage_json_keys(&d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        TRY(part(d, (unsigned)at));
    }
    if (!is || d->j.r.is_damaged) return 0;
    if (!(seen >> ASSAY_JSON_KINDS & 1)) coverage_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "assay-json, the version, is missing");
    return json_read_next(&d->j.r, &d->j.e); /* the end, or what should not be there */
}

int assay_json_decode(struct assay_json_decoder *d, const struct read_job *job, assay_error *err)
{
    d->err = err;
    d->mem = job->mem;
    intern_init(&d->names, job->mem);
    coverage_json_init(&d->j, job, d->damage, err);
    int rc = new_type(d, SCHEMA_T_METRICS);
    if (rc == 0) rc = new_type(d, SCHEMA_T_SCOPES);
    if (rc == 0) rc = new_type(d, SCHEMA_T_STATS);
    if (rc == 0) rc = document(d);
    coverage_json_done(&d->j);
    return rc == 0 && d->damage->failed ? error_memory(err) : rc;
}

void assay_json_done(struct assay_json_decoder *d)
{
    intern_done(&d->names);
    vec_done(d->mem, &d->metric_types, &d->scope_types, &d->stat_types, &d->values, &d->later);
    for (int i = 0; i < ASSAY_JSON_BLOCKS; i++) vec_done(d->mem, &d->blocks[i]);
}
