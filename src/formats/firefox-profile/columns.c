/* Tables by columns: an object of arrays that are equally long, and their length. Most of a file is numbers in columns, which are read many at a time. */
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "formats/firefox-profile/walk.h"

enum { AT_ONCE = 1024 };

const char *const firefox_table_names[FIREFOX_TABLES] = { "samples",    "jsAllocations", "nativeAllocations", "markers", "stackTable",
                                                          "frameTable", "funcTable",     "resourceTable",     "sources", "samples" };

const struct firefox_column_info firefox_columns[FIREFOX_COLUMNS] = {
    [FIREFOX_STACK] = { "stack", FIREFOX_SAMPLES, true, false },
    [FIREFOX_TIME] = { "time", FIREFOX_SAMPLES, false, false },
    [FIREFOX_TIME_DELTAS] = { "timeDeltas", FIREFOX_SAMPLES, false, false },
    [FIREFOX_WEIGHT] = { "weight", FIREFOX_SAMPLES, false, false },
    [FIREFOX_COUNT] = { "count", FIREFOX_READINGS, true, false },
    [FIREFOX_NUMBER] = { "number", FIREFOX_READINGS, false, false },
    [FIREFOX_MARKER_DATA] = { "data", FIREFOX_MARKERS, false, false },
    [FIREFOX_MARKER_NAME] = { "name", FIREFOX_MARKERS, true, false },
    [FIREFOX_MARKER_START] = { "startTime", FIREFOX_MARKERS, false, false },
    [FIREFOX_MARKER_END] = { "endTime", FIREFOX_MARKERS, false, false },
    [FIREFOX_MARKER_TIME] = { "time", FIREFOX_MARKERS, false, false },
    [FIREFOX_MARKER_PHASE] = { "phase", FIREFOX_MARKERS, false, false },
    [FIREFOX_MARKER_CATEGORY] = { "category", FIREFOX_MARKERS, false, false },
    [FIREFOX_FRAME] = { "frame", FIREFOX_STACKS, true, false },
    [FIREFOX_PREFIX] = { "prefix", FIREFOX_STACKS, true, false },
    [FIREFOX_FUNC] = { "func", FIREFOX_FRAMES, true, false },
    [FIREFOX_FRAME_LIB] = { "lib", FIREFOX_FRAMES, false, false },
    [FIREFOX_INLINE_DEPTH] = { "inlineDepth", FIREFOX_FRAMES, false, false },
    [FIREFOX_FRAME_LINE] = { "line", FIREFOX_FRAMES, false, false },
    [FIREFOX_FUNC_NAME] = { "name", FIREFOX_FUNCS, true, false },
    [FIREFOX_FUNC_RESOURCE] = { "resource", FIREFOX_FUNCS, false, false },
    [FIREFOX_FUNC_SOURCE] = { "source", FIREFOX_FUNCS, false, false },
    [FIREFOX_FUNC_FILE] = { "fileName", FIREFOX_FUNCS, false, false },
    [FIREFOX_FUNC_LINE] = { "lineNumber", FIREFOX_FUNCS, false, false },
    [FIREFOX_FUNC_COLUMN] = { "columnNumber", FIREFOX_FUNCS, false, false },
    [FIREFOX_RESOURCE_NAME] = { "name", FIREFOX_RESOURCES, true, false },
    [FIREFOX_RESOURCE_LIB] = { "lib", FIREFOX_RESOURCES, false, true },
    [FIREFOX_SOURCE_FILE] = { "filename", FIREFOX_SOURCES, true, false },
};

/* How many of the eight bytes in `w` are c. */
static unsigned count_of(uint64_t w, char c)
{
    const uint64_t ones = 0x0101010101010101u, low = ones * 0x7f;
    uint64_t x = w ^ ones * (unsigned char)c;
    return (unsigned)(((~(((x & low) + low) | x | low) >> 7) * ones) >> 56);
}

