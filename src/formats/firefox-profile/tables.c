/* Columns of row numbers, samples, markers and readings; what they must be to each other. See collect.h. */
#include <math.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/fetch.h"
#include "base/slice.h"
#include "formats/firefox-profile/collect.h"

static struct firefox_thread *thread_at_hand(struct firefox *f) { return &f->threads.at[f->threads.len - 1]; }

/* ---- row numbers ---- */

/* A whole number that a column of rows can have; FIREFOX_NONE for null and -1. Anything else is far out of range. */
static int64_t row_of(double v)
{
    if (isnan(v) || (v < 0 && v > -1.5)) return FIREFOX_NONE;
    return v >= 0 && v < INT32_MAX && v == floor(v) ? (int64_t)v : INT64_MAX;
}

static void note_range(struct firefox_range *range, const struct firefox_record *r, size_t k, int64_t row)
{
    if (row == FIREFOX_NONE && !range->has_none) {
        range->has_none = true;
        firefox_value_place(r, k, &range->none_off, &range->none_line);
    }
    if (row == FIREFOX_NONE || (uint64_t)row < range->largest) return;
    range->largest = (uint64_t)row + 1;
    firefox_value_place(r, k, &range->off, &range->line);
}

/* The first place of the largest number is noted once for all of `r`. */
static int add_rows(struct firefox *f, int32_t **at, size_t *len, size_t *cap, struct firefox_range *range, const struct firefox_record *r)
{
    int64_t largest = FIREFOX_NONE;
    size_t where = 0, none = r->count;
    if (!vec_grow_(f->mem, (void **)at, *len, cap, r->count, sizeof **at)) return error_memory(f->err);
    int32_t *rows = *at + *len;
    for (size_t k = 0; k < r->count; k++) {
        double v = r->values[k];
        rows[k] = v >= 0 && v < INT32_MAX ? (int32_t)v : FIREFOX_NONE;
        int64_t row = (double)rows[k] == v ? rows[k] : row_of(v); /* nearly always it is a number of a row */
        if (row == INT64_MAX) rows[k] = FIREFOX_NONE;
        if (row > largest) where = k;
        if (row > largest) largest = row;
        if (row == FIREFOX_NONE && none == r->count) none = k;
    }
    *len += r->count;
    note_range(range, r, where, largest);
    if (none < r->count) note_range(range, r, none, FIREFOX_NONE);
    return 0;
}

static void prefix_is_wrong(struct firefox *f, const struct firefox_record *r, size_t k)
{
    uint64_t off, line;
    firefox_value_place(r, k, &off, &line);
    findings_add(f->damage, "FX02", ASSAY_ERROR, off, line,
                 r->is_offset ? "row %llu of stackTable has prefixOffset %.17g: it points before the first row"
                              : "row %llu of stackTable has prefix %.17g, which does not stand before it",
                 (unsigned long long)(r->row + k), r->values[k]);
    f->open.is_bad = true;
}

/* A caller stands before what it calls. Offsets count back from the row itself; 0 is a root. */
static int add_prefixes(struct firefox *f, struct firefox_tables *t, const struct firefox_record *r)
{
    unsigned at = FIREFOX_PREFIX - FIREFOX_FRAME;
    if (!vec_reserve(f->mem, &t->column[at], r->count)) return error_memory(f->err);
    int32_t *rows = t->column[at].at + t->column[at].len;
    for (size_t k = 0; k < r->count; k++) {
        uint64_t row = r->row + k;
        double v = r->values[k];
        int32_t small = v >= 0 && v < INT32_MAX ? (int32_t)v : FIREFOX_NONE;
        bool is_root = isnan(v) || (r->is_offset ? v == 0 : v < 0);
        rows[k] = is_root ? FIREFOX_NONE : r->is_offset ? (int32_t)(row - (uint64_t)small) : small;
        if (is_root || (small >= 0 && (double)small == v && (uint64_t)small < row + r->is_offset)) continue;
        rows[k] = FIREFOX_NONE;
        prefix_is_wrong(f, r, k);
    }
    t->column[at].len += r->count;
    return 0;
}

