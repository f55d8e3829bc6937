/* Gates on coverage; see gate.h. */
#include "report/verbs/gate.h"

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

static int check(const char *option, const char *text, assay_error *err)
{
    struct gate g;
    if (!text || parse(text, &g)) return 0;
    FAIL(err, ASSAY_ERR_USAGE,
         "--%s: invalid value '%s'; use a percentage, or a list such as lines=80,branches=70 of lines, functions, branches, statements, conditions", option,
         text);
}

int gate_check(const struct settings *s, assay_error *err)
{
    TRY(check("fail-under", s->fail_under, err));
    return check("fail-under-each", s->fail_under_each, err);
}

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

void gate_limits(const assay_reporter *r, const assay_coverage_counts *total, double limits[3])
{
    struct gate g;
    bool is_set = r->set.fail_under && parse(r->set.fail_under, &g);
    for (size_t i = 0; i < 3; i++) limits[i] = is_set && g.is_set[i] ? g.percent[i] : 0;
    if (is_set && total->stated && !total->lines && g.is_set[STATEMENTS]) limits[LINES] = g.percent[STATEMENTS];
}

static void say_below(const assay_reporter *r, const char *path, size_t kind, struct pair n, double limit)
{
    char share[48];
    number_share_below(share, n.hit, n.total, 2, limit);
    report_say(r, "%s: %s coverage %s (%llu of %llu) is below %.12g%%", path, singular[kind], share, (unsigned long long)n.hit, (unsigned long long)n.total,
               limit);
}

static void judge_whole(assay_reporter *r, const struct gate *g, const char *path, const assay_coverage_counts *n)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t kind = kind_for(g, n, i);
        struct pair of = pair_of(n, kind);
        if (!g->is_set[i] || (of.total && !assay_coverage_is_under(of.hit, of.total, g->percent[i]))) continue;
        if (of.total)
            say_below(r, path, kind, of, g->percent[i]);
        else
            report_say(r, "%s: no %s to measure; %s coverage must be at least %.12g%%", path, kind_names[kind], singular[kind], g->percent[i]);
        r->is_no = true;
    }
}

/* A file that has nothing of a kind is not judged: a header without functions is no fault. */
static void judge_files(assay_reporter *r, const struct gate *g, const assay_coverage_table *t)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t kind = kind_for(g, &t->total, i), found = 0;
        for (uint32_t row = 0; g->is_set[i] && row < t->count; row++) {
            struct pair of = pair_of(&t->rows[row].counts, kind);
            if (!assay_coverage_is_under(of.hit, of.total, g->percent[i])) continue;
            if (found++ < NAMED) say_below(r, t->rows[row].path.data ? t->rows[row].path.data : "?", kind, of, g->percent[i]);
        }
        if (found > NAMED) report_say(r, "%s coverage of %zu more files is below %.12g%%", singular[kind], found - NAMED, g->percent[i]);
        if (found) r->is_no = true;
    }
}

int gate_judge(assay_reporter *r, const char *path, const assay_profile *p, assay_error *err)
{
    struct gate g;
    assay_coverage_table *t;
    if (r->set.fail_under && parse(r->set.fail_under, &g)) {
        assay_coverage_counts n;
        TRY(assay_coverage_figures(p, &n, NULL, err));
        judge_whole(r, &g, path, &n);
    }
    if (!r->set.fail_under_each || !parse(r->set.fail_under_each, &g)) return 0;
    TRY(assay_coverage_table_new(p, ASSAY_COVERAGE_BY_FILE, ASSAY_COVERAGE_SORT_LINES, 0, &t, err));
    judge_files(r, &g, t);
    assay_coverage_table_free(t);
    return 0;
}
