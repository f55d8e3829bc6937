/* Rows of a table: which constraints are worth using, and the way through the rows that they leave; see tables.h. */
#include <string.h>

#include "analysis/tables/parts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

enum { CONSTRAINTS = 32 };
enum cursor_mode { BY_RANGE, BY_INDEX, BY_VALUES };

struct tables_cursor {
    struct tables_place at;
    struct tables_constraint constraints[CONSTRAINTS];
    unsigned count;
    size_t profile, last; /* the next one to look at, and the one behind the last */
    enum cursor_mode mode;
    bool is_open; /* there is a profile at hand */
    bool is_scan; /* of values, whatever they are */
    size_t left;  /* of a scan: values behind the one at hand that need no look */
    uint64_t row, end;
    struct tables_index index; /* a copy: making another one moves them */
    uint32_t chain;            /* row + 1 */
    struct tables_values *values;
    uint64_t steps;
};

/* ---- constraints ---- */

static bool is_profile(const struct tables_table *table, unsigned column) { return column == 0 && table->kind != TABLES_GLOBAL; }

/* What an index can be made of. */
static bool is_indexed(const struct tables_table *table, const struct tables_constraint *c)
{
    enum tables_type type = table->columns[c->column].type;
    return c->op == TABLES_EQ && !is_profile(table, c->column) && (type == TABLES_INTEGER || type == TABLES_UNSIGNED || type == TABLES_TEXT);
}

/* Whether the value is of the kind that cells of the column are: else only SQL knows what to make of it. */
static bool is_natural(const struct tables_table *table, const struct tables_constraint *c)
{
    bool is_number = c->value.kind == TABLES_I64 || c->value.kind == TABLES_U64;
    return table->columns[c->column].type == TABLES_TEXT ? c->value.kind == TABLES_STRING : is_number;
}

/* ---- estimates ---- */

static double rows_of(const struct tables_profile *p, const struct tables_table *table)
{
    const struct tables_cache *cache = &p->caches[table->number];
    if (!p->p || (cache->is_loaded && !cache->has_rows)) return 0;
    return (double)table->ops->rows(p, table, cache->is_loaded ? cache->data : NULL);
}

double tables_rows(const struct tables *t, const struct tables_table *table)
{
    double rows = 0;
    if (table->kind == TABLES_GLOBAL) return (double)table->ops->rows(NULL, table, t);
    for (size_t i = 0; i < t->profiles.len; i++) rows += rows_of(t->profiles.at[i], table);
    return rows;
}

/* How many different values a column has, over all profiles together; a guess where nobody counted. */
static double distinct_of(const struct tables *t, const struct tables_column *column)
{
    double funcs = 1, files = 1, nodes = 1, streams = 1, metrics = 1;
    const char *name = column->name;
    for (size_t i = 0; i < t->profiles.len; i++) {
        const assay_profile *p = t->profiles.at[i]->p;
        if (!p) continue;
        funcs += p->funcs.count;
        files += p->files.count;
        nodes += p->tree.count;
        streams += p->streams.count;
        metrics = metrics > p->metrics.count ? metrics : p->metrics.count;
    }
    if (strcmp(name, "metric") == 0) return metrics;
    if (strcmp(name, "stream") == 0) return streams;
    if (strcmp(name, "node") == 0 || strcmp(name, "parent") == 0) return nodes;
    if (strcmp(name, "file") == 0 || strcmp(name, "source") == 0 || strcmp(name, "path") == 0) return files;
    if (strcmp(name, "function") == 0 || strcmp(name, "caller") == 0 || strcmp(name, "callee") == 0 || strcmp(name, "key") == 0 || strcmp(name, "name") == 0)
        return funcs;
    if (strcmp(name, "line") == 0) return 100;
    return column->type == TABLES_TEXT ? 5 : 10;
}

/* Found without an index: ids, and what `range` and the values of trees can go to. */
static bool is_direct(const struct tables_table *table, const char *name)
{
    static const char *const pulled[] = { "stream", "node", "metric", "scope", NULL };
    if (table->ops->is_pulled) {
        for (const char *const *n = pulled; *n; n++)
            if (strcmp(*n, name) == 0) return true;
        return false;
    }
    return strcmp(name, "id") == 0 && table->kind == TABLES_RAW;
}

