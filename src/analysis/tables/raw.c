/* The tables that model/schema.def makes: the model as it is, a row for each row of the model, or for each metric of it where there are figures. A new table of
 * the model is here without a line of code; what SQL calls it and its columns is what assay-json does, with the exceptions below. */
#include <stdio.h>
#include <string.h>

#include "analysis/tables/parts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"
#include "model/schema.h"

/* Columns that are not in the schema. */
enum raw_extra {
    RAW_PROFILE = -1,
    RAW_ID = -2,
    RAW_STREAM = -3,
    RAW_METRIC = -4,
    RAW_DEPTH = -5,
    RAW_KEY = -6,
    RAW_SOURCE = -7,
    RAW_POSITION = -8,
    RAW_RANK = -9,
    RAW_THREAD = -10
};

/* ---- names ---- */

/* Where one word would mean two things, or is one of SQL's own. */
static const char *const renamed[][2] = {
    { "tuple element", "tuple" },
    { "context", "node" },
    { "called", "cov_function" },
    { NULL, NULL },
};
static const char *const renamed_columns[][2] = {
    { "context", "node" }, { "index", "position" }, { "group", "decision" }, { "default", "is_default" }, { NULL, NULL },
};

static const char *other_name(const char *const (*list)[2], const char *name)
{
    for (; (*list)[0]; list++)
        if (strcmp((*list)[0], name) == 0) return (*list)[1];
    return NULL;
}

static const char *table_name(struct tables *t, const struct schema_table *s)
{
    char name[64];
    const char *other = other_name(renamed, s->item);
    if (other) return other;
    bool is_coverage = s->at == offsetof(struct assay_profile, coverage);
    snprintf(name, sizeof name, "%s%s", is_coverage ? "cov_" : "", s->item);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '_';
    return arena_copy(&t->arena, slice_of(name));
}

/* By the name of a column, whatever table it is in. */
static const char *const examples[][2] = {
    { "path", "src/main.c" },
    { "build_id", "7f3a09" },
    { "module", "1" },
    { "origin", "8c7e5a" },
    { "text", "int main(void)" },
    { "parent", "3" },
    { "name", "main" },
    { "file", "1" },
    { "line", "42" },
    { "last_line", "57" },
    { "link_name", "_Z4workv" },
    { "kind", "function" },
    { "unit", "ns" },
    { "type", "u64" },
    { "formula", "$$" },
    { "description", "Instruction Fetch" },
    { "shapes", "graph" },
    { "total", "1205" },
    { "metric", "Ir" },
    { "scope", "1" },
    { "combine", "sum" },
    { "label", "thread 0" },
    { "logical", "0" },
    { "stream", "1" },
    { "function", "7" },
    { "relation", "call" },
    { "flags", "partial" },
    { "calls", "10" },
    { "self", "1205" },
    { "address", "4198694" },
    { "caller", "7" },
    { "callee", "8" },
    { "conditional", "1" },
    { "level", "line" },
    { "hits", "10" },
    { "time", "1000" },
    { "duration", "250" },
    { "node", "12" },
    { "weight", "1" },
    { "test", "unit" },
    { "block", "0" },
    { "checksum", "5d41" },
    { "key", "4611686018427387905" },
    { "value", "1205" },
    { "source", "src/main.c" },
    { "depth", "2" },
    { NULL, NULL },
};

static const char *example_of(const char *name, enum tables_type type)
{
    const char *found = other_name(examples, name);
    return found ? found : type == TABLES_TEXT ? "text" : type == TABLES_REAL ? "0.5" : "1";
}

/* ---- columns ---- */

static enum tables_type type_of(const struct schema_column *c)
{
    switch (c->type) {
    case SCHEMA_STRING:
    case SCHEMA_METRIC:
    case SCHEMA_WORD:
    case SCHEMA_FLAGS:
    case SCHEMA_SHAPES: return TABLES_TEXT;
    case SCHEMA_F64: return TABLES_REAL;
    case SCHEMA_U64: return TABLES_UNSIGNED;
    case SCHEMA_WIDE:
    case SCHEMA_VALUES: return TABLES_NUMBER;
    default: return TABLES_INTEGER;
    }
}

