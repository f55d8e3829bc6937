/* The rules of gcov's texts beyond damage: a file of only headers, percentages, and sections whose rows do not add up to the sums. */
#include <inttypes.h>

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
    VEC(struct row) rows;
    bool is_open, in_section, has_rows, has_percent;
    uint64_t off, number; /* of the file's first row */
};

/* The sum of a line first. */
static int by_line(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->in_section != b->in_section) return a->in_section ? 1 : -1;
    return (a->off > b->off) - (a->off < b->off);
}

static void compare_sections(struct checker *c)
{
    struct row *at = c->rows.at;
    if (c->rows.len) sort_by(at, c->rows.len, sizeof *at, by_line);
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
    c->is_open = c->in_section = c->has_rows = c->has_percent = false;
}

static bool record(struct checker *c, const struct gcov_record *r)
{
    switch (r->kind) {
    case GCOV_END: end_file(c); break;
    case GCOV_SOURCE:
        end_file(c);
        c->is_open = true;
        c->off = r->off;
        c->number = r->number;
        break;
    case GCOV_SECTION: c->in_section = true; break;
    case GCOV_SECTION_END: c->in_section = false; break;
    case GCOV_BRANCH: c->has_percent |= r->is_percent; break;
    case GCOV_LINE: {
        c->has_rows = true;
        struct row *row = r->is_code ? vec_push(c->mem, &c->rows) : NULL;
        if (row) *row = (struct row){ r->count, r->off, r->number, r->line, c->in_section };
        return row || !r->is_code;
    }
    default: break;
    }
    return true;
}

static int check_either(const struct read_job *job, struct findings *out, bool is_intermediate, assay_error *err)
{
    struct gcov_decoder d;
    struct checker c = { .out = out, .mem = job->mem };
    struct gcov_record r = { .kind = GCOV_OTHER };
    int rc = 0;
    gcov_init(&d, is_intermediate, job->in, job->mem, out, err);
    while (rc == 0 && r.kind != GCOV_END) {
        rc = gcov_next(&d, &r);
        if (rc == 0 && !is_intermediate && !record(&c, &r)) rc = error_memory(err);
    }
    vec_done(job->mem, &c.rows);
    gcov_done(&d);
    return rc;
}

int gcov_text_check(const struct read_job *job, struct findings *out, assay_error *err) { return check_either(job, out, false, err); }
int gcov_intermediate_check(const struct read_job *job, struct findings *out, assay_error *err) { return check_either(job, out, true, err); }
