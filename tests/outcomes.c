/* Prints what questions about whole files are answered by the library, as lines of fields between tabs: what results.c leaves out of the verbs. For tests/python/outcomes.py.
 *
 *     outcomes file FOLDER FILE [BEFORE FORMAT]     check, totals, coverage, query, stats; with BEFORE, the file that it is compared and merged with, diff and merge, which
 *                                                   writes FOLDER/merged in this format; each after a line that names it
 *     outcomes store FOLDER STORE                   the reports of a coverage store, their tables, and each as lcov */
#include <assay/assay.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 4200 };

static void text(assay_slice s) { printf("\t%.*s", (int)s.len, s.len ? s.data : ""); }

static void value(enum assay_type type, assay_value v)
{
    if (type == ASSAY_F64)
        printf("\t%.17g", v.d);
    else if (type == ASSAY_I64)
        printf("\t%" PRId64, v.i);
    else
        printf("\t%" PRIu64, v.u);
}

/* ---- one file ---- */

static int print_check(const char *path, assay_error *err)
{
    static const char *const severity[] = { "info", "warning", "error" };
    assay_check_result *r = NULL;
    int rc = assay_check(path, NULL, &r, err);
    if (rc != 0) return rc;
    printf("row\t%s\t%" PRIu64 "\t%" PRIu64 "\n", r->format->name, r->errors, r->warnings);
    for (size_t i = 0; i < r->count; i++) printf("finding\t%s\t%s\t%s\n", r->findings[i].rule, severity[r->findings[i].severity], r->findings[i].message);
    assay_check_free(r);
    return 0;
}

static void print_totals(const assay_profile *p)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 1; i <= m->count; i++) {
        printf("metric");
        text(assay_profile_string(p, m->name[i]));
        text(assay_profile_string(p, m->unit[i]));
        if (m->type[i] == ASSAY_F64)
            printf("\t%.17g\n", m->total_double[i]);
        else
            printf("\t%" PRIx64 "\t%" PRIx64 "\n", m->total[i].high, m->total[i].low);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        printf("count");
        text(assay_profile_string(p, c->name[i]));
        printf("\t%" PRIu64 "\n", c->value[i]);
    }
}

static int print_coverage(const assay_profile *p, assay_error *err)
{
    assay_coverage_table *t = NULL;
    int rc = assay_coverage_table_new(p, ASSAY_COVERAGE_BY_FILE, ASSAY_COVERAGE_SORT_LINES, 0, &t, err);
    if (rc != 0) return rc;
    for (uint32_t i = 0; i < t->count; i++) {
        const assay_coverage_counts *c = &t->rows[i].counts;
        printf("row");
        text(t->rows[i].path);
        printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", c->lines, c->lines_hit, c->functions, c->functions_hit,
               c->branches, c->branches_hit);
    }
    assay_coverage_table_free(t);
    return 0;
}

static void print_cell(const assay_rows *rows, unsigned column)
{
    struct assay_query_cell cell;
    assay_rows_cell(rows, column, &cell);
    if (cell.type == ASSAY_CELL_INTEGER)
        printf("\t%" PRId64, cell.integer);
    else if (cell.type == ASSAY_CELL_REAL)
        printf("\t%.17g", cell.real);
    else
        text(cell.type == ASSAY_CELL_NULL ? (assay_slice){ "", 0 } : cell.text);
}

static int print_query(const char *path, const char *sql, assay_error *err)
{
    struct assay_query_options o = { .size = sizeof o, .exact = true };
    assay_query *q = NULL;
    assay_rows *rows = NULL;
    int rc = assay_query_new(&o, &q, err);
    if (rc == 0) rc = assay_query_file(q, NULL, path, err);
    if (rc == 0) rc = assay_query_prepare(q, sql, NULL, &rows, err);
    while (rc == 0 && (rc = assay_rows_next(rows, err)) == 1) {
        rc = 0;
        printf("row");
        for (unsigned i = 0; i < assay_rows_column_count(rows); i++) print_cell(rows, i);
        printf("\n");
    }
    assay_rows_free(rows);
    assay_query_free(q);
    return rc;
}

