/* A file for each table that has rows, or in parts a folder of files; see docs/formats/parquet.md. */
#include "formats/parquet/tables.h"

#include <math.h>
#include <stdio.h>

#include "analysis/tables/tables.h"
#include "base/cancel.h"
#include "base/sort.h"
#include "base/text.h"
#include "formats/parquet/file.h"

/* The streams of a profile by the key of the partition. */
struct part {
    bool has_key;
    uint64_t key;
    uint32_t stream;
};

struct writing {
    const assay_profile *p;
    const struct write_job *job;
    struct output_dir *dir;
    struct tables tables;
    struct parquet_scratch scratch;
    enum parquet_type figures; /* what figures of any metric fit */
    const char *partition;
    VEC(struct part) parts;

    /* of the table at hand */
    const struct tables_table *table;
    struct tables_cursor *rows;
    enum parquet_type types[TABLES_COLUMNS];
    unsigned columns[TABLES_COLUMNS], count; /* that are written */
    struct parquet_file *file;
    struct output *out;
};

static const char *partition_of(const struct write_job *job) { return job->own ? ((const struct parquet_options *)job->own)->partition : NULL; }

/* ---- columns ---- */

/* Whole stacks of all contexts would be larger than all the rest: whoever wants one follows `parent`. */
static bool is_left_out(const struct tables_column *c) { return strcmp(c->name, "stack") == 0; }

/* A column has one type, figures have that of their metric: where these differ, all are doubles. */
static enum parquet_type figures_of(const assay_profile *p)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t i = 2; i <= m->count; i++)
        if (m->type[i] != m->type[1]) return PARQUET_DOUBLE;
    if (!m->count || m->type[1] == ASSAY_U64) return PARQUET_UINT64;
    return m->type[1] == ASSAY_I64 ? PARQUET_INT64 : PARQUET_DOUBLE;
}

static enum parquet_type type_of(const struct writing *w, enum tables_type type)
{
    switch (type) {
    case TABLES_TEXT: return PARQUET_TEXT;
    case TABLES_REAL: return PARQUET_DOUBLE;
    case TABLES_UNSIGNED: return PARQUET_UINT64;
    case TABLES_NUMBER: return w->figures;
    case TABLES_INTEGER: break;
    }
    return PARQUET_INT64;
}

/* Totals have more than 64 bits: one that a column of integers cannot hold makes it a column of doubles. */
static bool fits(enum parquet_type type, const struct tables_cell *cell)
{
    if (cell->kind == TABLES_NULL || type == PARQUET_DOUBLE) return true;
    return type == PARQUET_UINT64 ? cell->kind == TABLES_U64 || (cell->kind == TABLES_I64 && cell->i >= 0)
                                  : cell->kind == TABLES_I64 || (cell->kind == TABLES_U64 && cell->u <= INT64_MAX);
}

/* Whether a double is exactly this integer. */
static bool is_exact(const struct tables_cell *cell)
{
    if (cell->kind == TABLES_U64) return cell->u <= (uint64_t)1 << 53 || ((double)cell->u < 0x1p64 && (uint64_t)(double)cell->u == cell->u);
    if (cell->kind == TABLES_I64) return (double)cell->i < 0x1p63 && (int64_t)(double)cell->i == cell->i;
    return true;
}

static bool has_figures(const struct tables_table *table)
{
    for (unsigned i = 0; i < table->count; i++)
        if (table->columns[i].type == TABLES_NUMBER) return true;
    return false;
}

/* ---- losses ---- */

/* Figures of a table that a double does not hold: only where metrics of several types meet. */
static int count_inexact(struct writing *w, const struct tables_table *table, uint64_t *count, assay_error *err)
{
    struct tables_cursor *rows;
    int found = 0;
    TRY(tables_open(&w->tables, table, &rows, err));
    int rc = tables_seek(rows, NULL, 0, err);
    while (rc == 0 && (found = tables_next(rows, err)) == 1) {
        for (unsigned i = 0; i < table->count; i++) {
            struct tables_cell cell;
            if (table->columns[i].type != TABLES_NUMBER) continue;
            tables_cell(rows, i, &cell);
            *count += !is_exact(&cell);
        }
        if (cancel_due()) rc = error_cancelled(err);
    }
    tables_close(rows);
    return rc != 0 ? rc : found;
}

static uint64_t count_odd_names(const assay_profile *p)
{
    uint32_t count;
    uint64_t odd = 0;
    const assay_slice *names = assay_profile_strings(p, &count);
    for (uint32_t i = 1; i <= count; i++) {
        assay_slice s = names[i];
        unsigned len = 1;
        for (; s.len && (len = text_utf8(s, NULL)); s = (assay_slice){ s.data + len, s.len - len })
            ;
        odd += !len;
    }
    return odd;
}

