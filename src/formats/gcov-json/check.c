/* The rule of gcov's and gcovr's JSON beyond damage: functions against the lines of their file. */
#include <stdlib.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/gcov-json/decode.h"
#include "formats/gcov-json/gcov_json.h"

struct judge {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(uint32_t) lines; /* of the file in work, sorted */
    bool is_gcovr;       /* which leaves lines out */
};

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return ORDER(a, b);
}

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct judge *j = arg;
    j->lines.len = 0;
    for (size_t i = 0; i < count; i++) {
        j->is_gcovr |= rows[i].kind == COVERAGE_RECORD && slice_is(intern_get(&d->names, rows[i].name), GCOV_JSON_GCOVR_VERSION);
        if (rows[i].kind != COVERAGE_LINE) continue;
        uint32_t *line = vec_push(j->mem, &j->lines);
        if (!line) return error_memory(j->err);
        *line = rows[i].line;
    }
    if (j->lines.len) sort_by(j->lines.at, j->lines.len, sizeof *j->lines.at, by_number);
    for (size_t i = 0; i < count; i++) {
        const struct coverage_row *f = &rows[i];
        if (f->kind != COVERAGE_FUNCTION || !f->count || j->is_gcovr) continue;
        if (!j->lines.len || !bsearch(&f->line, j->lines.at, j->lines.len, sizeof *j->lines.at, by_number))
            findings_add(j->out, "GJ-5", ASSAY_WARNING, f->off, f->number, "a function was called, but its start line %u is not a line of the file", f->line);
    }
    return 0;
}

int gcov_json_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&gcov_json_source, job, judge, &j, out, err);
    vec_done(job->mem, &j.lines);
    return rc;
}
