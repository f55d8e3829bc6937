/* The rules of gcov's texts beyond damage: a file of only headers, percentages, and sections whose rows do not add up to the sums. */
#include <inttypes.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/gcov-text/gcov.h"

/* A row of a file: in a section, or the sum above the sections. */
struct row {
    uint64_t count, off, number;
    uint32_t line;
    bool in_section;
};

struct checker {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(struct row) rows;
    bool is_open, has_rows, has_percent;
    uint64_t off, number; /* of the file's first row */
};

/* The sum of a line first. */
static int by_line(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    if (a->in_section != b->in_section) return a->in_section ? 1 : -1;
    return ORDER(a->off, b->off);
}

static void compare_sections(struct checker *c)
{
    struct row *at = c->rows.at;
    bool is_sorted = true;
    for (size_t i = 1; i < c->rows.len && is_sorted; i++) is_sorted = at[i - 1].line < at[i].line;
    if (!is_sorted) sort_by(at, c->rows.len, sizeof *at, by_line);
    for (size_t i = 0, next; i < c->rows.len; i = next) {
        uint64_t total = 0, sum = 0;
        bool has_sections = false;
        for (next = i; next < c->rows.len && at[next].line == at[i].line; next++) {
            uint64_t *to = at[next].in_section ? &sum : &total;
            *to = *to > UINT64_MAX - at[next].count ? UINT64_MAX : *to + at[next].count;
            has_sections |= at[next].in_section;
        }
        if (has_sections && sum != total)
            findings_add(c->out, "GT-4", ASSAY_WARNING, at[i].off, at[i].number,
                         "line %" PRIu32 " has count %" PRIu64 ", but its instances have %" PRIu64 " together", at[i].line, total, sum);
    }
}

static void end_file(struct checker *c)
{
    if (!c->is_open) return;
    if (!c->has_rows) findings_add(c->out, "GT-2", ASSAY_WARNING, c->off, c->number, "only header rows: gcov did not find the source");
    if (c->has_percent) findings_add(c->out, "GT-3", ASSAY_INFO, c->off, c->number, "branches have percentages only: counts are unknown (gcov -c writes them)");
    compare_sections(c);
    c->rows.len = 0;
    c->is_open = c->has_rows = c->has_percent = false;
}

static int take(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct checker *c = arg;
    (void)d;
    for (size_t i = 0; i < count; i++) {
        const struct coverage_row *r = &rows[i];
        if (r->kind == COVERAGE_FILE) {
            end_file(c);
            c->is_open = true;
            c->off = r->off;
            c->number = r->number;
        }
        c->has_percent |= r->kind == COVERAGE_BRANCH;
        c->has_rows |= r->kind == COVERAGE_LINE || r->kind == COVERAGE_RECORD;
        struct row *row = r->kind == COVERAGE_LINE ? vec_push(c->mem, &c->rows) : NULL;
        if (r->kind == COVERAGE_LINE && !row) return error_memory(c->err);
        if (row) *row = (struct row){ r->count, r->off, r->number, r->line, r->of_function };
    }
    return 0;
}

int gcov_text_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker c = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&gcov_text_source, job, take, &c, out, err);
    if (rc == 0) end_file(&c);
    vec_done(job->mem, &c.rows);
    return rc;
}
