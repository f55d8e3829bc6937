/* Profiles for the tests of public results: calls with costs that can be added up by hand.
 *
 *     main  1 self
 *       a   2         calls c: 5
 *       b   0         calls c: 3
 * so that main has 11 in total, a 7, b 3 and c 8. */
#ifndef TESTS_RESULTS_H
#define TESTS_RESULTS_H

#include "stacks.h"

static const char *const result_stacks[] = { "main 1", "main;a 2", "main;a;c 5", "main;b;c 3", NULL };

/* As a tree of contexts. */
static inline assay_profile *result_tree(void) { return stacks_profile(ASSAY_U64, result_stacks); }

/* As a call graph, with lines: Callgrind text. */
static const char result_callgrind[] =
    "events: Ir\nfl=src/x.c\nfn=main\n1 1\ncfn=a\ncalls=1 10\n2 7\ncfn=b\ncalls=4 20\n3 3\n"
    "fn=a\n10 2\ncfi=lib/y.c\ncfn=c\ncalls=5 30\n11 5\nfn=b\n20 0\ncfi=lib/y.c\ncfn=c\ncalls=3 30\n21 3\nfl=lib/y.c\nfn=c\n30 8\n";

/* p and q call each other; what leaves them is q's call of r. */
static const char result_cycle[] = "events: Ir\nfl=x.c\nfn=main\n1 1\ncfn=p\ncalls=1 5\n2 19\nfn=p\n5 4\ncfn=q\ncalls=2 10\n6 15\n"
                                   "fn=q\n10 6\ncfn=p\ncalls=1 5\n11 7\ncfn=r\ncalls=1 20\n12 9\nfn=r\n20 9\n";

static inline assay_profile *result_read(const char *text, const char *name)
{
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, strlen(text), name, &(struct assay_read_options){ .want = ASSAY_WANT_ALL }, &p, NULL), 0);
    return p;
}
static inline assay_profile *result_graph(void) { return result_read(result_callgrind, "x.callgrind"); }

/* A column of text or numbers, "main a c". */
static inline void assert_slice(assay_slice s, const char *want)
{
    assert_int_equal(s.len, strlen(want));
    assert_memory_equal(s.data, want, s.len);
}

#endif
