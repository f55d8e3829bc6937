/* The engine of assay_profile_equal: tables -> matrices -> sorted rows -> the first difference. */
#include "model/equal.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/sort.h"

int equal_memory(struct equal *e) { return error_memory(e->err); }

bool equal_new_map(struct equal *e, struct id_map *map, size_t len)
{
    map->at = mem_zalloc(&e->mem, len, sizeof *map->at);
    map->len = map->at ? len : 0;
    return map->at != NULL;
}

bool matrix_new(struct equal *e, struct matrix *m, size_t rows, size_t width)
{
    size_t cells;
    *m = (struct matrix){ .rows = rows, .width = width };
    if (!size_mul(&cells, rows, width)) return false;
    m->cells = mem_zalloc(&e->mem, cells, sizeof *m->cells);
    m->order = mem_zalloc(&e->mem, rows, sizeof *m->order);
    for (size_t i = 0; m->order && i < rows; i++) m->order[i] = (uint32_t)i;
    return m->cells && m->order;
}

void matrix_done(struct equal *e, struct matrix *m)
{
    mem_free(&e->mem, m->cells, m->rows * m->width * sizeof *m->cells);
    mem_free(&e->mem, m->order, m->rows * sizeof *m->order);
    *m = (struct matrix){ 0 };
}

static const uint64_t *row_at(const struct matrix *m, size_t i) { return m->cells + (size_t)m->order[i] * m->width; }

/* The first cell in which two rows differ, or width. */
static size_t first_difference(const uint64_t *a, const uint64_t *c, size_t width)
{
    size_t i = 0;
    while (i < width && a[i] == c[i]) i++;
    return i;
}

static int by_cells(const void *a, const void *b, void *arg)
{
    const struct matrix *m = arg;
    const uint64_t *x = m->cells + (size_t) * (const uint32_t *)a * m->width, *y = m->cells + (size_t) * (const uint32_t *)b * m->width;
    size_t i = first_difference(x, y, m->width);
    return i < m->width ? (x[i] > y[i] ? 1 : -1) : 0;
}

static bool sort_rows(struct matrix *m) { return sort_with(m->order, m->rows, sizeof *m->order, by_cells, m); }

/* ---- filling ---- */

static uint64_t cell_of(const struct equal *e, int side, enum field_kind kind, const void *column, size_t row)
{
    const uint32_t *ids = column;
    switch (kind) {
    case FIELD_FILE_PATH: return ids[row] ? class_of(e, side, FIELD_STRING, e->p[side]->files.path[ids[row]].v) : 0;
    case FIELD_STREAM:
    case FIELD_U32: return ids[row];
    case FIELD_SHAPES: return ids[row] & e->p[side]->shapes;
    case FIELD_U8: return ((const uint8_t *)column)[row];
    case FIELD_U64: return ((const uint64_t *)column)[row];
    case FIELD_I64: return (uint64_t)((const int64_t *)column)[row];
    case FIELD_F64: return value_bits(ASSAY_F64, (assay_value){ .d = ((const double *)column)[row] });
    default: return class_of(e, side, kind, ids[row]);
    }
}

/* The place of the metric in the block of the second profile. */
static uint32_t block_place(const struct equal *e, const struct assay_block *block, uint32_t first_metric)
{
    uint32_t class = class_of(e, 0, FIELD_METRIC, first_metric), k = 0;
    while (k < block->metric_count && class_of(e, 1, FIELD_METRIC, block->metrics[k].v) != class) k++;
    return k;
}