static bool is_event_time(const struct tables_table *table, const struct tables_constraint *c)
{
    return strcmp(table->name, "event") == 0 && strcmp(table->columns[c->column].name, "time") == 0;
}

void tables_plan(const struct tables *t, const struct tables_table *table, const struct tables_constraint *constraints, unsigned count,
                 struct tables_plan *plan)
{
    double profiles = t->profiles.len ? (double)t->profiles.len : 1, rows = tables_rows(t, table), looked;
    bool has_profile = false, has_place = false, has_id = false;
    *plan = (struct tables_plan){ .rows = rows };
    for (unsigned i = 0; i < count; i++) {
        const struct tables_constraint *c = &constraints[i];
        const struct tables_column *column = &table->columns[c->column];
        if (is_profile(table, c->column) && c->op == TABLES_EQ) {
            has_profile = true;
            plan->used |= 1u << i;
        } else if (is_direct(table, column->name) && c->op == TABLES_EQ) {
            plan->used |= 1u << i;
            has_id |= !table->ops->is_pulled;
            /* the metric and the scope of a value do not save a look at it */
            has_place |= strcmp(column->name, "stream") == 0 || strcmp(column->name, "node") == 0;
            rows /= distinct_of(t, column);
        } else if (is_event_time(table, c)) {
            plan->used |= 1u << i;
            rows /= 4;
        } else if (!table->ops->is_pulled && table->kind != TABLES_GLOBAL && is_indexed(table, c)) {
            plan->used |= 1u << i;
            has_place = true;
            rows /= distinct_of(t, column);
        }
    }
    if (has_profile) rows /= profiles;
    if (has_id) rows = has_profile ? 1 : profiles;
    looked = has_place || has_id ? rows : has_profile ? plan->rows / profiles : plan->rows;
    plan->rows = rows > 1 ? rows : 1;
    plan->cost = (looked > rows ? looked : rows) + (has_place || has_id ? 2 * (has_profile ? 1 : profiles) : 1);
    plan->is_unique = has_id && has_profile;
}

/* Values come by profile, stream and node, which are their first columns: millions of them need no sorting. Others are few. */
bool tables_are_sorted(const struct tables *t, const struct tables_table *table, const unsigned *columns, unsigned count)
{
    enum { SORTED = 3 };
    unsigned next = 0;
    if (!table->ops->is_pulled) return false;
    for (unsigned i = 0; i < count; i++) {
        if (next == 0 && columns[i] != 0 && t->profiles.len == 1) next = 1; /* one profile is sorted by it in any case */
        if (columns[i] != next++ || next > SORTED) return false;
    }
    return true;
}

/* ---- indexes ---- */

static uint64_t hash_cell(const struct tables_cell *c, uint64_t hash)
{
    if (c->kind == TABLES_STRING) return hash_mix(hash, hash_bytes(c->s.data, c->s.len));
    return hash_mix(hash, c->u); /* equal numbers have equal bits, signed or not */
}

static bool is_same(const struct tables_cell *a, const struct tables_cell *b)
{
    if (a->kind == TABLES_NULL || b->kind == TABLES_NULL) return false;
    if (a->kind == TABLES_STRING || b->kind == TABLES_STRING) return a->kind == b->kind && slice_equal(a->s, b->s);
    bool is_minus = a->kind == TABLES_I64 && a->i < 0, its_minus = b->kind == TABLES_I64 && b->i < 0;
    return is_minus == its_minus && a->u == b->u;
}

static void move_to(struct tables_place *at, uint64_t row)
{
    at->row = row;
    if (at->table->ops->move) at->table->ops->move(at);
}

static uint64_t hash_row(struct tables_place *at, uint32_t columns)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < at->table->count; i++) {
        struct tables_cell cell;
        if (!(columns >> i & 1)) continue;
        at->table->ops->cell(at, i, &cell);
        hash = hash_cell(&cell, hash);
    }
    return hash;
}