static int add_index(struct firefox *f, const struct firefox_record *r)
{
    struct firefox_tables *t = &f->tables.at[f->is_in_thread ? thread_at_hand(f)->tables : 0];
    unsigned at = r->column - FIREFOX_FRAME;
    if (r->kind == FIREFOX_COLUMN) t->column[at].len = 0;
    if (r->kind == FIREFOX_COLUMN) t->range[at] = (struct firefox_range){ 0 };
    if (r->kind != FIREFOX_VALUES) return 0;
    if (r->column == FIREFOX_PREFIX) return add_prefixes(f, t, r);
    return add_rows(f, &t->column[at].at, &t->column[at].len, &t->column[at].cap, &t->range[at], r);
}

/* ---- samples ---- */

static int add_doubles(struct firefox *f, double **at, size_t *len, size_t *cap, const struct firefox_record *r)
{
    if (r->kind == FIREFOX_COLUMN) *len = 0;
    if (r->kind != FIREFOX_VALUES) return 0;
    if (!vec_grow_(f->mem, (void **)at, *len, cap, r->count, sizeof **at)) return error_memory(f->err);
    memcpy(*at + *len, r->values, r->count * sizeof *r->values);
    *len += r->count;
    return 0;
}

/* Times must not go backwards: of several only the first is reported. */
static void check_times(struct firefox *f, struct firefox_samples *s, const struct firefox_record *r)
{
    uint64_t off, line;
    if (r->kind == FIREFOX_COLUMN) s->last = r->column == FIREFOX_TIME ? -INFINITY : 0;
    for (size_t k = 0; k < r->count && !s->is_backwards; k++) {
        double v = r->values[k];
        s->is_backwards = v < s->last && (r->column == FIREFOX_TIME || r->row + k > 0);
        if (r->column == FIREFOX_TIME && v > s->last) s->last = v;
        if (!s->is_backwards) continue;
        firefox_value_place(r, k, &off, &line);
        findings_add(f->damage, "FX07", ASSAY_WARNING, off, line, "time goes backwards in sample %llu", (unsigned long long)(r->row + k));
    }
}

static int add_samples(struct firefox *f, struct firefox_samples *s, const struct firefox_record *r)
{
    if (r->column == FIREFOX_STACK) {
        if (r->kind == FIREFOX_COLUMN) s->stack.len = 0;
        if (r->kind == FIREFOX_COLUMN) s->range = (struct firefox_range){ 0 };
        return r->kind == FIREFOX_VALUES ? add_rows(f, &s->stack.at, &s->stack.len, &s->stack.cap, &s->range, r) : 0;
    }
    if (r->column == FIREFOX_WEIGHT) {
        s->has_weight = true;
        return add_doubles(f, &s->weight.at, &s->weight.len, &s->weight.cap, r);
    }
    if (r->column != FIREFOX_TIME && r->column != FIREFOX_TIME_DELTAS) return 0;
    check_times(f, s, r);
    s->has_deltas = r->column == FIREFOX_TIME_DELTAS;
    return f->want_timeline ? add_doubles(f, &s->time.at, &s->time.len, &s->time.cap, r) : 0;
}

static void add_weight_type(struct firefox *f, struct firefox_samples *s, const struct firefox_record *r)
{
    static const char *const names[] = { "samples", "tracing-ms", "bytes" };
    for (unsigned i = 0; i < 3; i++)
        if (slice_is(r->text, names[i])) s->metric = (uint8_t)i;
    if (!slice_is(r->text, names[s->metric]))
        findings_add(f->damage, "FX06", ASSAY_WARNING, r->off, r->line, "unknown weightType '%.*s': expected samples, tracing-ms or bytes",
                     (int)(r->text.len < 40 ? r->text.len : 40), r->text.data ? r->text.data : "");
}

/* ---- markers and readings ---- */

