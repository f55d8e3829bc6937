/* assay merge FILE... --to FORMAT, on the library alone: merge FORMAT OUTPUT FILE... */
#include <assay/assay.h>
#include <stdio.h>

static int fail(assay_merger *m, const assay_error *err)
{
    char text[1600];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "assay: %s\n", text);
    assay_merger_free(m);
    return 3;
}

int main(int argc, char **argv)
{
    assay_error err = { 0 };
    if (argc < 4) return 2;
    const struct assay_format_info *format = assay_format_find(argv[1]);
    struct assay_write_options write = { .format = argv[1] };
    struct assay_read_options read = { .want = format && format->holds & ASSAY_SHAPE_COVERAGE ? ASSAY_WANT_COVERAGE : ASSAY_WANT_GRAPH | ASSAY_WANT_LINES };
    assay_merger *m = assay_merger_new(NULL, &err);
    if (!m) return fail(m, &err);
    for (int i = 3; i < argc; i++) {
        assay_profile *p = NULL;
        int rc = assay_read(argv[i], &read, &p, &err);
        if (rc == 0) rc = assay_merger_add(m, p, &err);
        assay_profile_release(p);
        if (rc != 0) return fail(m, &err);
    }
    assay_profile *sum = assay_merger_finish(m, &err);
    if (!sum || assay_write(sum, argv[2], &write, NULL, &err) != 0) return fail(NULL, &err);
    assay_profile_release(sum);
    return 0;
}
