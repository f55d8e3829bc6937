/* The rule that needs a whole file: what its summary states against what is counted. llvm-cov counts a line once for each function that has
 * it, and of the instances of a template only the best, so that both rarely agree: it is a remark. */
#include "formats/llvm-cov-json/decode.h"

static void compare(struct findings *out, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count, const char *kind, uint64_t found,
                    uint64_t hit)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind != COVERAGE_STATED || !slice_is(intern_get(&d->names, rows[i].name), kind)) continue;
        if (rows[i].hit == (double)hit && rows[i].total == (double)found) return;
        findings_add(out, "LV-6", ASSAY_INFO, rows[i].off, rows[i].number, "the summary states %.0f of %.0f %s, but %llu of %llu are listed", rows[i].hit,
                     rows[i].total, kind, (unsigned long long)hit, (unsigned long long)found);
    }
}

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    uint64_t found[COVERAGE_KINDS] = { 0 }, hit[COVERAGE_KINDS] = { 0 };
    if (rows[0].kind != COVERAGE_FILE) return 0;
    for (size_t i = 0; i < count; i++) {
        found[rows[i].kind]++;
        if (rows[i].kind != COVERAGE_STATED) hit[rows[i].kind] += rows[i].count > 0;
    }
    compare(arg, d, rows, count, "lines", found[COVERAGE_LINE], hit[COVERAGE_LINE]);
    compare(arg, d, rows, count, "branches", found[COVERAGE_BRANCH], hit[COVERAGE_BRANCH]);
    return 0;
}

int llvm_cov_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    return coverage_rows_walk(&llvm_cov_source, job, judge, out, out, err);
}