static int add_markers(struct firefox *f, struct firefox_thread *t, const struct firefox_record *r)
{
    if (r->column == FIREFOX_MARKER_NAME && r->kind == FIREFOX_COLUMN) t->marker_names = (struct firefox_range){ 0 };
    for (size_t k = 0; k < r->count; k++) {
        int64_t row = row_of(r->values[k]);
        if (r->column == FIREFOX_MARKER_NAME) note_range(&t->marker_names, r, k, row);
        if (!f->want_timeline) continue;
        if (t->markers.len <= r->row + k) {
            struct firefox_marker *m = vec_push(f->mem, &t->markers);
            if (!m) return error_memory(f->err);
            *m = (struct firefox_marker){ .name = FIREFOX_NONE, .category = FIREFOX_NONE, .phase = FIREFOX_NONE };
        }
        struct firefox_marker *m = &t->markers.at[r->row + k];
        int32_t small = row == INT64_MAX ? FIREFOX_NONE : (int32_t)row;
        if (r->column == FIREFOX_MARKER_NAME) m->name = small;
        if (r->column == FIREFOX_MARKER_CATEGORY) m->category = small;
        if (r->column == FIREFOX_MARKER_PHASE) m->phase = small;
        if (r->column == FIREFOX_MARKER_START || r->column == FIREFOX_MARKER_TIME) m->start = r->values[k];
        if (r->column == FIREFOX_MARKER_END) m->end = r->values[k];
    }
    return 0;
}

static int add_readings(struct firefox *f, const struct firefox_record *r)
{
    struct firefox_counter *c = &f->counters.at[f->counters.len - 1];
    if (!f->want_timeline) return 0;
    if (r->column == FIREFOX_COUNT) return add_doubles(f, &c->count.at, &c->count.len, &c->count.cap, r);
    if (r->column == FIREFOX_NUMBER) return add_doubles(f, &c->number.at, &c->number.len, &c->number.cap, r);
    c->has_deltas = r->column == FIREFOX_TIME_DELTAS;
    return add_doubles(f, &c->time.at, &c->time.len, &c->time.cap, r);
}

/* ---- tables ---- */

static bool is_needed(enum firefox_column column, enum firefox_table table)
{
    enum firefox_table of = firefox_columns[column].table;
    if (!firefox_columns[column].is_needed) return false;
    return of == table || (of == FIREFOX_SAMPLES && table <= FIREFOX_NATIVE_ALLOCATIONS);
}

/* Whether the table that ends has all it needs. */
static bool check_lengths(struct firefox *f, enum firefox_table table)
{
    struct firefox_open *o = &f->open;
    bool is_good = !o->is_bad && o->has_length && o->length < INT32_MAX;
    if (!o->has_length || o->length >= INT32_MAX) findings_add(f->damage, "J-3", ASSAY_ERROR, o->off, o->line, "%s has no length", firefox_table_names[table]);
    for (unsigned i = 0; i < FIREFOX_COLUMNS && o->has_length; i++) {
        if (!o->seen[i] && o->length && is_needed((enum firefox_column)i, table)) {
            findings_add(f->damage, "J-3", ASSAY_ERROR, o->off, o->line, "%s has no column '%s'", firefox_table_names[table], firefox_columns[i].name);
            is_good = false;
        }
        if (!o->seen[i] || o->count[i] >= o->length || (firefox_columns[i].may_be_short && f->version < 41)) continue;
        findings_add(f->damage, "FX01", ASSAY_ERROR, o->key_off[i], o->key_line[i], "%s.%s has %llu values, but the length of the table is %llu",
                     firefox_table_names[table], firefox_columns[i].name, (unsigned long long)o->count[i], (unsigned long long)o->length);
        is_good = false;
    }
    return is_good;
}

