/* Symbols in a build without capstone: this program is linked with a loops.c that was compiled as if it were not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/loops.h"
#include "symbols/symbols.h"

static unsigned told;

static void found(void *arg, const assay_finding *finding)
{
    (void)arg;
    if (strcmp(finding->rule, "SY05") == 0 && strstr(finding->message, "capstone")) told++;
}

/* How often it is told when two programs are looked at. */
static unsigned look(const char *first, const char *second, bool no_loops)
{
    struct mem mem;
    mem_init(&mem, 0);
    struct symbols *s = symbols_new(&(struct symbols_options){ .mem = &mem, .found = found, .no_loops = no_loops });
    assert_non_null(s);
    told = 0;
    const char *const paths[] = { first, second };
    for (int i = 0; i < 2; i++) {
        struct symbols_chain chain;
        assert_int_equal(symbols_lookup(s, symbols_module(s, slice_of(paths[i]), (assay_slice){ NULL, 0 }), 1, &chain, NULL), 0);
    }
    symbols_free(s);
    assert_int_equal(mem.used, 0);
    return told;
}

static void a_build_that_cannot_look_for_loops_says_so_once(void **state)
{
    (void)state;
    assert_false(loops_can());
#ifdef __x86_64__
    assert_int_equal(look("/proc/self/exe", "/bin/sh", false), 1);
#else /* loops are looked for in no other code than that of x86-64 */
    assert_int_equal(look("/proc/self/exe", "/proc/self/exe", false), 0);
#endif
    assert_int_equal(look("/proc/self/exe", "/bin/sh", true), 0);     /* nobody wants loops */
    assert_int_equal(look("/etc/passwd", "/no/such/file", false), 0); /* no program, no loops */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_build_that_cannot_look_for_loops_says_so_once) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
