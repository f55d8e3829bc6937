/* The ten functions with the highest self cost of a profile, in forty lines.
 *
 *     cc hot.c $(pkg-config --cflags --libs assay) -o hot && ./hot callgrind.out.1234 */
#include <assay/assay.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(const assay_error *err)
{
    char text[1100];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "hot: %s\n", text);
    return 1;
}

static void print(const assay_profile *p, const assay_top *top, uint32_t row)
{
    const struct assay_funcs *funcs = assay_profile_funcs(p);
    const struct assay_metrics *metrics = assay_profile_metrics(p);
    assay_slice name = assay_profile_string(p, funcs->name[top->func[row].v]);
    assay_value self = top->self[(size_t)row * top->metric_count];
    if (metrics->type && metrics->type[top->metrics[0].v] == ASSAY_F64)
        printf("%16.6f  %.*s\n", self.d, (int)name.len, name.data);
    else
        printf("%16lld  %.*s\n", (long long)self.i, (int)name.len, name.data);
}

int main(int argc, char **argv)
{
    struct assay_read_options options = { .size = sizeof options, .want = ASSAY_WANT_SUMS };
    assay_profile *p = NULL;
    assay_top *top = NULL;
    assay_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: hot FILE\n");
        return 2;
    }
    if (assay_read(argv[1], &options, &p, &err) != 0) return complain(&err);
    if (assay_top_new(p, &top, &err) != 0) {
        assay_profile_release(p);
        return complain(&err);
    }
    uint32_t *order = calloc((size_t)top->count + 1, sizeof *order);
    if (order && top->metric_count) {
        assay_top_order(p, top, ASSAY_SORT_SELF, 0, order);
        for (uint32_t i = 0; i < top->count && i < 10; i++) print(p, top, order[i]);
    }
    free(order);
    assay_top_free(top);
    assay_profile_release(p);
    return 0;
}
