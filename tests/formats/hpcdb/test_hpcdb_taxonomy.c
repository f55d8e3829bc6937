/* What is understood of default.yaml, by the forms that HPCToolkit wrote since 2022, and that hostile ones cost nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/slice.h"
#include "formats/hpcdb/taxonomy.h"

static const char inputs[] = "version: 0\ninputs:\n"
                             "  - &all {metric: time, scope: execution, formula: $$, combine: sum}\n"
                             "  - &own {metric: time, scope: function, formula: $$, combine: sum}\n"
                             "  - &lex {metric: time, scope: lex_aware, formula: $$, combine: sum}\n"
                             "  - &other {metric: bytes, scope: execution, formula: $$, combine: sum}\n";

static struct mem mem;

static void parse(struct hpcdb_taxonomy *t, const char *roots)
{
    char text[4000];
    snprintf(text, sizeof text, "%sroots:\n%s", inputs, roots);
    mem_init(&mem, 0);
    assert_int_equal(hpcdb_taxonomy_parse(t, slice_of(text), &mem, NULL), 0);
}

static void finish(struct hpcdb_taxonomy *t)
{
    hpcdb_taxonomy_done(t);
    assert_int_equal(mem.used, 0);
}

static void test_form_of_2023(void **state)
{
    struct hpcdb_taxonomy t;
    (void)state;
    parse(&t,
          "  - name: Time\n    description: of the clock\n    visible by default: false\n    variants:\n      Mean: {formula: {inclusive: {/: [*all, *own]}}}\n"
          "      Sum:\n        formula:\n          inclusive: {standard: *all}\n          exclusive: {custom: *lex, standard: *own}\n");
    assert_string_equal(t.fault.text, "");
    assert_int_equal(t.inputs.len, 4);
    const struct hpcdb_column_root *c = hpcdb_taxonomy_column(&t, SLICE("time"));
    assert_non_null(c);
    assert_true(slice_is(c->name, "Time") && slice_is(c->description, "of the clock") && c->is_hidden && !c->is_computed);
    assert_true(slice_is(c->inclusive, "execution") && slice_is(c->custom, "lex_aware") && slice_is(c->exclusive, "function"));
    assert_null(hpcdb_taxonomy_column(&t, SLICE("bytes")));
    finish(&t);
}

static void test_form_of_2022(void **state)
{
    struct hpcdb_taxonomy t;
    (void)state;
    parse(&t, "  - {name: time, variants: {Sum: {formula: {inclusive: *all, exclusive: *own}}}}\n");
    const struct hpcdb_column_root *c = hpcdb_taxonomy_column(&t, SLICE("time"));
    assert_non_null(c);
    assert_true(slice_is(c->inclusive, "execution") && slice_is(c->custom, "function") && slice_is(c->exclusive, "function") && !c->is_hidden);
    finish(&t);
}

static void test_children_and_computed(void **state)
{
    struct hpcdb_taxonomy t;
    (void)state;
    parse(&t, "  - name: group\n    variants: {Sum: {formula: sum}}\n    children:\n      - {name: one, variants: {Sum: {formula: {inclusive: *other}}}}\n"
              "      - {name: ratio, variants: {'': {formula: {inclusive: {standard: {/: [*all, *other]}}}}}}\n"
              "      - {name: mixed, variants: {Sum: {formula: {inclusive: *all, exclusive: *other}}}}\n");
    assert_int_equal(t.roots.len, 4);
    assert_true(t.roots.at[0].is_computed && !t.roots.at[1].is_computed && t.roots.at[2].is_computed && t.roots.at[3].is_computed);
    assert_non_null(hpcdb_taxonomy_column(&t, SLICE("bytes")));
    assert_null(hpcdb_taxonomy_column(&t, SLICE("time")));
    finish(&t);
}

/* Each line has ten of the line before: a billion texts, were they expanded. */
static void test_aliases_are_not_expanded(void **state)
{
    struct hpcdb_taxonomy t;
    char roots[3000] = "  - &a0 {name: x}\n";
    size_t len = strlen(roots);
    (void)state;
    for (int i = 1; i < 10; i++)
        len += (size_t)snprintf(roots + len, sizeof roots - len, "  - &a%d {x: [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]}\n", i, i - 1, i - 1, i - 1,
                                i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    parse(&t, roots);
    assert_string_equal(t.fault.text, "");
    assert_true(t.yaml.nodes.len < 200 && mem.peak < 100000);
    finish(&t);
}

static void test_faults(void **state)
{
    static const struct {
        const char *roots;
        uint64_t line;
    } cases[] = { { "  - *nobody\n", 8 }, { "  - &self [*self]\n", 8 }, { "  - [\n", 9 }, { "  - text\n", 8 }, { "  - {[a]: b}\n", 8 }, { "  - \"\n", 9 } };
    struct hpcdb_taxonomy t;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse(&t, cases[i].roots);
        assert_true(t.fault.text[0] != 0);
        assert_int_equal(t.fault.line, cases[i].line);
        assert_int_equal(t.inputs.len, t.yaml.nodes.len > 1 ? 4 : 0);
        finish(&t);
    }
}

static void test_memory_runs_out(void **state)
{
    struct hpcdb_taxonomy t;
    (void)state;
    for (uint64_t n = 1;; n++) {
        mem_init(&mem, 0);
        mem.fail_at = n;
        int rc = hpcdb_taxonomy_parse(&t, slice_of(inputs), &mem, NULL);
        finish(&t);
        if (rc == 0) break;
        assert_int_equal(rc, ASSAY_ERR_MEMORY);
        assert_true(n < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form_of_2023),
        cmocka_unit_test(test_form_of_2022),
        cmocka_unit_test(test_children_and_computed),
        cmocka_unit_test(test_aliases_are_not_expanded),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