/* ---- two files ---- */

static int read_for(const char *path, uint32_t want, assay_profile **out, assay_error *err)
{
    struct assay_read_options o = { .want = want };
    return assay_read(path, &o, out, err);
}

static int print_diff(const assay_profile *before, const assay_profile *after, assay_error *err)
{
    assay_profile_diff *d = NULL;
    int rc = assay_profile_diff_new(before, after, NULL, &d, err);
    if (rc != 0) return rc;
    if (d->metric_count)
        printf("same\t%zu\n", d->same);
    else /* nothing to compare by: the command refuses it */
        printf("error\tunsupported\n");
    for (size_t i = 0; d->metric_count && i < d->count; i++) {
        const assay_diff_func *f = &d->funcs[i];
        printf("row\t%s\t%s\t%u\t%" PRIu64 "\t%" PRIu64, f->name, f->file, f->state, f->before_calls, f->after_calls);
        for (size_t k = 0; k < d->metric_count; k++) {
            size_t at = i * d->metric_count + k;
            value(d->metrics[k].type, d->before_self[at]);
            value(d->metrics[k].type, d->after_self[at]);
        }
        printf("\n");
    }
    assay_profile_diff_free(d);
    return 0;
}

static int print_coverage_diff(const assay_profile *before, const assay_profile *after, assay_error *err)
{
    assay_coverage_diff *d = NULL;
    int rc = assay_coverage_diff_new(before, after, NULL, NULL, &d, err);
    if (rc != 0) return rc;
    for (size_t i = 0; i < d->count; i++) {
        const assay_diff_file *f = &d->files[i];
        printf("row\t%s\t%s\t%u\t%u\t%u\t%u\n", f->old_path ? f->old_path : "", f->new_path ? f->new_path : "", f->before, f->before_hit, f->after,
               f->after_hit);
    }
    assay_coverage_diff_free(d);
    return 0;
}

/* Reads what the format has room for. */
static int add(assay_merger *m, const char *path, const struct assay_format_info *format, assay_error *err)
{
    assay_profile *p = NULL;
    uint32_t want = format->holds & ASSAY_SHAPE_COVERAGE ? ASSAY_WANT_COVERAGE : format->holds & ASSAY_SHAPE_GRAPH ? ASSAY_WANT_GRAPH : ASSAY_WANT_TREE;
    int rc = read_for(path, want, &p, err);
    if (rc == 0) rc = assay_merger_add(m, p, err);
    assay_profile_release(p);
    return rc;
}

static int merge(const char *folder, const char *path, const char *before, const char *format, assay_error *err)
{
    char out[PATH_ROOM];
    struct assay_write_options o = { .format = format };
    assay_merger *m = assay_merger_new(NULL, err);
    if (!m) return err->code;
    int rc = add(m, before, assay_format_find(format), err);
    if (rc == 0) rc = add(m, path, assay_format_find(format), err);
    if (rc != 0) {
        assay_merger_free(m);
        return rc;
    }
    assay_profile *sum = assay_merger_finish(m, err);
    if (!sum) return err->code;
    print_totals(sum);
    snprintf(out, sizeof out, "%s/merged", folder);
    rc = assay_write(sum, out, &o, NULL, err);
    assay_profile_release(sum);
    return rc;
}

static void part(const char *name, int rc, const assay_error *err)
{
    if (rc != 0) printf("error\t%s\n", assay_code_name(err->code));
    if (name) printf("# %s\n", name);
}