static void end_table(struct firefox *f, enum firefox_table table)
{
    bool is_good = check_lengths(f, table);
    uint32_t length = is_good ? (uint32_t)f->open.length : 0;
    if (table == FIREFOX_READINGS) {
        f->counters.at[f->counters.len - 1].is_whole = is_good;
        f->counters.at[f->counters.len - 1].length = length;
    } else if (table == FIREFOX_MARKERS) {
        thread_at_hand(f)->has_markers = is_good;
        thread_at_hand(f)->marker_count = length;
    } else if (table < FIREFOX_MARKERS) {
        thread_at_hand(f)->samples[table].is_whole = is_good;
        thread_at_hand(f)->samples[table].length = length;
    } else {
        struct firefox_tables *t = &f->tables.at[f->is_in_thread ? thread_at_hand(f)->tables : 0];
        t->is_whole[table] = is_good;
        t->length[table] = length;
        t->is_sound &= is_good;
    }
}

static int add_column(struct firefox *f, const struct firefox_record *r)
{
    if (r->kind == FIREFOX_COLUMN) {
        f->open.seen[r->column] = true;
        f->open.key_off[r->column] = r->off;
        f->open.key_line[r->column] = r->line;
    }
    if (r->kind == FIREFOX_COLUMN_END) f->open.count[r->column] = r->row;
    f->open.is_bad |= r->is_bad;
    if (r->table == FIREFOX_READINGS) return add_readings(f, r);
    if (r->table == FIREFOX_MARKERS) return add_markers(f, thread_at_hand(f), r);
    if (r->table < FIREFOX_MARKERS) return add_samples(f, &thread_at_hand(f)->samples[r->table], r);
    return add_index(f, r);
}

static void add_member(struct firefox *f, const struct firefox_record *r)
{
    if (slice_is(r->key, "length") && r->value == JSON_NUMBER) {
        f->open.has_length = r->number >= 0 && r->number == floor(r->number);
        f->open.length = !f->open.has_length ? 0 : r->number < 1e15 ? (uint64_t)r->number : (uint64_t)1e15;
    } else if (slice_is(r->key, "weightType") && r->table == FIREFOX_SAMPLES)
        add_weight_type(f, &thread_at_hand(f)->samples[0], r);
}

int firefox_add_table(struct firefox *f, const struct firefox_record *r)
{
    switch (r->kind) {
    case FIREFOX_BEGIN:
        f->open = (struct firefox_open){ .off = r->off, .line = r->line };
        if (r->table == FIREFOX_SAMPLES) thread_at_hand(f)->has_samples = true;
        if (r->table >= FIREFOX_STACKS && r->table <= FIREFOX_SOURCES) f->tables.at[f->is_in_thread ? thread_at_hand(f)->tables : 0].has[r->table] = true;
        return 0;
    case FIREFOX_MEMBER: add_member(f, r); return 0;
    case FIREFOX_END: end_table(f, r->table); return 0;
    default: return add_column(f, r);
    }
}

/* ---- sums ---- */

static struct firefox_cell *cell_of(struct firefox *f, struct firefox_samples *s, uint32_t row)
{
    if (f->slot.at[row] > 0 && (size_t)f->slot.at[row] > s->cells) return &f->cells.at[f->slot.at[row] - 1];
    struct firefox_cell *c = f->cells.len < INT32_MAX ? vec_push(f->mem, &f->cells) : NULL;
    if (!c) return NULL;
    *c = (struct firefox_cell){ .row = row };
    f->slot.at[row] = (int32_t)f->cells.len;
    return c;
}

/* What the sum loses to rounding goes to the rest. */
static void add_exactly(struct firefox_cell *c, double v)
{
    double sum = c->sum + v, part = sum - c->sum;
    c->rest += (c->sum - (sum - part)) + (v - part);
    c->sum = sum;
}