/* Fills one cell of every row. */
static void fill_cell(const struct equal *e, const struct table *t, int side, struct matrix *m, size_t at, const struct cell_kind *kind)
{
    const void *column = schema_column_of(e->p[side], t->schema, kind->field->column);
    if (!column) return;
    const struct assay_block *block = t->block[side];
    size_t first = t->schema->numbering == SCHEMA_IDS, place = kind->part;
    if (kind->field->kind == FIELD_VALUES && side == 1) place = block_place(e, block, kind->metric);
    for (size_t i = 0; i < m->rows && !cancel_at(i); i++) {
        uint64_t *cell = &m->cells[i * m->width + at];
        if (kind->field->kind == FIELD_VALUES)
            *cell = value_bits(e->p[0]->metrics.type[kind->metric], ((const assay_value *)column)[i * block->metric_count + place]);
        else if (kind->field->kind == FIELD_WIDE)
            *cell = kind->part ? ((const assay_wide *)column)[first + i].low : (uint64_t)((const assay_wide *)column)[first + i].high;
        else
            *cell = cell_of(e, side, kind->field->kind, column, first + i);
    }
}

static size_t cells_of(const struct table *t, const struct field *f)
{
    return f->kind == FIELD_VALUES ? t->block[0]->metric_count : f->kind == FIELD_WIDE ? 2 : 1;
}

static void list_kinds(const struct table *t, struct cell_kind *kinds)
{
    for (size_t f = 0; f < t->field_count; f++)
        for (uint32_t part = 0; part < cells_of(t, &t->fields[f]); part++)
            *kinds++ =
                (struct cell_kind){ .field = &t->fields[f], .part = part, .metric = t->fields[f].kind == FIELD_VALUES ? t->block[0]->metrics[part].v : 0 };
}

/* ---- comparing ---- */

/* "first line" */
static void put_name(const struct field *f, char *buf, size_t buf_len)
{
    snprintf(buf, buf_len, "%s", f->name);
    for (char *at = buf; *at; at++)
        if (*at == '_') *at = ' ';
}

/* "caller 'a', callee 'b', line 3": the keys that are not 0 */
static void describe_keys(const struct equal *e, const uint64_t *row, size_t width, const struct cell_kind *kinds, char *buf, size_t buf_len)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < width && kinds[i].field->is_key; i++) {
        char text[160], name[40];
        if (!row[i]) continue;
        equal_describe(e, row, i, &kinds[i], text, sizeof text);
        put_name(kinds[i].field, name, sizeof name);
        int n = snprintf(buf + used, buf_len - used, "%s%s %s", used ? ", " : "", name, text);
        used = n < 0 || (size_t)n >= buf_len - used ? buf_len - 1 : used + (size_t)n;
    }
    if (!used) snprintf(buf, buf_len, "no name");
}

static int say_missing(struct equal *e, const struct table *t, const struct matrix m[2], int side, size_t i, const struct cell_kind *kinds)
{
    char keys[400];
    describe_keys(e, row_at(&m[side], i), m[side].width, kinds, keys, sizeof keys);
    return equal_differ(e, "%s: only the %s profile has %s (%zu and %zu in total)", t->what, side ? "second" : "first", keys, m[0].rows, m[1].rows);
}

static int say_field(struct equal *e, const struct table *t, const struct matrix m[2], size_t i, size_t at, const struct cell_kind *kinds)
{
    char keys[400], first[160], second[160], name[40], metric[120] = "";
    const uint64_t *a = row_at(&m[0], i), *c = row_at(&m[1], i);
    if (t->schema && t->schema->numbering == SCHEMA_EACH)
        snprintf(keys, sizeof keys, "stream %zu", i);
    else if (t->is_ordered)
        snprintf(keys, sizeof keys, "number %zu", i + 1);
    else
        describe_keys(e, a, m[0].width, kinds, keys, sizeof keys);
    equal_describe(e, a, at, &kinds[at], first, sizeof first);
    equal_describe(e, c, at, &kinds[at], second, sizeof second);
    if (kinds[at].metric) {
        assay_slice of = assay_profile_string(e->p[0], e->p[0]->metrics.name[kinds[at].metric]);
        snprintf(metric, sizeof metric, " of %.100s", of.data ? of.data : "");
    }
    put_name(kinds[at].field, name, sizeof name);
    return equal_differ(e, "%s: %s: %s%s is %s in the first profile and %s in the second", t->what, keys, name, metric, first, second);
}

