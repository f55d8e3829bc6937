/* For tests: no profile differs from itself.
 *
 *     diff_facts FILE...
 *
 * Each file is read twice and compared by function, by line and by calling context. What cannot be read, or has nothing of the kind, is skipped.
 * Prints what differs, and "N passed, N failed, N skipped" at the end. */
#include <stdio.h>

#include "assay/assay.h"

static const char *const nouns[] = { "function", "line", "context" };
static const uint32_t wants[] = { ASSAY_WANT_SUMS, ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES, ASSAY_WANT_TREE };
static unsigned passed, failed, skipped;

static void compare(const char *path, int by)
{
    assay_profile *p[2] = { NULL, NULL };
    assay_profile_diff *d = NULL;
    assay_error err = { 0 };
    int rc = 0;
    for (int i = 0; rc == 0 && i < 2; i++) rc = assay_read(path, &(struct assay_read_options){ .want = wants[by], .foreign = true }, &p[i], &err);
    bool is_read = rc == 0;
    if (rc == 0) rc = assay_profile_diff_new(p[0], p[1], &(struct assay_profile_diff_options){ .by = (enum assay_diff_by)by }, &d, &err);
    if (rc == 0 && d->count == 0)
        passed++;
    else if (rc == 0 || (is_read && rc != ASSAY_ERR_UNSUPPORTED)) {
        failed++;
        printf("FAILED %s by %s: %s\n", path, nouns[by], rc ? err.text : d->funcs[0].name);
    } else
        skipped++;
    assay_profile_diff_free(d);
    for (int i = 0; i < 2; i++) assay_profile_release(p[i]);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        for (int by = 0; by < 3; by++) compare(argv[i], by);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