struct raw_columns {
    struct tables_column at[TABLES_COLUMNS];
    int16_t from[TABLES_COLUMNS];
    unsigned count;
};

static void add(struct raw_columns *c, const char *name, enum tables_type type, int from, const char *what)
{
    if (c->count == TABLES_COLUMNS) return;
    c->at[c->count] = (struct tables_column){ name, type, what, example_of(name, type) };
    c->from[c->count++] = (int16_t)from;
}

static void add_keys(struct raw_columns *c, enum schema_number number, const struct schema_table *s)
{
    add(c, "profile", TABLES_INTEGER, RAW_PROFILE, "number of the input");
    if (s->numbering == SCHEMA_IDS) add(c, "id", TABLES_INTEGER, RAW_ID, "its number in this profile");
    if (number == SCHEMA_T_TUPLES || number == SCHEMA_T_EVENTS || s->numbering == SCHEMA_EACH)
        add(c, "stream", TABLES_INTEGER, RAW_STREAM, "stream that it belongs to; 0 = none");
    if (number == SCHEMA_T_TUPLES) add(c, "position", TABLES_INTEGER, RAW_POSITION, "place in the tuple, from 0");
    if (number == SCHEMA_T_FUNCS) add(c, "key", TABLES_INTEGER, RAW_KEY, "the same for the same function in other profiles");
    if (number == SCHEMA_T_FILES) add(c, "source", TABLES_TEXT, RAW_SOURCE, "the same for the same file in other profiles: its path in the first of them");
    if (number == SCHEMA_T_STREAMS) {
        add(c, "rank", TABLES_UNSIGNED, RAW_RANK, "number of its rank: the logical id of the kind RANK in the table tuple");
        add(c, "thread", TABLES_UNSIGNED, RAW_THREAD, "number of its thread, from the same table");
    }
    if (number == SCHEMA_T_NODES) add(c, "depth", TABLES_INTEGER, RAW_DEPTH, "from 1 at a root");
}

/* Whether it is a column for people: not where other columns begin, nor the half of a total. */
static bool is_shown(enum schema_number number, const struct schema_column *c)
{
    return c->role != SCHEMA_LAYOUT && !(number == SCHEMA_T_METRICS && strcmp(c->name, "total_double") == 0);
}

static void add_columns(struct raw_columns *to, enum schema_number number)
{
    const struct schema_table *s = &schema_tables[number];
    bool has_metric = false;
    add_keys(to, number, s);
    for (unsigned i = 0; i < s->count; i++) {
        const struct schema_column *c = &s->columns[i];
        const char *name = c->json ? c->json : c->name;
        const char *other = number == SCHEMA_T_FILES && strcmp(name, "source") == 0 ? "text" : other_name(renamed_columns, name);
        if (!is_shown(number, c)) continue;
        if (c->type == SCHEMA_VALUES && !has_metric) add(to, "metric", TABLES_TEXT, RAW_METRIC, "metric of the figures in this row");
        has_metric |= c->type == SCHEMA_VALUES;
        if (!c->json && strcmp(name, "func") == 0) other = "function";
        add(to, other ? other : name, type_of(c), (int)i, c->what);
    }
}

