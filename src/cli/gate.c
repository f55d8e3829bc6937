/* Gates on coverage; see gate.h. */
#include "cli/gate.h"

#include "base/error.h"
#include "base/number.h"

enum { KINDS = 5, NAMED = 10 /* files that a gate names */ };

static const char *const kind_names[KINDS] = { "lines", "functions", "branches", "statements", "conditions" };
static const char *const singular[KINDS] = { "line", "function", "branch", "statement", "condition" };
enum { LINES, STATEMENTS = 3 };

struct gate {
    bool is_set[KINDS];
    bool is_bare; /* the limit of lines was given without a name */
    double percent[KINDS];
};

/* ---- the options ---- */

static bool parse_percent(assay_slice s, double *out)
{
    if (s.len && s.data[s.len - 1] == '%') s.len--;
    return number_double(s, out) == NUMBER_OK && *out >= 0 && *out <= 100;
}

/* N, or KIND=N. */
static bool parse_part(assay_slice s, struct gate *g)
{
    const char *equals = memchr(s.data, '=', s.len);
    size_t kind = LINES;
    if (equals) {
        assay_slice name = slice_from(s.data, equals);
        while (kind < KINDS && !slice_is(name, kind_names[kind])) kind++;
        if (kind == KINDS) return false;
        s = slice_from(equals + 1, s.data + s.len);
    } else
        g->is_bare = true;
    g->is_set[kind] = true;
    return parse_percent(s, &g->percent[kind]);
}

static bool parse(const char *text, struct gate *g)
{
    assay_slice left = slice_of(text);
    *g = (struct gate){ .is_bare = false };
    for (;;) {
        const char *comma = memchr(left.data, ',', left.len);
        assay_slice part = comma ? slice_from(left.data, comma) : left;
        if (!part.len || !parse_part(part, g)) return false;
        if (!comma) return true;
        left = slice_from(comma + 1, left.data + left.len);
    }
}

static bool is_good(const struct cli *c, const char *option, const char *text)
{
    struct gate g;
    if (!text || parse(text, &g)) return true;
    cli_usage(c->verb,
              "--%s: invalid value '%s'; use a percentage, or a list such as lines=80,branches=70 of lines, functions, branches, statements, conditions",
              option, text);
    return false;
}

bool gate_is_good(const struct cli *c) { return is_good(c, "fail-under", c->set.fail_under) && is_good(c, "fail-under-each", c->set.fail_under_each); }

/* ---- the judgement ---- */

struct pair {
    uint64_t hit, total;
};

static struct pair pair_of(const assay_coverage_counts *n, size_t kind)
{
    const struct pair all[KINDS] = { { n->lines_hit, n->lines },
                                     { n->functions_hit, n->functions },
                                     { n->branches_hit, n->branches },
                                     { n->statements_hit, n->statements },
                                     { n->conditions_hit, n->conditions } };
    return all[kind];
}

/* A percentage without a name is of lines, or of statements where a summary states no lines. */
static size_t kind_for(const struct gate *g, const assay_coverage_counts *total, size_t kind)
{
    return kind == LINES && g->is_bare && total->stated && !total->lines ? STATEMENTS : kind;
}

void gate_limits(const struct cli *c, const assay_coverage_counts *total, double limits[3])
{
    struct gate g;
    bool is_set = c->set.fail_under && parse(c->set.fail_under, &g);
    for (size_t i = 0; i < 3; i++) limits[i] = is_set && g.is_set[i] ? g.percent[i] : 0;
    if (is_set && total->stated && !total->lines && g.is_set[STATEMENTS]) limits[LINES] = g.percent[STATEMENTS];
}

static void say_below(const char *path, size_t kind, struct pair n, double limit)
{
    char share[48];
    number_share_below(share, n.hit, n.total, 2, limit);
    cli_message("%s: %s coverage %s (%llu of %llu) is below %.12g%%", path, singular[kind], share, (unsigned long long)n.hit, (unsigned long long)n.total,
                limit);
}

static void judge_whole(struct cli *c, const struct gate *g, const char *path, const assay_coverage_counts *n)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t kind = kind_for(g, n, i);
        struct pair of = pair_of(n, kind);
        if (!g->is_set[i] || (of.total && !assay_coverage_is_under(of.hit, of.total, g->percent[i]))) continue;
        if (of.total)
            say_below(path, kind, of, g->percent[i]);
        else
            cli_message("%s: no %s to measure; %s coverage must be at least %.12g%%", path, kind_names[kind], singular[kind], g->percent[i]);
        cli_note(c, CLI_NO);
    }
}

/* A file that has nothing of a kind is not judged: a header without functions is no fault. */
static void judge_files(struct cli *c, const struct gate *g, const assay_coverage_table *t)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t kind = kind_for(g, &t->total, i), found = 0;
        for (uint32_t row = 0; g->is_set[i] && row < t->count; row++) {
            struct pair of = pair_of(&t->rows[row].counts, kind);
            if (!assay_coverage_is_under(of.hit, of.total, g->percent[i])) continue;
            if (found++ < NAMED) say_below(t->rows[row].path.data ? t->rows[row].path.data : "?", kind, of, g->percent[i]);
        }
        if (found > NAMED) cli_message("%s coverage of %zu more files is below %.12g%%", singular[kind], found - NAMED, g->percent[i]);
        if (found) cli_note(c, CLI_NO);
    }
}

int gate_judge(struct cli *c, const char *path, const assay_profile *p, assay_error *err)
{
    struct gate g;
    assay_coverage_table *t;
    if (c->set.fail_under && parse(c->set.fail_under, &g)) {
        assay_coverage_counts n;
        TRY(assay_coverage_figures(p, &n, NULL, err));
        judge_whole(c, &g, path, &n);
    }
    if (!c->set.fail_under_each || !parse(c->set.fail_under_each, &g)) return 0;
    TRY(assay_coverage_table_new(p, ASSAY_COVERAGE_BY_FILE, ASSAY_COVERAGE_SORT_LINES, 0, &t, err));
    judge_files(c, &g, t);
    assay_coverage_table_free(t);
    return 0;
}