static int name_losses(struct writing *w, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(w->p);
    uint64_t odd = count_odd_names(w->p), inexact = 0;
    bool has_integers = false;
    for (uint32_t i = 1; i <= m->count; i++) has_integers |= m->type[i] != ASSAY_F64;
    for (unsigned i = 0; w->figures == PARQUET_DOUBLE && has_integers && i < w->tables.count; i++)
        if (has_figures(&w->tables.tables[i])) TRY(count_inexact(w, &w->tables.tables[i], &inexact, err));
    if (odd) losses_add(w->job->losses, "names", odd, "names that are not UTF-8 are written with \\xNN for each byte that is not");
    if (inexact) losses_add(w->job->losses, "precision", inexact, "integers beside metrics with fractions are written as the nearest double");
    return losses_settle(w->job, err);
}

/* ---- files ---- */

/* A key of a partition as part of a path. */
static void part_name(const struct writing *w, const struct part *part, char *buf, size_t len)
{
    if (!part)
        snprintf(buf, len, "%s.parquet", w->table->name);
    else if (part->has_key)
        snprintf(buf, len, "%s.parquet/%s=%llu/part.parquet", w->table->name, w->partition, (unsigned long long)part->key);
    else
        snprintf(buf, len, "%s.parquet/%s=__HIVE_DEFAULT_PARTITION__/part.parquet", w->table->name, w->partition);
}

static int begin_file(struct writing *w, const struct part *part, assay_error *err)
{
    char name[200];
    part_name(w, part, name, sizeof name);
    TRY(output_dir_file(w->dir, name, &w->out, err));
    parquet_file_begin(w->file, &w->scratch, w->out, w->table->name, w->table->what, w->count);
    for (unsigned k = 0; k < w->count; k++) {
        const struct tables_column *c = &w->table->columns[w->columns[k]];
        parquet_column_init(&w->file->columns[k], w->scratch.mem, c->name, c->what, w->types[w->columns[k]]);
    }
    return 0;
}

static void drop_file(struct writing *w)
{
    parquet_file_done(w->file);
    *w->file = (struct parquet_file){ 0 };
    output_abort(w->out);
    w->out = NULL;
}

static int end_file(struct writing *w, assay_error *err)
{
    if (!w->out) return 0;
    TRY(parquet_file_end(w->file, err));
    struct output *out = w->out;
    w->out = NULL;
    drop_file(w);
    return output_commit(out, err);
}

static int put_row(struct writing *w, assay_error *err)
{
    for (unsigned k = 0; k < w->count; k++) {
        struct tables_cell cell;
        tables_cell(w->rows, w->columns[k], &cell);
        TRY(parquet_column_add(&w->file->columns[k], w->scratch.mem, &cell, err));
    }
    return parquet_file_row(w->file, err);
}

/* The rows of a stream, or all of them. */
static int put_rows(struct writing *w, const struct part *part, int column, assay_error *err)
{
    const struct tables_constraint only = { .column = (unsigned)column, .op = TABLES_EQ, .value = { .kind = TABLES_U64, .u = part ? part->stream : 0 } };
    int found;
    uint64_t steps = 0;
    TRY(tables_seek(w->rows, &only, part ? 1 : 0, err));
    while ((found = tables_next(w->rows, err)) == 1) {
        struct tables_cell cell = { 0 };
        TRY(cancel_step(steps++, err));
        if (part) tables_cell(w->rows, (unsigned)column, &cell);
        if (part && cell.u != part->stream) continue;
        if (!w->out) TRY(begin_file(w, part, err));
        TRY(put_row(w, err));
    }
    return found;
}

/* ---- partitions ---- */

static int by_key(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->has_key != y->has_key) return x->has_key ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* The id of this kind that a stream has. */
static struct part part_of(const struct writing *w, uint32_t stream)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    struct part part = { .stream = stream };
    if (!stream) return part;
    if (strcmp(w->partition, "stream") == 0) return (struct part){ true, stream, stream };
    for (uint32_t i = s->tuple_begin[stream]; i < s->tuple_begin[stream + 1]; i++) {
        if (!slice_is_nocase(assay_profile_string(w->p, s->tuple_kind[i]), w->partition)) continue;
        part.has_key = true;
        part.key = s->tuple_logical[i];
    }
    return part;
}