static uint32_t want_of(enum schema_number number)
{
    const uint32_t names = ASSAY_WANT_SUMS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE;
    switch (number) {
    case SCHEMA_T_MODULES:
    case SCHEMA_T_FILES:
    case SCHEMA_T_FUNCS:
    case SCHEMA_T_METRICS:
    case SCHEMA_T_STREAMS:
    case SCHEMA_T_TUPLES:
    case SCHEMA_T_ATTRIBUTES: return names;
    case SCHEMA_T_SCOPES:
    case SCHEMA_T_STATS:
    case SCHEMA_T_NODES: return ASSAY_WANT_TREE;
    case SCHEMA_T_SUMS: return ASSAY_WANT_SUMS;
    case SCHEMA_T_COSTS:
    case SCHEMA_T_JUMPS: return ASSAY_WANT_COSTS;
    case SCHEMA_T_ARCS: return ASSAY_WANT_ARCS;
    case SCHEMA_T_PAIRS: return ASSAY_WANT_SUMS | ASSAY_WANT_PAIRS;
    case SCHEMA_T_LINES: return ASSAY_WANT_LINES;
    case SCHEMA_T_COVERAGE_LINES:
    case SCHEMA_T_COVERAGE_FUNCS:
    case SCHEMA_T_COVERAGE_BRANCHES:
    case SCHEMA_T_COVERAGE_SUMS:
    case SCHEMA_T_COVERAGE_CONDITIONS:
    case SCHEMA_T_COVERAGE_REGIONS:
    case SCHEMA_T_COVERAGE_STATED: return ASSAY_WANT_COVERAGE;
    case SCHEMA_T_COUNTS: return names | ASSAY_WANT_COUNTS;
    case SCHEMA_T_LABELS:
    case SCHEMA_T_LABEL_SETS:
    case SCHEMA_T_SAMPLES: return ASSAY_WANT_TREE | ASSAY_WANT_LABELS;
    default: return ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE | ASSAY_WANT_LABELS; /* of the timeline, and what comes new */
    }
}

/* ---- rows ---- */

static uint32_t metrics_of(const assay_profile *p, const struct schema_table *s)
{
    const struct assay_block *block = schema_block(p, s);
    return block && block->metric_count ? block->metric_count : 1;
}

static uint64_t raw_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)data;
    const struct schema_table *s = table->schema;
    uint64_t rows = schema_end(p->p, s) - schema_begin(s);
    /* A profile without any timeline has not even that of no stream. */
    if (s->numbering == SCHEMA_EACH && !schema_column_of(p->p, s, &s->columns[0])) return 0;
    return rows * metrics_of(p->p, s);
}

