/* What reading alone costs: the calling contexts of a file, by the same library, and nothing made of them. The bench compiles it and puts its time beside that
 * of drawing them; see bench/README.md. */
#include <assay/assay.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct assay_read_options options = { .want = ASSAY_WANT_TREE };
    assay_profile *p;
    assay_error err;
    if (argc != 2 || assay_read(argv[1], &options, &p, &err) != 0) return 1;
    printf("%u contexts\n", assay_profile_tree(p)->count);
    assay_profile_release(p);
    return 0;
}