static int make_parts(struct writing *w, assay_error *err)
{
    const struct assay_streams *s = assay_profile_streams(w->p);
    bool has_any = false;
    if (!w->partition) return 0;
    for (const char *c = w->partition; *c; c++)
        if (!(*c >= 'a' && *c <= 'z')) FAIL(err, ASSAY_ERR_USAGE, "tables are partitioned by a kind of id in lower case, such as rank or thread");
    if (strlen(w->partition) > 32) FAIL(err, ASSAY_ERR_USAGE, "tables are partitioned by a kind of id, such as rank or thread");
    for (uint32_t i = 0; i <= s->count; i++) {
        struct part *to = vec_push(w->scratch.mem, &w->parts);
        if (!to) return error_memory(err);
        *to = part_of(w, i);
        has_any |= to->has_key;
    }
    if (!has_any)
        FAIL(err, ASSAY_ERR_USAGE, "no stream has an id of the kind '%s'; 'assay query FILE \"select distinct kind from tuple\"' lists the kinds",
             w->partition);
    return sort_by(w->parts.at, w->parts.len, sizeof *w->parts.at, by_key) ? 0 : error_cancelled(err);
}

static bool is_same_part(const struct part *a, const struct part *b) { return a->has_key == b->has_key && a->key == b->key; }

static int put_parts(struct writing *w, int column, assay_error *err)
{
    for (size_t i = 0; i < w->parts.len; i++) {
        if (i && !is_same_part(&w->parts.at[i], &w->parts.at[i - 1])) TRY(end_file(w, err));
        TRY(put_rows(w, &w->parts.at[i], column, err));
    }
    return end_file(w, err);
}

/* ---- tables ---- */

/* Types are those of the columns; but the table of metrics has totals. */
static int choose_types(struct writing *w, assay_error *err)
{
    int found = 0;
    w->count = 0;
    for (unsigned i = 0; i < w->table->count; i++) {
        w->types[i] = type_of(w, w->table->columns[i].type);
        if (!is_left_out(&w->table->columns[i])) w->columns[w->count++] = i;
    }
    if (strcmp(w->table->name, "metric") != 0) return 0;
    TRY(tables_seek(w->rows, NULL, 0, err));
    while ((found = tables_next(w->rows, err)) == 1)
        for (unsigned i = 0; i < w->table->count; i++) {
            struct tables_cell cell;
            if (w->table->columns[i].type != TABLES_NUMBER) continue;
            tables_cell(w->rows, i, &cell);
            if (!fits(w->types[i], &cell)) w->types[i] = PARQUET_DOUBLE;
        }
    return found;
}

static int put_table(struct writing *w, const struct tables_table *table, assay_error *err)
{
    int column = tables_column(table, "stream");
    w->table = table;
    TRY(tables_open(&w->tables, table, &w->rows, err));
    int rc = choose_types(w, err);
    if (rc == 0 && w->partition && column >= 0 && strcmp(table->name, "tuple") != 0)
        rc = put_parts(w, column, err);
    else if (rc == 0 && (rc = put_rows(w, NULL, 0, err)) == 0)
        rc = end_file(w, err);
    if (rc != 0 && w->out) {
        rc = output_blame(w->out, rc, err);
        drop_file(w);
    }
    tables_close(w->rows);
    w->rows = NULL;
    return rc;
}

/* What tables mean is in the metadata of each file. */
static int put_tables(struct writing *w, assay_error *err)
{
    TRY(tables_add(&w->tables, &(struct tables_input){ .path = "", .profile = (assay_profile *)w->p }, err)); /* only the count of references changes */
    TRY(make_parts(w, err));
    TRY(name_losses(w, err));
    for (unsigned i = 0; i < w->tables.count; i++)
        if (w->tables.tables[i].kind != TABLES_GLOBAL && !w->tables.tables[i].is_wide) TRY(put_table(w, &w->tables.tables[i], err));
    return 0;
}

int parquet_write(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err)
{
    struct writing w = { .p = p, .job = job, .dir = out, .figures = figures_of(p), .partition = partition_of(job) };
    int rc = tables_init(&w.tables, job->mem, NULL, err);
    if (rc == 0) rc = parquet_scratch_init(&w.scratch, job->mem, err);
    w.file = rc == 0 ? mem_zalloc(job->mem, 1, sizeof *w.file) : NULL;
    if (rc == 0) rc = w.file ? put_tables(&w, err) : error_memory(err);
    mem_free(job->mem, w.file, w.file ? sizeof *w.file : 0);
    vec_done(job->mem, &w.parts);
    parquet_scratch_done(&w.scratch);
    tables_done(&w.tables);
    return rc;
}
