/* The rules of Go cover profiles beyond damage: rows of the same block. */
#include "formats/go-cover/go_cover.h"

struct judge {
    struct findings *out;
    assay_error *err;
    struct go_blocks blocks;
};

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct judge *j = arg;
    (void)d;
    for (size_t i = 0; i < count; i++) {
        const struct coverage_row *r = &rows[i];
        bool again, differs;
        if (!go_blocks_add(&j->blocks, r, false, &again, &differs)) return error_memory(j->err);
        if (differs) findings_add(j->out, "GO-5", ASSAY_WARNING, r->off, r->number, "the same block with another number of statements");
        if (again) findings_add(j->out, "GO-6", ASSAY_INFO, r->off, r->number, "this block is repeated: its counts are combined");
    }
    return 0;
}

int go_cover_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out, .err = err };
    go_blocks_init(&j.blocks, job->mem);
    int rc = coverage_rows_walk(&go_cover_source, job, judge, &j, out, err);
    go_blocks_done(&j.blocks);
    return rc;
}
