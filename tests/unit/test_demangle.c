/* C++ names: as c++filt prints them, and what a hostile name may cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/slice.h"
#include "symbols/demangle.h"

/* The length of what is shown; 0 = it is left as it is. */
static size_t shown_len(const char *name, const char *expected)
{
    struct mem mem;
    struct arena text;
    bool failed = false;
    mem_init(&mem, (size_t)8 << 20);
    arena_init(&text, &mem);
    assay_slice s = demangle(&text, name, &failed);
    assert_false(failed);
    if (expected) assert_string_equal(s.data, expected);
    size_t len = s.len;
    arena_done(&text);
    assert_int_equal(mem.used, 0);
    return len;
}

/* A reference to the n-th part of a name. */
static void refer(char *at, int n)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (n == 0)
        strcat(at, "S_");
    else if (n <= 36)
        sprintf(at + strlen(at), "S%c_", digits[n - 1]);
    else
        sprintf(at + strlen(at), "S%c%c_", digits[(n - 1) / 36], digits[(n - 1) % 36]);
}

/* f(A<int, int>, A<the first, the first>, A<the second, the second>, ...): twice the text for each. */
static void doubled(char *name, const char *begin, int part, int times)
{
    strcpy(name, begin);
    strcat(name, "1AIiiE");
    for (int i = 1; i <= times; i++) {
        refer(name, part);
        strcat(name, "I");
        refer(name, part + i);
        refer(name, part + i);
        strcat(name, "E");
    }
}

static void names_are_shown_in_full(void **state)
{
    (void)state;
    shown_len("_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)");
    shown_len("_Z3maxIdET_S0_S0_", "double max<double>(double, double)");
    shown_len("_ZN3FooC1Ev", "Foo::Foo()");
    shown_len("_ZNSt3mapISsSt6vectorISsSaISsEESt4lessISsESaISt4pairIKSsS2_EEEixERS6_",
              "std::map<std::string, std::vector<std::string, std::allocator<std::string> >, std::less<std::string>, std::allocator<std::pair<std::string "
              "const, std::vector<std::string, std::allocator<std::string> > > > >::operator[](std::string const&)");
    assert_int_equal(shown_len("main", NULL), 0);
    assert_int_equal(shown_len("_Zwhat", NULL), 0);
}

/* Many references are common; what counts is what they add up to. */
static void many_references_are_no_harm(void **state)
{
    (void)state;
    char name[3000] = "_Z1f1AIiiE";
    for (int i = 0; i < 900; i++) strcat(name, "S_");
    assert_true(shown_len(name, NULL) > 2000);
    doubled(name, "_Z1f", 0, 5);
    assert_int_equal(shown_len(name, NULL), 1048); /* by __cxa_demangle of GCC 12 */
}

static void a_name_that_doubles_itself_is_left_as_it_is(void **state)
{
    (void)state;
    char name[3000];
    for (int times = 20; times < 200; times += 30) {
        doubled(name, "_Z1f", 0, times);
        assert_int_equal(shown_len(name, NULL), 0);
    }
    /* in an expansion nothing is printed of, but everything is looked at */
    doubled(name, "_Z1fIJiEEv", 1, 60);
    strcat(name, "Dp");
    refer(name, 62);
    assert_int_equal(shown_len(name, NULL), 0);
}

/* A template parameter is printed as its argument. */
static void parameters_count_as_what_they_stand_for(void **state)
{
    (void)state;
    char name[4000] = "_Z1fI", *end;
    end = name + strlen(name);
    for (int i = 0; i < 400; i++) end += sprintf(end, "%s", "P");
    end += sprintf(end, "iEv");
    for (int i = 0; i < 1500; i++) end += sprintf(end, "T_");
    assert_int_equal(shown_len(name, NULL), 0);
    shown_len("_Z1fIPPiEvT_T_T_T_", "void f<int**>(int**, int**, int**, int**)");
}

static void long_names_are_left_as_they_are(void **state)
{
    (void)state;
    static char name[6000];
    strcpy(name, "_Z1f");
    memset(name + 4, 'i', 5000);
    assert_int_equal(shown_len(name, NULL), 0);
    name[4 + 900] = '\0';
    assert_true(shown_len(name, NULL) > 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_shown_in_full),
        cmocka_unit_test(many_references_are_no_harm),
        cmocka_unit_test(a_name_that_doubles_itself_is_left_as_it_is),
        cmocka_unit_test(parameters_count_as_what_they_stand_for),
        cmocka_unit_test(long_names_are_left_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
