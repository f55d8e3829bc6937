/* See formats/coverage/rows.h. */
#include "formats/coverage/rows.h"

#include "base/order.h"
#include "base/sort.h"

int coverage_give(struct coverage_decoder *d)
{
    int rc = d->take && d->rows.len ? d->take(d->arg, d, d->rows.at, d->rows.len) : 0;
    d->rows.len = 0;
    d->goes_on = false;
    return rc;
}

int coverage_give_part(struct coverage_decoder *d)
{
    int rc = coverage_give(d);
    d->goes_on = true;
    return rc;
}

int coverage_add_stated(struct coverage_decoder *d, uint64_t off, uint64_t number, const char *scope, assay_slice kind, double hit, double total)
{
    struct coverage_row *row = coverage_add_row(d, COVERAGE_STATED, off, number);
    if (!row) return ASSAY_ERR_MEMORY;
    row->hit = hit;
    row->total = total;
    row->block = coverage_name(d, scope);
    row->name = intern_put(&d->names, kind);
    return row->block && row->name ? 0 : error_memory(d->err);
}

int coverage_count(struct coverage_decoder *d, const char *name, uint64_t count)
{
    struct coverage_row *row = coverage_add_row(d, COVERAGE_COUNT, 0, 0);
    if (!row) return ASSAY_ERR_MEMORY;
    row->is_derived = true;
    row->count = count;
    row->name = coverage_name(d, name);
    return row->name ? 0 : error_memory(d->err);
}

uint32_t coverage_name(struct coverage_decoder *d, const char *text) { return intern_put(&d->names, slice_of(text)); }

/* ---- derived lines ---- */

static int by_line(const void *x, const void *y)
{
    const struct coverage_hit *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    return ORDER(a->off, b->off);
}

int coverage_derive_lines(struct coverage_decoder *d, struct coverage_hit *hits, size_t count)
{
    bool is_sorted = true;
    for (size_t i = 1; i < count && is_sorted; i++) is_sorted = hits[i - 1].line <= hits[i].line;
    if (!is_sorted) sort_by(hits, count, sizeof *hits, by_line);
    for (size_t i = 0, next; i < count; i = next) {
        uint64_t most = 0;
        for (next = i; next < count && hits[next].line == hits[i].line; next++)
            if (hits[next].count > most) most = hits[next].count;
        struct coverage_row *row = coverage_add_row(d, COVERAGE_LINE, hits[i].off, hits[i].number);
        if (!row) return ASSAY_ERR_MEMORY;
        row->is_derived = true;
        row->line = hits[i].line;
        row->count = most;
    }
    return 0;
}

/* ---- the whole ---- */

int coverage_rows_decode(struct coverage_decoder *d, const struct coverage_source *s, const struct read_job *job, assay_error *err)
{
    d->job = job;
    d->mem = job->mem;
    d->err = err;
    intern_init(&d->names, job->mem);
    int rc = s->decode(d);
    if (rc == 0) rc = coverage_give(d);
    vec_done(d->mem, &d->rows);
    return rc == 0 && d->damage->failed ? error_memory(err) : rc;
}

int coverage_rows_walk(const struct coverage_source *s, const struct read_job *job, coverage_take_fn take, void *arg, struct findings *out, assay_error *err)
{
    struct coverage_decoder d = { .take = take, .arg = arg, .use = COVERAGE_FOR_CHECK, .damage = out };
    int rc = coverage_rows_decode(&d, s, job, err);
    intern_done(&d.names);
    return rc;
}

/* ---- for checks ---- */

static int by_value(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return ORDER(a, b);
}

void coverage_sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (keys[i - 1] > keys[i]) {
            sort_by(keys, count, sizeof *keys, by_value);
            return;
        }
}