/* Most samples count 1, and a thread has many of them: each adds to a number by its row, and the rows are gone over once. */
static int count_up(struct firefox *f, struct firefox_samples *s, uint32_t rows)
{
    for (uint32_t i = 0; i < s->length; i++) {
        TRY(cancel_step(i, f->err));
        if (i + FIREFOX_AHEAD < s->length && s->stack.at[i + FIREFOX_AHEAD] >= 0) fetch_to_write(&f->slot.at[s->stack.at[i + FIREFOX_AHEAD]]);
        if (s->stack.at[i] >= 0) f->slot.at[s->stack.at[i]]++;
    }
    for (uint32_t row = 0; row < rows; row++) {
        TRY(cancel_step(row, f->err));
        if (!f->slot.at[row]) continue;
        struct firefox_cell *c = f->cells.len < INT32_MAX ? vec_push(f->mem, &f->cells) : NULL;
        if (!c) return error_memory(f->err);
        *c = (struct firefox_cell){ .row = row, .sum = f->slot.at[row] };
        f->slot.at[row] = 0;
    }
    return 0;
}

static int weigh_up(struct firefox *f, struct firefox_samples *s)
{
    for (uint32_t i = 0; i < s->length; i++) {
        double v = s->has_weight ? s->weight.at[i] : 1;
        TRY(cancel_step(i, f->err));
        if (s->stack.at[i] < 0 || !isfinite(v)) continue;
        struct firefox_cell *c = cell_of(f, s, (uint32_t)s->stack.at[i]);
        if (!c) return error_memory(f->err);
        add_exactly(c, v);
        f->has_fraction[s->metric] |= v != floor(v);
    }
    return 0;
}

static int add_up(struct firefox *f, struct firefox_samples *s, uint32_t rows)
{
    size_t had = f->slot.len;
    if (had < rows && !vec_reserve(f->mem, &f->slot, rows - had)) return error_memory(f->err);
    if (had < rows) memset(f->slot.at + had, 0, (rows - had) * sizeof *f->slot.at);
    if (had < rows) f->slot.len = rows;
    s->cells = f->cells.len;
    if (!s->has_weight && s->length > rows / 8) memset(f->slot.at, 0, rows * sizeof *f->slot.at);
    TRY(!s->has_weight && s->length > rows / 8 ? count_up(f, s, rows) : weigh_up(f, s));
    s->cells_end = f->cells.len;
    return 0;
}

/* What `range` says of a column of `rows` rows; `what` is its name. */
static bool check_range(struct firefox *f, const struct firefox_range *range, uint64_t rows, bool may_be_none, const char *what, const char *of)
{
    if (range->largest > rows) {
        uint64_t row = range->largest - 1;
        if (row == (uint64_t)INT64_MAX)
            findings_add(f->damage, "FX03", ASSAY_ERROR, range->off, range->line, "%s has a number that is no row of %s", what, of);
        else
            findings_add(f->damage, "FX03", ASSAY_ERROR, range->off, range->line, "%s has row %llu of %s, which has %llu", what, (unsigned long long)row, of,
                         (unsigned long long)rows);
    }
    if (range->has_none && !may_be_none)
        findings_add(f->damage, "FX03", ASSAY_ERROR, range->none_off, range->none_line, "%s has no row of %s in one place", what, of);
    return range->largest <= rows && (may_be_none || !range->has_none);
}

static int settle_samples(struct firefox *f, struct firefox_samples *s, bool has_rows, uint32_t rows, const char *what)
{
    s->is_settled = true;
    s->is_sound = s->is_whole && has_rows && check_range(f, &s->range, rows, true, what, "stackTable");
    if (s->is_sound) TRY(add_up(f, s, rows));
    if (f->want_timeline && s->is_sound) return 0;
    vec_done(f->mem, &s->stack, &s->weight, &s->time);
    return 0;
}

int firefox_settle(struct firefox *f, struct firefox_thread *t, bool is_last)
{
    static const char *const names[] = { "samples.stack", "jsAllocations.stack", "nativeAllocations.stack" };
    const struct firefox_tables *own = firefox_tables_of(f, t);
    if (t->tables && !own->has[FIREFOX_STACKS]) own = &f->tables.at[0];
    if (!own->is_whole[FIREFOX_STACKS] && !is_last) return 0;
    for (unsigned i = 0; i < 3; i++)
        if (!t->samples[i].is_settled) TRY(settle_samples(f, &t->samples[i], own->is_whole[FIREFOX_STACKS], own->length[FIREFOX_STACKS], names[i]));
    return 0;
}

