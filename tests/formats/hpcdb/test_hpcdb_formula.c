/* Formulas of computed metrics as default.yaml has them: what binds tighter, and what makes no sense. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/hpcdb/formula.h"

static assay_slice metric(void *arg, uint64_t k)
{
    static const char *const names[] = { "*a", "*b", "*c" };
    (void)arg;
    return k < 3 ? (assay_slice){ names[k], 2 } : (assay_slice){ NULL, 0 };
}

static void formulas_become_maps(void **state)
{
    static const struct {
        const char *formula, *yaml;
    } cases[] = {
        { "7", "7" },
        { "#0", "*a" },
        { " #0 + #1 ", "{\"+\": [*a, *b]}" },
        { "#0-#1-#2", "{\"-\": [{\"-\": [*a, *b]}, *c]}" },
        { "#0+#1*#2", "{\"+\": [*a, {\"*\": [*b, *c]}]}" },
        { "(#0+#1)*0.5", "{\"*\": [{\"+\": [*a, *b]}, 0.5]}" },
        { "#0^#1^2", "{\"^\": [*a, {\"^\": [*b, 2]}]}" },
        { "-#0^2", "{\"-\": [{\"^\": [*a, 2]}]}" },
        { "#0*-#1", "{\"*\": [*a, {\"-\": [*b]}]}" },
        { "min(100, max(0, 100*#1/#0))", "{\"min\": [100, {\"max\": [0, {\"/\": [{\"*\": [100, *b]}, *a]}]}]}" },
        { "max(#0,#1,#2)", "{\"max\": [*a, {\"max\": [*b, *c]}]}" },
        { "min(#0)", "*a" },
        { "sqrt(#2/#0-(#1/#0)^2)", "{\"sqrt\": [{\"-\": [{\"/\": [*c, *a]}, {\"^\": [{\"/\": [*b, *a]}, 2]}]}]}" },
    };
    struct mem mem;
    struct arena arena;
    (void)state;
    mem_init(&mem, 0);
    arena_init(&arena, &mem);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_slice out;
        assert_int_equal(hpcdb_formula(&arena, (assay_slice){ cases[i].formula, strlen(cases[i].formula) }, metric, NULL, &out, NULL), 0);
        if (out.len != strlen(cases[i].yaml) || memcmp(out.data, cases[i].yaml, out.len) != 0)
            fail_msg("%s: %.*s", cases[i].formula, (int)out.len, out.data ? out.data : "");
    }
    arena_done(&arena);
}

static void nonsense_has_no_text(void **state)
{
    static const char *const cases[] = { "",          "#",     "#3",    "#0+",  "+#0", "#0 #1", "(#0",  "#0)", "1,2",
                                         "sqrt(1,2)", "min(1", "min()", "1..2", ".5",  "a",     "#0~1", "()",  "1)(2" };
    struct mem mem;
    struct arena arena;
    char deep[200];
    assay_slice out;
    (void)state;
    mem_init(&mem, 0);
    arena_init(&arena, &mem);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(hpcdb_formula(&arena, (assay_slice){ cases[i], strlen(cases[i]) }, metric, NULL, &out, NULL), 0);
        if (out.data) fail_msg("'%s': %.*s", cases[i], (int)out.len, out.data);
    }
    memset(deep, '(', sizeof deep);
    assert_int_equal(hpcdb_formula(&arena, (assay_slice){ deep, sizeof deep }, metric, NULL, &out, NULL), 0);
    assert_null(out.data);
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(formulas_become_maps), cmocka_unit_test(nonsense_has_no_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
