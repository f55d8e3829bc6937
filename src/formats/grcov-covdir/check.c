/* The rule that needs more than one node: what files and the whole state against the lines that are listed. */
#include "formats/grcov-covdir/decode.h"

struct judge {
    struct findings *out;
    uint64_t found, hit, all_found, all_hit; /* of the file that was listed last; of all */
};

static void compare(struct judge *j, const struct coverage_row *stated, uint64_t found, uint64_t hit)
{
    if (stated->total == (double)found && stated->hit == (double)hit) return;
    findings_add(j->out, "CD-1", ASSAY_WARNING, stated->off, stated->number, "%.0f of %.0f lines are stated, but %llu of %llu are listed", stated->hit,
                 stated->total, (unsigned long long)hit, (unsigned long long)found);
}

static void count(struct judge *j, const struct coverage_row *rows, size_t row_count)
{
    j->found = j->hit = 0;
    for (size_t i = 0; i < row_count; i++) {
        j->found += rows[i].kind == COVERAGE_LINE;
        j->hit += rows[i].kind == COVERAGE_LINE && rows[i].count > 0;
    }
    j->all_found += j->found;
    j->all_hit += j->hit;
}

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t row_count)
{
    struct judge *j = arg;
    bool is_file = rows[0].kind == COVERAGE_FILE;
    if (is_file && !rows[0].is_derived) count(j, rows, row_count);
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].kind != COVERAGE_STATED || rows[i].total < 0) continue;
        if (is_file)
            compare(j, &rows[i], j->found, j->hit);
        else if (slice_is(intern_get(&d->names, rows[i].block), "report"))
            compare(j, &rows[i], j->all_found, j->all_hit);
    }
    return 0;
}

int covdir_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out };
    return coverage_rows_walk(&covdir_source, job, judge, &j, out, err);
}
