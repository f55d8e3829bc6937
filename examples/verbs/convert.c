/* assay convert FILE --to FORMAT, on the library alone: convert FORMAT FILE OUTPUT. */
#include <assay/assay.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    assay_error err = { 0 };
    assay_losses *losses = NULL;
    char text[1600];
    if (argc != 4) return 2;
    struct assay_write_options write = { .format = argv[1] };
    int rc = assay_convert(argv[2], NULL, argv[3], &write, NULL, &losses, &err);
    for (size_t i = 0; losses && i < losses->count; i++) fprintf(stderr, "assay: loss: %s: %s\n", losses->at[i].kind, losses->at[i].message);
    assay_losses_free(losses);
    if (rc == 0) return 0;
    assay_error_format(&err, text, sizeof text);
    fprintf(stderr, "assay: %s\n", text);
    return 3;
}