int equal_matrices(struct equal *e, const struct table *t, struct matrix m[2], const struct cell_kind *kinds)
{
    if (!t->is_ordered && (!sort_rows(&m[0]) || !sort_rows(&m[1]))) return equal_memory(e);
    for (size_t i = 0; i < m[0].rows || i < m[1].rows; i++) {
        if (i >= m[0].rows || i >= m[1].rows) return say_missing(e, t, m, i < m[1].rows, i, kinds);
        const uint64_t *a = row_at(&m[0], i), *c = row_at(&m[1], i);
        size_t at = first_difference(a, c, m[0].width);
        if (at == m[0].width) continue;
        if (t->is_ordered || !kinds[at].field->is_key) return say_field(e, t, m, i, at, kinds);
        return say_missing(e, t, m, a[at] > c[at], i, kinds);
    }
    return 0;
}

static bool same_keys(const uint64_t *a, const uint64_t *c, size_t width, const struct cell_kind *kinds)
{
    for (size_t i = 0; i < width && kinds[i].field->is_key; i++)
        if (a[i] != c[i]) return false;
    return true;
}

/* Both sides are equal, so their sorted rows stand side by side: rows of equal keys are one class, numbered from 1. */
static int number_classes(struct equal *e, const struct table *t, const struct matrix m[2], const struct cell_kind *kinds)
{
    struct id_map *sample = &e->sample[t->class_kind];
    for (int side = 0; side < 2; side++)
        if (!equal_new_map(e, &e->map[side][t->class_kind], m[side].rows + 1)) return equal_memory(e);
    if (!equal_new_map(e, sample, m[0].rows + 1)) return equal_memory(e);
    uint32_t class = 0;
    for (size_t i = 0; i < m[0].rows; i++) {
        if (i == 0 || !same_keys(row_at(&m[0], i - 1), row_at(&m[0], i), m[0].width, kinds)) sample->at[++class] = m[0].order[i] + 1;
        for (int side = 0; side < 2; side++) e->map[side][t->class_kind].at[m[side].order[i] + 1] = class;
    }
    return 0;
}

/* Both blocks must have the same metrics, in any order. */
static int equal_blocks(struct equal *e, const struct table *t)
{
    if (!t->block[0]) return 0;
    if (t->block[0]->metric_count != t->block[1]->metric_count)
        return equal_differ(e, "%s: they have %u metrics in the first profile and %u in the second", t->what, t->block[0]->metric_count,
                            t->block[1]->metric_count);
    for (uint32_t k = 0; k < t->block[0]->metric_count; k++) {
        uint32_t metric = t->block[0]->metrics[k].v;
        if (block_place(e, t->block[1], metric) < t->block[1]->metric_count) continue;
        assay_slice name = assay_profile_string(e->p[0], e->p[0]->metrics.name[metric]);
        return equal_differ(e, "%s: metric '%.200s' is only in the first profile", t->what, name.data);
    }
    return 0;
}

static int compare_table(struct equal *e, const struct table *t)
{
    TRY(equal_blocks(e, t));
    size_t width = 0;
    for (size_t f = 0; f < t->field_count; f++) width += cells_of(t, &t->fields[f]);
    struct cell_kind *kinds = mem_alloc(&e->mem, width * sizeof *kinds);
    struct matrix m[2] = { { 0 } };
    bool has_room = kinds && matrix_new(e, &m[0], t->count[0], width) && matrix_new(e, &m[1], t->count[1], width);
    int rc = 0;
    if (has_room) {
        list_kinds(t, kinds);
        for (int side = 0; side < 2; side++)
            for (size_t at = 0; at < width; at++) fill_cell(e, t, side, &m[side], at, &kinds[at]);
        rc = equal_matrices(e, t, m, kinds);
        if (rc == 0 && t->class_kind >= 0) rc = number_classes(e, t, m, kinds);
    } else {
        rc = equal_memory(e);
    }
    matrix_done(e, &m[0]);
    matrix_done(e, &m[1]);
    mem_free(&e->mem, kinds, width * sizeof *kinds);
    return rc;
}

/* ---- tables of schema.def ---- */

