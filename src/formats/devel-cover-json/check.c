/* The rule that needs all files: their sums against the total. */
#include "formats/devel-cover-json/decode.h"

struct sum {
    double hit, total;
};
struct judge {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(struct sum) files;           /* by name id of the kind */
    VEC(struct coverage_row) stated; /* of the whole */
};

static int add(struct judge *j, const struct coverage_row *row)
{
    if (row->name >= j->files.len) {
        size_t more = (size_t)row->name + 1 - j->files.len;
        if (!vec_reserve(j->mem, &j->files, more)) return error_memory(j->err);
        memset(j->files.at + j->files.len, 0, more * sizeof *j->files.at);
        j->files.len += more;
    }
    j->files.at[row->name].hit += row->hit;
    j->files.at[row->name].total += row->total;
    return 0;
}

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct judge *j = arg;
    bool is_file = rows[0].kind == COVERAGE_FILE;
    (void)d;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind != COVERAGE_STATED) continue;
        TRY(add(j, &(struct coverage_row){ .name = rows[i].name, .hit = is_file ? rows[i].hit : 0, .total = is_file ? rows[i].total : 0 }));
        struct coverage_row *slot = is_file ? NULL : vec_push(j->mem, &j->stated);
        if (!is_file && !slot) return error_memory(j->err);
        if (slot) *slot = rows[i];
    }
    return 0;
}

int devel_cover_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&devel_cover_source, job, judge, &j, out, err);
    for (size_t i = 0; rc == 0 && out->errors == 0 && i < j.stated.len; i++) {
        const struct coverage_row *s = &j.stated.at[i];
        const struct sum *sum = &j.files.at[s->name];
        if (sum->hit != s->hit || sum->total != s->total)
            findings_add(out, "DC-2", ASSAY_WARNING, s->off, s->number, "the total states %.0f of %.0f, but the files have %.0f of %.0f", s->hit, s->total,
                         sum->hit, sum->total);
    }
    vec_done(job->mem, &j.files, &j.stated);
    return rc;
}