/* The entry of `begin` (count + 2 entries) that a row is in. */
static uint32_t part_of32(const uint32_t *begin, uint32_t count, uint64_t row)
{
    uint32_t low = 0, high = count + 1;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (begin[mid] <= row)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static uint32_t part_of64(const uint64_t *begin, uint32_t count, uint64_t row)
{
    uint32_t low = 0, high = count + 1;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (begin[mid] <= row)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static void raw_move(struct tables_place *at)
{
    const struct schema_table *s = at->table->schema;
    const assay_profile *p = at->p->p;
    uint32_t metrics = metrics_of(p, s);
    at->base = metrics == 1 ? at->row : at->row / metrics;
    at->k = metrics == 1 ? 0 : (uint32_t)(at->row % metrics);
    at->base += schema_begin(s);
    if (s == &schema_tables[SCHEMA_T_TUPLES])
        at->stream = part_of32(p->streams.tuple_begin, p->streams.count, at->base);
    else if (s == &schema_tables[SCHEMA_T_EVENTS]) {
        const uint64_t *begin = p->timeline.begin;
        if (at->stream > p->timeline.stream_count || at->base < begin[at->stream] || at->base >= begin[at->stream + 1])
            at->stream = part_of64(begin, p->timeline.stream_count, at->base);
    } else
        at->stream = (uint32_t)at->base;
}

static struct tables_cell flags_cell(struct tables_place *at, const struct schema_column *c, uint64_t bits)
{
    char text[256];
    size_t len = 0;
    for (unsigned i = 0; c->words[i] && i < 32; i++)
        if (bits >> i & 1) len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? " " : "", c->words[i]);
    return len ? cell_scratch(at, text, len) : cell_null();
}

static struct tables_cell schema_figure(const struct tables_place *at, const struct schema_table *s, const assay_value *values)
{
    const struct assay_block *block = schema_block(at->p->p, s);
    if (!values || !block->metric_count) return cell_null();
    return cell_value((enum assay_type)at->p->p->metrics.type[block->metrics[at->k].v], values[at->k]);
}

/* The total of a metric: as exact as a number of 64 bits can be. */
static struct tables_cell total_cell(const assay_profile *p, uint64_t metric)
{
    if (p->metrics.type[metric] == ASSAY_F64) return cell_f64(p->metrics.total_double[metric]);
    return cell_wide(p->metrics.total[metric]);
}

/* The logical id of this kind that a stream has. */
static struct tables_cell tuple_cell(const assay_profile *p, uint64_t stream, const char *kind)
{
    const struct assay_streams *s = &p->streams;
    for (uint32_t i = s->tuple_begin[stream]; i < s->tuple_begin[stream + 1]; i++)
        if (slice_is_nocase(assay_profile_string(p, s->tuple_kind[i]), kind)) return cell_u64(s->tuple_logical[i]);
    return cell_null();
}

static struct tables_cell extra_cell(struct tables_place *at, enum raw_extra which)
{
    const struct schema_table *s = at->table->schema;
    switch (which) {
    case RAW_PROFILE: return cell_u64(at->p->number);
    case RAW_ID: return cell_u64(at->base);
    case RAW_STREAM: return cell_u64(at->stream);
    case RAW_POSITION: return cell_u64(at->base - at->p->p->streams.tuple_begin[at->stream]);
    case RAW_KEY: return tables_key(at->t, at->p, (uint32_t)at->base);
    case RAW_SOURCE: return cell_text(tables_source(at->t, at->p, (uint32_t)at->base));
    case RAW_DEPTH: return cell_u64(((const uint32_t *)at->data)[at->base]);
    case RAW_RANK: return tuple_cell(at->p->p, at->base, "RANK");
    case RAW_THREAD: return tuple_cell(at->p->p, at->base, "THREAD");
    case RAW_METRIC: break;
    }
    const struct assay_block *block = schema_block(at->p->p, s);
    return block->metric_count ? cell_text(metric_name_of(at->p->p, block->metrics[at->k])) : cell_null();
}

static void raw_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    int from = at->table->from[column];
    if (from < 0) {
        *out = extra_cell(at, (enum raw_extra)from);
        return;
    }
    const assay_profile *p = at->p->p;
    const struct schema_table *s = at->table->schema;
    const struct schema_column *c = &s->columns[from];
    if (c->type == SCHEMA_WIDE) {
        *out = total_cell(p, at->base);
        return;
    }
    union schema_cell v = schema_cell(p, s, c, at->base);
    switch (c->type) {
    case SCHEMA_STRING: *out = cell_text(assay_profile_string(p, (assay_str_id){ (uint32_t)v.u })); break;
    case SCHEMA_METRIC: *out = cell_text(metric_name_of(p, (assay_metric_id){ (uint32_t)v.u })); break;
    case SCHEMA_WORD: *out = cell_text(slice_of(schema_word(c, v.u))); break;
    case SCHEMA_FLAGS:
    case SCHEMA_SHAPES: *out = flags_cell(at, c, v.u); break;
    case SCHEMA_VALUES: *out = schema_figure(at, s, v.values); break;
    case SCHEMA_I64: *out = cell_i64(v.i); break;
    case SCHEMA_F64: *out = cell_f64(v.d); break;
    case SCHEMA_STREAM: *out = cell_u64(v.u); break;
    default: *out = schema_is_id(c->type) ? cell_id((uint32_t)v.u) : cell_u64(v.u);
    }
}

/* ---- rows that are found without an index ---- */

/* The whole number that a constraint asks for; false = it is none. */
static bool asked(const struct tables_constraint *c, uint64_t *out)
{
    if (c->value.kind == TABLES_U64 || (c->value.kind == TABLES_I64 && c->value.i >= 0)) {
        *out = c->value.u;
        return true;
    }
    return false;
}

static bool range_of_id(struct tables_place *at, const struct tables_constraint *c, uint64_t *first, uint64_t *end)
{
    uint64_t id, rows = *end;
    *end = *first; /* nothing, unless there is such an id */
    if (asked(c, &id) && id >= 1 && id <= rows) {
        *first = id - 1;
        *end = id;
    }
    (void)at;
    return true;
}