static enum field_kind kind_of(enum schema_number table, enum schema_type type)
{
    static const enum field_kind kinds[] = {
        [SCHEMA_STRING] = FIELD_STRING, [SCHEMA_MODULE] = FIELD_MODULE,   [SCHEMA_FILE] = FIELD_FILE,     [SCHEMA_FUNC] = FIELD_FUNC,
        [SCHEMA_METRIC] = FIELD_METRIC, [SCHEMA_SCOPE] = FIELD_SCOPE,     [SCHEMA_STREAM] = FIELD_STREAM, [SCHEMA_NODE] = FIELD_NODE,
        [SCHEMA_U8] = FIELD_U8,         [SCHEMA_BOOL] = FIELD_U8,         [SCHEMA_WORD] = FIELD_U8,       [SCHEMA_FLAGS] = FIELD_U8,
        [SCHEMA_U32] = FIELD_U32,       [SCHEMA_SHAPES] = FIELD_SHAPES,   [SCHEMA_U64] = FIELD_U64,       [SCHEMA_I64] = FIELD_I64,
        [SCHEMA_F64] = FIELD_F64,       [SCHEMA_WIDE] = FIELD_WIDE,       [SCHEMA_VALUES] = FIELD_VALUES, [SCHEMA_LABEL] = FIELD_LABEL,
        [SCHEMA_SET] = FIELD_SET,       [SCHEMA_COUNTER] = FIELD_COUNTER,
    };
    return table == SCHEMA_T_FILES && type == SCHEMA_FILE ? FIELD_FILE_PATH : kinds[type];
}

/* The ids that a table defines, or -1. */
static int class_kind_of(enum schema_number table)
{
    switch (table) {
    case SCHEMA_T_MODULES: return FIELD_MODULE;
    case SCHEMA_T_FILES: return FIELD_FILE;
    case SCHEMA_T_FUNCS: return FIELD_FUNC;
    case SCHEMA_T_METRICS: return FIELD_METRIC;
    case SCHEMA_T_SCOPES: return FIELD_SCOPE;
    case SCHEMA_T_STATS: return FIELD_STAT;
    case SCHEMA_T_LABELS: return FIELD_LABEL;
    case SCHEMA_T_COUNTERS: return FIELD_COUNTER;
    default: return -1;
    }
}

/* Where values begin is compared only where it says whose they are. */
static bool is_compared(enum schema_number table, const struct schema_column *c)
{
    return c->role == SCHEMA_LAYOUT ? table == SCHEMA_T_STREAMS || table == SCHEMA_T_TIMELINES : c->role != SCHEMA_NOTE;
}

static const char *label_of(const struct schema_column *c) { return c->json ? c->json : c->name; }

static void list_fields(struct table *t, enum schema_number table)
{
    const struct schema_table *s = t->schema;
    for (int keys = 1; keys >= 0; keys--)
        for (unsigned i = 0; i < s->count; i++)
            if (is_compared(table, &s->columns[i]) && keys == (s->columns[i].role == SCHEMA_KEY))
                t->fields[t->field_count++] = (struct field){ label_of(&s->columns[i]), kind_of(table, s->columns[i].type), keys, &s->columns[i] };
}

int equal_table(struct equal *e, enum schema_number table)
{
    const struct schema_table *s = &schema_tables[table];
    struct table t = { .what = s->what,
                       .schema = s,
                       .is_ordered = s->numbering == SCHEMA_ORDER || s->numbering == SCHEMA_EACH || table == SCHEMA_T_STREAMS,
                       .class_kind = class_kind_of(table) };
    list_fields(&t, table);
    for (int side = 0; side < 2; side++) {
        uint64_t rows = schema_end(e->p[side], s) - schema_begin(s);
        if (rows > UINT32_MAX) return error_set(e->err, ASSAY_ERR_LIMIT, "%s: %llu are too many to be compared", s->what, (unsigned long long)rows);
        t.count[side] = (size_t)rows;
        t.block[side] = schema_block(e->p[side], s);
    }
    return compare_table(e, &t);
}
