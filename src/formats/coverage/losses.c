/* Counts what cannot be written; see losses.h. */
#include "formats/coverage/losses.h"

#include "analysis/coverage/copy.h"
#include "base/slice.h"
#include "model/entry.h"

void coverage_lose(struct losses *l, const char *kind, uint64_t count, const char *message)
{
    if (count) losses_add(l, kind, count, "%s", message);
}

uint64_t coverage_flagged(const uint8_t *flags, uint32_t count, uint8_t bits)
{
    uint64_t n = 0;
    for (uint32_t i = 0; flags && i < count; i++) n += (flags[i] & bits) != 0;
    return n;
}

uint64_t coverage_named(const assay_str_id *ids, uint32_t count)
{
    uint64_t n = 0;
    for (uint32_t i = 0; ids && i < count; i++) n += ids[i].v != 0;
    return n;
}

static void lose_counts(const struct assay_coverage *c, struct losses *l)
{
    uint64_t lines = 0, calls = 0;
    for (uint32_t i = 0; i < c->line_count; i++) lines += c->line_hits[i] > 1;
    for (uint32_t i = 0; i < c->func_count; i++) calls += c->func_calls[i] > 1;
    coverage_lose(l, "counts", lines, "a line is covered or not: how often it ran is not written");
    coverage_lose(l, "calls", calls, "a function is covered or not: how often it was called is not written");
}

static void lose_functions(const assay_profile *p, unsigned holds, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint64_t ends = 0, unplaced = 0;
    for (uint32_t i = 0; i < c->func_count; i++) {
        uint32_t func = c->func[i].v;
        ends += AT(f->last_line, func) > 0;
        unplaced += AT(f->first_line, func) == 0;
    }
    if (!(holds & COVERAGE_HOLDS_END_LINES)) coverage_lose(l, "end-lines", ends, "end lines of functions are not written");
    if (!(holds & COVERAGE_HOLDS_NO_LINE)) coverage_lose(l, "places", unplaced, "functions without a line are left out");
}

static void lose_regions(const assay_profile *p, unsigned holds, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t others = 0;
    if (!(holds & COVERAGE_HOLDS_STATEMENTS) || coverage_offsets_lack_lines(p)) {
        losses_add_regions(l, p);
        return;
    }
    for (uint32_t i = 0; i < c->region_count; i++) others += AT(c->region_kind, i) != ASSAY_REGION_STATEMENT;
    coverage_lose(l, "regions", others, "regions that are not statements are not written");
}

void coverage_losses_name(const assay_profile *p, const char *name, unsigned holds, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t sums = 0;
    for (uint32_t i = 0; i < c->sum_count; i++) {
        assay_slice kind = assay_profile_string(p, c->sum_kind[i]);
        sums += !slice_is(kind, "branches") && !(holds & COVERAGE_HOLDS_INSTRUCTIONS && slice_is(kind, "instructions"));
    }
    if (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE) losses_add(l, "cost", 1, "%s holds only coverage; other measurements are not written", name);
    if (!(holds & COVERAGE_HOLDS_COUNTS)) lose_counts(c, l);
    if (!(holds & COVERAGE_HOLDS_BRANCHES))
        coverage_lose(l, "branches", c->branch_count, "only the number of branches taken on each line is written, without counts and names");
    else
        coverage_lose(l, "flags", coverage_flagged(c->branch_flags, c->branch_count, ASSAY_COVERAGE_BRANCH_NOT_EVALUATED),
                      "whether a branch was never evaluated is not written");
    coverage_lose(l, "conditions", c->condition_count, "conditions (MC/DC) are not written");
    lose_regions(p, holds, l);
    coverage_lose(l, "sums", sums, "totals other than branches (instructions, calls) are not written");
    coverage_lose(l, "checksums", coverage_named(c->line_checksum, c->line_count), "checksums of lines are not written");
    coverage_lose(l, "states", coverage_flagged(c->line_flags, c->line_count, ASSAY_COVERAGE_UNKNOWN), "unknown states of lines are not written");
    coverage_lose(l, "excluded", coverage_flagged(c->line_flags, c->line_count, ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE),
                  "excluded lines are left out");
    coverage_lose(l, "tests", coverage_named(c->line_test, c->line_count), "the tests that ran a line are not written: tests are added up");
    lose_functions(p, holds, l);
}
