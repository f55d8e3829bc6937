/* Long names: arguments give way, the function stays, and nothing that a name holds does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/short_name.h"
#include "base/slice.h"
#include "base/text.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct mem mem;

/* The shortened name, in memory of its own. */
static char *shorten(assay_slice name, unsigned columns)
{
    struct output *out;
    assert_int_equal(output_open_memory(&out, &mem, NULL), 0);
    assert_true(short_name(&mem, out, name, columns));
    assay_slice s = output_memory(out);
    assert_true(text_width(s) <= columns);
    char *copy = calloc(1, s.len + 1);
    assert_non_null(copy);
    if (s.len) memcpy(copy, s.data, s.len);
    output_abort(out);
    return copy;
}

static void arguments_give_way_and_the_method_stays(void **state)
{
    (void)state;
    static const struct {
        const char *name, *want;
    } cases[] = {
        { "short", "short" },
        { "std::__detail::_Compiler<std::__cxx11::regex_traits<char> >::_M_atom()", "std::__detail::_Compiler<…>::_M_atom()" },
        { "std::map<int, std::string, std::less<int>, std::allocator<int> >::at(int const&)", "std::map<…>::at(int const&)" },
        { "bool ns::operator<<ns::a_long_class_name_here>(ns::a_long_class_name_here const&)", "bool ns::operator<<ns::…long_class_name_here>(…)" },
        { "bool ns::operator< <ns::a_long_class_name_here>(ns::a_long_class_name_here const&)", "bool ns::operator< <…>(…)" },
        { "ns::pointer<ns::a_long_class_name_of_a_thing>::operator->() const", "ns::pointer<…>::operator->() const" },
        { "ns::pointer<ns::a_long_class_name_of_a_thing>::operator()(int) const", "ns::pointer<…>::operator()(int) const" },
        { "(anonymous namespace)::work<a_long_class_name, another_class_name>(int)", "(anonymous namespace)::work<…>(int)" },
        { "f(void (*)(a_long_class_name), a_long_class_name, another_long_one)", "f(…)" },
        { "g<(1>2), std::pair<int, std::vector<std::string> > >::method_of_it()", "g<…>::method_of_it()" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *got = shorten(slice_of(cases[i].name), 48);
        assert_string_equal(got, cases[i].want);
        free(got);
    }
}

static void what_is_not_balanced_is_text(void **state)
{
    (void)state;
    static const char *const names[] = { "a<b<c<d<e<f<g<h<i<j<k<l<m<n<o<p<q<r<s<t<u<v<w<x<y<z",    ">>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>",
                                         "((((((((((((((((((((((((((((((((((((((((((((((((((((((", "))))))))))))))))))))))))))))))))))))))))))))))))))",
                                         "a<(b>c<(d>e<(f>g<(h>i<(j>k<(l>m<(n>o<(p>q<(r>s<(t>u",    "operator<operator<operator<operator<operator<operator<",
                                         "operatoroperatoroperatoroperatoroperatoroperator->",     "<<<<<<<<<<<<<<<<<<<<<<<<<>>>>>>>>>>>>>>>>>>>>>>>>>>>>>" };
    for (size_t i = 0; i < COUNT(names); i++)
        for (unsigned columns = 16; columns < 64; columns++) free(shorten(slice_of(names[i]), columns));
}

/* A megabyte of each: a time that grows with the square would not end. */
static void length_does_no_harm(void **state)
{
    (void)state;
    static const char *const parts[] = { "<", "(", "a<b>", "operator", "\xff", "\xe2\x80\xa6", "\xcc\x81", "a<(", "<>", "::" };
    size_t len = 1 << 20;
    char *name = malloc(len + 8);
    assert_non_null(name);
    for (size_t i = 0; i < COUNT(parts); i++) {
        size_t n = strlen(parts[i]);
        for (size_t at = 0; at < len; at += n) memcpy(name + at, parts[i], n);
        free(shorten((assay_slice){ name, len / n * n }, 80));
    }
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_give_way_and_the_method_stays),
        cmocka_unit_test(what_is_not_balanced_is_text),
        cmocka_unit_test(length_does_no_harm),
    };
    mem_init(&mem, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