/* The first event of [low, high) whose time is not before `time`. */
static uint64_t event_at(const struct assay_timeline *t, uint64_t low, uint64_t high, int64_t time)
{
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        if (t->time[mid] < time)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool range_of_events(struct tables_place *at, const struct tables_constraint *c, unsigned count, uint64_t *first, uint64_t *end)
{
    const struct assay_timeline *t = &at->p->p->timeline;
    uint64_t stream = 0, low = 0, high, metrics = metrics_of(at->p->p, at->table->schema);
    bool has_stream = false;
    for (unsigned i = 0; i < count; i++)
        if (at->table->from[c[i].column] == RAW_STREAM && c[i].op == TABLES_EQ) has_stream = asked(&c[i], &stream);
    if (!has_stream || !t->count) return false;
    *first = *end = 0;
    if (stream > t->stream_count) return true;
    low = t->begin[stream];
    high = t->begin[stream + 1];
    for (unsigned i = 0; i < count; i++) {
        int from = at->table->from[c[i].column];
        if (from < 0 || strcmp(at->table->schema->columns[from].name, "time") != 0 || c[i].value.kind != TABLES_I64) continue;
        /* spans nest, but are in the order of their beginnings all the same */
        if (c[i].op != TABLES_LE) low = event_at(t, low, high, c[i].value.i);
        if (c[i].op != TABLES_GE && c[i].value.i < INT64_MAX) high = event_at(t, low, high, c[i].value.i + 1);
    }
    *first = low * metrics;
    *end = high * metrics;
    return true;
}

static bool raw_range(struct tables_place *at, const struct tables_constraint *c, unsigned count, uint64_t *first, uint64_t *end)
{
    const struct schema_table *s = at->table->schema;
    if (s == &schema_tables[SCHEMA_T_EVENTS]) return range_of_events(at, c, count, first, end);
    for (unsigned i = 0; i < count && s->numbering == SCHEMA_IDS; i++)
        if (at->table->from[c[i].column] == RAW_ID && c[i].op == TABLES_EQ) return range_of_id(at, &c[i], first, end);
    return false;
}

/* ---- depth of nodes ---- */

static int load_depth(struct tables *t, struct tables_profile *p, const struct tables_table *table, struct tables_cache *cache, assay_error *err)
{
    const struct assay_tree *tree = &p->p->tree;
    (void)t;
    (void)table;
    uint32_t *depth = arena_alloc(&cache->arena, ((size_t)tree->count + 1) * sizeof *depth);
    cache->data = depth;
    if (!depth) return error_memory(err);
    depth[0] = 0;
    for (uint32_t i = 1; i <= tree->count; i++) {
        TRY(cancel_step(i, err));
        depth[i] = depth[tree->parent[i].v] + 1;
    }
    return 0;
}

static const struct tables_ops raw_ops = { .rows = raw_rows, .move = raw_move, .cell = raw_cell, .range = raw_range };
static const struct tables_ops node_ops = { .load = load_depth, .rows = raw_rows, .move = raw_move, .cell = raw_cell, .range = raw_range };

/* ---- the list ---- */

static bool make_table(struct tables *t, struct tables_table *to, enum schema_number number)
{
    char what[128], example[128];
    struct raw_columns columns = { .count = 0 };
    const struct schema_table *s = &schema_tables[number];
    add_columns(&columns, number);
    struct tables_column *at = arena_alloc(&t->arena, columns.count * sizeof *at);
    int16_t *from = arena_alloc(&t->arena, columns.count * sizeof *from);
    const char *name = table_name(t, s);
    if (!at || !from || !name) return false;
    memcpy(at, columns.at, columns.count * sizeof *at);
    memcpy(from, columns.from, columns.count * sizeof *from);
    snprintf(what, sizeof what, "the model as it is: %s%s", s->what, s->has_block ? ", a row for each metric" : "");
    snprintf(example, sizeof example, "select * from %s limit 10", name);
    *to = (struct tables_table){ .name = name,
                                 .what = arena_copy(&t->arena, slice_of(what)),
                                 .example = arena_copy(&t->arena, slice_of(example)),
                                 .kind = TABLES_RAW,
                                 .want = want_of(number),
                                 .count = columns.count,
                                 .columns = at,
                                 .ops = number == SCHEMA_T_NODES ? &node_ops : &raw_ops,
                                 .schema = s,
                                 .from = from };
    return to->what && to->example;
}

int tables_raw(struct tables *t, struct tables_table *to, unsigned room)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SCHEMA_T_COUNT && count < room; i++)
        if (!make_table(t, &to[count++], (enum schema_number)i)) return -1;
    return (int)count;
}
