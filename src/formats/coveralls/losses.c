/* What a profile has that the JSON of coveralls.io has no room for. */
#include "formats/coverage/losses.h"
#include "base/scan.h"
#include "formats/coveralls/coveralls.h"

bool coveralls_is_digest(assay_slice text)
{
    bool is_hex = text.len == 32;
    for (size_t i = 0; is_hex && i < text.len; i++) is_hex = hex_digit(text.data[i]) >= 0;
    return is_hex;
}

static void lose_functions(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint64_t often = 0, ends = 0, unplaced = 0;
    for (uint32_t i = 0; i < c->func_count; i++) {
        uint32_t func = c->func[i].v;
        often += c->func_calls[i] > 1;
        ends += f->last_line && f->last_line[func];
        unplaced += !f->file || !f->file[func].v;
    }
    coverage_lose(l, "calls", often, "only whether a function was called is written");
    coverage_lose(l, "end-lines", ends, "end lines of functions are not written");
    coverage_lose(l, "places", unplaced, "functions without a file are left out");
}

static void lose_sums(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t others = 0, large = 0, far = 0;
    for (uint32_t i = 0; i < c->sum_count; i++) {
        bool is_branches = slice_is(assay_profile_string(p, c->sum_kind[i]), "branches");
        others += !is_branches;
        large += is_branches && c->sum_total[i] > COVERALLS_SUM_MOST;
    }
    for (uint32_t i = 0; i < c->line_count; i++) far += c->line_number[i] > COVERALLS_LINE_MOST;
    coverage_lose(l, "sums", others, "totals other than branches (instructions, calls) are not written");
    coverage_lose(l, "branches", large, "more than 10000 branches on one line are not written individually");
    coverage_lose(l, "lines", far, "lines above 1000000 are left out");
}

void coveralls_losses(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    if (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE)
        losses_add(l, "cost", 1, "coveralls holds only coverage; other measurements are not written");
    coverage_lose(l, "tests", coverage_named(c->line_test, c->line_count), "the tests that hit a line are not written; counts of tests are added");
    losses_add_regions(l, p);
    coverage_lose(l, "conditions", c->condition_count, "conditions (MC/DC) are not written");
    coverage_lose(l, "checksums", coverage_named(c->line_checksum, c->line_count), "checksums of lines are not written");
    coverage_lose(l, "excluded", coverage_flagged(c->line_flags, c->line_count, ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE),
                  "excluded lines are left out");
    coverage_lose(l, "states",
                  coverage_flagged(c->line_flags, c->line_count, ASSAY_COVERAGE_PARTIAL | ASSAY_COVERAGE_UNEXECUTED_BLOCK | ASSAY_COVERAGE_UNKNOWN),
                  "partly covered and unknown states of lines are not written");
    coverage_lose(l, "flags", coverage_flagged(c->branch_flags, c->branch_count, 0xff),
                  "whether a branch was never evaluated, throws or falls through is not written");
    const struct assay_files *files = assay_profile_files(p);
    uint64_t origins = 0;
    for (uint32_t i = 1; files->origin && i <= files->count; i++)
        origins += files->origin[i].v && !coveralls_is_digest(assay_profile_string(p, files->origin[i]));
    coverage_lose(l, "origins", origins, "versions and hashes of files other than MD5 are not written");
    lose_sums(p, l);
    lose_functions(p, l);
}