void firefox_value_place(const struct firefox_record *r, size_t k, uint64_t *off, uint64_t *line)
{
    size_t at = 0;
    uint64_t w;
    *line = r->line;
    for (; k > 8 && at + 8 <= r->text.len; at += 8) {
        memcpy(&w, r->text.data + at, 8);
        k -= count_of(w, ',');
        *line += count_of(w, '\n');
    }
    for (; at < r->text.len && (k || r->text.data[at] <= ' '); at++) {
        k -= r->text.data[at] == ',';
        *line += r->text.data[at] == '\n';
    }
    *off = r->off + at;
}

/* ---- the data of markers ---- */

/* The object or array at hand as text on one line. */
static int nested_text(struct firefox_walker *w, assay_slice *out)
{
    struct json j;
    unsigned depth = w->j.e.depth;
    output_abort(w->nested);
    w->nested = NULL;
    TRY(output_open_memory(&w->nested, w->mem, w->err));
    json_init_line(&j, w->nested);
    for (bool is_over = false; !is_over;) {
        const struct json_event *e = &w->j.e;
        switch (e->kind) {
        case JSON_OBJECT: json_object(&j); break;
        case JSON_ARRAY: json_array(&j); break;
        case JSON_KEY: json_key_slice(&j, e->text); break;
        case JSON_STRING: json_string(&j, e->text.data ? e->text : SLICE("")); break;
        case JSON_NUMBER: json_number(&j, e->text); break;
        case JSON_TRUE:
        case JSON_FALSE: json_bool(&j, e->kind == JSON_TRUE); break;
        case JSON_NULL: json_null(&j); break;
        default: json_end(&j);
        }
        is_over = e->depth == depth && (e->kind == JSON_OBJECT_END || e->kind == JSON_ARRAY_END);
        if (is_over) break;
        TRY(json_read_next(&w->j.r, &w->j.e));
        if (w->j.e.kind == JSON_END) return 0;
        /* What is nested too deep to be written is left out. */
        while (w->j.e.depth - depth >= JSON_DEPTH - 2 && (w->j.e.kind == JSON_OBJECT || w->j.e.kind == JSON_ARRAY)) {
            TRY(json_read_skip(&w->j.r, &w->j.e));
            if (w->j.e.kind == JSON_END) return 0;
            w->j.e.kind = JSON_NULL;
        }
    }
    *out = output_memory(w->nested);
    while (out->len && out->data[out->len - 1] == '\n') out->len--;
    return output_failed(w->nested);
}

static int data_member(struct firefox_walker *w)
{
    if (w->j.e.kind != JSON_OBJECT && w->j.e.kind != JSON_ARRAY) return firefox_give_member(w, FIREFOX_DATA, FIREFOX_MARKERS);
    struct firefox_record r = { .kind = FIREFOX_MEMBER, .part = FIREFOX_DATA, .table = FIREFOX_MARKERS, .off = w->j.e.off, .line = w->j.e.line };
    TRY(nested_text(w, &r.text));
    r.key = firefox_key(w);
    r.value = JSON_OBJECT;
    return w->j.e.kind == JSON_END ? 0 : firefox_give(w, r);
}

static int data_item(struct firefox_walker *w, uint64_t row)
{
    struct firefox_record r = { .kind = FIREFOX_NO_DATA, .part = FIREFOX_DATA, .table = FIREFOX_MARKERS, .row = row };
    bool has = true;
    r.off = w->j.e.off;
    r.line = w->j.e.line;
    if (w->j.e.kind == JSON_NULL) return firefox_give(w, r);
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "the data of a marker", &has));
    r.kind = has ? FIREFOX_BEGIN : FIREFOX_NO_DATA;
    TRY(firefox_give(w, r));
    while (has) {
        TRY(firefox_next_key(w, &has));
        if (has) TRY(data_member(w));
    }
    r.kind = FIREFOX_END;
    return w->j.r.is_damaged ? 0 : firefox_give(w, r);
}

static int data_column(struct firefox_walker *w, struct firefox_record r)
{
    bool has = true;
    TRY(firefox_give(w, r));
    for (r.row = 0; has; r.row += has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(data_item(w, r.row));
    }
    r.kind = FIREFOX_COLUMN_END;
    return w->j.r.is_damaged ? 0 : firefox_give(w, r);
}

/* ---- numbers ---- */

