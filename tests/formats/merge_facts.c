/* For tests: what must be true of merging profiles, on files given by name.
 *
 *     merge_facts FILE...
 *
 * One profile merged with nothing has the functions, costs and calls of itself; with itself twice as much of everything; two profiles give the
 * same in any order, and however they are grouped: whole numbers exactly, doubles but for a rounding. Prints what is not so, and "N passed, N failed, N skipped" at the end. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/assay.h"

static unsigned passed, failed, skipped;

static void check(bool ok, const char *what, const char *path, const char *why)
{
    if (ok) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED %s: %s: %s\n", path, what, why);
}

static assay_profile *merged(const assay_profile *const *list, size_t count, char *why, size_t len)
{
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(NULL, &err);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) rc = assay_merger_add(m, list[i], &err);
    assay_profile *p = rc == 0 ? assay_merger_finish(m, &err) : NULL;
    if (rc != 0) assay_merger_free(m);
    snprintf(why, len, "%.250s", p ? "" : err.text);
    return p;
}

static bool is_twice(const assay_diff_metric *m, assay_value once, assay_value twice)
{
    if (m->type == ASSAY_F64) return twice.d == 2 * once.d || (isnan(once.d) && isnan(twice.d));
    if (m->type == ASSAY_I64) return once.i > INT64_MAX / 2 || once.i < INT64_MIN / 2 || twice.i == 2 * once.i;
    return once.u > UINT64_MAX / 2 || twice.u == 2 * once.u;
}

/* Totals of doubles are sums of their own, which are added up in the order of calls: the last digits may differ. */
static bool is_near(double a, double b) { return a == b || fabs(a - b) <= 1e-12 * fabs(a) || (isnan(a) && isnan(b)); }

/* `has_streams`: a function that is called in one stream and begins another has another total in a graph once they are added up. */
static bool is_same_row(const assay_profile_diff *d, size_t i, unsigned times, bool has_streams)
{
    const assay_diff_func *f = &d->funcs[i];
    if (f->state != ASSAY_DIFF_CHANGED || (f->before_calls <= UINT64_MAX / 2 && f->after_calls != times * f->before_calls)) return false;
    for (size_t k = 0; k < d->metric_count; k++) {
        size_t at = i * d->metric_count + k;
        const assay_diff_metric *m = &d->metrics[k];
        bool is_self = times == 2 ? is_twice(m, d->before_self[at], d->after_self[at]) : d->before_self[at].u == d->after_self[at].u;
        bool is_total = times == 2             ? m->type == ASSAY_F64 || is_twice(m, d->before_total[at], d->after_total[at])
                        : m->type == ASSAY_F64 ? is_near(d->before_total[at].d, d->after_total[at].d)
                                               : d->before_total[at].u == d->after_total[at].u;
        if (!is_self || (!is_total && !has_streams)) return false;
    }
    return true;
}

/* Functions, costs and calls are those of `p`, times one or two. */
static void compare(const char *path, const assay_profile *p, const assay_profile *q, unsigned times)
{
    assay_profile_diff *d = NULL;
    assay_error err = { 0 };
    char why[200] = "";
    bool ok = assay_profile_diff_new(p, q, NULL, &d, &err) == 0;
    for (size_t i = 0; ok && i < d->count; i++) {
        ok = is_same_row(d, i, times, assay_profile_streams(p)->count > 1);
        snprintf(why, sizeof why, "%.100s has other figures", d->funcs[i].name);
    }
    check(ok, times == 2 ? "merged with itself" : "merged with nothing", path, err.code ? err.text : why);
    assay_profile_diff_free(d);
}

static void same(const char *path, const char *what, const assay_profile *a, const assay_profile *b)
{
    char why[400] = "one of them failed";
    check(a && b && assay_profile_equal(a, b, why, sizeof why, NULL) == 0, what, path, why);
}

/* Two merges round twice: of two profiles that differ in nothing else, each figure is within a few units in the last place. */
static void near_same(const char *path, const char *what, const assay_profile *a, const assay_profile *b)
{
    assay_profile_diff *d = NULL;
    assay_error err = { 0 };
    bool ok = a && b && assay_profile_diff_new(a, b, NULL, &d, &err) == 0;
    for (size_t i = 0; ok && i < d->count; i++) {
        ok = d->funcs[i].state == ASSAY_DIFF_CHANGED && d->funcs[i].before_calls == d->funcs[i].after_calls;
        for (size_t k = 0; ok && k < d->metric_count; k++) {
            size_t at = i * d->metric_count + k;
            double x = d->before_self[at].d, y = d->after_self[at].d;
            if (d->metrics[k].type != ASSAY_F64)
                ok = d->before_self[at].u == d->after_self[at].u && d->before_total[at].u == d->after_total[at].u;
            else
                ok = (fabs(x - y) <= 4 * DBL_EPSILON * fabs(x) || (isnan(x) && isnan(y))) && is_near(d->before_total[at].d, d->after_total[at].d);
        }
    }
    check(ok, what, path, err.code ? err.text : "a figure differs by more than rounding");
    assay_profile_diff_free(d);
}

static bool has_doubles(const assay_profile *p)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    for (uint32_t i = 1; i <= m->count; i++)
        if (m->type && m->type[i] == ASSAY_F64) return true;
    return false;
}

static void run_pair(const char *path, const assay_profile *p, const assay_profile *last)
{
    char why[300];
    assay_profile *ab = merged((const assay_profile *[]){ last, p }, 2, why, sizeof why);
    if (!ab) {
        skipped++; /* metrics of one name and another unit */
        return;
    }
    assay_profile *ba = merged((const assay_profile *[]){ p, last }, 2, why, sizeof why);
    same(path, "in the other order", ab, ba);
    /* A sum of doubles is rounded once for each merge: so only one merge is independent of the order. */
    assay_profile *three = merged((const assay_profile *[]){ p, last, p }, 3, why, sizeof why),
                  *other = merged((const assay_profile *[]){ last, p, p }, 3, why, sizeof why);
    same(path, "three of them in the other order", three, other);
    assay_profile *grouped = merged((const assay_profile *[]){ ab, p }, 2, why, sizeof why);
    if (has_doubles(p) || has_doubles(last))
        near_same(path, "grouped in the other way", grouped, three);
    else
        same(path, "grouped in the other way", grouped, three);
    assay_profile_release(ab);
    assay_profile_release(ba);
    assay_profile_release(three);
    assay_profile_release(other);
    assay_profile_release(grouped);
}

static assay_profile *read_file(const char *path)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = ASSAY_WANT_GRAPH | ASSAY_WANT_LINES, .no_symbols = true };
    const uint32_t cost = ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_LINES;
    if (assay_read(path, &o, &p, NULL) == 0 && assay_profile_shapes(p) & cost) return p;
    assay_profile_release(p);
    return NULL;
}

int main(int argc, char **argv)
{
    assay_profile *last = NULL;
    for (int i = 1; i < argc; i++) {
        char why[300];
        assay_profile *p = read_file(argv[i]);
        if (!p) {
            skipped++;
            continue;
        }
        assay_profile *one = merged((const assay_profile *[]){ p }, 1, why, sizeof why), *two = merged((const assay_profile *[]){ p, p }, 2, why, sizeof why);
        check(one && two, "can be merged", argv[i], why);
        if (one) compare(argv[i], p, one, 1);
        if (two) compare(argv[i], p, two, 2);
        assay_profile_release(one);
        assay_profile_release(two);
        if (last) run_pair(argv[i], p, last);
        assay_profile_release(last);
        last = p;
    }
    assay_profile_release(last);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
