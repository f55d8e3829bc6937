/* The class in the name of a function: names as compilers and engines write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/core/class_name.h"
#include "base/slice.h"

static void check(const char *name, const char *want)
{
    assay_slice got = class_name(slice_of(name));
    if (!slice_is(got, want)) fail_msg("class of '%s' is '%.*s', not '%s'", name, (int)got.len, got.data ? got.data : "", want);
}

static void test_languages(void **state)
{
    (void)state;
    check("ns::Box<std::pair<int, int>>::get(std::string) const", "ns::Box<std::pair<int, int>>");
    check("Cart->add", "Cart");
    check("Shop\\Cart::total", "Shop\\Cart");
    check("Foo::Bar::run", "Foo::Bar");
    check("com.shop.Cart.add", "com.shop.Cart");
    check("com.shop.Cart$Item.<init>(II)V", "com.shop.Cart$Item");
    check("net/http.(*conn).serve", "net/http.(*conn)");
    check("github.com/x/y.Server.Run", "github.com/x/y.Server");
    check("runtime.main", "runtime");
    check("core::fmt::write", "core::fmt");
    check("<alloc::vec::Vec<T> as Drop>::drop", ""); /* begins with a placeholder's mark */
}

static void test_parts_of_names(void **state)
{
    (void)state;
    check("std::ostream& operator<< <char>(std::ostream&)", "");
    check("Vec::operator()(int)", "Vec");
    check("Vec::operator->()", "Vec");
    check("Vec::operator new(unsigned long)", "Vec");
    check("ns::(anonymous namespace)::helper(int)", "ns::(anonymous namespace)");
    check("(anonymous namespace)::helper(int)", "(anonymous namespace)");
    check("void ns::swap<int>(int&, int&)", "ns");
    check("f(std::string, a.b)", "");
    check("load (lib/a.b.js)", "");
}

static void test_no_class(void **state)
{
    (void)state;
    const char *const none[] = { "",
                                 "main",
                                 "{main}",
                                 "<module>",
                                 "parse.constprop.0",
                                 "parse.part.3",
                                 "f.cold",
                                 "f.llvm.",
                                 "/usr/lib/a.so",
                                 "include /a/b.php",
                                 "github.com/x/y",
                                 "::",
                                 ".",
                                 "a::",
                                 "->x",
                                 "operator<",
                                 "(",
                                 "f.1",
                                 "a.b.c/d" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) check(none[i], "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_languages), cmocka_unit_test(test_parts_of_names), cmocka_unit_test(test_no_class) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
