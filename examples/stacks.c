/* The stacks of any profile, one for each line with what it cost itself: the text that other flame graph programs read.
 *
 *     cc stacks.c $(pkg-config --cflags --libs assay) -o stacks && ./stacks callgrind.out.1234 >stacks.txt */
#include <assay/assay.h>
#include <stdio.h>
#include <stdlib.h>

static int print(const assay_paths *s)
{
    uint32_t *stack = calloc((size_t)s->deepest + 1, sizeof *stack);
    if (!stack) return 1;
    for (uint32_t row = 1; row <= s->count; row++) { /* each row comes before those below it */
        stack[s->depth[row]] = row;
        if (s->type == ASSAY_F64 ? s->self[row].d == 0 : s->self[row].u == 0) continue;
        for (uint32_t depth = 1; depth <= s->depth[row]; depth++)
            printf("%s%.*s", depth > 1 ? ";" : "", (int)s->name[stack[depth]].len, s->name[stack[depth]].data);
        if (s->type == ASSAY_F64)
            printf(" %.9g\n", s->self[row].d);
        else
            printf(" %llu\n", (unsigned long long)s->self[row].u);
    }
    free(stack);
    return 0;
}

int main(int argc, char **argv)
{
    /* contexts, or where there are none the call graph that they are estimated from */
    struct assay_read_options read = { .want = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_EITHER };
    struct assay_paths_options options = { .size = sizeof options, .estimate = true };
    assay_profile *p = NULL;
    assay_paths *s = NULL;
    assay_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: stacks FILE\n");
        return 2;
    }
    int rc = assay_read(argv[1], &read, &p, &err);
    if (rc == 0) rc = assay_paths_new(p, &options, &s, &err);
    if (rc != 0) fprintf(stderr, "stacks: %s\n", err.text);
    if (rc == 0 && s->is_estimated) fprintf(stderr, "stacks: %s has a call graph only; its stacks are estimated\n", argv[1]);
    if (rc == 0) rc = print(s);
    assay_paths_free(s);
    assay_profile_release(p);
    return rc == 0 ? 0 : 1;
}