static int fill_index(struct tables_cursor *c, struct tables_index *x, assay_error *err)
{
    size_t buckets = 16;
    while (buckets < x->rows) buckets *= 2;
    x->head = mem_zalloc(c->at.t->mem, buckets, sizeof *x->head);
    if (!x->head) return error_memory(err);
    x->mask = (uint32_t)(buckets - 1);
    x->next = mem_zalloc(c->at.t->mem, x->rows, sizeof *x->next);
    if (!x->next) return error_memory(err);
    for (uint64_t row = x->rows; row-- > 0;) { /* from the end, so that chains are in the order of rows */
        TRY(cancel_step(row, err));
        move_to(&c->at, row);
        uint32_t *head = &x->head[hash_row(&c->at, x->columns) & x->mask];
        x->next[row] = *head;
        *head = (uint32_t)row + 1;
    }
    return 0;
}

/* The index of these columns of the profile at hand, made when it is asked for first. */
static int find_index(struct tables_cursor *c, uint32_t columns, uint64_t rows, struct tables_index *out, assay_error *err)
{
    struct tables_cache *cache = &c->at.p->caches[c->at.table->number];
    for (size_t i = 0; i < cache->indexes.len; i++) {
        *out = cache->indexes.at[i];
        if (out->columns == columns) return 0;
    }
    struct tables_index *x = vec_push(c->at.t->mem, &cache->indexes);
    if (!x) return error_memory(err);
    *x = (struct tables_index){ .columns = columns, .rows = (size_t)rows };
    int rc = fill_index(c, x, err);
    *out = *x;
    if (rc != 0) {
        mem_free(c->at.t->mem, x->head, x->head ? ((size_t)x->mask + 1) * sizeof *x->head : 0);
        mem_free(c->at.t->mem, x->next, x->next ? x->rows * sizeof *x->next : 0);
        cache->indexes.len--;
    }
    return rc;
}

/* ---- a profile ---- */

static int begin_index(struct tables_cursor *c, uint64_t rows, assay_error *err)
{
    uint32_t columns = 0;
    uint64_t hash = 0;
    for (unsigned i = 0; i < c->count; i++)
        if (is_indexed(c->at.table, &c->constraints[i])) columns |= 1u << c->constraints[i].column;
    for (unsigned k = 0; k < c->at.table->count; k++)
        for (unsigned i = 0; i < c->count; i++)
            if (columns >> k & 1 && c->constraints[i].column == k && is_indexed(c->at.table, &c->constraints[i])) {
                hash = hash_cell(&c->constraints[i].value, hash);
                break;
            }
    TRY(find_index(c, columns, rows, &c->index, err));
    c->mode = BY_INDEX;
    c->chain = c->index.head[hash & c->index.mask];
    return 0;
}

/* Whether an index serves (those belong to a profile): there is something to ask for, all of it of the right kind, and rows have numbers that it can hold. */
static bool takes_index(const struct tables_cursor *c, uint64_t rows)
{
    unsigned found = 0;
    for (unsigned i = 0; i < c->count; i++) {
        if (!is_indexed(c->at.table, &c->constraints[i])) continue;
        if (!is_natural(c->at.table, &c->constraints[i])) return false;
        found++;
    }
    return found && rows < UINT32_MAX;
}

static int begin_rows(struct tables_cursor *c, void *data, assay_error *err)
{
    const struct tables_table *table = c->at.table;
    uint64_t rows = table->ops->rows(c->at.p, table, table->kind == TABLES_GLOBAL ? c->at.t : data);
    c->mode = BY_RANGE;
    c->row = 0;
    c->end = rows;
    if (!c->count || !rows) return 0;
    uint64_t first = 0, end = rows;
    if (table->ops->range && table->ops->range(&c->at, c->constraints, c->count, &first, &end)) {
        c->row = first;
        c->end = end;
        return 0;
    }
    return c->at.p && takes_index(c, rows) ? begin_index(c, rows, err) : 0;
}

/* The next profile that the constraints leave. 0 = there is none. */
static int begin_profile(struct tables_cursor *c, assay_error *err)
{
    const struct tables_table *table = c->at.table;
    values_close(c->values);
    c->values = NULL;
    c->is_open = c->is_scan = false;
    c->left = 0;
    if (c->profile >= c->last) return 0;
    c->at.p = table->kind == TABLES_GLOBAL ? NULL : c->at.t->profiles.at[c->profile];
    c->profile++;
    c->at.stream = 0;
    if (table->kind == TABLES_GLOBAL) {
        TRY(begin_rows(c, NULL, err));
    } else {
        struct tables_cache *cache = &c->at.p->caches[table->number];
        TRY(tables_load(c->at.t, c->at.p, table, err));
        if (!cache->has_rows) return 1;
        c->at.data = cache->data;
        c->mode = BY_VALUES;
        if (table->ops->is_pulled) {
            TRY(values_open(&c->at, &c->values, c->constraints, c->count, err));
            c->is_scan = !c->count;
        } else
            TRY(begin_rows(c, cache->data, err));
    }
    c->is_open = true;
    return 1;
}