/* ---- at the end ---- */

static bool check_index(struct firefox *f, struct firefox_tables *t, enum firefox_column column, uint64_t rows, bool may_be_none, const char *of)
{
    char what[60];
    snprintf(what, sizeof what, "%s.%s", firefox_table_names[firefox_columns[column].table], firefox_columns[column].name);
    return check_range(f, &t->range[column - FIREFOX_FRAME], rows, may_be_none, what, of);
}

/* Of an input that breaks off nothing is missing: that it does is reported already. */
static bool has_tables(struct firefox *f, const struct firefox_tables *t)
{
    const char *missing = firefox_strings_of(f, t)->has_strings ? NULL : "stringArray";
    bool is_whole = t->is_whole[FIREFOX_RESOURCES] || !t->has[FIREFOX_RESOURCES];
    for (unsigned i = FIREFOX_STACKS; i <= FIREFOX_FUNCS; i++) {
        is_whole &= t->is_whole[i];
        if (!t->has[i]) missing = firefox_table_names[i];
    }
    if (missing && f->is_whole) findings_add(f->damage, "J-3", ASSAY_ERROR, f->meta_off, f->meta_line, "there is no %s", missing);
    return !missing && is_whole;
}

static void check_tables(struct firefox *f, struct firefox_tables *t)
{
    const struct firefox_tables *shared = &f->tables.at[0];
    uint64_t strings = firefox_strings_of(f, t)->strings.len, libs = firefox_libs_of(f, t)->libs.len;
    t->is_sound &= has_tables(f, t);
    if (!t->is_sound) return;
    bool is_good = check_index(f, t, FIREFOX_FRAME, t->length[FIREFOX_FRAMES], false, "frameTable");
    is_good &= check_index(f, t, FIREFOX_FUNC, t->length[FIREFOX_FUNCS], false, "funcTable");
    is_good &= check_index(f, t, FIREFOX_FUNC_NAME, strings, false, "stringArray");
    is_good &= check_index(f, t, FIREFOX_FUNC_RESOURCE, t->length[FIREFOX_RESOURCES], true, "resourceTable");
    is_good &= check_index(f, t, FIREFOX_FUNC_SOURCE, shared->length[FIREFOX_SOURCES], true, "sources");
    is_good &= check_index(f, t, FIREFOX_FUNC_FILE, strings, true, "stringArray");
    is_good &= check_index(f, t, FIREFOX_RESOURCE_NAME, strings, true, "stringArray");
    is_good &= check_index(f, t, FIREFOX_RESOURCE_LIB, libs, true, "libs");
    is_good &= check_index(f, t, FIREFOX_FRAME_LIB, libs, true, "libs");
    is_good &= check_index(f, t, FIREFOX_SOURCE_FILE, strings, true, "stringArray");
    t->is_sound = is_good;
}

void firefox_check_rows(struct firefox *f)
{
    bool is_shared_used = false;
    for (size_t i = 0; i < f->threads.len; i++) {
        struct firefox_thread *t = &f->threads.at[i];
        if (t->tables && !f->tables.at[t->tables].has[FIREFOX_STACKS]) t->tables = 0;
        is_shared_used |= !t->tables;
        const struct firefox_tables *strings = firefox_strings_of(f, firefox_tables_of(f, t));
        if (t->has_markers)
            t->has_markers = strings->has_strings && check_range(f, &t->marker_names, strings->strings.len, true, "markers.name", "stringArray");
    }
    for (size_t i = is_shared_used ? 0 : 1; i < f->tables.len; i++)
        if (f->tables.at[i].is_sound && (i == 0 || f->tables.at[i].has[FIREFOX_STACKS])) check_tables(f, &f->tables.at[i]);
}