/* An item that json_read_numbers leaves alone. */
static int one_number(struct firefox_walker *w, struct firefox_record *r, bool *has)
{
    double v = NAN;
    TRY(coverage_json_item(&w->j, has));
    if (!*has) return 0;
    r->off = w->j.e.off;
    r->line = w->j.e.line;
    if (w->j.e.kind == JSON_NUMBER)
        number_double(w->j.e.text, &v);
    else if (w->j.e.kind != JSON_NULL) {
        coverage_json_found(&w->j, r->off, r->line, "J-2", ASSAY_ERROR, "%s.%s has %s: expected numbers", firefox_table_names[r->table],
                            firefox_columns[r->column].name, json_kind_name(w->j.e.kind));
        r->is_bad = true;
        TRY(json_read_skip(&w->j.r, &w->j.e));
    }
    r->values = &v;
    r->count = 1;
    r->text = (assay_slice){ NULL, 0 };
    TRY(firefox_give(w, *r));
    r->row++;
    return 0;
}

static int number_column(struct firefox_walker *w, struct firefox_record r)
{
    double values[AT_ONCE];
    TRY(firefox_give(w, r));
    r.kind = FIREFOX_VALUES;
    for (bool has = true; has;) {
        const char *from = w->j.r.at;
        r.line = w->j.r.line;
        r.off = w->j.r.begin_off + (uint64_t)(from - w->j.r.begin);
        r.count = json_read_numbers(&w->j.r, values, AT_ONCE, true);
        if (!r.count) {
            TRY(one_number(w, &r, &has));
            continue;
        }
        r.values = values;
        r.text = slice_from(from, w->j.r.at);
        TRY(firefox_give(w, r));
        r.row += r.count;
    }
    r.kind = FIREFOX_COLUMN_END;
    r.values = NULL;
    r.count = 0;
    return w->j.r.is_damaged ? 0 : firefox_give(w, r);
}

/* ---- tables ---- */

/* FIREFOX_COLUMNS = none that is read. */
static enum firefox_column column_of(enum firefox_table table, assay_slice key)
{
    bool is_samples = table <= FIREFOX_NATIVE_ALLOCATIONS;
    if (table == FIREFOX_STACKS && slice_is(key, "prefixOffset")) return FIREFOX_PREFIX;
    if (is_samples && slice_is(key, "duration")) return FIREFOX_WEIGHT;
    for (unsigned i = 0; i < FIREFOX_COLUMNS; i++) {
        enum firefox_table of = firefox_columns[i].table;
        bool is_here = of == table || (is_samples && of == FIREFOX_SAMPLES) || (table == FIREFOX_READINGS && (i == FIREFOX_TIME || i == FIREFOX_TIME_DELTAS));
        if (is_here && slice_is(key, firefox_columns[i].name)) return (enum firefox_column)i;
    }
    return FIREFOX_COLUMNS;
}

static int table_member(struct firefox_walker *w, enum firefox_table table)
{
    struct firefox_record r = { .kind = FIREFOX_COLUMN, .part = FIREFOX_TABLE, .table = table, .off = w->key_off, .line = w->key_line };
    if (w->j.e.kind != JSON_ARRAY) return firefox_give_member(w, FIREFOX_TABLE, table);
    r.column = column_of(table, firefox_key(w));
    if (r.column == FIREFOX_COLUMNS) return json_read_skip(&w->j.r, &w->j.e);
    r.is_offset = r.column == FIREFOX_PREFIX && slice_is(firefox_key(w), "prefixOffset");
    return r.column == FIREFOX_MARKER_DATA ? data_column(w, r) : number_column(w, r);
}

int firefox_walk_table(struct firefox_walker *w, enum firefox_table table, const char *what)
{
    struct firefox_record r = { .kind = FIREFOX_BEGIN, .part = FIREFOX_TABLE, .table = table, .off = w->j.e.off, .line = w->j.e.line };
    bool has;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, what, &has));
    if (!has) return 0;
    TRY(firefox_give(w, r));
    while (has) {
        TRY(firefox_next_key(w, &has));
        if (has) TRY(table_member(w, table));
    }
    r.kind = FIREFOX_END;
    return w->j.r.is_damaged ? 0 : firefox_give(w, r);
}
