/* The lines that cost most and that no test executes: a profile next to a coverage report.
 *
 *     cc untested.c $(pkg-config --cflags --libs assay) -o untested && ./untested callgrind.out.1234 coverage.info */
#include <assay/assay.h>
#include <stdio.h>

static void print(const assay_annotate_source *s)
{
    for (uint32_t row = 0; row < s->count; row++) {
        if (!s->self || !s->has_cost[row]) continue;
        const assay_column *column = &s->columns[s->key];
        assay_value v = s->self[row * s->column_count + s->key];
        double cost = column->type == ASSAY_F64 ? v.d : (double)v.u, share = column->whole > 0 ? 100 * cost / column->whole : 0;
        bool is_missed = s->state[row] == ASSAY_ANNOTATE_MISSED;
        if (share < 1 || (!is_missed && s->state[row] != ASSAY_ANNOTATE_PARTIAL)) continue;
        printf("%5.1f%%  %-7s  %.*s:%u  %.*s\n", share, is_missed ? "missed" : "partial", (int)s->path.len, s->path.data, s->line[row], (int)s->text[row].len,
               s->text[row].data ? s->text[row].data : "");
    }
}

int main(int argc, char **argv)
{
    struct assay_read_options lines = { .want = ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES }, report = { .want = ASSAY_WANT_COVERAGE };
    struct assay_annotate_options options = { .size = sizeof options };
    assay_profile *p = NULL, *coverage = NULL;
    assay_annotate *a = NULL;
    assay_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: untested PROFILE REPORT\n");
        return 2;
    }
    int rc = assay_read(argv[1], &lines, &p, &err);
    if (rc == 0) rc = assay_read(argv[2], &report, &coverage, &err);
    options.coverage = coverage;
    if (rc == 0) rc = assay_annotate_new(p, &options, &a, &err);
    for (uint32_t i = 0; rc == 0 && i < assay_annotate_count(a); i++) {
        const assay_annotate_source *source;
        rc = assay_annotate_file(a, i, &source, &err);
        if (rc == 0) print(source);
    }
    if (rc != 0) fprintf(stderr, "untested: %s\n", err.text);
    assay_annotate_free(a);
    assay_profile_release(coverage);
    assay_profile_release(p);
    return rc == 0 ? 0 : 1;
}