/* ---- the cursor ---- */

int tables_open(struct tables *t, const struct tables_table *table, struct tables_cursor **out, assay_error *err)
{
    struct tables_cursor *c = *out = mem_zalloc(t->mem, 1, sizeof *c);
    if (!c) return error_memory(err);
    c->at = (struct tables_place){ .t = t, .table = table };
    return 0;
}

void tables_close(struct tables_cursor *c)
{
    if (!c) return;
    struct mem *mem = c->at.t->mem;
    values_close(c->values);
    vec_done(mem, &c->at.scratch);
    mem_free(mem, c, sizeof *c);
}

int tables_seek(struct tables_cursor *c, const struct tables_constraint *constraints, unsigned count, assay_error *err)
{
    struct tables *t = c->at.t;
    const struct tables_table *table = c->at.table;
    c->count = count < CONSTRAINTS ? count : CONSTRAINTS;
    if (c->count) memcpy(c->constraints, constraints, c->count * sizeof *constraints);
    c->profile = 0;
    c->last = table->kind == TABLES_GLOBAL ? 1 : t->profiles.len;
    c->is_open = c->is_scan = false;
    c->left = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct tables_cell *v = &constraints[i].value;
        if (v->kind == TABLES_NULL) c->last = 0;
        if (!is_profile(table, constraints[i].column) || constraints[i].op != TABLES_EQ || !is_natural(table, &constraints[i])) continue;
        if ((v->kind == TABLES_I64 && v->i < 1) || v->u < 1 || v->u > c->last || v->u <= c->profile)
            c->last = 0;
        else {
            c->profile = (size_t)v->u - 1;
            c->last = (size_t)v->u;
        }
    }
    (void)err;
    return 0;
}

/* The next row of the chain whose cells are what was asked for: buckets hold others, too. */
static int next_in_chain(struct tables_cursor *c, assay_error *err)
{
    while (c->chain) {
        bool fits = true;
        TRY(cancel_step(c->steps++, err));
        move_to(&c->at, c->chain - 1);
        c->chain = c->index.next[c->chain - 1];
        for (unsigned i = 0; fits && i < c->count; i++) {
            struct tables_cell cell;
            if (!is_indexed(c->at.table, &c->constraints[i])) continue;
            c->at.table->ops->cell(&c->at, c->constraints[i].column, &cell);
            fits = is_same(&cell, &c->constraints[i].value);
        }
        if (fits) return 1;
    }
    return 0;
}

static int next_here(struct tables_cursor *c, assay_error *err)
{
    if (c->mode == BY_VALUES) return values_next(c->values, &c->at, err);
    if (c->mode == BY_INDEX) return next_in_chain(c, err);
    if (c->row >= c->end) return 0;
    move_to(&c->at, c->row++);
    return 1;
}

/* Apart from tables_next, so that the usual row costs nothing of it. */
__attribute__((noinline)) static int next_row(struct tables_cursor *c, assay_error *err)
{
    struct tables *t = c->at.t;
    if (t->failure.code) {
        *err = t->failure;
        t->failure.code = 0;
        return err->code;
    }
    for (;;) {
        if (c->is_open) {
            int rc = next_here(c, err);
            if (rc == 1 && c->is_scan) c->left = (size_t)(c->at.cell_end - c->at.cell) - 1;
            if (rc != 0) return rc;
        }
        int rc = begin_profile(c, err);
        if (rc <= 0) return rc;
    }
}

int tables_next(struct tables_cursor *c, assay_error *err)
{
    if (!c->left || c->at.t->failure.code) return next_row(c, err);
    c->left--;
    c->at.cell++;
    return 1;
}

void tables_cell(struct tables_cursor *c, unsigned column, struct tables_cell *out)
{
    if (c->mode == BY_VALUES)
        values_cell(c->values, &c->at, column, out);
    else
        c->at.table->ops->cell(&c->at, column, out);
}