/* Coverage is compared where both have nothing else. */
static int diff(const char *path, const char *before_path, assay_error *err)
{
    assay_profile *before = NULL, *after = NULL;
    const uint32_t want = ASSAY_WANT_SUMS | ASSAY_WANT_PAIRS | ASSAY_WANT_COVERAGE;
    int rc = read_for(before_path, want, &before, err);
    if (rc == 0) rc = read_for(path, want, &after, err);
    bool is_coverage = rc == 0 && assay_profile_shapes(before) == ASSAY_SHAPE_COVERAGE && assay_profile_shapes(after) == ASSAY_SHAPE_COVERAGE;
    if (rc == 0) rc = is_coverage ? print_coverage_diff(before, after, err) : print_diff(before, after, err);
    assay_profile_release(before);
    assay_profile_release(after);
    return rc;
}

static int of_file(const char *folder, const char *path, const char *before, const char *format)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    part("check", 0, &err);
    part("totals", print_check(path, &err), &err);
    int rc = read_for(path, ASSAY_WANT_ALL, &p, &err);
    if (rc == 0) print_totals(p);
    part("coverage", rc, &err);
    if (rc == 0) rc = print_coverage(p, &err);
    assay_profile_release(p);
    part("query", rc, &err);
    part("stats", print_query(path, "select * from top", &err), &err);
    rc = print_query(path, "select metric, name, source, streams, sum, min, mean, max, stddev, imbalance, max_stream from spread", &err);
    part("diff", rc, &err);
    part("merge", before ? diff(path, before, &err) : 0, &err);
    part("end", before ? merge(folder, path, before, format, &err) : 0, &err);
    return 0;
}

/* ---- a coverage store ---- */

static void print_stats(const assay_store_stats *s)
{
    printf("\t%u\t%u\t%u\t%u\t%u\t%u", s->lines.relevant, s->lines.visited, s->functions.relevant, s->functions.visited, s->branches.relevant,
           s->branches.visited);
}

static int print_report(assay_store *store, const char *folder, const char *id, assay_error *err)
{
    char path[PATH_ROOM];
    struct assay_write_options o = { .format = "lcov" };
    assay_store_table *t = NULL;
    assay_profile *p = NULL;
    int rc = assay_store_table_new(store, id, NULL, &t, err);
    for (size_t i = 0; rc == 0 && i < t->count; i++) {
        printf("%u", t->kind[i]);
        text(t->name[i]);
        print_stats(&t->now[i]);
        print_stats(&t->before[i]);
        printf("\n");
    }
    assay_store_table_free(t);
    if (rc == 0) rc = assay_store_profile(store, id, false, &p, err);
    snprintf(path, sizeof path, "%s/%s.info", folder, id);
    if (rc == 0) rc = assay_write(p, path, &o, NULL, err);
    assay_profile_release(p);
    return rc;
}

static int of_store(const char *folder, const char *path)
{
    assay_store *store = NULL;
    assay_store_walk *walk = NULL;
    const assay_store_report *r;
    assay_error err = { 0 };
    char found[PATH_ROOM];
    int rc = assay_store_find(path, found, sizeof found, &err);
    if (rc == 0) rc = assay_store_open(found, &store, &err);
    if (rc == 0) rc = assay_store_walk_new(store, NULL, &walk, &err);
    while (rc == 0 && (rc = assay_store_walk_next(walk, &r, &err)) == 0 && r) {
        char id[ASSAY_STORE_ID_TEXT], commit[ASSAY_STORE_ID_TEXT];
        printf("report\t%s\t%s", assay_store_id_text(&r->id, id), assay_store_id_text(&r->commit, commit));
        print_stats(&r->stats);
        printf("\n");
        if (print_report(store, folder, id, &err) != 0) printf("error\t%s\n", assay_code_name(err.code));
    }
    part(NULL, rc, &err);
    assay_store_walk_free(walk);
    assay_store_close(store);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    if (strcmp(argv[1], "store") == 0) return of_store(argv[2], argv[3]);
    return of_file(argv[2], argv[3], argc > 5 ? argv[4] : NULL, argc > 5 ? argv[5] : NULL);
}
