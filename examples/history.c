/* Stores a coverage report for the commit that is checked out, and prints the course of the coverage: a line for each report, the newest first. The store is made
 * where there is none yet.
 *
 *     cc history.c $(pkg-config --cflags --libs assay) -o history && ./history [coverage.info] */
#include <assay/assay.h>
#include <stdio.h>

static int complain(const assay_error *err)
{
    char text[1100];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "history: %s\n", text);
    return 1;
}

/* The store of the current directory. */
static int open_store(assay_store **out, assay_error *err)
{
    char path[ASSAY_STORE_PATH_MAX];
    assay_store_made made;
    int rc = assay_store_find(".", path, sizeof path, err);
    if (rc == 0) return assay_store_open(path, out, err);
    rc = assay_store_create(NULL, &made, err);
    return rc == 0 ? assay_store_open(made.store, out, err) : rc;
}

/* The profile must last as long as the import. */
static int store_report(assay_store *store, const char *path, assay_error *err)
{
    struct assay_read_options read = { .size = sizeof read, .want = ASSAY_WANT_COVERAGE };
    assay_profile *p = NULL;
    assay_store_import *import = NULL;
    assay_store_imported result;
    int rc = assay_read(path, &read, &p, err);
    if (rc == 0) rc = assay_store_import_new(store, NULL, &import, err);
    if (rc == 0) rc = assay_store_import_add(import, path, p, err);
    if (rc == 0) rc = assay_store_import_end(import, &result, err);
    if (rc == 0) printf("%s: %zu files\n", result.changed ? "stored" : "nothing new", result.file_count);
    assay_store_import_free(import);
    assay_profile_release(p);
    return rc;
}

static int print_history(assay_store *store, assay_error *err)
{
    assay_store_walk *walk;
    const assay_store_report *report;
    char id[ASSAY_STORE_ID_TEXT];
    int rc = assay_store_walk_new(store, NULL, &walk, err);
    if (rc != 0) return rc;
    while ((rc = assay_store_walk_next(walk, &report, err)) == 0 && report) {
        const assay_store_pair *lines = &report->stats.lines;
        printf("%.9s  %6.2f%%  %u of %u lines\n", assay_store_id_text(&report->commit, id), lines->relevant ? 100.0 * lines->visited / lines->relevant : 0,
               lines->visited, lines->relevant);
    }
    assay_store_walk_free(walk);
    return rc;
}

int main(int argc, char **argv)
{
    assay_store *store = NULL;
    assay_error err;
    int rc = open_store(&store, &err);
    if (rc == 0 && argc > 1) rc = store_report(store, argv[1], &err);
    if (rc == 0) rc = print_history(store, &err);
    assay_store_close(store);
    return rc == 0 ? 0 : complain(&err);
}
