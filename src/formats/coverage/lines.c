/* Rows are collected as they come; joining sorts them by their key, unless they are in order, and folds neighbours of the same key in place. See
 * formats/coverage/lines.h. */
#include "formats/coverage/lines.h"

#include "base/number.h"
#include "base/order.h"
#include "base/sort.h"

static int by_key(const void *x, const void *y)
{
    const struct coverage_line *a = x, *b = y;
    return ORDER(a->key, b->key);
}

void coverage_lines_join(struct coverage_lines *rows)
{
    size_t n = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < rows->len && is_sorted; i++) is_sorted = rows->at[i - 1].key <= rows->at[i].key;
    if (!is_sorted) sort_by(rows->at, rows->len, sizeof *rows->at, by_key);
    for (size_t i = 0; i < rows->len; i++) {
        struct coverage_line row = rows->at[i], *last = n ? &rows->at[n - 1] : NULL;
        if (last && last->key == row.key) {
            if (row.hits > last->hits) last->hits = row.hits;
            if (row.covered > last->covered) last->covered = row.covered;
            if (row.total > last->total) last->total = row.total;
            last->flags |= row.flags;
        } else
            rows->at[n++] = row;
    }
    rows->len = n;
}

struct coverage_figures coverage_lines_count(const struct coverage_lines *rows)
{
    struct coverage_figures n = { .lines = rows->len };
    for (size_t i = 0; i < rows->len; i++) {
        n.lines_hit += rows->at[i].hits > 0;
        n.branches += rows->at[i].total;
        n.branches_hit += rows->at[i].covered;
        n.hits = wide_add_u64(n.hits, rows->at[i].hits);
    }
    return n;
}

/* ---- for readers ---- */

void coverage_joined_init(struct coverage_joined *j, struct coverage_decoder *d)
{
    *j = (struct coverage_joined){ .d = d };
    intern_init(&j->files, d->mem);
}

void coverage_joined_done(struct coverage_joined *j)
{
    intern_done(&j->files);
    vec_done(j->d->mem, &j->rows);
}

static int add_file(struct coverage_joined *j, uint32_t file)
{
    struct coverage_row *row = coverage_add_row(j->d, COVERAGE_FILE, 0, 0);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = intern_put(&j->d->names, intern_get(&j->files, file));
    return row->name ? 0 : error_memory(j->d->err);
}

int coverage_joined_file(struct coverage_joined *j, assay_slice path)
{
    j->file = intern_put(&j->files, path);
    if (!j->file) return error_memory(j->d->err);
    TRY(coverage_give_some(j->d));
    return add_file(j, j->file);
}

int coverage_joined_give(struct coverage_joined *j)
{
    uint32_t file = 0;
    coverage_lines_join(&j->rows);
    for (size_t i = 0; i < j->rows.len; i++) {
        const struct coverage_line *line = &j->rows.at[i];
        TRY(coverage_give_some(j->d));
        if (line->key >> 32 != file) TRY(add_file(j, file = (uint32_t)(line->key >> 32)));
        struct coverage_row *row = coverage_add_row(j->d, COVERAGE_LINE, 0, 0);
        if (!row) return ASSAY_ERR_MEMORY;
        row->line = (uint32_t)line->key;
        row->count = line->hits;
        row->index = line->covered;
        row->group = line->total;
        row->flags = line->flags;
    }
    return 0;
}
