/* Gates on coverage; see gate.h. */
#include "cli/gate.h"

#include <stdio.h>

#include "base/number.h"

enum { KINDS = 4 };

static const char *const kind_names[KINDS + 1] = { "lines", "functions", "branches", "statements", NULL };

struct gate {
    bool is_set[KINDS];
    double percent[KINDS];
};

/* ---- the option ---- */

static bool parse_percent(assay_slice s, double *out)
{
    if (s.len && s.data[s.len - 1] == '%') s.len--;
    return number_double(s, out) == NUMBER_OK && *out >= 0 && *out <= 100;
}

/* N, or KIND=N. */
static bool parse_part(assay_slice s, struct gate *g)
{
    const char *equals = memchr(s.data, '=', s.len);
    size_t kind = 0;
    if (equals) {
        assay_slice name = slice_from(s.data, equals);
        while (kind < KINDS && !slice_is(name, kind_names[kind])) kind++;
        if (kind == KINDS) return false;
        s = slice_from(equals + 1, s.data + s.len);
    }
    g->is_set[kind] = true;
    return parse_percent(s, &g->percent[kind]);
}

static bool parse(const char *text, struct gate *g)
{
    assay_slice left = slice_of(text);
    *g = (struct gate){ { false }, { 0 } };
    for (;;) {
        const char *comma = memchr(left.data, ',', left.len);
        assay_slice part = comma ? slice_from(left.data, comma) : left;
        if (!part.len || !parse_part(part, g)) return false;
        if (!comma) return true;
        left = slice_from(comma + 1, left.data + left.len);
    }
}

bool gate_is_good(const struct cli *c)
{
    struct gate g;
    if (!c->set.fail_under || parse(c->set.fail_under, &g)) return true;
    cli_usage(c->verb, "--fail-under: '%s' is neither a percentage nor a list like lines=80,branches=70", c->set.fail_under);
    return false;
}

/* ---- the judgement ---- */

static void judge(struct cli *c, const char *path, const char *kind, uint64_t hit, uint64_t total, double limit)
{
    char share[48], percent[48];
    snprintf(percent, sizeof percent, "%g", limit);
    if (total && !assay_cov_is_under(hit, total, limit)) return;
    if (!total)
        cli_message("%s: there are no %s to measure, %s%% of them were asked for", path, kind, percent);
    else
        cli_message("%s: %s %s (%llu of %llu) is under %s%%", path, kind, report_share(share, hit, total), (unsigned long long)hit, (unsigned long long)total,
                    percent);
    cli_note(c, CLI_NO);
}

void gate_judge(struct cli *c, const char *path, const assay_cov_counts *n)
{
    struct gate g;
    const uint64_t hit[KINDS] = { n->lines_hit, n->functions_hit, n->branches_hit, n->statements_hit };
    const uint64_t total[KINDS] = { n->lines, n->functions, n->branches, n->statements };
    if (!c->set.fail_under || !parse(c->set.fail_under, &g)) return;
    for (size_t i = 0; i < KINDS; i++)
        if (g.is_set[i]) judge(c, path, kind_names[i], hit[i], total[i], g.percent[i]);
}

void gate_judge_profile(struct cli *c, const char *path, const assay_profile *p)
{
    assay_error err = { 0 };
    assay_cov_counts n;
    if (!c->set.fail_under) return;
    if (assay_coverage_count(p, &n, NULL, &err) == 0)
        gate_judge(c, path, &n);
    else
        cli_fail(c, &err);
}
