/* assay dump FILE, on the library alone. */
#include <assay/assay.h>
#include <stdio.h>

static int put(void *arg, const char *data, size_t len) { return fwrite(data, 1, len, arg) != len; }

int main(int argc, char **argv)
{
    assay_error err = { 0 };
    char text[1600];
    if (argc != 2) return 2;
    if (assay_dump(argv[1], NULL, put, stdout, &err) == 0) return 0;
    assay_error_format(&err, text, sizeof text);
    fprintf(stderr, "assay: %s\n", text);
    return 3;
}
