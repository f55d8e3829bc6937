/* The rule beyond what the decoder finds: a line that is repeated in its file. */
#include "formats/sonarqube-generic/sonarqube.h"

struct judge {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(uint64_t) lines; /* of the file in work: line << 32 | index of the row */
};

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct judge *j = arg;
    (void)d;
    j->lines.len = 0;
    if (!vec_reserve(j->mem, &j->lines, count)) return error_memory(j->err);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind != COVERAGE_LINE) continue;
        j->lines.at[j->lines.len++] = (uint64_t)rows[i].line << 32 | (uint32_t)i;
    }
    coverage_sort_keys(j->lines.at, j->lines.len);
    for (size_t i = 1; i < j->lines.len; i++) {
        const struct coverage_row *row = &rows[(uint32_t)j->lines.at[i]];
        if (j->lines.at[i - 1] >> 32 == row->line)
            findings_add(j->out, "SQ-3", ASSAY_WARNING, row->off, row->number, "line %u is repeated in its file", row->line);
    }
    return 0;
}

int sonarqube_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&sonarqube_source, job, judge, &j, out, err);
    vec_done(job->mem, &j.lines);
    return rc;
}
