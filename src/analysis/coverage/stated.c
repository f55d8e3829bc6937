/* What reports state of themselves; see assay/coverage.h. Where a report is only a summary, these figures stand in for those that are counted; elsewhere each
 * that is stated once for a file is compared with what was counted. */
#include <string.h>

#include "analysis/coverage/table.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

struct pair {
    uint64_t *total, *hit;
};

static struct pair pair_of(assay_coverage_counts *n, assay_slice kind)
{
    if (slice_is(kind, "lines")) return (struct pair){ &n->lines, &n->lines_hit };
    if (slice_is(kind, "functions")) return (struct pair){ &n->functions, &n->functions_hit };
    if (slice_is(kind, "branches")) return (struct pair){ &n->branches, &n->branches_hit };
    if (slice_is(kind, "conditions")) return (struct pair){ &n->conditions, &n->conditions_hit };
    if (slice_is(kind, "statements")) return (struct pair){ &n->statements, &n->statements_hit };
    return (struct pair){ NULL, NULL };
}

/* A pair of whole numbers; rates and what is out of reach are not. */
static bool is_pair(double hit, double total)
{
    return hit >= 0 && total >= hit && total <= 0x1p53 && hit == (double)(uint64_t)hit && total == (double)(uint64_t)total;
}

static bool add(assay_coverage_counts *to, assay_slice kind, double hit, double total)
{
    struct pair p = pair_of(to, kind);
    if (!p.total || !is_pair(hit, total)) return false;
    *p.total += (uint64_t)total;
    *p.hit += (uint64_t)hit;
    return true;
}

/* Figures of the report take the place of those that no file states. */
static void add_report(assay_coverage_counts *total, const assay_coverage_counts *files, assay_slice kind, double hit, double of)
{
    assay_coverage_counts copy = *files;
    struct pair by_files = pair_of(&copy, kind);
    if (by_files.total && !*by_files.total && add(total, kind, hit, of)) total->stated += total->stated == 0;
}

void assay_coverage_figures_stated(const assay_profile *p, assay_coverage_counts *total, assay_coverage_counts *by_file)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint32_t files = assay_profile_files(p)->count, before = 0;
    *total = (assay_coverage_counts){ .files = files };
    if (by_file) memset(by_file, 0, ((size_t)files + 1) * sizeof *by_file);
    for (uint32_t i = 1; by_file && i <= files; i++) by_file[i].files = 1;
    for (uint32_t i = 0; i < c->stated_count; i++) {
        uint32_t file = ID(c->stated_file, i);
        assay_slice kind = assay_profile_string(p, c->stated_kind[i]);
        if (!file || file > files || !slice_is(assay_profile_string(p, c->stated_scope[i]), "file")) continue;
        if (!add(total, kind, c->stated_hit[i], c->stated_total[i])) continue;
        if (by_file) add(&by_file[file], kind, c->stated_hit[i], c->stated_total[i]);
        if (by_file) by_file[file].stated = 1;
        total->stated += file != before;
        before = file;
    }
    const assay_coverage_counts of_files = *total;
    for (uint32_t i = 0; i < c->stated_count; i++)
        if (!ID(c->stated_file, i) && slice_is(assay_profile_string(p, c->stated_scope[i]), "report"))
            add_report(total, &of_files, assay_profile_string(p, c->stated_kind[i]), c->stated_hit[i], c->stated_total[i]);
}

static bool is_summary(const struct assay_coverage *c)
{
    return c->stated_count && !c->line_count && !c->func_count && !c->branch_count && !c->sum_count && !c->condition_count && !c->region_count;
}

int assay_coverage_figures(const assay_profile *p, assay_coverage_counts *total, assay_coverage_counts *by_file, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (!is_summary(assay_profile_coverage(p))) return assay_coverage_count(p, total, by_file, err);
    assay_coverage_figures_stated(p, total, by_file);
    return 0;
}

/* ---- stated against counted ---- */

static const char *const compared[ASSAY_COVERAGE_COMPARED] = { "lines", "functions", "branches" };

static bool is_same(const assay_coverage_counts *n, unsigned kind, uint64_t hit, uint64_t total)
{
    if (kind == 0) return n->lines == total && n->lines_hit == hit;
    if (kind == 2) return n->branches == total && n->branches_hit == hit;
    return (n->functions == total && n->functions_hit == hit) || (n->groups == total && n->groups_hit == hit);
}

static void differ(assay_coverage_difference *to, const assay_coverage_counts *counted, const char *kind, uint64_t hit, uint64_t total)
{
    assay_coverage_counts copy = *counted;
    struct pair p = pair_of(&copy, slice_of(kind));
    to->files++;
    to->stated += total;
    to->stated_hit += hit;
    to->counted += *p.total;
    to->counted_hit += *p.hit;
}

/* Which of the three kinds a row is of, and whether it is a pair of one file; ASSAY_COVERAGE_COMPARED = none of them. */
static unsigned kind_of(const assay_profile *p, const struct assay_coverage *c, uint32_t i)
{
    assay_slice kind = assay_profile_string(p, c->stated_kind[i]);
    unsigned k = 0;
    while (k < ASSAY_COVERAGE_COMPARED && !slice_is(kind, compared[k])) k++;
    bool is_file = ID(c->stated_file, i) && slice_is(assay_profile_string(p, c->stated_scope[i]), "file");
    return is_file && is_pair(c->stated_hit[i], c->stated_total[i]) ? k : ASSAY_COVERAGE_COMPARED;
}

/* Files with lines of several tests are stated test by test, if at all. */
static bool skip_tests(const assay_profile *p, struct mem *mem, uint8_t *times)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    size_t room = (size_t)assay_profile_files(p)->count + 1;
    if (!c->line_test) return true;
    SCRATCH(uint32_t, test, mem, room);
    if (!test) return false;
    for (uint32_t i = 0; i < c->line_count; i++) {
        uint32_t file = c->line_file[i].v, of = c->line_test[i].v + 1;
        if (test[file] && test[file] != of) memset(&times[(size_t)file * ASSAY_COVERAGE_COMPARED], 2, ASSAY_COVERAGE_COMPARED);
        test[file] = of;
    }
    return true;
}

bool coverage_compare_stated(const assay_profile *p, const assay_coverage_counts *by_file, struct mem *mem, assay_coverage_difference *out)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    if (!c->stated_count) return true;
    SCRATCH(uint8_t, times, mem, ((size_t)assay_profile_files(p)->count + 1) * ASSAY_COVERAGE_COMPARED);
    if (!times) return false;
    for (uint32_t i = 0; i < c->stated_count; i++) {
        unsigned k = kind_of(p, c, i);
        uint8_t *at = k < ASSAY_COVERAGE_COMPARED ? &times[(size_t)ID(c->stated_file, i) * ASSAY_COVERAGE_COMPARED + k] : NULL;
        if (at && *at < 2) ++*at;
    }
    if (!skip_tests(p, mem, times)) return false;
    for (uint32_t i = 0; i < c->stated_count; i++) {
        unsigned k = kind_of(p, c, i);
        uint32_t file = ID(c->stated_file, i);
        if (k == ASSAY_COVERAGE_COMPARED || times[(size_t)file * ASSAY_COVERAGE_COMPARED + k] != 1) continue;
        uint64_t hit = (uint64_t)c->stated_hit[i], total = (uint64_t)c->stated_total[i];
        if (!is_same(&by_file[file], k, hit, total)) differ(&out[k], &by_file[file], compared[k], hit, total);
    }
    return true;
}
